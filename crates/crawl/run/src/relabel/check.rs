//! Checks that an output folder holds what a pipeline needs to label its pages again.

use super::pages::ShardFile;
use crate::manifest::ManifestRow;
use crate::output::OutputFolder;
use serde_json::{Map, Value};
use warcsieve_common::{Error, Result};
use warcsieve_extract::{BlockText, Pipeline};
use warcsieve_tables::{COUNTS, NAMES, RunIdentity, blocks_schema};

/// Settings that may differ. They choose columns, which are checked one by one; or compression; or
/// the look of forms other than text.
const FREE: [&str; 18] = [
    "code",
    "copies",
    "drop",
    "features",
    "forms",
    "headline",
    "images",
    "keep",
    "link_table",
    "links",
    "outside",
    "posts",
    "rows",
    "tables",
    "title",
    "tree",
    "xpath",
    "zstd",
];

/// The columns in conditions of [[fallback]] that follow from the table `blocks`.
const OF_BLOCKS: [&str; 9] = [
    "url",
    "host",
    "title",
    "language",
    "language_score",
    "n_blocks",
    "n_content_blocks",
    "confidence",
    "text_bytes",
];

/// Refuses a pipeline whose output cannot be made from the table `blocks`.
pub(super) fn pipeline(pipeline: &Pipeline) -> Result<()> {
    let settings = &pipeline.settings;
    let refuse = |what: &str| {
        let name = &pipeline.name;
        Err(Error::Invalid(format!(
            "{name}: {what}; run `clean` on the crawl"
        )))
    };
    if let Some(form) = settings.rendered_forms().next() {
        let form = form.as_str();
        return refuse(&format!(
            "\"{form}\" of `output` or `forms` is made from a page's markup, which `blocks` does not hold"
        ));
    }
    if !pipeline.filters.is_empty() || !pipeline.signals.is_empty() {
        return refuse("it has `signals` or [[filter]], which `relabel` leaves to `clean`");
    }
    if !pipeline.has_one_segmentation() {
        return refuse(
            "a pipeline that it names has another `segmentation`, which is made from a page's markup",
        );
    }
    let mut asked = pipeline.asked_columns();
    if let Some(column) = asked.find(|column| !OF_BLOCKS.contains(column)) {
        return refuse(&format!(
            "a [[fallback]] looks at `{column}`, which `blocks` does not hold"
        ));
    }
    if pipeline.lacks_table().is_some() {
        return Err(Error::Invalid(format!(
            "{}: a step uses a table of the crawl; name it (frequencies = \"…\"), or run `clean` \
             on the crawl",
            pipeline.name
        )));
    }
    if settings.link_table {
        return refuse("it sets `link_table`, which is made from a page's markup");
    }
    if !settings.layout.is_none() {
        return refuse("it sets `layout`, which is made from a page's markup");
    }
    if !settings.blocks || settings.block_text != BlockText::All {
        return refuse(
            "it sets `blocks` or `block_text`, but `relabel` copies `blocks` with all texts",
        );
    }
    Ok(())
}

/// Refuses an input whose shard lacks something, or was read with other settings.
pub(super) fn shard(from: &OutputFolder, row: &ManifestRow, pipeline: &Pipeline) -> Result<()> {
    let refuse = |why: String| {
        let place = from.path().display();
        Err(Error::Invalid(format!("{place}: {why}")))
    };
    if row.outputs.iter().any(|file| file.is_of(NAMES.removed)) {
        return refuse("filters removed pages of it, which another pipeline may keep".to_owned());
    }
    let mut outputs = row.outputs.iter();
    let Some(blocks) = outputs.find(|file| file.is_of(NAMES.blocks)) else {
        return refuse("it has no table `blocks`; run `clean` with blocks = true".to_owned());
    };
    let file = ShardFile::open(from, blocks)?;
    let settings = file.footer(RunIdentity::SETTINGS);
    let settings = settings.and_then(|json| serde_json::from_str::<Map<String, Value>>(json).ok());
    let Some(then) = settings else {
        return refuse(format!(
            "{} does not say its settings; run `clean` again",
            blocks.path
        ));
    };
    if then.get("segmentation").is_some_and(Value::is_null) {
        return refuse(
            "pipelines with several segmentations labelled its pages; run `clean` on the crawl"
                .to_owned(),
        );
    }
    if then.get("block_text") != Some(&"all".into()) {
        return refuse(
            "column `text` does not hold all blocks; run `clean` with block_text = \"all\""
                .to_owned(),
        );
    }
    if let Some(reads) = pipeline.needs_attributes()
        && !file.has("attributes")
    {
        return refuse(format!(
            "{reads} attributes of elements, and column `attributes` is missing; \
             run `clean` with tree = \"attributes\""
        ));
    }
    let needed = COUNTS
        .iter()
        .map(|(name, _)| (*name, "features = \"core\""));
    let trees = ["tree", "preformatted"].map(|name| (name, "tree = \"tags\""));
    for (name, key) in needed.chain(trees) {
        if !file.has(name) {
            return refuse(format!(
                "column `{name}` is missing; run `clean` with {key}"
            ));
        }
    }
    if let Some(difference) = difference(&then, pipeline) {
        return refuse(difference);
    }
    for field in blocks_schema(pipeline).fields() {
        if !file.has(field.name()) {
            let (now, key) = match field.name().as_str() {
                "attributes" => (serde_json::to_value(pipeline.settings.tree), "tree"),
                "xpath" => (serde_json::to_value(true), "xpath"),
                _ => (serde_json::to_value(pipeline.settings.features), "features"),
            };
            let now = now.unwrap_or_default();
            return refuse(format!(
                "column `{}` is missing, which the pipeline writes ({key} = {now}); run `clean` \
                 with that",
                field.name()
            ));
        }
    }
    Ok(())
}

/// The first setting that differs, in words.
fn difference(then: &Map<String, Value>, pipeline: &Pipeline) -> Option<String> {
    let now = serde_json::to_value(pipeline.effective_settings()).ok()?;
    let now = now.as_object()?;
    let key = then
        .keys()
        .chain(now.keys())
        .find(|key| !FREE.contains(&key.as_str()) && then.get(*key) != now.get(*key))?;
    let text = |settings: &Map<String, Value>| match settings.get(key) {
        None | Some(Value::Null) => format!("no `{key}`"),
        Some(value) => format!("{key} = {value}"),
    };
    Some(format!(
        "it was cleaned with {}, but the pipeline has {}, which changes pages or blocks; run \
         `clean` on the crawl, or use the same setting (`--set`)",
        text(then),
        text(now)
    ))
}
