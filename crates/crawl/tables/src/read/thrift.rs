//! Checks that bytes are a structure in Thrift's compact protocol, of a given shape.
//!
//! The Parquet library reads a field by its number, whatever type the bytes declare, and steps over
//! lists of any claimed length. So it may loop for hours over a list that exists only as a claim of
//! a few bytes. Bytes that pass the check here are read as intended, in linear time.

/// What a field or an element holds.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    Flag,
    Byte,
    /// 16, 32 or 64 bits, which have the same encoding.
    Int,
    Double,
    Binary,
    List(&'static Kind),
    Struct(Fields),
}

/// Numbers of fields, and the type of each. Other fields may have any type.
pub(super) type Fields = &'static [(i16, Kind)];

/// What the walk reports about a structure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Event {
    Begin,
    Int(i64),
}

/// Why bytes are refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// They end within the structure.
    Short,
    Wrong(&'static str),
}

/// Deepest nesting of structures and lists. Parquet itself needs seven levels.
const MAX_DEPTH: usize = 16;

/// Walks one structure at the start of `bytes` and returns its length. Calls `visit` for the
/// beginning of each structure and for each number, with the numbers of the fields on the path to
/// it.
///
/// # Errors
/// The bytes are not such a structure.
pub(super) fn walk(
    bytes: &[u8],
    shape: Fields,
    visit: &mut dyn FnMut(&[i16], Event),
) -> Result<usize, Fault> {
    let mut walk = Walk {
        bytes,
        at: 0,
        path: Vec::new(),
        visit,
    };
    walk.structure(shape, MAX_DEPTH)?;
    Ok(walk.at)
}

struct Walk<'a> {
    bytes: &'a [u8],
    at: usize,
    path: Vec<i16>,
    visit: &'a mut dyn FnMut(&[i16], Event),
}

/// Types as written.
mod wire {
    pub const TRUE: u8 = 1;
    pub const FALSE: u8 = 2;
    pub const BYTE: u8 = 3;
    pub const I16: u8 = 4;
    pub const I64: u8 = 6;
    pub const DOUBLE: u8 = 7;
    pub const BINARY: u8 = 8;
    pub const LIST: u8 = 9;
    pub const STRUCT: u8 = 12;
}

impl Walk<'_> {
    fn structure(&mut self, shape: Fields, depth: usize) -> Result<(), Fault> {
        let depth = depth
            .checked_sub(1)
            .ok_or(Fault::Wrong("nested too deep"))?;
        (self.visit)(&self.path, Event::Begin);
        let mut last = 0i16;
        loop {
            let header = self.byte()?;
            let declared = header & 0x0f;
            if declared == 0 {
                return Ok(());
            }
            let id = match i16::from(header >> 4) {
                0 => i16::try_from(self.int()?).ok(),
                step => last.checked_add(step),
            };
            // If a field appears twice, it is not defined which one counts.
            last = id
                .filter(|id| *id > last)
                .ok_or(Fault::Wrong("fields out of order"))?;
            let known = shape.iter().find(|(id, _)| *id == last);
            self.path.push(last);
            match declared {
                wire::TRUE | wire::FALSE => match known {
                    None | Some((_, Kind::Flag)) => {}
                    Some(_) => return Err(Fault::Wrong("a field of another type")),
                },
                _ => self.value(declared, known.map(|(_, kind)| kind), depth)?,
            }
            self.path.pop();
        }
    }

    fn value(&mut self, declared: u8, kind: Option<&Kind>, depth: usize) -> Result<(), Fault> {
        match (declared, kind) {
            (wire::BYTE, None | Some(Kind::Byte)) => self.skip(1),
            (wire::I16..=wire::I64, None | Some(Kind::Int)) => {
                let n = self.int()?;
                (self.visit)(&self.path, Event::Int(n));
                Ok(())
            }
            (wire::DOUBLE, None | Some(Kind::Double)) => self.skip(8),
            (wire::BINARY, None | Some(Kind::Binary)) => {
                let length = self.varint()?;
                self.skip(usize::try_from(length).unwrap_or(usize::MAX))
            }
            (wire::LIST, None) => self.list(None, depth),
            (wire::LIST, Some(Kind::List(element))) => self.list(Some(element), depth),
            (wire::STRUCT, None) => self.structure(&[], depth),
            (wire::STRUCT, Some(Kind::Struct(fields))) => self.structure(fields, depth),
            // This includes sets, maps and lists of booleans, which Parquet does not use.
            _ => Err(Fault::Wrong("a field of another type")),
        }
    }

    fn list(&mut self, element: Option<&Kind>, depth: usize) -> Result<(), Fault> {
        let depth = depth
            .checked_sub(1)
            .ok_or(Fault::Wrong("nested too deep"))?;
        let header = self.byte()?;
        let length = match header >> 4 {
            15 => self.varint()?,
            short => u64::from(short),
        };
        // Each element takes at least one byte.
        if length > (self.bytes.len() - self.at) as u64 {
            return Err(Fault::Short);
        }
        for _ in 0..length {
            self.value(header & 0x0f, element, depth)?;
        }
        Ok(())
    }

    fn byte(&mut self) -> Result<u8, Fault> {
        let byte = self.bytes.get(self.at).ok_or(Fault::Short)?;
        self.at += 1;
        Ok(*byte)
    }

    fn skip(&mut self, n: usize) -> Result<(), Fault> {
        let end = self
            .at
            .checked_add(n)
            .filter(|end| *end <= self.bytes.len());
        self.at = end.ok_or(Fault::Short)?;
        Ok(())
    }

    fn varint(&mut self) -> Result<u64, Fault> {
        let mut n = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            n |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Ok(n);
            }
        }
        Err(Fault::Wrong("a number of more than 64 bits"))
    }

    fn int(&mut self) -> Result<i64, Fault> {
        let n = self.varint()?;
        Ok((n >> 1) as i64 ^ -((n & 1) as i64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHAPE: Fields = &[
        (1, Kind::Int),
        (2, Kind::Flag),
        (3, Kind::Binary),
        (4, Kind::List(&Kind::Struct(&[(5, Kind::Int)]))),
    ];

    type Events = Vec<(Vec<i16>, Event)>;

    fn events(bytes: &[u8]) -> Result<(usize, Events), Fault> {
        let mut events = Vec::new();
        let length = walk(bytes, SHAPE, &mut |path, event| {
            events.push((path.to_owned(), event));
        })?;
        Ok((length, events))
    }

    #[test]
    fn numbers_are_reported_with_their_place() {
        let bytes = [
            0x15, 7,    // field 1: -4
            0x11, // field 2: true
            0x18, 1, b'x', // field 3
            0x19, 0x1c, 0x55, 2, 0, // field 4: a list of one structure, whose field 5 is 1
            0x18, 0, // field 5, unknown
            0, 99,
        ];
        let (length, events) = events(&bytes).unwrap();
        assert_eq!(length, bytes.len() - 1);
        let expected = [
            (vec![], Event::Begin),
            (vec![1], Event::Int(-4)),
            (vec![4], Event::Begin),
            (vec![4, 5], Event::Int(1)),
        ];
        assert_eq!(events, expected);
    }

    #[test]
    fn what_would_be_read_otherwise_or_for_ever_is_refused() {
        let other = Fault::Wrong("a field of another type");
        for (bytes, fault) in [
            // 2^31 numbers in no bytes, and as many flags.
            (
                &[0xf9, 0xf7, 0xff, 0xff, 0xff, 0xff, 0x07][..],
                Fault::Short,
            ),
            (&[0x59, 0xf1, 0x02, 1, 1, 0], other),
            // Field 1 as a list, field 2 as a number; a set, a map.
            (&[0x19, 0x05, 0], other),
            (&[0x25, 2, 0], other),
            (&[0x5a, 0x13, 0, 0], other),
            (&[0x5b, 0, 0], other),
            (
                &[0x15, 2, 0x05, 2, 2, 0],
                Fault::Wrong("fields out of order"),
            ),
            (&[0x38, 0xff, 0xff, 0xff, 0xff, 0x0f, 0], Fault::Short),
            (&[0x15], Fault::Short),
            (&[0x5c; 40], Fault::Wrong("nested too deep")),
            (
                &[0x15, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1, 0],
                Fault::Wrong("a number of more than 64 bits"),
            ),
        ] {
            assert_eq!(events(bytes).unwrap_err(), fault, "{bytes:x?}");
        }
    }
}
