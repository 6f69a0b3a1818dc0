//! Sizes in bytes, as people write them.

/// Reads bytes, or a number with K, M or G (1024 each), and refuses less than `least`.
pub fn parse(text: &str, least: usize) -> Result<usize, String> {
    let (digits, shift) = match text.as_bytes().last() {
        Some(b'K' | b'k') => (&text[..text.len() - 1], 10),
        Some(b'M' | b'm') => (&text[..text.len() - 1], 20),
        Some(b'G' | b'g') => (&text[..text.len() - 1], 30),
        _ => (text, 0),
    };
    let size = digits.parse::<usize>().ok();
    match size.and_then(|n| n.checked_mul(1 << shift)) {
        Some(size) if size >= least => Ok(size),
        Some(_) => Err(format!("at least {}K", least.div_ceil(1 << 10))),
        None => Err("expected bytes, or a number with K, M or G, such as 256M".to_owned()),
    }
}

/// Reads how much memory sorting may take: at least a megabyte.
pub fn memory(text: &str) -> Result<usize, String> {
    parse(text, 1 << 20)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        for (text, bytes) in [
            ("4096", 4096),
            ("64K", 65536),
            ("256m", 256 << 20),
            ("4G", 4 << 30),
        ] {
            assert_eq!(parse(text, 4096), Ok(bytes));
        }
        for text in [
            "",
            "M",
            "1.5G",
            "-1M",
            "99999999999999999999",
            "99999999999G",
            "1K",
            "12é",
        ] {
            assert!(parse(text, 4096).is_err(), "{text}");
        }
        assert_eq!(parse("1K", 4096), Err("at least 4K".to_owned()));
    }
}
