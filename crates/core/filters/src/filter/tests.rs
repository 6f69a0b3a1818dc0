use super::*;
use crate::edits::Edits;
use crate::signals::number;

/// A page of two columns, one signal and a text.
#[derive(Default)]
struct Page {
    language: Option<&'static str>,
    url: &'static str,
    words: f64,
    edits: Edits,
    is_edited: bool,
}

impl Row for Page {
    fn column(&self, name: &str) -> Value<'_> {
        match name {
            "language" => self
                .language
                .map_or(Value::Missing, |l| Value::Text(l.into())),
            "url" => Value::Text(self.url.into()),
            "host" => Value::Text(warcsieve_common::host(self.url).into()),
            "id" => Value::Text("a-1".into()),
            "n_blocks" => Value::Number(3.0),
            _ => Value::Missing,
        }
    }

    fn signal(&mut self, signal: usize) -> Option<f64> {
        let is_known = Some(signal) == number("gopher.words@datatrove");
        is_known.then_some(if self.is_edited { 1.0 } else { self.words })
    }

    fn edits(&mut self) -> &mut Edits {
        &mut self.edits
    }

    fn edited(&mut self) {
        self.is_edited = true;
    }
}

fn page() -> Page {
    Page {
        language: Some("en"),
        url: "http://me@www.Example.org:80/x",
        words: 60.0,
        ..Page::default()
    }
}

fn page_of(text: &str) -> Page {
    let mut page = page();
    page.edits
        .begin(text, std::slice::from_ref(&(0..text.len() as u32)));
    page
}

fn judge(rule: &str, mut page: Page) -> Option<Option<String>> {
    let mut filters = Filters::default();
    filters.keep(rule).unwrap();
    filters.first_broken(&mut page).map(|removal| removal.value)
}

#[test]
fn bounds_are_inclusive_where_they_say_so() {
    for kept in [
        "language in ['de', \"en\"]",
        "language not in [\"de\"]",
        "gopher.words@datatrove between 60 and 60",
        "gopher.words@datatrove >= 60",
        "gopher.words@datatrove <= 60",
        "n_blocks > 2.5",
        "n_blocks < 4",
        "host in ['www.example.org']",
    ] {
        assert_eq!(judge(kept, page()), None, "{kept}");
    }
    for removed in [
        "gopher.words@datatrove > 60",
        "gopher.words@datatrove between 61 and 100",
        "gopher.words@datatrove < 6e1",
    ] {
        assert_eq!(judge(removed, page()), Some(Some("60".into())), "{removed}");
    }
    let unknown = Page {
        language: None,
        ..page()
    };
    assert_eq!(judge("language not in ['de']", unknown), Some(None));
    assert_eq!(judge("language in ['de']", page()), Some(Some("en".into())));
}

#[test]
fn faulty_rules_are_refused_with_what_is_wrong() {
    let refused = |rule: &str| Filters::default().keep(rule).unwrap_err();
    for (rule, why) in [
        ("language", "is no rule"),
        ("langauge in ['en']", "did you mean `language`"),
        ("language >= 3", "`language` is a text"),
        ("n_blocks in ['a']", "`n_blocks` is a number"),
        ("n_blocks between 3", "is not a condition for `n_blocks`"),
        ("n_blocks >= NaN", "is not a condition"),
        ("language in [en]", "is not a condition"),
    ] {
        assert!(refused(rule).contains(why), "{}", refused(rule));
    }
    let error = Filters::default().preset("goffer", &[]).unwrap_err();
    assert!(error.contains("did you mean `gopher`"), "{error}");
}

#[test]
fn the_first_rule_that_is_broken_counts() {
    let mut filters = Filters::default();
    filters.keep("language in ['en']").unwrap();
    filters.preset("gopher", &[]).unwrap();
    assert_eq!(
        filters.first_broken(&mut page()).unwrap().number,
        1,
        "signals that are missing"
    );
    filters = Filters::default();
    filters.keep("n_blocks > 9").unwrap();
    filters.keep("gopher.words@datatrove > 99").unwrap();
    let removal = filters.first_broken(&mut page()).unwrap();
    assert_eq!((removal.number, removal.value.as_deref()), (0, Some("3")));
    assert_eq!(filters.bound(0), "> 9");
}

#[test]
fn presets_are_rules() {
    for preset in &PRESETS {
        let mut filters = Filters::default();
        filters.preset(preset.name, &[]).unwrap();
        assert!(!filters.is_empty(), "{}", preset.name);
    }
}

#[test]
fn rules_after_a_change_see_the_changed_text() {
    let text = "Home\nThis is a line.\nMail me@example.org or a@b.de now.";
    let mut filters = Filters::default();
    filters.keep("gopher.words@datatrove > 9").unwrap();
    assert_eq!(filters.changing(), None);
    filters.lines("c4").unwrap();
    filters.personal("mask", &[]).unwrap();
    filters.keep("gopher.words@datatrove <= 9").unwrap();
    let mut page = page_of(text);
    assert_eq!(filters.first_broken(&mut page), None);
    let masked = "This is a line.\nMail |||EMAIL_ADDRESS||| or |||EMAIL_ADDRESS||| now.";
    assert_eq!(page.edits.text(), masked);
    assert_eq!(page.edits.counts(), [("c4: no terminal punctuation", 1)]);
    assert_eq!(
        (filters.found(Kind::Email), filters.found(Kind::Ip)),
        (2, 0)
    );
    assert_eq!(filters.changing(), Some("lines c4"));
    assert_eq!(filters.kinds(true), [Kind::Email, Kind::Ip]);
}

#[test]
fn too_much_personal_data_and_too_many_words_that_go_remove_a_page() {
    let text = "Mail me@example.org or a@b.de now\nONE TWO THREE";
    let mut filters = Filters::default();
    filters.personal("tag", &["phone".to_owned()]).unwrap();
    filters
        .personal("drop-over 2", &["email".to_owned()])
        .unwrap();
    filters.lines("refinedweb").unwrap();
    let removal = filters.first_broken(&mut page_of(text)).unwrap();
    assert_eq!(
        (removal.number, removal.value.as_deref()),
        (2, Some("0.375"))
    );
    assert_eq!(filters.bound(2), "<= 0.05");
    assert!(
        filters
            .first_broken(&mut page_of("Mail me now, one and two"))
            .is_none()
    );
    filters = Filters::default();
    filters.personal("drop-over 1", &[]).unwrap();
    let removal = filters.first_broken(&mut page_of(text)).unwrap();
    assert_eq!((removal.number, removal.value.as_deref()), (0, Some("2")));
    let rules: Vec<_> = filters.rules().collect();
    assert_eq!(
        (rules, filters.bound(0)),
        (vec!["personal drop-over 1: email, ip"], "<= 1")
    );
    for (action, kind, why) in [
        ("maks", "email", "did you mean `mask`"),
        ("drop-over x", "email", "it can be mask, tag or drop-over N"),
        ("tag", "emial", "did you mean `email`"),
    ] {
        let error = filters.personal(action, &[kind.to_owned()]).unwrap_err();
        assert!(error.contains(why), "{error}");
    }
}

#[test]
fn lists_know_ids_hosts_and_scores() {
    let list = |text: &'static str, domains| List::texts(text.as_bytes(), domains).unwrap();
    let judge = |key: &str, list: List, column| {
        let mut filters = Filters::default();
        filters.listed(key, "f", Arc::new(list), column);
        filters.first_broken(&mut page()).is_some()
    };
    assert!(!judge("keep_ids", list("b\na-1\n", false), "id"));
    assert!(judge("keep_ids", list("b\n", false), "id"));
    assert!(judge("drop_ids", list("# no\n\na-1", false), "id"));
    assert!(judge("drop_hosts", list("EXAMPLE.org\n", true), "host"));
    assert!(!judge("drop_hosts", list("ample.org\n", true), "host"));
    assert!(!judge(
        "drop_urls",
        list("http://www.example.org/x\n", false),
        "url"
    ));

    let scores = |min| {
        let list = List::scores("70 a-1\n3 b\n".as_bytes()).unwrap();
        let mut filters = Filters::default();
        filters.scores("s", Arc::new(list), min);
        filters
            .first_broken(&mut page())
            .map(|removal| removal.value)
    };
    assert_eq!(scores(70.0), None);
    assert_eq!(scores(71.0), Some(Some("70".into())));
    let error = List::scores("70 a\nx b\n".as_bytes()).unwrap_err();
    assert_eq!(error, "line 2 is not a score and an id");
    assert!(
        List::texts(&b"\xff\n"[..], false)
            .unwrap_err()
            .contains("line 1")
    );
}
