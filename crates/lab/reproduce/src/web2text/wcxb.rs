//! The built-in networks: out of fold on their training pages, and on other pages.

use crate::corpora::{NETWORKS_LEARNED_FROM, TYPES, built_in, mean as mean_of};
use crate::{Job, Result, row, table};
use warcsieve_classify::expected_f::Options;
use warcsieve_eval::align::Alignment;
use warcsieve_eval::stats::mean;
use warcsieve_extract::Pipeline;
use warcsieve_model::PotentialNetworks;
use warcsieve_papers::METHODS;
use warcsieve_papers::web2text::decode::Decode;
use warcsieve_train::sequences::Sequences;
use warcsieve_train::web2text::{Checkpoints, Learned, Params, fingerprint, learn};

/// The default of `warcsieve train web2text`.
const FOLDS: usize = 5;

pub struct OutOfFold {
    data: Sequences,
    pub learned: Learned,
    first: usize,
}

pub fn measure(job: &Job) -> Result<OutOfFold> {
    let leaves = Pipeline::built_in(&warcsieve_papers::METHODS, "web2text")?;
    let (inputs, gold) = job.corpora.several(&NETWORKS_LEARNED_FROM)?;
    let data = Sequences::collect(&inputs, &gold, &leaves, Alignment::Tokens)?;
    let params = Params::default();
    let folder = job.scratch("web2text")?;
    let checkpoints = Checkpoints::new(&folder, fingerprint(&data, &params, FOLDS));
    let learned = learn(&data, &params, FOLDS, Some(&checkpoints), &|reached| {
        let fold = reached.fold.map(|fold| (fold + 1).to_string());
        let fold = fold.unwrap_or("all".to_owned());
        let (network, epoch) = (reached.target.as_str(), reached.epoch.number);
        job.say(&format!("fold {fold}, {network}, epoch {epoch}"));
    })?;
    Ok(OutOfFold {
        first: job.corpora.gold(NETWORKS_LEARNED_FROM[0])?.pages.len(),
        data,
        learned,
    })
}

impl OutOfFold {
    /// Word F1 on WCXB, by page type.
    pub fn scores(&self) -> String {
        let rows = Decode::ALL.map(|decode| {
            let options = Options::keeping_comments();
            let content = self.data.decode(&self.learned.potentials, decode, options);
            let scores = self.data.scores(&content);
            let of = |kind: &str| {
                let pages = self.data.pages.iter().zip(&scores).take(self.first);
                let pages = pages.filter(|(p, _)| kind == "all" || p.text.page_type == kind);
                let f1: Vec<f64> = pages.map(|(_, s)| s.f1).collect();
                format!("{:.3}", mean(&f1).unwrap_or_default())
            };
            row(decode.about(), ["all"].into_iter().chain(TYPES).map(of))
        });
        table(&row(" | all", TYPES), rows)
    }

    /// Whether the networks of this run are the built-in ones.
    pub fn is_shipped(&self) -> Result<bool> {
        let mut networks = self.learned.all.networks.clone();
        let shipped = METHODS.models.iter().find(|(name, _)| *name == "web2text");
        let shipped = shipped.ok_or("no model web2text")?.1;
        networks.about = PotentialNetworks::from_bytes(shipped)?.about;
        Ok(networks.to_bytes()? == shipped)
    }
}

/// Word F1 of the built-in pipelines on pages that were not used for training.
pub fn elsewhere(job: &Job) -> Result<String> {
    let names = ["web2text", "web2text-f1", "crf", "default"];
    let pipelines = built_in(names)?;
    let mut rows = names.map(|name| format!("`{name}`"));
    for corpus in ["l3s-gn1", "cleaneval-test"] {
        let evaluation = job.corpora.evaluate(corpus, &pipelines)?;
        for (at, row) in rows.iter_mut().enumerate() {
            *row += &format!(" | {:.3}", mean_of(&evaluation, at, "f1", &[])?);
        }
    }
    Ok(table("pipeline | l3s-gn1 | cleaneval-test", rows))
}
