//! The lists of inputs that a folder is for. Without them, missing inputs would go unnoticed.
//!
//! A run lists its inputs in `_inputs/HASH.json` before it writes any output. The lists of all runs
//! together are what the folder is for. So shares, single tasks and longer lists can come in any
//! order. A listed name also claims the files of that name: if such a file is there before, another
//! program wrote it.

use super::{INPUTS, OutputFolder};
use data_encoding::HEXLOWER;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::{BTreeSet, HashSet};
use warcsieve_common::{Error, Result};
use warcsieve_engine::Input;
use warcsieve_tables::{NAMES, path_of};

/// Maximum number of attempts to read lists while other processes merge them.
const ATTEMPTS: usize = 20;

/// The content of a list file.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    inputs: Vec<String>,
}

impl OutputFolder {
    /// The inputs that runs were given, done or not, sorted by name.
    ///
    /// # Errors
    /// [`Error::Io`], or [`Error::Integrity`] if a list cannot be parsed.
    pub fn listed_inputs(&self) -> Result<Vec<String>> {
        let lists = self.lists()?.into_iter();
        let names: BTreeSet<_> = lists.flat_map(|(_, list)| list.inputs).collect();
        Ok(names.into_iter().collect())
    }

    /// The inputs that runs were given or that have a row, sorted by name.
    ///
    /// # Errors
    /// Those of [`Self::listed_inputs`].
    pub fn known_inputs(&self) -> Result<Vec<String>> {
        let listed = self.listed_inputs()?.into_iter();
        let names: BTreeSet<_> = listed.chain(self.done_inputs()?).collect();
        Ok(names.into_iter().collect())
    }

    /// Lists inputs. Returns those that are new and not done. If there are any, removes the seal.
    ///
    /// # Errors
    /// [`Error::Invalid`] if a file that no run wrote has the name of an output, or if one input
    /// needs a file where another needs a folder. Those of [`Self::listed_inputs`].
    pub fn add_inputs<'n>(
        &self,
        names: impl Iterator<Item = &'n str> + Clone,
    ) -> Result<Vec<&'n str>> {
        if !self.0.has_listing() {
            return Ok(Vec::new());
        }
        let lists = self.lists()?;
        let known: HashSet<&str> = lists.iter().flat_map(|(_, l)| l.names()).collect();
        let mut new: Vec<_> = names.clone().filter(|n| !known.contains(*n)).collect();
        if new.is_empty() {
            return Ok(new);
        }
        let done = self.done_inputs()?;
        new.retain(|name| done.binary_search_by(|d| d.as_str().cmp(name)).is_err());
        refuse_nested(
            known
                .iter()
                .copied()
                .chain(names.clone().map(|name| -> &str { name })),
        )?;
        self.refuse_foreign(&new.iter().copied().collect())?;
        // Remove the seal before writing, so that a crash leaves none. Remove it again afterwards,
        // because another process may have sealed the folder without the new inputs.
        if !new.is_empty() {
            self.unseal()?;
        }
        self.write_list(names, &lists)?;
        if !new.is_empty() {
            self.unseal()?;
        }
        Ok(new)
    }

    /// Removes inputs from the lists that are neither done nor among these, and what interrupted
    /// runs have left of them.
    ///
    /// # Errors
    /// Those of [`Self::listed_inputs`].
    pub fn forget_others(&self, inputs: &[Input]) -> Result<()> {
        let given: HashSet<&str> = inputs.iter().map(|input| input.name.as_str()).collect();
        let done = self.done_inputs()?;
        let mut others = self.listed_inputs()?;
        others.retain(|name| !given.contains(name.as_str()) && done.binary_search(name).is_err());
        let others: Vec<&str> = others.iter().map(String::as_str).collect();
        self.remove_all_of(&others)?;
        self.list_only(
            inputs.iter().map(|input| input.name.as_str()),
            &self.lists()?,
        )
    }

    /// Removes these inputs from the lists.
    pub(crate) fn unlist(&self, names: &[&str]) -> Result<()> {
        if names.is_empty() || !self.0.has_listing() {
            return Ok(());
        }
        let lists = self.lists()?;
        let kept = lists.iter().flat_map(|(_, list)| list.names());
        self.list_only(kept.filter(|name| !names.contains(name)), &lists)
    }

    /// Writes one list and removes all others.
    fn list_only<'n>(
        &self,
        names: impl Iterator<Item = &'n str>,
        lists: &[(String, List)],
    ) -> Result<()> {
        let own = self.write_list(names, lists)?;
        for (file, _) in lists.iter().filter(|(file, _)| *file != own) {
            self.0.remove(file)?;
        }
        Ok(())
    }

    /// Writes a list, and removes lists that are contained in it. Returns its file name.
    fn write_list<'n>(
        &self,
        names: impl Iterator<Item = &'n str>,
        lists: &[(String, List)],
    ) -> Result<String> {
        let names: BTreeSet<_> = names.map(str::to_owned).collect();
        let list = List {
            inputs: names.iter().cloned().collect(),
        };
        let mut json = serde_json::to_vec_pretty(&list).expect("a list is plain data");
        json.push(b'\n');
        let hash = HEXLOWER.encode(&Sha256::digest(&json));
        let own = format!("{INPUTS}/{hash:.32}.json");
        self.0.write(&own, &json)?;
        for (file, list) in lists {
            if *file != own && list.inputs.iter().all(|name| names.contains(name)) {
                self.0.remove(file)?;
            }
        }
        Ok(own)
    }

    /// All lists, each with its file name.
    fn lists(&self) -> Result<Vec<(String, List)>> {
        let file = |name: String| format!("{INPUTS}/{name}.json");
        for _ in 0..ATTEMPTS {
            let files = self.0.names(INPUTS, ".json")?.into_iter().map(file);
            let lists = files.map(|file| Ok(self.list(&file)?.map(|list| (file, list))));
            // A list that is gone was merged into another one, so read all of them again.
            if let Some(lists) = lists.collect::<Result<Option<_>>>()? {
                return Ok(lists);
            }
        }
        Err(Error::io(
            self.0.file(INPUTS),
            std::io::Error::other("changes whenever it is read"),
        ))
    }

    fn list(&self, file: &str) -> Result<Option<List>> {
        let Some(bytes) = self.0.read(file)? else {
            return Ok(None);
        };
        let list = serde_json::from_slice(&bytes).map_err(|e| Error::Integrity {
            path: self.0.file(file),
            message: format!(
                "no list of inputs ({e}); remove it, and run `clean` again with all inputs"
            ),
        })?;
        Ok(Some(list))
    }

    /// Refuses files of these names, which are not listed yet: no run wrote them.
    fn refuse_foreign(&self, new: &HashSet<&str>) -> Result<()> {
        for table in NAMES.all() {
            let mut names = self.0.names(table, ".parquet")?.into_iter();
            let Some(name) = names.find(|name| new.contains(name.as_str())) else {
                continue;
            };
            // Another process may have listed and begun it meanwhile.
            if !self.listed_inputs()?.contains(&name) {
                let path = self.0.file(&path_of(table, &name));
                return Err(Error::Invalid(format!(
                    "{}: no run has written it, and the outputs of {name} would replace it; move \
                     it away, or use another --out",
                    path.display()
                )));
            }
        }
        Ok(())
    }
}

impl List {
    fn names(&self) -> impl Iterator<Item = &str> {
        self.inputs.iter().map(String::as_str)
    }
}

/// Refuses names if one needs a file where another needs a folder.
fn refuse_nested<'n>(names: impl Iterator<Item = &'n str> + Clone) -> Result<()> {
    let mut folders = HashSet::new();
    for name in names.clone() {
        for (at, _) in name.rmatch_indices('/') {
            if !folders.insert(&name[..at]) {
                break;
            }
        }
    }
    for name in names {
        for ending in [".json", ".parquet"] {
            let file = format!("{name}{ending}");
            if folders.contains(file.as_str()) {
                return Err(Error::Invalid(format!(
                    "the outputs of {name} need a file {file}, and those of the inputs in {file}/ \
                     a folder of that name; rename one, or use two output folders"
                )));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::SUCCESS;
    use std::fs;
    use warcsieve_engine::InputKind;

    fn inputs(names: &[&str]) -> Vec<Input> {
        let input = |name: &&str| Input {
            kind: InputKind::Stdin,
            name: (*name).to_owned(),
            selected: None,
        };
        names.iter().map(input).collect()
    }

    fn files(out: &OutputFolder) -> usize {
        fs::read_dir(out.path().join(INPUTS)).unwrap().count()
    }

    #[test]
    fn lists_come_together_in_any_order() {
        let root = tempfile::tempdir().unwrap();
        let out = OutputFolder::new(root.path());
        assert!(out.listed_inputs().unwrap().is_empty());
        for names in [&["b"][..], &["a"], &["b"]] {
            out.add_inputs(names.iter().copied()).unwrap();
        }
        assert_eq!(out.listed_inputs().unwrap(), ["a", "b"]);
        assert_eq!(files(&out), 2);
        out.add_inputs(["a", "b", "c"].iter().copied()).unwrap();
        assert_eq!(out.listed_inputs().unwrap(), ["a", "b", "c"]);
        assert_eq!(files(&out), 1, "one list holds the others");
        out.unlist(&["a"]).unwrap();
        assert_eq!(out.listed_inputs().unwrap(), ["b", "c"]);
        out.forget_others(&inputs(&["b"])).unwrap();
        assert_eq!(out.listed_inputs().unwrap(), ["b"]);
    }

    #[test]
    fn processes_that_list_at_once_lose_nothing() {
        let root = tempfile::tempdir().unwrap();
        let out = OutputFolder::new(root.path());
        let names: Vec<_> = (0..8).map(|i| format!("{i}")).collect();
        std::thread::scope(|scope| {
            for i in 1..=8 {
                let (out, names) = (&out, &names);
                scope.spawn(move || {
                    let names: Vec<_> = names[..i].iter().map(String::as_str).collect();
                    out.add_inputs(names.iter().copied()).unwrap();
                    let listed = out.listed_inputs().unwrap();
                    assert!(names.iter().all(|n| listed.iter().any(|l| l == n)));
                });
            }
        });
        assert_eq!(out.listed_inputs().unwrap(), names);
    }

    #[test]
    fn files_of_others_and_folders_in_the_way_are_refused() {
        let root = tempfile::tempdir().unwrap();
        let out = OutputFolder::new(root.path());
        fs::create_dir_all(root.path().join("blocks/x")).unwrap();
        fs::write(root.path().join("blocks/x/a.warc.parquet"), "mine").unwrap();
        fs::write(root.path().join(SUCCESS), "").unwrap();
        let error = out.add_inputs(["x/a.warc"].iter().copied()).unwrap_err();
        assert!(
            error.to_string().contains("no run has written it"),
            "{error}"
        );
        for other in ["a.gz.json/b.gz", "a.gz.parquet/c/b.gz"] {
            let error = out.add_inputs(["a.gz", other].iter().copied()).unwrap_err();
            assert!(
                error.to_string().contains("a folder of that name"),
                "{error}"
            );
        }
        assert!(
            out.is_sealed().unwrap(),
            "a run that is refused changes nothing"
        );
        out.add_inputs(["x/b.warc", "x/b.warc.js/c"].iter().copied())
            .unwrap();
        assert!(!out.is_sealed().unwrap());
    }
}
