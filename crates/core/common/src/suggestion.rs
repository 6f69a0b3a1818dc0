//! Suggestions for a misspelled name.

/// The words " (did you mean `x`?)" if a known name is close to the one that was written, otherwise
/// an empty text. A name is close if at most one letter in three is wrong, missing, extra, or
/// swapped with the next.
pub fn did_you_mean<'n>(name: &str, known: impl IntoIterator<Item = &'n str>) -> String {
    let max_distance = name.chars().count().div_ceil(3);
    let nearest = known
        .into_iter()
        .map(|other| (strsim::osa_distance(name, other), other))
        .filter(|(distance, _)| *distance <= max_distance)
        .min();
    nearest.map_or_else(String::new, |(_, other)| {
        format!(" (did you mean `{other}`?)")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_near_is_meant() {
        let meant = |name: &str| did_you_mean(name, ["default", "density", "bte"]);
        assert_eq!(meant("defualt"), " (did you mean `default`?)");
        assert_eq!(meant("densty"), " (did you mean `density`?)");
        assert_eq!(meant("bet"), " (did you mean `bte`?)");
        assert_eq!(meant("readability"), "");
        assert_eq!(meant(""), "");
    }
}
