//! Safetensors files with `F32` tensors.

use safetensors::tensor::{Dtype, SafeTensors, TensorView};
use serde_json::json;
use std::collections::BTreeMap;

/// The texts of `__metadata__` and the tensors of a file of at most `most` bytes.
pub fn read(bytes: &[u8], most: u64) -> Result<(Text, Tensors<'_>), String> {
    if bytes.len() as u64 > most {
        let found = bytes.len();
        return Err(format!(
            "the file has {found} bytes; expected at most {most}"
        ));
    }
    let broken = |e| format!("not a valid safetensors file: {e}");
    let (_, metadata) = SafeTensors::read_metadata(bytes).map_err(broken)?;
    let text = metadata.metadata().iter().flatten();
    let text = text.map(|(k, v)| (k.clone(), v.clone())).collect();
    let tensors = SafeTensors::deserialize(bytes).map_err(broken)?;
    let tensors = tensors.iter().map(|(k, t)| (k.to_owned(), t)).collect();
    Ok((Text(text), Tensors(tensors)))
}

/// The texts not taken yet.
pub struct Text(BTreeMap<String, String>);

impl Text {
    /// The texts for people, under `about.`, and those that the model is read by.
    pub fn written<const N: usize>(
        about: &BTreeMap<String, String>,
        own: [(&str, String); N],
    ) -> BTreeMap<String, String> {
        let about = about.iter();
        let about = about.map(|(name, value)| (format!("about.{name}"), value.clone()));
        let own = own.map(|(name, value)| (name.to_owned(), value));
        about.chain(own).collect()
    }

    /// Removes a text that the model is read by.
    pub fn take(&mut self, name: &str) -> Result<String, String> {
        let value = self.0.remove(name);
        value.ok_or_else(|| format!("`__metadata__` has no `{name}`"))
    }

    /// What is left: the texts for people.
    pub fn about(self) -> Result<BTreeMap<String, String>, String> {
        let about = self.0.into_iter().map(|(name, value)| {
            let name = name.strip_prefix("about.");
            let name = name.ok_or("`__metadata__` has an unknown key")?;
            Ok((name.to_owned(), value))
        });
        about.collect()
    }
}

/// The tensors not taken yet.
pub struct Tensors<'a>(BTreeMap<String, TensorView<'a>>);

impl Tensors<'_> {
    /// Whether there is a tensor of that name.
    pub fn contains(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// Checks that no tensor is left.
    pub fn finish(self) -> Result<(), String> {
        match self.0.keys().next() {
            Some(name) => Err(format!("there is an unexpected tensor `{name}`")),
            None => Ok(()),
        }
    }

    /// Removes a tensor of `N` dimensions and returns its shape and numbers.
    pub fn take<const N: usize>(&mut self, name: &str) -> Result<([usize; N], Vec<f32>), String> {
        let tensor = self.0.remove(name);
        let tensor = tensor.ok_or_else(|| format!("there is no tensor `{name}`"))?;
        if tensor.dtype() != Dtype::F32 {
            return Err(format!("`{name}` is of {}; expected F32", tensor.dtype()));
        }
        let shape = tensor.shape().try_into().map_err(|_| {
            let found = tensor.shape().len();
            format!("`{name}` has {found} dimensions; expected {N}")
        })?;
        let numbers = tensor.data().as_chunks().0.iter();
        Ok((shape, numbers.map(|b| f32::from_le_bytes(*b)).collect()))
    }
}

/// A file being written. The library would write the metadata in an order that changes from run to
/// run.
#[derive(Default)]
pub struct Writer {
    header: BTreeMap<String, serde_json::Value>,
    data: Vec<u8>,
}

impl Writer {
    pub fn push(&mut self, name: &str, shape: &[usize], numbers: &[f32]) {
        let start = self.data.len();
        self.data
            .extend(numbers.iter().flat_map(|n| n.to_le_bytes()));
        let offsets = [start, self.data.len()];
        let tensor = json!({ "dtype": "F32", "shape": shape, "data_offsets": offsets });
        self.header.insert(name.to_owned(), tensor);
    }

    /// The header's length, the header padded to a multiple of 8 bytes, the numbers.
    pub fn finish(mut self, text: &BTreeMap<String, String>) -> Vec<u8> {
        self.header.insert("__metadata__".to_owned(), json!(text));
        let mut header = json!(self.header).to_string().into_bytes();
        header.resize(header.len().next_multiple_of(8), b' ');
        let length = (header.len() as u64).to_le_bytes();
        [&length[..], &header, &self.data].concat()
    }
}
