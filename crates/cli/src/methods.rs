//! `warcsieve methods`: lists the built-in methods and pipelines.

use super::exit::Exit;
use super::pipelines::PipelineName;
use super::print;
use warcsieve_classify::{Method, Needs, Shipped};
use warcsieve_common::{Error, Result, did_you_mean};
use warcsieve_extract::Pipeline;
use warcsieve_papers::METHODS;

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Describe this method, and print the pipeline with that name.
    #[arg(value_name = "NAME", conflicts_with_all = ["show", "names"])]
    name: Option<String>,
    /// Print the text of a pipeline that ships, as a start for your own.
    #[arg(long, value_name = "PIPELINE", hide_possible_values = true, value_parser = PipelineName)]
    show: Option<String>,
    /// Print only the names of the pipelines that ship and that this build can run, one per line.
    #[arg(long, conflicts_with = "show")]
    names: bool,
}

/// Width of the column of names.
const WIDTH: usize = 22;

pub fn run(arguments: &Arguments) -> Result<Exit> {
    if let Some(name) = &arguments.name {
        print::text(&one(name)?)?;
        return Ok(Exit::Done);
    }
    let text = match &arguments.show {
        Some(name) => {
            Pipeline::built_in(&METHODS, name)?;
            let texts = METHODS.shipped().filter(|p| p.name == name).map(|p| p.text);
            texts.collect()
        }
        None if arguments.names => names(),
        None => lists(),
    };
    print::text(&text)?;
    Ok(Exit::Done)
}

/// The text about a name: a method, a pipeline, or both.
fn one(name: &str) -> Result<String> {
    let method = METHODS.methods.iter().find(|method| method.name == name);
    let shipped = METHODS.shipped().find(|pipeline| pipeline.name == name);
    let mut text = method.map_or_else(String::new, |m| of_method(m) + &where_more(m));
    if let Some(Shipped { text: file, .. }) = shipped {
        text += if text.is_empty() { "" } else { "\n" };
        text += file;
    }
    if text.is_empty() {
        let methods = METHODS.methods.iter().map(|method| method.name);
        let known = methods.chain(METHODS.shipped().map(|pipeline| pipeline.name));
        let meant = did_you_mean(name, known);
        let why = format!("no method or pipeline `{name}`{meant}; `warcsieve methods` lists them");
        return Err(Error::Invalid(why));
    }
    Ok(text)
}

/// The lines about a method.
fn of_method(m: &Method) -> String {
    let mut text = format!(
        "  {:<WIDTH$} {}\n  {:<WIDTH$} {}; segmentation {}\n",
        m.name,
        m.summary,
        "",
        m.paper,
        m.segmentation.as_str()
    );
    if !m.required.is_empty() {
        text += &format!("  {:<WIDTH$} needs {}\n", "", m.required);
    }
    text
}

/// The lines about a method that say where its parameters are, and which pipelines have it.
fn where_more(m: &Method) -> String {
    let mut text = format!(
        "  {:<WIDTH$} parameters with their defaults: docs/pipelines.md, Steps\n",
        ""
    );
    let step = format!("method = \"{}\"", m.name);
    let uses = METHODS.shipped().filter(|p| p.text.contains(&step));
    let uses: Vec<&str> = uses.map(|p| p.name).collect();
    if !uses.is_empty() {
        text += &format!("  {:<WIDTH$} pipelines with it: {}\n", "", uses.join(", "));
    }
    text
}

fn names() -> String {
    let can_run = |m: &&Method| m.needs != Needs::Layout || warcsieve_layout::is_offered();
    let methods = METHODS.methods.iter().filter(can_run);
    let pipelines = methods.flat_map(|method| method.pipelines);
    pipelines.map(|p| format!("{}\n", p.name)).collect()
}

fn lists() -> String {
    let mut text = "Methods (for [[step]] tables of a pipeline file)\n".to_owned();
    for m in METHODS.methods {
        text += &of_method(m);
    }
    text += "\nPipelines that ship (for --pipeline; `methods --show NAME` prints one)\n";
    for Shipped {
        name, text: file, ..
    } in METHODS.shipped()
    {
        let first = file.lines().next().unwrap_or_default();
        text += &format!("  {name:<WIDTH$} {}\n", first.trim_start_matches("# "));
    }
    text
}
