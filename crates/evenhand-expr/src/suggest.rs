//! "Did you mean": the nearest name to a misspelt one.

/// The candidate nearest to `word`, if it is near enough to be meant.
///
/// Near enough is a Damerau-Levenshtein distance, letter case ignored, of at most a third of the
/// word's characters (but at least 1), and less than all of them. Of equally near candidates the
/// first is taken.
///
/// ```
/// use evenhand_expr::did_you_mean;
/// let names = ["choices", "two-choice", "left"];
/// assert_eq!(did_you_mean("chocies", names), Some("choices"));
/// assert_eq!(did_you_mean("Left", names), Some("left"));
/// assert_eq!(did_you_mean("walks", names), None);
/// ```
pub fn did_you_mean<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let word = word.to_lowercase();
    let length = word.chars().count();
    let cut_off = (length / 3).max(1);
    candidates
        .into_iter()
        .filter(|candidate| candidate.chars().count().abs_diff(length) <= cut_off)
        .map(|candidate| {
            let distance = strsim::damerau_levenshtein(&word, &candidate.to_lowercase());
            (distance, candidate)
        })
        .filter(|&(distance, _)| distance <= cut_off && distance < length)
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, candidate)| candidate)
}

/// The help line for [`did_you_mean`].
pub(crate) fn help<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<String> {
    did_you_mean(word, candidates).map(|candidate| format!("did you mean `{candidate}`?"))
}

#[cfg(test)]
mod tests {
    use super::did_you_mean;

    #[test]
    fn nearest_wins_and_the_first_of_equals() {
        assert_eq!(did_you_mean("mean", ["meat", "means", "mean"]), Some("mean"));
        assert_eq!(did_you_mean("cat", ["car", "cab"]), Some("car"));
    }

    #[test]
    fn unrelated_short_names_are_not_suggested() {
        assert_eq!(did_you_mean("x", ["d", "k"]), None);
        assert_eq!(did_you_mean("D", ["d", "k"]), Some("d"));
        assert_eq!(did_you_mean("", ["d"]), None);
    }

    #[test]
    fn underscores_and_transpositions_are_near() {
        assert_eq!(did_you_mean("two_choice", ["two-choice"]), Some("two-choice"));
        assert_eq!(did_you_mean("lfet", ["left"]), Some("left"));
    }

    #[test]
    fn a_huge_word_is_cheap() {
        assert_eq!(did_you_mean(&"a".repeat(1_000_000), ["choices"]), None);
    }
}
