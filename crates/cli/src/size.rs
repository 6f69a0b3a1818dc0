//! Sizes in bytes, as people write them.

use warcsieve_plan::SampleSize;

/// Parses a number of bytes, or a number with K, M or G (1024 each). Refuses less than `least`.
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

/// Parses the memory for sorting: at least a megabyte.
pub fn memory(text: &str) -> Result<usize, String> {
    parse(text, 1 << 20)
}

/// Parses how much of a crawl to measure: a share of its bytes, such as 1%, or a size.
pub fn sample(text: &str) -> Result<SampleSize, String> {
    if let Some(percent) = text.strip_suffix('%') {
        return match percent.trim().parse::<f64>() {
            Ok(percent) if percent > 0.0 && percent <= 100.0 => {
                Ok(SampleSize::Share(percent / 100.0))
            }
            _ => Err("expected more than 0% and at most 100%".to_owned()),
        };
    }
    match parse(text, 1) {
        Ok(bytes) => Ok(SampleSize::Bytes(bytes as u64)),
        Err(_) => Err("expected a share such as 1%, or a size such as 500M".to_owned()),
    }
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

    #[test]
    fn samples_are_shares_or_sizes() {
        assert_eq!(sample("1%"), Ok(SampleSize::Share(0.01)));
        assert_eq!(sample("0.05 %"), Ok(SampleSize::Share(0.0005)));
        assert_eq!(sample("2M"), Ok(SampleSize::Bytes(2 << 20)));
        for text in ["", "%", "0%", "-1%", "101%", "NaN%", "x", "0"] {
            assert!(sample(text).is_err(), "{text}");
        }
    }
}
