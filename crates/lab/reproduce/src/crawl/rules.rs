//! Rules for repeated texts.

use crate::corpora::{shipped_text, with_forest};
use crate::frequencies::count;
use crate::{Result, data};
use std::path::{Path, PathBuf};
use warcsieve_engine::Input;
use warcsieve_extract::Pipeline;
use warcsieve_model::Forest;

/// A rule.
#[derive(Clone, Copy)]
pub struct Rule {
    pub name: &'static str,
    /// Parameters of `repeated`; `None` is the default alone.
    params: Option<&'static str>,
}

/// The default, what ships, and other choices.
pub fn rules() -> Result<Vec<Rule>> {
    let rules = data!("crawl/rules.tsv")?.rows()?.into_iter();
    let rule = |[name, params]: [&'static str; 2]| Rule {
        name,
        params: (params != "-").then_some(params),
    };
    Ok(rules.map(rule).collect())
}

impl Rule {
    /// One of the default pipelines with the rule. `forest` replaces the one that ships.
    pub fn pipeline(
        self,
        folder: &Path,
        base: &str,
        table: &Path,
        forest: Option<(&str, &Forest)>,
    ) -> Result<Pipeline> {
        let mut text = match forest {
            Some((name, forest)) => with_forest(folder, base, name, forest)?,
            None => shipped_text(base)?.to_owned(),
        };
        if let Some(params) = self.params {
            let table = table.display();
            text += "\n[[step]]\nmethod = \"repeated\"\n";
            text += &format!("frequencies = \"{table}\"\n{params}\n");
        }
        let name = folder.join("crawl.toml").display().to_string();
        Ok(Pipeline::parse(&warcsieve_papers::METHODS, &name, &text)?)
    }
}

/// Counts the texts of inputs as `clean` does for `default-crawl`, but includes texts on only two
/// pages.
pub fn table_of(inputs: &[Input], folder: &Path, name: &str) -> Result<PathBuf> {
    let file = std::path::absolute(folder.join(name))?;
    count(
        inputs,
        &Pipeline::built_in(&warcsieve_papers::METHODS, "default")?,
        true,
        &file,
    )?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_but_the_first_has_the_step() {
        let folder = tempfile::tempdir().unwrap();
        let table = folder.path().join("x.freq");
        for (at, rule) in rules().unwrap().into_iter().enumerate() {
            let pipeline = rule.pipeline(folder.path(), "default", &table, None);
            assert_eq!(
                pipeline.is_ok(),
                at == 0,
                "{}: there is no table",
                rule.name
            );
        }
    }
}
