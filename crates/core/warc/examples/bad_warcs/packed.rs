//! Compressed files: gzip members and zstd frames.

use crate::file::{File, gzip, id, record, stating, text};

/// Three members; the second one is lost.
fn lost_member(
    name: &'static str,
    holds: &'static str,
    change: impl FnOnce(&mut Vec<u8>),
    id: Option<String>,
) -> File {
    // Stored without compression, so that each byte is known.
    let mut member = gzip(&record(2), 0);
    change(&mut member);
    let file = File::new(name, holds).member(1);
    file.lost("damaged", id, &member)
        .member(3)
        .note("The record may be given if it is flagged; it must not pass as sound.")
}

fn damaged() -> Vec<File> {
    let shared = [record(1), record(2), record(3)].concat();
    let mut bad_shared = gzip(&shared, 6);
    let at = bad_shared.len() - 8;
    bad_shared[at] ^= 1;
    let stored = gzip(&record(3), 0);
    let kept = text(3).len() - 46;
    let mut cut = File::new(
        "cut-in-member.warc.gz",
        "The file ends inside the third member, inside the record's body.",
    )
    .member(1)
    .member(2)
    .flagged("cut", 3, kept, &stored[..stored.len() - 8 - 50])
    .note("What is there of the third record may be given or not; it must not pass as whole.");
    cut.last().length = Some(stored.len() as u64 - 58);
    vec![
        lost_member(
            "flipped-in-body.warc.gz",
            "One bit is flipped in the body of the second record, so the CRC does not match.",
            |m| {
                let at = m.len() - 60;
                m[at] ^= 4;
            },
            Some(id(2)),
        ),
        lost_member(
            "wrong-crc.warc.gz",
            "The CRC of the second member is wrong.",
            |m| {
                let at = m.len() - 8;
                m[at] ^= 1;
            },
            Some(id(2)),
        ),
        lost_member(
            "wrong-size.warc.gz",
            "The size field after the second member is wrong.",
            |m| {
                let at = m.len() - 4;
                m[at] ^= 1;
            },
            Some(id(2)),
        ),
        lost_member(
            "broken-block.warc.gz",
            "The first block of the second member is of a type that does not exist.",
            |m| m[10] = 7,
            None,
        ),
        File::new(
            "wrong-crc-of-shared-member.warc.gz",
            "Three records in one gzip member whose CRC is wrong; all can be decoded.",
        )
        .fault("checksum", 0, None)
        .shared(&[1, 2, 3], &bad_shared)
        .note("The records may be withheld; given, they must be flagged."),
        cut,
        File::new(
            "garbage-between.warc.gz",
            "100 bytes of other data between the first and second member.",
        )
        .member(1)
        .lost("damaged", None, &[0xa7; 100])
        .member(2),
        File::new(
            "zero-padding.warc.gz",
            "512 zero bytes after each of two members, as on tapes.",
        )
        .member(1)
        .lost("damaged", None, &[0; 512])
        .member(2)
        .lost("damaged", None, &[0; 512]),
        File::new(
            "garbage-after.warc.gz",
            "A line of text after the last member.",
        )
        .member(1)
        .member(2)
        .lost("damaged", None, b"-- end of the tape --\n"),
        File::new(
            "magic-only.warc.gz",
            "The first three bytes of a gzip member.",
        )
        .fault("not_warc", 3, None)
        .lost("cut", None, b"\x1f\x8b\x08"),
        File::new("no-warc.warc.gz", "A sound gzip member that holds a text.")
            .fault("not_warc", gzip(b"Just a text.\n", 6).len() as u64, None)
            .fault("stray", 13, None)
            .silent(&gzip(b"Just a text.\n", 6)),
    ]
}

fn odd() -> Vec<File> {
    let inner = [gzip(&record(8), 6), gzip(&record(9), 6)].concat();
    let outer = gzip(&stating(2, &inner.len().to_string(), &inner), 0);
    let long = "x".repeat(300 << 10);
    let long = stating(2, &format!("3\r\nX-Long: {long}"), b"abc");
    vec![
        File::new(
            "sound.warc.gz",
            "Three sound records, each in its gzip member.",
        )
        .member(1)
        .member(2)
        .member(3),
        File::new("one-stream.warc.gz", "Three records in one gzip member.")
            .shared(
                &[1, 2, 3],
                &gzip(&[record(1), record(2), record(3)].concat(), 6),
            )
            .note("Nothing is lost, but no record can be read alone; that may be reported."),
        File::new(
            "several-in-a-member.warc.gz",
            "Members of one, two and one records.",
        )
        .member(1)
        .shared(&[2, 3], &gzip(&[record(2), record(3)].concat(), 6))
        .member(4),
        File::new(
            "empty-member.warc.gz",
            "A gzip member of 0 bytes between two records.",
        )
        .member(1)
        .silent(&gzip(b"", 6))
        .member(2),
        File::new(
            "record-in-record.warc.gz",
            "The body of the second record is a sound WARC file of two gzip members, and its own \
             member is stored, so that their magic bytes are in the file.",
        )
        .member(1)
        .holding(2, inner.len(), &outer)
        .member(3),
        File::new(
            "header-too-long.warc.gz",
            "The second of three records has a header line of 300 KB.",
        )
        .member(1)
        .fault("stray", long.len() as u64, None)
        .silent(&gzip(&long, 6))
        .member(3)
        .note("A reader without a bound on headers reads the record; one with a bound says so."),
    ]
}

fn zstandard() -> Vec<File> {
    let frame = |n| zstd::bulk::compress(&record(n), 3).expect("memory takes all");
    let of = |file: File, n, bytes: &[u8]| file.holding(n, text(n).len(), bytes);
    let dictionary = [record(1), record(2)].concat();
    let skippable = |stored: &[u8]| {
        let length = (stored.len() as u32).to_le_bytes();
        [&0x184d_2a5d_u32.to_le_bytes()[..], &length, stored].concat()
    };
    let mut packer =
        zstd::bulk::Compressor::with_dictionary(3, &dictionary).expect("a dictionary of any bytes");
    let mut with = |n| packer.compress(&record(n)).expect("memory takes all");
    let packed = zstd::bulk::compress(&dictionary, 3).expect("memory takes all");
    let cut = skippable(&packed[..packed.len() / 2]);
    let unreadable = [cut, with(1), with(2)].concat();
    let sound = File::new(
        "sound.warc.zst",
        "Three sound records, each in its zstd frame.",
    );
    let kept = File::new(
        "dictionary.warc.zst",
        "Two records, compressed with the dictionary in the file's first, skippable frame.",
    )
    .silent(&skippable(&packed));
    let last = frame(3);
    let ends = File::new(
        "cut-in-frame.warc.zst",
        "The file ends inside the third frame.",
    );
    vec![
        of(of(of(sound, 1, &frame(1)), 2, &frame(2)), 3, &frame(3)),
        of(of(kept, 1, &with(1)), 2, &with(2)),
        File::new(
            "dictionary-cut.warc.zst",
            "Half of the dictionary in the first frame is missing, so nothing can be decoded.",
        )
        .fault("not_warc", unreadable.len() as u64, None)
        .lost("damaged", None, &unreadable),
        of(of(ends, 1, &frame(1)), 2, &frame(2)).lost("cut", None, &last[..last.len() - 20]),
    ]
}

pub fn files() -> Vec<File> {
    [damaged(), odd(), zstandard()]
        .into_iter()
        .flatten()
        .collect()
}
