//! Every command that writes, disturbed by calls that fail, by crashes, and by processes beside it.

mod crashes;
mod failures;
mod place;
mod races;
mod writers;

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use writers::{WRITERS, Writer};

/// A number that a longer form of these tests is given by the environment.
fn given(name: &str) -> Option<usize> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().expect("a number"))
}

/// The commands that `WARCSIEVE_WRITERS` names, separated by commas; all without it.
fn writers() -> Vec<&'static Writer> {
    let names = std::env::var("WARCSIEVE_WRITERS").unwrap_or_default();
    let is_named =
        |writer: &&Writer| names.is_empty() || names.split(',').any(|n| n == writer.name);
    WRITERS.iter().filter(is_named).collect()
}

/// The commands that are disturbed, and how many calls of each, if that is given; without it only those of these names.
fn plan(short: &[&str]) -> (Vec<&'static Writer>, Option<usize>) {
    let (mut writers, most) = (writers(), given("WARCSIEVE_FAILURES"));
    if most.is_none() {
        writers.retain(|writer| short.contains(&writer.name));
    }
    (writers, most)
}

/// Does the work for each item, on two threads that are numbered.
fn each<T: Sync>(items: &[T], work: impl Fn(usize, &T) + Sync) {
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for thread in 0..2 {
            let (next, work) = (&next, &work);
            scope.spawn(move || {
                while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
                    work(thread, item);
                }
            });
        }
    });
}

/// What went wrong.
#[derive(Default)]
struct Wrong(Mutex<Vec<String>>);

impl Wrong {
    fn add(&self, line: String) {
        println!("{line}");
        self.0.lock().unwrap().push(line);
    }

    fn assert_none(self) {
        let lines = self.0.into_inner().unwrap();
        assert!(
            lines.is_empty(),
            "{} wrong:\n{}",
            lines.len(),
            lines.join("\n")
        );
    }
}
