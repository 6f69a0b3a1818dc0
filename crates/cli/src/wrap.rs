//! Lines that fit a terminal.

/// What the lines after the first begin with.
const INDENT: &str = "      ";

/// The text in lines of at most `width` columns, divided at blanks. A word that is longer has a line
/// of its own.
pub fn wrapped(text: &str, width: usize) -> String {
    let mut out = String::with_capacity(text.len());
    let mut used = 0;
    for (number, word) in text.split(' ').enumerate() {
        let length = word.chars().count();
        if number > 0 && used + 1 + length > width {
            out.push('\n');
            out += INDENT;
            used = INDENT.len();
        } else if number > 0 {
            out.push(' ');
            used += 1;
        }
        out += word;
        used += length;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_word_is_divided() {
        let text = " WARN crawl/00.warc.gz: one two three four five six seven eight";
        let lines = wrapped(text, 40);
        assert_eq!(
            lines,
            " WARN crawl/00.warc.gz: one two three\n      four five six seven eight"
        );
        assert!(lines.lines().all(|line| line.len() <= 40));
        assert_eq!(wrapped(text, 80), text);
        let long = "a".repeat(50);
        assert_eq!(
            wrapped(&format!("x {long} y"), 20),
            format!("x\n      {long}\n      y")
        );
    }
}
