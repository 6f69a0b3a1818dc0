//! The leaves of pages, and which of them the pipelines keep. Leaves do not depend on the pipelines' own blocks.

use crate::Result;
use std::ops::Range;
use warcsieve_engine::Input;
use warcsieve_eval::gold::GoldSet;
use warcsieve_eval::pages::{Gold, View, walk};
use warcsieve_extract::{Labeller, Pipeline};
use warcsieve_train::sequences::{RowOptions, Sequences};

/// The pages of a gold set. A fault is an error.
pub fn sequences(
    inputs: &[Input],
    gold: &Gold,
    leaves: &Pipeline,
    how: impl Into<RowOptions>,
) -> Result<Sequences> {
    let read = Sequences::collect(inputs, gold, leaves, how)?;
    match read.faults.first() {
        None => Ok(read),
        Some(fault) => Err(fault.clone().into()),
    }
}

/// For each page of the gold, in its order, and each pipeline, whether each leaf is content. A leaf is content if its
/// first character is in a block that the pipeline keeps.
pub fn content(
    inputs: &[Input],
    gold: &Gold,
    leaves: &Pipeline,
    pipelines: &[Pipeline],
) -> Result<Vec<Vec<Vec<bool>>>> {
    let (mut views, which) = View::of(pipelines, gold);
    views.push(View::new(leaves, gold));
    let last = views.len() - 1;
    let labellers = || pipelines.iter().map(Labeller::new).collect::<Vec<_>>();
    // The ranges in the source of the blocks that each pipeline of the view keeps. After the last pipeline, those of
    // the leaves.
    let walk = walk(inputs, gold, &views, labellers, |labellers, view, page| {
        let mut found: Vec<(usize, Vec<Range<u32>>)> = Vec::new();
        if view == last {
            let leaves = page.doc.blocks.iter().map(|b| b.source.clone());
            found.push((pipelines.len(), leaves.collect()));
            return found;
        }
        let all = labellers.iter_mut().enumerate();
        for (pipeline, labeller) in all.filter(|(pipeline, _)| which[*pipeline] == view) {
            labeller.label(page.doc);
            let blocks = labeller.labels.iter().zip(&page.doc.blocks);
            let kept = blocks.filter(|(label, _)| label.content);
            found.push((pipeline, kept.map(|(_, b)| b.source.clone()).collect()));
        }
        found
    })?;
    let mut pages = Vec::new();
    for (place, views) in walk.pages.into_values() {
        let mut kept = vec![Vec::new(); pipelines.len() + 1];
        for seen in views {
            let seen = seen.ok_or("not a page")?;
            let seen = seen.map_err(|skip| format!("{}: {}", place.id, skip.detail))?;
            seen.into_iter().for_each(|(at, ranges)| kept[at] = ranges);
        }
        let leaves = kept.pop().unwrap_or_default();
        pages.push(kept.iter().map(|kept| inside(&leaves, kept)).collect());
    }
    let is_missing = |set: &GoldSet| set.pages.len() != pages.len();
    match gold {
        Gold::Texts(set) if is_missing(set) => Err("pages of the gold are missing".into()),
        _ => Ok(pages),
    }
}

/// For each leaf whether its start is in one of the ranges; both are in order.
fn inside(leaves: &[Range<u32>], ranges: &[Range<u32>]) -> Vec<bool> {
    let is_inside = |leaf: &Range<u32>| {
        let before = ranges.partition_point(|range| range.start <= leaf.start);
        before > 0 && ranges[before - 1].contains(&leaf.start)
    };
    leaves.iter().map(is_inside).collect()
}
