//! Panics that are caught, and reported as what they were caught for.

use std::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

thread_local! {
    static CAUGHT: Cell<bool> = const { Cell::new(false) };
}

/// Whether a panic of this thread would be caught by the library, which then reports it as a skip or
/// an error. A panic hook that asks for it does not report it a second time.
pub fn is_caught() -> bool {
    CAUGHT.get()
}

/// Does `work`; of a panic the message is returned. What was at work is then of no more use.
pub(crate) fn catch<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    let before = CAUGHT.replace(true);
    let done = catch_unwind(AssertUnwindSafe(work));
    CAUGHT.set(before);
    done.map_err(|panic| message(&*panic).to_owned())
}

fn message(panic: &(dyn Any + Send)) -> &str {
    panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no message")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hooks_can_tell_what_is_caught() {
        assert!(!is_caught());
        let inner = || {
            let inner: Result<(), _> = catch(|| panic!("met a {}", "boom"));
            (inner, is_caught())
        };
        assert_eq!(catch(inner), Ok((Err("met a boom".to_owned()), true)));
        assert!(!is_caught());
        assert_eq!(
            catch(|| assert!(!is_caught(), "set")),
            Err("set".to_owned())
        );
        assert!(!is_caught());
    }
}
