//! Catches panics so that the caller can report them as a skip or an error.

use std::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

thread_local! {
    static CAUGHT: Cell<bool> = const { Cell::new(false) };
}

/// Whether [`catch`] is running on this thread, so that a panic is reported as a skip or an error.
///
/// A panic hook can check this to avoid reporting the same panic twice.
pub fn is_caught() -> bool {
    CAUGHT.get()
}

/// Runs `work`; if it panics, returns the panic message. Whatever `work` was changing is then in an
/// unknown state and must be dropped.
pub fn catch<T>(work: impl FnOnce() -> T) -> Result<T, String> {
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
    fn a_hook_can_detect_that_a_panic_is_caught() {
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
