//! Which leaves of pages the pipelines keep, independent of the pipelines' own blocks.

use crate::Result;
use std::ops::Range;
use warcsieve_engine::Input;
use warcsieve_eval::pages::{Gold, View, walk};
use warcsieve_extract::{Labeller, Pipeline};

/// The result of one view for a page.
enum Seen {
    /// The start of each leaf in the source.
    Leaves(Vec<u32>),
    /// For each pipeline of the view the ranges of its content in the source, in order.
    Kept(Vec<(usize, Vec<Range<u32>>)>),
}

/// For each page of the gold, in its order, and each pipeline, whether each leaf is content:
/// whether its first character is in a block that the pipeline keeps.
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
    let walk = walk(inputs, gold, &views, labellers, |labellers, view, page| {
        if view == last {
            let starts = page.doc.blocks.iter().map(|b| b.source.start);
            return Seen::Leaves(starts.collect());
        }
        let of_view = labellers.iter_mut().enumerate();
        let of_view = of_view.filter(|(pipeline, _)| which[*pipeline] == view);
        Seen::Kept(
            of_view
                .map(|(pipeline, labeller)| {
                    labeller.label(page.doc);
                    let blocks = labeller.labels.iter().zip(&page.doc.blocks);
                    let kept = blocks.filter(|(label, _)| label.content);
                    (pipeline, kept.map(|(_, b)| b.source.clone()).collect())
                })
                .collect(),
        )
    })?;
    let mut pages = Vec::new();
    for (place, seen) in walk.pages.into_values() {
        let mut starts = Vec::new();
        let mut kept = vec![Vec::new(); pipelines.len()];
        for seen in seen {
            match seen
                .ok_or("not a page")?
                .map_err(|skip| format!("{}: {}", place.id, skip.detail))?
            {
                Seen::Leaves(found) => starts = found,
                Seen::Kept(found) => found.into_iter().for_each(|(at, ranges)| kept[at] = ranges),
            }
        }
        let of_pipeline = kept.iter().map(|ranges| inside(&starts, ranges));
        pages.push(of_pipeline.collect());
    }
    match gold {
        Gold::Texts(set) if set.pages.len() != pages.len() => {
            Err("pages of the gold are missing".into())
        }
        _ => Ok(pages),
    }
}

/// For each position whether it is in one of the ranges; both are in order.
fn inside(places: &[u32], ranges: &[Range<u32>]) -> Vec<bool> {
    let is_inside = |place: &u32| {
        let before = ranges.partition_point(|range| range.start <= *place);
        before > 0 && ranges[before - 1].contains(place)
    };
    places.iter().map(is_inside).collect()
}
