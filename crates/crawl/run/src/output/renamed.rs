//! Detects inputs that the folder knows by another name.
//!
//! Names are paths below a base, and the default base is the common folder of the given inputs. So
//! a part of a crawl gets shorter names than the whole crawl, and its pages would be in the tables
//! twice. Example: `clean crawl/` calls an input `en/00.warc.gz`, and `clean crawl/en/` calls it
//! `00.warc.gz`.

use super::OutputFolder;
use std::collections::HashSet;
use warcsieve_common::{Error, Result};
use warcsieve_engine::Input;

impl OutputFolder {
    /// Refuses an input that an earlier run knew by another name. The other name must be an ending
    /// of the input's path, and not the name of another given input.
    ///
    /// It is the same input if it is done with the same stamp, or if the other name is longer and
    /// not done yet.
    ///
    /// # Errors
    /// [`Error::Invalid`]; [`Error::Io`] or [`Error::Integrity`] if names or a row cannot be read.
    pub fn refuse_renamed(&self, inputs: &[Input]) -> Result<()> {
        if !self.0.has_listing() {
            return Ok(());
        }
        let own: HashSet<&str> = inputs.iter().map(|input| input.name.as_str()).collect();
        let listed = self.listed_inputs()?;
        let listed: HashSet<&str> = listed.iter().map(String::as_str).collect();
        if own.iter().all(|name| listed.contains(name)) {
            return Ok(());
        }
        let done = self.done_inputs()?;
        let known: HashSet<&str> = done.iter().map(String::as_str).chain(listed).collect();
        let is_other = |name: &str| known.contains(name) && !own.contains(name);
        for input in inputs.iter().filter(|input| !known.contains(&*input.name)) {
            let place = input.place();
            for (at, _) in place.match_indices('/') {
                let base = if at == 0 { "/" } else { &place[..at] };
                let other = &place[at + 1..];
                if is_other(other) && self.may_be(input, other)? {
                    let below = |input: &Input| input.place().starts_with(&place[..=at]);
                    let advice = match inputs.iter().all(below) {
                        true => format!("give --base {base}, or "),
                        false => String::new(),
                    };
                    return Err(Error::Invalid(format!(
                        "{place} may be the same input as {other} in {}; as {} its pages would be there twice; {advice}use another --out",
                        self.path().display(),
                        input.name,
                    )));
                }
            }
        }
        Ok(())
    }

    /// Whether `other` in the folder may be this input.
    fn may_be(&self, input: &Input, other: &str) -> Result<bool> {
        let Some(row) = self.row(other)? else {
            return Ok(other.len() > input.name.len());
        };
        // An input that cannot be opened fails later with its own message.
        let (Some(then), Some(now)) = (row.stamp, input.stamp().ok().flatten()) else {
            return Ok(false);
        };
        Ok(then.difference(&now).is_none())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::path::Path;
    use warcsieve_engine::InputKind;

    fn input(path: &Path, name: &str) -> Input {
        Input {
            kind: InputKind::File(path.to_owned()),
            name: name.to_owned(),
            selected: None,
        }
    }

    #[test]
    fn a_part_of_a_listed_crawl_needs_the_base_of_the_whole() {
        let root = tempfile::tempdir().unwrap();
        let out = OutputFolder::new(root.path().join("out"));
        let path = root.path().join("crawl/en/00.warc.gz");
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, "").unwrap();
        let short = input(&path, "00.warc.gz");
        out.refuse_renamed(std::slice::from_ref(&short)).unwrap();
        out.add_inputs(["en/00.warc.gz"].into_iter()).unwrap();
        let error = out
            .refuse_renamed(std::slice::from_ref(&short))
            .unwrap_err();
        let base = root.path().join("crawl").display().to_string();
        assert!(
            error.to_string().contains(&format!("--base {base},")),
            "{error}"
        );
        assert_eq!(input(&path, "en/00.warc.gz").base(), Some(base));
        out.refuse_renamed(&[input(&path, "en/00.warc.gz")])
            .unwrap();
        // Another file of that name, and two inputs of one run whose names are alike.
        let other = input(&root.path().join("crawl/00.warc.gz"), "00.warc.gz");
        out.refuse_renamed(&[other]).unwrap();
        out.refuse_renamed(&[short, input(&path, "en/00.warc.gz")])
            .unwrap();
        // The shorter name is listed but not done, so no page is in the tables yet.
        let out = OutputFolder::new(root.path().join("other"));
        out.add_inputs(["00.warc.gz"].into_iter()).unwrap();
        out.refuse_renamed(&[input(&path, "en/00.warc.gz")])
            .unwrap();
    }
}
