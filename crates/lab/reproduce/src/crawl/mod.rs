//! `crawl.md`: what the default gains where pages of a site share texts.

mod sets;
mod synthetic;

use crate::Result;
use crate::job::Job;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use warcsieve_classify::shipped;
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
    rule(Some("own = 0.0\n"), "3 pages of the host, copies, too"),
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
    let pipeline = Pipeline::built_in("default")?;
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
    let built_in = shipped().find(|pipeline| pipeline.name == base);
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
    Ok(Pipeline::parse(&name, &text)?)
}

const TEXT: &str = "\
# Texts that pages of a site share

Written by `make reproduce-crawl` (the labelled corpora beside the check-out; SHARED=folder). For crawls in which a site has several pages:

```sh
warcsieve clean crawl/ --pipeline default-crawl --out corpus/
```

reads the crawl twice. The first pass counts on how many pages of its host each text is, and writes `corpus.freq` beside the output; the second labels as `default`
does, and takes for boilerplate what three pages of the host or more have in common. Of a page that is there three times, as mirrors and print views are, every text is on three
pages; so a page counts as often as the rarest tenth of its content is there, and a text of it must be on as many times three pages. `corpus.freq` is an input like a model: its hash is part of the recipe, and with the same table the same bytes come out. It is kept: a run that was
stopped goes on with it, and so does one that gets further inputs, with a warning, since their texts are not counted; delete the file to count again. The first pass takes
256 MiB for counts, and writes more to a temporary file.

For shares of a crawl on several machines make the table first, with all inputs, and give each machine a copy, as `corpus.freq` or by a pipeline file:

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

A table takes 12 bytes on disk and in memory for each text on `--min-pages` pages or more of the crawl, and 12 for each host that has it on so many; it may have 1 GiB. With a pipeline file that names the table
`inspect` says of each block on how many pages its text is. `eval`, `extract` and `view` have no crawl: there a pipeline that names no table labels as without the step.

## Labelled pages

Word F1, comments by each set's convention, wcxb-dev out of fold. The pages of a set are its crawl, so that few of them have others of their host beside them: *in reach* are
pages of hosts with three or more. dragnet-a names no hosts; all its pages are of one, which makes its row one of texts on so many pages of the set. In brackets: how many pages have a higher F1 than by `default`, and
how many a lower one.

{sets}
Three pages were what an earlier experiment had used, and stayed. A first rule left pages as they are that would lose half of their content: it gave 90.5 on dragnet-a and the
same on the other sets, and was replaced since on the crawl below it took most pages for copies. `own` was fixed at a tenth before the figures of other values.

## A crawl of templates

Where the truth is known: synthetic sites, whose pages share a menu, a notice on cookies, a paragraph about the site in full sentences, a box with teasers that changes from
page to page, and a footer; each page has a headline and paragraphs of its own. Some pages are there three times, as mirrors and print views are.

{synthetic}
";
