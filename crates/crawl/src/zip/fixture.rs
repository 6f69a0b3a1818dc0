//! Zip files made here.

use flate2::Compression;
use flate2::write::DeflateEncoder;
use std::io::Write as _;

/// A file to put into a zip file.
pub struct File<'a> {
    pub name: &'a str,
    pub bytes: &'a [u8],
    pub deflated: bool,
    pub flags: u16,
}

pub fn file<'a>(name: &'a str, bytes: &'a [u8]) -> File<'a> {
    File {
        name,
        bytes,
        deflated: false,
        flags: 0,
    }
}

/// The bytes of a zip file; `large` writes the numbers as of one of more than 4 GiB.
pub fn zip(files: &[File<'_>], large: bool) -> Vec<u8> {
    let (mut out, mut directory) = (Vec::new(), Vec::new());
    for file in files {
        let stored = match file.deflated {
            true => {
                let mut packed = DeflateEncoder::new(Vec::new(), Compression::fast());
                packed.write_all(file.bytes).unwrap();
                packed.finish().unwrap()
            }
            false => file.bytes.to_vec(),
        };
        let (header, method) = (out.len() as u64, if file.deflated { 8u16 } else { 0 });
        let name = file.name.as_bytes();
        let sizes = [stored.len(), file.bytes.len()].map(|n| n as u32);
        let common = |out: &mut Vec<u8>, sizes: [u32; 2], extra: usize| {
            for number in [20, file.flags, method, 0, 0] {
                out.extend(number.to_le_bytes());
            }
            out.extend([0; 4]);
            for size in sizes {
                out.extend(size.to_le_bytes());
            }
            out.extend((name.len() as u16).to_le_bytes());
            out.extend((extra as u16).to_le_bytes());
        };
        out.extend(b"PK\x03\x04");
        common(&mut out, sizes, 4);
        out.extend(name);
        out.extend([9, 9, 0, 0]);
        out.extend(&stored);
        directory.extend(b"PK\x01\x02\x14\0");
        match large {
            true => {
                common(&mut directory, [u32::MAX; 2], 28);
                directory.extend([0; 10]);
                directory.extend(u32::MAX.to_le_bytes());
                directory.extend(name);
                directory.extend([1, 0, 24, 0]);
                for number in [file.bytes.len() as u64, stored.len() as u64, header] {
                    directory.extend(number.to_le_bytes());
                }
            }
            false => {
                common(&mut directory, sizes, 0);
                directory.extend([0; 10]);
                directory.extend((header as u32).to_le_bytes());
                directory.extend(name);
            }
        }
    }
    let (start, length) = (out.len() as u64, directory.len() as u64);
    out.extend(&directory);
    let count = files.len() as u64;
    if large {
        let at = out.len() as u64;
        out.extend(b"PK\x06\x06");
        out.extend(44u64.to_le_bytes());
        out.extend([0; 12]);
        for number in [count, count, length, start] {
            out.extend(number.to_le_bytes());
        }
        out.extend(b"PK\x06\x07\0\0\0\0");
        out.extend(at.to_le_bytes());
        out.extend([1, 0, 0, 0]);
    }
    let shown = |n: u64, most: u64| if large { most } else { n };
    out.extend(b"PK\x05\x06\0\0\0\0");
    out.extend([(shown(count, 0xffff) as u16).to_le_bytes(); 2].concat());
    out.extend((shown(length, u64::from(u32::MAX)) as u32).to_le_bytes());
    out.extend((shown(start, u64::from(u32::MAX)) as u32).to_le_bytes());
    out.extend(7u16.to_le_bytes());
    out.extend(b"comment");
    out
}
