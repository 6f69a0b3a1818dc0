//! Pan Ei San, Nilar Aye: Noise Block Cleaning and Main Content Block Extraction from Dynamic Web
//! Page: `noise-blocks.md`.

use crate::corpora::evaluate_all;
use crate::texts;
use crate::{Job, Result, data, page, points, row, table};
use warcsieve_eval::blocks::BlockMeasures;
use warcsieve_eval::pages::Gold;
use warcsieve_extract::Pipeline;

pub fn write(job: &Job) -> Result {
    let methods = methods()?;
    let blocks = blocks(job, &methods)?;
    job.say("blocks");
    let page = page!("noise-blocks.md")
        .put("printed", data!("noise/table1.tsv")?.table())
        .put("blocks", blocks)
        .put("texts", texts::tables(&job.corpora, &methods)?);
    job.write(&page)
}

/// The steps of §4.1, each added to those before it, and other interpretations of the paper.
fn methods() -> Result<Vec<Pipeline>> {
    let methods = data!("noise/methods.tsv")?.rows()?.into_iter();
    let pipelines = methods.map(|[name, steps]| {
        let text = format!("segmentation = 'justext'\nstep = [{steps}]\n");
        Ok(Pipeline::parse(&warcsieve_papers::METHODS, name, &text)?)
    });
    pipelines.collect()
}

/// The methods on the annotated blocks.
fn blocks(job: &Job, methods: &[Pipeline]) -> Result<String> {
    let inputs = job.corpora.inputs("l3s-gn1")?;
    let evaluation = evaluate_all(&inputs, &Gold::Annotations, methods)?;
    let rows = methods.iter().enumerate().map(|(p, method)| {
        let mut blocks = BlockMeasures::default();
        for page in &evaluation.pages {
            blocks.merge(&page.scores[p].blocks);
        }
        let measured = blocks.measured().ok_or("no annotated blocks")?;
        let [_, content] = &measured.classes[..] else {
            return Err("the annotated blocks are not of two classes".into());
        };
        let average = measured.average;
        let figures = [
            [average.precision, average.recall, average.f1],
            [content.precision, content.recall, content.f1],
        ];
        let figures = figures.as_flattened().iter();
        Ok(row(&method.name, figures.map(|figure| points(*figure))))
    });
    let head = "ours | precision | recall | F | content: precision | recall | F";
    Ok(table(head, rows.collect::<Result<Vec<_>>>()?))
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_methods_are_pipelines() {
        let methods = super::methods().unwrap();
        assert_eq!(
            methods[3].method,
            "justext+noise-tree+noise-duplicates+noise-main"
        );
    }
}
