//! A headless Chromium as engine.
//!
//! Each page is opened in a context of its own, at an address that does not exist. The browser asks
//! us for everything it would load: it gets the page, with a policy that lets no script run, and
//! nothing else: style sheets and pictures that came with it are in it. Then it is asked once for the boxes and styles of all elements
//! (`DOMSnapshot.captureSnapshot` of the Chrome DevTools Protocol).

mod pipe;
mod process;
mod snapshot;

use crate::engine::{Engine, Lost, MarkedPage};
use crate::message::Answer;
use crate::screen::{VIEWPORT_HEIGHT, VIEWPORT_WIDTH};
use data_encoding::BASE64;
use pipe::{Event, Pipe};
use process::Process;
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use warcsieve_html::layout::LayoutStatus;

pub use process::{VARIABLE, find};

/// How long a page may take, and a browser that starts.
const PATIENCE: Duration = Duration::from_secs(30);

/// Where pages are opened; no such host can exist (RFC 2606).
const ADDRESS: &str = "http://page.invalid/";

/// What a page may not do. Its own styles count; scripts, frames and plug-ins would make the boxes
/// depend on more than the page. With scripts switched off otherwise, the browser shows `noscript`
/// as raw text.
const POLICY: &str = "script-src 'none'; frame-src 'none'; object-src 'none'; worker-src 'none'; \
                      connect-src 'none'; media-src 'none'; form-action 'none'";

/// Size of the picture of a page: the top of it, smaller by a fifth.
const PICTURE: (u32, u32, f64) = (VIEWPORT_WIDTH, 2560, 0.8);

/// Quality of the picture, of 100.
const QUALITY: u32 = 70;

/// A running browser.
pub struct Browser {
    pipe: Pipe,
    name: String,
    screenshots: bool,
    // Ended after the pipe is closed.
    _process: Process,
}

/// A page that is being laid out.
struct Opened {
    /// Its tab: identifies the main frame, too.
    target: String,
    session: String,
    is_served: bool,
    is_loaded: bool,
}

impl Browser {
    /// Starts the browser that [`find`] finds.
    ///
    /// # Errors
    /// What is missing, in words for the user.
    pub fn start(screenshots: bool) -> Result<Self, String> {
        let path = find()?;
        let (process, pipe) =
            Process::start(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let mut browser = Self {
            pipe,
            name: String::new(),
            screenshots,
            _process: process,
        };
        browser.pipe.deadline = Instant::now() + PATIENCE;
        let version = browser.call("Browser.getVersion", json!({}), None);
        let product = version.as_ref().ok().and_then(|v| v["product"].as_str());
        let Some(product) = product else {
            let path = path.display();
            return Err(format!(
                "{path} does not answer as a headless Chromium does"
            ));
        };
        browser.name = product.replace('/', " ").to_lowercase();
        Ok(browser)
    }

    /// Asks the browser, and waits for its answer. Meanwhile the page's requests are answered.
    fn call(
        &mut self,
        method: &str,
        parameters: Value,
        mut page: Option<(&mut Opened, &str)>,
    ) -> Result<Value, Lost> {
        let session = page.as_ref().map(|(opened, _)| opened.session.clone());
        let id = self.pipe.send(method, parameters, session.as_deref())?;
        loop {
            match self.pipe.receive()? {
                Event::Answer(answered, result) if answered == id => return Ok(result),
                Event::Answer(..) => {}
                Event::Happened(method, parameters) => {
                    if let Some((opened, html)) = &mut page {
                        self.on(&method, &parameters, opened, html)?;
                    }
                }
            }
        }
    }

    fn on(
        &mut self,
        event: &str,
        parameters: &Value,
        opened: &mut Opened,
        html: &str,
    ) -> Result<(), Lost> {
        match event {
            "Page.loadEventFired" => opened.is_loaded |= opened.is_served,
            "Inspector.targetCrashed" => return Err(Lost::Ended),
            "Fetch.requestPaused" => {
                let is_page = parameters["resourceType"] == "Document"
                    && parameters["frameId"] == opened.target.as_str();
                let id = &parameters["requestId"];
                let (method, answer) = if is_page && !opened.is_served {
                    opened.is_served = true;
                    ("Fetch.fulfillRequest", served(id, html))
                } else if is_page {
                    // It wants to go elsewhere: no content means that it stays.
                    let stay = json!({"requestId": id, "responseCode": 204});
                    ("Fetch.fulfillRequest", stay)
                } else if text(&parameters["request"]["url"])?.starts_with("data:") {
                    // It is in the page.
                    ("Fetch.continueRequest", json!({"requestId": id}))
                } else {
                    let refused = json!({"requestId": id, "errorReason": "BlockedByClient"});
                    ("Fetch.failRequest", refused)
                };
                self.pipe.send(method, answer, Some(&opened.session))?;
            }
            _ => {}
        }
        Ok(())
    }

    fn open(&mut self, context: &Value, html: &str) -> Result<Opened, Lost> {
        let (width, height) = (VIEWPORT_WIDTH, VIEWPORT_HEIGHT);
        let tab = json!({
            "url": "about:blank", "browserContextId": context, "width": width, "height": height,
        });
        let target = text(&self.call("Target.createTarget", tab, None)?["targetId"])?;
        let attach = json!({"targetId": target, "flatten": true});
        let session = text(&self.call("Target.attachToTarget", attach, None)?["sessionId"])?;
        let mut opened = Opened {
            target,
            session,
            is_served: false,
            is_loaded: false,
        };
        let window = json!({
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false,
        });
        let calm = json!({"features": [{"name": "prefers-reduced-motion", "value": "reduce"}]});
        for (method, parameters) in [
            ("Fetch.enable", json!({"patterns": [{"urlPattern": "*"}]})),
            ("Inspector.enable", json!({})),
            ("Page.enable", json!({})),
            ("Emulation.setDeviceMetricsOverride", window),
            ("Emulation.setEmulatedMedia", calm),
            ("Animation.enable", json!({})),
            ("Animation.setPlaybackRate", json!({"playbackRate": 0})),
            ("Page.navigate", json!({"url": ADDRESS})),
        ] {
            self.call(method, parameters, Some((&mut opened, html)))?;
        }
        while !opened.is_loaded {
            if let Event::Happened(method, parameters) = self.pipe.receive()? {
                self.on(&method, &parameters, &mut opened, html)?;
            }
        }
        Ok(opened)
    }

    fn page(&mut self, html: &str) -> Result<Answer, Lost> {
        let own = json!({"disposeOnDetach": true});
        let context =
            self.call("Target.createBrowserContext", own, None)?["browserContextId"].take();
        let mut opened = self.open(&context, html)?;
        let styles = json!({"computedStyles": snapshot::STYLES});
        let taken = self.call(
            "DOMSnapshot.captureSnapshot",
            styles,
            Some((&mut opened, html)),
        )?;
        let mut answer = snapshot::answer(taken, ADDRESS);
        if self.screenshots && answer.status == LayoutStatus::Done {
            answer.screenshot = self.picture(&mut opened, html)?;
        }
        let context = json!({"browserContextId": context});
        self.call("Target.disposeBrowserContext", context, None)?;
        Ok(answer)
    }

    fn picture(&mut self, opened: &mut Opened, html: &str) -> Result<Option<Vec<u8>>, Lost> {
        let (width, height, scale) = PICTURE;
        let clip = json!({"x": 0, "y": 0, "width": width, "height": height, "scale": scale});
        let how = json!({
            "format": "webp", "quality": QUALITY, "captureBeyondViewport": true, "clip": clip,
        });
        let taken = self.call("Page.captureScreenshot", how, Some((opened, html)))?;
        let data = taken["data"].as_str().unwrap_or_default();
        Ok(BASE64
            .decode(data.as_bytes())
            .ok()
            .filter(|d| !d.is_empty()))
    }
}

impl Engine for Browser {
    fn name(&self) -> &str {
        &self.name
    }

    fn lay_out(&mut self, page: &MarkedPage<'_>) -> Result<Answer, Lost> {
        self.pipe.deadline = Instant::now() + PATIENCE;
        self.page(page.html)
    }
}

fn served(id: &Value, html: &str) -> Value {
    json!({
        "requestId": id,
        "responseCode": 200,
        "responseHeaders": [
            {"name": "Content-Type", "value": "text/html; charset=utf-8"},
            {"name": "Content-Security-Policy", "value": POLICY},
        ],
        "body": BASE64.encode(html.as_bytes()),
    })
}

fn text(value: &Value) -> Result<String, Lost> {
    value.as_str().map(str::to_owned).ok_or(Lost::Ended)
}
