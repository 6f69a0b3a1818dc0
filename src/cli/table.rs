//! Plain tables and sizes for people.

use std::fmt::Write;

/// Rows of a left-aligned name and right-aligned value.
#[derive(Debug, Default)]
pub struct Table(Vec<(String, String)>);

impl Table {
    /// Adds a row.
    pub fn row(&mut self, name: impl Into<String>, value: impl ToString) {
        self.0.push((name.into(), value.to_string()));
    }

    /// The table as text, a line a row.
    pub fn render(&self) -> String {
        let width = |f: fn(&(String, String)) -> &String| {
            self.0
                .iter()
                .map(|r| f(r).chars().count())
                .max()
                .unwrap_or(0)
        };
        let (names, values) = (width(|r| &r.0), width(|r| &r.1));
        let mut text = String::new();
        for (name, value) in &self.0 {
            let _ = writeln!(text, "{name:<names$}  {value:>values$}");
        }
        text
    }
}

/// A number with a thin gap every three digits.
pub fn count(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Bytes in decimal units.
pub fn bytes(n: u64) -> String {
    let mut value = n as f64;
    let mut unit = "B";
    for next in ["kB", "MB", "GB", "TB", "PB"] {
        if value < 1000.0 {
            break;
        }
        value /= 1000.0;
        unit = next;
    }
    if unit == "B" {
        format!("{n} B")
    } else {
        format!("{value:.1} {unit}")
    }
}

/// A share in percent; a dash where the whole is 0.
pub fn share(part: u64, whole: u64) -> String {
    if whole == 0 {
        "-".to_owned()
    } else {
        format!("{:.1} %", 100.0 * part as f64 / whole as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        assert_eq!(count(0), "0");
        assert_eq!(count(999), "999");
        assert_eq!(count(1_234_567), "1,234,567");
        assert_eq!(bytes(999), "999 B");
        assert_eq!(bytes(67_700_000), "67.7 MB");
        assert_eq!(share(1, 4), "25.0 %");
        assert_eq!(share(0, 0), "-");
    }

    #[test]
    fn columns_align() {
        let mut t = Table::default();
        t.row("a", 1);
        t.row("bcd", 100);
        assert_eq!(t.render(), "a      1\nbcd  100\n");
    }
}
