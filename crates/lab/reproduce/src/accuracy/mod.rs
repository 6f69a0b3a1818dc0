//! `accuracy.md`: the accuracy of the default, compared with all other pipelines and with current
//! programs.

mod judged;
mod kinds;
mod limits;
mod names;
pub mod out_of_fold;
mod reliability;
pub mod sets;

use crate::corpora::{LEARNED_FROM, NETWORKS_LEARNED_FROM, shipped, shipped_text};
use crate::scores::{f1, mean, shown};
use crate::{Job, NONE, Result, data, interval, number, page, points, row, table};
use out_of_fold::OutOfFold;
use sets::{MEAN, Measured, SETTINGS};
use warcsieve_eval::score::Scores;

pub fn write(job: &Job) -> Result {
    let measured = sets::measure(job)?;
    let trained = out_of_fold::measure(job)?;
    let others = reliability::others(job, &trained.learned.forest)?;
    let page = page!("accuracy.md")
        .put("sets", about_sets(&measured))
        .put("left out", left_out(&measured))
        .put("default", default(&measured, &trained))
        .put("means", means(&measured, &trained)?)
        .put("settings", settings(&measured, &trained))
        .put("all", all(&measured, &trained)?);
    let page = trained.put(page)?;
    let page = reliability::put(job, page, &trained, &others)?;
    limits::write(job, &trained, &others)?;
    job.write(&page)
}

fn about_sets(measured: &[Measured]) -> String {
    let sets = measured.iter().map(|measured| {
        let set = &measured.set;
        let (name, about, pipeline) = (set.name, set.about, set.pipeline);
        let pages = measured.of(pipeline).len();
        let seen = match set.is_seen() {
            true => " **The model that ships was trained on it.**",
            false => "",
        };
        format!("- {name}: {about}. {pages} pages, measured with `{pipeline}`.{seen}")
    });
    sets.collect::<Vec<_>>().join("\n")
}

fn left_out(measured: &[Measured]) -> String {
    let lines = measured.iter().flat_map(|measured| {
        let lines = measured.left_out.iter();
        lines.map(|line| format!("\n- {}: {line}", measured.set.name))
    });
    let lines: String = lines.collect();
    match lines.is_empty() {
        true => "Every page of every gold could be read and is in every mean.".to_owned(),
        false => {
            format!("Every page of every gold is in every mean. What could not be read:\n{lines}")
        }
    }
}

/// The default on each set, with the set's convention on comments.
fn default(measured: &[Measured], trained: &OutOfFold) -> String {
    let mut rows = Vec::new();
    for measured in measured {
        let set = &measured.set;
        let mut add = |what: &str, scores: &[Scores]| {
            let all: Vec<f64> = scores.iter().map(|s| s.f1).collect();
            let interval = interval(&all).unwrap_or(NONE.to_owned());
            let missed = mean(scores, |s| f64::from(u8::from(s.recall < 0.5)));
            let [f1, precision, recall] = shown(scores);
            let (pipeline, missed) = (set.pipeline, points(missed));
            let figures = format!("{f1} | {interval} | {precision} | {recall} | {missed} %");
            rows.push(format!("{}{what} | `{pipeline}` | {figures}", set.name));
        };
        let fitted = measured.of(set.pipeline);
        if set.is_seen() {
            add(", **out of fold**", trained.of(set.corpus));
            add(", *trained on: not an accuracy*", fitted);
        } else {
            add("", fitted);
        }
    }
    let head = "set | pipeline | word F1 | 95 % interval | precision | recall | recall under 50";
    table(head, rows)
}

/// The four sets and their mean, best first.
fn means(measured: &[Measured], trained: &OutOfFold) -> Result<String> {
    let sets = MEAN.map(|name| measured.iter().find(|m| m.set.name == name));
    let figures = |pipeline: &dyn Fn(&Measured) -> &'static str| {
        sets.map(|found| {
            found.map(|measured| match measured.set.is_seen() {
                true => f1(trained.of(measured.set.corpus)),
                false => f1(measured.of(pipeline(measured))),
            })
        })
    };
    let by_set = "**`default`, comments by each set's convention**".to_owned();
    let dropped = "**`default`, comments dropped from all**".to_owned();
    let mut all = vec![
        (by_set, figures(&|measured| measured.set.pipeline)),
        (dropped, figures(&|_| "default")),
    ];
    let defaults: Vec<&str> = measured.iter().map(|m| m.set.pipeline).collect();
    let names = shipped().map(|pipeline| pipeline.name);
    for name in names.filter(|name| !defaults.contains(name)) {
        let seen = seen_by(name)?;
        let f1 = sets.map(|found| {
            let found = found.filter(|m| !seen.contains(&m.set.corpus));
            found.map(|measured| f1(measured.of(name)))
        });
        all.push((format!("`{name}`"), f1));
    }
    for [name, cells @ ..] in data!("accuracy/peers.tsv")?.rows::<5>()? {
        let mut f1 = [None; MEAN.len()];
        let measured = f1.iter_mut().zip(cells);
        for (f1, cell) in measured.filter(|(_, cell)| !cell.is_empty()) {
            *f1 = Some(number(cell)?);
        }
        all.push((name.to_owned(), f1));
    }
    let mean = |f1: &[Option<f64>; MEAN.len()]| {
        let sum: Option<f64> = f1.iter().copied().sum();
        sum.map(|sum| sum / MEAN.len() as f64)
    };
    all.sort_by(|a, b| {
        let [a, b] = [a, b].map(|row| mean(&row.1).unwrap_or_default());
        b.total_cmp(&a)
    });
    let rows = all.into_iter().map(|(name, f1)| {
        let cells = [mean(&f1)].into_iter().chain(f1);
        row(name, cells.map(|f1| f1.map_or(NONE.to_owned(), points)))
    });
    Ok(table(&row(" | mean", MEAN), rows))
}

/// The sets that the model of a pipeline was learned from.
fn seen_by(name: &str) -> Result<&'static [&'static str]> {
    let text = shipped_text(name)?;
    let has = |method: &str| text.contains(&format!("method = \"{method}\""));
    Ok(match (has("forest"), has("web2text") || has("crf")) {
        (true, _) => &LEARNED_FROM,
        (_, true) => &NETWORKS_LEARNED_FROM,
        _ => &[],
    })
}

/// The default with each of [`SETTINGS`]. Out of fold on sets from which the model was learned.
fn settings(measured: &[Measured], trained: &OutOfFold) -> String {
    let rows = measured.iter().map(|measured| {
        let set = &measured.set;
        let cell = |at: usize| {
            let scores = match set.is_seen() {
                true => trained.with(set.corpus, SETTINGS[at]),
                false => measured.settings[at].clone(),
            };
            let [f1, precision, recall] = shown(&scores);
            format!("{f1} ({precision}, {recall})")
        };
        let seen = match set.is_seen() {
            true => ", **out of fold**",
            false => "",
        };
        row(format!("{}{seen}", set.name), (0..SETTINGS.len()).map(cell))
    });
    let head = SETTINGS.map(|(beta, headline)| match headline {
        "drop" => format!("`{beta}`, headline dropped"),
        _ => format!("`{beta}`"),
    });
    table(&row("set", head), rows)
}

fn all(measured: &[Measured], trained: &OutOfFold) -> Result<String> {
    let mut rows = Vec::new();
    for name in shipped().map(|pipeline| pipeline.name) {
        let seen = seen_by(name)?;
        let cells = measured.iter().map(|measured| {
            let figure = points(f1(measured.of(name)));
            match seen.contains(&measured.set.corpus) {
                true => format!("*{figure}, trained on*"),
                false => figure,
            }
        });
        rows.push(row(format!("`{name}`"), cells));
    }
    let cells = measured.iter().map(|m| match m.set.is_seen() {
        true => points(f1(trained.of(m.set.corpus))),
        false => NONE.to_owned(),
    });
    rows.insert(1, row("`default`, out of fold", cells));
    let head = row("pipeline", measured.iter().map(|m| m.set.name));
    Ok(table(&head, rows))
}
