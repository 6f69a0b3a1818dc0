use super::*;
use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};
use proptest::prelude::*;
use std::fmt::Write as _;
use std::io::Write as _;
use std::time::{Duration, Instant};

const LIMIT: usize = 1 << 20;

fn page() -> Vec<u8> {
    format!(
        "<!DOCTYPE html><html><body>{}</body></html>",
        "<p>A paragraph of text.</p>".repeat(40)
    )
    .into_bytes()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn zlib(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn raw_deflate(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    zstd::bulk::compress(bytes, 3).unwrap()
}

/// br in uncompressed meta-blocks (RFC 7932 §9.2).
fn brotli_stored(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut first = true;
    for block in bytes.chunks(1 << 16) {
        // ISLAST 0, MNIBBLES 0, MLEN - 1, ISUNCOMPRESSED 1; before the first WBITS 0.
        let bits = (u32::try_from(block.len()).unwrap() - 1) << 3 | 1 << 19;
        let bits = if first { bits << 1 } else { bits };
        out.extend_from_slice(&bits.to_le_bytes()[..3]);
        out.extend_from_slice(block);
        first = false;
    }
    out.push(if first { 0b110 } else { 0b11 });
    out
}

/// [`page`] as an ordinary br encoder compresses it.
fn brotli_page() -> Vec<u8> {
    data_encoding::HEXLOWER
        .decode(b"1b600400444f96ea43f250cc264581ca4ce01827008f1b5fd70a0bc8e0218b42d23f896942804c9583b7ae638e898d52f4852e5cfec9d5f95fb74984803c01")
        .unwrap()
}

/// 64 MiB of `a` in br.
fn brotli_bomb() -> Vec<u8> {
    data_encoding::HEXLOWER
        .decode(b"cbffff3f0024c2e2b14072effff8ffff078004401c1680eefd1fffffff00900088c302d0bdffe3ffff1f001200715800baf77ffcffff034002200e0b40f7fe8fffff7f004800c46101e8defff1ffff0f000980382c00ddfb3ffeffff012001108705a07bff37")
        .unwrap()
}

fn chunked(bytes: &[u8], size: usize) -> Vec<u8> {
    let mut out = Vec::new();
    for chunk in bytes.chunks(size) {
        out.extend_from_slice(format!("{:x}\r\n", chunk.len()).as_bytes());
        out.extend_from_slice(chunk);
        out.extend_from_slice(b"\r\n");
    }
    out.extend_from_slice(b"0\r\n\r\n");
    out
}

fn response(headers: &str, body: &[u8]) -> Vec<u8> {
    let mut bytes = format!("HTTP/1.1 200 OK\r\n{headers}\r\n").into_bytes();
    bytes.extend_from_slice(body);
    bytes
}

fn decode_with(
    unlabelled: bool,
    headers: &str,
    body: &[u8],
) -> Result<(Vec<u8>, BodyFlaws), TooLarge> {
    let bytes = response(headers, body);
    let message = HttpMessage::parse(&bytes).unwrap();
    assert_eq!(message.body, body);
    BodyDecoder::default()
        .decode(&message, unlabelled, LIMIT)
        .map(|(bytes, flaws)| (bytes.to_vec(), flaws))
}

/// Decodes a body under headers that each end with `\r\n`.
fn decode(headers: &str, body: &[u8]) -> (Vec<u8>, BodyFlaws) {
    decode_with(false, headers, body).unwrap()
}

const FINE: BodyFlaws = BodyFlaws {
    mislabelled_transfer: false,
    cut_transfer: false,
    mislabelled_content: false,
    undecoded_content: false,
    cut_content: false,
};
const MISLABELLED: BodyFlaws = BodyFlaws {
    mislabelled_content: true,
    ..FINE
};
const CUT: BodyFlaws = BodyFlaws {
    cut_content: true,
    ..FINE
};
const NOT_CHUNKED: BodyFlaws = BodyFlaws {
    mislabelled_transfer: true,
    ..FINE
};
const CUT_CHUNKS: BodyFlaws = BodyFlaws {
    cut_transfer: true,
    ..FINE
};

const GZIP: &str = "Content-Encoding: gzip\r\n";
const DEFLATE: &str = "Content-Encoding: deflate\r\n";
const BR: &str = "Content-Encoding: br\r\n";
const ZSTD: &str = "Content-Encoding: zstd\r\n";
const CHUNKED: &str = "Transfer-Encoding: chunked\r\n";

#[test]
fn bodies_without_coding_are_borrowed() {
    for headers in [
        "",
        "Content-Encoding: identity\r\n",
        "Content-Encoding:\r\n",
    ] {
        let bytes = response(headers, b"<p>text");
        let message = HttpMessage::parse(&bytes).unwrap();
        let mut decoder = BodyDecoder::default();
        let (body, flaws) = decoder.decode(&message, true, LIMIT).unwrap();
        assert_eq!((body.as_ptr(), flaws), (message.body.as_ptr(), FINE));
    }
}

#[test]
fn every_coding_is_removed() {
    let page = page();
    assert_eq!(decode(GZIP, &gzip(&page)), (page.clone(), FINE));
    assert_eq!(
        decode("content-encoding: X-GZip\r\n", &gzip(&page)),
        (page.clone(), FINE)
    );
    assert_eq!(decode(DEFLATE, &zlib(&page)), (page.clone(), FINE));
    assert_eq!(decode(DEFLATE, &raw_deflate(&page)), (page.clone(), FINE));
    assert_eq!(decode(BR, &brotli_page()), (page.clone(), FINE));
    assert_eq!(decode(ZSTD, &zstd(&page)), (page.clone(), FINE));
    for size in [1, 7, 1 << 20] {
        assert_eq!(decode(CHUNKED, &chunked(&page, size)), (page.clone(), FINE));
    }
}

#[test]
fn codings_are_removed_in_reverse_order_and_chunks_first() {
    let page = page();
    let headers = "Content-Encoding: deflate, br\r\nContent-Encoding: zstd\r\nTransfer-Encoding: gzip, chunked\r\n";
    let body = chunked(&gzip(&zstd(&brotli_stored(&zlib(&page)))), 100);
    assert_eq!(decode(headers, &body), (page, FINE));
}

#[test]
fn nesting_is_bounded() {
    let mut body = page();
    for _ in 0..6 {
        body = gzip(&body);
    }
    let (rest, flaws) = decode("Content-Encoding: gzip,gzip,gzip,gzip,gzip,gzip\r\n", &body);
    assert_eq!(rest, gzip(&gzip(&page())));
    assert_eq!(
        flaws,
        BodyFlaws {
            undecoded_content: true,
            ..FINE
        }
    );
    let (rest, _) = decode_with(true, "", &body).unwrap();
    assert_eq!(rest, gzip(&gzip(&page())));
    let (rest, flaws) = decode(
        "Transfer-Encoding: chunked, chunked\r\n",
        &chunked(&chunked(b"ab", 1), 3),
    );
    assert_eq!(rest, chunked(b"ab", 1));
    assert!(flaws.undecoded_content);
}

#[test]
fn one_decoder_reads_many_bodies() {
    let page = page();
    let mut decoder = BodyDecoder::default();
    for _ in 0..3 {
        for (headers, body) in [
            (GZIP, gzip(&page)),
            (ZSTD, zstd(&page)),
            (ZSTD, zstd(&page)[..50].to_vec()),
            (DEFLATE, raw_deflate(&page)),
            (GZIP, gzip(&page)[..60].to_vec()),
            (BR, brotli_page()),
        ] {
            let bytes = response(headers, &body);
            let (text, flaws) = decoder
                .decode(&HttpMessage::parse(&bytes).unwrap(), false, LIMIT)
                .unwrap();
            assert!(page.starts_with(text));
            assert_eq!(text.len() < page.len(), flaws == CUT, "{headers}");
        }
    }
}

#[test]
fn consecutive_gzip_members_are_decoded_and_garbage_after_them_is_ignored() {
    let page = page();
    let body = [
        gzip(&page),
        gzip(b""),
        gzip(b"tail"),
        b"\0\0garbage".to_vec(),
    ]
    .concat();
    assert_eq!(
        decode(GZIP, &body),
        ([page.as_slice(), b"tail"].concat(), FINE)
    );
    let body = [zstd(&page), zstd(b"tail"), b"garbage".to_vec()].concat();
    assert_eq!(
        decode(ZSTD, &body),
        ([page.as_slice(), b"tail"].concat(), FINE)
    );
}

#[test]
fn gzip_header_fields_are_skipped() {
    let mut encoder = flate2::GzBuilder::new()
        .extra(*b"extra")
        .filename("name")
        .comment("comment")
        .write(Vec::new(), Compression::default());
    encoder.write_all(b"text").unwrap();
    let body = encoder.finish().unwrap();
    assert_eq!(decode(GZIP, &body), (b"text".to_vec(), FINE));
    for cut in 3..20 {
        assert_eq!(decode(GZIP, &body[..cut]), (Vec::new(), CUT));
    }
}

#[test]
fn mislabelled_bodies_are_kept_or_decoded_by_their_magic_bytes() {
    let page = page();
    for headers in [GZIP, DEFLATE, BR, ZSTD] {
        assert_eq!(
            decode(headers, &page),
            (page.clone(), MISLABELLED),
            "{headers}"
        );
        assert_eq!(
            decode(headers, b"ok"),
            (b"ok".to_vec(), MISLABELLED),
            "{headers}"
        );
        assert_eq!(decode(headers, b""), (Vec::new(), FINE), "{headers}");
    }
    for headers in [DEFLATE, BR, ZSTD] {
        assert_eq!(
            decode(headers, &gzip(&page)),
            (page.clone(), MISLABELLED),
            "{headers}"
        );
    }
    assert_eq!(decode(GZIP, &zstd(&page)), (page.clone(), MISLABELLED));
    assert_eq!(
        decode("Content-Encoding: gzip, gzip\r\n", &gzip(&page)),
        (page.clone(), MISLABELLED)
    );
    assert_eq!(
        decode_with(true, "", &gzip(&page)),
        Ok((page.clone(), MISLABELLED))
    );
    assert_eq!(
        decode_with(false, "", &gzip(&page)),
        Ok((gzip(&page), FINE))
    );
    assert_eq!(
        decode_with(true, GZIP, &gzip(&gzip(&page))),
        Ok((page.clone(), MISLABELLED))
    );
    let (kept, flaws) = decode("Content-Encoding: utf-8\r\n", &page);
    assert_eq!((kept, flaws.undecoded_content), (page, true));
}

#[test]
fn cut_and_damaged_bodies_keep_the_bytes_before() {
    let mut noise = 1_u32;
    let text: Vec<u8> = (0..900_000)
        .map(|_| {
            noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            b'a' + (noise >> 28) as u8
        })
        .collect();
    for (headers, body) in [
        (GZIP, gzip(&text)),
        (DEFLATE, zlib(&text)),
        (DEFLATE, raw_deflate(&text)),
        (ZSTD, zstd(&text)),
        (BR, brotli_stored(&text)),
    ] {
        let (kept, flaws) = decode(headers, &body[..body.len() / 2]);
        assert_eq!(flaws, CUT, "{headers}");
        assert!(
            text.starts_with(&kept) && kept.len() > text.len() / 4,
            "{headers} {}",
            kept.len()
        );
    }
    let mut body = gzip(&text);
    let crc = body.len() - 8;
    body[crc] ^= 1;
    assert_eq!(decode(GZIP, &body), (text.clone(), CUT));
    assert_eq!(decode(GZIP, &gzip(&text)[..crc]), (text, CUT));
}

#[test]
fn chunks_are_read_leniently() {
    let body = b"5 ; ext=1\nhello\n6\r\n world\r\n0\r\nTrailer: x\r\n\r\n";
    assert_eq!(decode(CHUNKED, body), (b"hello world".to_vec(), FINE));
    assert_eq!(decode(CHUNKED, b"0\r\n\r\n"), (Vec::new(), FINE));
    assert_eq!(
        decode(CHUNKED, b"5\r\nhello\r\n0\r\n\r\ngarbage"),
        (b"hello".to_vec(), FINE)
    );
}

#[test]
fn cut_chunks_keep_the_bytes_before() {
    let body = b"5\r\nhello\r\n6\r\n world\r\n0\r\n";
    for cut in 4..body.len() - 2 {
        let (kept, flaws) = decode(CHUNKED, &body[..cut]);
        assert!(b"hello world".starts_with(&kept[..]), "{cut}");
        assert_eq!(flaws, CUT_CHUNKS, "{cut}");
    }
}

#[test]
fn bodies_that_are_not_chunked_are_kept() {
    for body in [
        &b"<html>"[..],
        b"",
        b"add",
        b"12 monkeys\r\n",
        b"5\r\nhello world\r\n0\r\n\r\n",
        b"5\r\nhello\r\n<p>",
        b"0\r\ntext",
        b"ffffffffffffffffffff\r\nx",
    ] {
        assert_eq!(
            decode(CHUNKED, body),
            (body.to_vec(), NOT_CHUNKED),
            "{body:?}"
        );
    }
    let joined = gzip(&page());
    assert_eq!(
        decode(&format!("{GZIP}{CHUNKED}"), &joined),
        (page(), NOT_CHUNKED)
    );
}

#[test]
fn the_limit_is_exact() {
    let fits = vec![b'a'; LIMIT];
    let over = vec![b'a'; LIMIT + 1];
    for (headers, encode) in [
        ("", <[u8]>::to_vec as fn(&[u8]) -> Vec<u8>),
        (GZIP, gzip),
        (DEFLATE, zlib),
        (DEFLATE, raw_deflate),
        (ZSTD, zstd),
    ] {
        assert_eq!(
            decode(headers, &encode(&fits)),
            (fits.clone(), FINE),
            "{headers}"
        );
        assert_eq!(
            decode_with(false, headers, &encode(&over)),
            Err(TooLarge),
            "{headers}"
        );
    }
    // An uncompressed br stream is longer than its content.
    let near = &fits[..LIMIT - 100];
    assert_eq!(decode(BR, &brotli_stored(near)), (near.to_vec(), FINE));
}

/// Whole, cut and damaged bodies of each coding, at the limit and one byte on either side.
#[test]
fn damaged_bodies_do_not_decode_to_more_than_the_limit() {
    let mut noise = 1u32;
    let text: Vec<u8> = std::iter::repeat_with(|| {
        noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        b"\x01\x02abcdef"[(noise >> 29) as usize]
    })
    .take(5000)
    .collect();
    for (headers, encode) in [
        (GZIP, gzip as fn(&[u8]) -> Vec<u8>),
        (DEFLATE, zlib),
        (DEFLATE, raw_deflate),
        (ZSTD, zstd),
        (BR, brotli_stored),
    ] {
        let body = encode(&text);
        let mut damaged = body.clone();
        let last = damaged.len() - 1;
        damaged[last] ^= 0xff;
        damaged[last / 2] ^= 0xff;
        for body in [&body[..], &body[..last], &body[..body.len() / 2], &damaged] {
            let bytes = response(headers, body);
            let message = HttpMessage::parse(&bytes).unwrap();
            let decoded = |limit| {
                let mut decoder = BodyDecoder::default();
                let result = decoder.decode(&message, false, limit);
                result.map(|(bytes, _)| bytes.len())
            };
            let all = decoded(100_000).unwrap().max(body.len());
            for limit in (all - 1..=all + 1).chain(1..300).chain(body.len()..all) {
                let got = decoded(limit);
                assert!(
                    got.is_ok_and(|n| n <= limit) || limit < all,
                    "{headers} {limit}"
                );
                assert!(got.is_err() || limit >= all, "{headers} {limit} {got:?}");
            }
        }
    }
}

#[test]
fn a_decompression_bomb_takes_no_more_memory_than_the_limit() {
    let plain = vec![b'a'; 64 << 20];
    let gzipped = gzip(&plain);
    let start = Instant::now();
    for (headers, body) in [
        (GZIP, gzipped.clone()),
        (DEFLATE, zlib(&plain)),
        (BR, brotli_bomb()),
        (ZSTD, zstd(&plain)),
        ("Content-Encoding: gzip, gzip\r\n", gzip(&gzipped)),
    ] {
        assert!(plain.len() / body.len() > 500);
        let bytes = response(headers, &body);
        let mut decoder = BodyDecoder::default();
        let message = HttpMessage::parse(&bytes).unwrap();
        assert_eq!(
            decoder.decode(&message, false, LIMIT),
            Err(TooLarge),
            "{headers}"
        );
        let held = decoder.decoded.capacity() + decoder.spare.capacity();
        assert!(held <= 2 * (LIMIT + 1), "{headers} held {held}");
    }
    drop(plain);
    assert!(start.elapsed() < Duration::from_secs(20));
}

#[test]
fn many_empty_members_take_linear_time() {
    let start = Instant::now();
    let body = gzip(b"").repeat(LIMIT / 20);
    assert_eq!(decode(GZIP, &body), (Vec::new(), FINE));
    let body = zstd(b"").repeat(LIMIT / 20);
    assert_eq!(decode(ZSTD, &body), (Vec::new(), FINE));
    let mut body = String::new();
    for _ in 0..LIMIT / 10 {
        write!(body, "1\r\na\r\n").unwrap();
    }
    let (text, _) = decode(CHUNKED, body.as_bytes());
    assert_eq!(text.len(), LIMIT / 10);
    assert!(
        start.elapsed() < Duration::from_secs(10),
        "{:?}",
        start.elapsed()
    );
}

#[test]
fn zstd_windows_are_bounded() {
    let mut encoder = zstd::Encoder::new(Vec::new(), 1).unwrap();
    encoder.window_log(27).unwrap();
    encoder.write_all(&page()).unwrap();
    let body = encoder.finish().unwrap();
    assert_eq!(decode(ZSTD, &body), (Vec::new(), CUT));
}

proptest! {
    #[test]
    fn arbitrary_bytes_never_panic(
        body in proptest::collection::vec(any::<u8>(), 0..512),
        codings in proptest::sample::subsequence(vec!["gzip", "deflate", "br", "zstd", "chunked", "x"], 0..6),
        magic in proptest::sample::select(vec![&b""[..], &[0x1f, 0x8b, 8], &[0x28, 0xb5, 0x2f, 0xfd], b"5\r\n"]),
    ) {
        let body = [magic, &body].concat();
        let headers = format!("Content-Encoding: {}\r\n", codings.join(","));
        let bytes = response(&headers, &body);
        let message = HttpMessage::parse(&bytes).unwrap();
        let mut decoder = BodyDecoder::default();
        if let Ok((text, _)) = decoder.decode(&message, true, 4096) {
            prop_assert!(text.len() <= 4096);
        }
    }

    #[test]
    fn damaged_bodies_never_panic(at in 0_usize..2000, bit in 0_u32..8, cut in 0_usize..2000) {
        for (headers, mut body) in [
            (GZIP, gzip(&page())), (DEFLATE, zlib(&page())), (BR, brotli_page()), (ZSTD, zstd(&page())),
            (CHUNKED, chunked(&page(), 100)),
        ] {
            let place = at % body.len();
            body[place] ^= 1_u8 << bit;
            body.truncate(body.len() - cut % body.len());
            if let Ok((text, _)) = decode_with(true, headers, &body) {
                prop_assert!(text.len() <= LIMIT);
            }
        }
    }

    #[test]
    fn encoded_bodies_are_decoded_to_the_original(text in proptest::collection::vec(any::<u8>(), 1..5000), size in 1_usize..600) {
        for (headers, encode) in [
            (GZIP, gzip as fn(&[u8]) -> Vec<u8>), (DEFLATE, zlib), (ZSTD, zstd), (BR, brotli_stored),
        ] {
            let headers = format!("{headers}{CHUNKED}");
            prop_assert_eq!(decode(&headers, &chunked(&encode(&text), size)), (text.clone(), FINE));
        }
    }
}

/// The previous content of a buffer has no effect, even if the data is damaged.
#[test]
fn damaged_data_decodes_the_same_after_any_body() {
    const DAMAGED: &[u8] = include_bytes!("../../../../../testing/fuzz/found/http/damaged-brotli");
    let decoded = |decoder: &mut BodyDecoder| {
        let message = HttpMessage::parse(DAMAGED).unwrap();
        let (body, flaws) = decoder.decode(&message, true, 32 << 10).unwrap();
        (body.to_vec(), flaws)
    };
    let expected = decoded(&mut BodyDecoder::default());
    for before in [1, 1000, 33_000, 70_000, 200_000] {
        let head = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n";
        let message = [&head[..], &gzip(&vec![b'x'; before])].concat();
        let mut used = BodyDecoder::default();
        let message = HttpMessage::parse(&message).unwrap();
        assert!(used.decode(&message, true, LIMIT).is_ok());
        assert!(decoded(&mut used) == expected, "after {before} bytes");
    }
}
