//! Style sheets and pictures from the records of an input, for pages that are laid out.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use warcsieve_common::{Error, Result};
use warcsieve_engine::{Input, Progress};
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
    /// Gathers the resources of an input, unless another thread does. There are none if no layout
    /// engine needs them, or if the input cannot be read twice.
    ///
    /// # Errors
    /// [`Error::Io`] if the input cannot be read, or there is no space for the resources;
    /// [`Error::Stopped`].
    pub fn gather(
        &self,
        input: &Input,
        settings: &Settings,
        progress: &Arc<Progress>,
    ) -> Result<()> {
        let is_engine = matches!(
            settings.layout,
            LayoutEngine::Blitz | LayoutEngine::Chromium
        );
        if !is_engine {
            return Ok(());
        }
        let slot = self.slots().entry(input.name.clone()).or_default().clone();
        let gathered = slot.get_or_init(|| {
            let gathered = gather(input, settings.max_page_bytes, progress);
            gathered.map_err(|error| error.to_string())
        });
        progress.go_on()?;
        match gathered {
            Ok(_) => Ok(()),
            Err(what) => Err(Error::io(
                input.origin(),
                std::io::Error::other(what.clone()),
            )),
        }
    }

    /// The resources of an input that were gathered and not dropped.
    pub fn get(&self, input: &Input) -> Option<Arc<Resources>> {
        let slots = self.slots();
        let gathered = slots.get(&input.name)?.get()?.as_ref().ok()?;
        gathered.clone()
    }

    /// Drops the resources of an input that is done or failed.
    pub fn drop_those_of(&self, input: &Input) {
        self.slots().remove(&input.name);
    }

    fn slots(&self) -> MutexGuard<'_, HashMap<String, Slot>> {
        self.by_input.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn gather(
    input: &Input,
    max_page_bytes: usize,
    progress: &Arc<Progress>,
) -> Result<Option<Arc<Resources>>> {
    if input.stamp()?.is_none() {
        return Ok(None);
    }
    let scratch = tempfile::tempfile().map_err(|e| Error::io(std::env::temp_dir(), e))?;
    let mut resources = Resources::new(scratch);
    let mut reader = input.watched_reader(Limits::for_pages(max_page_bytes), progress)?;
    let (mut record, mut decoder) = (Record::default(), BodyDecoder::default());
    while reader.read_record(&mut record)? {
        progress.go_on()?;
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

#[cfg(test)]
mod tests {
    use super::*;
    use warcsieve_engine::{Naming, list_inputs};
    use warcsieve_store::Stores;

    #[test]
    fn resources_are_there_from_gathering_until_they_are_dropped() {
        let crawl = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../../testdata/crawl/en0000/00.warc.gz"
        );
        let inputs = list_inputs(&[crawl.to_owned()], &Naming::default(), &Stores::default());
        let input = &inputs.unwrap()[0];
        let gathered = Gathered::default();
        for (layout, are_gathered) in [(LayoutEngine::None, false), (LayoutEngine::Blitz, true)] {
            let settings = Settings {
                layout,
                ..Settings::default()
            };
            gathered.gather(input, &settings, &Arc::default()).unwrap();
            assert_eq!(gathered.get(input).is_some(), are_gathered);
            // A thread may still ask for those of an input that has failed.
            gathered.drop_those_of(input);
            assert!(gathered.get(input).is_none());
        }
    }
}
