//! `methods.md`: the uses of each built-in pipeline, and its accuracy and speed.

use crate::corpora::{TYPES, built_in, by_type, means, shipped};
use crate::own_time;
use crate::{Job, Result, page, row, table};
use warcsieve_papers::METHODS;

const CORPORA: [&str; 4] = ["wcxb-dev", "l3s-gn1", "cleaneval-test", "dragnet-a"];
const TYPED: &str = CORPORA[0];

pub fn write(job: &Job) -> Result {
    let names: Vec<&str> = shipped().map(|pipeline| pipeline.name).collect();
    let pipelines = built_in(names.iter().copied())?;
    let times = own_time::measure(&job.corpora, TYPED, &pipelines)?;
    job.say("times");
    let mut all: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    let mut types = all.clone();
    for corpus in CORPORA {
        let evaluation = job.corpora.evaluate(corpus, &pipelines)?;
        for (p, (all, types)) in all.iter_mut().zip(&mut types).enumerate() {
            *all = row(&all, means(&evaluation, p, "f1")?);
            if corpus == TYPED {
                *types = row(&types, by_type(&evaluation, p)?);
            }
        }
        job.say(corpus);
    }
    let mut costly = Vec::new();
    for ((name, row), seconds) in names.iter().zip(&mut all).zip(&times.pipelines) {
        let share = 100.0 * seconds / times.tokenizer;
        *row += &format!(" | {:.0} | {share:.1} %", seconds * 1e6);
        if *seconds > 0.1 * times.tokenizer {
            costly.push(format!("`{name}`"));
        }
    }
    let kilobytes = times.bytes as f64 / times.pages.max(1) as f64 / 1e3;
    let page = page!("methods.md")
        .put("pages", times.pages)
        .put("KB", format!("{kilobytes:.0}"))
        .put("tokenizing", format!("{:.0}", times.tokenizer * 1e6))
        .put("costly", costly.join(", "))
        .put("families", families(&names, &all))
        .put("all", table(&head("pipeline"), all))
        .put("types", table(&row("pipeline", TYPES), types));
    job.write(&page)
}

fn head(first: &str) -> String {
    row(row(first, CORPORA), ["µs per page", "of tokenizing"])
}

/// The pipelines by family, each with its note and its row.
fn families(names: &[&str], rows: &[String]) -> String {
    let mut parts = Vec::new();
    let mut family = "";
    for method in METHODS.methods.iter().filter(|m| !m.pipelines.is_empty()) {
        if method.family != family {
            family = method.family;
            parts.push(format!("## {family}"));
        }
        for pipeline in method.pipelines {
            parts.push(format!("### {}", pipeline.name));
            parts.push(pipeline.note.to_owned());
            let elsewhere = |figure: &str| {
                format!("Measured by `cargo xtask reproduce {figure}`: [{figure}.md]({figure}.md).")
            };
            parts.push(match names.iter().position(|name| *name == pipeline.name) {
                Some(at) => table(&head("word F1"), [rows[at].clone()]),
                None if pipeline.text.contains("\"repeated\"") => elsewhere("crawl"),
                None => elsewhere("layout"),
            });
        }
    }
    parts.join("\n\n")
}
