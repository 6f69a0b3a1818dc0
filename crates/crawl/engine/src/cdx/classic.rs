//! Classic CDX: a header that names the fields by letters, and one line per capture
//! (Internet Archive, "CDX File Format").

use super::entry::Entry;

/// The position of each field in a line.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Layout {
    delimiter: u8,
    fields: usize,
    url: Option<usize>,
    digest: Option<usize>,
    length: usize,
    offset: usize,
    filename: usize,
}

/// The header of the format of eleven fields, which is also assumed for files without a header.
const STANDARD: &[u8] = b" CDX N b a m s k r M S V g";
/// More fields than any known header has.
const MOST_FIELDS: usize = 64;

impl Layout {
    /// Whether the line is a header: the delimiter, `CDX`, and the delimiter again.
    pub fn is_header(line: &[u8]) -> bool {
        matches!(line, [a, b'C', b'D', b'X', b, ..] if a == b && !a.is_ascii_alphanumeric())
    }

    /// The layout that a header gives.
    ///
    /// # Errors
    /// What it lacks.
    pub fn of_header(line: &[u8]) -> Result<Self, String> {
        let delimiter = line[0];
        let letters = &line[5..];
        let letters = letters.strip_suffix(&[delimiter]).unwrap_or(letters);
        let letters: Vec<&[u8]> = letters.split(|b| *b == delimiter).collect();
        let at = |letter: &[u8]| letters.iter().position(|l| *l == letter);
        let need = |letter: &str, what: &str| {
            at(letter.as_bytes()).ok_or_else(|| {
                format!(
                    "the header `{}` has no field {letter} ({what}), without which no record can \
                     be fetched; make an index that has it with `warcsieve cdx`",
                    String::from_utf8_lossy(line).trim()
                )
            })
        };
        if letters.len() > MOST_FIELDS {
            return Err(format!("a header of {} fields", letters.len()));
        }
        Ok(Self {
            delimiter,
            fields: letters.len(),
            filename: need("g", "file name")?,
            offset: need("V", "offset of the compressed record")?,
            length: need("S", "length of the compressed record")?,
            url: at(b"a"),
            digest: at(b"k"),
        })
    }

    /// The layout of a line without a header above it; `None` if it is not of eleven fields with a
    /// timestamp in the second.
    pub fn of_line(line: &[u8]) -> Option<Self> {
        let standard = Self::of_header(STANDARD).expect("the standard header has all fields");
        let mut fields = line.split(|b| *b == b' ');
        let date = fields.nth(1)?;
        let is_date = date.len() >= 4 && date.iter().all(u8::is_ascii_digit);
        (is_date && 2 + fields.count() == standard.fields).then_some(standard)
    }

    /// Reads a line.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn read(&self, line: &[u8], entry: &mut Entry) -> Result<(), String> {
        let mut fields = [&line[..0]; MOST_FIELDS];
        let mut n = 0;
        for field in line.split(|b| *b == self.delimiter) {
            if let Some(place) = fields.get_mut(n) {
                *place = field;
            }
            n += 1;
        }
        if n != self.fields {
            let expected = self.fields;
            return Err(format!("{n} fields, but the header names {expected}"));
        }
        let text = |at: Option<usize>| match at.map(|at| fields[at]) {
            None | Some(b"-") => String::new(),
            Some(bytes) => String::from_utf8_lossy(bytes).into_owned(),
        };
        entry.url = text(self.url);
        entry.digest = text(self.digest);
        entry.filename.clear();
        match std::str::from_utf8(fields[self.filename]) {
            Ok("" | "-") => return Err("no file name (field g)".to_owned()),
            Ok(name) => entry.filename.push_str(name),
            Err(_) => return Err("the file name (field g) is not UTF-8".to_owned()),
        }
        entry.offset = number(fields[self.offset], "the offset (field V)")?;
        entry.length = number(fields[self.length], "the length (field S)")?;
        Ok(())
    }
}

/// A number that consists of digits only.
///
/// # Errors
/// What it is instead.
pub(super) fn number(digits: &[u8], what: &str) -> Result<u64, String> {
    let digits = String::from_utf8_lossy(digits);
    match digits.parse() {
        Ok(n) if !digits.starts_with('+') => Ok(n),
        _ => {
            let shown: String = digits.chars().take(40).collect();
            Err(format!("{what} is `{shown}`, not a number of bytes"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(layout: &Layout, line: &str) -> Result<Entry, String> {
        let mut entry = Entry::default();
        layout.read(line.as_bytes(), &mut entry).map(|()| entry)
    }

    #[test]
    fn letters_of_the_header_name_the_fields() {
        let layout = Layout::of_header(b"\tCDX\tg\tS\tV\ta").unwrap();
        let entry = read(&layout, "x.warc.gz\t77\t5\thttp://a/b c").unwrap();
        assert_eq!(
            (&*entry.filename, entry.length, entry.offset, &*entry.url),
            ("x.warc.gz", 77, 5, "http://a/b c")
        );
    }

    #[test]
    fn a_delimiter_at_the_end_of_a_header_begins_no_field() {
        let of = |header: &[u8]| Layout::of_header(header).unwrap();
        assert_eq!(of(b" CDX g S V "), of(b" CDX g S V"));
    }

    #[test]
    fn a_header_without_lengths_is_refused_with_a_remedy() {
        let why = Layout::of_header(b" CDX N b a m s k r V g").unwrap_err();
        assert!(
            why.contains("field S") && why.contains("warcsieve cdx"),
            "{why}"
        );
        assert!(Layout::of_header(b" CDX N S g").is_err());
    }

    #[test]
    fn lines_of_eleven_fields_need_no_header() {
        let line = "com,a)/ 20140101000000 http://a.com/ text/html 200 ABC - - 10 20 x.warc.gz";
        let layout = Layout::of_line(line.as_bytes()).unwrap();
        let entry = read(&layout, line).unwrap();
        assert_eq!((entry.offset, entry.length), (20, 10));
        assert_eq!(entry.digest, "ABC");
        assert_eq!(Layout::of_line(b"a b c d e f g h i j k"), None);
        assert_eq!(Layout::of_line(b"a 20140101 c"), None);
    }

    #[test]
    fn wrong_lines_say_what_is_wrong() {
        let layout = Layout::of_header(STANDARD).unwrap();
        let line = |s: &str, v: &str, g: &str| format!("k 2014 u m 200 d - - {s} {v} {g}");
        for (line, what) in [
            (line("-", "1", "x"), "length (field S) is `-`"),
            (line("1", "-1", "x"), "offset (field V) is `-1`"),
            (line("1", "+1", "x"), "`+1`"),
            (line("1", "99999999999999999999", "x"), "not a number"),
            (line("1", "1", "-"), "no file name"),
            (line("1", "1", "x y"), "12 fields, but the header names 11"),
        ] {
            let why = read(&layout, &line).unwrap_err();
            assert!(why.contains(what), "{why}");
        }
    }
}
