use super::*;
use proptest::prelude::*;

fn edited(text: &str, blocks: &[Range<u32>], edit: impl FnOnce(&mut Cuts<'_>)) -> Edits {
    let mut edits = Edits::default();
    edits.begin("of another page", std::slice::from_ref(&(0..2)));
    edits.pass(|_, cuts| cuts.cut(0..3, "", "then"));
    edits.begin(text, blocks);
    edits.pass(|_, cuts| edit(cuts));
    edits
}

fn texts(edits: &Edits) -> Vec<Result<&str, Reason>> {
    let text = |r: &Range<u32>| &edits.text()[r.start as usize..r.end as usize];
    let blocks = edits.blocks().iter();
    blocks
        .map(|b| b.as_ref().map(text).map_err(|why| *why))
        .collect()
}

#[test]
fn blocks_are_where_what_is_left_of_them_is() {
    let blocks = [0..7, 7..10, 10..15, 15..20];
    let edits = edited("one [2]twothree four", &blocks, |cuts| {
        cuts.cut(3..7, "", "citation");
        cuts.replace(7..10, "|MASK|", "mask");
        cuts.cut(12..15, "\n", "short");
        cuts.cut(15..20, "", "long");
    });
    assert_eq!(edits.text(), "one|MASK|th\n");
    let expected = [Ok("one"), Ok("|MASK|"), Ok("th"), Err("long")];
    assert_eq!(texts(&edits), expected);
    let of_mask = |is_shared| Replaced {
        times: 1,
        is_shared,
        with: "|MASK|",
    };
    assert_eq!(edits.replaced(1), Some(of_mask(false)));
    assert!(
        [0, 2, 3]
            .map(|n| edits.replaced(n))
            .iter()
            .all(Option::is_none)
    );
    let mut edits = edited("one two", &[0..3, 4..7], |cuts| {
        cuts.replace(2..6, "|MASK|", "mask");
    });
    edits.pass(|_, cuts| cuts.cut(0..9, "", "line"));
    assert_eq!(texts(&edits), [Err("line"), Err("line")]);
    let noted = [0, 1].map(|n| edits.replaced(n));
    assert_eq!(noted, [Some(of_mask(true)); 2], "notes stay");
}

#[test]
fn a_pass_that_changes_nothing_says_so_and_passes_follow_each_other() {
    let mut edits = edited("  a b ", &[2..3, 4..5], |cuts| cuts.cut(3..4, " ", "x"));
    assert!(!edits.is_changed());
    let is_other = edits.pass(|_, cuts| {
        cuts.cut(0..2, "", "");
        cuts.cut(5..6, "", "");
    });
    assert!(is_other);
    assert_eq!(
        (edits.text(), edits.blocks()),
        ("a b", &[Ok(0..1), Ok(2..3)][..])
    );
    let mut rest = edited("3 likes\n", std::slice::from_ref(&(0..8)), |cuts| {
        cuts.cut(0..7, "", "counter");
    });
    rest.pass(|_, cuts| cuts.cut(0..1, "", ""));
    assert_eq!(
        rest.blocks(),
        [Err("counter")],
        "the line end had no reason"
    );
    edits.pass(|_, cuts| cuts.cut(0..2, "", "first"));
    edits.pass(|_, cuts| cuts.cut(0..1, "", "second"));
    assert_eq!(edits.text(), "");
    assert_eq!(edits.blocks(), [Err("first"), Err("second")]);
    assert!(edits.is_changed());
}

proptest! {
    /// Whatever is cut, blocks keep their order, do not overlap, and hold what is left of their
    /// characters.
    #[test]
    fn blocks_hold_what_is_left_of_them(
        lengths in prop::collection::vec((0u32..3, 1u32..5), 0..8),
        cuts in prop::collection::vec((0usize..4, 1usize..6, 0usize..3), 0..8),
    ) {
        let (mut text, mut blocks) = (String::new(), Vec::new());
        for (n, (gap, length)) in lengths.into_iter().enumerate() {
            text.extend((0..gap).map(|_| ' '));
            let start = text.len() as u32;
            text.extend((0..length).map(|_| char::from(b'a' + n as u8)));
            blocks.push(start..start + length);
        }
        let (mut at, mut left): (usize, String) = (0, String::new());
        let edits = edited(&text, &blocks, |all| {
            for (gap, length, kind) in cuts {
                let start = (at + gap).min(text.len());
                let end = (start + length).min(text.len());
                left += &text[at..start];
                at = end;
                match kind {
                    0 => all.cut(start..end, "\n", "why"),
                    1 => all.cut(start..end, "", "why"),
                    _ if start < end => all.replace(start..end, "#", "why"),
                    _ => {}
                }
            }
        });
        left += &text[at..];
        let mut last = 0;
        for (n, block) in edits.blocks().iter().enumerate() {
            let letter = char::from(b'a' + n as u8);
            let own = left.matches(letter).count();
            match block {
                Ok(place) => {
                    prop_assert!(last <= place.start && place.start < place.end);
                    last = place.end;
                    let text = &edits.text()[place.start as usize..place.end as usize];
                    prop_assert_eq!(text.matches(letter).count(), own);
                    prop_assert!(text.chars().all(|c| c == letter || "\n#".contains(c)), "{}", text);
                }
                Err(why) => prop_assert!(own == 0 && *why == "why"),
            }
        }
    }
}
