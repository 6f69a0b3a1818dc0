//! Kohlschütter, Fankhauser, Nejdl: Boilerplate Detection using Shallow Text Features, WSDM 2010:
//! `shallow-text-features.md` with its figures, and the trained trees in a separate folder.

mod algorithms;
mod blocks;
mod data;
mod definitions;
mod figure1;
mod figure2;
mod fit;
mod histogram;
mod hosts;
mod learn;
mod model;
mod readings;
mod rows;
mod table1;
mod table2;

use crate::{Job, Result, page};
use blocks::Distribution;
use data::Data;
use warcsieve_eval::pages::Gold;

pub fn write(job: &Job) -> Result {
    let corpora = &job.corpora;
    let trees = job.scratch("shallow")?;
    let annotated =
        |segmentation| Distribution::of(corpora, "l3s-gn1", &Gold::Annotations, segmentation);
    let (paper, inline) = (annotated("paper")?, annotated("inline")?);
    let cleaneval = Gold::Texts(corpora.gold("cleaneval-test")?);
    let general = Distribution::of(corpora, "cleaneval-test", &cleaneval, "paper")?;
    job.say("blocks counted");
    let page = page!("shallow-text-features.md");
    let page = page
        .put("table 1", table1::table_1(&paper, &inline)?)
        .put("hosts", hosts::hosts(corpora, "l3s-gn1")?);
    let data = Data::collect(corpora, &trees)?;
    job.say("features computed");
    let page = table2::put(page, &data, &trees)?;
    job.say("table 2");
    let page = readings::put(page, &data)?;
    job.say("readings of table 2");
    let page = algorithms::put(page, corpora, &data, &trees)?;
    job.say("algorithms");
    let page = figure1::put(job, page, &data)?;
    job.say("figure 1");
    let page = figure2::put(job, page)?;
    job.say("figure 2");
    job.write(&model::put(job, page, &paper, &inline, &general)?)
}
