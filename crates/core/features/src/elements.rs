//! Class names and sums over subtrees, for methods that work on the tree.

use warcsieve_common::shrink;
use warcsieve_html::document::Document;

/// Refills `hashes` with a hash of each element's class, without white space around it; 0 if it has no class. Names
/// whose hashes collide count as equal.
pub fn class_hashes(doc: &Document, hashes: &mut Vec<u64>) {
    shrink(hashes);
    hashes.clear();
    let elements = doc.tree.elements.iter();
    hashes.extend(elements.map(|element| class_hash(doc.tree.class(element))));
}

/// The hash of a class as written; 0 for an empty one.
pub(super) fn class_hash(name: &str) -> u64 {
    match name.trim_ascii() {
        "" => 0,
        name => hash(name.as_bytes()).max(1),
    }
}

/// A fast hash with one multiplication per eight bytes. Class names are short and many, and an author who makes them
/// collide spoils only his own page.
pub(super) fn hash(bytes: &[u8]) -> u64 {
    let mut words = bytes.chunks_exact(8);
    let mut hash = bytes.len() as u64;
    for word in &mut words {
        let word = word.try_into().expect("chunks are of eight bytes");
        hash = mix(hash, u64::from_le_bytes(word));
    }
    let rest = words.remainder().iter();
    mix(hash, rest.fold(0, |rest, &b| rest << 8 | u64::from(b)))
}

/// A hash of two values, in order.
pub(super) fn mix(a: u64, b: u64) -> u64 {
    let product = u128::from(a ^ 0x9e37_79b9_7f4a_7c15) * u128::from(b ^ 0xd6e8_feb8_6659_fd93);
    (product as u64 ^ (product >> 64) as u64).wrapping_add(b.rotate_left(32))
}

/// Refills `sums` with the sum of the values of `own`, pairs of element and value, over each
/// element's subtree.
pub fn subtree_sums(
    doc: &Document,
    own: impl IntoIterator<Item = (u32, u32)>,
    sums: &mut Vec<u32>,
) {
    let elements = &doc.tree.elements;
    shrink(sums);
    sums.clear();
    sums.resize(elements.len() + 1, 0);
    for (element, value) in own {
        if let Some(sum) = sums.get_mut(element as usize) {
            *sum = sum.saturating_add(value);
        }
    }
    // A subtree is a range of elements, so its sum is a difference of prefix sums.
    let mut before = 0u32;
    for sum in sums.iter_mut() {
        before = before.saturating_add(std::mem::replace(sum, before));
    }
    for (i, element) in elements.iter().enumerate() {
        sums[i] = sums[element.end as usize] - sums[i];
    }
    sums.truncate(elements.len());
}

#[cfg(test)]
mod tests {
    use super::*;
    use warcsieve_fixture::segmented;
    use warcsieve_html::Segmentation;

    #[test]
    fn elements_of_the_same_class_have_the_same_hash() {
        let html = "<body><p class=a>x<p class='a '>y<p class=b>z<p>w";
        let mut hashes = vec![9; 99];
        class_hashes(&segmented(html, Segmentation::Inline), &mut hashes);
        assert_eq!(hashes.len(), 6);
        assert_eq!((hashes[0], hashes[1], hashes[5]), (0, 0, 0));
        assert!(hashes[2] == hashes[3] && hashes[2] != hashes[4] && hashes[2] > 0);
    }

    #[test]
    fn different_names_have_different_hashes() {
        let mut names: Vec<String> = (0..20_000).map(|i| format!("card-{i} wide")).collect();
        names.extend((1..200).map(|n| "a".repeat(n)));
        let mut hashes: Vec<u64> = names.iter().map(|n| hash(n.as_bytes())).collect();
        hashes.sort_unstable();
        hashes.dedup();
        assert_eq!(hashes.len(), names.len());
        assert_ne!(mix(1, 2), mix(2, 1));
    }

    #[test]
    fn sums_cover_the_element_and_its_descendants() {
        let doc = segmented(
            "<body>a b<div>c<p>d e f</p></div><p>g",
            Segmentation::Inline,
        );
        let own = doc.blocks.iter().map(|b| (b.element, b.words));
        let mut sums = vec![7];
        subtree_sums(&doc, own, &mut sums);
        assert_eq!(sums, [7, 7, 4, 3, 1]);
    }
}
