//! Nguyen-Hoang et al.: Genre-Oriented Web Content Extraction with Deep Convolutional Neural
//! Networks and Statistical Methods, 2018: `genre.md`.

mod classifiers;

use crate::corpora::{TYPES, built_in, by_type, evaluate_all, index, mean, means};
use crate::{Job, Result, data, page, points, row, table};
use classifiers::Predictions;
use warcsieve_engine::Input;
use warcsieve_eval::choice::{GOCE_ALGORITHMS, add_choice, add_oracle_genre};
use warcsieve_eval::pages::Gold;
use warcsieve_eval::run::Evaluation;
use warcsieve_extract::Pipeline;
use warcsieve_papers::METHODS;
use warcsieve_papers::goce::Genre;

const CORPUS: &str = "wcxb-dev";

/// The columns of Table 2, and our pipelines for them.
const MODES: [(&str, &str); 6] = [
    ("Default", "keep-all"),
    ("Boilerpipe", "boilerpipe-article"),
    ("Article", "goce-article"),
    ("List-view", "goce-list"),
    ("GOCE", "goce (out of fold)"),
    ("Oracle", ORACLE),
];
const ORACLE: &str = "goce (oracle genre)";

pub fn write(job: &Job) -> Result {
    let inputs = job.corpora.inputs(CORPUS)?;
    let gold = Gold::Texts(job.corpora.gold(CORPUS)?);
    let (page, predictions) = classifiers::put(job, page!("genre.md"), &inputs, &gold)?;
    job.say("genres");
    let others = ["keep-all", "boilerpipe-default", "boilerpipe-article"];
    let names = others.into_iter().chain(GOCE_ALGORITHMS).chain(["goce"]);
    let pipelines = built_in(names)?;
    let mut evaluation = evaluate_all(&inputs, &gold, &pipelines)?;
    for predictions in &predictions {
        add_out_of_fold(&mut evaluation, predictions)?;
    }
    if !add_oracle_genre(&mut evaluation) {
        return Err("the algorithms are not among the pipelines".into());
    }
    job.say("texts");
    let page = page
        .put("table 2", table_2(&evaluation)?)
        .put("choosing", choosing(&evaluation, &predictions)?)
        .put("words", words(&evaluation)?)
        .put("readings", readings(&inputs, &gold)?);
    job.write(&page)
}

/// Adds GOCE with the genres predicted by models trained without the page's domain.
fn add_out_of_fold(evaluation: &mut Evaluation, predictions: &Predictions) -> Result {
    let mut pages = evaluation.pages.iter();
    if let Some(page) = pages.find(|p| !predictions.genres.contains_key(&p.id)) {
        return Err(format!("{} has no genre", page.id).into());
    }
    let [article, list] = GOCE_ALGORITHMS.map(|name| index(evaluation, name));
    let (article, list) = (article?, list?);
    add_choice(evaluation, predictions.goce, |_, page| {
        match predictions.genres[&page.id] {
            Genre::Article => article,
            Genre::ListView => list,
        }
    });
    Ok(())
}

/// The paper's Table 2, with our figure after each.
fn table_2(evaluation: &Evaluation) -> Result<String> {
    let mut rows = Vec::new();
    for [part, types, name, measure, printed @ ..] in data!("genre/table2.tsv")?.rows::<10>()? {
        let types: Vec<&str> = types.split_whitespace().collect();
        let pages = evaluation.pages.iter();
        let own = pages.filter(|p| types.is_empty() || types.contains(&p.page_type.as_str()));
        let cells = MODES.iter().zip(printed).map(|((_, pipeline), printed)| {
            let ours = mean(evaluation, index(evaluation, pipeline)?, measure, &types)?;
            Ok(format!("{printed} / {}", points(ours)))
        });
        let name = format!("{part} ({}) | {name}", own.count());
        rows.push(row(name, cells.collect::<Result<Vec<_>>>()?));
    }
    Ok(table(&row("pages | ", MODES.map(|mode| mode.0)), rows))
}

/// GOCE with each classifier: LCS F1 of each part of the pages, and LCS precision, recall and the cosine.
fn choosing(evaluation: &Evaluation, predictions: &[Predictions]) -> Result<String> {
    let predictions = predictions
        .iter()
        .map(|predictions| (predictions.goce, points(predictions.accuracy)));
    let predictions = predictions.chain([(ORACLE, "100".to_owned())]);
    let rows = predictions.map(|(name, accuracy)| {
        let of = |(measure, types): (&str, &[&str])| {
            let figure = mean(evaluation, index(evaluation, name)?, measure, types);
            Ok(points(figure?))
        };
        let figures = [
            ("lcs_f1", &["article"][..]),
            ("lcs_f1", &["collection", "listing"]),
            ("lcs_f1", &[]),
            ("lcs_precision", &[]),
            ("lcs_recall", &[]),
            ("cosine", &[]),
        ];
        let figures = figures.into_iter().map(of).collect::<Result<Vec<_>>>()?;
        Ok(row(row(name, [accuracy]), figures))
    });
    let head = " | accuracy | articles | list views | all | P | R | cosine";
    Ok(table(head, rows.collect::<Result<Vec<_>>>()?))
}

/// LCS F1 of the list-view algorithm by what it counts: whether elements without a class are one, and what L is.
fn readings(inputs: &[Input], gold: &Gold) -> Result<String> {
    let all =
        [true, false].map(|classless| ["words", "characters"].map(|length| (classless, length)));
    let all = all.as_flattened();
    let pipelines = all.iter().map(|(classless, length)| {
        let text = format!(
            "segmentation = 'inline'\n[[step]]\nmethod = 'goce-list'\nclassless = {classless}\nlength = '{length}'\n"
        );
        Ok(Pipeline::parse(&METHODS, "goce-list", &text)?)
    });
    let evaluation = evaluate_all(inputs, gold, &pipelines.collect::<Result<Vec<_>>>()?)?;
    let rows = all.iter().enumerate().map(|(p, (classless, length))| {
        let types = [
            &["collection"][..],
            &["listing"],
            &["collection", "listing"],
            &[],
        ];
        let figures = types.map(|types| mean(&evaluation, p, "lcs_f1", types).map(points));
        let name = format!("`classless = {classless}`, `length = \"{length}\"`");
        Ok(row(name, figures.into_iter().collect::<Result<Vec<_>>>()?))
    });
    let head = " | collections | listings | both | all pages";
    Ok(table(head, rows.collect::<Result<Vec<_>>>()?))
}

/// Word F1 of all pipelines, by page type.
fn words(evaluation: &Evaluation) -> Result<String> {
    let pipelines = evaluation.pipelines.iter().enumerate();
    let rows = pipelines.map(|(p, pipeline)| {
        let measures = "f1 precision recall lcs_f1 cosine";
        let name = format!("`{}`", pipeline.name);
        let name = row(name, means(evaluation, p, measures)?);
        Ok(row(name, by_type(evaluation, p)?))
    });
    let head = row(" | all | P | R | LCS F1 | cosine", TYPES);
    Ok(table(&head, rows.collect::<Result<Vec<_>>>()?))
}
