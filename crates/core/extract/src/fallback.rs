//! The keys `union` and `[[fallback]]` of a pipeline file: other pipelines that may label a page.

use serde::Deserialize;
use toml::Spanned;
use toml::de::{DeTable, DeValue};
use warcsieve_common::{Error, Result, line_of};
use warcsieve_filters::filter::Filters;

/// When a page gets the labels of another pipeline.
#[derive(Clone, Debug)]
pub(crate) enum When {
    /// The page with the labels that it has meets this rule.
    Meets(Filters),
    /// The filters remove the page with the labels that it has, and keep it with the others.
    Removed,
}

/// A pipeline that the file names.
#[derive(Debug)]
pub(crate) struct Named {
    /// A built-in pipeline, or a file.
    pub name: String,
    /// Where the file names it.
    pub start: usize,
}

/// The pipelines that a file names, in the order in which a page tries them.
#[derive(Debug, Default)]
pub(crate) struct Fallbacks {
    /// The first pipeline of a union. It takes the place of the file's own steps.
    pub first: Option<Named>,
    /// The others.
    pub others: Vec<(Named, When)>,
}

/// Most pipelines that a file may name.
const MOST: usize = 16;

/// A `[[fallback]]`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Fallback {
    when: Spanned<String>,
    pipeline: Spanned<String>,
}

/// Removes both keys from a pipeline's table. `file` is the pipeline's path, and `text` its
/// content.
///
/// # Errors
/// [`Error::Pipeline`] with the line of the first fault.
pub(crate) fn take(table: &mut DeTable<'_>, file: &str, text: &str) -> Result<Fallbacks> {
    let at = |start: usize, message: String| Error::Pipeline {
        file: file.to_owned(),
        line: line_of(text, start),
        message,
    };
    let union = table.remove("union");
    let fallback = table.remove("fallback");
    let start = |value: &Option<Spanned<DeValue<'_>>>| value.as_ref().map(|v| v.span().start);
    let (start, read) = match (start(&union), start(&fallback)) {
        (Some(start), Some(_)) => {
            let why = "`union` and [[fallback]] exclude each other; a [[fallback]] with when = \"removed\" does what \
                       `union` does";
            return Err(at(start, why.to_owned()));
        }
        (Some(start), None) => (start, union.map(union_of)),
        (None, Some(start)) => (start, fallback.map(tables_of)),
        (None, None) => return Ok(Fallbacks::default()),
    };
    let read = read.unwrap_or_else(|| Ok(Fallbacks::default()));
    let read = read.map_err(|(place, message)| at(place.unwrap_or(start), message))?;
    if read.others.len() > MOST {
        return Err(at(start, format!("more than {MOST} other pipelines")));
    }
    Ok(read)
}

/// What is wrong, and where, if that is known.
type Fault = (Option<usize>, String);

fn fault(error: &toml::de::Error) -> Fault {
    let start = error.span().map(|span| span.start);
    (start, error.message().replace('\n', "; "))
}

fn named(name: Spanned<String>) -> Named {
    Named {
        start: name.span().start,
        name: name.into_inner(),
    }
}

fn union_of(value: Spanned<DeValue<'_>>) -> std::result::Result<Fallbacks, Fault> {
    let names = toml::de::ValueDeserializer::from(value);
    let names = Vec::<Spanned<String>>::deserialize(names).map_err(|e| fault(&e))?;
    for (number, name) in names.iter().enumerate() {
        if names[..number]
            .iter()
            .any(|n| n.get_ref() == name.get_ref())
        {
            let why = format!("`{}` is in `union` twice", name.get_ref());
            return Err((Some(name.span().start), why));
        }
    }
    let mut names = names.into_iter().map(named);
    let first = names.next();
    let others: Vec<_> = names.map(|name| (name, When::Removed)).collect();
    match others.is_empty() {
        true => Err((None, "`union` has at least two pipelines".to_owned())),
        false => Ok(Fallbacks { first, others }),
    }
}

fn tables_of(value: Spanned<DeValue<'_>>) -> std::result::Result<Fallbacks, Fault> {
    let DeValue::Array(array) = value.into_inner() else {
        let why = "fallbacks are written [[fallback]], in double brackets";
        return Err((None, why.to_owned()));
    };
    let mut others = Vec::new();
    for item in array {
        let start = item.span().start;
        let DeValue::Table(table) = item.into_inner() else {
            let why = "a fallback is a table, written [[fallback]]";
            return Err((Some(start), why.to_owned()));
        };
        let table = toml::Deserializer::from(Spanned::new(start..start, table));
        let table = Fallback::deserialize(table).map_err(|e| {
            let (place, why) = fault(&e);
            (place.or(Some(start)), why)
        })?;
        let place = table.when.span().start;
        let when =
            when(table.when.get_ref()).map_err(|why| (Some(place), format!("`when`: {why}")))?;
        others.push((named(table.pipeline), when));
    }
    Ok(Fallbacks {
        first: None,
        others,
    })
}

fn when(text: &str) -> std::result::Result<When, String> {
    if text.trim() == "removed" {
        return Ok(When::Removed);
    }
    let mut rule = Filters::default();
    rule.keep(text)
        .map_err(|why| format!("{why}; or \"removed\", for pages that the filters remove"))?;
    Ok(When::Meets(rule))
}
