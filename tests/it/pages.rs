//! Old and foreign pages of the test data, as they come from a server that names no
//! charset: encoding, language, title, and the text and counts of every block.

use std::fmt::Write as _;
use std::path::Path;
use warcsieve_extract::Engine;
use warcsieve_extract::Pipeline;
use warcsieve_language::{Identifier, UNDETERMINED};
use warcsieve_warc::Record;

const PAGES: &[&str] = &[
    "arabic-windows-1256.html",
    "br-only.html",
    "chinese-gb18030.html",
    "frameset.html",
    "german-windows-1252.html",
    "hebrew-bidi.html",
    "japanese-euc-jp.html",
    "japanese-shift-jis.html",
    "pre-only.html",
    "russian-koi8-r.html",
    "russian-windows-1251.html",
    "says-iso-8859-1.html",
    "says-utf-8.html",
    "thai-tis-620.html",
];

#[test]
fn text_of_old_and_foreign_pages() {
    let mut engine =
        Engine::new(&Pipeline::built_in(&warcsieve_papers::METHODS, "keep-all").unwrap());
    let mut identifier = Identifier::default();
    let mut text = String::new();
    for name in PAGES {
        let path = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("testdata/pages")
            .join(name);
        let headers = [
            ("WARC-Type", "resource"),
            ("WARC-Target-URI", "http://old.example/"),
            ("Content-Type", "text/html"),
        ];
        let record = Record::from_parts(&headers, &std::fs::read(path).unwrap());
        let view = engine.record(name, &record).unwrap();
        let page = &view.page;
        writeln!(
            text,
            "\n== {name}: {} by {}, {}, «{}» {}",
            page.charset,
            page.charset_source.as_str(),
            identifier
                .identify(view.text)
                .map_or(UNDETERMINED, |l| l.code),
            view.doc.title,
            view.warnings().collect::<Vec<_>>().join(","),
        )
        .unwrap();
        for block in &view.doc.blocks {
            let counts = format!(
                "{}/{} words, {} lines",
                block.linked_words, block.words, block.lines
            );
            writeln!(text, "{} [{counts}]", view.doc.block_text(block)).unwrap();
        }
    }
    insta::assert_snapshot!(text);
}
