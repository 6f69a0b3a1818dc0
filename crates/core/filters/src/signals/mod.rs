//! Measures of a text by which corpora are filtered.
//!
//! "The Gopher filter" exists in three incompatible programs, so the name of each measure has its
//! variant: `gopher.dup_line_char_frac@datatrove`. A measure is defined by the program after the
//! `@`. `cargo xtask signals` compares the values with those of that program.

mod c4;
mod count;
mod dclm;
mod dolma;
mod family;
mod fineweb;
mod gopher;
mod grams;
mod lines;
#[cfg(test)]
mod markdown;
mod repetition;
mod text;

pub use self::family::Signal;

use self::family::Family;
use self::text::{Scratch, Text};
use warcsieve_common::{did_you_mean, shrink};

static FAMILIES: [&Family; 8] = [
    &gopher::FAMILY,
    &repetition::FAMILY,
    &fineweb::FAMILY,
    &c4::FAMILY,
    &c4::ANY_END,
    &c4::MC4,
    &dolma::FAMILY,
    &dclm::FAMILY,
];

/// All signals in the order of their numbers, each with its family's name and source.
pub fn signals() -> impl Iterator<Item = (&'static Signal, &'static str, &'static str)> {
    let families = FAMILIES.iter();
    families.flat_map(|f| f.signals.iter().map(|s| (s, f.name, f.source)))
}

/// The number of the signal with this name.
pub fn number(name: &str) -> Option<usize> {
    signals().position(|(signal, ..)| signal.name == name)
}

/// The numbers of the signals that a list names, by name or by family, each once and in order.
///
/// # Errors
/// The unknown name, with a suggestion.
pub fn chosen<'n>(names: impl IntoIterator<Item = &'n str>) -> Result<Vec<usize>, String> {
    let mut chosen = Vec::new();
    for name in names {
        let named = signals().enumerate();
        let named = named.filter(|(_, (s, family, _))| [s.name, *family].contains(&name));
        let before = chosen.len();
        chosen.extend(named.map(|(number, _)| number));
        if chosen.len() == before {
            let begin = |family: &&str| !name.is_empty() && family.starts_with(name);
            let families: Vec<&str> = FAMILIES.iter().map(|f| f.name).filter(begin).collect();
            let known = signals().flat_map(|(s, family, _)| [s.name, family]);
            let meant = match families.is_empty() {
                true => did_you_mean(name, known),
                false => format!(" (did you mean {}?)", families.join(" or ")),
            };
            return Err(format!(
                "unknown signal `{name}`{meant}; `warcsieve signals --list` has all"
            ));
        }
    }
    chosen.sort_unstable();
    chosen.dedup();
    Ok(chosen)
}

/// Measures texts. It reuses its buffers.
///
/// Time is linear in the text, and nothing is allocated per word. Memory: 40 bytes per word of the
/// longest text, and tables of at most 32 MiB, or of 4 bytes per word if that is more.
///
/// ```
/// use warcsieve_filters::signals::{Measurer, chosen};
///
/// let numbers = chosen(["gopher.words@datatrove"])?;
/// let mut measurer = Measurer::new(&numbers);
/// measurer.measure("Two words, and a stop.");
/// assert_eq!(measurer.value(numbers[0]), Some(5.0));
/// # Ok::<(), String>(())
/// ```
#[derive(Debug)]
pub struct Measurer {
    wanted: [bool; FAMILIES.len()],
    /// For each family, whether the last text was measured by it.
    known: [bool; FAMILIES.len()],
    /// Whether the words are those of the last text.
    is_divided: bool,
    scratch: Scratch,
    values: Vec<f64>,
}

impl Measurer {
    /// A measurer for these signals. It may also know other signals of the same families.
    pub fn new(numbers: &[usize]) -> Self {
        let mut first = 0;
        let wanted = FAMILIES.map(|family| {
            let range = first..first + family.signals.len();
            first = range.end;
            numbers.iter().any(|n| range.contains(n))
        });
        Self {
            wanted,
            known: [false; FAMILIES.len()],
            is_divided: false,
            scratch: Scratch::default(),
            values: vec![f64::NAN; first],
        }
    }

    /// Drops the results of the last text.
    pub fn begin(&mut self) {
        self.known = [false; FAMILIES.len()];
        self.is_divided = false;
        shrink(&mut self.scratch.words);
        self.scratch.words.clear();
        self.values.fill(f64::NAN);
        self.scratch.c4 = None;
    }

    /// Measures a text.
    pub fn measure(&mut self, text: &str) {
        self.begin();
        self.complete(text);
    }

    /// Measures what is still unknown about the text since [`Measurer::begin`].
    pub fn complete(&mut self, text: &str) {
        for family in 0..FAMILIES.len() {
            if self.wanted[family] {
                self.know(family, text);
            }
        }
    }

    /// The value of any signal of the text since [`Measurer::begin`]. It is measured if it is not
    /// known yet. `None` as in [`Measurer::value`].
    pub fn ask(&mut self, number: usize, text: &str) -> Option<f64> {
        let mut rest = number;
        let family = FAMILIES.iter().position(|family| {
            let is_here = rest < family.signals.len();
            rest -= if is_here { 0 } else { family.signals.len() };
            is_here
        })?;
        self.know(family, text);
        self.value(number)
    }

    fn know(&mut self, number: usize, text: &str) {
        if std::mem::replace(&mut self.known[number], true) || text.is_empty() {
            return;
        }
        let family = FAMILIES[number];
        let mut words = std::mem::take(&mut self.scratch.words);
        if family.divides && !std::mem::replace(&mut self.is_divided, true) {
            self.scratch.divider.divide(text, &mut words);
        }
        let read = Text::of(text, &words);
        let first: usize = FAMILIES[..number].iter().map(|f| f.signals.len()).sum();
        let own = &mut self.values[first..first + family.signals.len()];
        (family.measure)(&mut self.scratch, &read, own);
        self.scratch.words = words;
        self.scratch.shrink();
    }

    /// The value for the last text. `None` if it is not defined, for example the mean over no
    /// words.
    pub fn value(&self, number: usize) -> Option<f64> {
        self.values.get(number).copied().filter(|v| !v.is_nan())
    }
}

#[cfg(test)]
mod tests;
