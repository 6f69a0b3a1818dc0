//! A pipeline that uses the result of one of the other pipelines on each page, for example of the
//! one for the page's true genre.

use super::run::{Evaluation, PageRow, PipelineName};
use warcsieve_papers::goce::Genre;

/// The pipelines of GOCE's two algorithms, article first.
pub const GOCE_ALGORITHMS: [&str; 2] = ["goce-article", "goce-list"];

/// Adds a pipeline to an evaluation. Its scores on a page are those of the pipeline whose index
/// `choose` returns.
///
/// # Panics
/// If there is no such pipeline.
pub fn add_choice(
    evaluation: &mut Evaluation,
    name: &str,
    choose: impl Fn(usize, &PageRow) -> usize,
) {
    let mut chosen = Vec::new();
    for (i, page) in evaluation.pages.iter_mut().enumerate() {
        let pipeline = choose(i, page);
        page.scores.push(page.scores[pipeline].clone());
        chosen.push(pipeline);
    }
    let mut used = chosen.clone();
    used.sort_unstable();
    used.dedup();
    let used = used.iter().map(|&p| &evaluation.pipelines[p]);
    let methods: Vec<_> = used.clone().map(|p| p.method.as_str()).collect();
    let segmentation = used.map(|p| p.segmentation).next().unwrap_or_default();
    let name = PipelineName {
        name: name.to_owned(),
        method: methods.join("|"),
        segmentation,
        chosen: Some(chosen),
    };
    evaluation.pipelines.push(name);
}

/// Adds `goce (oracle genre)`: GOCE if it knew each page's genre from the gold (Nguyen-Hoang et
/// al. 2018, §4.3, "oracle mode"). `false` if the [`GOCE_ALGORITHMS`] are not among the pipelines.
pub fn add_oracle_genre(evaluation: &mut Evaluation) -> bool {
    let find = |name| evaluation.pipelines.iter().position(|p| p.name == name);
    let [Some(article), Some(list)] = GOCE_ALGORITHMS.map(find) else {
        return false;
    };
    add_choice(
        evaluation,
        "goce (oracle genre)",
        |_, page| match Genre::of_type(&page.page_type) {
            Genre::Article => article,
            Genre::ListView => list,
        },
    );
    true
}

impl Evaluation {
    /// The name of the pipeline that produced a pipeline's score on a page: its own, unless it was
    /// added by [`add_choice`].
    pub fn pipeline_of(&self, page: usize, pipeline: usize) -> &str {
        let of = &self.pipelines[pipeline];
        let chosen = of.chosen.as_ref().and_then(|chosen| chosen.get(page));
        chosen.map_or(&of.name, |&other| &self.pipelines[other].name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page_score::PageScore;

    fn evaluation(pipelines: &[&str], types: &[&str]) -> Evaluation {
        let pipelines = pipelines.iter().map(|name| PipelineName {
            name: (*name).to_owned(),
            method: (*name).to_owned(),
            segmentation: "inline",
            chosen: None,
        });
        let pipelines: Vec<_> = pipelines.collect();
        let scores = (0..pipelines.len()).map(|p| PageScore {
            n_blocks: p,
            ..PageScore::default()
        });
        let scores: Vec<_> = scores.collect();
        let pages = types.iter().map(|page_type| PageRow {
            place: None,
            id: String::new(),
            page_type: (*page_type).to_owned(),
            set: String::new(),
            scores: scores.clone(),
        });
        Evaluation {
            annotated: false,
            pages: pages.collect(),
            pipelines,
            missing: Vec::new(),
            without_gold: 0,
            doubles: Vec::new(),
            faults: Vec::new(),
        }
    }

    #[test]
    fn an_oracle_takes_the_algorithm_of_the_true_genre() {
        let mut all = evaluation(
            &["goce-list", "keep-all", "goce-article"],
            &["listing", "article", "forum", "collection"],
        );
        assert!(add_oracle_genre(&mut all));
        let taken: Vec<_> = all.pages.iter().map(|p| p.scores[3].n_blocks).collect();
        assert_eq!(taken, [0, 2, 2, 0]);
        assert_eq!(all.pipelines[3].method, "goce-list|goce-article");
        assert_eq!(all.pipeline_of(0, 3), "goce-list");
        assert_eq!(all.pipeline_of(1, 3), "goce-article");
        assert_eq!(all.pipeline_of(1, 1), "keep-all");
    }

    #[test]
    fn without_both_algorithms_there_is_no_oracle() {
        let mut all = evaluation(&["goce-list", "goce"], &["listing"]);
        assert!(!add_oracle_genre(&mut all));
        assert_eq!(all.pipelines.len(), 2);
    }
}
