//! The pipeline file: a TOML file. Its top-level keys are the fields of [`Settings`], and its
//! `[[step]]` tables are [`Steps`]. An unknown key is an error with its line.

use crate::filters::{self, ReadFilters};
use crate::settings::{Code, Extras, Headline, LayoutEngine, Rows, Settings, TreeColumns};
use data_encoding::HEXLOWER;
use serde::Deserialize;
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use toml::de::DeTable;
use warcsieve_classify::params::{ParamError, TableNeeds};
use warcsieve_classify::{
    Chain, DropCopies, DropOutside, KeepAuthors, KeepCode, KeepHeadline, KeepRows, Methods, Names,
    Sees, Steps, settings_of,
};
use warcsieve_common::{Error, Result, did_you_mean, line_of};
use warcsieve_features::Frequencies;
use warcsieve_filters::filter::Filters;
use warcsieve_filters::signals;
use warcsieve_html::{Segmentation, Segmenter};
use warcsieve_layout::LayoutSource;
use warcsieve_render::TextFormat;

/// A pipeline file that was read and checked.
///
/// ```
/// use warcsieve_extract::{Engine, Pipeline};
///
/// let text = "segmentation = 'leaves'\n[[step]]\nmethod = 'min-words'\nwords = 3\n";
/// let page = Engine::new(&Pipeline::parse(&warcsieve_classify::CORE, "mine.toml", text)?).extract("<p>one two three<p>four", "");
/// assert_eq!(page.expect("it is small").text(), "one two three");
///
/// let error = Pipeline::parse(&warcsieve_classify::CORE, "mine.toml", "[[step]]\nmethod = 'min-wrods'\n").unwrap_err();
/// assert!(error.to_string().starts_with("mine.toml:2: unknown method `min-wrods`"));
/// # Ok::<(), warcsieve_common::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Pipeline {
    /// File name, or name of a built-in pipeline.
    pub name: String,
    /// All keys except the steps.
    pub settings: Settings,
    /// The segmentation, the same for all steps.
    pub segmentation: Segmentation,
    /// Names of the steps' methods in order, joined by `+`.
    pub method: String,
    /// The first method that needs attributes of elements; `None` if none does.
    pub needs_attributes: Option<&'static str>,
    /// sha256 of the file's bytes, in hex.
    pub hash: String,
    /// sha256 of the files that steps and filters name, and of kept layouts, in hex; `None` if
    /// there are no such files.
    pub model_hash: Option<String>,
    /// Numbers of the signals that are columns of `documents`.
    pub signals: Vec<usize>,
    /// The rules that decide which pages stay.
    pub filters: Filters,
    /// The keys that [`set`](Self::set) changed with their values, sorted by key, written as in a
    /// pipeline file.
    pub set: Vec<String>,
    steps: Steps,
}

impl Pipeline {
    /// Parses a pipeline and reads the files that its steps name, so that every fault is found now.
    /// `name` is its path. File names in it are relative to its folder.
    ///
    /// # Errors
    /// [`Error::Pipeline`] with the line of the first fault.
    pub fn parse(methods: &'static Methods, name: &str, text: &str) -> Result<Self> {
        let at = |e: ParamError| e.in_file(name, text);
        let mut table = settings_of(text).map_err(at)?;
        let ReadFilters {
            filters,
            files_hash,
        } = filters::take(table.get_mut(), name, text)?;
        let settings = Settings::deserialize(toml::Deserializer::from(table));
        let settings = settings.map_err(|e| at(e.into()))?;
        let steps = Steps::named(methods, name, text)?;
        let signals = checked(&settings, &filters)
            .map_err(|(key, message)| fault(name, text, key, message))?;
        let steps = steps.loaded(name)?;
        if let (Some(method), LayoutEngine::None) = (steps.needs_layout, settings.layout) {
            return Err(Error::Pipeline {
                file: name.to_owned(),
                line: 1,
                message: format!(
                    "`{method}` needs to know where elements are on a screen; set `layout = \"blitz\"`"
                ),
            });
        }
        let lacks = match steps.sees {
            Sees::Layout if settings.layout.is_none() => "layout = \"blitz\"",
            Sees::Picture if !settings.screenshots => {
                "screenshots = true, with layout = \"chromium\""
            }
            Sees::Markup | Sees::Layout | Sees::Picture => "",
        };
        if !lacks.is_empty() {
            return Err(Error::Pipeline {
                file: name.to_owned(),
                line: 1,
                message: format!("its genre model looks at rendered pages; set {lacks}"),
            });
        }
        let mut pipeline = Self {
            name: name.to_owned(),
            segmentation: settings.segmentation.unwrap_or(steps.segmentation),
            method: steps.method.clone(),
            needs_attributes: steps.needs_attributes,
            hash: hash(text),
            model_hash: steps.model_hash.clone(),
            signals,
            filters,
            settings,
            set: Vec::new(),
            steps,
        };
        if let Some(hash) = files_hash {
            pipeline.depend_on(&hash);
        }
        Ok(pipeline)
    }

    /// Sets a key of the settings, given as `key=value`. The value is written as in a pipeline
    /// file, but a string needs no quotes. Outputs depend on the value as they depend on the file.
    ///
    /// ```
    /// use warcsieve_classify::CORE;
    /// use warcsieve_extract::Pipeline;
    ///
    /// let mut pipeline = Pipeline::built_in(&CORE, "default")?;
    /// pipeline.set("links=absolute")?;
    /// pipeline.set("images=true")?;
    /// assert_eq!(pipeline.set, ["images = true", "links = \"absolute\""]);
    /// # Ok::<(), warcsieve_common::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Invalid`] if there is no such key, if the value is not allowed, or if the key can
    /// only be set in a file: `layout`, `layouts` and `segmentation`.
    pub fn set(&mut self, assignment: &str) -> Result<()> {
        let wrong = |why: String| Error::Invalid(format!("{assignment}: {why}"));
        let Some((key, value)) = assignment.split_once('=') else {
            return Err(wrong("a key is set by KEY=VALUE".to_owned()));
        };
        let (key, value) = (key.trim(), value.trim());
        if ["layout", "layouts", "segmentation"].contains(&key) {
            return Err(wrong(format!("`{key}` is only set in a pipeline file")));
        }
        let text = format!("{key} = {value}");
        let parsed = text.parse::<toml::Table>();
        let parsed = parsed.or_else(|_| format!("{key} = {value:?}").parse());
        let table = parsed.map_err(|e| wrong(e.message().to_owned()))?;
        let Some(value) = table.get(key).filter(|_| table.len() == 1) else {
            return Err(wrong(
                "only one key can be set, without quotes or dots".to_owned(),
            ));
        };
        let before = toml::Table::try_from(&self.settings).map_err(|e| wrong(e.to_string()))?;
        let mut all = before.clone();
        all.extend(table.clone());
        let settings = Settings::deserialize(all);
        let settings = settings.map_err(|e| wrong(ParamError::from(e).to_string()))?;
        let after = toml::Table::try_from(&settings).map_err(|e| wrong(e.to_string()))?;
        if after == before {
            return Ok(());
        }
        let shown = serde_json::to_string(value).map_err(|e| wrong(e.to_string()))?;
        self.signals = checked(&settings, &self.filters).map_err(|(_, why)| wrong(why))?;
        let layouts = self.settings.layouts.take();
        self.settings = Settings {
            layouts,
            ..settings
        };
        self.set
            .retain(|known| !known.starts_with(&format!("{key} = ")));
        self.set.push(format!("{key} = {shown}"));
        self.set.sort_unstable();
        Ok(())
    }

    /// The same pipeline with the hash of `text`. Use it for a pipeline that is a part of a larger
    /// file.
    #[must_use]
    pub fn known_by(mut self, text: &str) -> Self {
        self.hash = hash(text);
        self
    }

    /// The error for a fault of a top-level key. `text` is the content of the file.
    pub fn fault_of(&self, key: &str, text: &str, message: String) -> Error {
        fault(&self.name, text, key, message)
    }

    /// The built-in pipeline with this name.
    ///
    /// # Errors
    /// [`Error::Invalid`] listing the known names.
    pub fn built_in(methods: &'static Methods, name: &str) -> Result<Self> {
        match methods.shipped().find(|pipeline| pipeline.name == name) {
            Some(pipeline) => Self::parse(methods, name, pipeline.text),
            None => Err(Error::Invalid(format!(
                "no built-in pipeline `{name}`{}; there are {}",
                did_you_mean(name, methods.shipped().map(|p| p.name)),
                methods
                    .shipped()
                    .map(|p| p.name)
                    .collect::<Vec<_>>()
                    .join(", ")
            ))),
        }
    }

    /// Refuses the pipeline if it needs a layout engine that this program does not have.
    ///
    /// # Errors
    /// [`Error::Invalid`].
    pub fn check_engine(&self) -> Result<()> {
        let missing = match self.settings.layout {
            LayoutEngine::None => return Ok(()),
            LayoutEngine::Blitz if warcsieve_layout::is_offered() => return Ok(()),
            LayoutEngine::Blitz => {
                "layout = \"blitz\" needs an engine, which is not in this build; build it with \
                 `--features layout`"
                    .to_owned()
            }
            LayoutEngine::Chromium => match warcsieve_layout::check_chromium() {
                Ok(()) => return Ok(()),
                Err(why) => format!("layout = \"chromium\": {why}"),
            },
            LayoutEngine::Kept | LayoutEngine::Vdom if self.has_layouts() => return Ok(()),
            LayoutEngine::Kept => "layout = \"kept\": the layouts were not read".to_owned(),
            LayoutEngine::Vdom => "layout = \"vdom\": the layouts were not opened".to_owned(),
        };
        Err(Error::Invalid(format!("{}: {missing}", self.name)))
    }

    /// Refuses forms of the content that have no column, and rules that change plain text where there are other forms.
    ///
    /// # Errors
    /// [`Error::Invalid`].
    pub fn check_forms(&self) -> Result<()> {
        let refuse = |why: String| Err(Error::Invalid(format!("{}: {why}", self.name)));
        let output = self.settings.output;
        if output != TextFormat::Text && self.settings.forms.contains(&TextFormat::Text) {
            return refuse(format!(
                "forms has \"text\", and the column `text` is {}; set output = \"text\", and \"{0}\" in forms",
                output.as_str()
            ));
        }
        match (
            self.filters.changing(),
            self.settings.rendered_forms().next(),
        ) {
            (None, _) | (_, None) => Ok(()),
            (Some(rule), Some(form)) => refuse(format!(
                "the filter `{rule}` changes plain text, and the output is {}; set output = \"text\" without forms, or \
                 leave the filter out",
                form.as_str()
            )),
        }
    }

    /// Refuses filters that change texts. Call it for programs that also show blocks or other forms
    /// of a page: what a filter masks or cuts would be visible there.
    ///
    /// # Errors
    /// [`Error::Invalid`].
    pub fn refuse_edits(&self) -> Result<()> {
        match self.filters.changing() {
            None => Ok(()),
            Some(rule) => Err(Error::Invalid(format!(
                "{}: the filter `{rule}` changes texts, which only `clean` and `corpus` do; use a pipeline without it",
                self.name
            ))),
        }
    }

    /// The file or folder of layouts that the pipeline names.
    pub fn layouts_at(&self) -> Option<PathBuf> {
        let given = self.settings.layouts.as_ref()?;
        let folder = Path::new(&self.name).parent().unwrap_or(Path::new(""));
        Some(folder.join(&given.place))
    }

    /// Gives the pipeline these layouts. If they have a sha256 (in hex), results depend on it as on
    /// a model.
    pub fn join(&mut self, layouts: LayoutSource, sha256: Option<&str>) {
        if let Some(given) = &mut self.settings.layouts {
            given.opened = Some(layouts);
        }
        if let Some(sha256) = sha256 {
            self.depend_on(sha256);
        }
    }

    /// What a table of the whole crawl must have, if a step uses one and does not have it. Without
    /// a table, such a step treats no text as repeated.
    pub fn lacks_table(&self) -> Option<TableNeeds> {
        self.steps.lacks_table()
    }

    /// Gives the pipeline the table of the crawl. Results depend on it as on a model. `sha256` is
    /// that of its file, in hex.
    ///
    /// # Errors
    /// What is missing in the table.
    pub fn give_table(&mut self, table: Frequencies, sha256: String) -> Result<(), String> {
        self.steps.give_table(table, sha256.clone())?;
        self.depend_on(&sha256);
        Ok(())
    }

    /// Makes results depend on files with this hash.
    fn depend_on(&mut self, sha256: &str) {
        self.model_hash = Some(match self.model_hash.take() {
            None => sha256.to_owned(),
            Some(model) => HEXLOWER.encode(&Sha256::digest(format!("{model}\n{sha256}\n"))),
        });
    }

    fn has_layouts(&self) -> bool {
        let given = self.settings.layouts.as_ref();
        given.is_some_and(|given| given.opened.is_some())
    }

    /// Builds the steps for one worker, with the texts of their classes and reasons.
    pub fn build(&self) -> (Chain, Names) {
        let (mut chain, mut names) = self.steps.build();
        if self.settings.copies == Extras::Drop {
            chain.push(Box::new(DropCopies::new(&mut names)));
        }
        if self.settings.outside == Extras::Drop {
            chain.push(Box::new(DropOutside::new(&mut names)));
        }
        if self.settings.headline == Headline::Keep {
            chain.push(Box::new(KeepHeadline::new(&mut names)));
        }
        if self.settings.code == Code::Keep {
            chain.push(Box::new(KeepCode::new(&mut names)));
        }
        if self.settings.posts {
            chain.push(Box::new(KeepAuthors::new(&mut names)));
        }
        if self.settings.rows == Rows::Whole {
            chain.push(Box::new(KeepRows::new(&mut names)));
        }
        for reason in self.filters.line_rules().flat_map(|rules| rules.reasons) {
            names.reason(reason);
        }
        (chain, names)
    }

    /// The settings with the segmentation filled in, even if a step decides it.
    pub fn effective_settings(&self) -> Settings {
        Settings {
            segmentation: Some(self.segmentation),
            ..self.settings.clone()
        }
    }

    /// A segmenter for the pipeline's pages, without layouts.
    pub fn segmenter(&self) -> Segmenter {
        self.settings.segmenter(self.segmentation)
    }
}

/// Checks settings against each other and against the filters. Returns the numbers of the signals.
///
/// # Errors
/// The key with the fault, and the reason.
fn checked(settings: &Settings, filters: &Filters) -> Result<Vec<usize>, (&'static str, String)> {
    settings.check()?;
    let chosen = signals::chosen(settings.signals.iter().map(String::as_str));
    let signals = chosen.map_err(|message| ("signals", message))?;
    if settings.tree == TreeColumns::Attributes && !filters.kinds(true).is_empty() {
        let why = "tree = \"attributes\" keeps addresses that `personal = \"mask\"` masks";
        return Err(("tree", why.to_owned()));
    }
    if settings.link_table && !filters.kinds(true).is_empty() {
        let why = "link_table = true keeps texts that `personal = \"mask\"` masks";
        return Err(("link_table", why.to_owned()));
    }
    Ok(signals)
}

fn hash(text: &str) -> String {
    HEXLOWER.encode(&Sha256::digest(text.as_bytes()))
}

/// The error for a fault of a top-level key in a pipeline file.
fn fault(name: &str, text: &str, key: &str, message: String) -> Error {
    Error::Pipeline {
        file: name.to_owned(),
        line: line_of(text, offset_of(text, key)),
        message,
    }
}

/// Byte offset of a top-level key in the file; 0 if it is missing.
fn offset_of(text: &str, key: &str) -> usize {
    DeTable::parse(text)
        .ok()
        .and_then(|t| Some(t.get_ref().get_key_value(key)?.0.span().start))
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use warcsieve_classify::{CORE, Shipped};

    fn error(text: &str) -> String {
        Pipeline::parse(&CORE, "p.toml", text)
            .unwrap_err()
            .to_string()
    }

    #[test]
    fn built_in_pipelines_parse_and_begin_with_a_comment() {
        for Shipped { name, text, .. } in CORE.shipped() {
            Pipeline::built_in(&CORE, name).unwrap();
            assert!(text.starts_with("# "), "{name} has no first comment line");
        }
        assert!(
            Pipeline::built_in(&CORE, "nope")
                .unwrap_err()
                .to_string()
                .contains("numwords")
        );
    }

    #[test]
    fn what_is_misspelt_may_be_meant() {
        let step = "[[step]]\nmethod = 'min-words'\nwords = 3\n";
        for (text, meant) in [
            (format!("outptu = 'html'\n{step}"), "output"),
            (format!("output = 'makrdown'\n{step}"), "markdown"),
            (step.replace("min-words", "min-wrods"), "min-words"),
            (step.replace("words = 3", "word = 3"), "words"),
        ] {
            let error = error(&text);
            assert!(
                error.contains(&format!("(did you mean `{meant}`?)")),
                "{error}"
            );
        }
        let error = Pipeline::built_in(&CORE, "defualt")
            .unwrap_err()
            .to_string();
        assert!(
            error.contains("`defualt` (did you mean `default`?); there are"),
            "{error}"
        );
        assert!(
            !Pipeline::built_in(&CORE, "nothing")
                .unwrap_err()
                .to_string()
                .contains("mean")
        );
    }

    #[test]
    fn unknown_keys_are_named_with_their_line() {
        let e = error("block_text = \"all\"\nblok = 1\n[[step]]\nmethod = \"keep-all\"\n");
        assert!(e.starts_with("p.toml:2:") && e.contains("blok"), "{e}");
        let e = error("[[step]]\nmethod = \"min-words\"\n\nwrods = 3\n");
        assert!(e.starts_with("p.toml:4:") && e.contains("wrods"), "{e}");
    }

    #[test]
    fn of_several_faults_methods_come_first_then_settings_then_parameters() {
        let e = error("max_depth = 1\n[[step]]\nmethod = \"kep-all\"\n");
        assert!(e.starts_with("p.toml:3:"), "{e}");
        let e = error("max_depth = 1\n[[step]]\nmethod = \"keep-all\"\nno_such_key = 1\n");
        assert!(e.starts_with("p.toml:1:"), "{e}");
    }

    #[test]
    fn keys_of_layouts_need_each_other() {
        let step = "[[step]]\nmethod = \"keep-all\"\n";
        for (keys, says) in [
            ("layout = \"kept\"", "needs `layouts`"),
            ("layout = \"vdom\"", "needs `layouts`, the folder `vdom`"),
            ("layouts = \"a\"", "needs layout = \"kept\" or \"vdom\""),
            (
                "layout = \"vdom\"\nlayouts = \"a\"\nscreenshots = true",
                "needs layout = \"chromium\"",
            ),
            ("boxes = true", "needs a `layout`"),
            (
                "screenshots = true\nlayout = \"blitz\"",
                "needs layout = \"chromium\"",
            ),
        ] {
            let e = error(&format!("{keys}\n{step}"));
            assert!(e.contains(says), "{e}");
        }
        let kept = || {
            let scratch = tempfile::tempfile().unwrap();
            LayoutSource::Kept(Arc::new(warcsieve_layout::Kept::new(scratch)))
        };
        let text = format!("layout = \"kept\"\nlayouts = \"a\"\n{step}");
        let pipeline = Pipeline::parse(&CORE, "folder/p.toml", &text).unwrap();
        assert_eq!(pipeline.layouts_at(), Some("folder/a".into()));
        let e = pipeline.check_engine().unwrap_err().to_string();
        assert!(e.contains("were not read"), "{e}");
        let mut joined = pipeline.clone();
        joined.join(kept(), Some("abc"));
        assert_eq!(joined.model_hash.as_deref(), Some("abc"));
        assert!(joined.check_engine().is_ok());
        joined.join(kept(), Some("abc"));
        let twice = joined.model_hash.clone();
        assert_ne!(twice.as_deref(), Some("abc"));
        joined.join(kept(), None);
        assert_eq!(joined.model_hash, twice);
        let written = serde_json::to_value(&pipeline.settings).unwrap();
        assert_eq!(written["layouts"], "a");
    }

    #[test]
    fn a_key_is_set_once_and_recorded_if_it_changes_something() {
        let step = "[[step]]\nmethod = 'keep-all'\n";
        let mut pipeline = Pipeline::parse(&CORE, "p.toml", step).unwrap();
        for assignment in [
            "zstd=3",
            "links=absolute",
            "links=page",
            "zstd = 4",
            "blocks=true",
        ] {
            pipeline.set(assignment).unwrap();
        }
        assert_eq!(pipeline.settings.zstd, 4);
        assert_eq!(pipeline.set, ["links = \"page\"", "zstd = 4"]);
        for (assignment, says) in [
            ("zstd", "KEY=VALUE"),
            ("zstdd=3", "(did you mean `zstd`?)"),
            ("zstd=99", "is not within 1 to 22"),
            (
                "http_headers=['a b']",
                "\"a b\" is not the name of a header",
            ),
            ("http_headers=['Age', 'age']", "\"age\" is given twice"),
            ("zstd=fast", "invalid type"),
            ("zstd=3\nblocks=false", "only one key can be set"),
            ("\"zstd\"=3", "only one key can be set"),
            ("records.x=1", "only one key can be set"),
            ("layouts=a", "only set in a pipeline file"),
        ] {
            let error = pipeline.set(assignment).unwrap_err().to_string();
            assert!(error.contains(says), "{assignment}: {error}");
        }
        assert_eq!(pipeline.settings.zstd, 4);
    }

    #[test]
    fn the_tokenizer_can_be_chosen() {
        use warcsieve_html::Tokenizer;
        let step = "[[step]]\nmethod = \"keep-all\"\n";
        let of = |text: &str| {
            Pipeline::parse(&CORE, "p.toml", text)
                .unwrap()
                .settings
                .tokenizer
        };
        assert_eq!(of(step), Tokenizer::Builtin);
        let chosen = format!("tokenizer = \"lol_html\"\n{step}");
        assert_eq!(of(&chosen), Tokenizer::LolHtml);
        let e = error(&format!("tokenizer = \"lol\"\n{step}"));
        assert!(e.starts_with("p.toml:1:") && e.contains("builtin"), "{e}");
    }

    #[test]
    fn wrong_values_are_named_with_their_line() {
        let e = error("\n\nmax_depth = 1\n[[step]]\nmethod = \"keep-all\"\n");
        assert!(e.starts_with("p.toml:3:") && e.contains("max_depth"), "{e}");
        let e = error("[[step]]\nmethod = \"kep-all\"\n");
        assert!(e.starts_with("p.toml:2:") && e.contains("keep-all"), "{e}");
        let e = error("\n[[step]]\n");
        assert!(e.starts_with("p.toml:2:") && e.contains("method"), "{e}");
        let e = error("zstd = 1\n");
        assert!(e.contains("[[step]]"), "{e}");
        let e = error("\n[[step]]\nmethod = \"smoothing\"\n");
        assert!(e.starts_with("p.toml:2:") && e.contains("first"), "{e}");
        let e = error("# max_depth = 9\nmax_depth = 1\n[[step]]\nmethod = \"keep-all\"\n");
        assert!(e.starts_with("p.toml:2:"), "{e}");
        let e = error("step = 3\n");
        assert!(e.starts_with("p.toml:1:") && e.contains("[[step]]"), "{e}");
        let e = error("zstd = 1\n[step]\nmethod = \"keep-all\"\n");
        assert!(e.contains("[[step]]"), "{e}");
    }
}
