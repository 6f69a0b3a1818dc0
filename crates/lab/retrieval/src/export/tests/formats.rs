//! Reads every format back.

use super::readers::{
    Exported, content, files, lines, trec_documents, trecweb_documents, warc_records,
};
use super::*;
use crate::shards::fixture::{pages, shard_of};
use serde_json::json;
use std::collections::BTreeMap;
use std::fs;

/// Exports in a format; calls back for each collection and shard with the pages and the content of
/// the file.
fn each_file(
    format: Format,
    mut check: impl FnMut(&[ShardPage], bool, &str, &BTreeMap<String, Vec<u8>>),
) {
    let (folder, shards) = crawl();
    let mut seen = 0;
    for compression in [Compression::Gz, Compression::Zst, Compression::None] {
        for texts in [Texts::Clean, Texts::Raw, Texts::Both] {
            let out = folder.path().join(format!("{compression:?}{texts:?}"));
            let settings = ExportSettings {
                format,
                texts,
                compression,
                ..SETTINGS
            };
            let summary = run(&shards, settings, &out).unwrap();
            let recipe = Recipe::of(&shards, settings, None, &Omit::default());
            let files = files(&out);
            let other_files = 2 + shards.len() as u64;
            assert_eq!(
                files.len() as u64,
                summary.files + other_files,
                "{:?}",
                files.keys()
            );
            assert!(files.contains_key("_SUCCESS") && files.contains_key("_RECIPE"));
            for shard in &shards {
                let pages = pages(shard, Parts::ALL).unwrap();
                for target in recipe.targets(&shard.name) {
                    let name = target.documents.display().to_string();
                    check(&pages, target.raw, &name, &files);
                    seen += pages.len();
                }
            }
        }
    }
    assert!(seen > 100, "{seen}");
}

fn expected(page: &ShardPage, raw: bool) -> Exported {
    Exported {
        id: page.id.clone(),
        title: Some(page.title.clone()),
        text: if raw { &page.raw } else { &page.text }.clone(),
    }
}

#[test]
fn trec_is_read_back() {
    each_file(Format::Trec, |pages, raw, name, files| {
        let expected: Vec<_> = pages.iter().map(|p| expected(p, raw)).collect();
        assert_eq!(trec_documents(content(files, name)), expected);
    });
}

#[test]
fn trecweb_is_read_back() {
    each_file(Format::Trecweb, |pages, raw, name, files| {
        let expected: Vec<_> = pages
            .iter()
            .map(|p| (expected(p, raw), p.url.clone()))
            .collect();
        assert_eq!(trecweb_documents(content(files, name)), expected);
    });
}

#[test]
fn wet_is_read_back_as_records_that_say_what_they_were_made_from() {
    each_file(Format::Wet, |pages, raw, name, files| {
        let mut records = warc_records(content(files, name)).into_iter();
        let (info, block) = records.next().unwrap();
        assert_eq!(info["WARC-Type"], "warcinfo");
        assert!(block.contains("software: warcsieve/"));
        assert_eq!(records.len(), pages.len());
        for (page, (headers, block)) in pages.iter().zip(records) {
            assert_eq!(headers["WARC-Type"], "conversion");
            assert_eq!(headers["WARC-Target-URI"], page.url);
            let origin = headers.get("WARC-Refers-To").copied();
            assert_eq!(origin.unwrap_or_default(), page.warc_record_id);
            let id = headers.get("WARC-TREC-ID").copied();
            let id = id.unwrap_or(page.warc_record_id.trim_matches(['<', '>']));
            assert_eq!(id, docno(&page.id));
            assert_eq!(
                headers["WARC-Date"],
                warcsieve_page::rfc3339(page.date.unwrap_or_default())
            );
            assert_eq!(block, expected(page, raw).text);
            let language = page.language.as_deref().filter(|code| *code != "und");
            let written = headers.get("WARC-Identified-Content-Language").copied();
            assert_eq!(written, language.map(warcsieve_language::iso_639_3));
            assert_eq!(headers["Content-Type"], "text/plain; charset=utf-8");
        }
    });
}

#[test]
fn a_wet_record_lacks_only_what_its_page_lacks_and_has_its_own_id() {
    let folder = tempdir().unwrap();
    let shard = shard_of(
        &["<p>one two three four", "<p>one two three four"],
        folder.path(),
        "",
    );
    let settings = ExportSettings {
        format: Format::Wet,
        texts: Texts::Both,
        ..SETTINGS
    };
    let out = folder.path().join("wet");
    run(std::slice::from_ref(&shard), settings, &out).unwrap();
    let files = files(&out);
    let mut ids = Vec::new();
    for kind in ["clean", "raw"] {
        let name = format!("{kind}/{}.wet.warc", shard.name);
        let records = warc_records(content(&files, &name));
        assert_eq!(records[0].0["WARC-Filename"], name);
        for (page, (headers, block)) in pages(&shard, Parts::ALL).unwrap().iter().zip(&records[1..])
        {
            assert_eq!(*block, expected(page, kind == "raw").text);
            assert_eq!(
                headers["WARC-Target-URI"],
                format!("urn:warcsieve:{}", docno(&page.id))
            );
            assert_eq!(headers["WARC-Date"], "1970-01-01T00:00:00Z");
            assert!(!headers.contains_key("WARC-Refers-To"));
            assert_eq!(headers["WARC-TREC-ID"], docno(&page.id));
        }
        ids.extend(
            records
                .iter()
                .map(|(headers, _)| headers["WARC-Record-ID"].to_owned()),
        );
    }
    assert_eq!(ids.len(), 6);
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), 6, "each record has an id of its own");
}

#[test]
fn anserini_is_read_back() {
    each_file(Format::Anserini, |pages, raw, name, files| {
        let lines = lines(content(files, name));
        assert_eq!(lines.len(), pages.len());
        for (page, line) in pages.iter().zip(lines) {
            let Exported { id, text, .. } = expected(page, raw);
            let contents = match page.title.as_str() {
                "" => text,
                title => format!("{title}\n{text}"),
            };
            assert_eq!(line, json!({"id": id, "contents": contents}));
        }
    });
}

#[test]
fn jsonl_has_all_columns() {
    each_file(Format::Jsonl, |pages, raw, name, files| {
        let lines = lines(content(files, name));
        assert_eq!(lines.len(), pages.len());
        for (page, line) in pages.iter().zip(lines) {
            let mut row = serde_json::to_value(page).unwrap();
            row["text"] = json!(expected(page, raw).text);
            let score = page
                .language_score
                .map(|s| s.to_string().parse::<f64>().unwrap());
            row["language_score"] = json!(score);
            assert_eq!(line, row);
            let names = line.as_object().unwrap().keys().collect::<Vec<_>>();
            let mut columns: Vec<_> = warcsieve_tables::DOCUMENTS
                .fields()
                .iter()
                .map(|f| f.name())
                .collect();
            columns.sort();
            assert_eq!(names, columns);
        }
    });
}

#[test]
fn dolma_spans_are_blocks() {
    let mut checked = 0;
    each_file(Format::Dolma, |pages, raw, name, files| {
        let documents = lines(content(files, name));
        let attributes = name.replace("documents/", "attributes/warcsieve/");
        let attributes = lines(content(files, &attributes));
        assert_eq!(
            (documents.len(), attributes.len()),
            (pages.len(), pages.len())
        );
        for ((page, document), attributes) in pages.iter().zip(documents).zip(attributes) {
            let text = expected(page, raw).text;
            assert_eq!(document["id"], page.id);
            assert_eq!(document["text"], text);
            assert_eq!(document["metadata"]["url"], page.url);
            assert_eq!(
                document["created"],
                json!(page.date.map(warcsieve_page::rfc3339))
            );
            assert_eq!(document.get("added"), None);
            assert_eq!(
                [&attributes["id"], &attributes["source"]],
                [&document["id"], &document["source"]]
            );
            let kind = if raw { "boilerplate" } else { "content" };
            let spans = attributes["attributes"][format!("warcsieve__{kind}")]
                .as_array()
                .unwrap();
            let blocks: Vec<_> = page.blocks.iter().filter(|b| b.content != raw).collect();
            assert_eq!(spans.len(), blocks.len());
            for (span, block) in spans.iter().zip(blocks) {
                let at = |i: usize| span[i].as_u64().unwrap() as usize;
                let part: String = text.chars().skip(at(0)).take(at(1) - at(0)).collect();
                let words =
                    page.raw[block.raw.start as usize..block.raw.end as usize].split_whitespace();
                assert!(part.split_whitespace().eq(words), "{part}");
                assert_eq!(span[2].as_f64().unwrap() as f32, block.score);
                checked += 1;
            }
        }
    });
    assert!(checked > 100, "{checked}");
}

/// A shard of hostile pages.
fn hostile() -> (TempDir, Shard) {
    let folder = tempdir().unwrap();
    let shard = shard_of(
        &[
            "<title>&lt;/TITLE>&amp;amp;</title><p>&lt;/TEXT>&lt;/DOC> and &lt;DOC> and &amp;lt; are here",
            "<pre>\n\n a&#13;b\n&lt;/pre>\n</pre><p>&#13;",
            "",
        ],
        folder.path(),
        "",
    );
    (folder, shard)
}

#[test]
fn text_cannot_end_an_element() {
    let (folder, shard) = hostile();
    for texts in [Texts::Clean, Texts::Raw] {
        let raw = texts == Texts::Raw;
        let expected: Vec<_> = pages(&shard, Parts::ALL)
            .unwrap()
            .iter()
            .map(|p| expected(p, raw))
            .collect();
        assert!(expected[0].title.as_ref().unwrap().contains("</TITLE>"));
        for format in [Format::Trec, Format::Trecweb] {
            let out = folder.path().join(format!("{texts:?}{format:?}"));
            let settings = ExportSettings {
                format,
                texts,
                ..SETTINGS
            };
            run(std::slice::from_ref(&shard), settings, &out).unwrap();
            let file =
                fs::read_to_string(out.join(format!("00.warc.{}", format.ending()))).unwrap();
            let read = match format {
                Format::Trec => trec_documents(&file),
                _ => trecweb_documents(&file)
                    .into_iter()
                    .map(|(d, _)| d)
                    .collect(),
            };
            assert_eq!(read, expected);
        }
    }
}

#[test]
fn titles_can_be_left_out() {
    let (folder, shards) = crawl();
    let out = |format| {
        let out = folder.path().join(format!("{format:?}"));
        let settings = ExportSettings {
            format,
            titles: false,
            ..SETTINGS
        };
        run(&shards, settings, &out).unwrap();
        files(&out)
    };
    let trec = out(Format::Trec);
    let documents = trec_documents(content(&trec, "en0000/00.warc.gz.trec"));
    assert!(documents.iter().all(|d| d.title.is_none()));
    let web = out(Format::Trecweb);
    let documents = trecweb_documents(content(&web, "en0000/00.warc.gz.trecweb"));
    assert!(documents.iter().all(|(d, _)| d.title.is_none()));
    let json = out(Format::Anserini);
    let lines = lines(content(&json, "en0000/00.warc.gz.jsonl"));
    for (line, document) in lines.iter().zip(&documents) {
        assert_eq!(line["contents"], document.0.text);
    }
}
