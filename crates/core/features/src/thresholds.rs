//! Comparisons of the shallow text features of Kohlschütter et al. 2010, §3.3 and §3.4, in
//! integers. So a quotient that equals a published threshold is on the published side of it, on
//! every machine.

use warcsieve_html::document::Block;

/// Whether linked tokens / tokens ≤ `millionths` / 1,000,000 (§3.3).
/// A block without tokens has link density 0.
pub fn link_density_at_most(block: &Block, millionths: u32) -> bool {
    u64::from(block.linked_tokens) * 1_000_000 <= u64::from(block.tokens) * u64::from(millionths)
}

/// Whether the tokens per line ([`Block::text_density`], Eq. 1) are at most `tokens`.
pub fn text_density_at_most(block: &Block, tokens: u32) -> bool {
    u64::from(block.wrapped_tokens) <= full_lines(block) * u64::from(tokens)
}

/// Whether the tokens per line are at least `tokens`.
pub fn text_density_at_least(block: &Block, tokens: u32) -> bool {
    u64::from(block.wrapped_tokens) >= full_lines(block) * u64::from(tokens)
}

/// The number of lines in Eq. 1.
fn full_lines(block: &Block) -> u64 {
    u64::from(block.lines.saturating_sub(1).max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn link_density_is_compared_exactly() {
        let block = |linked_tokens, tokens| Block {
            linked_tokens,
            tokens,
            ..Block::default()
        };
        assert!(link_density_at_most(&block(0, 0), 333_333));
        assert!(!link_density_at_most(&block(1, 3), 333_333));
        assert!(link_density_at_most(&block(333_333, 1_000_000), 333_333));
        assert!(!link_density_at_most(&block(333_334, 1_000_000), 333_333));
        assert!(!link_density_at_most(&block(u32::MAX, u32::MAX), 999_999));
    }

    #[test]
    fn text_density_leaves_out_the_last_line() {
        let block = |wrapped_tokens, lines| Block {
            wrapped_tokens,
            lines,
            ..Block::default()
        };
        assert!(text_density_at_most(&block(0, 0), 0));
        assert!(text_density_at_most(&block(9, 1), 9));
        assert!(text_density_at_most(&block(18, 3), 9));
        assert!(!text_density_at_most(&block(19, 3), 9));
        assert!(!text_density_at_most(&block(u32::MAX, 2), 9));
        assert!(text_density_at_least(&block(18, 3), 9));
        assert!(!text_density_at_least(&block(17, 3), 9));
    }
}
