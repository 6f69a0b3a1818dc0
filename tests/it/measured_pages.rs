//! Pages of measured figures say of which default they are, and it is the one that ships.

#[path = "../../xtask/src/stamp.rs"]
mod stamp;

use stamp::Hashes;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// The pipeline before forums and copies were told apart.
const BEFORE: &str = "45c0b3e9bbfe";

/// Pages of an older default: the name that writes it again, its model and pipeline, and why it is
/// still there.
const OLDER: [(&str, [&str; 2], &str); 5] = [
    (
        "costs",
        ["684d00762bf4", BEFORE],
        "costs depend little on the trees, and machines differ by more",
    ),
    (
        "engines",
        ["4bba35b3ce7a", BEFORE],
        "needs Java; it compares engines on the same texts",
    ),
    (
        "frontier",
        ["805226cf9930", BEFORE],
        "learned before forums and news were among the training pages",
    ),
    (
        "python-peers",
        ["684d00762bf4", BEFORE],
        "speeds, which depend little on the trees",
    ),
    (
        "web2text",
        ["805226cf9930", BEFORE],
        "one row of the page is the default's",
    ),
];

#[test]
fn every_measured_page_is_of_the_default_that_ships() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let ships = Hashes::that_ships(root).unwrap();
    let (mut wrong, mut older) = (Vec::new(), BTreeSet::new());
    for path in stamp::pages(root).unwrap() {
        for part in stamp::parts(&fs::read_to_string(&path).unwrap()) {
            let name = &*part.name;
            let again = format!("{}: `cargo xtask reproduce {name}`", path.display());
            let listed = OLDER.iter().find(|(older, ..)| *older == name);
            match part.stamp {
                None => wrong.push(format!("{again} says of which default it is")),
                Some(Some(of)) if of != ships => match listed {
                    Some((_, older_of, _)) if *older_of == [&*of.model, &*of.pipeline] => {
                        older.insert(name.to_owned());
                    }
                    _ => wrong.push(format!("{again} writes the page, which is of {of:?}")),
                },
                Some(_) => {}
            }
        }
    }
    let gone = OLDER.iter().filter(|(name, ..)| !older.contains(*name));
    wrong.extend(
        gone.map(|(name, ..)| format!("{name} is not older any more; take it off the list")),
    );
    assert_eq!(
        wrong,
        Vec::<String>::new(),
        "the default that ships is {ships:?}"
    );
}
