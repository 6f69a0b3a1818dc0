//! WACZ: crawls inside a zip file, with a list of their pages
//! (<https://specs.webrecorder.net/wacz/1.1.1/>).
//!
//! Each crawl inside is an input of its own, `crawl.wacz/archive/data.warc.gz`, with its own
//! ledger, outputs and splits. It is read in place: a stored file is a range of the zip file, and a
//! deflated file is a stream.

#[cfg(test)]
mod tests;

use super::endings::{WACZ_ENDING, is_named_crawl, is_named_input, is_named_wacz};
use super::input::{Input, InputKind};
use super::name::escaped;
use super::zipped::{Outer, ZippedFile};
use crate::zip::{self, Entry, is_zip};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;
use warcsieve_common::files::{is_file, is_there};
use warcsieve_common::{Error, Result, counted, is_lasting};
use warcsieve_store::{Stamp, Stores};

/// Folder of the crawls inside.
const CRAWLS: &str = "archive/";
/// Folder of the lists of pages inside.
const PAGES: &str = "pages/";
/// Most bytes of a list of pages.
const MAX_LIST_BYTES: u64 = 256 << 20;

/// The useful parts of a WACZ file.
struct Wacz {
    crawls: Vec<ZippedFile>,
    lists: Vec<ZippedFile>,
    /// Where the file ends, if its end is missing.
    cut_at: Option<u64>,
}

/// Replaces WACZ files by the crawls inside them. A WACZ file that cannot be read stays in the
/// list: it fails alone when it is opened, with the reason. So does one whose end is missing, beside
/// the crawls that are left of it: what is lost is in the books of the run.
pub(super) fn expand(inputs: Vec<Input>, stores: &Stores) -> Result<Vec<Input>> {
    let mut expanded = Vec::with_capacity(inputs.len());
    // Lists name the crawls of one WACZ file one after the other.
    let mut last: Option<(String, Result<Wacz>)> = None;
    for input in inputs {
        if let Some((outer, name)) = outer_of(&input, stores)? {
            let origin = outer.origin();
            let known = match last.take() {
                Some(known) if known.0 == origin => known,
                _ => (origin, Wacz::of(&outer)),
            };
            let known = match known {
                (_, Err(Error::Io { path, source })) if !is_lasting(&source) => {
                    return Err(Error::Io { path, source });
                }
                known => known,
            };
            let (_, wacz) = last.insert(known);
            // A folder of an object store may have a name like that of a WACZ file.
            if wacz.as_ref().is_err_and(is_not_found) {
                expanded.push(input);
                continue;
            }
            let crawls = wacz.as_ref().map_or(&[][..], |wacz| &wacz.crawls);
            let kind = match crawls.iter().find(|file| file.name == name) {
                Some(file) => {
                    if file.may_be_cut && input.selected.is_none() {
                        let name =
                            name_of_outer(&input.name, &escaped(file.name.as_bytes()), &outer);
                        expanded.push(Input { name, ..outer });
                    }
                    InputKind::Zipped(Arc::new(file.clone()))
                }
                // It fails when it is opened, with the reason.
                None => outer.kind,
            };
            expanded.push(Input { kind, ..input });
            continue;
        }
        match may_be_wacz(&input)?.then(|| Wacz::of(&input)) {
            Some(Ok(wacz)) => {
                expanded.extend(wacz.crawls.into_iter().map(|file| Input {
                    name: format!("{}/{}", input.name, escaped(file.name.as_bytes())),
                    kind: InputKind::Zipped(Arc::new(file)),
                    selected: None,
                }));
                if wacz.cut_at.is_some() {
                    expanded.push(Input {
                        selected: None,
                        ..input
                    });
                }
            }
            // Its crawls would not be known.
            Some(Err(Error::Io { path, source })) if !is_lasting(&source) => {
                return Err(Error::Io { path, source });
            }
            Some(Err(_)) | None => expanded.push(input),
        }
    }
    Ok(expanded)
}

/// The WACZ file that a path such as `crawl.wacz/archive/data.warc.gz` names, and the path inside.
fn outer_of(input: &Input, stores: &Stores) -> Result<Option<(Input, String)>> {
    let place = input.origin();
    let Some(end) = end_of_outer(&place) else {
        return Ok(None);
    };
    let (outer, name) = (&place[..end], &place[end + 1..]);
    let kind = match &input.kind {
        InputKind::File(path) if !is_there(path)? => InputKind::File(outer.into()),
        InputKind::Object(_) => match stores.object(outer) {
            Ok(object) => InputKind::Object(object),
            Err(_) => return Ok(None),
        },
        _ => return Ok(None),
    };
    let outer = Input {
        kind,
        name: input.name.clone(),
        selected: None,
    };
    Ok(Some((outer, name.to_owned())))
}

/// The name of a WACZ file of which one crawl was named: the name of the crawl without its path
/// inside, or the name of the file if the base is in it.
fn name_of_outer(crawl: &str, inside: &str, outer: &Input) -> String {
    let name = crawl.strip_suffix(inside).and_then(|n| n.strip_suffix('/'));
    let place = outer.place();
    let file = place.rsplit('/').next().unwrap_or_default();
    name.unwrap_or(file).to_owned()
}

fn is_not_found(error: &Error) -> bool {
    matches!(error, Error::Io { source, .. } if source.kind() == io::ErrorKind::NotFound)
}

/// Where the name of the WACZ file ends in the path of a file inside.
fn end_of_outer(place: &str) -> Option<usize> {
    let at = place
        .to_ascii_lowercase()
        .find(&format!("{WACZ_ENDING}/"))?;
    Some(at + WACZ_ENDING.len())
}

/// The most crawls that a message names.
const MAX_NAMED: usize = 3;

/// Whether a WACZ file stands for a crawl inside that it does not have. The base may be in the file.
fn is_of_crawl_inside(input: &Input) -> bool {
    let is_below = is_named_wacz(&input.origin()) && !is_named_wacz(&input.name);
    is_below || end_of_outer(&input.name).is_some()
}

/// Why a zip file is not an input.
pub(super) fn refusal(input: &Input) -> io::Error {
    match Wacz::of(input) {
        Err(Error::Io { source, .. }) => source,
        Err(error) => io::Error::other(error.to_string()),
        Ok(wacz) if is_of_crawl_inside(input) => {
            let name = &input.name;
            let cut = wacz.cut_at.map(|at| format!("cut off at byte {at}: "));
            let crawls = wacz.crawls.iter().map(|crawl| crawl.name.as_str());
            let has: Vec<&str> = crawls.take(MAX_NAMED).collect();
            let more = match wacz.crawls.len().saturating_sub(MAX_NAMED) {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            zip::error(format!(
                "{}no crawl in it has the path at the end of `{name}`; it has {}{more}",
                cut.unwrap_or_default(),
                has.join(", ")
            ))
        }
        Ok(Wacz {
            cut_at: Some(at),
            crawls,
            ..
        }) => zip::error(format!(
            "cut off at byte {at}: {} before that byte can be read, the rest is lost; download it again",
            counted(crawls.len(), "crawl", "crawls")
        )),
        Ok(_) => zip::error(format!(
            "it is a WACZ file, but its name does not end in `{WACZ_ENDING}`; rename it"
        )),
    }
}

/// Whether a file may be a WACZ file: by its name, or by its first bytes if the name has no known
/// ending.
fn may_be_wacz(input: &Input) -> Result<bool> {
    let is_named = is_named_wacz(&input.name);
    match &input.kind {
        InputKind::File(path) => {
            Ok((is_named || !is_named_input(&input.name)) && begins_like_zip(path)?)
        }
        InputKind::Object(_) => Ok(is_named),
        InputKind::Zipped(_) | InputKind::Stdin => Ok(false),
    }
}

fn begins_like_zip(path: &Path) -> Result<bool> {
    // Reading a pipe would wait and lose the bytes that were read.
    if !is_file(path)? {
        return Ok(false);
    }
    let mut beginning = [0; 4];
    match File::open(path).and_then(|mut file| file.read_exact(&mut beginning)) {
        Ok(()) => Ok(is_zip(&beginning)),
        // It is shorter, or it is not ours to read.
        Err(e) if e.raw_os_error().is_none() || is_lasting(&e) => Ok(false),
        Err(e) => Err(Error::io(path, e)),
    }
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
        let inside = escaped(file.name.as_bytes());
        let name = input.name.strip_suffix(&inside)?.trim_end_matches('/');
        is_new.then(|| (name.to_owned(), file.outer.input(name)))
    });
    // One list is held at a time, however many there are.
    let lists = outers.flat_map(|(name, outer)| match Wacz::of(&outer) {
        Ok(wacz) => (wacz.lists.into_iter())
            .map(|list| Ok((format!("{name}/{}", escaped(list.name.as_bytes())), list)))
            .collect::<Vec<_>>(),
        Err(error) => vec![Err(error)],
    });
    lists.map(|list| {
        let (name, list) = list?;
        Ok((name, list.text(MAX_LIST_BYTES)?))
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
    /// The parts of a WACZ file.
    ///
    /// # Errors
    /// [`Error::Io`]: it cannot be read, is not a WACZ file, or contains an entry that is not
    /// allowed.
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
        let from = outer.ranges(&listed)?;
        let is_crawl = |name: &str| name.starts_with(CRAWLS) && is_named_crawl(name);
        let no_zip = |why| refused_by(input, "as a zip file", why);
        let (zipped, is_cut) = match zip::read(&from, listed.size) {
            Ok(zipped) => (zipped, false),
            Err(why) if why.kind() != io::ErrorKind::InvalidInput => return Err(no_zip(why)),
            // A list of pages is never cut.
            Err(why) => match zip::salvage(&from, listed.size, is_crawl).map_err(no_zip)? {
                Some(zipped) => (zipped, true),
                None => return Err(no_zip(why)),
            },
        };
        let limit = zipped.limit;
        let mut wacz = Self {
            crawls: Vec::new(),
            lists: Vec::new(),
            cut_at: is_cut.then_some(limit),
        };
        for entry in zipped.entries {
            let Some(name) = entry.name.as_deref() else {
                continue;
            };
            let is_crawl = is_crawl(name);
            let is_list = name.starts_with(PAGES) && name.ends_with(".jsonl");
            if !is_crawl && !is_list {
                continue;
            }
            check(&entry, name).map_err(|what| refused(input, &format!("{name} in it: {what}")))?;
            let begin = zip::begin(&from, &entry, limit)
                .map_err(|why| refused_by(input, &format!("{name} in it"), why))?;
            let file = ZippedFile {
                outer: outer.clone(),
                listed: listed.clone(),
                name: name.to_owned(),
                begin,
                stored: entry.stored,
                size: entry.size,
                is_deflated: entry.method != 0,
                may_be_cut: entry.may_be_cut,
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
        match (wacz.crawls.is_empty(), wacz.cut_at) {
            (true, Some(at)) => Err(refused(
                input,
                &format!("its end is missing: cut off at byte {at}, before any crawl in it"),
            )),
            (true, None) => Err(refused(
                input,
                "a zip file that is no WACZ: it has no crawl below `archive/`; unpack it, and give \
                 the folder",
            )),
            (false, _) => Ok(wacz),
        }
    }
}

/// Refuses an entry that cannot be read, or that leads outside.
fn check(entry: &Entry, name: &str) -> std::result::Result<(), String> {
    let is_plain = |part: &str| !part.is_empty() && !part.starts_with(['.', '_']);
    if !name.split('/').all(is_plain)
        || name.contains(['\\', '\0'])
        || name.contains(char::is_control)
    {
        return Err("its name is not allowed for a file here".to_owned());
    }
    if entry.is_encrypted {
        return Err("it is encrypted; unpack it".to_owned());
    }
    match entry.method {
        0 if entry.stored == entry.size => Ok(()),
        0 => Err("it is not compressed, but its two sizes differ".to_owned()),
        // One byte of deflate becomes 1,032 bytes at most.
        8 if entry.size / 1032 <= entry.stored => Ok(()),
        8 => Err("it claims more bytes than deflate can produce".to_owned()),
        method => Err(format!(
            "it is compressed by method {method}; unpack it, or store it"
        )),
    }
}

/// Refuses a file for how it is; what the system cannot read is another error.
fn refused_by(input: &Input, what: &str, why: io::Error) -> Error {
    match why.kind() {
        io::ErrorKind::InvalidInput => refused(input, &format!("{what}: {why}")),
        _ => Error::io(input.origin(), why),
    }
}

fn refused(input: &Input, what: &str) -> Error {
    Error::io(input.origin(), zip::error(what.to_owned()))
}
