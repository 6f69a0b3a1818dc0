//! Style sheets and pictures that are records in the same input as a page.

mod address;
mod insert;
mod sheet;

pub(crate) use insert::{Inserts, inserts};

use address::key;
use std::collections::HashMap;
use std::fmt;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::sync::{Mutex, PoisonError};

/// Most bytes of a style sheet or picture.
pub const MAX_RESOURCE_BYTES: usize = 4 << 20;

/// Most bytes of all resources of an input.
const MAX_TOTAL_BYTES: u64 = 1 << 30;

/// Most resources of an input.
const MAX_RESOURCES: usize = 200_000;

/// What a resource is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResourceKind {
    /// A style sheet.
    Sheet,
    /// A picture.
    Picture,
}

impl ResourceKind {
    /// The kind for a media type. `None` for types that do not affect how a page is shown.
    pub fn of(media_type: &str) -> Option<Self> {
        match media_type {
            "text/css" => Some(Self::Sheet),
            "image/png" | "image/jpeg" | "image/gif" | "image/webp" => Some(Self::Picture),
            _ => None,
        }
    }
}

/// Resources by their addresses, in an unnamed file. Resources above a bound are left out, in the
/// order of the input, so that a page looks the same in any run.
///
/// Memory: about 40 bytes per resource.
pub struct Resources {
    file: Mutex<File>,
    places: HashMap<String, (ResourceKind, u64, usize)>,
    end: u64,
}

impl fmt::Debug for Resources {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Resources({})", self.places.len())
    }
}

impl Resources {
    /// An empty store. `scratch` must be an empty file; the resources are written to it.
    pub fn new(scratch: File) -> Self {
        Self {
            file: Mutex::new(scratch),
            places: HashMap::new(),
            end: 0,
        }
    }

    /// Adds a resource. If several have one address, the first counts.
    ///
    /// # Errors
    /// The scratch file cannot be written.
    pub fn add(&mut self, url: &str, kind: ResourceKind, bytes: &[u8]) -> io::Result<()> {
        let is_small = bytes.len() <= MAX_RESOURCE_BYTES;
        let has_room =
            self.places.len() < MAX_RESOURCES && self.end + bytes.len() as u64 <= MAX_TOTAL_BYTES;
        let key = key(url);
        if !is_small || !has_room || self.places.contains_key(&key) {
            return Ok(());
        }
        let file = self.file.get_mut().unwrap_or_else(PoisonError::into_inner);
        file.write_all(bytes)?;
        self.places.insert(key, (kind, self.end, bytes.len()));
        self.end += bytes.len() as u64;
        Ok(())
    }

    /// Whether there are no resources.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// The resource at an address, if it is of that kind.
    fn find(&self, url: &str, kind: ResourceKind) -> Option<Vec<u8>> {
        let (_, at, length) = self.places.get(&key(url)).filter(|(of, ..)| *of == kind)?;
        let mut bytes = vec![0; *length];
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(*at)).ok()?;
        file.read_exact(&mut bytes).ok()?;
        Some(bytes)
    }
}
