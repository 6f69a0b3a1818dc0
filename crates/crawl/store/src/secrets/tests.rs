use super::*;
use crate::check_place;

/// Each address and how it is shown.
const SECRET: &[(&str, &str)] = &[
    ("s3://KEY:HUSH@b/a", "s3://…@b/a"),
    ("s3://KEY:SEC/HUSH@b/a", "s3://…@b/a"),
    ("gs://HUSH@b/a", "gs://…@b/a"),
    ("az://HUSH@b", "az://…@b"),
    ("abfss://c:HUSH@account/x", "abfss://…@account/x"),
    ("https://me:HUSH@h/a", "https://…@h/a"),
    ("https://h/a?b=1&X-Amz-Signature=HUSH", "https://h/a?…"),
    ("https://h/a?sv=1&sig=HUSH", "https://h/a?…"),
    ("s3://b/a?X-Amz-Signature=HUSH", "s3://b/a?…"),
    ("https://h/a?token=HUSH", "https://h/a?…"),
    // An empty port is not a port, and addresses of stores have none.
    ("s3://KEY:/HUSH@b", "s3://…@b"),
    ("https://KEY:/HUSH@h", "https://…@h"),
    ("s3://KEY:123/HUSH@b", "s3://…@b"),
    ("https://KEY:1234567/HUSH@h", "https://…@h"),
    ("s3://b/KEY:HUSH@c/a", "s3://…@c/a"),
    // Any number of slashes.
    ("s3:/KEY:HUSH@b", "s3:/…@b"),
    ("s3:///KEY:HUSH@b/a", "s3:///…@b/a"),
    ("/work/s3:/KEY:HUSH@b/a", "/work/s3:/…@b/a"),
    ("hdfs://me:HUSH@h:8020/a", "hdfs://…@h:8020/a"),
    ("ftp:/me:HUSH@h/a", "ftp:/…@h/a"),
    ("file://me:HUSH@h/a", "file://…@h/a"),
    // Fragments.
    ("https://h/a#token=HUSH", "https://h/a#…"),
    ("az://c/a#sig=HUSH", "az://c/a#…"),
    ("https://h/a?b=1#access_token=HUSH", "https://h/a?…"),
    // Upper case, and percent encoding.
    ("S3://KEY:HUSH@b/a", "S3://…@b/a"),
    ("HTTPS://me:HUSH@h/a", "HTTPS://…@h/a"),
    ("s3://KEY%3AHUSH%40b/a", "s3://…@b/a"),
    ("s3://KEY:HUSH%40b/a", "s3://…@b/a"),
    ("https://me%3aHUSH@h/a", "https://…@h/a"),
    ("https://me:HUSH%40h/a", "https://…@h/a"),
    ("abfss://c%3AHUSH@account/x", "abfss://…@account/x"),
    ("https://h/a?%73ig=HUSH", "https://h/a?…"),
    ("s3://b/a%3Fsig=HUSH", "s3://b/a%3F…"),
    ("s3://KEY:SEC?HUSH@b/a", "s3://…@b/a"),
    // Signatures of stores and others.
    ("gs://b/a?GoogleAccessId=x&Signature=HUSH", "gs://b/a?…"),
    ("gs://b/a?X-Goog-Credential=HUSH", "gs://b/a?…"),
    ("s3://b/a?AWSAccessKeyId=HUSH", "s3://b/a?…"),
    ("s3://b/a?X-Amz-Security-Token=HUSH", "s3://b/a?…"),
    ("az://c/a?se=2030&sp=r&sig=HUSH", "az://c/a?…"),
    ("az://c/a&sig=HUSH", "az://c/a&…"),
    ("https://h/a?api_key=HUSH", "https://h/a?…"),
    ("https://h/a;password=HUSH", "https://h/a;…"),
];

#[test]
fn secrets_are_refused_and_not_shown() {
    for (address, shown) in SECRET {
        let error = check_place(address).unwrap_err().to_string();
        assert!(error.starts_with(&format!("{shown}: ")), "{error}");
        assert!(!error.contains("HUSH"), "{error}");
        refuse_secrets(address).unwrap_err();
        for hide in [redacted, without_keys] {
            let log = hide(&format!("cannot read {address} again"));
            assert_eq!(log, format!("cannot read {shown} again"));
            let log = hide(&format!("{address}: not found"));
            assert_eq!(log, format!("{shown}: not found"));
            let log = hide(&format!("pattern `{address}`, ({address}), \"{address}\""));
            let expected = format!("pattern `{shown}`, ({shown}), \"{shown}\"");
            assert_eq!(log, expected);
        }
    }
}

#[test]
fn blanks_and_quotes_do_not_hide_a_secret_from_us() {
    for (argument, expected) in [
        ("s3://KEY:HU SH@b/a", "s3://…@b/a"),
        ("\"s3://KEY:HUSH@b/a\"", "\"s3://…@b/a\""),
        ("'s3://KEY:HUSH@b/a b.gz'", "'s3://…@b/a b.gz'"),
        ("./s3://KEY:HUSH@b/a", "./s3://…@b/a"),
    ] {
        let error = check_place(argument).unwrap_err().to_string();
        assert!(error.starts_with(&format!("{expected}: ")), "{error}");
    }
    let log = redacted("no file '/my/s3:/KEY:HU SH@b/a', 's3://K:HUSH@b'");
    assert_eq!(log, "no file '/my/s3:/…@b/a', 's3://…@b'");
}

#[test]
fn each_address_of_a_text_is_looked_at() {
    for (text, expected) in [
        (
            "s3://K:HUSH@b,s3://K:HUSH@c and https://h/x?sig=HUSH;gs://b/a",
            "s3://…@b,s3://…@c and https://h/x?…;gs://b/a",
        ),
        (
            "from s3://b/a to\ts3://K:HUSH@c\n",
            "from s3://b/a to\ts3://…@c\n",
        ),
    ] {
        assert_eq!(redacted(text), expected);
        assert_eq!(shown(text.trim()), expected.trim());
    }
}

#[test]
fn a_blank_in_an_address_gives_no_secret_away() {
    let text = "http://h/a b?token=HUSH: no page, http://h/ c d&sig=HUSH";
    let hidden = "http://h/a b?… no page, http://h/ c d&…";
    assert_eq!(redacted(text), hidden);
    assert_eq!(without_keys(text), hidden);
}

#[test]
fn queries_of_pages_stay_in_logs() {
    let text = "http://page/?id=1&design=2#part: no page";
    assert_eq!(without_keys(text), text);
    assert_eq!(redacted(text), "http://page/?…: no page");
}

/// Ordinary paths and texts. No combination of them may be changed.
#[test]
fn other_texts_stay() {
    let whole = [
        "s3://b/a@b:c?d",
        "abfss://container@account.dfs.core.windows.net/x",
        "https://h:8080/a@b",
        "https://h:8080/a%40b",
        "http://[::1]/a@b",
        "http://[::1]:80/a@b",
        "https://h/12:30@x",
        "me:pass@x",
        "a b\tc",
        "/data/a?sig=1",
        "mailto:a@b.c",
        "urn:uuid:1b4e28ba-2fa1@x",
        "<urn:a:b@c>",
        r"C:\crawl\a:b@c",
        "C:/crawl/a:b@c",
        "c://x:y@z",
        "file:///C:/Users/me@work/x",
        "12:30@x",
        "/backup:/12:30@x",
        "a/b:c/d@e",
        "hdfs://namenode:8020/x",
        "dns:example.com",
        "x:/y:z@a",
        "s3://b/crawl=1/00.warc.gz",
        "100%",
        "%40:%3A@",
    ];
    for text in whole {
        refuse_secrets(text).unwrap();
        assert_eq!(redacted(text), text);
        assert_eq!(without_keys(text), text);
    }
    for (i, a) in whole.iter().enumerate() {
        for b in &whole[i..] {
            let text = format!("{a} {b}\n");
            assert_eq!(redacted(&text), text);
        }
    }
}

/// Texts made of the pieces of addresses. None of them may panic. A text that was shown once must
/// stay the same when it is shown again. A secret between a known scheme and its `@` must never
/// stay.
#[test]
fn any_mix_of_pieces_is_shown_without_its_keys() {
    let pieces = [
        "s3", "https", "x", ":", "/", "//", "://", "@", "%40", "%3A", "%", "?", "#", "&", ";",
        "sig=", " ", "\"", "'", ",", "é", "80", "[", "]", "…",
    ];
    let mut state = 1_u64;
    let mut draw = |n: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 33) as usize % n
    };
    for _ in 0..20_000 {
        let length = draw(12);
        let text: String = (0..length).map(|_| pieces[draw(pieces.len())]).collect();
        for hide in [redacted, without_keys, |text: &str| shown(text)] {
            hide(&text);
        }
        let _ = check_place(&text);
        let quiet = text.replace(['@', ' ', '"', '\'', ',', ';'], "");
        let secret = format!("{quiet} s3://KEY:HUSH{quiet}@b {quiet}");
        assert!(!redacted(&secret).contains("HUSH"), "{secret}");
        assert!(refuse_secrets(&secret).is_err(), "{secret}");
    }
}
