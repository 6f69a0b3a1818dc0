//! The cost of labelling on top of segmentation, and of the tokenizer, measured in one run.

use crate::Result;
use crate::corpora::{Corpora, each_record};
use crate::measure::stages::lol_html;
use std::time::Instant;
use warcsieve_classify::{Chain, Classifier, Label};
use warcsieve_extract::{Pipeline, segment};
use warcsieve_html::document::Document;
use warcsieve_html::{Segmentation, Segmenter};
use warcsieve_page::{PageOptions, PageReader};

/// Mean times per page in seconds; the time of a page is the [`best`].
pub struct OwnTimes {
    pub pages: usize,
    pub bytes: usize,
    /// lol_html with one text handler that does nothing.
    pub tokenizer: f64,
    /// The steps of each pipeline.
    pub pipelines: Vec<f64>,
}

/// Measures pipelines on one thread.
pub fn measure(corpora: &Corpora, corpus: &str, pipelines: &[Pipeline]) -> Result<OwnTimes> {
    let mut views: Vec<(Segmentation, Segmenter, Document)> = Vec::new();
    let mut steps: Vec<(usize, Chain)> = Vec::new();
    for pipeline in pipelines {
        let segmentation = pipeline.segmentation;
        let view = views.iter().position(|v| v.0 == segmentation);
        let view = view.unwrap_or_else(|| {
            views.push((segmentation, pipeline.segmenter(), Document::default()));
            views.len() - 1
        });
        steps.push((view, pipeline.build().0));
    }
    let mut times = OwnTimes {
        pages: 0,
        bytes: 0,
        tokenizer: 0.0,
        pipelines: vec![0.0; pipelines.len()],
    };
    let options = PageOptions::default();
    let mut reader = PageReader::default();
    let mut labels = Vec::new();
    each_record(&corpora.inputs(corpus)?, |_, record| {
        let Ok(page) = reader.read(record, &options) else {
            return Ok(());
        };
        times.pages += 1;
        times.bytes += page.payload.len();
        times.tokenizer += best(|| lol_html(page.payload));
        for (_, segmenter, doc) in &mut views {
            segment(segmenter, &page, doc).map_err(|skip| skip.detail)?;
        }
        for ((view, chain), time) in steps.iter_mut().zip(&mut times.pipelines) {
            let doc = &views[*view].2;
            *time += best(|| {
                labels.clear();
                labels.resize(doc.blocks.len(), Label::default());
                chain.classify(doc, &mut labels);
            });
        }
        Ok(())
    })?;
    let pages = times.pages.max(1) as f64;
    times.tokenizer /= pages;
    for time in &mut times.pipelines {
        *time /= pages;
    }
    Ok(times)
}

/// Seconds of the fastest of three runs.
pub fn best(mut run: impl FnMut()) -> f64 {
    let seconds = [(); 3].map(|()| {
        let start = Instant::now();
        run();
        start.elapsed().as_secs_f64()
    });
    seconds.into_iter().fold(f64::INFINITY, f64::min)
}
