//! Style sheets and pictures from the records of an input, for pages that are laid out.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use warcsieve_common::{Error, Result};
use warcsieve_engine::Input;
use warcsieve_extract::{LayoutEngine, Settings};
use warcsieve_layout::{MAX_RESOURCE_BYTES, ResourceKind, Resources};
use warcsieve_warc::http::{BodyDecoder, HttpMessage};
use warcsieve_warc::{Limits, Record, RecordType, Source};

/// The resources of the inputs that are being read. The first thread that needs those of an input
/// gathers them.
#[derive(Default)]
pub struct Gathered {
    by_input: Mutex<HashMap<String, Slot>>,
}

/// Filled by the first thread; the others wait.
type Slot = Arc<OnceLock<Result<Option<Arc<Resources>>, String>>>;

impl Gathered {
    /// The resources of an input. `None` if no layout engine needs them, or if the input cannot be
    /// read twice.
    ///
    /// # Errors
    /// [`Error::Io`] if the input cannot be read, or there is no space for the resources.
    pub fn of(&self, input: &Input, settings: &Settings) -> Result<Option<Arc<Resources>>> {
        let is_engine = matches!(
            settings.layout,
            LayoutEngine::Blitz | LayoutEngine::Chromium
        );
        if !is_engine {
            return Ok(None);
        }
        let slot = {
            let mut slots = self.by_input.lock().unwrap_or_else(PoisonError::into_inner);
            slots.entry(input.name.clone()).or_default().clone()
        };
        let gathered = slot.get_or_init(|| {
            let gathered = gather(input, settings.limits());
            gathered.map_err(|error| error.to_string())
        });
        match gathered {
            Ok(resources) => Ok(resources.clone()),
            Err(what) => Err(Error::io(
                input.origin(),
                std::io::Error::other(what.clone()),
            )),
        }
    }

    /// Drops the resources of an input that is done.
    pub fn forget(&self, input: &Input) {
        let mut slots = self.by_input.lock().unwrap_or_else(PoisonError::into_inner);
        slots.remove(&input.name);
    }
}

fn gather(input: &Input, limits: Limits) -> Result<Option<Arc<Resources>>> {
    if input.stamp()?.is_none() {
        return Ok(None);
    }
    let scratch = tempfile::tempfile().map_err(|e| Error::io(std::env::temp_dir(), e))?;
    let mut resources = Resources::new(scratch);
    let (_, mut reader) = input.reader(limits)?;
    let (mut record, mut decoder) = (Record::default(), BodyDecoder::default());
    while reader.read_record(&mut record)? {
        add(&mut resources, &record, &mut decoder)
            .map_err(|e| Error::io(std::env::temp_dir(), e))?;
    }
    Ok(Some(Arc::new(resources)))
}

/// Adds the content of a record if it is a complete style sheet or picture with a 2xx status or
/// none.
fn add(
    resources: &mut Resources,
    record: &Record,
    decoder: &mut BodyDecoder,
) -> std::io::Result<()> {
    let is_asked_for = matches!(
        record.record_type(),
        RecordType::Response | RecordType::Resource
    );
    let Some(url) = record.header("WARC-Target-URI").filter(|_| is_asked_for) else {
        return Ok(());
    };
    let (message, media_type) = match HttpMessage::parse(record.body()) {
        Some(message) => (message, message.values("Content-Type").next()),
        None => (
            HttpMessage::bare(record.body()),
            record.header("Content-Type"),
        ),
    };
    let media_type = String::from_utf8_lossy(media_type.unwrap_or_default()).to_ascii_lowercase();
    let media_type = media_type.split(';').next().unwrap_or_default().trim();
    let is_there = message
        .status
        .is_none_or(|status| (200..300).contains(&status));
    let Some(kind) = ResourceKind::of(media_type).filter(|_| is_there) else {
        return Ok(());
    };
    match decoder.decode(&message, false, MAX_RESOURCE_BYTES) {
        Ok((bytes, _)) => {
            let url = String::from_utf8_lossy(url);
            let url = url.trim_start_matches('<').trim_end_matches('>');
            resources.add(url, kind, bytes)
        }
        Err(_) => Ok(()),
    }
}
