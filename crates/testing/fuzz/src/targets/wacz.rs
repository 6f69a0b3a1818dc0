//! WACZ files that are built from the contents of their members, because a fuzzer cannot compute
//! their sums.
//!
//! Inputs have different names that do not lead out of the folder. Each is read to its end, and
//! all its bytes are counted, or an error names it.
//!
//! The first byte selects the compression and the damage, the next two the place of the damage.
//! Byte 29 (group separator) begins another member: its name is the first line.

use super::cdx::in_file;
use super::manifest::assert_names;
use super::members::{SEPARATOR, damaged};
use crate::Target;
use crate::target::worked;
use flate2::{Compression, Crc, write::DeflateEncoder};
use std::io::Write;
use std::path::Path;
use warcsieve_engine::{Input, Naming, list_inputs, page_lists};
use warcsieve_store::Stores;
use warcsieve_warc::{Limits, Record, Source};

/// The target.
pub const TARGET: Target = Target {
    name: "wacz",
    check,
    seeds,
    max_len: 4096,
    // Files are opened several times.
    fair: 20_000.0,
};

fn check(input: &[u8]) {
    let (how, damage, rest) = damaged(input);
    let mut file = zip(members(rest), how & 1 == 1);
    damage.change(&mut file);
    in_file(&file, read);
}

/// The name and the content of each member.
fn members(parts: &[u8]) -> impl Iterator<Item = (&[u8], &[u8])> + Clone {
    parts.split(|b| *b == SEPARATOR).map(|member| {
        let end = member.iter().position(|b| *b == b'\n');
        let end = end.unwrap_or(member.len());
        (&member[..end], member.get(end + 1..).unwrap_or_default())
    })
}

fn read(path: &Path) {
    let stores = Stores::default();
    let argument = [path.display().to_string()];
    let inputs = match list_inputs(&argument, &Naming::default(), &stores) {
        Ok(inputs) => inputs,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    assert_names(&inputs);
    inputs.iter().for_each(read_to_end);
    for list in page_lists(&inputs).flatten() {
        worked(list.1.len());
    }
}

fn read_to_end(input: &Input) {
    let named = |error: warcsieve_common::Error| {
        let error = error.to_string();
        assert!(error.starts_with(&input.origin()), "{error}");
    };
    let mut reader = match input.reader(Limits::default()) {
        Ok((_, reader)) => reader,
        Err(error) => return named(error),
    };
    let mut record = Record::default();
    loop {
        match reader.read_record(&mut record) {
            Ok(true) => {}
            Ok(false) => break,
            Err(error) => return named(error),
        }
    }
    worked(reader.ledger().decoded_bytes as usize);
    assert_eq!(reader.ledger().imbalances(), [""; 0]);
}

/// A zip file (APPNOTE 6.3.10): local headers with members, the central directory, its end.
fn zip<'a>(members: impl Iterator<Item = (&'a [u8], &'a [u8])>, deflates: bool) -> Vec<u8> {
    let (mut file, mut directory, mut count) = (Vec::new(), Vec::new(), 0u16);
    for (name, content) in members {
        let mut crc = Crc::new();
        crc.update(content);
        let packed = match deflates {
            true => deflated(content),
            false => content.to_vec(),
        };
        let lengths = [crc.sum(), packed.len() as u32, content.len() as u32].map(u32::to_le_bytes);
        let method = if deflates { 8 } else { 0 };
        // Version, flags, method, time and date; then the sum and lengths, those of the name and of no other field.
        let head = [
            &[20, 0, 0, 8, method, 0, 0, 0, 0, 0][..],
            &lengths.concat(),
            &(name.len() as u16).to_le_bytes(),
            &[0, 0],
        ]
        .concat();
        directory.extend(
            [
                &b"PK\x01\x02\x14\x00"[..],
                &head,
                &[0; 10],
                &(file.len() as u32).to_le_bytes(),
                name,
            ]
            .concat(),
        );
        file.extend([b"PK\x03\x04", &head[..], name, &packed].concat());
        count += 1;
    }
    let sizes = [directory.len() as u32, file.len() as u32]
        .map(u32::to_le_bytes)
        .concat();
    let counts = [count.to_le_bytes(), count.to_le_bytes()].concat();
    file.extend(
        [
            &directory[..],
            b"PK\x05\x06\0\0\0\0",
            &counts,
            &sizes,
            &[0, 0],
        ]
        .concat(),
    );
    file
}

fn deflated(content: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

fn seeds() -> Vec<Vec<u8>> {
    let page = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>Some words.";
    let record = format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.example/\r\nWARC-Date: 2024-01-01T00:00:00Z\r\n\
         Content-Type: application/http\r\nContent-Length: {}\r\n\r\n{page}\r\n\r\n",
        page.len()
    );
    let pages = r#"{"format":"json-pages-1.0","id":"pages"}
{"url":"http://a.example/","ts":"2024-01-01T00:00:00Z","title":"T"}"#;
    let members = format!(
        "archive/data.warc\n{record}\x1dpages/pages.jsonl\n{pages}\x1ddatapackage.json\n{{}}\x1darchive/b/c.warc\n{record}{record}"
    );
    (0..8)
        .map(|how| [&[how, 0, 30 * how], members.as_bytes()].concat())
        .collect()
}

#[test]
fn the_crawls_of_a_seed_are_read() {
    let seed = &seeds()[0];
    for deflates in [false, true] {
        in_file(&zip(members(&seed[3..]), deflates), |path| {
            let argument = [path.display().to_string()];
            let inputs = list_inputs(&argument, &Naming::default(), &Stores::default()).unwrap();
            assert_eq!(inputs.len(), 2);
            let (_, mut reader) = inputs[0].reader(Limits::default()).unwrap();
            assert!(reader.read_record(&mut Record::default()).unwrap());
            assert_eq!(page_lists(&inputs).count(), 1);
        });
    }
}
