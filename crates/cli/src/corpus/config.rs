//! The corpus file: a pipeline file with two more tables, `[corpus]` and `[dedup]`.

use crate::duplicates::{self, Dropped, ExactRule};
use serde::Deserialize;
use std::path::Path;
use warcsieve_common::{Error, Result, files, line_of};
use warcsieve_corpus::DedupOptions;
use warcsieve_extract::Pipeline;
use warcsieve_render::TextFormat;
use warcsieve_run::{LONGEST_PIPELINE, parse_pipeline};
use warcsieve_store::is_address;

/// A corpus file, read.
pub(super) struct Config {
    pub(super) pipeline: Pipeline,
    /// The text of the pipeline without the other tables.
    pub(super) pipeline_text: String,
    pub(super) corpus: Corpus,
    pub(super) dedup: Option<Dedup>,
}

/// What to read, and where to write the corpus. Paths are relative to the file's folder.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Corpus {
    /// Same as the arguments of `clean`.
    pub(super) inputs: Vec<String>,
    pub(super) out: String,
    /// Same as `--base` of `clean`.
    pub(super) base: Option<String>,
}

/// How duplicates are found; same as the options of `dedup`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Dedup {
    #[serde(default)]
    exact: Vec<ExactRule>,
    #[serde(default = "fineweb")]
    near: String,
    jaccard: Option<f64>,
    containment: Option<f64>,
    #[serde(default)]
    drop: Dropped,
    best: Option<String>,
}

fn fineweb() -> String {
    "fineweb".to_owned()
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Own {
    corpus: Corpus,
    dedup: Option<Dedup>,
}

impl Config {
    /// Reads a corpus file.
    ///
    /// # Errors
    /// [`Error::Pipeline`] with the line of the first fault. [`Error::Invalid`] or [`Error::Io`] if it
    /// cannot be read.
    pub(super) fn read(path: &Path) -> Result<Self> {
        let name = path.display().to_string();
        let text = files::read_text(path, LONGEST_PIPELINE)
            .map_err(|e| files::unreadable(format!("corpus file {name}"), e))?;
        let Halves {
            padded,
            pipeline: pipeline_text,
            own,
        } = split(&text);
        let fault = |line, message| Error::Pipeline {
            file: name.clone(),
            line,
            message,
        };
        let own: Own = toml::from_str(&own).map_err(|e| {
            let start = e.span().map_or(0, |span| span.start);
            let what = e.message().replace('\n', "; ");
            fault(line_of(&own, start), what)
        })?;
        let Own { mut corpus, dedup } = own;
        if corpus.inputs.is_empty() {
            return Err(fault(1, "`inputs` of [corpus] is empty".to_owned()));
        }
        let folder = path.parent().unwrap_or(Path::new(""));
        let places = [Some(&mut corpus.out), corpus.base.as_mut()];
        for place in places.into_iter().flatten().chain(&mut corpus.inputs) {
            *place = beside(folder, place);
        }
        let pipeline =
            parse_pipeline(&warcsieve_papers::METHODS, &name, &padded)?.known_by(&pipeline_text);
        pipeline.check_engine()?;
        pipeline.check_forms()?;
        if dedup.is_some() && pipeline.settings.output != TextFormat::Text {
            let message =
                "[dedup] compares plain texts; set output = \"text\", or leave [dedup] out";
            return Err(pipeline.fault_of("output", &padded, message.to_owned()));
        }
        Ok(Self {
            pipeline,
            pipeline_text,
            corpus,
            dedup,
        })
    }
}

impl Dedup {
    /// The same as options of `dedup`.
    ///
    /// # Errors
    /// [`Error::Invalid`] if a name is unknown, or a share is not valid.
    pub(super) fn options(&self, memory: usize, threads: usize) -> Result<DedupOptions> {
        for share in [self.jaccard, self.containment].into_iter().flatten() {
            if !(0.0..=1.0).contains(&share) {
                let why = format!("[dedup]: {share} is no share from 0 to 1");
                return Err(Error::Invalid(why));
            }
        }
        let mut options = duplicates::options(&self.exact, &self.near, self.jaccard)?;
        options.containment = self.containment;
        options.drop = self.drop.into();
        options.best.clone_from(&self.best);
        (options.memory, options.threads) = (memory, threads);
        Ok(options)
    }

    /// A description in words.
    pub(super) fn says(&self) -> String {
        // Repeated paragraphs are only listed.
        let drops = |rule: &&ExactRule| **rule != ExactRule::Paragraph;
        let exact = self.exact.iter().filter(drops).map(|rule| rule.as_str());
        let near = (self.near != "none").then(|| format!("near by `{}`", self.near));
        let exact = exact.map(|rule| format!("exact by {rule}"));
        let mut parts: Vec<_> = exact.chain(near).collect();
        parts.extend(self.jaccard.map(|n| format!("Jaccard {n} or more")));
        parts.extend(self.containment.map(|n| format!("containment {n} or more")));
        match (self.drop, &self.best) {
            (Dropped::All, _) => parts.push("all pages of a cluster go".to_owned()),
            (_, Some(best)) => parts.push(format!("the page with the highest `{best}` stays")),
            (_, None) => parts.push("the first page stays".to_owned()),
        }
        parts.join(", ")
    }
}

/// A path relative to a folder. Addresses stay unchanged, and an `@LIST` keeps its `@`.
fn beside(folder: &Path, place: &str) -> String {
    match place.strip_prefix('@') {
        Some(list) => format!("@{}", beside(folder, list)),
        None if is_address(place) => place.to_owned(),
        None => folder.join(place).display().to_string(),
    }
}

/// The parts of a corpus file. In `padded` and `own`, lines of the other part are empty, so that a
/// fault keeps its line number.
#[derive(Default)]
struct Halves {
    /// The pipeline.
    padded: String,
    /// The pipeline without empty lines. It stays the same when the other tables change, so that
    /// nothing is cleaned again then.
    pipeline: String,
    /// The tables of a corpus.
    own: String,
}

fn split(text: &str) -> Halves {
    let mut halves = Halves::default();
    let mut is_own = false;
    let end = |pipeline: &mut String| {
        pipeline.truncate(pipeline.trim_end().len());
        pipeline.push('\n');
    };
    for line in text.split_inclusive('\n') {
        if let Some(header) = line.trim_start().strip_prefix('[') {
            let name = header.split(']').next().unwrap_or_default().trim();
            is_own = ["corpus", "dedup"].contains(&name);
            if is_own {
                end(&mut halves.pipeline);
            }
        }
        let (to, other) = match is_own {
            true => (&mut halves.own, &mut halves.padded),
            false => (&mut halves.padded, &mut halves.own),
        };
        to.push_str(line);
        other.push('\n');
        if !is_own {
            halves.pipeline.push_str(line);
        }
    }
    end(&mut halves.pipeline);
    halves
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    const PIPELINE: &str = "zstd = 3\n\n[[step]]\nmethod = 'keep-all'\n";

    fn read(text: &str) -> Result<Config> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("c.toml");
        fs::write(&path, text).unwrap();
        Config::read(&path)
    }

    #[test]
    fn both_halves_are_read_and_paths_are_beside_the_file() {
        let text = format!(
            "{PIPELINE}[corpus]\ninputs = ['a', 's3://b/c', '@d']\nout = '/e'\n\n[dedup] # ones\n\
             exact = ['url']\njaccard = 0.9\n[[filter]]\nkeep = 'n_blocks > 1'\n"
        );
        let config = read(&text).unwrap();
        assert_eq!(config.pipeline.filters.rules().count(), 1);
        let inputs = &config.corpus.inputs;
        assert!(inputs[0].ends_with("/a") && inputs[0].len() > 2);
        assert!(inputs[1] == "s3://b/c" && inputs[2].starts_with("@/"));
        assert_eq!(config.corpus.out, "/e");
        let dedup = config.dedup.unwrap();
        assert_eq!(
            dedup.says(),
            "exact by url, near by `fineweb`, Jaccard 0.9 or more, the first page stays"
        );
        let options = dedup.options(1 << 20, 2).unwrap();
        assert!(options.exact.url && options.near.unwrap().jaccard == 0.9);
        assert!(
            !config.pipeline_text.contains("corpus") && config.pipeline_text.contains("n_blocks")
        );
    }

    #[test]
    #[cfg(unix)]
    fn a_file_without_end_is_refused() {
        let error = Config::read(Path::new("/dev/zero")).err().unwrap();
        let error = error.to_string();
        assert!(
            error.contains("/dev/zero: larger than 1048576 bytes"),
            "{error}"
        );
    }

    #[test]
    fn the_pipeline_does_not_change_with_the_tables_of_the_corpus() {
        let hash = |text: &str| read(text).unwrap().pipeline.hash;
        let own = "[corpus]\ninputs = ['a']\nout = 'b'\n";
        let plain = hash(&format!("{PIPELINE}{own}"));
        for text in [
            format!("{PIPELINE}\n{own}\n# a comment\n"),
            format!("{PIPELINE}{own}[dedup]\n"),
            format!("{PIPELINE}{own}\n[dedup]\nexact = ['url']\nnear = 'none'\n"),
        ] {
            assert_eq!(hash(&text), plain, "{text}");
        }
        let other = PIPELINE.replace("keep-all", "numwords");
        assert_ne!(hash(&format!("{other}{own}")), plain);
    }

    #[test]
    fn faults_have_their_lines_in_either_half() {
        let own = "[corpus]\ninputs = ['a']\nout = 'b'\n";
        for (text, line, what) in [
            (
                format!("zst = 3\n{own}[[step]]\nmethod = 'keep-all'\n"),
                1,
                "zst",
            ),
            (format!("{PIPELINE}{own}ouput = 'c'\n"), 8, "ouput"),
            (
                format!("{PIPELINE}[corpus]\ninputs = []\nout = 'b'\n"),
                1,
                "is empty",
            ),
            (
                format!("{own}[dedup]\nexact = ['urls']\n{PIPELINE}"),
                5,
                "urls",
            ),
            (
                format!("zstd = 3\noutput = 'html'\n[[step]]\nmethod = 'keep-all'\n{own}[dedup]\n"),
                2,
                "plain texts",
            ),
            (
                format!("{own}[[step]]\nmethod = 'kep-all'\n"),
                5,
                "keep-all",
            ),
        ] {
            let error = read(&text).map(|_| ()).unwrap_err().to_string();
            let place = format!("c.toml:{line}: ");
            assert!(error.contains(&place) && error.contains(what), "{error}");
        }
        let text = format!("{PIPELINE}{own}[dedup]\nnear = 'finewed'\n");
        let dedup = read(&text).unwrap().dedup.unwrap();
        let error = dedup.options(1, 1).unwrap_err().to_string();
        assert!(error.contains("did you mean `fineweb`"), "{error}");
    }
}
