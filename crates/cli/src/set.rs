//! `--set KEY=VALUE`: sets a key of the pipeline.

use warcsieve_common::{Error, Result};
use warcsieve_extract::Pipeline;
use warcsieve_render::TextFormat;

#[derive(Debug, clap::Args)]
pub struct Set {
    /// Set a key of the pipeline, such as links=absolute, images=true or tables=html; may be given
    /// several times.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    keys: Vec<String>,
}

/// Keys that only affect some forms of the content, and these forms.
const FORMS: [(&str, &[TextFormat]); 4] = [
    ("links", &[TextFormat::Markdown, TextFormat::Html]),
    ("images", &[TextFormat::Markdown]),
    ("tables", &[TextFormat::Markdown]),
    ("title", &[TextFormat::Markdown]),
];

impl Set {
    /// Sets the keys.
    ///
    /// # Errors
    /// There is no such key, the value is not allowed, or the key has no effect on the form of the
    /// content. `output` and `forms` cannot be set next to `--to`.
    pub fn apply(&self, pipeline: &mut Pipeline, has_to: bool) -> Result<()> {
        for assignment in &self.keys {
            let key = assignment.split('=').next().unwrap_or_default().trim();
            if has_to && ["output", "forms"].contains(&key) {
                let why = format!("--set {assignment}: --to says the form of the content");
                return Err(Error::Invalid(why));
            }
            let settings = &pipeline.settings;
            if let Some((_, forms)) = FORMS.iter().find(|(name, _)| *name == key)
                && !settings.rendered_forms().any(|form| forms.contains(&form))
            {
                return Err(Error::Invalid(format!(
                    "--set {assignment}: only for Markdown{}, but the output is {}",
                    if forms.len() > 1 { " and HTML" } else { "" },
                    settings.output.as_str()
                )));
            }
            pipeline.set(assignment).map_err(|error| match error {
                Error::Invalid(why) => Error::Invalid(format!("--set {why}")),
                other => other,
            })?;
        }
        Ok(())
    }
}
