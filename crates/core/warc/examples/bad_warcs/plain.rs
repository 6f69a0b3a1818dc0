//! Files that are not compressed: lengths, headers, boundaries, ARC.

use crate::file::{File, id, record, record_of, stating, text};

/// Three records; the second one is `middle`, and it is flagged.
fn wrong_length(name: &'static str, holds: &'static str, middle: &[u8]) -> File {
    let file = File::new(name, holds).plain(1);
    file.flagged("length", 2, text(2).len(), middle).plain(3)
}

fn lengths() -> Vec<File> {
    let two = text(2);
    let of = |length: &str| stating(2, length, two.as_bytes());
    let mut cut = text(2);
    cut.remove(40);
    let absent = String::from_utf8(of("9")).expect("text");
    let absent = absent.replace("Content-Length: 9\r\n", "");
    vec![
        wrong_length(
            "length-too-long.warc",
            "The second of three records says that it is 100 bytes longer than it is.",
            &of(&(two.len() + 100).to_string()),
        ),
        wrong_length(
            "length-too-short.warc",
            "The second of three records says that it is 30 bytes shorter than it is.",
            &of(&(two.len() - 30).to_string()),
        ),
        wrong_length(
            "length-beyond-the-file.warc",
            "The second of three records says that it is 9 GB long.",
            &of("9000000000"),
        ),
        wrong_length(
            "length-too-large-for-64-bits.warc",
            "The length of the second record does not fit in 64 bits.",
            &of("99999999999999999999999"),
        ),
        wrong_length(
            "length-negative.warc",
            "The length of the second record is -1.",
            &of("-1"),
        ),
        wrong_length(
            "length-no-number.warc",
            "The length of the second record is no number.",
            &of("many"),
        ),
        wrong_length(
            "length-missing.warc",
            "The second record has no Content-Length.",
            absent.as_bytes(),
        ),
        File::new(
            "byte-missing.warc",
            "The body of the second record has lost one byte, so its length is one too large.",
        )
        .plain(1)
        .flagged(
            "length",
            2,
            cut.len(),
            &stating(2, &two.len().to_string(), cut.as_bytes()),
        )
        .plain(3),
    ]
}

fn cuts() -> Vec<File> {
    let three = record(3);
    let whole = three.len();
    vec![
        File::new(
            "cut-in-header.warc",
            "The file ends inside the header of the third record.",
        )
        .plain(1)
        .plain(2)
        .lost("cut", None, &three[..60]),
        File::new(
            "cut-in-body.warc",
            "The file ends inside the body of the third record.",
        )
        .plain(1)
        .plain(2)
        .flagged("cut", 3, text(3).len() - 46, &three[..whole - 50])
        .note("What is there of the third record may be given or not; it must not pass as whole."),
        File::new(
            "end-without-line-ends.warc",
            "The file ends right after the last body, without the line ends that close a record.",
        )
        .plain(1)
        .holding(2, text(2).len(), &record(2)[..record(2).len() - 4]),
        File::new("empty.warc", "Nothing: 0 bytes.").fault("not_warc", 0, None),
    ]
}

fn boundaries() -> Vec<File> {
    let open = &record(2)[..record(2).len() - 4];
    let inner = [record(8), record(9)].concat();
    let damaged = |n: usize| {
        let mut record = record(n);
        record[..4].copy_from_slice(b"warc");
        record
    };
    let lines = b"This file was moved here by hand.\nSee the list of files.\n\n";
    vec![
        File::new("sound.warc", "Three sound records.")
            .plain(1)
            .plain(2)
            .plain(3),
        File::new(
            "no-line-ends-between.warc",
            "No line ends after the second of three records.",
        )
        .plain(1)
        .holding(2, text(2).len(), open)
        .plain(3)
        .note("The length is right, so nothing is lost; a strict reader may report a fault."),
        File::new(
            "record-in-record.warc",
            "The body of the second record is itself two WARC records; its length is right.",
        )
        .plain(1)
        .holding(
            2,
            inner.len(),
            &stating(2, &inner.len().to_string(), &inner),
        )
        .plain(3),
        File::new(
            "record-in-record-before-damage.warc",
            "As before, but the version line of the third record is damaged.",
        )
        .plain(1)
        .holding(
            2,
            inner.len(),
            &stating(2, &inner.len().to_string(), &inner),
        )
        .lost("stray", None, &damaged(3))
        .plain(4)
        .note("The line ends after the second body show that its length is right."),
        File::new(
            "version-line-damaged.warc",
            "The version line of the second record is damaged.",
        )
        .plain(1)
        .lost("stray", None, &damaged(2))
        .plain(3),
        File::new(
            "text-before.warc",
            "Two lines of text before the first record.",
        )
        .lost("damaged", None, lines)
        .plain(1)
        .plain(2),
        File::new(
            "text-after.warc",
            "Two lines of text after the last record.",
        )
        .plain(1)
        .plain(2)
        .lost("stray", None, lines),
        File::new(
            "byte-order-mark.warc",
            "A UTF-8 byte order mark before the first record.",
        )
        .lost("damaged", None, b"\xef\xbb\xbf")
        .plain(1)
        .plain(2),
        File::new("text-only.warc", "A text that is no WARC file.")
            .fault("not_warc", lines.len() as u64, None)
            .lost("damaged", None, lines),
    ]
}

fn headers() -> Vec<File> {
    let two = text(2);
    let length = two.len().to_string();
    let changed = |from: &str, to: &str| {
        let record = String::from_utf8(record(2)).expect("text");
        assert!(record.contains(from));
        record.replacen(from, to, 1).into_bytes()
    };
    let middle = |name, holds, bytes: &[u8]| {
        let file = File::new(name, holds).plain(1);
        file.holding(2, two.len(), bytes).plain(3)
    };
    let lf = |n: usize| {
        let record = String::from_utf8(record(n)).expect("text");
        record.replace("\r\n", "\n").into_bytes()
    };
    let version = |n: usize, version: &str| {
        let record = String::from_utf8(record(n)).expect("text");
        record.replacen("1.0", version, 1).into_bytes()
    };
    let each = |name, holds, make: &dyn Fn(usize) -> Vec<u8>| {
        (1..4).fold(File::new(name, holds), |file, n| {
            file.holding(n, text(n).len(), &make(n))
        })
    };
    let twice = format!("Content-Length: {length}\r\nContent-Length: 7\r\n");
    let mut unnamed = middle(
        "record-id-missing.warc",
        "The second record has no WARC-Record-ID.",
        &changed(&format!("WARC-Record-ID: {}\r\n", id(2)), ""),
    )
    .note("The standard demands an id; a strict reader may report a fault.");
    unnamed.expected.records[1].id.clear();
    vec![
        each("lf-only.warc", "Lines end with LF, as in ClueWeb09.", &lf),
        each("version-0.18.warc", "WARC/0.18.", &|n| version(n, "0.18")),
        each("version-1.1.warc", "WARC/1.1.", &|n| version(n, "1.1")),
        middle(
            "length-twice.warc",
            "The second record has two Content-Length; the first is right.",
            &changed(&format!("Content-Length: {length}\r\n"), &twice),
        )
        .note("Which of them is right shows the boundary after the body."),
        middle(
            "folded-header.warc",
            "The address of the second record is folded over two lines.",
            &changed("http://example.org/2", "http://example.org/\r\n 2"),
        ),
        middle(
            "header-names-in-other-case.warc",
            "The second record writes its header names in upper and lower case.",
            &changed("Content-Length", "CONTENT-length"),
        ),
        unnamed,
    ]
}

fn digests() -> Vec<File> {
    let two = text(2);
    let with = |digest: &str| {
        let id = id(2);
        let fields = [
            ("WARC-Type", "resource"),
            ("WARC-Record-ID", &*id),
            ("WARC-Block-Digest", digest),
        ];
        record_of(&fields, &two.len().to_string(), two.as_bytes())
    };
    let file = |name, holds, kind, digest: &str| {
        let file = File::new(name, holds).plain(1);
        file.flagged(kind, 2, two.len(), &with(digest)).plain(3)
    };
    vec![
        file(
            "digest-wrong.warc",
            "The block digest of the second record is that of no bytes at all.",
            "digest_mismatch",
            "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ",
        ),
        file(
            "digest-undecodable.warc",
            "The block digest of the second record is in no encoding of such digests.",
            "digest_unreadable",
            "sha1:not!a!digest",
        ),
        file(
            "digest-unknown-algorithm.warc",
            "The block digest of the second record names an algorithm that does not exist.",
            "digest_unreadable",
            "sum99:0123456789abcdef",
        ),
    ]
}

/// A record of an ARC file; `more` are the parts that version 2 has before the length.
fn arc(n: usize, more: &str, length: usize) -> Vec<u8> {
    let line =
        format!("http://example.org/{n} 192.0.2.{n} 20240101000000 text/html{more} {length}");
    format!("{line}\n{}\n", text(n)).into_bytes()
}

fn arcs() -> Vec<File> {
    let start = |name, holds, version: &str| {
        let file = File::new(name, holds);
        let block = format!("{version}\n\n");
        let line = format!(
            "filedesc://a.arc 0.0.0.0 20240101000000 text/plain {}\n",
            block.len()
        );
        let mut file = file.holding(0, block.len(), format!("{line}{block}\n").as_bytes());
        (file.last().kind, file.last().id) = ("warcinfo".to_owned(), String::new());
        file
    };
    let page = |file: File, n, bytes: &[u8]| {
        let mut file = file.holding(n, text(n).len(), bytes);
        (file.last().kind, file.last().id) = ("response".to_owned(), String::new());
        file
    };
    let one = "1 0 Nobody\nURL IP-address Archive-date Content-type Archive-length";
    let two = "2 0 Nobody\nURL IP-address Archive-date Content-type Result-code Checksum Location \
               Offset Filename Archive-length";
    let v1 = start(
        "version-1.arc",
        "An ARC file of version 1 with two pages.",
        one,
    );
    let v1 = page(v1, 1, &arc(1, "", text(1).len()));
    let v2 = start(
        "version-2.arc",
        "An ARC file of version 2 with two pages.",
        two,
    );
    let more = " 200 - - 0 a.arc";
    let v2 = page(v2, 1, &arc(1, more, text(1).len()));
    let wrong = start(
        "length-too-long.arc",
        "The first page says 500 bytes too many.",
        one,
    );
    let wrong = wrong.fault("length", 0, None);
    let wrong = page(wrong, 1, &arc(1, "", text(1).len() + 500));
    vec![
        page(v1, 2, &arc(2, "", text(2).len())),
        page(v2, 2, &arc(2, more, text(2).len())),
        page(wrong, 2, &arc(2, "", text(2).len())),
    ]
}

pub fn files() -> Vec<File> {
    [
        lengths(),
        cuts(),
        boundaries(),
        headers(),
        digests(),
        arcs(),
    ]
    .into_iter()
    .flatten()
    .collect()
}
