//! Reads a run: its manifest rows and tables, input by input.

use super::documents::Documents;
use super::findings::findings;
use super::recipe::Card;
use super::run::Run;
use super::sample::{self, SampledPage, lasting};
use super::scores::Scores;
use rayon::prelude::*;
use std::path::Path;
use warcsieve_common::{Error, Result};
use warcsieve_run::{ManifestRow, OutputFolder, Recipe};

/// How many names of inputs are listed.
const NAMES: usize = 50;

/// What was read of an input.
struct Part {
    row: Option<ManifestRow>,
    documents: Documents,
    scores: Scores,
    broken: Vec<String>,
}

/// Reads an output folder of `clean` on this machine, on the threads of the current rayon pool.
///
/// Memory: per thread the counts of two inputs, some MB each, whatever the number of pages, and a batch of 8,192 rows;
/// and the names of the inputs.
///
/// # Errors
/// [`Error::Invalid`] if this is not an output folder; [`Error::Io`] where the system fails. Rows and files that are
/// damaged or not there are [listed](Run::broken), and the others are counted.
pub fn read_run(folder: &Path) -> Result<Run> {
    let out = OutputFolder::new(folder);
    if !out.is_output()? {
        let what = format!(
            "{}: not an output folder of `clean`: it does not exist, or is empty",
            folder.display()
        );
        return Err(Error::Invalid(what));
    }
    let names = out.known_inputs()?;
    let mut run = Run {
        folder: folder.display().to_string(),
        sealed: out.is_sealed()?,
        listed: names.len() as u64,
        gaps: gaps(&names),
        ..Run::default()
    };
    let mut first = None;
    for chunk in names.chunks(2 * rayon::current_num_threads()) {
        let parts: Vec<Result<Part>> = chunk.par_iter().map(|name| part(&out, name)).collect();
        for (name, part) in chunk.iter().zip(parts) {
            let part = part?;
            let room = NAMES.saturating_sub(run.broken.len());
            let is_broken = !part.broken.is_empty();
            run.broken.extend(part.broken.into_iter().take(room));
            match part.row {
                Some(row) => {
                    first.get_or_insert_with(|| (row.recipe.clone(), out.documents_path(name)));
                    count_recipe(&mut run.recipes, &row.recipe);
                    run.ledger.add(&row);
                    run.documents.merge(part.documents);
                    run.scores.merge(&part.scores);
                }
                None if is_broken => {}
                None => {
                    run.not_done += 1;
                    if run.not_done_names.len() < NAMES {
                        run.not_done_names.push(name.clone());
                    }
                }
            }
        }
    }
    run.ledger.shrink();
    let blocks = |input: &str| folder.join(format!("blocks/{input}.parquet"));
    let samples = std::mem::take(&mut run.documents.samples);
    let pages = |drawn: std::collections::BTreeMap<_, sample::Drawn>| -> Result<Vec<SampledPage>> {
        let drawn: Vec<_> = drawn.into_values().collect();
        drawn
            .par_iter()
            .map(|page| sample::page(&blocks(&page.input), page))
            .collect()
    };
    run.kept = pages(samples.kept)?;
    run.dropped = pages(samples.dropped)?;
    let (recipe, documents) = first.unzip();
    run.card = Card::of(recipe, documents.as_deref())?;
    run.differing = differing(&run);
    run.findings = findings(&run);
    Ok(run)
}

/// Counts a row. If there are more recipes than can be listed, the others are counted with the last one.
fn count_recipe(recipes: &mut Vec<(Recipe, u64)>, recipe: &Recipe) {
    let place = recipes.iter().position(|(known, _)| known == recipe);
    match place {
        Some(at) => recipes[at].1 += 1,
        None if recipes.len() < NAMES => recipes.push((recipe.clone(), 1)),
        None => recipes[NAMES - 1].1 += 1,
    }
}

fn part(out: &OutputFolder, name: &str) -> Result<Part> {
    let mut part = Part {
        row: None,
        documents: Documents::default(),
        scores: Scores::default(),
        broken: Vec::new(),
    };
    let row = match out.row(name) {
        Err(error @ Error::Integrity { .. }) => {
            part.broken.push(error.to_string());
            return Ok(part);
        }
        row => row?,
    };
    let Some(row) = row else { return Ok(part) };
    for file in &row.outputs {
        let path = out.path().join(&file.path);
        match std::fs::metadata(&path).map(|there| there.len()) {
            Ok(size) if size == file.bytes => {}
            Ok(size) => part.broken.push(format!(
                "{}: has {size} bytes, and {} were written",
                file.path, file.bytes
            )),
            Err(e) => {
                let why = lasting(&path, e.into())?;
                part.broken.push(format!("{}: {why}", file.path));
                continue;
            }
        }
        let table = file.path.split('/').next().unwrap_or_default();
        let read = match table {
            "documents" => Documents::read(&path, name).map(|found| part.documents = found),
            "blocks" => Scores::read(&path).map(|scores| part.scores = scores),
            _ => Ok(()),
        };
        if let Err(why) = read {
            let why = lasting(&path, why)?;
            part.broken
                .push(format!("{}: cannot be read: {why}", file.path));
        }
    }
    part.row = Some(row);
    Ok(part)
}

/// Sums of the tables that differ from those of the manifest.
fn differing(run: &Run) -> Vec<String> {
    let (ledger, documents) = (&run.ledger, &run.documents);
    let mut sums = vec![
        ("documents", ledger.documents, documents.rows),
        (
            "documents without content",
            ledger.empty_documents,
            documents.empty,
        ),
        ("blocks", ledger.blocks, documents.blocks),
        (
            "content blocks",
            ledger.content_blocks,
            documents.content_blocks,
        ),
        ("bytes of HTML", ledger.html_bytes, documents.html.sum),
    ];
    if run.scores.rows > 0 {
        sums.push(("rows of blocks", ledger.blocks, run.scores.rows));
    }
    let differing = sums
        .into_iter()
        .filter(|(_, stated, found)| stated != found);
    differing
        .map(|(what, stated, found)| {
            format!("{what}: {stated} in the manifest, {found} in the tables")
        })
        .collect()
}

/// Names that are missing in sequences of numbered files. The last number in a name counts, if at least three names
/// differ only in it.
fn gaps(names: &[String]) -> Vec<String> {
    use std::collections::BTreeMap;
    let mut groups: BTreeMap<(&str, &str, usize), Vec<u64>> = BTreeMap::new();
    for name in names {
        let Some(end) = name.rfind(|c: char| c.is_ascii_digit()).map(|at| at + 1) else {
            continue;
        };
        let start = name[..end]
            .rfind(|c: char| !c.is_ascii_digit())
            .map_or(0, |at| at + 1);
        // Only numbers of the same width, because `9` and `10` may belong to one sequence or not.
        if let Ok(number) = name[start..end].parse() {
            groups
                .entry((&name[..start], &name[end..], end - start))
                .or_default()
                .push(number);
        }
    }
    let mut missing = Vec::new();
    for ((before, after, width), mut numbers) in groups {
        numbers.sort_unstable();
        let (Some(first), Some(last)) = (numbers.first(), numbers.last()) else {
            continue;
        };
        // A sequence has only a few gaps; otherwise the numbers are not a sequence.
        let span = (last - first).saturating_add(1);
        if numbers.len() < 3 || span - numbers.len() as u64 > numbers.len() as u64 / 2 {
            continue;
        }
        for number in *first..=*last {
            if numbers.binary_search(&number).is_err() && missing.len() < NAMES {
                missing.push(format!("{before}{number:0width$}{after}"));
            }
        }
    }
    missing
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_in_sequences_of_names_are_found() {
        let names = |names: &[&str]| names.iter().map(|n| (*n).to_owned()).collect::<Vec<_>>();
        let found = gaps(&names(&[
            "a/00.warc.gz",
            "a/01.warc.gz",
            "a/03.warc.gz",
            "a/04.warc.gz",
        ]));
        assert_eq!(found, ["a/02.warc.gz"]);
        assert_eq!(
            gaps(&names(&[
                "crawl-2020.warc",
                "crawl-2024.warc",
                "crawl-2031.warc"
            ])),
            [""; 0]
        );
        assert_eq!(gaps(&names(&["a.warc", "1.warc", "3.warc"])), [""; 0]);
        let largest = u64::MAX.to_string();
        let far = ["0", "1", "2"].map(|n| format!("{n:0>20}")).into_iter();
        assert_eq!(gaps(&far.chain([largest]).collect::<Vec<_>>()), [""; 0]);
    }
}
