//! Decides which IPv4 addresses are public.

use std::net::Ipv4Addr;

/// Networks that are not public. They are those of Python's `ipaddress`, that is, IANA's registry
/// of addresses for special use.
const NOT_PUBLIC: [(Ipv4Addr, u32); 13] = [
    (Ipv4Addr::new(0, 0, 0, 0), 8),
    (Ipv4Addr::new(10, 0, 0, 0), 8),
    (Ipv4Addr::new(100, 64, 0, 0), 10),
    (Ipv4Addr::new(127, 0, 0, 0), 8),
    (Ipv4Addr::new(169, 254, 0, 0), 16),
    (Ipv4Addr::new(172, 16, 0, 0), 12),
    (Ipv4Addr::new(192, 0, 0, 0), 24),
    (Ipv4Addr::new(192, 0, 2, 0), 24),
    (Ipv4Addr::new(192, 168, 0, 0), 16),
    (Ipv4Addr::new(198, 18, 0, 0), 15),
    (Ipv4Addr::new(198, 51, 100, 0), 24),
    (Ipv4Addr::new(203, 0, 113, 0), 24),
    (Ipv4Addr::new(240, 0, 0, 0), 4),
];

/// Whether a text is a public address. An address with leading zeros does not count.
pub(super) fn is_public(text: &str) -> bool {
    let Ok(address) = text.parse::<Ipv4Addr>() else {
        return false;
    };
    let is_in = |(network, bits): (Ipv4Addr, u32)| {
        let mask = u32::MAX << (32 - bits);
        (address.to_bits() ^ network.to_bits()) & mask == 0
    };
    !NOT_PUBLIC.into_iter().any(is_in)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_for_special_use_are_not_public() {
        for public in [
            "8.8.8.8",
            "172.32.0.1",
            "100.128.0.1",
            "224.0.0.1",
            "192.0.1.0",
        ] {
            assert!(is_public(public), "{public}");
        }
        for other in [
            "10.1.2.3",
            "127.0.0.1",
            "172.31.255.255",
            "100.64.0.1",
            "192.168.1.1",
            "08.8.8.8",
            "1.2.3",
        ] {
            assert!(!is_public(other), "{other}");
        }
    }
}
