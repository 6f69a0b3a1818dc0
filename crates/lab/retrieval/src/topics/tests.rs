use super::*;
use proptest::prelude::*;

fn read(file: &str) -> Result<Vec<Topic>, String> {
    read_from("t", file.as_bytes()).map_err(|e| e.to_string())
}

fn topic(id: &str, title: &str, desc: &str, narr: &str) -> Topic {
    let [id, title, desc, narr] = [id, title, desc, narr].map(str::to_owned);
    Topic {
        id,
        title,
        desc,
        narr,
    }
}

#[test]
fn sgml_without_end_tags() {
    let file = "\u{feff}\n<top>\n\n<num> Number: 0301 \n<title> Harbour  Seals &amp; Otters\n\n<desc> Description: \n\
        How many\nare there where n < 5?\n\n<narr> Narrative: \nCounts <b>of</b> each. \n</top>\n\n\
        <TOP>\n<head> x\n<num> Number: 051\n<dom> Domain: y\n<title> Topic:  Caf&eacute;s\n<con> Concept(s):\n1. z\n</TOP>\n\
        <top><num>3</num><title>narrative: x</title></top>";
    let expected = [
        topic(
            "0301",
            "Harbour Seals & Otters",
            "How many are there where n < 5?",
            "Counts",
        ),
        topic("051", "Cafés", "", ""),
        topic("3", "narrative: x", "", ""),
    ];
    assert_eq!(read(file).unwrap(), expected);
}

#[test]
fn xml_of_the_web_tracks() {
    let file = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<webtrack2013>\n\
        <topic number=\"201\" type=\"faceted\">\n<query>raspberry &lt;pi&gt;</query>\n\
        <description> What is\n a <![CDATA[raspberry]]> pi?\n</description>\n\
        <subtopic number=\"1\" type=\"inf\">What is it? <query>no</query></subtopic>\n</topic>\n\
        <topic number=\"002\"><query>x</query></topic></webtrack2013>";
    let expected = [
        topic("201", "raspberry <pi>", "What is a raspberry pi?", ""),
        topic("002", "x", "", ""),
    ];
    assert_eq!(read(file).unwrap(), expected);
}

#[test]
fn one_topic_per_line() {
    let expected = [
        topic("1", "obama: family tree", "", ""),
        topic("x-2", "a b", "", ""),
    ];
    assert_eq!(
        read("1\tobama: family tree\r\n\nx-2\ta  b").unwrap(),
        expected
    );
    assert_eq!(read("1:obama: family tree\nx-2:a\tb\n").unwrap(), expected);
    assert_eq!(
        read("urn:uuid:1\ta: b").unwrap(),
        [topic("urn:uuid:1", "a: b", "", "")]
    );
}

#[test]
fn faults_are_named() {
    for (file, what) in [
        ("", "t:1: no topics; "),
        ("<webtrack/>", "t:1: no topics; "),
        (
            "1\ta\nb\n",
            "t:2: no tab; expected a number, a tab and a text",
        ),
        ("1:a\nb\n", "t:2: no colon; "),
        ("a\n", "t:1: no tab; "),
        (
            "1\ta\n\n1\tb\n",
            "t:3: topic 1 is in line 1 already; keep one",
        ),
        ("1\ta\n2\t \n", "t:2: topic 2 has no title; "),
        ("1 2\ta\n", "t:1: number \"1 2\" holds white space; "),
        (
            "<top><num>1<title>a</top>\n\n<top><title>b",
            "t:3: a topic without number; ",
        ),
        (
            "<top><num>1<title>a</top>\n<top><num>1<title>b",
            "t:2: topic 1 is in line 1",
        ),
        (
            "<top><num>1<title>a</top>\n<top>\n<num>2<title>cut he",
            "t:2: the topic is not ended by </top>",
        ),
        (
            "<top><num>1<title>cut\n<top><num>2<title>b</top>",
            "t:1: the topic is not ended by </top>",
        ),
        ("<top><num>1\n<desc>a", "t:1: topic 1 has no title; "),
        (
            "<t>\n<topic number='1'><query>a</query></topic>\n<topic number='1'/></t>",
            "t:3: topic 1 is in line 2",
        ),
        ("<t>\n<topic></t>", "t:2: "),
        ("<t xmlns='a'/>", "t:1: a namespace, or more"),
    ] {
        let message = read(file).unwrap_err();
        assert!(message.starts_with(what), "{file}: {message}");
    }
    let latin = read_from("t", &b"1\ta\n2\tcaf\xe9\n"[..])
        .unwrap_err()
        .to_string();
    assert!(
        latin.starts_with("t:2: invalid UTF-8 at byte 6 of the line; save the file as UTF-8"),
        "{latin}"
    );
    let attributes: String = (0..200).map(|i| format!(" a{i}='>'")).collect();
    let message = read(&format!("<t>\n<b{attributes}/></t>")).unwrap_err();
    assert!(message.starts_with("t:2: "), "{message}");
    let large = read(&format!("<t>{}</t>", " ".repeat(2 << 20))).unwrap_err();
    assert!(large.contains("more than 1 MiB"), "{large}");
}

proptest! {
    #[test]
    fn no_markup_panics(
        pieces in prop::collection::vec(
            prop::sample::select(vec![
                "<top>", "</top>", "<num>", "Number:", "<title>", "<desc>", "<", ">", "/", "&amp;", "é", "\n", "\t", ":", "1",
                "<topic number='1'>", "</topic>", "<query>", "</query>", "<?xml", "<![CDATA[", "]]>", "<!--", "=", " ",
            ]),
            0..40,
        ),
    ) {
        let _ = read(&pieces.concat());
    }

    #[test]
    fn no_bytes_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = read_from("t", &bytes[..]);
    }
}
