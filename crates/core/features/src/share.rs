//! Shares of counts.

/// A quotient of counts; 0 if the denominator is 0.
pub fn share(part: u32, whole: u32) -> f32 {
    if whole == 0 {
        0.0
    } else {
        part as f32 / whole as f32
    }
}
