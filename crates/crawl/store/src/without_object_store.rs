//! Placeholders for object stores in a build without the feature `object-store`.

use super::{Listed, RetryPolicy, Stamp};
use std::fs::File;
use std::io::Read;
use std::ops::Range;
use warcsieve_common::{Error, Result};

/// Empty: this build supports no object stores.
#[derive(Clone, Debug, Default)]
pub struct Stores;

/// A type without values: there are no objects in this build.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Object {}

impl Stores {
    /// Ignores the options.
    pub fn new(_: impl IntoIterator<Item = (String, String)>, _: RetryPolicy) -> Self {
        Self
    }

    /// Refuses any address.
    ///
    /// # Errors
    /// [`Error::Invalid`], always.
    pub fn object(&self, address: &str) -> Result<Object> {
        Err(Error::Invalid(format!(
            "{address}: this build reads and writes no object stores; build it with the feature \
             `object-store`"
        )))
    }

    /// Refuses any address.
    ///
    /// # Errors
    /// [`Error::Invalid`], always.
    pub fn list(&self, address: &str) -> Result<Vec<Listed>> {
        self.object(address).map(|object| match object {})
    }
}

impl Object {
    /// Cannot be called.
    pub fn address(&self) -> &str {
        match *self {}
    }

    /// Cannot be called.
    ///
    /// # Errors
    /// None.
    pub fn below(&self, _: &str) -> Result<Self> {
        match *self {}
    }

    /// Cannot be called.
    ///
    /// # Errors
    /// None.
    pub fn stamp(&self) -> Result<Option<Stamp>> {
        match *self {}
    }

    /// Cannot be called.
    ///
    /// # Errors
    /// None.
    pub fn open(&self, _: fn(&[u8]) -> bool) -> Result<(Stamp, Box<dyn Read + Send>)> {
        match *self {}
    }

    /// Cannot be called.
    pub fn open_range(&self, _: Range<u64>, _: &Stamp) -> Box<dyn Read + Send> {
        match *self {}
    }

    /// Cannot be called.
    ///
    /// # Errors
    /// None.
    pub fn read(&self, _: fn(&[u8]) -> bool) -> Result<Option<Vec<u8>>> {
        match *self {}
    }

    /// Cannot be called.
    ///
    /// # Errors
    /// None.
    pub fn write(&self, _: &[u8]) -> Result<()> {
        match *self {}
    }

    /// Cannot be called.
    ///
    /// # Errors
    /// None.
    pub fn write_new(&self, _: &[u8]) -> Result<bool> {
        match *self {}
    }

    /// Cannot be called.
    ///
    /// # Errors
    /// None.
    pub fn upload(&self, _: &mut File, _: u64) -> Result<()> {
        match *self {}
    }

    /// Cannot be called.
    ///
    /// # Errors
    /// None.
    pub fn remove(&self) -> Result<()> {
        match *self {}
    }
}
