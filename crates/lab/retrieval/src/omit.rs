//! Pages that an experiment leaves out: duplicates, and those of a low score.
//!
//! A reader who finds a page several times sees only one page, so it should count once, in runs and in judgements
//! (Fröbe et al. 2020, *The Effect of Content-Equivalent Near-Duplicates on the Evaluation of Search Engines*, and
//! 2021, *CopyCat*).

use crate::export::docno;
use crate::qrels::Qrels;
use crate::run::{Hit, Run};
use arrow_array::types::Int64Type;
use arrow_schema::{DataType, Field, Schema};
use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use std::sync::Arc;
use warcsieve_common::{Error, Result};
use warcsieve_corpus::sha256;
use warcsieve_filters::filter::List;
use warcsieve_run::shards::Checked;

/// Which pages are left out; by default none.
///
/// Memory: about 150 bytes per page that is in a cluster, and 12 bytes per line of scores.
#[derive(Clone, Debug, Default)]
pub struct Omit {
    clusters: Clusters,
    /// The scores of pages, and the minimum score of a page that stays.
    scores: Option<(Arc<List>, f64)>,
    /// sha256 of the files, and the minimum score.
    recipe: Option<String>,
}

/// Clusters of duplicates. One page represents each cluster: the one that stays.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Clusters {
    /// By docno: the docno of the page that represents it, and whether the page itself stays.
    of: HashMap<Box<str>, (Arc<str>, bool)>,
}

impl Clusters {
    /// From the rows of `clusters.parquet`: id, the id that stays, number of the cluster. If no page of a cluster
    /// stays, the first page represents it.
    fn of_rows(rows: impl Iterator<Item = Result<(String, Option<String>, i64)>>) -> Result<Self> {
        let mut first: HashMap<i64, Arc<str>> = HashMap::new();
        let mut of = HashMap::new();
        for row in rows {
            let (id, kept, cluster) = row?;
            let stays = kept.as_ref() == Some(&id);
            let named = kept.as_deref().unwrap_or(&id);
            let stands = first.entry(cluster).or_insert_with(|| docno(named).into());
            of.insert(docno(&id).into(), (stands.clone(), stays));
        }
        Ok(Self { of })
    }

    fn read(path: &Path) -> Result<Self> {
        let field = |(name, kind)| Field::new(name, kind, true);
        let columns = [
            ("id", DataType::Utf8),
            ("kept_id", DataType::Utf8),
            ("cluster", DataType::Int64),
        ];
        let columns: Vec<_> = columns.into_iter().map(field).collect();
        let mut rows = Checked::unlisted(path)?.read(&Schema::new(columns), 1024)?;
        Self::of_rows(std::iter::from_fn(|| match rows.advance() {
            Err(error) => Some(Err(error)),
            Ok(false) => None,
            Ok(true) => {
                let text = |name| rows.text(name).map(str::to_owned);
                let cluster = rows.number::<Int64Type>("cluster").unwrap_or_default();
                Some(Ok((
                    text("id").unwrap_or_default(),
                    text("kept_id"),
                    cluster,
                )))
            }
        }))
    }
}

impl Omit {
    /// Reads `clusters`, a table that `warcsieve dedup` wrote, and `scores`, with lines of a score and an id like the
    /// Waterloo spam rankings. Pages need at least the minimum score. A page without a score is left out.
    ///
    /// # Errors
    /// [`Error::Invalid`] for an invalid line; [`Error::Integrity`] if the table cannot be decoded; [`Error::Io`].
    pub fn read(clusters: Option<&Path>, scores: Option<(&Path, f64)>) -> Result<Self> {
        let mut omit = Self::default();
        let mut recipe = Vec::new();
        if let Some(path) = clusters {
            omit.clusters = Clusters::read(path)?;
            recipe.push(sha256(path)?);
        }
        if let Some((path, min)) = scores {
            let file = File::open(path).map_err(|e| Error::io(path, e))?;
            let name = path.display().to_string();
            let list = List::scores(BufReader::new(file));
            let list = list.map_err(|what| Error::Invalid(format!("{name}: {what}")))?;
            omit.scores = Some((Arc::new(list), min));
            recipe.push(format!("{} >= {min}", sha256(path)?));
        }
        omit.recipe = (!recipe.is_empty()).then(|| recipe.join(", "));
        Ok(omit)
    }

    /// Whether no page is left out.
    pub fn is_empty(&self) -> bool {
        self.recipe.is_none()
    }

    /// The files that this was made from; `None` if there are none.
    pub fn recipe(&self) -> Option<&str> {
        self.recipe.as_deref()
    }

    /// Whether a page has a score below the minimum, or no score.
    pub fn is_low(&self, id: &str) -> bool {
        let scores = self.scores.as_ref();
        scores.is_some_and(|(scores, min)| scores.score(id).is_none_or(|score| score < *min))
    }

    /// The page that represents this one: the page of its cluster that stays, or the page itself if it is in no
    /// cluster.
    pub fn representative<'d>(&'d self, docno: &'d str) -> &'d str {
        let found = self.clusters.of.get(docno);
        found.map_or(docno, |(stands, _)| stands)
    }

    /// Whether a page stays: it is neither a duplicate that is left out nor a page with a low score.
    pub fn stays(&self, id: &str) -> bool {
        let found = self.clusters.of.get(&*docno(id));
        found.is_none_or(|(_, stays)| *stays) && !self.is_low(id)
    }

    /// A run without low scores. Of each cluster only the first result stays, under the name of the page that
    /// represents it.
    pub fn of_run(&self, mut run: Run) -> Run {
        for (_, hits) in &mut run.topics {
            let mut seen = HashSet::new();
            hits.retain_mut(|hit| {
                let docno = self.representative(&hit.docno).to_owned();
                let stays = !self.is_low(&hit.docno) && seen.insert(docno.clone());
                hit.docno = docno;
                stays
            });
            hits.sort_unstable_by(Hit::by_rank);
        }
        run
    }

    /// Judgements in which each cluster is judged once, with its highest grade, under the name of the page that
    /// represents it. Low scores change nothing here: if a relevant page is left out, the figures should show it.
    pub fn of_qrels(&self, mut qrels: Qrels) -> Qrels {
        for (_, grades) in &mut qrels.topics {
            let mut collapsed = HashMap::new();
            for (docno, grade) in grades.drain() {
                let representative = self.representative(&docno).to_owned();
                let highest = collapsed.entry(representative).or_insert(grade);
                *highest = grade.max(*highest);
            }
            *grades = collapsed;
        }
        qrels
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn omit(drop_all: bool, scores: Option<&str>) -> Omit {
        let rows = [
            ("a", "b", 1),
            ("b", "b", 1),
            ("d", "b", 1),
            ("x y", "x y", 7),
            ("z", "x y", 7),
        ];
        let rows = rows.map(|(id, kept, cluster)| {
            Ok((id.to_owned(), (!drop_all).then(|| kept.to_owned()), cluster))
        });
        let mut omit = Omit {
            clusters: Clusters::of_rows(rows.into_iter()).unwrap(),
            recipe: Some(String::new()),
            ..Omit::default()
        };
        if let Some(lines) = scores {
            let list = List::scores(lines.as_bytes()).unwrap();
            omit.scores = Some((Arc::new(list), 70.0));
        }
        omit
    }

    fn run(file: &str) -> Run {
        Run::read_from("r", file.as_bytes()).unwrap()
    }

    fn hits(run: &Run) -> Vec<(&str, f32)> {
        run.topics[0]
            .1
            .iter()
            .map(|hit| (&*hit.docno, hit.score))
            .collect()
    }

    const RUN: &str =
        "1 Q0 c 1 9 r\n1 Q0 d 2 8 r\n1 Q0 a 3 7 r\n1 Q0 z 4 6 r\n1 Q0 e 5 5 r\n1 Q0 x%20y 6 4 r\n";

    #[test]
    fn the_first_of_a_cluster_stays_under_its_name() {
        let of_run = omit(false, None).of_run(run(RUN));
        assert_eq!(
            hits(&of_run),
            [("c", 9.0), ("b", 8.0), ("x%20y", 6.0), ("e", 5.0)]
        );
        // If no page stays, the first page of the table represents the cluster.
        let of_run = omit(true, None).of_run(run(RUN));
        assert_eq!(hits(&of_run)[1], ("a", 8.0));
    }

    #[test]
    fn low_scores_and_pages_without_one_are_left_out() {
        let of_run = omit(false, Some("70 c\n69 d\n99 a\n70 z\n")).of_run(run(RUN));
        assert_eq!(hits(&of_run), [("c", 9.0), ("b", 7.0), ("x%20y", 6.0)]);
    }

    #[test]
    fn judgements_of_a_cluster_are_one() {
        let qrels = "1 0 a 0\n1 0 d 2\n1 0 c 1\n1 0 z -2\n2 0 a 1\n";
        let qrels = Qrels::read_from("q", qrels.as_bytes()).unwrap();
        let collapsed = omit(false, None).of_qrels(qrels);
        let expected = [("b", 2), ("c", 1), ("x%20y", -2)].map(|(d, g)| (d.to_owned(), g));
        assert_eq!(collapsed.topics[0].1, HashMap::from(expected));
        assert_eq!(collapsed.topics[1].1, HashMap::from([("b".to_owned(), 1)]));
    }

    #[test]
    fn pages_that_stay_are_one_of_a_cluster() {
        let stay = |omit: &Omit| ["a", "b", "c", "x y", "z"].map(|id| omit.stays(id));
        assert_eq!(stay(&omit(false, None)), [false, true, true, true, false]);
        assert_eq!(stay(&omit(true, None)), [false, false, true, false, false]);
        assert_eq!(
            stay(&omit(false, Some("70 b\n9 c\n"))),
            [false, true, false, false, false]
        );
        assert!(Omit::default().stays("a") && Omit::default().is_empty());
    }
}
