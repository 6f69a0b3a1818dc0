//! The pipeline file: a TOML file. Its top-level keys are the fields of [`Settings`], and its
//! `[[step]]` tables are [`Steps`]. What the file does not say comes from the pipeline that it
//! `extends`, if it names one. An unknown key is an error with its line.

mod checks;
mod extends;

use crate::fallback::{self, Fallbacks, Named, When};
use crate::filters::{self, ReadFilters};
use crate::settings::{
    Code, Extras, Headline, LABELLING, LayoutEngine, Rows, Settings, TreeColumns,
};
use data_encoding::HEXLOWER;
use serde::Deserialize;
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use toml::de::DeTable;
use warcsieve_classify::params::{ParamError, TableNeeds};
use warcsieve_classify::{
    Chain, DropCopies, DropOutside, KeepAuthors, KeepCode, KeepHeadline, KeepRows, Methods, Names,
    Sees, SelectBlocks, Selectors, Steps, settings_of,
};
use warcsieve_common::{Error, Result, did_you_mean, files, line_of};
use warcsieve_features::Frequencies;
use warcsieve_filters::filter::Filters;
use warcsieve_filters::signals;
use warcsieve_html::{Segmentation, Segmenter};
use warcsieve_layout::LayoutSource;

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
    /// Names of the steps' methods in order, joined by `+`. Those of other pipelines that may label
    /// a page follow, joined by `|`.
    pub method: String,
    /// sha256 of the file's bytes, in hex.
    pub hash: String,
    /// sha256 of the files that steps and filters name, of kept layouts, and of the pipelines that
    /// the file names, in hex; `None` if there are none.
    pub model_hash: Option<String>,
    /// Numbers of the signals that are columns of `documents`.
    pub signals: Vec<usize>,
    /// The selectors of `keep` and `drop`.
    selectors: Option<Arc<Selectors>>,
    /// The rules that decide which pages stay.
    pub filters: Filters,
    /// The keys that [`set`](Self::set) changed with their values, sorted by key, written as in a
    /// pipeline file.
    pub set: Vec<String>,
    steps: Steps,
    /// The pipeline whose steps these are, if it is the first of a union.
    first: Option<String>,
    alternatives: Vec<Alternative>,
}

/// Another pipeline that may label a page.
#[derive(Clone, Debug)]
pub(crate) struct Alternative {
    pub name: String,
    pub when: When,
    pipeline: Pipeline,
}

impl Pipeline {
    /// Parses a pipeline and reads the files that its steps name, so that every fault is found now.
    /// `name` is its path. File names in it are relative to its folder.
    ///
    /// # Errors
    /// [`Error::Pipeline`] with the line of the first fault.
    pub fn parse(methods: &'static Methods, name: &str, text: &str) -> Result<Self> {
        Self::read(methods, name, text, false)
    }

    /// Parses a pipeline, which may be named by another one.
    fn read(methods: &'static Methods, name: &str, text: &str, is_named: bool) -> Result<Self> {
        let at = |e: ParamError| e.in_file(name, text);
        let wrong = |key: &str, message: String| fault(name, text, key, message);
        let mut table = settings_of(text).map_err(at)?;
        if is_named {
            let others = ["filter", "union", "fallback", "keep", "drop"];
            if let Some(key) = others
                .into_iter()
                .find(|key| table.get_ref().contains_key(*key))
            {
                let why = format!("a pipeline that another one names has no `{key}`");
                return Err(wrong(key, why));
            }
        }
        let ReadFilters {
            filters,
            files_hash,
        } = filters::take(table.get_mut(), name, text)?;
        let Fallbacks { first, others } = fallback::take(table.get_mut(), name, text)?;
        if first.is_some() {
            let own = LABELLING.into_iter().chain(["step"]);
            if let Some(key) = own.into_iter().find(|key| offset_of(text, key).is_some()) {
                let why = format!("`{key}` is a key of the pipelines that `union` names");
                return Err(wrong(key, why));
            }
        }
        let has_steps = offset_of(text, "step").is_some();
        let is_union = first.is_some();
        let base = extends::take(methods, &mut table, (name, text), is_union, has_steps)?;
        let settings = Settings::deserialize(toml::Deserializer::from(table));
        let settings = settings.map_err(|e| at(e.into()))?;
        let load = |named: &Named| Self::named(methods, name, text, named);
        let loaded = first.as_ref().map(load).transpose()?;
        let (steps, settings) = match &loaded {
            Some(first) => (
                first.steps.clone(),
                settings.labelling_like(&first.settings),
            ),
            None => {
                let base = base.filter(|_| !has_steps);
                let (file, text) = base.map_or((name, text), |base| (base.name, base.text));
                (Steps::named(methods, file, text)?, settings)
            }
        };
        let checked = checked(&settings, &filters).map_err(|(key, message)| wrong(key, message))?;
        let steps = match &loaded {
            Some(_) => steps,
            None => steps.loaded(name)?,
        };
        if let Some(lacks) = lacks(&steps, &settings) {
            let start = first.as_ref().map_or(0, |first| first.start);
            return Err(wrong_at(name, text, start, lacks));
        }
        let mut pipeline = Self {
            name: name.to_owned(),
            segmentation: settings.segmentation.unwrap_or(steps.segmentation),
            method: steps.method.clone(),
            hash: hash(text),
            model_hash: steps.model_hash.clone(),
            signals: checked.signals,
            selectors: checked.selectors,
            filters,
            settings,
            set: Vec::new(),
            steps,
            first: first.map(|first| first.name),
            alternatives: Vec::new(),
        };
        if let Some(hash) = files_hash {
            pipeline.depend_on(&hash);
        }
        if let Some(first) = &loaded {
            pipeline.depend_on(&first.hash);
        }
        if let Some(base) = base {
            pipeline.depend_on(&hash(base.text));
        }
        for (named, when) in others {
            let other = load(&named)?;
            let add = pipeline.add(&named.name, when, other);
            add.map_err(|why| wrong_at(name, text, named.start, why))?;
        }
        Ok(pipeline)
    }

    /// Reads a pipeline that the file `file` names: a built-in one, or another file.
    fn named(methods: &'static Methods, file: &str, text: &str, named: &Named) -> Result<Self> {
        let Named { name, start } = named;
        let read = match name.contains(['/', '.']) {
            false => Self::built_in(methods, name),
            true => {
                let path = Path::new(file).parent().unwrap_or(Path::new("")).join(name);
                let path = path.display().to_string();
                let read = files::read_text(Path::new(&path), Self::MAX_BYTES);
                let read = read.map_err(|e| files::unreadable(format!("pipeline file {path}"), e));
                read.and_then(|text| Self::read(methods, &path, &text, true))
            }
        };
        read.map_err(|error| match error {
            Error::Io { .. } => error,
            _ => wrong_at(file, text, *start, error.to_string()),
        })
    }

    /// Adds a pipeline that may label a page.
    fn add(&mut self, name: &str, when: When, other: Self) -> Result<(), String> {
        if matches!(when, When::Removed) && self.filters.is_empty() {
            return Err("no page is removed, because there is no [[filter]]".to_owned());
        }
        if other.lacks_table().is_some() {
            let why =
                "a step uses a table of the crawl; name a file with frequencies = \"…\" in it";
            return Err(format!("`{name}`: {why}"));
        }
        if other.segmentation != self.segmentation && !self.settings.layout.is_none() {
            let why = "with a `layout`, all pipelines need the same segmentation";
            return Err(format!(
                "`{name}` has segmentation = \"{}\", and the first has \"{}\"; {why}",
                other.segmentation.as_str(),
                self.segmentation.as_str()
            ));
        }
        if let Some(lacks) = lacks(&other.steps, &self.settings) {
            return Err(format!("`{name}`: {lacks}"));
        }
        self.method = format!("{}|{}", self.method, other.method);
        self.depend_on(&other.hash);
        if let Some(models) = &other.model_hash {
            self.depend_on(models);
        }
        self.alternatives.push(Alternative {
            name: name.to_owned(),
            when,
            pipeline: other,
        });
        Ok(())
    }

    /// Largest size of a pipeline file in bytes.
    pub const MAX_BYTES: u64 = 1 << 20;

    /// The name in [`PageView::labelled_by`](crate::PageView::labelled_by) for the steps of the
    /// pipeline itself.
    pub const OWN: &str = "own";

    /// Whether pages may be labelled by several pipelines (`union`, `[[fallback]]`).
    pub fn has_alternatives(&self) -> bool {
        !self.alternatives.is_empty()
    }

    /// The segmentation of each other pipeline that may label a page.
    pub fn further_segmentations(&self) -> impl Iterator<Item = Segmentation> {
        self.alternatives
            .iter()
            .map(|other| other.pipeline.segmentation)
    }

    /// Whether all pipelines that may label a page have the same segmentation.
    pub fn has_one_segmentation(&self) -> bool {
        self.further_segmentations()
            .all(|other| other == self.segmentation)
    }

    /// Whether a condition of `[[fallback]]` is about a signal.
    pub fn conditions_ask_signals(&self) -> bool {
        let mut conditions = self.alternatives.iter().map(|other| &other.when);
        conditions.any(|when| matches!(when, When::Meets(rule) if rule.ask_signals()))
    }

    /// The columns that the conditions of `[[fallback]]` look at.
    pub fn asked_columns(&self) -> impl Iterator<Item = &'static str> {
        let conditions = self.alternatives.iter().map(|other| &other.when);
        conditions.flat_map(|when| {
            match when {
                When::Meets(rule) => Some(rule.columns()),
                When::Removed => None,
            }
            .into_iter()
            .flatten()
        })
    }

    /// The name of the pipeline whose steps these are, where pages may be labelled by several.
    pub(crate) fn own_name(&self) -> Option<&str> {
        let own = self.first.as_deref().unwrap_or(Self::OWN);
        self.has_alternatives().then_some(own)
    }

    /// Names of the methods of the pipeline's own steps, joined by `+`.
    pub(crate) fn own_method(&self) -> &str {
        &self.steps.method
    }

    /// The other pipelines that may label a page, and when. All their keys but those for labels
    /// are those of this pipeline.
    pub(crate) fn alternatives(&self) -> impl Iterator<Item = (&Alternative, Self)> {
        self.alternatives.iter().map(|other| {
            let like = Self {
                settings: self.settings.labelling_like(&other.pipeline.settings),
                filters: self.filters.clone(),
                signals: self.signals.clone(),
                selectors: self.selectors.clone(),
                ..other.pipeline.clone()
            };
            (other, like)
        })
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
    /// only be set in a file: `extends`, `layout`, `layouts`, `segmentation`, `union` and `fallback`.
    pub fn set(&mut self, assignment: &str) -> Result<()> {
        let wrong = |why: String| Error::Invalid(format!("{assignment}: {why}"));
        let Some((key, value)) = assignment.split_once('=') else {
            return Err(wrong("a key is set by KEY=VALUE".to_owned()));
        };
        let (key, value) = (key.trim(), value.trim());
        let in_file = [
            "extends",
            "layout",
            "layouts",
            "segmentation",
            "union",
            "fallback",
        ];
        if in_file.contains(&key) {
            return Err(wrong(format!("`{key}` is only set in a pipeline file")));
        }
        if self.first.is_some() && LABELLING.contains(&key) {
            let why = format!("`{key}` is a key of the pipelines that `union` names");
            return Err(wrong(why));
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
        let settings = settings.map_err(|e| {
            let why = ParamError::from(e).to_string();
            let of_step = match why.starts_with("unknown field") {
                true => "; a parameter of a step is set in a pipeline file",
                false => "",
            };
            wrong(why + of_step)
        })?;
        let after = toml::Table::try_from(&settings).map_err(|e| wrong(e.to_string()))?;
        if after == before {
            return Ok(());
        }
        let shown = serde_json::to_string(value).map_err(|e| wrong(e.to_string()))?;
        let checked = checked(&settings, &self.filters).map_err(|(_, why)| wrong(why))?;
        (self.signals, self.selectors) = (checked.signals, checked.selectors);
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

    /// What needs attributes of elements, in words: the first method that does, or the keys with selectors. `None` if
    /// nothing does.
    pub fn needs_attributes(&self) -> Option<String> {
        let others = self.alternatives.iter().map(|other| &other.pipeline.steps);
        let method = [&self.steps].into_iter().chain(others);
        let method = method.filter_map(|steps| steps.needs_attributes).next();
        let method = method.map(|method| format!("method `{method}` reads"));
        let selectors = self.selectors.as_ref();
        let select = || selectors.is_some_and(|selectors| selectors.need_attributes());
        method.or_else(|| select().then(|| "selectors of `keep` or `drop` read".to_owned()))
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

    /// Builds the pipeline's own steps for one worker, with the texts of their classes and reasons.
    pub fn build(&self) -> (Chain, Names) {
        let mut names = Names::default();
        (self.build_with(&mut names), names)
    }

    /// Builds the pipeline's own steps for one worker, and adds the texts of their classes and
    /// reasons to `names`.
    pub(crate) fn build_with(&self, names: &mut Names) -> Chain {
        let mut chain = self.steps.build_with(names);
        if self.settings.copies == Extras::Drop {
            chain.push(Box::new(DropCopies::new(names)));
        }
        if self.settings.outside == Extras::Drop {
            chain.push(Box::new(DropOutside::new(names)));
        }
        if self.settings.headline == Headline::Keep {
            chain.push(Box::new(KeepHeadline::new(names)));
        }
        if self.settings.code == Code::Keep {
            chain.push(Box::new(KeepCode::new(names)));
        }
        if self.settings.posts {
            chain.push(Box::new(KeepAuthors::new(names)));
        }
        if self.settings.rows == Rows::Whole {
            chain.push(Box::new(KeepRows::new(names)));
        }
        if let Some(selectors) = &self.selectors {
            chain.push(Box::new(SelectBlocks::new(selectors.clone(), names)));
        }
        for reason in self.filters.reasons() {
            names.reason(reason);
        }
        chain
    }

    /// The settings with the segmentation filled in, even if a step decides it. It is `None` if it
    /// is not the same for all pages.
    pub fn effective_settings(&self) -> Settings {
        Settings {
            segmentation: self.has_one_segmentation().then_some(self.segmentation),
            ..self.settings.clone()
        }
    }

    /// A segmenter for the pipeline's pages, without layouts.
    pub fn segmenter(&self) -> Segmenter {
        self.settings.segmenter(self.segmentation)
    }
}

/// What was read in settings.
struct Checked {
    /// The numbers of the signals.
    signals: Vec<usize>,
    selectors: Option<Arc<Selectors>>,
}

/// Checks settings against each other and against the filters.
///
/// # Errors
/// The key with the fault, and the reason.
fn checked(settings: &Settings, filters: &Filters) -> Result<Checked, (&'static str, String)> {
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
    let selectors = Selectors::read(&settings.keep, &settings.drop)?;
    Ok(Checked {
        signals,
        selectors: selectors.map(Arc::new),
    })
}

fn hash(text: &str) -> String {
    HEXLOWER.encode(&Sha256::digest(text.as_bytes()))
}

/// What steps need of a page's layout that the settings do not ask for.
fn lacks(steps: &Steps, settings: &Settings) -> Option<String> {
    if let (Some(method), LayoutEngine::None) = (steps.needs_layout, settings.layout) {
        return Some(format!(
            "`{method}` needs to know where elements are on a screen; set `layout = \"blitz\"`"
        ));
    }
    let lacks = match steps.sees {
        Sees::Layout if settings.layout.is_none() => "layout = \"blitz\"",
        Sees::Picture if !settings.screenshots => "screenshots = true, with layout = \"chromium\"",
        Sees::Markup | Sees::Layout | Sees::Picture => return None,
    };
    Some(format!(
        "its genre model looks at rendered pages; set {lacks}"
    ))
}

/// The error for a fault of a top-level key in a pipeline file.
fn fault(name: &str, text: &str, key: &str, message: String) -> Error {
    wrong_at(name, text, offset_of(text, key).unwrap_or(0), message)
}

/// The error for a fault at a byte offset of a pipeline file.
fn wrong_at(name: &str, text: &str, start: usize, message: String) -> Error {
    Error::Pipeline {
        file: name.to_owned(),
        line: line_of(text, start),
        message,
    }
}

/// Byte offset of a top-level key in the file.
fn offset_of(text: &str, key: &str) -> Option<usize> {
    let table = DeTable::parse(text).ok()?;
    Some(table.get_ref().get_key_value(key)?.0.span().start)
}

#[cfg(test)]
mod tests;
