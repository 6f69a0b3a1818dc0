//! Names of measures.

use std::fmt;
use std::str::FromStr;

/// A measure of one topic's ranking or judgements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Measure {
    /// `num_q`: judged topics.
    NumQ,
    /// `num_ret`: results.
    NumRet,
    /// `num_rel`: relevant documents.
    NumRel,
    /// `num_rel_ret`: relevant results.
    NumRelRet,
    /// `MAP`: mean of average precision, which is the sum over relevant results of the precision at
    /// their rank, divided by the number of relevant documents.
    Map,
    /// `P@k`: relevant results among the first k, divided by k.
    Precision(usize),
    /// `R@k`: relevant results among the first k, divided by the number of relevant documents.
    Recall(usize),
    /// `F1@k`: harmonic mean of a topic's P@k and R@k.
    F1(usize),
    /// `F1-of-means@k`: harmonic mean of the means of P@k and R@k, as in Table 3 of Vogels et
    /// al. 2018. For a single topic it is F1@k.
    F1OfMeans(usize),
    /// `success@k`: whether one of the first k results is relevant.
    Success(usize),
    /// `nDCG`, `nDCG@k`: sum of grade / log2(rank + 1) over all or the first k results, divided by
    /// that of the best possible ranking (Järvelin and Kekäläinen 2002, as in trec_eval).
    Ndcg(Option<usize>),
    /// `MRR`: mean of the reciprocal rank of the first relevant result.
    Mrr,
    /// `bpref`: share of the pairs of a relevant document and one judged as not relevant that are
    /// in the right order (Buckley and Voorhees 2004).
    Bpref,
    /// `Rprec`: P@k where k is the number of relevant documents.
    Rprec,
    /// `judged@k`: share of the first k results that are judged, with any grade; of all results if
    /// there are fewer than k.
    Judged(usize),
    /// `unjudged@k`: number of the first k results that are not judged.
    Unjudged(usize),
}

use Measure::*;

/// The default measures.
pub const DEFAULT: [Measure; 19] = [
    NumQ,
    NumRet,
    NumRel,
    NumRelRet,
    Map,
    Precision(5),
    Precision(10),
    Precision(20),
    Recall(10),
    Recall(100),
    Recall(1000),
    F1(10),
    Ndcg(None),
    Ndcg(Some(10)),
    Ndcg(Some(20)),
    Mrr,
    Bpref,
    Rprec,
    Judged(10),
];

/// Measures without a cut-off.
const WHOLE: [(&str, Measure); 9] = [
    ("num_q", NumQ),
    ("num_ret", NumRet),
    ("num_rel", NumRel),
    ("num_rel_ret", NumRelRet),
    ("MAP", Map),
    ("nDCG", Ndcg(None)),
    ("MRR", Mrr),
    ("bpref", Bpref),
    ("Rprec", Rprec),
];

/// A measure of the first k results, by k.
type AtCut = fn(usize) -> Measure;

/// Measures of the first k results.
const CUT: [(&str, AtCut); 8] = [
    ("P", Precision),
    ("R", Recall),
    ("F1", F1),
    ("F1-of-means", F1OfMeans),
    ("success", Success),
    ("nDCG", |k| Ndcg(Some(k))),
    ("judged", Judged),
    ("unjudged", Unjudged),
];

impl Measure {
    /// Whether it is a count, which is summed over topics; others are averaged.
    pub fn is_count(self) -> bool {
        matches!(self, NumQ | NumRet | NumRel | NumRelRet | Unjudged(_))
    }

    fn cut(self) -> Option<usize> {
        match self {
            Precision(k) | Recall(k) | F1(k) | F1OfMeans(k) | Success(k) | Judged(k)
            | Unjudged(k) => Some(k),
            Ndcg(k) => k,
            NumQ | NumRet | NumRel | NumRelRet | Map | Mrr | Bpref | Rprec => None,
        }
    }
}

impl FromStr for Measure {
    type Err = String;

    /// Names are case-insensitive; k is at least 1.
    fn from_str(text: &str) -> Result<Self, String> {
        let (name, k) = match text.split_once('@') {
            Some((name, k)) => (name, Some(k.parse().ok().filter(|&k| k > 0))),
            None => (text, None),
        };
        let found = match k {
            None => WHOLE
                .iter()
                .find(|(n, _)| n.eq_ignore_ascii_case(name))
                .map(|(_, m)| *m),
            Some(k) => {
                let cut = CUT.iter().find(|(n, _)| n.eq_ignore_ascii_case(name));
                cut.zip(k).map(|((_, measure), k)| measure(k))
            }
        };
        found.ok_or_else(|| {
            let whole = WHOLE.iter().map(|(n, _)| (*n).to_owned());
            let cut = CUT.iter().map(|(n, _)| format!("{n}@k"));
            let names: Vec<_> = whole.chain(cut).collect();
            format!(
                "no measure {text}; there are {}, k from 1",
                names.join(", ")
            )
        })
    }
}

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Some(k) = self.cut() else {
            let named = WHOLE.iter().find(|(_, m)| m == self);
            return f.write_str(
                named
                    .expect("every measure without a cut-off is in the list")
                    .0,
            );
        };
        let named = CUT.iter().find(|(_, measure)| measure(k) == *self);
        write!(
            f,
            "{}@{k}",
            named
                .expect("every measure with a cut-off is in the list")
                .0
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_back() {
        let whole = WHOLE.map(|(_, m)| m);
        let cut = CUT.map(|(_, m)| m(7));
        for measure in whole.into_iter().chain(cut).chain(DEFAULT) {
            let name = measure.to_string();
            assert_eq!(name.parse(), Ok(measure));
            assert_eq!(name.to_lowercase().parse(), Ok(measure));
            assert_eq!(name.to_uppercase().parse(), Ok(measure));
        }
        assert_eq!(Ndcg(Some(20)).to_string(), "nDCG@20");
    }

    #[test]
    fn errors_for_wrong_names_list_the_valid_ones() {
        for name in ["", "P", "P@", "P@0", "P@-1", "P@x", "MAP@5", "ERR@5"] {
            let message = name.parse::<Measure>().unwrap_err();
            assert!(
                message.starts_with(&format!("no measure {name}; ")),
                "{message}"
            );
            assert!(
                message.contains("MAP, nDCG") && message.contains("P@k, R@k"),
                "{message}"
            );
        }
    }
}
