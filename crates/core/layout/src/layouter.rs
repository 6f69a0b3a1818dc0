//! Pages with their layout, one at a time.

use crate::child::{BlitzChild, is_offered};
use crate::engine::{Engine, Lost, MarkedPage};
use crate::given::Given;
use crate::limits::{DEEPEST, MOST_BYTES, MOST_ELEMENTS};
use crate::marks::mark;
use crate::message::{Answer, BODY, HTML};
use crate::page::{LayoutPage, blank, body, starts};
use crate::resources::{Inserts, Resources, inserts};
use std::sync::Arc;
use std::time::Duration;
use warcsieve_html::document::Document;
use warcsieve_html::layout::{Layout, LayoutStatus};
use warcsieve_html::{SegmentError, Segmenter, StartTag, Tag, attribute};

/// Segments pages and has them laid out, by an engine of its own that starts with the first page, or
/// takes their layouts from where they are given.
pub struct Layouter {
    given: Option<Given>,
    /// `None` if this program has no such engine.
    start: Option<Start>,
    /// An engine is replaced after as many pages: what it never gives back does not add up.
    most_pages: u32,
    engine: Option<Box<dyn Engine>>,
    /// Style sheets and pictures for the pages.
    resources: Option<Arc<Resources>>,
    /// Whether the engine shows pictures.
    pictures: bool,
    /// Pages of the engine that runs.
    pages: u32,
    starts: Vec<StartTag>,
    marked: String,
}

/// Starts an engine.
type Start = Box<dyn Fn() -> Option<Box<dyn Engine>> + Send>;

impl Layouter {
    /// With Blitz, which [`offer`](crate::offer) says how to start.
    pub fn blitz() -> Self {
        let start: Start = Box::new(|| Some(Box::new(BlitzChild::start()?)));
        Self::of(is_offered().then_some(start), 200)
    }

    /// With Chromium, which keeps a picture of each page's top if asked.
    #[cfg_attr(not(all(feature = "browser", unix)), allow(unused_variables))]
    pub fn chromium(screenshots: bool) -> Self {
        #[cfg(all(feature = "browser", unix))]
        let start: Option<Start> = Some(Box::new(move || {
            Some(Box::new(crate::browser::Browser::start(screenshots).ok()?))
        }));
        #[cfg(not(all(feature = "browser", unix)))]
        let start = None;
        Self {
            pictures: true,
            ..Self::of(start, 100)
        }
    }

    /// Without any: no page has a layout.
    pub fn none() -> Self {
        Self::of(None, 0)
    }

    /// With layouts that are there already.
    pub fn given(given: Given) -> Self {
        Self {
            given: Some(given),
            ..Self::of(None, 0)
        }
    }

    fn of(start: Option<Start>, most_pages: u32) -> Self {
        Self {
            given: None,
            start,
            most_pages,
            engine: None,
            resources: None,
            pictures: false,
            pages: 0,
            starts: Vec::new(),
            marked: String::new(),
        }
    }

    /// Gives pages these style sheets and pictures from now on, or none.
    pub fn set_resources(&mut self, resources: Option<Arc<Resources>>) {
        self.resources = resources.filter(|resources| !resources.is_empty());
    }

    /// Refills `doc` from a page, as [`Segmenter::segment_html`] does, with its layout.
    ///
    /// # Errors
    /// Those of the segmenter. That a page has no layout is no error: its layout says why.
    pub fn segment_html(
        &mut self,
        segmenter: &mut Segmenter,
        page: LayoutPage<'_>,
        doc: &mut Document,
    ) -> Result<(), SegmentError> {
        let html = page.html;
        segmenter.segment_html_with_starts(html, doc, &mut self.starts)?;
        let mut layout = match &self.given {
            Some(given) => given.layout(page, doc, &self.starts),
            None => self.laid_out(page, doc),
        };
        if layout.status == LayoutStatus::Done {
            layout.starts = starts(html, &self.starts);
        }
        doc.layout = Some(Box::new(layout));
        Ok(())
    }

    /// The layout by an engine.
    fn laid_out(&mut self, page: LayoutPage<'_>, doc: &Document) -> Layout {
        let mut layout = blank(LayoutStatus::Done);
        layout.css_missing = linked_sheets(doc);
        let answer = match refused(page.html, doc) {
            Some(status) => Err(status),
            None => {
                let given = match &self.resources {
                    Some(from) => inserts(from, page.url, doc, self.pictures, is_sheet),
                    None => Inserts::default(),
                };
                layout.css_missing = layout.css_missing - given.sheets + given.missing;
                mark(page.html, &self.starts, &given.by_element, &mut self.marked);
                self.ask(page.url)
            }
        };
        match answer {
            Ok((answer, engine)) => {
                layout.engine = engine;
                fill(&mut layout, answer, doc);
            }
            Err(status) => layout.status = status,
        }
        layout
    }

    /// The layout of a plain text: there is none.
    pub fn of_text(doc: &mut Document) {
        doc.layout = Some(Box::new(blank(LayoutStatus::PlainText)));
    }

    /// The engine's answer about the marked page, with its name.
    fn ask(&mut self, url: &str) -> Result<(Answer, String), LayoutStatus> {
        // Whatever ended an engine may have had nothing to do with the page, so it has two tries.
        for _ in 0..2 {
            if self.pages >= self.most_pages {
                self.engine = None;
            }
            let engine = match &mut self.engine {
                Some(engine) => engine,
                none => {
                    self.pages = 0;
                    let of = self.start.as_ref().ok_or(LayoutStatus::NoEngine)?;
                    none.insert(start(of).ok_or(LayoutStatus::Failed)?)
                }
            };
            self.pages += 1;
            let html = &self.marked;
            match engine.lay_out(&MarkedPage { url, html }) {
                Ok(answer) if answer.status == LayoutStatus::Done => {
                    return Ok((answer, engine.name().to_owned()));
                }
                Ok(answer) => {
                    if answer.status == LayoutStatus::Failed {
                        // What it left may change the next page.
                        self.engine = None;
                    }
                    return Err(answer.status);
                }
                Err(lost) => {
                    self.engine = None;
                    if lost == Lost::Slow {
                        return Err(LayoutStatus::TooSlow);
                    }
                }
            }
        }
        Err(LayoutStatus::Failed)
    }
}

/// How long to wait before an engine that did not start is started again.
const PAUSE: Duration = Duration::from_millis(if cfg!(test) { 1 } else { 1000 });

/// An engine; a system that is short of processes for a moment gets two more tries.
fn start(start: &Start) -> Option<Box<dyn Engine>> {
    for _ in 0..2 {
        match start() {
            None => std::thread::sleep(PAUSE),
            engine => return engine,
        }
    }
    start()
}

/// Why a page is not given to the engine.
fn refused(html: &str, doc: &Document) -> Option<LayoutStatus> {
    let elements = &doc.tree.elements;
    if html.len() > MOST_BYTES {
        return Some(LayoutStatus::TooLarge);
    }
    if elements.len() > MOST_ELEMENTS {
        return Some(LayoutStatus::TooManyElements);
    }
    let mut depths = vec![0; elements.len()];
    for (i, element) in elements.iter().enumerate().skip(1) {
        depths[i] = depths[element.parent as usize] + 1;
    }
    let deepest = depths.iter().max().copied().unwrap_or(0);
    (doc.flaws.too_deep || deepest > DEEPEST).then_some(LayoutStatus::TooDeep)
}

/// The style sheets that a page links to and that a window would show it with.
fn linked_sheets(doc: &Document) -> u32 {
    let links = doc.tree.elements.iter().filter(|e| e.tag == Tag::Link);
    links.filter(|link| is_sheet(doc.attributes(link))).count() as u32
}

/// Whether a link with these attributes is to a style sheet of a window.
fn is_sheet(attributes: &str) -> bool {
    let value = |name| attribute(attributes, name).unwrap_or_default();
    let (rel, media) = (value("rel"), value("media"));
    let is = |word: &str| {
        rel.split_ascii_whitespace()
            .any(|w| w.eq_ignore_ascii_case(word))
    };
    let is_printed = media.trim().eq_ignore_ascii_case("print");
    is("stylesheet") && !is("alternate") && !is_printed && !value("href").trim().is_empty()
}

/// Gives each element its box.
fn fill(layout: &mut Layout, answer: Answer, doc: &Document) {
    let body = body(doc);
    layout.boxes.resize(doc.tree.elements.len(), None);
    for (mark, own) in answer.boxes {
        let element = match mark {
            HTML => Some(0),
            BODY => body,
            mark => Some(mark as usize),
        };
        if let Some(place) = element.and_then(|e| layout.boxes.get_mut(e)) {
            *place = Some(own);
        }
    }
    layout.page_height = answer.page_height;
    layout.screenshot = answer.screenshot;
    layout.css_missing = layout.css_missing.saturating_add(answer.imports);
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU32, Ordering};
    use warcsieve_html::SegmenterOptions;

    fn laid_out(html: &str) -> Layout {
        let mut doc = Document::default();
        let mut segmenter = Segmenter::new(SegmenterOptions::default());
        let url = "http://a.example/";
        let page = LayoutPage { id: "", url, html };
        Layouter::blitz()
            .segment_html(&mut segmenter, page, &mut doc)
            .unwrap();
        *doc.layout.unwrap()
    }

    #[test]
    fn without_an_engine_the_page_says_so() {
        let layout = laid_out("<p>text");
        assert_eq!(layout.status, LayoutStatus::NoEngine);
        assert_eq!((layout.engine.as_str(), layout.viewport_width), ("", 1280));
        assert!(layout.boxes.is_empty());
    }

    /// Answers as many pages, then ends.
    struct Mortal(u32);

    impl Engine for Mortal {
        fn name(&self) -> &str {
            "mortal 1"
        }

        fn lay_out(&mut self, _: &MarkedPage<'_>) -> Result<Answer, Lost> {
            self.0 = self.0.checked_sub(1).ok_or(Lost::Ended)?;
            Ok(Answer {
                status: LayoutStatus::Done,
                ..Answer::default()
            })
        }
    }

    #[test]
    fn an_engine_that_is_lost_was_there() {
        let starts = AtomicU32::new(0);
        let start: Start = Box::new(move || {
            let is_there = starts.fetch_add(1, Ordering::Relaxed) < 2;
            is_there.then(|| Box::new(Mortal(2)) as Box<dyn Engine>)
        });
        let mut layouter = Layouter::of(Some(start), 100);
        let mut segmenter = Segmenter::new(SegmenterOptions::default());
        let mut status = || {
            let mut doc = Document::default();
            let page = LayoutPage::default();
            let done = layouter.segment_html(&mut segmenter, page, &mut doc);
            done.unwrap();
            doc.layout.unwrap().status
        };
        // The second engine gets the page that the first one was lost on; a third is not there.
        let (done, failed) = (LayoutStatus::Done, LayoutStatus::Failed);
        assert_eq!(
            [(); 6].map(|()| status()),
            [done, done, done, done, failed, failed]
        );
    }

    #[test]
    fn bounds_depend_on_the_page_alone() {
        let status = |html: &str| laid_out(html).status;
        assert_eq!(status(&"x".repeat(MOST_BYTES + 1)), LayoutStatus::TooLarge);
        let many = "<b></b>".repeat(MOST_ELEMENTS);
        assert_eq!(status(&many), LayoutStatus::TooManyElements);
        for depth in [DEEPEST, 600] {
            assert_eq!(status(&"<div>".repeat(depth)), LayoutStatus::TooDeep);
        }
        let deep = "<div>".repeat(DEEPEST - 1);
        assert_eq!(status(&deep), LayoutStatus::NoEngine);
    }

    #[test]
    fn linked_style_sheets_are_counted() {
        let html = "<link rel=stylesheet href=a.css><LINK REL='Shortcut StyleSheet' href=b>\
                    <link rel='alternate stylesheet' href=c><link rel=stylesheet media=print \
                    href=d><link rel=icon href=e><link rel=stylesheet><link href=f>";
        assert_eq!(laid_out(html).css_missing, 2);
    }
}
