//! The fields of a row.

use std::borrow::Cow;

use super::super::Problem;

/// What stands between fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Separator {
    Blanks,
    Character(char),
}

impl Separator {
    /// A comma or semicolon, if the row has one; a tab, if the row has one and words, which may
    /// hold blanks; else blanks.
    pub(super) fn of(row: &str) -> Self {
        let numbers = || row.split_whitespace().all(|word| word.parse::<f64>().is_ok());
        if row.contains(',') && !row.contains('{') {
            Separator::Character(',')
        } else if row.contains(';') && !row.contains('{') {
            Separator::Character(';')
        } else if row.contains('\t') && !numbers() {
            Separator::Character('\t')
        } else {
            Separator::Blanks
        }
    }

    /// Whether a character surrounds a field without being a part of it.
    fn pads(self, character: char) -> bool {
        character.is_whitespace() && self != Separator::Character(character)
    }
}

/// The fields of a row without surrounding blanks. A field may stand in double quotes; a doubled
/// quotation mark then is one. From a field that starts with `{` or `#` on, the row is ignored:
/// that is a dictionary of attributes, or a comment.
pub(super) fn fields(
    row: &str,
    separator: Separator,
) -> impl Iterator<Item = Result<Cow<'_, str>, Problem>> {
    let mut rest = Some(row);
    std::iter::from_fn(move || {
        let text = rest?.trim_start_matches(|c| separator.pads(c));
        rest = None;
        if text.starts_with(['{', '#']) || (text.is_empty() && separator == Separator::Blanks) {
            return None;
        }
        if let Some(quoted) = text.strip_prefix('"') {
            return Some(unquoted(quoted).map(|(field, after)| {
                rest = tail(after, separator).map(|(_, tail)| tail);
                field
            }));
        }
        let Some((field, tail)) = tail(text, separator) else {
            return Some(Ok(Cow::Borrowed(text.trim_end())));
        };
        rest = Some(tail);
        Some(Ok(Cow::Borrowed(field.trim_end())))
    })
}

/// What stands before and after the first separator.
fn tail(text: &str, separator: Separator) -> Option<(&str, &str)> {
    match separator {
        Separator::Blanks => text.split_once(char::is_whitespace),
        Separator::Character(character) => text.split_once(character),
    }
}

/// A quoted field after its first quotation mark, and what follows the last.
fn unquoted(text: &str) -> Result<(Cow<'_, str>, &str), Problem> {
    let mut from = 0;
    while let Some(found) = text[from..].find('"') {
        let end = from + found;
        if text[end + 1..].starts_with('"') {
            from = end + 2;
            continue;
        }
        let field = &text[..end];
        let field = match field.contains('"') {
            true => Cow::Owned(field.replace("\"\"", "\"")),
            false => Cow::Borrowed(field),
        };
        return Ok((field, &text[end + 1..]));
    }
    Err(Problem::UnclosedQuote)
}
