//! A server of objects for tests: what S3 and plain web servers have in common, with faults on
//! demand. Objects stand under `/bucket/name`; signatures are not looked at.

use super::Random;
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;

/// What goes wrong, by chance, of 100 answers.
#[derive(Clone, Copy, Default)]
pub struct Faults {
    /// A storm of two or three answers 503 begins.
    pub storms: usize,
    /// 429 or 500.
    pub refusals: usize,
    /// The connection is closed somewhere in the body.
    pub cuts: usize,
    /// A page for people, with status 200.
    pub pages: usize,
    /// The connection is closed before the request is looked at.
    pub drops: usize,
    /// The request is carried out, and the connection closed before the answer.
    pub lost_answers: usize,
}

/// What answers tell an object by.
#[derive(Clone, Copy, PartialEq)]
pub enum Validator {
    Etag,
    /// One that does not do for `If-Match`, which is not looked at either.
    WeakEtag,
    Time,
    Nothing,
}

/// How the size of a body is stated.
#[derive(Clone, Copy, Default, PartialEq)]
pub enum Length {
    #[default]
    Stated,
    /// By the end of the connection.
    Missing,
    Chunked,
    /// This many bytes more than there are.
    Long(usize),
}

/// Ways of web servers that stores do not have.
#[derive(Clone, Default)]
pub struct Manners {
    /// The status of all answers to HEAD.
    pub head: Option<u16>,
    pub length: Length,
    /// The origin that requests for `from/NAME` are sent on to, as requests for `NAME`.
    pub redirect: Option<String>,
    pub headers: Vec<(&'static str, String)>,
}

/// What was asked for, and what was served.
#[derive(Clone, Debug, Default)]
pub struct Log {
    /// Method and target of each request, those that failed on purpose included.
    pub requests: Vec<String>,
    /// Bytes of bodies of GET, by path.
    pub served: BTreeMap<String, u64>,
    /// Faults made.
    pub faults: usize,
}

struct State {
    objects: BTreeMap<String, Vec<u8>>,
    uploads: BTreeMap<String, BTreeMap<u32, Vec<u8>>>,
    parts: BTreeMap<String, usize>,
    faults: Faults,
    random: Random,
    storm: usize,
    log: Log,
    /// Whether ranges are understood.
    ranges: bool,
    validator: Validator,
    manners: Manners,
}

/// The server; it runs until the process ends.
#[derive(Clone)]
pub struct StoreServer {
    state: Arc<Mutex<State>>,
    port: u16,
}

struct Request {
    method: String,
    path: String,
    query: BTreeMap<String, String>,
    headers: BTreeMap<String, String>,
    body: Vec<u8>,
}

struct Answer {
    status: u16,
    headers: Vec<(&'static str, String)>,
    body: Vec<u8>,
}

impl Answer {
    fn of(status: u16) -> Self {
        Self::with(status, Vec::new())
    }

    fn with(status: u16, body: impl Into<Vec<u8>>) -> Self {
        let (headers, body) = (Vec::new(), body.into());
        Self {
            status,
            headers,
            body,
        }
    }
}

impl StoreServer {
    pub fn start(faults: Faults) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let state = Arc::new(Mutex::new(State {
            objects: BTreeMap::new(),
            uploads: BTreeMap::new(),
            parts: BTreeMap::new(),
            faults,
            random: Random(7),
            storm: 0,
            log: Log::default(),
            ranges: true,
            validator: Validator::Etag,
            manners: Manners::default(),
        }));
        let server = Self { state, port };
        let accepting = server.clone();
        thread::spawn(move || {
            for connection in listener.incoming() {
                let server = accepting.clone();
                thread::spawn(move || server.serve(connection.unwrap()));
            }
        });
        server
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    /// The address of the server.
    pub fn origin(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// The address of an object as a web server has it.
    pub fn http(&self, name: &str) -> String {
        format!("{}/bucket/{name}", self.origin())
    }

    /// Variables of the environment under which `s3://bucket/` is this server.
    pub fn s3(&self) -> Vec<(String, String)> {
        [
            ("AWS_ENDPOINT", format!("http://127.0.0.1:{}", self.port)),
            ("AWS_ALLOW_HTTP", "true".to_owned()),
            ("AWS_ACCESS_KEY_ID", "test".to_owned()),
            ("AWS_SECRET_ACCESS_KEY", "test".to_owned()),
            ("AWS_REGION", "us-east-1".to_owned()),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .into()
    }

    pub fn set_faults(&self, faults: Faults) {
        self.state().faults = faults;
    }

    pub fn without_ranges(&self) {
        self.state().ranges = false;
    }

    pub fn set_validator(&self, validator: Validator) {
        self.state().validator = validator;
    }

    pub fn set_manners(&self, manners: Manners) {
        self.state().manners = manners;
    }

    pub fn put(&self, name: &str, bytes: impl Into<Vec<u8>>) {
        let path = format!("/bucket/{name}");
        self.state().objects.insert(path, bytes.into());
    }

    /// All objects whose names begin so, named without that.
    pub fn objects(&self, prefix: &str) -> BTreeMap<String, Vec<u8>> {
        let prefix = format!("/bucket/{prefix}");
        let state = self.state();
        let named = |(path, bytes): (&String, &Vec<u8>)| {
            Some((path.strip_prefix(&prefix)?.to_owned(), bytes.clone()))
        };
        state.objects.iter().filter_map(named).collect()
    }

    /// Parts that an object was made of.
    pub fn parts(&self, name: &str) -> usize {
        self.state().parts[&format!("/bucket/{name}")]
    }

    /// Uploads that were begun, and neither completed nor aborted.
    pub fn open_uploads(&self) -> usize {
        self.state().uploads.len()
    }

    pub fn take_log(&self) -> Log {
        std::mem::take(&mut self.state().log)
    }

    fn serve(&self, connection: TcpStream) {
        let mut reader = BufReader::new(connection.try_clone().unwrap());
        let mut writer = connection;
        while let Some(request) = read_request(&mut reader) {
            if self.answer(&request, &mut writer).is_none() {
                return;
            }
        }
    }

    /// `None` where the connection is to be closed.
    fn answer(&self, request: &Request, writer: &mut TcpStream) -> Option<()> {
        let (answer, cut, length) = {
            let mut state = self.state();
            let line = format!("{} {}", request.method, request.path);
            state.log.requests.push(line);
            let (mut answer, cut) = match state.fault(request) {
                (Some(fault), _) if fault.status == 0 => return None,
                (Some(fault), cut) => (fault, cut),
                (None, cut) => (state.mannered(request), cut),
            };
            let chance = state.faults.lost_answers;
            if state.random.below(100) < chance {
                state.log.faults += 1;
                return None;
            }
            // A page of an error has neither.
            if answer.status < 300 && !answer.headers.iter().any(|h| h.1.contains("charset")) {
                answer.validate(state.validator);
            }
            let cut = cut.then(|| state.random.below(answer.body.len() + 1));
            let sent = cut.unwrap_or(answer.body.len()) as u64;
            if request.method == "GET" && answer.status < 300 {
                *state.log.served.entry(request.path.clone()).or_default() += sent;
            }
            (answer, cut, state.manners.length)
        };
        let mut head = format!("HTTP/1.1 {} X\r\n", answer.status);
        for (name, value) in &answer.headers {
            head += &format!("{name}: {value}\r\n");
        }
        if !answer
            .headers
            .iter()
            .any(|(name, _)| *name == "Content-Length")
        {
            let n = answer.body.len();
            head += &match length {
                Length::Stated => format!("Content-Length: {n}\r\n"),
                Length::Missing => "Connection: close\r\n".to_owned(),
                Length::Chunked => "Transfer-Encoding: chunked\r\n".to_owned(),
                Length::Long(more) => format!("Content-Length: {}\r\n", n + more),
            };
        }
        head += "\r\n";
        writer.write_all(head.as_bytes()).ok()?;
        let body = match request.method.as_str() {
            "HEAD" => &[],
            _ => &answer.body[..cut.unwrap_or(answer.body.len())],
        };
        match length {
            Length::Chunked => {
                write!(writer, "{:x}\r\n", body.len()).ok()?;
                writer.write_all(body).ok()?;
                writer.write_all(b"\r\n0\r\n\r\n").ok()?;
            }
            _ => writer.write_all(body).ok()?,
        }
        let goes_on = cut.is_none() && matches!(length, Length::Stated | Length::Chunked);
        goes_on.then_some(())
    }
}

impl State {
    /// What goes wrong with this answer, and whether it is cut.
    fn fault(&mut self, request: &Request) -> (Option<Answer>, bool) {
        if self.storm > 0 {
            self.storm -= 1;
            self.log.faults += 1;
            return (Some(Answer::with(503, "slow down")), false);
        }
        let chance = self.random.below(100);
        let faults = self.faults;
        let mut from = 0;
        let mut hit = |of: usize| {
            from += of;
            (from - of..from).contains(&chance)
        };
        let is_get = request.method == "GET";
        let is_read = is_get || request.method == "HEAD";
        let (answer, cut) = if hit(faults.storms) {
            self.storm = 1 + self.random.below(2);
            (Some(Answer::with(503, "slow down")), false)
        } else if hit(faults.refusals) {
            let status = [429, 500][self.random.below(2)];
            (Some(Answer::of(status)), false)
        } else if hit(faults.cuts) && is_get {
            (None, true)
        } else if hit(faults.pages) && is_read {
            let page = "<!DOCTYPE html><html><h1>Sorry</h1>Try again later.</html>";
            let mut page = Answer::with(200, page);
            let said = [
                "text/html; charset=utf-8",
                "application/octet-stream; charset=binary",
            ];
            // That of a listing or of a HEAD is told by its type alone.
            let plain = is_get && request.query.is_empty() && self.random.below(2) == 1;
            page.headers
                .push(("Content-Type", said[usize::from(plain)].to_owned()));
            (Some(page), is_get && self.random.below(4) == 0)
        } else if hit(faults.drops) {
            (Some(Answer::of(0)), false)
        } else {
            return (None, false);
        };
        self.log.faults += 1;
        (answer, cut)
    }

    /// The answer as a web server of these manners gives it.
    fn mannered(&mut self, request: &Request) -> Answer {
        let manners = self.manners.clone();
        if let (Some(origin), Some(name)) =
            (manners.redirect, request.path.strip_prefix("/bucket/from/"))
        {
            let mut answer = Answer::of(302);
            let target = format!("{origin}/bucket/{name}");
            answer.headers.push(("Location", target));
            return answer;
        }
        if let Some(status) = manners.head.filter(|_| request.method == "HEAD") {
            return Answer::of(status);
        }
        let mut answer = self.handle(request);
        answer.headers.extend(manners.headers);
        answer
    }

    fn handle(&mut self, request: &Request) -> Answer {
        let query = |name: &str| request.query.get(name).cloned();
        let path = &request.path;
        match request.method.as_str() {
            "GET" if query("list-type").is_some() => self.list(request),
            "GET" | "HEAD" => self.get(request),
            "PUT" => match (query("uploadId"), query("partNumber")) {
                (Some(id), Some(number)) => {
                    let Some(parts) = self.uploads.get_mut(&id) else {
                        return Answer::of(404);
                    };
                    parts.insert(number.parse().unwrap(), request.body.clone());
                    let mut answer = Answer::of(200);
                    answer.headers.push(("ETag", etag(&request.body)));
                    answer
                }
                _ => {
                    let new_only = request.headers.contains_key("if-none-match");
                    if new_only && self.objects.contains_key(path) {
                        return Answer::of(412);
                    }
                    self.objects.insert(path.clone(), request.body.clone());
                    let mut answer = Answer::of(200);
                    answer.headers.push(("ETag", etag(&request.body)));
                    answer
                }
            },
            "POST" if query("uploads").is_some() => {
                let id = format!("u{}", self.random.next());
                self.uploads.insert(id.clone(), BTreeMap::new());
                Answer::with(
                    200,
                    format!(
                        "<InitiateMultipartUploadResult><UploadId>{id}</UploadId></InitiateMultipartUploadResult>"
                    ),
                )
            }
            "POST" if query("uploadId").is_some() => {
                let Some(parts) = self.uploads.remove(&query("uploadId").unwrap()) else {
                    return Answer::of(404);
                };
                self.parts.insert(path.clone(), parts.len());
                let bytes: Vec<u8> = parts.into_values().flatten().collect();
                let etag = etag(&bytes);
                self.objects.insert(path.clone(), bytes);
                Answer::with(
                    200,
                    format!(
                        "<CompleteMultipartUploadResult><ETag>{etag}</ETag></CompleteMultipartUploadResult>"
                    ),
                )
            }
            "POST" if query("delete").is_some() => {
                let text = String::from_utf8(request.body.clone()).unwrap();
                let mut xml = "<DeleteResult>".to_owned();
                for key in text.split("<Key>").skip(1) {
                    let key = key.split("</Key>").next().unwrap();
                    self.objects.remove(&format!("/bucket/{key}"));
                    xml += &format!("<Deleted><Key>{key}</Key></Deleted>");
                }
                Answer::with(200, xml + "</DeleteResult>")
            }
            "DELETE" => {
                match query("uploadId") {
                    Some(id) => drop(self.uploads.remove(&id)),
                    None => drop(self.objects.remove(path)),
                }
                Answer::of(204)
            }
            _ => Answer::of(405),
        }
    }

    fn get(&self, request: &Request) -> Answer {
        let Some(bytes) = self.objects.get(&request.path) else {
            return Answer::of(404);
        };
        let etag = etag(bytes);
        let strict = self.validator == Validator::Etag;
        if strict && request.headers.get("if-match").is_some_and(|e| *e != etag) {
            return Answer::of(412);
        }
        let range = request.headers.get("range").filter(|_| self.ranges);
        let mut answer = match range.map(|r| parse_range(r, bytes.len())) {
            None => Answer::with(200, bytes.clone()),
            Some(None) => return Answer::of(416),
            Some(Some(range)) => {
                let mut answer = Answer::with(206, &bytes[range.clone()]);
                let text = format!("bytes {}-{}/{}", range.start, range.end - 1, bytes.len());
                answer.headers.push(("Content-Range", text));
                answer
            }
        };
        answer.headers.push(("ETag", etag));
        if request.method == "HEAD" {
            answer
                .headers
                .push(("Content-Length", bytes.len().to_string()));
            answer.body = Vec::new();
        }
        answer
    }

    /// Pages of two keys, so that readers have to go on.
    fn list(&self, request: &Request) -> Answer {
        let prefix = request.query.get("prefix").cloned().unwrap_or_default();
        let after = request.query.get("continuation-token").cloned();
        let keys = self.objects.iter().filter_map(|(path, bytes)| {
            let key = path.strip_prefix("/bucket/")?;
            let new = after.as_ref().is_none_or(|after| key > after.as_str());
            (key.starts_with(&prefix) && new).then_some((key, bytes))
        });
        let keys: Vec<_> = keys.collect();
        let page = &keys[..keys.len().min(2)];
        let mut xml = String::from("<ListBucketResult>");
        if page.len() < keys.len() {
            let last = page[page.len() - 1].0;
            xml += &format!("<NextContinuationToken>{last}</NextContinuationToken>");
        }
        for (key, bytes) in page {
            xml += &format!(
                "<Contents><Key>{key}</Key><LastModified>2024-03-01T12:00:00.000Z</LastModified>\
                 <ETag>{}</ETag><Size>{}</Size></Contents>",
                etag(bytes),
                bytes.len()
            );
        }
        Answer::with(200, xml + "</ListBucketResult>")
    }
}

impl Answer {
    /// Leaves what a server of that kind tells an object by.
    fn validate(&mut self, validator: Validator) {
        let is_etag = |(name, _): &(&str, String)| *name == "ETag";
        match validator {
            Validator::Etag => {}
            Validator::WeakEtag => {
                for (_, etag) in self.headers.iter_mut().filter(|h| is_etag(h)) {
                    *etag = format!("W/{etag}");
                }
            }
            Validator::Time | Validator::Nothing => self.headers.retain(|h| !is_etag(h)),
        }
        if validator != Validator::Nothing {
            let time = "Fri, 01 Mar 2024 12:00:00 GMT";
            self.headers.push(("Last-Modified", time.to_owned()));
        }
    }
}

fn etag(bytes: &[u8]) -> String {
    format!("\"{:016x}\"", twox_hash::XxHash3_64::oneshot(bytes))
}

fn parse_range(header: &str, size: usize) -> Option<Range<usize>> {
    let (from, to) = header.strip_prefix("bytes=")?.split_once('-')?;
    let from: usize = from.parse().ok()?;
    let to = match to {
        "" => size,
        to => (to.parse::<usize>().ok()? + 1).min(size),
    };
    (from < to).then_some(from..to)
}

fn read_request(reader: &mut impl BufRead) -> Option<Request> {
    let mut line = || {
        let mut line = String::new();
        reader.read_line(&mut line).ok().filter(|n| *n > 0)?;
        Some(line.trim_end().to_owned())
    };
    let first = line()?;
    let mut words = first.split(' ');
    let (method, target) = (words.next()?.to_owned(), words.next()?.to_owned());
    let mut headers = BTreeMap::new();
    loop {
        let line = line()?;
        let Some((name, value)) = line.split_once(':') else {
            break;
        };
        headers.insert(name.to_ascii_lowercase(), value.trim().to_owned());
    }
    let length = headers
        .get("content-length")
        .map_or(0, |n| n.parse().unwrap());
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    let (path, query) = target.split_once('?').unwrap_or((&target, ""));
    let pairs = query.split('&').filter(|p| !p.is_empty()).map(|pair| {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        (unescape(name), unescape(value))
    });
    Some(Request {
        method,
        path: unescape(path),
        query: pairs.collect(),
        headers,
        body,
    })
}

fn unescape(text: &str) -> String {
    let mut parts = text.split('%');
    let mut out = parts.next().unwrap().as_bytes().to_vec();
    for part in parts {
        out.push(u8::from_str_radix(&part[..2], 16).unwrap());
        out.extend_from_slice(&part.as_bytes()[2..]);
    }
    String::from_utf8(out).unwrap()
}
