//! Plain tables and sizes for people.

use std::fmt::Write;
pub use warcsieve_common::grouped as count;

/// Rows of a left-aligned name and a right-aligned value.
#[derive(Debug, Default)]
pub struct Table(Vec<(String, String)>);

impl Table {
    /// Adds a row.
    pub fn row(&mut self, name: impl Into<String>, value: impl ToString) {
        self.0.push((name.into(), value.to_string()));
    }

    /// Adds a row with a number.
    pub fn count(&mut self, name: impl Into<String>, n: impl TryInto<u64>) {
        self.row(name, count(n.try_into().unwrap_or(u64::MAX)));
    }

    /// Adds rows for the amount of text, and how much of it was kept.
    pub fn text(&mut self, raw_bytes: u64, kept_bytes: u64) {
        self.row("text", bytes(raw_bytes));
        self.row("text kept", bytes(kept_bytes));
        // The kept text also has line ends between blocks, so it may be longer.
        let share = share(kept_bytes.min(raw_bytes), raw_bytes);
        self.row("  share of text kept", share);
    }

    /// The table as text, one line per row.
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

/// Rows of cells below a head. The first column is left-aligned, the others are right-aligned.
#[derive(Debug, Default)]
pub struct Columns(Vec<Vec<String>>);

impl Columns {
    /// A table with this head.
    pub fn new(head: &[&str]) -> Self {
        Self(vec![head.iter().map(|&cell| cell.to_owned()).collect()])
    }

    /// Adds a row.
    pub fn row<const N: usize>(&mut self, cells: [String; N]) {
        self.0.push(cells.into());
    }

    /// The table as text, one line per row.
    pub fn render(&self) -> String {
        let width = |column: usize| {
            let cells = self.0.iter().filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let mut text = String::new();
        for row in &self.0 {
            for (column, cell) in row.iter().enumerate() {
                let width = width(column);
                let _ = match column {
                    0 => write!(text, "{cell:<width$}"),
                    _ => write!(text, "  {cell:>width$}"),
                };
            }
            text.push('\n');
        }
        text
    }
}

/// A duration in a suitable unit.
pub fn seconds(seconds: f64) -> String {
    match seconds {
        s if s < 0.1 => format!("{:.1} ms", 1e3 * s),
        s if s < 120.0 => format!("{s:.1} s"),
        s if s < 7_200.0 => format!("{:.1} min", s / 60.0),
        s if s < 172_800.0 => format!("{:.1} h", s / 3_600.0),
        s => format!("{:.1} days", s / 86_400.0),
    }
}

/// Hours with about three significant digits.
pub fn hours(hours: f64) -> String {
    match hours {
        h if h < 0.1 => format!("{h:.4}"),
        h if h < 10.0 => format!("{h:.2}"),
        h if h < 100.0 => format!("{h:.1}"),
        h => count(h.round() as u64),
    }
}

/// A number with a comma between every three digits, and its noun.
pub fn counted(n: u64, one: &str, many: &str) -> String {
    format!("{} {}", count(n), if n == 1 { one } else { many })
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

/// A share in percent, or a dash if the whole is 0.
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
    fn numbers_are_formatted_for_people() {
        assert_eq!(count(0), "0");
        assert_eq!(count(999), "999");
        assert_eq!(count(1_234_567), "1,234,567");
        assert_eq!(bytes(999), "999 B");
        assert_eq!(bytes(67_700_000), "67.7 MB");
        let times = [0.0123, 3.0, 600.0, 86_400.0, 864_000.0].map(seconds);
        assert_eq!(
            times,
            ["12.3 ms", "3.0 s", "10.0 min", "24.0 h", "10.0 days"]
        );
        assert_eq!(share(1, 4), "25.0 %");
        assert_eq!(share(0, 0), "-");
    }

    #[test]
    fn hours_have_about_three_significant_digits() {
        assert_eq!(
            [0.01234, 1.234, 12.34, 1234.0].map(hours),
            ["0.0123", "1.23", "12.3", "1,234"]
        );
    }

    #[test]
    fn columns_align() {
        let mut t = Table::default();
        t.row("a", 1);
        t.row("bcd", 100);
        assert_eq!(t.render(), "a      1\nbcd  100\n");
        let mut columns = Columns::new(&["name", "n"]);
        columns.row(["a".into(), "10".into()]);
        assert_eq!(columns.render(), "name   n\na     10\n");
    }
}
