//! Reads pages again, and compares their blocks with the tables.

use super::picks::{Block, Picked};
use crate::manifest::ManifestRow;
use crate::output::OutputFolder;
use crate::shards::Checked;
use warcsieve_classify::CORE;
use warcsieve_common::{Error, Result, shortened};
use warcsieve_engine::Input;
use warcsieve_extract::{Engine, PageView, Pipeline, Settings};
use warcsieve_filters::personal::Kind;
use warcsieve_tables::{NAMES, RunIdentity};
use warcsieve_warc::{Limits, ReadFrom, Record, SelectedReader, Source, Span};

/// How a block was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum How {
    /// Its text is in the page byte for byte, between white space.
    Verbatim,
    /// Its text is what the segmenter makes of its bytes.
    Made,
    /// Its range is the same, and its text has masks.
    Masked,
}

/// How each block of a page was found, or what differs.
type Found = Vec<Result<How, String>>;

/// Reads pages of an input again.
pub(super) struct Again<'i> {
    input: &'i Input,
    size: u64,
    from: ReadFrom,
    limits: Limits,
    engine: Engine,
    record: Record,
}

impl<'i> Again<'i> {
    pub fn new(out: &OutputFolder, row: &ManifestRow, input: &'i Input) -> Result<Self> {
        let refuse = |why: &str| Error::Invalid(format!("{}: {why}", input.origin()));
        if let Some(what) = row.changed_input(input) {
            return Err(refuse(&format!("it changed after it was cleaned: {what}")));
        }
        let there = input.open_anywhere()?;
        let (stamp, from) =
            there.ok_or_else(|| refuse("records can only be read again in files and objects"))?;
        let pipeline = pipeline(out, row)?;
        Ok(Self {
            input,
            size: stamp.size,
            from,
            limits: pipeline.settings.limits(),
            engine: Engine::new(&pipeline),
            record: Record::default(),
        })
    }

    /// Looks for the blocks of a page.
    pub fn page(&mut self, page: &Picked) -> Result<Found> {
        let rest = self.size.saturating_sub(page.offset);
        let span = Span {
            start: page.offset,
            length: page.length.unwrap_or(rest).min(rest),
            bytes: (self.from)(page.offset),
            again: Some(self.from.clone()),
        };
        let spans = Box::new(std::iter::once(Ok(span)));
        let mut reader = SelectedReader::new(&self.input.name, spans, self.limits);
        if let Some(found) = self.look(&mut reader, page)? {
            return Ok(found);
        }
        // A frame of zstd may need the dictionary at the beginning of the file.
        let (_, mut reader) = self.input.reader(self.limits)?;
        let found = self.look(&mut reader, page)?;
        let what = "no page with this id is at this place of the crawl";
        let all = || page.blocks.iter().map(|_| Err(what.to_owned())).collect();
        Ok(found.unwrap_or_else(all))
    }

    /// Looks for a page among the records of a reader; `None` if it is not at its place.
    fn look(&mut self, reader: &mut impl Source, page: &Picked) -> Result<Option<Found>> {
        while reader.read_record(&mut self.record)? && self.record.location.offset <= page.offset {
            if self.record.location.offset < page.offset || !self.engine.selects(&self.record) {
                continue;
            }
            if let Ok(view) = self.engine.record(&self.input.name, &self.record)
                && view.page.id == page.id
            {
                let blocks = page.blocks.iter();
                return Ok(Some(blocks.map(|block| compare(block, &view)).collect()));
            }
        }
        Ok(None)
    }
}

/// How a block was found in its page, or what differs.
fn compare(block: &Block, view: &PageView<'_>) -> Result<How, String> {
    let Some(found) = view.doc.blocks.get(block.number) else {
        let blocks = view.doc.blocks.len();
        return Err(format!("the page has only {blocks} blocks"));
    };
    if found.source != block.source {
        return Err(format!(
            "it is at bytes {} to {} of the page, and the table has {} to {}",
            found.source.start, found.source.end, block.source.start, block.source.end
        ));
    }
    let text = view.doc.block_text(found);
    if text == block.text {
        let bytes = view
            .page
            .payload
            .get(found.source.start as usize..found.source.end as usize);
        return Ok(match bytes.is_some_and(|bytes| bytes.trim() == text) {
            true => How::Verbatim,
            false => How::Made,
        });
    }
    let mut masks = [Kind::Email, Kind::Ip, Kind::Phone]
        .into_iter()
        .map(Kind::mask);
    match masks.any(|mask| block.text.contains(mask)) {
        true => Ok(How::Masked),
        false => Err(format!(
            "its text is {:?}, and the table has {:?}",
            shortened(text.to_owned()),
            shortened(block.text.clone())
        )),
    }
}

/// A pipeline that makes the same blocks of a page as the one that cleaned it.
fn pipeline(out: &OutputFolder, row: &ManifestRow) -> Result<Pipeline> {
    let refuse = |why: &str| Error::Invalid(format!("{}: {why}", out.path().display()));
    let file = row.outputs.iter().find(|file| file.is_of(NAMES.blocks));
    let file = file.ok_or_else(|| refuse("it has no table `blocks`"))?;
    let file = Checked::open(out.path(), file)?;
    let then: Option<Settings> = file
        .footer(RunIdentity::SETTINGS)
        .and_then(|json| serde_json::from_str(json).ok());
    let then = then.ok_or_else(|| refuse("its tables do not say their settings"))?;
    let segmentation = then.segmentation;
    let segmentation = segmentation
        .ok_or_else(|| refuse("pipelines with several segmentations made its blocks"))?;
    let mut pipeline = Pipeline::parse(&CORE, "prove", "[[step]]\nmethod = 'keep-all'\n")?;
    pipeline.segmentation = segmentation;
    let plain = pipeline.settings;
    pipeline.settings = Settings {
        segmentation: then.segmentation,
        tokenizer: then.tokenizer,
        records: then.records,
        any_status: then.any_status,
        any_content_type: then.any_content_type,
        max_page_bytes: then.max_page_bytes,
        max_elements: then.max_elements,
        max_depth: then.max_depth,
        metadata: false,
        ..plain
    };
    Ok(pipeline)
}
