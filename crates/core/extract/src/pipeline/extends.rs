//! The key `extends` of a pipeline file: the built-in pipeline that the file changes.

use toml::Spanned;
use toml::de::DeTable;
use warcsieve_classify::{Methods, Shipped, settings_of};
use warcsieve_common::{Error, Result, did_you_mean, line_of};

/// Removes `extends` from a pipeline's table, and adds the keys of that pipeline that the file does
/// not have. `file` is the pipeline's path, `text` its content, `is_union` whether it has the
/// key `union`, and `has_steps` whether it has steps. These bring their own segmentation.
///
/// # Errors
/// [`Error::Pipeline`] if there is no such pipeline, or if the file has a `union`.
pub(super) fn take(
    methods: &'static Methods,
    table: &mut Spanned<DeTable<'_>>,
    (file, text): (&str, &str),
    is_union: bool,
    has_steps: bool,
) -> Result<Option<&'static Shipped>> {
    let Some(value) = table.get_mut().remove("extends") else {
        return Ok(None);
    };
    let at = |message: String| Error::Pipeline {
        file: file.to_owned(),
        line: line_of(text, value.span().start),
        message,
    };
    if is_union {
        let why =
            "`extends` and `union` exclude each other: the pipelines of a union have the steps";
        return Err(at(why.to_owned()));
    }
    let Some(name) = value.get_ref().as_str() else {
        return Err(at("`extends` is the name of a built-in pipeline".to_owned()));
    };
    let Some(base) = methods.shipped().find(|base| base.name == name) else {
        let near = did_you_mean(name, methods.shipped().map(|base| base.name));
        return Err(at(format!(
            "no built-in pipeline `{name}`{near}; `warcsieve methods` lists them"
        )));
    };
    let below = settings_of(base.text).map_err(|e| e.in_file(base.name, base.text))?;
    for (key, value) in below.into_inner() {
        if has_steps && key.get_ref() == "segmentation" {
            continue;
        }
        table.get_mut().entry(key).or_insert(value);
    }
    Ok(Some(base))
}
