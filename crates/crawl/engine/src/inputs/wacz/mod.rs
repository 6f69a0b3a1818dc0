//! WACZ: crawls inside a zip file, with a list of their pages
//! (<https://specs.webrecorder.net/wacz/1.1.1/>).
//!
//! Each crawl inside is an input of its own, `crawl.wacz/archive/data.warc.gz`, with its own ledger,
//! outputs and splits. It is read in place: one that is stored is a range of the zip file, one that
//! is deflated a stream.

#[cfg(test)]
mod tests;

use super::endings::{WACZ_ENDING, is_named_crawl, is_named_input, is_named_wacz};
use super::input::{Input, InputKind};
use super::zipped::{Outer, ZippedFile};
use crate::zip::{self, Entry, is_zip};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;
use warcsieve_common::{Error, Result, counted};
use warcsieve_store::{Stamp, Stores};

/// Where crawls are inside.
const CRAWLS: &str = "archive/";
/// Where lists of pages are inside.
const PAGES: &str = "pages/";
/// Most bytes of a list of pages.
const LARGEST_LIST: u64 = 256 << 20;

/// What is of use in a WACZ file.
struct Wacz {
    crawls: Vec<ZippedFile>,
    lists: Vec<ZippedFile>,
    /// Where the file ends, if its end is missing.
    cut_at: Option<u64>,
}

/// Puts the crawls inside of WACZ files in place of these. One that cannot be read stays: it fails
/// alone when it is opened, with the reason.
pub(super) fn expand(inputs: Vec<Input>, stores: &Stores) -> Vec<Input> {
    let mut expanded = Vec::with_capacity(inputs.len());
    // Lists name the crawls of one WACZ file one after the other.
    let mut last: Option<(String, Result<Wacz>)> = None;
    for input in inputs {
        if let Some((outer, name)) = outer_of(&input, stores) {
            let origin = outer.origin();
            let (_, wacz) = match last.take() {
                Some(known) if known.0 == origin => last.insert(known),
                _ => last.insert((origin, Wacz::of(&outer))),
            };
            // A folder of an object store may be named as a WACZ file is.
            if wacz.as_ref().is_err_and(is_not_found) {
                expanded.push(input);
                continue;
            }
            let crawls = wacz.as_ref().map_or(&[][..], |wacz| &wacz.crawls);
            let kind = match crawls.iter().find(|file| file.name == name) {
                Some(file) => InputKind::Zipped(Arc::new(file.clone())),
                // It fails when it is opened, with the reason.
                None => outer.kind,
            };
            expanded.push(Input { kind, ..input });
            continue;
        }
        match may_be_wacz(&input).then(|| Wacz::of(&input)) {
            Some(Ok(wacz)) => {
                if let Some(at) = wacz.cut_at {
                    tracing::warn!(
                        "{}: cut off at byte {at}: {} before it can be read, and what followed is lost",
                        input.origin(),
                        counted(wacz.crawls.len(), "crawl", "crawls")
                    );
                }
                expanded.extend(wacz.crawls.into_iter().map(|file| Input {
                    name: format!("{}/{}", input.name, file.name),
                    kind: InputKind::Zipped(Arc::new(file)),
                    selected: None,
                }));
            }
            Some(Err(_)) | None => expanded.push(input),
        }
    }
    expanded
}

/// The WACZ file, and the path inside, that a path such as `crawl.wacz/archive/data.warc.gz` names.
fn outer_of(input: &Input, stores: &Stores) -> Option<(Input, String)> {
    let place = input.origin();
    let end = end_of_outer(&place)?;
    let (outer, name) = (&place[..end], &place[end + 1..]);
    let kind = match &input.kind {
        InputKind::File(path) if !path.exists() => InputKind::File(outer.into()),
        InputKind::Object(_) => InputKind::Object(stores.object(outer).ok()?),
        _ => return None,
    };
    let outer = Input {
        kind,
        name: input.name.clone(),
        selected: None,
    };
    Some((outer, name.to_owned()))
}

fn is_not_found(error: &Error) -> bool {
    matches!(error, Error::Io { source, .. } if source.kind() == io::ErrorKind::NotFound)
}

/// Where the name of a WACZ file ends in the path of a file inside.
fn end_of_outer(place: &str) -> Option<usize> {
    let at = place
        .to_ascii_lowercase()
        .find(&format!("{WACZ_ENDING}/"))?;
    Some(at + WACZ_ENDING.len())
}

/// Why a zip file is no input.
pub(super) fn refusal(input: &Input) -> io::Error {
    match Wacz::of(input) {
        Err(Error::Io { source, .. }) => source,
        Err(error) => io::Error::other(error.to_string()),
        Ok(_) if end_of_outer(&input.name).is_some() => {
            let name = &input.name;
            zip::error(format!(
                "no crawl in it is at the path that `{name}` ends with"
            ))
        }
        Ok(_) => zip::error(format!(
            "it is a WACZ file, and not named like one; rename it to end in `{WACZ_ENDING}`, or give it by name"
        )),
    }
}

/// Whether it is named like a WACZ file, or like nothing else; the first bytes decide then.
fn may_be_wacz(input: &Input) -> bool {
    let is_named = is_named_wacz(&input.name);
    match &input.kind {
        InputKind::File(path) => {
            (is_named || !is_named_input(&input.name)) && begins_like_zip(path)
        }
        InputKind::Object(_) => is_named,
        InputKind::Zipped(_) | InputKind::Stdin => false,
    }
}

fn begins_like_zip(path: &Path) -> bool {
    // A pipe would wait, and lose what is read of it.
    let is_file = std::fs::metadata(path).is_ok_and(|there| there.is_file());
    let mut beginning = [0; 4];
    let read =
        is_file && File::open(path).is_ok_and(|mut file| file.read_exact(&mut beginning).is_ok());
    read && is_zip(&beginning)
}

/// The lists of pages of all WACZ files among the inputs: the name below the output folder, and the
/// bytes.
///
/// # Errors
/// [`Error::Io`] where one cannot be read, or has more than 256 MiB.
pub fn page_lists(inputs: &[Input]) -> impl Iterator<Item = Result<(String, Vec<u8>)>> {
    let mut before: Option<(Outer, Stamp)> = None;
    let outers = inputs.iter().filter_map(move |input| {
        let InputKind::Zipped(file) = &input.kind else {
            return None;
        };
        let own = (file.outer.clone(), file.listed.clone());
        let is_new = before.as_ref() != Some(&own);
        before = Some(own);
        let name = input.name.strip_suffix(&file.name)?.trim_end_matches('/');
        is_new.then(|| (name.to_owned(), file.outer.input(name)))
    });
    // One list is held at a time, however many there are.
    let lists = outers.flat_map(|(name, outer)| match Wacz::of(&outer) {
        Ok(wacz) => (wacz.lists.into_iter())
            .map(|list| Ok((format!("{name}/{}", list.name), list)))
            .collect::<Vec<_>>(),
        Err(error) => vec![Err(error)],
    });
    lists.map(|list| {
        let (name, list) = list?;
        Ok((name, list.text(LARGEST_LIST)?))
    })
}

impl Outer {
    fn input(&self, name: &str) -> Input {
        Input {
            kind: match self {
                Self::File(path) => InputKind::File(path.clone()),
                Self::Object(object) => InputKind::Object(object.clone()),
            },
            name: name.to_owned(),
            selected: None,
        }
    }
}

impl Wacz {
    /// What is in a WACZ file.
    ///
    /// # Errors
    /// [`Error::Io`]: it cannot be read, it is no WACZ file, or has what none should have.
    fn of(input: &Input) -> Result<Self> {
        let outer = match &input.kind {
            InputKind::File(path) => Outer::File(path.clone()),
            InputKind::Object(object) => Outer::Object(object.clone()),
            InputKind::Stdin | InputKind::Zipped(_) => {
                return Err(refused(
                    input,
                    "a zip file cannot be read from a pipe; give the file",
                ));
            }
        };
        let listed = outer.stamp()?;
        let (from, _) = outer.anywhere(&listed)?;
        let zipped = zip::read(&from, listed.size)
            .map_err(|what| refused(input, &format!("as a zip file: {what}")))?;
        let limit = zipped.limit;
        let mut wacz = Self {
            crawls: Vec::new(),
            lists: Vec::new(),
            cut_at: zipped.is_cut.then_some(limit),
        };
        for entry in zipped.entries {
            let Some(name) = entry.name.as_deref() else {
                continue;
            };
            let is_crawl = name.starts_with(CRAWLS) && is_named_crawl(name);
            let is_list = name.starts_with(PAGES) && name.ends_with(".jsonl");
            if !is_crawl && !is_list {
                continue;
            }
            check(&entry, name).map_err(|what| refused(input, &format!("{name} in it: {what}")))?;
            let begin = zip::begin(&from, &entry, limit)
                .map_err(|what| refused(input, &format!("{name} in it: {what}")))?;
            let file = ZippedFile {
                outer: outer.clone(),
                listed: listed.clone(),
                name: name.to_owned(),
                begin,
                stored: entry.stored,
                size: entry.size,
                is_deflated: entry.method != 0,
            };
            match is_crawl {
                true => wacz.crawls.push(file),
                false => wacz.lists.push(file),
            }
        }
        for files in [&mut wacz.crawls, &mut wacz.lists] {
            files.sort_by(|a, b| a.name.cmp(&b.name));
            if let Some(twice) = files.windows(2).find(|pair| pair[0].name == pair[1].name) {
                return Err(refused(input, &format!("{} is in it twice", twice[0].name)));
            }
        }
        match wacz.crawls.is_empty() {
            true => Err(refused(
                input,
                "a zip file that is no WACZ: it has no crawl below `archive/`; unpack it, and give \
                 the folder",
            )),
            false => Ok(wacz),
        }
    }
}

/// Refuses what cannot be read, or leads elsewhere.
fn check(entry: &Entry, name: &str) -> std::result::Result<(), String> {
    let is_plain = |part: &str| !part.is_empty() && !part.starts_with(['.', '_']);
    if !name.split('/').all(is_plain)
        || name.contains(['\\', '\0'])
        || name.contains(char::is_control)
    {
        return Err("its name is none that a file here can have".to_owned());
    }
    if entry.is_encrypted {
        return Err("it is encrypted; unpack it".to_owned());
    }
    match entry.method {
        0 if entry.stored == entry.size => Ok(()),
        0 => Err("it is stored with another size than its own".to_owned()),
        // A byte of deflate is 1,032 at most.
        8 if entry.size / 1032 <= entry.stored => Ok(()),
        8 => Err("it claims more bytes than deflate can give".to_owned()),
        method => Err(format!(
            "it is compressed by method {method}; unpack it, or store it"
        )),
    }
}

fn refused(input: &Input, what: &str) -> Error {
    Error::io(input.origin(), zip::error(what.to_owned()))
}
