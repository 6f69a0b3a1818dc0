//! Options `KEY=value`.

use crate::plan;
use crate::task::Task;
use std::collections::BTreeMap;

/// What is given on the command line.
pub type Given = BTreeMap<String, String>;

/// Options that every task has.
pub const COMMON: [&str; 1] = ["SHARED"];

/// Reads the options of a task. One that the task has not is an error; one without a value is not
/// given.
pub fn read(task: &Task, arguments: &[String]) -> Result<Given, String> {
    let known: Vec<&str> = COMMON
        .into_iter()
        .chain(plan::keys(task).into_iter().map(|key| key.name))
        .collect();
    let mut given = Given::new();
    for argument in arguments {
        let Some((key, value)) = argument.split_once('=') else {
            return Err(format!("`{argument}` is no option: KEY=value is expected"));
        };
        if !known.contains(&key) {
            return Err(format!(
                "`{}` has no option `{key}`; it has {}",
                task.name,
                known.join(", ")
            ));
        }
        if !value.is_empty() && given.insert(key.to_owned(), value.to_owned()).is_some() {
            return Err(format!("`{key}` is given twice"));
        }
    }
    Ok(given)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tasks::find;

    fn read_all(task: &str, arguments: &[&str]) -> Result<Given, String> {
        let arguments: Vec<String> = arguments.iter().map(|&a| a.to_owned()).collect();
        read(find(task).unwrap(), &arguments)
    }

    #[test]
    fn options_have_a_key_and_a_value() {
        let given = read_all("kill-inside", &["GB=3", "SHARED=a=b", "KILLS="]).unwrap();
        assert_eq!(given["GB"], "3");
        assert_eq!(given["SHARED"], "a=b");
        assert_eq!(given.len(), 2);
    }

    #[test]
    fn what_is_no_option_of_the_task_is_an_error() {
        assert_eq!(
            read_all("kill-inside", &["PAGES=3"]).unwrap_err(),
            "`kill-inside` has no option `PAGES`; it has SHARED, GB, KILLS"
        );
        assert!(read_all("kill-inside", &["3"]).is_err());
        assert!(read_all("kill-inside", &["GB=3", "GB=4"]).is_err());
        assert!(read_all("kill-inside", &["gb=3"]).is_err());
    }
}
