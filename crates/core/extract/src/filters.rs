//! The `[[filter]]` tables of a pipeline file.

use data_encoding::HEXLOWER;
use serde::Deserialize;
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;
use std::sync::Arc;
use toml::Spanned;
use toml::de::{DeTable, DeValue};
use warcsieve_common::{Error, Result, line_of};
use warcsieve_filters::filter::{Filters, List};

/// A filter. It has exactly one key, but `without` is allowed next to `preset`, `min` next to
/// `scores`, and `kinds` next to `personal`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Filter {
    /// A condition; pages that meet it stay.
    keep: Option<String>,
    /// Name of a published set of rules.
    preset: Option<String>,
    /// The rules of the preset to leave out, by what they are about.
    without: Option<Vec<String>>,
    /// Name of a set of line rules.
    lines: Option<String>,
    /// What to do with personal data: `mask`, `tag` or `drop-over N`.
    personal: Option<String>,
    /// Which kinds of personal data.
    kinds: Option<Vec<String>>,
    /// A file of scores and ids, such as the Waterloo spam rankings.
    scores: Option<String>,
    /// The lowest score that stays.
    min: Option<f64>,
    /// These keys name files with one entry per line.
    keep_ids: Option<String>,
    drop_ids: Option<String>,
    keep_hosts: Option<String>,
    drop_hosts: Option<String>,
    keep_urls: Option<String>,
    drop_urls: Option<String>,
}

/// Keys that are allowed next to the key of a rule.
const BESIDE: [&str; 3] = ["without", "min", "kinds"];

/// The filters of a pipeline, and the sha256 of the files that they name, in hex.
#[derive(Debug, Default)]
pub(crate) struct ReadFilters {
    pub(crate) filters: Filters,
    pub(crate) files_hash: Option<String>,
}

/// Removes the filters from a pipeline's table, and reads the files that they name. `file` is the
/// pipeline's path, and `text` its content.
///
/// # Errors
/// [`Error::Pipeline`] with the line of the first fault.
pub(crate) fn take(table: &mut DeTable<'_>, file: &str, text: &str) -> Result<ReadFilters> {
    let at = |start: usize, message: String| Error::Pipeline {
        file: file.to_owned(),
        line: line_of(text, start),
        message,
    };
    let Some(value) = table.remove("filter") else {
        return Ok(ReadFilters::default());
    };
    let start = value.span().start;
    let DeValue::Array(array) = value.into_inner() else {
        let message = "filters are written [[filter]], in double brackets";
        return Err(at(start, message.to_owned()));
    };
    let (mut read, mut hash) = (ReadFilters::default(), None);
    for item in array {
        let start = item.span().start;
        let DeValue::Table(table) = item.into_inner() else {
            return Err(at(
                start,
                "a filter is a table, written [[filter]]".to_owned(),
            ));
        };
        let rules = table
            .keys()
            .filter(|key| !BESIDE.contains(&key.get_ref().as_ref()));
        let rules: Vec<(String, usize)> = rules
            .map(|key| (key.get_ref().to_string(), key.span().start))
            .collect();
        let table = toml::Deserializer::from(Spanned::new(start..start, table));
        let filter = Filter::deserialize(table).map_err(|e| {
            let start = e.span().map_or(start, |span| span.start);
            at(start, e.message().replace('\n', "; "))
        })?;
        let added = filter.add(file, &mut read.filters, &mut hash);
        added.map_err(|message| match &rules[..] {
            [(key, start)] => at(*start, format!("`{key}`: {message}")),
            _ => at(start, message),
        })?;
    }
    let hash: Option<Sha256> = hash;
    read.files_hash = hash.map(|hash| HEXLOWER.encode(&hash.finalize()));
    Ok(read)
}

impl Filter {
    fn add(
        &self,
        pipeline: &str,
        filters: &mut Filters,
        hash: &mut Option<Sha256>,
    ) -> std::result::Result<(), String> {
        let lists = [
            ("keep_ids", &self.keep_ids, "id"),
            ("drop_ids", &self.drop_ids, "id"),
            ("keep_hosts", &self.keep_hosts, "host"),
            ("drop_hosts", &self.drop_hosts, "host"),
            ("keep_urls", &self.keep_urls, "url"),
            ("drop_urls", &self.drop_urls, "url"),
        ];
        let named = lists
            .into_iter()
            .filter_map(|(key, file, column)| file.as_ref().map(|file| (key, file, column)));
        let rules = [
            &self.keep,
            &self.preset,
            &self.lines,
            &self.personal,
            &self.scores,
        ];
        let count = named.clone().count() + rules.iter().filter(|rule| rule.is_some()).count();
        if count != 1 {
            let keys = "keep, preset, lines, personal, scores, keep_ids, drop_ids, keep_hosts, drop_hosts, \
                        keep_urls, drop_urls";
            return Err(format!(
                "a filter has one of the keys {keys}; this one has {count}"
            ));
        }
        if self.min.is_some() != self.scores.is_some() {
            return Err("`scores` and `min` need each other".to_owned());
        }
        if self.without.is_some() && self.preset.is_none() {
            return Err("`without` needs `preset`".to_owned());
        }
        if self.kinds.is_some() && self.personal.is_none() {
            return Err("`kinds` needs `personal`".to_owned());
        }
        if let Some(rule) = &self.keep {
            return filters.keep(rule);
        }
        if let Some(name) = &self.lines {
            return filters.lines(name);
        }
        if let Some(action) = &self.personal {
            return filters.personal(action, self.kinds.as_deref().unwrap_or_default());
        }
        if let Some(name) = &self.preset {
            return filters.preset(name, self.without.as_deref().unwrap_or_default());
        }
        let hash = hash.get_or_insert_with(Sha256::new);
        let folder = Path::new(pipeline).parent().unwrap_or(Path::new(""));
        if let (Some(file), Some(min)) = (&self.scores, self.min) {
            let scores = read(&folder.join(file), hash, |lines| List::scores(lines))?;
            filters.scores(file, scores, min);
        }
        for (key, file, column) in named {
            let of_hosts = column == "host";
            let list = read(&folder.join(file), hash, |lines| {
                List::texts(lines, of_hosts)
            })?;
            filters.listed(key, file, list, column);
        }
        Ok(())
    }
}

/// Reads a list, and adds its bytes to a hash.
fn read(
    path: &Path,
    hash: &mut Sha256,
    parse: impl FnOnce(BufReader<&mut Hashed<'_>>) -> std::result::Result<List, String>,
) -> std::result::Result<Arc<List>, String> {
    let named = |what: String| format!("{}: {what}", path.display());
    let file = File::open(path).map_err(|e| named(e.to_string()))?;
    let mut hashed = Hashed(file, hash);
    let list = parse(BufReader::new(&mut hashed)).map_err(named)?;
    Ok(Arc::new(list))
}

/// A file whose bytes are added to a hash while they are read.
struct Hashed<'h>(File, &'h mut Sha256);

impl Read for Hashed<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let n = self.0.read(buffer)?;
        self.1.update(&buffer[..n]);
        Ok(n)
    }
}

#[cfg(test)]
mod tests {
    use crate::Pipeline;
    use std::fs;

    const STEP: &str = "[[step]]\nmethod = 'keep-all'\n";

    #[test]
    fn filters_are_read_in_order_and_their_files_are_part_of_the_recipe() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("p.toml");
        let parse = |filters: &str| {
            Pipeline::parse(
                &warcsieve_classify::CORE,
                path.to_str().unwrap(),
                &format!("{filters}{STEP}"),
            )
        };
        let none = parse("").unwrap();
        assert!(none.filters.is_empty() && none.model_hash.is_none());
        let text = "signals = ['mc4@datatrove']\n[[filter]]\nkeep = 'n_blocks > 1'\n\
                    [[filter]]\nscores = 's'\nmin = 70\n[[filter]]\ndrop_hosts = 'h'\n";
        let error = parse(text).unwrap_err().to_string();
        assert!(
            error.contains("p.toml:5: `scores`: ") && error.contains("s: "),
            "{error}"
        );
        fs::write(folder.path().join("s"), "70 a\n").unwrap();
        fs::write(folder.path().join("h"), "a.org\n").unwrap();
        let pipeline = parse(text).unwrap();
        let rules: Vec<_> = pipeline.filters.rules().collect();
        assert_eq!(rules, ["n_blocks > 1", "scores s >= 70", "drop_hosts h"]);
        assert_eq!(pipeline.signals.len(), 1);
        let before = pipeline.model_hash.unwrap();
        fs::write(folder.path().join("h"), "b.org\n").unwrap();
        assert_ne!(parse(text).unwrap().model_hash.unwrap(), before);
    }

    #[test]
    fn faults_are_named_with_their_line() {
        let error = |text: &str| {
            let text = format!("{text}{STEP}");
            Pipeline::parse(&warcsieve_classify::CORE, "p.toml", &text)
                .unwrap_err()
                .to_string()
        };
        for (text, what) in [
            ("\n[[filter]]\n", "p.toml:2: a filter has one of the keys"),
            (
                "[[filter]]\nkeep = 'n_blocks'\n",
                "p.toml:2: `keep`: `n_blocks` is no rule",
            ),
            (
                "[[filter]]\npreset = 'gopher'\nmin = 3\n",
                "p.toml:2: `preset`: `scores` and `min`",
            ),
            (
                "[[filter]]\nlines = 'c4'\nwithout = ['c4.words']\n",
                "p.toml:2: `lines`: `without` needs `preset`",
            ),
            (
                "[[filter]]\npreset = 'gopher'\nwithout = ['gopher.stop_word@datatrove']\n",
                "p.toml:2: `preset`: `without`: no rule of `gopher` is about `gopher.stop_word@datatrove` (did you mean \
                 `gopher.stop_words@datatrove`?)",
            ),
            (
                "[[filter]]\nkep = 'n_blocks > 1'\n",
                "p.toml:2: unknown field `kep`",
            ),
            (
                "signals = ['mc5@datatrove']\n",
                "p.toml:1: unknown signal `mc5@datatrove`",
            ),
            ("filter = 3\n", "p.toml:1: filters are written [[filter]]"),
            (
                "[[filter]]\nlines = 'c5'\n",
                "p.toml:2: `lines`: no rules about lines are called `c5` (did you mean `c4`?)",
            ),
            (
                "[[filter]]\nlines = 'c4'\nkinds = ['ip']\n",
                "p.toml:2: `lines`: `kinds` needs `personal`",
            ),
            (
                "[[filter]]\npersonal = 'mask'\nkinds = ['ipp']\n",
                "p.toml:2: `personal`: no kind of personal data `ipp`",
            ),
            (
                "tree = 'attributes'\n[[filter]]\npersonal = 'mask'\n",
                "p.toml:1: tree = \"attributes\" keeps addresses",
            ),
            (
                "\nlink_table = true\n[[filter]]\npersonal = 'mask'\n",
                "p.toml:2: link_table = true keeps texts",
            ),
        ] {
            let error = error(text);
            assert!(error.starts_with(what), "{error}");
        }
    }
}
