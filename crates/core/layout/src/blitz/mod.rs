//! The child's side: pages in, boxes out, until standard input ends.

mod boxes;
mod nodes;
mod page;

use crate::BLITZ;
use crate::message::{self, Answer, HELLO};
use crate::screen::FONT_FILE;
use std::io;
use std::sync::OnceLock;
use warcsieve_html::layout::LayoutStatus;

/// Memory of a child in bytes, address space without use included.
const MEMORY: u64 = 3 << 30;

/// Processor time that a page may take, in seconds.
const SECONDS: u64 = 30;

/// Stack of the thread that lays out a page, which recurses into elements: enough for the deepest
/// that is laid out.
const STACK: usize = 256 << 20;

/// Answers pages on standard input until it ends.
///
/// # Errors
/// Standard input or output fails, as when the parent is gone.
pub fn serve() -> io::Result<()> {
    limit_memory();
    // A panic is the parent's to report.
    std::panic::set_hook(Box::new(|_| {}));
    let (mut input, mut output) = (io::stdin().lock(), io::stdout().lock());
    message::write(&mut output, &[HELLO, BLITZ.as_bytes()])?;
    while let Some(page) = message::read(&mut input)? {
        limit_time();
        let lay_out = move || answer(&page);
        // A thread of its own: its stack is large, and nothing of one page stays for the next.
        let thread = std::thread::Builder::new().stack_size(STACK);
        let answer = thread.spawn(lay_out)?.join();
        let answer = answer.unwrap_or_else(|_| Answer::without(LayoutStatus::Failed));
        message::write(&mut output, &[&answer.bytes()])?;
    }
    Ok(())
}

/// The layout of a page in a message: the length of its address, the address, the marked page.
fn answer(message: &[u8]) -> Answer {
    let parts = message.split_first_chunk().and_then(|(length, rest)| {
        let (url, html) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
        Some((String::from_utf8_lossy(url), str::from_utf8(html).ok()?))
    });
    static FONT: OnceLock<blitz_dom::FontContext> = OnceLock::new();
    let font = FONT.get_or_init(|| blitz_dom::build_single_font_ctx(FONT_FILE));
    match parts {
        Some((url, html)) => page::lay_out(&url, html, font.clone()),
        None => Answer::without(LayoutStatus::Failed),
    }
}

#[cfg(unix)]
fn limit_memory() {
    use rustix::process::{Resource, Rlimit, setrlimit};
    let only = |current| Rlimit {
        current: Some(current),
        maximum: Some(current),
    };
    // What cannot be set is a lost backstop, no fault.
    let _ = setrlimit(Resource::As, only(MEMORY));
    let _ = setrlimit(Resource::Core, only(0));
    let _ = setrlimit(Resource::Fsize, only(0));
}

/// Lets the system end this process if the next page takes too much time.
#[cfg(unix)]
fn limit_time() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let used = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime).tv_sec;
    let limit = Rlimit {
        current: Some(u64::try_from(used).unwrap_or(0) + 1 + SECONDS),
        maximum: getrlimit(Resource::Cpu).maximum,
    };
    let _ = setrlimit(Resource::Cpu, limit);
}

#[cfg(not(unix))]
fn limit_memory() {}

#[cfg(not(unix))]
fn limit_time() {}
