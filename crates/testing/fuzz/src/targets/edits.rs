//! Rules that change a text: lines that go, and personal data that are masked.
//!
//! Blocks stay in order, apart from each other, and begin and end at characters. A block without text has a reason. A
//! text that no rule changes is the same.
//!
//! The first byte selects the rules, the second the length of blocks.

use crate::Target;
use crate::digest::choice;
use std::ops::Range;
use warcsieve_filters::edits::Edits;
use warcsieve_filters::lines::LINE_RULES;
use warcsieve_filters::personal::{Finder, Kind};

/// The target.
pub const TARGET: Target = Target {
    name: "edits",
    check,
    seeds,
    max_len: 2048,
    fair: 4000.0,
};

fn check(input: &[u8]) {
    let (rules, rest) = choice(input);
    let (step, rest) = choice(rest);
    // Texts of pages have no other control characters.
    let text = String::from_utf8_lossy(rest);
    let text = text.replace(|c: char| c.is_control() && !matches!(c, '\n' | '\t'), " ");
    let blocks = blocks(&text, 1 + step);
    let mut edits = Edits::default();
    edits.begin(&text, &blocks);
    let mut finder = Finder::new(&Kind::ALL);
    // Each pair of bits names a rule, so that each may come before each.
    for at in 0..4 {
        match (rules >> (2 * at)) & 3 {
            3 => {
                finder.find(edits.text());
                check_found(&finder, edits.text());
                finder.mask(&mut edits);
            }
            line_rules => {
                let before = edits.text().len();
                let _ = LINE_RULES[line_rules].apply(&mut edits);
                assert!(edits.text().len() <= before, "a line rule made it longer");
            }
        }
        check_blocks(&edits, blocks.len());
    }
    if !edits.is_changed() {
        assert_eq!(edits.text(), text);
        assert!(edits.blocks().iter().flatten().eq(&blocks));
    }
}

/// Ranges of about `step` bytes, apart from each other. As in documents, they begin and end with
/// other characters than white space.
fn blocks(text: &str, step: usize) -> Vec<Range<u32>> {
    let boundary = |at: usize| {
        let mut ends = at.min(text.len())..=text.len();
        ends.find(|at| text.is_char_boundary(*at)).unwrap()
    };
    let (mut blocks, mut start) = (Vec::new(), 0);
    while start < text.len() {
        let end = boundary(start + step);
        let inside = &text[start..end];
        let begin = start + inside.len() - inside.trim_start().len();
        let last = begin + inside.trim().len();
        if begin < last {
            blocks.push(begin as u32..last as u32);
        }
        start = boundary(end + 1);
    }
    blocks
}

fn check_found(finder: &Finder, text: &str) {
    let mut end = 0;
    for (range, _) in finder.found() {
        assert!(range.start >= end && range.start < range.end);
        assert!(text.get(range.start as usize..range.end as usize).is_some());
        end = range.end;
    }
}

fn check_blocks(edits: &Edits, count: usize) {
    assert_eq!(edits.blocks().len(), count);
    let mut end = 0;
    for (number, place) in edits.blocks().iter().enumerate() {
        match place {
            Ok(range) => {
                assert!(range.start >= end && range.start < range.end, "{number}");
                let text = edits.text().get(range.start as usize..range.end as usize);
                assert!(text.is_some(), "block {number} at {range:?}");
                end = range.end;
            }
            Err(why) => assert!(!why.is_empty(), "block {number} has no reason"),
        }
    }
}

fn seeds() -> Vec<Vec<u8>> {
    let texts = [
        "Write to jo@example.org or call +1 (555) 123-4567, from 93.184.216.34.\nA whole sentence with a stop.\nno stop\n",
        "Home | About\n12\nSign in\nThis line has enough words to stay here. [1]\nSubscribe now!\n lorem ipsum { }\nuses cookies policy.\n",
        "a@b.cc c@d.ee 1.1.1.1 2.2.2.2 555-123-4567 5551234567\n\n\u{a0}é@ü.de\u{2028}x@y.zz\r\n3 likes\nshare\n",
    ];
    let with = |(i, text): (usize, &str)| {
        [
            [0b11_10_01_00, 0b00_01_10_11, 0b11_11_00_10][i],
            7 * i as u8,
        ]
        .into_iter()
        .chain(text.bytes())
        .collect()
    };
    texts.into_iter().enumerate().map(with).collect()
}
