//! Whose folder it is: a run writes only where nobody else has written.

use super::{MANIFEST, OutputFolder, RECIPE};
use crate::manifest::Recipe;
use std::thread;
use std::time::Duration;
use warcsieve_common::{Error, Result};

/// Attempts to claim the folder.
const CLAIMS: usize = 100;

impl OutputFolder {
    /// Claims the folder for a recipe: writes it, or compares it with the one that an earlier run
    /// or another process has written. With `redo` it replaces another one.
    ///
    /// # Errors
    /// [`Error::Invalid`] naming the difference, or a file of somebody else; [`Error::Io`].
    pub fn claim(&self, recipe: &Recipe, redo: bool) -> Result<()> {
        self.0.make()?;
        let mut json = serde_json::to_vec_pretty(recipe).expect("a recipe is plain data");
        json.push(b'\n');
        for attempt in 0..CLAIMS {
            // Of two processes that begin at once, one creates the file and the other compares.
            let Some(bytes) = self.0.read(RECIPE)? else {
                if self.is_output()? || !self.0.write_new(RECIPE, &json)? {
                    continue;
                }
                return Ok(());
            };
            // A file system that has no second names for files may have it half written.
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
                    "{} was made otherwise: {what}; use another --out, or --redo to clean the \
                     inputs again",
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
            std::io::Error::other("is there when it is written and is not when it is read"),
        ))
    }

    /// Whether a run has claimed the folder; `false` if it is empty or does not exist.
    ///
    /// # Errors
    /// [`Error::Invalid`] if it holds the files of somebody else, [`Error::Io`].
    pub fn is_output(&self) -> Result<bool> {
        if self.0.size(RECIPE)?.is_some() {
            return Ok(true);
        }
        let Some(file) = self.0.any_file()? else {
            return Ok(false);
        };
        // A process may have claimed it meanwhile.
        if self.0.size(RECIPE)?.is_some() {
            return Ok(true);
        }
        Err(Error::Invalid(format!(
            "{} is no output folder of `clean`: it holds {file} and no {RECIPE}; name one that \
             `clean` wrote, or an empty one to write to",
            self.path().display()
        )))
    }

    /// The recipe that claims the folder; `None` where there is none.
    ///
    /// # Errors
    /// [`Error::Invalid`] where it is not one of this version, [`Error::Io`].
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
