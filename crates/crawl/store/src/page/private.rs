//! Which servers a redirect may lead to: none that only this machine or its network reaches.

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use std::collections::HashSet;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, ToSocketAddrs};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use url::{Host, Url};

/// Why a redirect is not followed.
#[derive(Debug, thiserror::Error)]
#[error(
    "the server redirects into a private network; --private-redirects follows it, if you trust the server"
)]
pub(super) struct Refused;

/// Resolves names of hosts. Of those that a server redirects to, only addresses that everybody reaches are left: a name may
/// stand for an address of a private network. Others are those of the address that was given and of a proxy.
#[derive(Clone, Default)]
pub(super) struct PublicNames(Arc<Mutex<HashSet<String>>>);

impl PublicNames {
    /// Notes that a server redirects to a host.
    pub fn redirected_to(&self, host: &str) {
        self.hosts().insert(host.to_owned());
    }

    fn hosts(&self) -> MutexGuard<'_, HashSet<String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Resolve for PublicNames {
    fn resolve(&self, name: Name) -> Resolving {
        let name = name.as_str().to_owned();
        let is_given = !self.hosts().contains(&name);
        Box::pin(async move {
            let found = tokio::task::spawn_blocking(move || (name.as_str(), 0).to_socket_addrs());
            let found: Vec<SocketAddr> = found.await??.collect();
            let is_allowed = |address: &SocketAddr| is_given || !is_private(address.ip());
            let allowed: Vec<_> = found.iter().copied().filter(is_allowed).collect();
            match allowed.is_empty() && !found.is_empty() {
                true => Err(Box::new(Refused).into()),
                false => Ok(Box::new(allowed.into_iter()) as Addrs),
            }
        })
    }
}

/// Whether an address names a private server by its number, or as this machine.
pub(super) fn is_private_host(url: &Url) -> bool {
    match url.host() {
        Some(Host::Ipv4(ip)) => is_private(ip.into()),
        Some(Host::Ipv6(ip)) => is_private(ip.into()),
        Some(Host::Domain(name)) => {
            let name = name.trim_end_matches('.');
            name == "localhost" || name.ends_with(".localhost")
        }
        None => false,
    }
}

/// Whether an address is of this machine, of its network, or of nobody (RFC 6890).
fn is_private(ip: IpAddr) -> bool {
    match ip {
        IpAddr::V4(ip) => is_private_v4(ip),
        IpAddr::V6(ip) => is_private_v6(ip),
    }
}

fn is_private_v4(ip: Ipv4Addr) -> bool {
    let [a, b, c, _] = ip.octets();
    ip.is_private()
        || ip.is_loopback()
        || ip.is_link_local()
        || ip.is_multicast()
        || matches!(
            (a, b, c),
            (0, ..) | (240.., ..) | (100, 64..=127, _) | (198, 18..=19, _) | (192, 0, 0)
        )
}

fn is_private_v6(ip: Ipv6Addr) -> bool {
    let first = ip.segments()[0];
    let own = ip.is_loopback() || ip.is_unspecified() || ip.is_multicast();
    let is_unique_local = first & 0xfe00 == 0xfc00;
    let is_of_link_or_site = first & 0xff80 == 0xfe80;
    own || is_unique_local || is_of_link_or_site || embedded(ip).is_some_and(is_private_v4)
}

/// The address of the fourth version that one of the sixth stands for: mapped, compatible, by NAT64 or 6to4.
fn embedded(ip: Ipv6Addr) -> Option<Ipv4Addr> {
    let of = |high: u16, low: u16| Ipv4Addr::from((u32::from(high) << 16) | u32::from(low));
    match ip.segments() {
        [0, 0, 0, 0, 0, 0 | 0xffff, high, low] | [0x64, 0xff9b, 0, 0, 0, 0, high, low] => {
            Some(of(high, low))
        }
        [0x2002, high, low, ..] => Some(of(high, low)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn private_addresses_are_known_in_every_form() {
        for host in [
            "127.0.0.1",
            "10.0.0.1",
            "172.16.3.4",
            "192.168.1.1",
            "169.254.169.254",
            "100.64.0.1",
            "0.0.0.0",
            "255.255.255.255",
            "2130706433",
            "0x7f.1",
            "localhost",
            "a.localhost.",
            "[::1]",
            "[::]",
            "[fd00::1]",
            "[fe80::1]",
            "[::ffff:10.0.0.1]",
            "[64:ff9b::7f00:1]",
            "[2002:7f00:1::]",
        ] {
            let url = Url::parse(&format!("http://{host}/")).unwrap();
            assert!(is_private_host(&url), "{host}");
        }
        for host in [
            "a.example",
            "93.184.216.34",
            "172.32.0.1",
            "[2606:2800::1]",
            "[64:ff9b::5db8:d822]",
        ] {
            let url = Url::parse(&format!("http://{host}/")).unwrap();
            assert!(!is_private_host(&url), "{host}");
        }
    }
}
