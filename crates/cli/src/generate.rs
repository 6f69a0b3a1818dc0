//! Shell completions and manual pages, made from the arguments.

use super::exit::Exit;
use super::outputs::out_path;
use super::{print, stdout};
use clap_complete::Shell;
use clap_mangen::Man;
use std::io::Write;
use std::path::{Path, PathBuf};
use warcsieve_common::{Error, Result, did_you_mean};
use warcsieve_store::write_atomically;

#[derive(Debug, clap::Args)]
pub struct CompletionArguments {
    /// The shell to complete for.
    shell: Shell,
}

#[derive(Debug, clap::Args)]
pub struct ManArguments {
    /// The subcommand whose page is printed; default: that of the program.
    #[arg(value_name = "COMMAND", conflicts_with = "out")]
    command: Vec<String>,
    /// Write a page for the program and one for each subcommand into this folder.
    #[arg(long, value_name = "DIR", value_parser = out_path)]
    out: Option<PathBuf>,
}

pub fn completions(arguments: &CompletionArguments, mut command: clap::Command) -> Result<Exit> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut command, "warcsieve", &mut script);
    print(&script)
}

pub fn man(arguments: &ManArguments, command: clap::Command) -> Result<Exit> {
    if let Some(folder) = &arguments.out {
        let mut command = command.disable_help_subcommand(true);
        command.build();
        write_pages(command, folder)?;
        return Ok(Exit::Done);
    }
    print(&rendered(&Man::new(below(command, &arguments.command)?)))
}

/// Writes the page of a command and those of its subcommands, each whole or not at all.
fn write_pages(command: clap::Command, folder: &Path) -> Result<()> {
    for below in command.get_subcommands().filter(|s| !s.is_hide_set()) {
        write_pages(below.clone(), folder)?;
    }
    let page = Man::new(command);
    write_atomically(&folder.join(page.get_filename()), &rendered(&page))
}

fn rendered(page: &Man) -> Vec<u8> {
    let mut text = Vec::new();
    let rendered = page.render(&mut text);
    rendered.expect("writing to memory does not fail");
    text
}

/// The subcommand with these names, from outside to inside.
fn below(mut command: clap::Command, names: &[String]) -> Result<clap::Command> {
    command.build();
    let mut found = &command;
    for name in names {
        found = found.find_subcommand(name).ok_or_else(|| {
            let known = found.get_subcommands().map(clap::Command::get_name);
            let meant = did_you_mean(name, known);
            Error::Invalid(format!("no command `{name}`{meant}; see --help"))
        })?;
    }
    Ok(found.clone())
}

fn print(text: &[u8]) -> Result<Exit> {
    let mut out = stdout::open()?;
    print::forgive(out.write_all(text).and_then(|()| out.flush()))?;
    Ok(Exit::Done)
}
