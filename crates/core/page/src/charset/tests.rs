use super::*;
use encoding_rs::{
    BIG5, EUC_JP, GBK, ISO_8859_2, SHIFT_JIS, UTF_16BE, UTF_16LE, WINDOWS_1251, WINDOWS_1252,
};
use proptest::prelude::*;

const LIMIT: usize = 1 << 20;

/// Encoding, source, text and flaws of a body.
fn run(body: &[u8], hints: Hints<'_>) -> (&'static Encoding, CharsetSource, String, TextFlaws) {
    let mut buffer = String::from("left over");
    let found = decode(body, hints, &mut buffer, LIMIT).unwrap();
    (
        found.encoding,
        found.source,
        found.text.to_owned(),
        found.flaws,
    )
}

fn html(body: &[u8]) -> (&'static Encoding, CharsetSource, String, TextFlaws) {
    run(
        body,
        Hints {
            html: true,
            ..Hints::default()
        },
    )
}

fn meta(body: &[u8]) -> Option<&'static str> {
    declared(body).map(|(encoding, _)| encoding.name())
}

#[test]
fn the_order_is_bom_transport_meta_valid_utf8_guess() {
    let label = Hints {
        label: Some(b"windows-1251"),
        html: true,
        url: "",
    };
    let page = "<meta charset=iso-8859-2>é".as_bytes();
    let marked = [b"\xef\xbb\xbf", page].concat();
    assert_eq!(run(&marked, label).1, CharsetSource::Bom);
    assert_eq!(run(&marked, label).2.as_bytes(), page);
    let (encoding, source, text, _) = run(page, label);
    assert_eq!((encoding, source), (WINDOWS_1251, CharsetSource::Http));
    assert!(
        text.ends_with("Г©"),
        "a declaration wins over valid UTF-8: {text}"
    );
    assert_eq!(html(b"<meta charset=iso-8859-2>\xe9").0, ISO_8859_2);
    assert_eq!(
        html(b"<meta charset=iso-8859-2>\xe9").1,
        CharsetSource::Meta
    );
    assert_eq!(
        run(page, Hints::default()).1,
        CharsetSource::Utf8,
        "plain text has no metas"
    );
    assert_eq!(html(b"<p>caf\xe9 cr\xe8me").1, CharsetSource::Guess);
    assert_eq!(html(b"<p>plain").1, CharsetSource::Utf8);
    assert_eq!(html(b"").1, CharsetSource::Utf8);
}

#[test]
fn the_words_of_charset_sources_are_stable() {
    use CharsetSource::{Bom, Guess, Http, Meta, Utf8};
    let words = [Bom, Http, Meta, Utf8, Guess].map(CharsetSource::as_str);
    assert_eq!(words, ["bom", "http", "meta", "utf8", "guess"]);
}

#[test]
fn a_body_that_is_utf8_beyond_chance_wins_over_its_own_declaration() {
    let hints = Hints {
        html: true,
        ..Hints::default()
    };
    let of = |page: &str| run(page.as_bytes(), hints);
    let (encoding, source, text, flaws) = of("<meta charset=iso-8859-1>é");
    assert_eq!((encoding, source), (UTF_8, CharsetSource::Utf8));
    assert!(text.ends_with('é') && flaws.mislabelled);
    // A word in another script may be valid UTF-8; a sentence is not.
    let (encoding, _, text, _) = run(b"<meta charset=windows-1251>\xc4\xb3", hints);
    assert_eq!((encoding, text.ends_with("Ді")), (WINDOWS_1251, true));
    let (encoding, .., flaws) = of("<meta charset=gbk>éé");
    assert_eq!((encoding, flaws.mislabelled), (GBK, false));
    assert_eq!(of("<meta charset=gbk>日本の天気は晴れです").0, UTF_8);
    assert!(!of("<meta charset=utf-8>é").3.mislabelled);
    assert!(!of("<meta charset=gbk>abc").3.mislabelled);
}

#[test]
fn unknown_labels_are_ignored_and_flagged() {
    let hints = |label| Hints {
        label: Some(label),
        html: true,
        url: "",
    };
    let (encoding, source, _, flaws) = run(b"<meta charset=gbk>", hints(b"klingon"));
    assert_eq!((encoding, source), (GBK, CharsetSource::Meta));
    assert!(flaws.unknown_label);
    let (encoding, _, text, flaws) = run(b"text", hints(b"iso-2022-kr"));
    assert_eq!((encoding, text.as_str()), (REPLACEMENT, "\u{fffd}"));
    assert!(flaws.unsupported);
    assert_eq!(run(b"x", hints(b" Latin1 ")).0, WINDOWS_1252);
}

#[test]
fn utf8_and_ascii_are_borrowed() {
    for (body, label) in [
        ("<p>日本語", None),
        ("\u{feff}<p>日本語", None),
        ("<p>日本語", Some(&b"utf-8"[..])),
        ("<p>plain", Some(b"windows-1251")),
        ("<p>plain", Some(b"shift_jis")),
    ] {
        let mut buffer = String::new();
        let hints = Hints {
            label,
            html: true,
            url: "",
        };
        let found = decode(body.as_bytes(), hints, &mut buffer, LIMIT).unwrap();
        let behind_mark = body.trim_start_matches('\u{feff}');
        assert_eq!(
            found.text.as_ptr(),
            behind_mark.as_ptr(),
            "{body} {label:?}"
        );
        assert_eq!(found.flaws, TextFlaws::default());
    }
}

#[test]
fn malformed_bytes_become_replacement_characters() {
    let hints = Hints {
        label: Some(b"utf-8"),
        ..Hints::default()
    };
    let (_, _, text, flaws) = run(b"a\xffb\xe6\x97", hints);
    assert_eq!(
        (text.as_str(), flaws.malformed),
        ("a\u{fffd}b\u{fffd}", true)
    );
}

#[test]
fn a_body_cut_inside_a_character_is_still_utf8() {
    let body = "<p>日本語".as_bytes();
    let (encoding, source, text, flaws) = html(&body[..body.len() - 1]);
    assert_eq!((encoding, source), (UTF_8, CharsetSource::Utf8));
    assert_eq!((text.as_str(), flaws.malformed), ("<p>日本\u{fffd}", true));
    assert_eq!(
        html(b"<p>caf\xe9").1,
        CharsetSource::Guess,
        "nothing else speaks for UTF-8"
    );
}

#[test]
fn pages_of_many_encodings_are_decoded() {
    let japanese =
        "<p>これは日本語の文章です。文字コードの推定を試すために書きました。</p>".repeat(4);
    let chinese = "<p>这是一个中文网页,用来测试字符编码的检测。今天天气很好。</p>".repeat(4);
    let russian =
        "<p>Это страница на русском языке, чтобы проверить определение кодировки.</p>".repeat(4);
    for (encoding, text) in [
        (EUC_JP, &japanese),
        (SHIFT_JIS, &japanese),
        (GBK, &chinese),
        (
            BIG5,
            &"<p>這是一個中文網頁,用來測試字元編碼的檢測。</p>".repeat(4),
        ),
        (WINDOWS_1251, &russian),
    ] {
        let (bytes, ..) = encoding.encode(text);
        let name = encoding.name();
        assert_eq!(
            html(&bytes),
            (
                encoding,
                CharsetSource::Guess,
                text.clone(),
                TextFlaws::default()
            )
        );
        let page = format!("<meta charset={name}>{text}");
        let (bytes, ..) = encoding.encode(&page);
        assert_eq!(
            html(&bytes),
            (encoding, CharsetSource::Meta, page, TextFlaws::default())
        );
        let hints = Hints {
            label: Some(name.as_bytes()),
            ..Hints::default()
        };
        let (bytes, ..) = encoding.encode(text);
        assert_eq!(run(&bytes, hints).2, *text);
    }
}

#[test]
fn utf16_is_found_by_bom_label_and_declaration() {
    let text = "<p>日本語 and ASCII</p>";
    let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    let bom = |mark: &[u8], body: &[u8]| html(&[mark, body].concat());
    assert_eq!(bom(b"\xff\xfe", &little).2, text);
    assert_eq!(bom(b"\xfe\xff", &big).2, text);
    assert_eq!(bom(b"\xfe\xff", &big).0, UTF_16BE);
    let hints = Hints {
        label: Some(b"utf-16"),
        ..Hints::default()
    };
    assert_eq!(
        run(&little, hints),
        (
            UTF_16LE,
            CharsetSource::Http,
            text.to_owned(),
            TextFlaws::default()
        )
    );
    for page in [
        "<?xml version='1.0'?><p>日本語",
        "<!doctype html><p>日本語",
        "<P>日本語",
    ] {
        let little: Vec<u8> = page.encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(
            html(&little),
            (
                UTF_16LE,
                CharsetSource::Meta,
                page.to_owned(),
                TextFlaws::default()
            )
        );
        let big: Vec<u8> = page.encode_utf16().flat_map(u16::to_be_bytes).collect();
        assert_eq!(html(&big).2, page);
    }
}

#[test]
fn the_size_of_the_text_is_limited() {
    let body = vec![0xe0; 1000];
    let hints = Hints {
        label: Some(b"windows-1251"),
        ..Hints::default()
    };
    let mut buffer = String::new();
    assert_eq!(
        decode(&body, hints, &mut buffer, 2000).unwrap().text.len(),
        2000
    );
    assert_eq!(
        decode(&body, hints, &mut buffer, 1999).err(),
        Some(TooLarge)
    );
    assert_eq!(decode(b"abc", hints, &mut buffer, 2).err(), Some(TooLarge));
    // The greatest possible growth: one byte becomes a character of three bytes.
    let body = vec![0x80; 1 << 20];
    let hints = Hints {
        label: Some(b"utf-8"),
        ..Hints::default()
    };
    let mut buffer = String::new();
    assert_eq!(
        decode(&body, hints, &mut buffer, 2 << 20).err(),
        Some(TooLarge)
    );
    assert!(buffer.capacity() <= (2 << 20) + 64);
}

#[test]
fn metas_are_read_as_in_the_standard() {
    for (page, name) in [
        ("<meta charset=utf-16>", Some("UTF-8")),
        ("<meta charset=x-user-defined>", Some("windows-1252")),
        ("<META/CHARSET='gbk'/>", Some("GBK")),
        (
            "<meta charset=bogus content='text/html;charset=gbk' http-equiv=content-type>",
            None,
        ),
        (
            "<meta content='charset; charset=gbk' http-equiv=Content-Type>",
            Some("GBK"),
        ),
        (
            "<meta content='charset=\"gbk' http-equiv=Content-Type>",
            None,
        ),
        ("<meta charset=gbk charset=big5>", Some("GBK")),
        ("<meta =charset=gbk charset=big5>", Some("Big5")),
        ("<!--><meta charset=gbk>", Some("GBK")),
        ("<!-- <meta charset=gbk>", None),
        ("<!x <meta charset=gbk>", None),
        ("</a <meta charset=gbk><meta charset=big5>", Some("Big5")),
        ("</1 <meta charset=gbk><meta charset=big5>", Some("Big5")),
        (
            "<a title='<meta charset=gbk>'><meta charset=big5>",
            Some("Big5"),
        ),
        ("<metax charset=gbk>", None),
        (
            "<?xml version='1.0' encoding = \"euc-jp\" ?><p>",
            Some("EUC-JP"),
        ),
        ("<?xml version='1.0' encoding='utf-16'?>", Some("UTF-8")),
        ("<?xml encoding='euc-jp'?><meta charset=gbk>", Some("GBK")),
        ("<?xml encoding='euc jp'?>", None),
        ("<?xml version='1.0'?> encoding='euc-jp'>", None),
        (" <?xml encoding='euc-jp'?>", None),
    ] {
        assert_eq!(meta(page.as_bytes()), name, "{page}");
    }
}

#[test]
fn late_metas_count_unless_in_raw_text() {
    let filler = format!("<!--{}-->", "x".repeat(3000));
    let late = |page: &str| {
        let page = format!("{filler}{page}");
        meta(page.as_bytes())
    };
    assert_eq!(late("<meta charset=gbk>"), Some("GBK"));
    assert_eq!(late("<noscript><meta charset=gbk></noscript>"), Some("GBK"));
    assert_eq!(late("<script>'<meta charset=gbk>'</script>"), None);
    assert_eq!(
        late("<STYLE><meta charset=gbk></x></style ><meta charset=big5>"),
        Some("Big5")
    );
    assert_eq!(late("<title><meta charset=gbk>"), None);
    assert_eq!(
        meta(b"<script>'<meta charset=gbk>'</script>"),
        Some("GBK"),
        "prescanned as the standard has it"
    );
}

#[test]
fn hostile_markup_takes_linear_time() {
    let start = std::time::Instant::now();
    for piece in [
        "<",
        "<a",
        "<a ",
        "<!",
        "<!--",
        "</",
        "<meta ",
        "<script>",
        "<script></",
        "<meta content=charset>",
        "<a '",
        "<x =",
        "charset",
    ] {
        let body = piece.repeat((4 << 20) / piece.len());
        let _ = meta(body.as_bytes());
        let value = format!(
            "<p {}><meta http-equiv=content-type content='{body}'>",
            "x".repeat(2000)
        );
        let _ = meta(value.as_bytes());
    }
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}

proptest! {
    #[test]
    fn arbitrary_bodies_never_panic(
        body in proptest::collection::vec(any::<u8>(), 0..600),
        label in proptest::option::of(proptest::sample::select(vec![
            "utf-8", "gbk", "gb18030", "big5", "euc-kr", "iso-2022-jp", "shift_jis", "utf-16", "x-user-defined", "replacement",
        ])),
        url in ".{0,20}",
    ) {
        let url = format!("http://{url}");
        let hints = Hints { label: label.map(str::as_bytes), html: true, url: &url };
        let mut buffer = String::new();
        if let Ok(found) = decode(&body, hints, &mut buffer, 500) {
            prop_assert!(found.text.len() <= 500);
        }
    }

    #[test]
    fn arbitrary_markup_never_panics(
        parts in proptest::collection::vec(proptest::sample::select(vec![
            "<", "<meta", " ", "/", "charset", "=", "'", "\"", ">", "gbk", "<!--", "-->", "<?xml", "encoding",
            "http-equiv", "content-type", "content", ";", "<script", "</script", "é", "\0",
        ]), 0..60),
        fill in 0_usize..1100,
    ) {
        let body = format!("{}{}", " ".repeat(fill), parts.concat());
        let _ = meta(body.as_bytes());
        let _ = html(body.as_bytes());
    }

    #[test]
    fn decoding_agrees_with_the_whole_body_at_once(body in proptest::collection::vec(any::<u8>(), 0..3000)) {
        for encoding in [SHIFT_JIS, UTF_8, UTF_16LE, WINDOWS_1252, encoding_rs::GB18030, encoding_rs::ISO_2022_JP] {
            let hints = Hints { label: Some(encoding.name().as_bytes()), ..Hints::default() };
            if Encoding::for_bom(&body).is_none() {
                let (expected, malformed) = encoding.decode_without_bom_handling(&body);
                let (_, _, text, flaws) = run(&body, hints);
                prop_assert_eq!((text.as_str(), flaws.malformed), (&*expected, malformed));
            }
        }
    }
}
