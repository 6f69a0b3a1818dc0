//! Reads a file of gzip members in splits, each independently of the others.
//!
//! A split begins with the first member at or after a multiple of [`Limits::split`]. All reading
//! state is reset there, also in a reader of the whole file. So the result of a split depends only
//! on the file and on where the split begins. Only after the split before it was read to its end is
//! it certain where a split begins.

use super::limits::Limits;
use super::member::Members;
use super::read_from::ReadFrom;
use super::reader::WarcReader;
use super::{Record, Source};
use crate::ledger::ReadLedger;
use warcsieve_common::{Error, Result};

/// The splits of a file.
pub struct Splits {
    name: String,
    limits: Limits,
    format: super::framing::Format,
    from: ReadFrom,
}

impl Splits {
    /// The maximum number of bytes that the first member may inflate to.
    const FIRST_MEMBER: usize = 8 << 20;
    /// How many splits after the first are tried. A member must begin in one of them.
    const TRIED: u64 = 4;

    /// Opens a file of `size` bytes. `name` is used in errors; `from` returns a reader from any
    /// offset. Returns `None` if the file is best read in one piece: it does not consist of gzip
    /// members, the first member is damaged or very large, or no member begins in the splits after
    /// it, for example because the file is a single member. So it is for the strict reader.
    ///
    /// # Errors
    /// The input cannot be read.
    pub fn of(name: &str, size: u64, from: ReadFrom, limits: Limits) -> Result<Option<Self>> {
        if !limits.reader.is_builtin() {
            return Ok(None);
        }
        let small = Limits {
            member: limits.member.min(Self::FIRST_MEMBER),
            ..limits
        };
        let mut reader = WarcReader::new(name, from(0), small);
        let mut first = Record::default();
        let found = reader.read_record(&mut first)?;
        let whole = found && first.location.offset == 0 && first.location.length.is_some();
        let Some(format) = reader.format().filter(|_| whole && reader.is_gzip()) else {
            return Ok(None);
        };
        let splits = Self {
            name: name.to_owned(),
            limits,
            format,
            from,
        };
        let mut more = (1..=Self::TRIED).filter(|number| splits.border(*number) < size);
        let Some(first) = more.next() else {
            return Ok(Some(splits));
        };
        for number in std::iter::once(first).chain(more) {
            if splits.find(number)?.is_some() {
                return Ok(Some(splits));
            }
        }
        Ok(None)
    }

    /// The earliest offset at which the split `number` can begin.
    pub fn border(&self, number: u64) -> u64 {
        number.saturating_mul(self.limits.split.max(1))
    }

    /// Where the split `number` probably begins: at the first member with a record between its
    /// border and the next border. This may be wrong, because a member can contain the bytes of
    /// another member.
    ///
    /// # Errors
    /// The input cannot be read.
    pub fn find(&self, number: u64) -> Result<Option<u64>> {
        let border = self.border(number);
        Members::at((self.from)(border), self.limits.rewind, border)
            .find(self.border(number + 1), Some(self.format))
            .map_err(|e| Error::io(&self.name, e))
    }

    /// A reader of the split that begins at `start`.
    pub fn reader(&self, start: u64) -> SplitReader {
        let input = (self.from)(start);
        // As in a reader of the whole file, the format is not known before the first record.
        let format = Some(self.format).filter(|_| start > 0);
        let reader = WarcReader::of_split(&self.name, input, self.limits, format, start);
        SplitReader(reader.reading_again(self.from.clone()))
    }
}

/// Reads the records of a split.
pub struct SplitReader(WarcReader);

impl SplitReader {
    /// The ledger of the split, and where the next split begins (`None` at the end of the input).
    /// Valid once [`read_record`](Source::read_record) has returned `false`.
    pub fn end(&self) -> (&ReadLedger, Option<u64>) {
        (self.0.ledger(), self.0.next_split())
    }
}

impl Source for SplitReader {
    fn read_record(&mut self, record: &mut Record) -> Result<bool> {
        self.0.read_record(record)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::io::{Cursor, Read, Write};
    use std::sync::Arc;

    const SMALL: Limits = Limits {
        reader: crate::Reader::Builtin,
        record: 4 << 10,
        member: 128 << 10,
        rewind: 8 << 10,
        split: 2000,
    };

    /// Members of one or more records whose bodies hardly compress; some bodies contain a member.
    fn crawl(members: &[(usize, usize)]) -> Vec<u8> {
        let mut noise = 1u32;
        let mut file = Vec::new();
        for (records, size) in members {
            let mut text = Vec::new();
            for _ in 0..*records {
                let mut body: Vec<u8> = (0..*size)
                    .map(|_| {
                        noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                        (noise >> 24) as u8
                    })
                    .collect();
                if size % 5 == 0 {
                    body.extend(gz(b"WARC/1.0\r\nContent-Length: 0\r\n\r\n\r\n\r\n", 6));
                }
                let head = format!(
                    "WARC/1.0\r\nWARC-Type: t{size}\r\nContent-Length: {}\r\n\r\n",
                    body.len()
                );
                text.extend([head.as_bytes(), &body, b"\r\n\r\n"].concat());
            }
            // A stored (uncompressed) member shows the magic bytes of the members inside it.
            file.extend(gz(&text, u32::from(size % 2 == 0) * 6));
        }
        file
    }

    fn gz(bytes: &[u8], level: u32) -> Vec<u8> {
        let level = flate2::Compression::new(level);
        let mut w = flate2::write::GzEncoder::new(Vec::new(), level);
        w.write_all(bytes).unwrap();
        w.finish().unwrap()
    }

    fn records(source: &mut impl Source) -> Vec<String> {
        let (mut record, mut all) = (Record::default(), Vec::new());
        while source.read_record(&mut record).unwrap() {
            all.push(format!(
                "{:?} {:?} {:?}",
                record.location,
                record.flaws,
                record.body()
            ));
        }
        all
    }

    fn from(file: &[u8], at: u64) -> Box<dyn Read + Send> {
        Box::new(Cursor::new(file[at as usize..].to_vec()))
    }

    fn splits_of(file: &[u8]) -> Option<Splits> {
        let (size, file) = (file.len() as u64, file.to_vec());
        Splits::of("x", size, Arc::new(move |at| from(&file, at)), SMALL).unwrap()
    }

    /// All records and the ledger, read split by split.
    fn in_splits(splits: &Splits) -> (Vec<String>, ReadLedger, Vec<u64>) {
        let (mut all, mut total, mut starts) = (Vec::new(), ReadLedger::default(), vec![0]);
        loop {
            let start = starts[starts.len() - 1];
            let mut reader = splits.reader(start);
            all.extend(records(&mut reader));
            let (ledger, next) = reader.end();
            total.add(ledger.clone());
            match next {
                Some(next) => starts.push(next),
                None => return (all, total, starts),
            }
        }
    }

    #[test]
    fn the_splits_of_an_undamaged_file_are_found_from_their_borders() {
        let file = crawl(&[(1, 301); 80]);
        let splits = splits_of(&file).unwrap();
        let (_, ledger, starts) = in_splits(&splits);
        assert_eq!(ledger.compressed_bytes, file.len() as u64);
        assert!(starts.len() > 10);
        for (number, start) in starts.iter().enumerate().skip(1) {
            let found = splits.find(number as u64);
            assert_eq!(found.unwrap(), Some(*start));
        }
    }

    #[test]
    fn only_files_of_small_members_are_split() {
        let splits = |file: &[u8]| splits_of(file).is_some();
        let file = crawl(&[(3, 300), (1, 40)]);
        assert!(splits(&file));
        assert!(!splits(&file[1..]), "damaged at once");
        assert!(!splits(&crawl(&[(1000, 200)])), "one stream");
        assert!(
            !splits(&crawl(&[(1, 20), (1000, 200)])),
            "one stream after a record"
        );
        assert!(
            !splits(b"WARC/1.0\r\nContent-Length: 0\r\n\r\n\r\n\r\n"),
            "plain"
        );
        assert!(!splits(b""));
    }

    #[test]
    fn a_record_longer_than_the_buffer_is_the_same_in_splits() {
        let many = crawl(&[(1, 301); 40]);
        let inner = b"WARC/1.0\r\nContent-Length: 300\r\n\r\n";
        let inner = [&inner[..], &[b'x'; 300], b"\r\n\r\n"].concat().repeat(600);
        for (stated, count) in [(inner.len(), 81), (100_000, 681), (10_000_000, 681)] {
            let head = format!("WARC/1.0\r\nContent-Length: {stated}\r\n\r\n");
            let large = gz(&[head.as_bytes(), &inner, b"\r\n\r\n"].concat(), 6);
            let file = [&many[..], &large, &many].concat();
            let again = file.clone();
            let mut whole = WarcReader::new("x", from(&file, 0), SMALL)
                .reading_again(Arc::new(move |at| from(&again, at)));
            let all = records(&mut whole);
            assert_eq!(all.len(), count, "{stated}");
            let (of_splits, ledger, starts) = in_splits(&splits_of(&file).unwrap());
            assert!(starts.len() > 5);
            assert_eq!(of_splits, all);
            assert_eq!(&ledger, whole.ledger());
        }
    }

    #[test]
    fn record_starts_are_the_same_in_splits() {
        let arc = b"http://a.example/ 0.0.0.0 20260101000000 text/plain 76\nshort";
        let warc = b"WARC/1.0\r\nContent-Length: 0\r\n\r\n\r\n\r\n";
        let file = [gz(arc, 6), gz(warc, 6)].concat();
        let mut whole = WarcReader::new("x", from(&file, 0), SMALL);
        let all = records(&mut whole);
        let (of_splits, ledger, _) = in_splits(&splits_of(&file).unwrap());
        assert_eq!(of_splits, all);
        assert_eq!(&ledger, whole.ledger());
    }

    proptest! {
        #[test]
        fn a_file_read_in_splits_equals_the_whole_file(
            members in prop::collection::vec((1usize..4, 0usize..900), 1..40),
            faults in prop::collection::vec((any::<prop::sample::Index>(), 0usize..60, any::<u8>()), 0..5),
        ) {
            let mut file = crawl(&members);
            for (at, cut, byte) in faults {
                // Flips, cuts and insertions.
                let at = at.index(file.len());
                let end = (at + cut / 3).min(file.len());
                file.splice(at..end, vec![byte; cut % 7]);
                if file.is_empty() {
                    break;
                }
            }
            let mut whole = WarcReader::new("x", from(&file, 0), SMALL);
            let all = records(&mut whole);
            prop_assert_eq!(whole.ledger().imbalances(), Vec::<String>::new());
            let mut streaming = WarcReader::new("x", from(&file, 0), SMALL).streaming();
            prop_assert_eq!(&records(&mut streaming), &all);
            prop_assert_eq!(streaming.ledger(), whole.ledger());
            if let Some(splits) = splits_of(&file) {
                let (of_splits, ledger, _) = in_splits(&splits);
                prop_assert_eq!(&of_splits, &all);
                prop_assert_eq!(&ledger, whole.ledger());
            }
        }
    }
}
