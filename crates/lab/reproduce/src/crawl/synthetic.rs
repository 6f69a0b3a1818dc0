//! A generated crawl from templates, in which the content is known.

use super::rules::{rules, table_of};
use crate::corpora::{each_record, inputs};
use crate::{Job, Page, Result, points, row, table};
use rand::seq::IndexedRandom;
use rand::seq::index::sample;
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;
use std::collections::HashMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use warcsieve_extract::Engine;

const SITES: usize = 40;
const PAGES: usize = 25;
/// One in this many pages exists three times.
const COPIED: usize = 10;
/// Teasers per page, and on the whole site.
const TEASERS: (usize, usize) = (4, 12);

/// Prefixes that mark words as content or boilerplate; no word is both.
const CONTENT: &str = "own";
const SHARED: &str = "all";

/// Generated words that begin with a mark.
struct Words {
    random: Pcg64Mcg,
    syllables: Vec<String>,
}

impl Words {
    fn new() -> Self {
        let both = |c: char| ["a", "e", "i", "o", "u"].map(|v| format!("{c}{v}"));
        Self {
            random: Pcg64Mcg::seed_from_u64(1),
            syllables: "bdfgklmnprstv".chars().flat_map(both).collect(),
        }
    }

    fn sentence(&mut self, mark: &str) -> String {
        let words = self.random.random_range(6..20);
        let word = |_| {
            let syllables = self.random.random_range(1..4);
            let parts =
                (0..syllables).filter_map(|_| self.syllables.choose(&mut self.random).cloned());
            format!("{mark}{}", parts.collect::<String>())
        };
        let words: Vec<String> = (0..words).map(word).collect();
        format!("{}.", words.join(" "))
    }

    fn paragraph(&mut self, mark: &str, sentences: usize) -> String {
        let all: Vec<String> = (0..sentences).map(|_| self.sentence(mark)).collect();
        all.join(" ")
    }
}

/// The parts that the pages of a site share.
struct Template {
    before: String,
    about: String,
    teasers: Vec<String>,
    after: String,
}

impl Template {
    fn new(words: &mut Words) -> Self {
        let link = |words: &mut Words| format!("<li><a href=/x>{}</a>", words.sentence(SHARED));
        let menu: String = (0..6).map(|_| link(words)).collect();
        let cookies = words.paragraph(SHARED, 3);
        Self {
            before: format!("<div><ul>{menu}</ul></div><div><p>{cookies}</p></div>"),
            about: words.paragraph(SHARED, 4),
            teasers: (0..TEASERS.1).map(|_| words.paragraph(SHARED, 2)).collect(),
            after: format!("<div><p>{}</p></div>", words.paragraph(SHARED, 2)),
        }
    }

    fn page(&self, words: &mut Words) -> String {
        let title = words.sentence(CONTENT);
        let headline = words.sentence(CONTENT);
        let before = &self.before;
        let mut page = format!("<title>{title}</title>{before}<div><h1>{headline}</h1>");
        for _ in 0..words.random.random_range(2..7) {
            let sentences = words.random.random_range(1..5);
            let _ = write!(page, "<p>{}</p>", words.paragraph(CONTENT, sentences));
        }
        let _ = write!(page, "<p>{}</p></div><div>", self.about);
        for at in sample(&mut words.random, TEASERS.1, TEASERS.0) {
            let _ = write!(page, "<p>{}</p>", self.teasers[at]);
        }
        page + "</div>" + &self.after
    }
}

/// Words of content and of boilerplate.
type Counts = [u64; 2];

fn counts(text: &str) -> Counts {
    [CONTENT, SHARED].map(|mark| {
        let words = text.split_whitespace();
        words.filter(|word| word.starts_with(mark)).count() as u64
    })
}

/// Writes the crawl. Returns the word counts of each page by id, and whether the page is a copy.
fn write_crawl(file: &Path) -> Result<HashMap<String, (Counts, bool)>> {
    let mut words = Words::new();
    let mut crawl = String::new();
    let mut truth = HashMap::new();
    for site in 0..SITES {
        let template = Template::new(&mut words);
        for page in 0..PAGES {
            let html = template.page(&mut words);
            let copies = if page.is_multiple_of(COPIED) { 3 } else { 1 };
            for copy in 0..copies {
                let id = format!("{site}-{page}-{copy}");
                let _ = write!(
                    crawl,
                    "WARC/1.0\r\nWARC-Type: resource\r\nWARC-TREC-ID: {id}\r\nWARC-Target-URI: http://site{site}.example/{page}/{copy}\r\n\
                     Content-Type: text/html\r\nContent-Length: {}\r\n\r\n{html}\r\n\r\n",
                    html.len()
                );
                let (_, body) = html.split_once("</title>").unwrap_or_default();
                let text = body.replace('<', " <").replace('>', "> ");
                truth.insert(id, (counts(&text), copies > 1));
            }
        }
    }
    fs::write(file, crawl)?;
    Ok(truth)
}

pub fn put(job: &Job, page: Page) -> Result<Page> {
    let scratch = job.scratch("crawl")?;
    let file = scratch.join("templates.warc");
    let truth = write_crawl(&file)?;
    let inputs = inputs(&file)?;
    let frequencies = table_of(&inputs, &scratch, "templates.freq")?;
    let mut rows = Vec::new();
    for rule in rules()? {
        let pipeline = rule.pipeline(&scratch, "default", &frequencies, None)?;
        let mut engine = Engine::new(&pipeline);
        // By whether the page is a copy, then by content and boilerplate: kept words, and all words.
        let mut sums = [[[0u64; 2]; 2]; 2];
        each_record(&inputs, |_, record| {
            let cleaned = engine.record("templates.warc", record);
            let cleaned = cleaned.map_err(|skip| skip.to_string())?;
            let (there, is_copy) = truth.get(&cleaned.page.id).ok_or("a page is not its own")?;
            let kept = counts(cleaned.text);
            let sums = sums[usize::from(*is_copy)].iter_mut();
            for (sum, (kept, there)) in sums.zip(kept.iter().zip(there)) {
                sum[0] += kept;
                sum[1] += there;
            }
            Ok(())
        })?;
        let shares = sums.as_flattened().iter();
        let shares = shares.map(|[kept, there]| points(*kept as f64 / (*there).max(1) as f64));
        rows.push(row(rule.name, shares));
    }
    let head = "rule | content kept, % | boilerplate kept, % | content kept, copies, % | boilerplate kept, copies, %";
    Ok(page
        .put("synthetic", table(head, rows))
        .put("number of sites", SITES)
        .put("number of pages", PAGES)
        .put("copied", SITES * PAGES.div_ceil(COPIED))
        .put("in all", SITES * PAGES))
}
