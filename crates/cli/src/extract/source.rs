//! Finds the pages for `extract`.

use crate::stores;
use std::io::{IsTerminal, stdin};
use tracing::warn;
use warcsieve_common::{Error, Result};
use warcsieve_engine::{Input, Naming, list_inputs, may_be_page_address};
use warcsieve_extract::Pipeline;
use warcsieve_store::{FetchedPage, fetch_page};
use warcsieve_tables::PageFacts;
use warcsieve_warc::Record;

/// Name of standard input. It is the name of a page, so that text without a `<html>` is read as a
/// page.
pub const STDIN: &str = "stdin.html";

/// Pages to extract.
pub enum Source {
    /// One fetched page, and its name.
    Page(Box<Record>, String),
    /// Files and standard input.
    Inputs(Vec<Input>),
}

/// A page's content.
pub struct Found {
    /// Facts about the page.
    pub facts: PageFacts,
    /// What was cut off or is missing, and the filter that removes the page. Empty if nothing is
    /// missing.
    pub lacks: Vec<String>,
    /// Whether the page has text but none of it was kept.
    pub is_empty: bool,
    /// Its content.
    pub text: String,
}

impl Found {
    /// Warns about what the page lacks. For a single page, also says what to do.
    pub fn warn(&self, name: &str, is_alone: bool) {
        if self.lacks.is_empty() {
            return;
        }
        let advice = match self.is_empty && is_alone {
            true => "; `--pipeline keep-all` keeps everything",
            false => "",
        };
        warn!("{name}: {}{advice}", self.lacks.join(", "));
    }
}

impl Source {
    /// The pages that the arguments name. `url` is the address of a single page. `private` allows
    /// redirects into private networks.
    ///
    /// # Errors
    /// [`Error::Invalid`] and [`Error::Io`], as of [`list_inputs`] and of the server of a page.
    pub fn of(
        arguments: &[String],
        (url, private): (Option<&str>, bool),
        pipeline: &Pipeline,
    ) -> Result<Self> {
        if let [address] = arguments
            && may_be_page_address(address)
        {
            let address = &with_lower_scheme(address);
            let page = fetch_page(address, pipeline.settings.max_page_bytes, private)?;
            let record = answer(&page, url.unwrap_or(&page.address));
            return Ok(Self::Page(Box::new(record), address.clone()));
        }
        if let Some(address) = arguments.iter().find(|a| may_be_page_address(a)) {
            let why = "pages are fetched one at a time; give it alone";
            return Err(Error::Invalid(format!("{address}: {why}")));
        }
        if arguments.is_empty() && stdin().is_terminal() {
            let why = "no page: give a file, a folder or an address, or pipe one in; see --help";
            return Err(Error::Invalid(why.to_owned()));
        }
        let none = ["-".to_owned()];
        let arguments = if arguments.is_empty() {
            &none
        } else {
            arguments
        };
        let naming = Naming {
            stdin: arguments.contains(&none[0]).then_some(STDIN),
            ..Naming::default()
        };
        let inputs = list_inputs(arguments, &naming, &stores::of_environment())?;
        match url {
            Some(_) if inputs.len() > 1 => Err(Error::Invalid(
                "--url is the address of one page, and there are several".to_owned(),
            )),
            _ => Ok(Self::Inputs(inputs)),
        }
    }

    /// The inputs among them.
    pub fn inputs(&self) -> &[Input] {
        match self {
            Self::Page(..) => &[],
            Self::Inputs(inputs) => inputs,
        }
    }
}

/// The address with its scheme in lower case. Schemes are case-insensitive.
fn with_lower_scheme(address: &str) -> String {
    match address.split_once("://") {
        Some((scheme, rest)) => format!("{}://{rest}", scheme.to_ascii_lowercase()),
        None => address.to_owned(),
    }
}

/// A server's response as a record, as a crawler would write it.
fn answer(page: &FetchedPage, url: &str) -> Record {
    let mut message = "HTTP/1.1 200 OK\r\n".to_owned();
    for (name, value) in [
        ("Content-Type", &page.content_type),
        ("Content-Encoding", &page.content_encoding),
    ] {
        if let Some(value) = value {
            message += &format!("{name}: {value}\r\n");
        }
    }
    let body = [message.as_bytes(), b"\r\n", &page.body].concat();
    let headers = [
        ("WARC-Type", "response"),
        ("Content-Type", "application/http"),
        ("WARC-Target-URI", url),
        ("WARC-Record-ID", url),
    ];
    Record::from_parts(&headers, &body)
}

/// The record with another address.
pub fn with_address(record: &Record, url: &str) -> Record {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let own = record.headers().map(|(n, v)| (text(n), text(v)));
    let own: Vec<_> = own
        .filter(|(name, _)| !name.eq_ignore_ascii_case("WARC-Target-URI"))
        .collect();
    let mut headers: Vec<_> = own.iter().map(|(n, v)| (n.as_str(), v.as_str())).collect();
    headers.push(("WARC-Target-URI", url));
    let mut with = Record::from_parts(&headers, record.body());
    with.location = record.location.clone();
    with.flaws = record.flaws;
    with
}
