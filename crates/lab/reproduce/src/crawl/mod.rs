//! `crawl.md`: what the default gains where pages of a site share texts.

mod sets;
mod synthetic;

use crate::Result;
use crate::job::Job;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use warcsieve_engine::{Input, Progress};
use warcsieve_extract::Pipeline;
use warcsieve_model::Forest;
use warcsieve_run::{FrequencyOptions, count_frequencies};

/// What is asked of a text that repeats.
#[derive(Clone, Copy)]
struct Rule {
    /// Parameters of `repeated`; `None` is the default alone.
    params: Option<&'static str>,
    about: &'static str,
}

/// The default, what ships, and other choices.
const RULES: [Rule; 9] = [
    rule(None, "`default`"),
    rule(Some(""), "**`default-crawl`: 3 pages of the host**"),
    rule(Some("host_pages = 2\n"), "2 pages of the host"),
    rule(Some("host_pages = 5\n"), "5 pages of the host"),
    rule(
        Some("own = 0.0\n"),
        "3 pages of the host, also on copies (`own = 0.0`)",
    ),
    rule(Some("own = 0.05\n"), "3 pages of the host, `own = 0.05`"),
    rule(Some("own = 0.2\n"), "3 pages of the host, `own = 0.2`"),
    rule(Some("pages = 3\n"), "3 pages of the host, or of the crawl"),
    rule(
        Some("pages = 10\n"),
        "3 pages of the host, or 10 of the crawl",
    ),
];

const fn rule(params: Option<&'static str>, about: &'static str) -> Rule {
    Rule { params, about }
}

pub fn write(job: &Job) -> Result {
    let sets = sets::write(job)?;
    job.say("sets");
    let synthetic = synthetic::write(job)?;
    let text = TEXT
        .replace("{sets}", &sets)
        .replace("{synthetic}", &synthetic);
    job.page("crawl.md", &text)
}

/// Counts the texts of inputs, as `clean` does for `default-crawl`, but from two pages on.
fn count(inputs: &[Input], folder: &Path, name: &str) -> Result<PathBuf> {
    let file = std::path::absolute(folder.join(name))?;
    let options = FrequencyOptions {
        threads: 2,
        memory: 256 << 20,
        min_pages: 2,
        by_host: true,
        allow_failed: false,
    };
    let pipeline = Pipeline::built_in(&warcsieve_papers::METHODS, "default")?;
    let progress = Arc::new(Progress::default());
    let summary = count_frequencies(inputs, &pipeline, &options, &file, &progress)?;
    match summary.failed.first() {
        Some(failed) => Err(format!("{}: {}", failed.name, failed.error).into()),
        None => Ok(file),
    }
}

/// One of the default pipelines with a rule, and a forest in place of the one that ships.
fn pipeline(
    folder: &Path,
    base: &str,
    rule: Rule,
    table: &Path,
    forest: Option<(&str, &Forest)>,
) -> Result<Pipeline> {
    let built_in = warcsieve_papers::METHODS
        .shipped()
        .find(|pipeline| pipeline.name == base);
    let mut text = built_in.ok_or("a default is missing")?.text.to_owned();
    if let Some((name, forest)) = forest {
        std::fs::write(folder.join(name), forest.to_text())?;
        // The forest is the last step, so that the line is of its table.
        text += &format!("model = \"{name}\"\n");
    }
    if let Some(params) = rule.params {
        text += "\n[[step]]\nmethod = \"repeated\"\n";
        text += &format!("frequencies = \"{}\"\n{params}", table.display());
    }
    let name = folder.join("crawl.toml").display().to_string();
    Ok(Pipeline::parse(&warcsieve_papers::METHODS, &name, &text)?)
}

const TEXT: &str = "\
# Texts that pages of a site share

Pages of one site often share texts, such as menus, notices and footers. The pipeline `default-crawl` counts such texts
and labels them as boilerplate. This page is for everyone who cleans a crawl in which a site has several pages:

```sh
warcsieve clean crawl/ --pipeline default-crawl --out corpus/
```

Written by `cargo xtask reproduce crawl` (the labelled corpora next to the check-out; SHARED=folder).

`clean` reads the crawl twice. The first pass counts on how many pages of its host each text is, and writes the counts
to `corpus.freq` next to the output. The second pass labels as `default` does. Then it labels a text as boilerplate if
three or more pages of the host have it.

A page may be in the crawl several times, as mirrors and print views are. If it is there three times, every text of it
is on three pages. So `default-crawl` estimates how often the page is there: as often as the rarest tenth of its
content. A text of the page is boilerplate only if it is on at least three times as many pages.

`corpus.freq` is an input, like a model. Its hash is part of the recipe, and the same table leads to the same bytes. The
file is kept:

* A run that was stopped continues with it.
* A run that gets further inputs uses it, too. It warns that the texts of these inputs are not counted. To count again,
  delete the file.

The first pass takes 256 MiB of memory for counts, and writes further counts to a temporary file.

If several machines clean shares of a crawl, make the table first, from all inputs. Give each machine a copy, as
`corpus.freq` or in a pipeline file:

```sh
warcsieve freq crawl/ --pipeline default-crawl --by-host --min-pages 3 --out crawl.freq
```

```toml
[[step]]
method = \"forest\"

[[step]]
method = \"repeated\"
frequencies = \"crawl.freq\"
# host_pages = 3     a text on so many pages of its host is boilerplate; 0 for none
# pages = 0          a text on so many pages of the crawl is; 0 for none
# own = 0.1          a page is there as often as the rarest such share of its content
```

A table takes 12 bytes on disk and in memory for each text that is on at least `--min-pages` pages of the crawl. It
takes 12 more bytes for each host that has the text on so many pages. A table may have up to 1 GiB.

With a pipeline file that names the table, `inspect` shows for each block on how many pages its text is. `eval`,
`extract` and `view` have no crawl. So they ignore the step `repeated` if the pipeline names no table.

## Labelled pages

Each row is a rule: it says on how many pages a text must be to be boilerplate. The figures are word F1. Readers'
comments are kept or dropped by the convention of each set, and wcxb-dev is measured out of fold. The pages of a set are
its crawl. So only few pages have other pages of their host in the crawl. *Pages in reach* are pages of hosts with three
or more pages. dragnet-a names no hosts: all its pages count as pages of one host, so its column counts texts over the
whole set. In brackets: how many pages have a higher F1 than by `default`, and how many a lower one.

{sets}
The number of three pages was taken from an earlier experiment. An earlier rule did not change a page that would lose
half of its content. It had 90.5 on dragnet-a and the same figures on the other sets. It was replaced because it took
most pages of the crawl below for copies. `own` was set to a tenth before the other values of `own` were measured.

## A crawl of templates

This crawl is made by a program, so it is known which text is content. The pages of a site share a menu, a notice on
cookies, a paragraph about the site in full sentences, a box with teasers that changes from page to page, and a footer.
Each page has a headline and paragraphs of its own. Some pages are there three times, as mirrors and print views are.

{synthetic}
";
