//! The key `base` of a pipeline file: the built-in pipeline that the file changes.

use super::offset_of;
use toml::Spanned;
use toml::de::DeTable;
use warcsieve_classify::{Methods, Shipped, Steps, settings_of};
use warcsieve_common::{Error, Result, did_you_mean, line_of};

/// Removes `base` from a pipeline's table, and adds the keys of that pipeline that the file does
/// not have. `file` is the pipeline's path, and `text` its content.
///
/// # Errors
/// [`Error::Pipeline`] if there is no such pipeline, or if the file has a `union`.
pub(super) fn take(
    methods: &'static Methods,
    table: &mut Spanned<DeTable<'_>>,
    file: &str,
    text: &str,
) -> Result<Option<&'static Shipped>> {
    let Some(value) = table.get_mut().remove("base") else {
        return Ok(None);
    };
    let at = |message: String| Error::Pipeline {
        file: file.to_owned(),
        line: line_of(text, value.span().start),
        message,
    };
    if offset_of(text, "union").is_some() {
        let why = "`base` and `union` exclude each other: the pipelines of a union have the steps";
        return Err(at(why.to_owned()));
    }
    let Some(name) = value.get_ref().as_str() else {
        return Err(at("`base` is the name of a built-in pipeline".to_owned()));
    };
    let Some(base) = methods.shipped().find(|base| base.name == name) else {
        let near = did_you_mean(name, methods.shipped().map(|base| base.name));
        return Err(at(format!(
            "no built-in pipeline `{name}`{near}; `warcsieve methods` lists them"
        )));
    };
    let below = settings_of(base.text).map_err(|e| e.in_file(base.name, base.text))?;
    for (key, value) in below.into_inner() {
        table.get_mut().entry(key).or_insert(value);
    }
    Ok(Some(base))
}

/// The steps of a file, or those of its base if it has none.
///
/// # Errors
/// As for [`Steps::named`].
pub(super) fn steps(
    methods: &'static Methods,
    base: Option<&'static Shipped>,
    file: &str,
    text: &str,
) -> Result<Steps> {
    match base.filter(|_| offset_of(text, "step").is_none()) {
        Some(base) => Steps::named(methods, base.name, base.text),
        None => Steps::named(methods, file, text),
    }
}
