//! Character references such as `&amp;`, `&eacute;` and `&#233;`.

use quick_xml::escape::resolve_html5_entity;

/// Longest reference that is looked for, in bytes, without `&` and `;`.
const LONGEST: usize = 32;

/// Replaces the references of a text. What is no known reference stays as it is.
pub(super) fn decoded(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find('&') {
        result.push_str(&rest[..start]);
        let after = &rest[start + 1..];
        let end = after.bytes().take(LONGEST + 1).position(|byte| byte == b';');
        match end.filter(|&end| push_character(&after[..end], &mut result)) {
            Some(end) => rest = &after[end + 1..],
            None => {
                result.push('&');
                rest = after;
            }
        }
    }
    result.push_str(rest);
    result
}

/// Appends what a reference means; tells whether it means anything.
pub(super) fn push_character(reference: &str, to: &mut String) -> bool {
    if let Some(number) = reference.strip_prefix('#') {
        let code = match number.strip_prefix(['x', 'X']) {
            Some(digits) => u32::from_str_radix(digits, 16),
            None => number.parse(),
        };
        let character = code.ok().and_then(char::from_u32);
        to.extend(character);
        return character.is_some();
    }
    let characters = resolve_html5_entity(reference);
    to.push_str(characters.unwrap_or_default());
    characters.is_some()
}
