//! `warcsieve methods`: the methods and pipelines that ship.

use super::exit::Exit;
use std::io::Write;
use warcsieve_base::{Error, Result};
use warcsieve_classify::{METHODS, Shipped, shipped};

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Print the text of a pipeline that ships, as a start for your own.
    #[arg(long, value_name = "PIPELINE")]
    show: Option<String>,
    /// Print only the names of the pipelines that ship, one per line.
    #[arg(long, conflicts_with = "show")]
    names: bool,
}

/// Width of the column of names.
const WIDTH: usize = 22;

pub fn run(arguments: &Arguments) -> Result<Exit> {
    let mut out = anstream::stdout().lock();
    let mut print = |text: String| {
        out.write_all(text.as_bytes())
            .map_err(|e| Error::io("standard output", e))
    };
    if let Some(name) = &arguments.show {
        super::Pipeline::built_in(name)?;
        for pipeline in shipped().filter(|p| p.name == name) {
            print(pipeline.text.to_owned())?;
        }
        return Ok(Exit::Done);
    }
    if arguments.names {
        let names = shipped().map(|pipeline| format!("{}\n", pipeline.name));
        return print(names.collect()).map(|()| Exit::Done);
    }
    print("Methods (for [[step]] tables of a pipeline file)\n".into())?;
    for m in METHODS {
        print(format!(
            "  {:<WIDTH$} {}\n  {:<WIDTH$} {}; segmentation {}\n",
            m.name,
            m.summary,
            "",
            m.paper,
            m.segmentation.as_str()
        ))?;
        if !m.required.is_empty() {
            print(format!("  {:<WIDTH$} needs {}\n", "", m.required))?;
        }
    }
    print("\nPipelines that ship (for --pipeline; `methods --show NAME` prints one)\n".into())?;
    for Shipped { name, text, .. } in shipped() {
        let first = text.lines().next().unwrap_or_default();
        print(format!(
            "  {name:<WIDTH$} {}\n",
            first.trim_start_matches("# ")
        ))?;
    }
    Ok(Exit::Done)
}
