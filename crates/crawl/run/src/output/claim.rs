//! Claims a folder for a run. A run never writes into a folder with files of another program.

use super::{MANIFEST, OutputFolder, RECIPE};
use crate::manifest::Recipe;
use std::thread;
use std::time::Duration;
use warcsieve_common::{Error, Result};

/// Maximum number of attempts to claim the folder.
const CLAIMS: usize = 100;

impl OutputFolder {
    /// Claims the folder for a recipe. If there is no recipe file yet, writes it. Otherwise
    /// compares it with the one that an earlier run or another process wrote. With `redo`, a
    /// different recipe is replaced.
    ///
    /// # Errors
    /// [`Error::Invalid`] with the difference, or with a file that warcsieve did not write;
    /// [`Error::Io`].
    pub fn claim(&self, recipe: &Recipe, redo: bool) -> Result<()> {
        self.refuse_half_forgotten()?;
        self.0.make()?;
        let mut json = serde_json::to_vec_pretty(recipe).expect("a recipe is plain data");
        json.push(b'\n');
        for attempt in 0..CLAIMS {
            // If two processes begin at once, one creates the file and the other compares.
            let Some(bytes) = self.0.read(RECIPE)? else {
                if self.is_output()? || !self.0.write_new(RECIPE, &json)? {
                    continue;
                }
                return Ok(());
            };
            // On a file system without hard links, another process may have written only a part
            // yet.
            let is_part = json.starts_with(&bytes) && bytes.len() < json.len();
            if is_part && attempt + 1 < CLAIMS / 10 {
                thread::sleep(Duration::from_millis(20));
                continue;
            }
            if is_part {
                return self.0.write(RECIPE, &json);
            }
            return match self.parse(&bytes)?.difference(recipe) {
                None => Ok(()),
                Some(what) if !redo => Err(Error::Invalid(format!(
                    "{} was made with another recipe: {what}; use another --out, or --redo to clean \
                     the inputs again",
                    self.path().display()
                ))),
                Some(_) => {
                    self.unseal()?;
                    self.0.write(RECIPE, &json)
                }
            };
        }
        Err(Error::io(
            self.0.file(RECIPE),
            std::io::Error::other("exists when it is written, but not when it is read"),
        ))
    }

    /// Whether a run has claimed the folder. `false` if the folder is empty or does not exist.
    ///
    /// # Errors
    /// [`Error::Invalid`] if it holds files that warcsieve did not write; [`Error::Io`].
    pub fn is_output(&self) -> Result<bool> {
        if self.0.size(RECIPE)?.is_some() {
            return Ok(true);
        }
        let Some(file) = self.0.any_file()? else {
            return Ok(false);
        };
        // Another process may have claimed it meanwhile.
        if self.0.size(RECIPE)?.is_some() {
            return Ok(true);
        }
        let lacks = format!("it has {file} but no {RECIPE}");
        let advice = "name one that `clean` wrote, or an empty one to write to";
        Err(self.refusal(&lacks, advice))
    }

    /// The recipe that claims the folder; `None` if there is none.
    ///
    /// # Errors
    /// [`Error::Invalid`] if the file is not a recipe of this version; [`Error::Io`].
    pub fn recipe(&self) -> Result<Option<Recipe>> {
        let bytes = self.0.read(RECIPE)?;
        bytes.map(|b| self.parse(&b)).transpose()
    }

    fn parse(&self, bytes: &[u8]) -> Result<Recipe> {
        serde_json::from_slice(bytes).map_err(|e| {
            Error::Invalid(format!(
                "{}: no recipe of `clean` of this version ({e}); use another --out, or remove it \
                 together with {MANIFEST} if the folder is one",
                self.0.file(RECIPE).display()
            ))
        })
    }
}
