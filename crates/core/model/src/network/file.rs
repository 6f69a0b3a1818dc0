//! Networks as a safetensors file with `F32` tensors.
//!
//! | tensor | shape | |
//! |---|---|---|
//! | `offset`, `scale` | features | how features are standardised |
//! | `unary.0.weights`, `unary.1.weights` … | width, inputs, outputs | a layer each |
//! | `unary.0.bias`, `unary.1.bias` … | outputs | |
//! | `pairwise.0.weights` … | | the same for the other network |
//!
//! Its `__metadata__` holds `format`, which is `1`, `method`, which is `web2text`, `features`, a
//! JSON array of names, and any number of keys `about.*`, for people.

use super::{Layer, Network, PotentialNetworks};
use crate::tensors::{self, Tensors, Text, Writer};
use std::collections::BTreeMap;

/// The format that this version writes and reads.
const FORMAT: &str = "1";
/// The method that uses these networks.
const METHOD: &str = "web2text";

impl PotentialNetworks {
    /// Reads a model file.
    ///
    /// # Errors
    /// What was found, and what was expected.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, String> {
        let (text, mut tensors) = tensors::read(bytes, Self::MAX_BYTES)?;
        let (about, features) = read_text(text)?;
        let networks = Self {
            about,
            features,
            offset: tensors.take::<1>("offset")?.1,
            scale: tensors.take::<1>("scale")?.1,
            unary: take_network(&mut tensors, "unary")?,
            pairwise: take_network(&mut tensors, "pairwise")?,
        };
        tensors.finish()?;
        networks.check()?;
        Ok(networks)
    }

    /// The bytes of a model file, from which [`PotentialNetworks::from_bytes`] makes the same
    /// networks. Deterministic: equal networks produce equal bytes.
    ///
    /// # Errors
    /// What [`PotentialNetworks::check`] finds, or more bytes than
    /// [`PotentialNetworks::MAX_BYTES`].
    pub fn to_bytes(&self) -> Result<Vec<u8>, String> {
        self.check()?;
        let mut file = Writer::default();
        file.push("offset", &[self.offset.len()], &self.offset);
        file.push("scale", &[self.scale.len()], &self.scale);
        for (name, network) in [("unary", &self.unary), ("pairwise", &self.pairwise)] {
            for (i, layer) in network.layers.iter().enumerate() {
                let shape = [layer.width, layer.inputs, layer.outputs];
                file.push(&format!("{name}.{i}.weights"), &shape, &layer.weights);
                file.push(&format!("{name}.{i}.bias"), &shape[2..], &layer.bias);
            }
        }
        let bytes = file.finish(&self.text());
        match bytes.len() as u64 > Self::MAX_BYTES {
            true => Err(format!(
                "the file would have more than {} bytes",
                Self::MAX_BYTES
            )),
            false => Ok(bytes),
        }
    }

    /// The contents of `__metadata__`.
    fn text(&self) -> BTreeMap<String, String> {
        let features = serde_json::Value::from(self.features.as_slice());
        let own = [
            ("format", FORMAT.to_owned()),
            ("method", METHOD.to_owned()),
            ("features", features.to_string()),
        ];
        Text::written(&self.about, own)
    }
}

/// Reads `__metadata__`: the texts for people and the names of the features.
fn read_text(mut text: Text) -> Result<(BTreeMap<String, String>, Vec<String>), String> {
    let format = text.take("format")?;
    if format != FORMAT {
        return Err(format!(
            "format {format} is not {FORMAT}, which this version reads"
        ));
    }
    let method = text.take("method")?;
    if method != METHOD {
        return Err(format!("the model is for `{method}`; expected `{METHOD}`"));
    }
    let features = serde_json::from_str(&text.take("features")?)
        .map_err(|e| format!("`features` are no JSON array of names: {e}"))?;
    Ok((text.about()?, features))
}

/// Removes all layers of a network; whether they fit each other is checked later.
fn take_network(tensors: &mut Tensors<'_>, name: &str) -> Result<Network, String> {
    let mut network = Network::default();
    loop {
        let layer = format!("{name}.{}", network.layers.len());
        let known = format!("{layer}.weights");
        if !network.layers.is_empty() && !tensors.contains(&known) {
            return Ok(network);
        }
        let ([width, inputs, outputs], weights) = tensors.take(&known)?;
        let ([_], bias) = tensors.take(&format!("{layer}.bias"))?;
        network.layers.push(Layer {
            inputs,
            outputs,
            width,
            weights,
            bias,
        });
    }
}
