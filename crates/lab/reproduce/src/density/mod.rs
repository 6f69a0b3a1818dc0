//! Song, Sun, Liao: A hybrid approach for content extraction with text density and visual
//! importance of DOM nodes, 2013: `text-density.md`.

mod nodes;

use crate::corpora::{Corpora, TYPES, built_in, index, mean};
use crate::texts;
use crate::{Job, NONE, Result, data, number, page, points, row, table};
use warcsieve_eval::run::Evaluation;
use warcsieve_extract::Pipeline;

/// Our corpora, and the files of each.
const CORPORA: [(&str, &[&str]); 3] = [
    ("CleanEval", &["cleaneval-train", "cleaneval-test"]),
    ("L3S-GN1", &["l3s-gn1"]),
    ("WCXB", &["wcxb-dev"]),
];

/// A row of Tables 1 to 4: the table, our pipeline, the collection, precision, recall, F1 and Score.
type Source = [&'static str; 7];
/// A row of Tables 5 to 7: the method, our pipeline if there is one, F1, precision and recall on CleanEval, and
/// their averages over all collections.
type Method = [&'static str; 8];

const CCB_AS_PUBLISHED: &str = "[[step]]\nmethod = 'ccb'\nthreshold = 0.75";

pub fn write(job: &Job) -> Result {
    let sources = data!("density/tables1to4.tsv")?.rows()?;
    let printed: Vec<Method> = data!("density/tables5to7.tsv")?.rows()?;
    let built: Vec<&Method> = printed.iter().filter(|m| !m[1].is_empty()).collect();
    let names: Vec<&str> = built.iter().map(|m| m[1]).collect();
    let mut pipelines = built_in(names)?;
    let mut ours = Vec::new();
    for (corpus, files) in CORPORA {
        ours.push(evaluate(&job.corpora, files, &pipelines)?);
        job.say(corpus);
    }
    nodes::draw(job)?;
    for (pipeline, method) in pipelines.iter_mut().zip(built) {
        pipeline.name = method[0].to_owned();
    }
    let as_published = "CCB, threshold as published";
    pipelines.push(Pipeline::parse(
        &warcsieve_papers::METHODS,
        as_published,
        CCB_AS_PUBLISHED,
    )?);
    let (same, all) = f1_of_means(&sources)?;
    let page = page!("text-density.md")
        .put("same", same)
        .put("all", all)
        .put("table 5", methods(&printed, &ours, "F1", 2)?)
        .put("table 6", methods(&printed, &ours, "lcs_precision", 3)?)
        .put("table 7", methods(&printed, &ours, "lcs_recall", 4)?)
        .put("table 1", collections(&sources, &ours, "cetd")?)
        .put("table 2", collections(&sources, &ours, "cectd")?)
        .put("table 3", collections(&sources, &ours, "cectd-s")?)
        .put("texts", texts::tables(&job.corpora, &pipelines)?)
        .put("table 4", hybrid(&sources))
        .put("variants", variants(&job.corpora)?);
    job.say("all measures");
    job.write(&page)
}

/// The pages of some files, as one corpus.
fn evaluate(corpora: &Corpora, files: &[&str], pipelines: &[Pipeline]) -> Result<Evaluation> {
    let mut all = corpora.evaluate(files[0], pipelines)?;
    for file in &files[1..] {
        all.pages.extend(corpora.evaluate(file, pipelines)?.pages);
    }
    Ok(all)
}

/// A measure over the pages of some types. F1 is computed from the mean precision and the mean recall, as in the paper.
fn figure(evaluation: &Evaluation, name: &str, measure: &str, types: &[&str]) -> Result<f64> {
    let of = |measure| mean(evaluation, index(evaluation, name)?, measure, types);
    match measure {
        "F1" => Ok(harmonic(of("lcs_precision")?, of("lcs_recall")?)),
        _ => of(measure),
    }
}

fn harmonic(precision: f64, recall: f64) -> f64 {
    2.0 * precision * recall / (precision + recall)
}

/// One of Tables 5 to 7: the paper's columns, then ours.
fn methods(printed: &[Method], ours: &[Evaluation], measure: &str, at: usize) -> Result<String> {
    let rows = printed.iter().map(|method| {
        let cell = |evaluation| match method[1] {
            "" => Ok(NONE.to_owned()),
            pipeline => Ok(points(figure(evaluation, pipeline, measure, &[])?)),
        };
        let cells = ours.iter().map(cell).collect::<Result<Vec<_>>>()?;
        Ok(row(row(method[0], [method[at], method[at + 3]]), cells))
    });
    let head = "method | paper: CleanEval | paper: average of seven";
    let head = row(head, CORPORA.map(|(name, _)| format!("ours: {name}")));
    Ok(table(&head, rows.collect::<Result<Vec<_>>>()?))
}

/// One of Tables 1 to 3: the paper's rows, then ours.
fn collections(printed: &[Source], ours: &[Evaluation], pipeline: &str) -> Result<String> {
    let own = printed.iter().filter(|source| source[1] == pipeline);
    let own = own.map(|source| {
        row(
            format!("paper: {}", source[2]),
            source[3..].iter().chain([&""]),
        )
    });
    let mut rows: Vec<_> = own.collect();
    let mut add = |name: &str, evaluation: &Evaluation, types: &[&str]| -> Result {
        let measures = ["lcs_precision", "lcs_recall", "F1", "score", "lcs_f1"];
        let of = |measure| Ok(points(figure(evaluation, pipeline, measure, types)?));
        let figures = measures.map(of).into_iter().collect::<Result<Vec<_>>>()?;
        rows.push(row(format!("ours: {name}"), figures));
        Ok(())
    };
    for ((name, _), evaluation) in CORPORA.iter().zip(ours) {
        add(name, evaluation, &[])?;
    }
    let typed = ours.last().ok_or("no corpus")?;
    for page_type in TYPES {
        add(&format!("WCXB, {page_type}"), typed, &[page_type])?;
    }
    let head = " | precision | recall | F1 | Score | mean of pages' F1";
    Ok(table(head, rows))
}

/// Table 4: the paper's rows. Another command measures ours.
fn hybrid(printed: &[Source]) -> String {
    let of = |pipeline| printed.iter().filter(move |source| source[1] == pipeline);
    let rows = of("cehtd").zip(of("cectd")).map(|(own, composite)| {
        let figures = own[3..].iter().chain([&composite[5]]);
        row(format!("paper: {}", own[2]), figures)
    });
    table(" | precision | recall | F1 | Score | F1 of CECTD-DS", rows)
}

/// The number of rows of Tables 1 to 3 in which F1 is that of precision and recall, and the number of all rows.
fn f1_of_means(printed: &[Source]) -> Result<(usize, usize)> {
    let (mut same, mut all) = (0, 0);
    for [_, _, _, precision, recall, f1, _] in printed.iter().filter(|source| source[0] != "4") {
        let harmonic = harmonic(number(precision)?, number(recall)?);
        all += 1;
        same += usize::from((harmonic - number(f1)?).abs() < 0.011);
    }
    Ok((same, all))
}

/// The effect of the deviations that are parameters: word F1 of each variant on each corpus, and the difference from
/// the method that ships. The last variant is the program of the paper's authors.
fn variants(corpora: &Corpora) -> Result<String> {
    let variants: Vec<[&str; 2]> = data!("density/variants.tsv")?.rows()?;
    let (mut pipelines, mut rows) = (Vec::new(), Vec::new());
    for [method, keys] in &variants {
        let keys = || keys.split_whitespace();
        let set: String = keys().map(|key| format!("{key} = true\n")).collect();
        let text = format!("[[step]]\nmethod = '{method}'\n{set}");
        pipelines.push(Pipeline::parse(&warcsieve_papers::METHODS, method, &text)?);
        let keys: Vec<_> = keys().map(|key| format!("`{key}`")).collect();
        rows.push(match keys.is_empty() {
            true => format!("`{method}`: as it ships"),
            false => format!("`{method}`: {}", keys.join(", ")),
        });
    }
    let mut head = "mean word F1".to_owned();
    for (corpus, _) in texts::CORPORA {
        let evaluation = corpora.evaluate(corpus, &pipelines)?;
        let mut shipped = 0.0;
        for (at, (row, [_, keys])) in rows.iter_mut().zip(&variants).enumerate() {
            let f1 = mean(&evaluation, at, "f1", &[])?;
            if keys.is_empty() {
                shipped = f1;
                *row += &format!(" | {f1:.3} | ");
            } else {
                *row += &format!(" | {f1:.3} | {:+.3}", f1 - shipped);
            }
        }
        head += &format!(" | {corpus} | difference");
    }
    Ok(table(&head, rows))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_printed_f1_is_that_of_printed_precision_and_recall() {
        let printed: Vec<Source> = data!("density/tables1to4.tsv").unwrap().rows().unwrap();
        assert_eq!(f1_of_means(&printed).unwrap(), (21, 21));
        assert_eq!(printed.len(), 28);
        let methods: Vec<Method> = data!("density/tables5to7.tsv").unwrap().rows().unwrap();
        for [_, _, figures @ ..] in methods {
            assert!(figures.iter().all(|figure| number(figure).is_ok()));
        }
    }
}
