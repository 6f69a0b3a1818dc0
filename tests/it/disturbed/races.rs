//! Processes that write to one place at once: each ends with 0 or 75, and what is there is as one alone writes it.

use super::place::{Place, code, differences, log};
use super::{Wrong, each, given, writers};
use std::thread;

/// Processes at once.
const PROCESSES: usize = 3;

#[test]
fn processes_on_one_place_leave_what_one_of_them_writes() {
    let place = Place::new();
    let rounds = given("WARCSIEVE_RACES").unwrap_or(5);
    let wrong = Wrong::default();
    each(&writers(), |_, writer| {
        let work = place.work(writer.name);
        let expected = work.undisturbed(writer);
        for round in 0..rounds {
            work.begin(writer);
            let run = || work.command(writer.line).output().unwrap();
            let outputs = thread::scope(|scope| {
                let started = [(); PROCESSES].map(|()| scope.spawn(run));
                started.map(|process| process.join().unwrap())
            });
            let mut lines = Vec::new();
            if !outputs.iter().any(|output| code(output) == 0) {
                lines.push("none ends with 0".to_owned());
            }
            let bad = outputs
                .iter()
                .filter(|output| ![0, 75].contains(&code(output)));
            lines.extend(bad.map(|output| format!("ends with {}: {}", code(output), log(output))));
            lines.extend(differences(&work.written(writer), &expected));
            if !lines.is_empty() {
                wrong.add(format!(
                    "{}: round {round}: {}",
                    writer.name,
                    lines.join("; ")
                ));
            }
        }
    });
    wrong.assert_none();
}
