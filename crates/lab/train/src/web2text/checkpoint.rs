//! Saves the state of a running training to a file, so that it can be resumed.

use super::fitted::{Epoch, Fitted};
use super::network::Net;
use crate::adam::Adam;
use candle_core::{Device, Tensor, Var};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use warcsieve_common::{Error, Result};
use warcsieve_store::write_atomically;

/// The folder of a training's checkpoints, one file per network.
///
/// A training resumes only from a checkpoint of the same pages and parameters; any other is an
/// error, because the result would not be reproducible.
#[derive(Clone, Debug)]
pub struct Checkpoints {
    folder: PathBuf,
    /// Fingerprint of pages and parameters.
    fingerprint: String,
}

/// The metadata of a checkpoint file, stored with the tensors.
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Text {
    fingerprint: String,
    steps: u32,
    /// Epoch number and the bits of both losses, because decimals would not round-trip exactly.
    epochs: Vec<(usize, u64, u64)>,
    /// Number of layers of the best network; 0 if there is none yet.
    best: usize,
}

/// The key of [`Text`] in the metadata.
const KEY: &str = "warcsieve";
/// The ending of all checkpoints, and of no other file.
const ENDING: &str = "checkpoint";

impl Checkpoints {
    /// Checkpoints in this folder, which is created when the first is written.
    pub fn new(folder: &Path, fingerprint: String) -> Self {
        Self {
            folder: folder.to_owned(),
            fingerprint,
        }
    }

    /// Removes all checkpoints, and also the folder if nothing else is in it. If there are none,
    /// this is not an error.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn remove(&self) -> Result<()> {
        let files = match std::fs::read_dir(&self.folder) {
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(()),
            files => files.map_err(|e| Error::io(&self.folder, e))?,
        };
        for file in files {
            let path = file.map_err(|e| Error::io(&self.folder, e))?.path();
            if path.extension().is_some_and(|ending| ending == ENDING) {
                std::fs::remove_file(&path).map_err(|e| Error::io(&path, e))?;
            }
        }
        match std::fs::remove_dir(&self.folder) {
            Err(e) if e.kind() != std::io::ErrorKind::DirectoryNotEmpty => {
                Err(Error::io(&self.folder, e))
            }
            _ => Ok(()),
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.join(format!("{name}.{ENDING}"))
    }

    /// Writes the state of a network's training.
    pub(super) fn write(&self, name: &str, net: &Net, adam: &Adam, fitted: &Fitted) -> Result<()> {
        let path = self.path(name);
        let failed = |e: &dyn std::fmt::Display| Error::Invalid(format!("{}: {e}", path.display()));
        let mut tensors: Vec<(String, Tensor)> = Vec::new();
        for (i, (parameter, [first, second])) in
            net.parameters.iter().zip(&adam.moments).enumerate()
        {
            for (kind, tensor) in [
                ("parameter", parameter),
                ("first", first),
                ("second", second),
            ] {
                tensors.push((format!("{kind}.{i}"), tensor.as_tensor().clone()));
            }
        }
        for (i, numbers) in fitted.layers.iter().flatten().enumerate() {
            let tensor = Tensor::new(numbers.as_slice(), &Device::Cpu).map_err(|e| failed(&e))?;
            tensors.push((format!("best.{i}"), tensor));
        }
        let text = Text {
            fingerprint: self.fingerprint.clone(),
            steps: adam.steps,
            epochs: fitted.epochs.iter().map(bits).collect(),
            best: fitted.layers.len(),
        };
        let text = serde_json::to_string(&text).map_err(|e| failed(&e))?;
        let text = HashMap::from([(KEY.to_owned(), text)]);
        let bytes = safetensors::serialize(tensors, Some(text)).map_err(|e| failed(&e))?;
        write_atomically(&path, &bytes)
    }

    /// Restores the training of a network: sets `net` and `adam`, and returns the results so far;
    /// `None` if there is no checkpoint.
    pub(super) fn read(&self, name: &str, net: &Net, adam: &mut Adam) -> Result<Option<Fitted>> {
        let path = self.path(name);
        let bytes = match std::fs::read(&path) {
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            read => read.map_err(|e| Error::io(&path, e))?,
        };
        let read = self.restore(&bytes, net, adam);
        let fitted = read.map_err(|why| {
            let what = "remove the folder to train from the start";
            Error::Invalid(format!("{}: {why}; {what}", path.display()))
        })?;
        Ok(Some(fitted))
    }

    fn restore(
        &self,
        bytes: &[u8],
        net: &Net,
        adam: &mut Adam,
    ) -> std::result::Result<Fitted, String> {
        let broken = |e: &dyn std::fmt::Display| format!("not a valid checkpoint: {e}");
        let (_, metadata) =
            safetensors::SafeTensors::read_metadata(bytes).map_err(|e| broken(&e))?;
        let text = metadata.metadata().as_ref().and_then(|m| m.get(KEY));
        let text = text.ok_or("not a checkpoint of a training")?;
        let text: Text = serde_json::from_str(text).map_err(|e| broken(&e))?;
        if text.fingerprint != self.fingerprint {
            return Err("it is of other pages or parameters".to_owned());
        }
        let tensors = candle_core::safetensors::load_buffer(bytes, &Device::Cpu);
        let tensors = tensors.map_err(|e| broken(&e))?;
        let tensor = |name: String| {
            let found = tensors.get(&name);
            found.ok_or_else(|| format!("there is no tensor `{name}`"))
        };
        for (i, (parameter, [first, second])) in
            net.parameters.iter().zip(&adam.moments).enumerate()
        {
            let set = |kind: &str, var: &Var| -> std::result::Result<(), String> {
                let found = tensor(format!("{kind}.{i}"))?;
                let found = found.to_device(var.device());
                found.and_then(|t| var.set(&t)).map_err(|e| broken(&e))
            };
            set("parameter", parameter)?;
            set("first", first)?;
            set("second", second)?;
        }
        adam.steps = text.steps;
        let numbers = |i: usize| {
            let numbers = tensor(format!("best.{i}"))?.to_vec1::<f32>();
            numbers.map_err(|e| broken(&e))
        };
        let layers = (0..text.best).map(|i| Ok([numbers(2 * i)?, numbers(2 * i + 1)?]));
        Ok(Fitted {
            layers: layers.collect::<std::result::Result<_, String>>()?,
            epochs: text.epochs.into_iter().map(of_bits).collect(),
        })
    }
}

fn bits(epoch: &Epoch) -> (usize, u64, u64) {
    let (training, validation) = (epoch.training.to_bits(), epoch.validation.to_bits());
    (epoch.number, training, validation)
}

fn of_bits((number, training, validation): (usize, u64, u64)) -> Epoch {
    Epoch {
        number,
        training: f64::from_bits(training),
        validation: f64::from_bits(validation),
    }
}
