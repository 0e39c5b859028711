use std::collections::BTreeMap;

use serde_json::value::RawValue;

use super::ColumnError;
use super::content::Content;
use super::rows::Row;

/// The values of a line by key, not read yet.
type Object<'l> = BTreeMap<String, &'l RawValue>;

/// Hands the objects of a file of JSON lines to `each`. The wanted columns are keys of every
/// object; numbers and texts are read.
pub(super) fn for_each(
    content: &Content,
    wanted: &[Option<&str>],
    each: &mut dyn FnMut(&Row<'_>) -> Result<(), ColumnError>,
) -> Result<(), ColumnError> {
    let mut offset = 0;
    for line in content.bytes().split_inclusive(|&byte| byte == b'\n') {
        if !line.trim_ascii().is_empty() {
            hand_over(content, line, offset, wanted, each)?;
        }
        offset += line.len();
    }
    Ok(())
}

fn hand_over(
    content: &Content,
    line: &[u8],
    offset: usize,
    wanted: &[Option<&str>],
    each: &mut dyn FnMut(&Row<'_>) -> Result<(), ColumnError>,
) -> Result<(), ColumnError> {
    let number = || content.line_at(offset);
    let object: Object<'_> = serde_json::from_slice(line).map_err(|source| ColumnError::Json {
        path: content.path(),
        line: number(),
        source,
    })?;
    let texts = wanted.iter().map(|column| {
        let value = value(&object, *column);
        value.ok_or_else(|| missing(content, number(), &object, *column))
    });
    let texts = texts.collect::<Result<Vec<_>, _>>()?;
    let cells: Vec<&str> = texts.iter().map(|text| text.trim()).collect();
    each(&Row { content, offset, cells: &cells })
}

/// The text of a string, the source of any other value.
fn value(object: &Object<'_>, column: Option<&str>) -> Option<String> {
    let source = match column {
        Some(key) => object.get(key)?,
        None if object.len() == 1 => object.values().next()?,
        None => return None,
    };
    let source = source.get();
    Some(serde_json::from_str(source).unwrap_or_else(|_| source.to_string()))
}

fn missing(content: &Content, line: u64, object: &Object<'_>, column: Option<&str>) -> ColumnError {
    let path = content.path();
    let present = object.keys().cloned().collect();
    match column {
        Some(key) => ColumnError::NoKey { path, line, key: key.to_string(), present },
        None => ColumnError::WhichColumn { path, present },
    }
}
