//! The normalised form of a text, in which near duplicates are compared.

use crate::words::class::is_space;
use crate::words::classes::BLANKS;
use unicode_normalization::UnicodeNormalization;
use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};

/// Refills `form` with the text as datatrove's `simplify_text` returns it: lower case, numbers as
/// `0`, punctuation as blanks, white space as one blank, NFD without marks.
pub fn normalise(text: &str, form: &mut String) {
    form.clear();
    let mut is_blank = true;
    let mut chars = text.chars().flat_map(char::to_lowercase).peekable();
    while let Some(c) = chars.next() {
        if is_digit(c) {
            push(form, '0', &mut is_blank);
            skip_number(&mut chars);
            continue;
        }
        if is_space(c) || BLANKS.has(c) {
            push(form, ' ', &mut is_blank);
            continue;
        }
        if c.is_ascii() {
            push(form, c, &mut is_blank);
            continue;
        }
        let parts = std::iter::once(c).nfd();
        for part in parts.filter(|part| !is_mark(*part)) {
            push(form, part, &mut is_blank);
        }
    }
    if form.ends_with(' ') {
        form.pop();
    }
}

fn push(form: &mut String, c: char, is_blank: &mut bool) {
    if c != ' ' || !*is_blank {
        form.push(c);
    }
    *is_blank = c == ' ';
}

/// Skips the rest of a number: digits, and at most one separator followed by more digits.
fn skip_number(chars: &mut std::iter::Peekable<impl Iterator<Item = char> + Clone>) {
    while chars.next_if(|c| is_digit(*c)).is_some() {}
    let mut ahead = chars.clone();
    let is_separator = |c| matches!(c, '.' | ',' | '،' | '٫' | '⎖' | '⎗' | '⎘');
    if ahead.next().is_some_and(is_separator) && ahead.next().is_some_and(is_digit) {
        chars.next();
        while chars.next_if(|c| is_digit(*c)).is_some() {}
    }
}

fn is_digit(c: char) -> bool {
    match c.is_ascii() {
        true => c.is_ascii_digit(),
        false => c.general_category() == GeneralCategory::DecimalNumber,
    }
}

fn is_mark(c: char) -> bool {
    !c.is_ascii() && c.general_category() == GeneralCategory::NonspacingMark
}
