//! Measures how well languages are found, and fits the confidence; `cargo xtask reproduce languages` calls it.
//!
//! usage: languages report TEXTS PAGE | fit TEXTS | cost TEXTS | find < LINES
//!
//! TEXTS has one text per line: code, tag, name and text, with tabs between them; the code is `-` for languages that
//! the program does not know. `find` prints the code and the score of each line.

mod fit;
mod page;

use std::io::BufRead;
use std::time::Instant;
use warcsieve_language::{Identifier, UNDETERMINED, codes, terms};

/// Lengths of pieces in characters.
const LENGTHS: [usize; 5] = [60, 120, 200, 400, 800];

/// The weight of all pieces in unknown languages together; those in known languages have the rest.
const UNKNOWN_WEIGHT: f64 = 0.1;

/// A text in one language.
struct Text {
    /// Code of the language, if the program knows it.
    code: Option<String>,
    tag: String,
    name: String,
    text: String,
}

/// A piece of a text, and what was found.
struct Piece<'t> {
    of: &'t Text,
    length: usize,
    terms: [f32; 5],
    /// The best language, named or not.
    best: &'static str,
    /// The score, if it is named.
    named: Option<f32>,
    /// Whether the weights are learned from it; the others are reported.
    learns: bool,
    weight: f64,
}

impl Piece<'_> {
    fn is_right(&self) -> bool {
        self.of.code.as_deref() == Some(self.best)
    }
}

fn main() -> Result<(), String> {
    let args: Vec<_> = std::env::args().skip(1).collect();
    match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["report", texts, page] => {
            let texts = read(texts)?;
            let text = page::write(&texts, &pieces(&texts));
            std::fs::write(page, text).map_err(|e| format!("{page}: {e}"))
        }
        ["fit", texts] => {
            let texts = read(texts)?;
            println!("{:?}", fit::fit(&pieces(&texts)));
            Ok(())
        }
        ["cost", texts] => {
            cost(&read(texts)?);
            Ok(())
        }
        ["find"] => find(),
        _ => Err("usage: languages report TEXTS PAGE | fit TEXTS | cost TEXTS | find".to_owned()),
    }
}

fn read(path: &str) -> Result<Vec<Text>, String> {
    let file = std::fs::read_to_string(path).map_err(|e| format!("{path}: {e}"))?;
    let known = codes();
    let line = |(i, line): (usize, &str)| {
        let parts: Vec<_> = line.split('\t').collect();
        let [code, tag, name, text] = parts[..] else {
            return Err(format!("{path}: line {} has no four columns", i + 1));
        };
        if code != "-" && !known.contains(&code) {
            return Err(format!("{path}: line {}: {code} is not known", i + 1));
        }
        Ok(Text {
            code: (code != "-").then(|| code.to_owned()),
            tag: tag.to_owned(),
            name: name.to_owned(),
            text: text.to_owned(),
        })
    };
    file.lines().enumerate().map(line).collect()
}

/// Every text in pieces of each length. Each language and length has the same weight.
fn pieces(texts: &[Text]) -> Vec<Piece<'_>> {
    let mut identifier = Identifier::default();
    let mut pieces = Vec::new();
    for of in texts {
        for length in LENGTHS {
            let cut = cut(&of.text, length);
            for (i, piece) in cut.iter().enumerate() {
                let evidence = identifier.evidence(piece);
                if evidence.letters < 20 {
                    continue;
                }
                let found = identifier.identify(piece);
                let learns = match of.code {
                    // Half of each text in a known language, and half of the unknown languages.
                    Some(_) => i * 2 < cut.len(),
                    None => {
                        of.tag
                            .bytes()
                            .fold(7u32, |h, b| h * 31 % 65_521 + u32::from(b))
                            % 2
                            == 0
                    }
                };
                pieces.push(Piece {
                    of,
                    length,
                    terms: terms(&evidence),
                    best: found.map_or(evidence.code, |l| l.code),
                    named: found.map(|l| l.score),
                    // If the script alone decides the language, there is nothing to learn.
                    learns: learns && found.is_none_or(|l| l.code == evidence.code),
                    weight: 1.0 / cut.len() as f64,
                });
            }
        }
    }
    for learns in [true, false] {
        for (known, share) in [(true, 1.0 - UNKNOWN_WEIGHT), (false, UNKNOWN_WEIGHT)] {
            let is_part = |p: &&mut Piece| p.learns == learns && p.of.code.is_some() == known;
            let sum: f64 = pieces.iter_mut().filter(is_part).map(|p| p.weight).sum();
            pieces
                .iter_mut()
                .filter(is_part)
                .for_each(|p| p.weight *= share / sum);
        }
    }
    pieces
}

/// Pieces of `length` characters that begin with a word, one after the other.
fn cut(text: &str, length: usize) -> Vec<&str> {
    let places: Vec<_> = text
        .char_indices()
        .map(|(at, _)| at)
        .chain([text.len()])
        .collect();
    let (mut pieces, mut first) = (Vec::new(), 0);
    while first + length < places.len() {
        let piece = &text[places[first]..places[first + length]];
        pieces.push(piece);
        let rest = &text[places[first + length]..];
        let space = rest.chars().take(20).position(|c| c == ' ');
        first += length + space.map_or(0, |at| at + 1);
    }
    pieces
}

/// Prints the cost of a page: the mean over pages of 1 to 4 KB made of all texts, one after the other.
fn cost(texts: &[Text]) {
    let mut identifier = Identifier::default();
    let pages: Vec<_> = texts.iter().flat_map(|t| cut(&t.text, 1500)).collect();
    let mut named = 0;
    for _ in 0..2 {
        let start = Instant::now();
        named = pages
            .iter()
            .filter(|p| identifier.identify(p).is_some())
            .count();
        let micros = start.elapsed().as_secs_f64() * 1e6;
        println!("{:.1} µs a page", micros / pages.len() as f64);
    }
    println!("{named} of {} pages named", pages.len());
}

fn find() -> Result<(), String> {
    let mut identifier = Identifier::default();
    for line in std::io::stdin().lock().lines() {
        let line = line.map_err(|e| format!("standard input: {e}"))?;
        match identifier.identify(&line) {
            Some(found) => println!("{}\t{:.4}", found.code, found.score),
            None => println!("{UNDETERMINED}\t"),
        }
    }
    Ok(())
}
