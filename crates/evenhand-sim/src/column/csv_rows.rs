use csv::ByteRecord;

use super::ColumnError;
use super::content::Content;
use super::instants::is_data;
use super::rows::Row;

/// Hands the rows of a CSV file to `each`. The first row is the header, except that a file of
/// one column that is not named may begin with its first number or timestamp.
pub(super) fn for_each(
    content: &Content,
    wanted: &[Option<&str>],
    each: &mut dyn FnMut(&Row<'_>) -> Result<(), ColumnError>,
) -> Result<(), ColumnError> {
    let mut reader =
        csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(content.bytes());
    let mut record = ByteRecord::new();
    if !next(content, &mut reader, &mut record)? {
        return Ok(());
    }
    let columns = record.len();
    let header: Vec<String> =
        record.iter().map(|cell| String::from_utf8_lossy(cell.trim_ascii()).into_owned()).collect();
    let positions = positions(content, &header, wanted)?;
    let begins_with_data = wanted.iter().all(Option::is_none) && is_data(&header[positions[0]]);
    let mut more = begins_with_data || next(content, &mut reader, &mut record)?;
    while more {
        let offset = record.position().map_or(0, |position| position.byte() as usize);
        if record.len() != columns {
            let (path, line) = (content.path(), content.line_at(offset));
            return Err(ColumnError::Cells { path, line, cells: record.len(), columns });
        }
        hand_over(content, &record, offset, &positions, each)?;
        more = next(content, &mut reader, &mut record)?;
    }
    Ok(())
}

fn next(
    content: &Content,
    reader: &mut csv::Reader<&[u8]>,
    record: &mut ByteRecord,
) -> Result<bool, ColumnError> {
    let csv_error = |source: csv::Error| ColumnError::File {
        path: content.path(),
        source: std::io::Error::other(source),
    };
    reader.read_byte_record(record).map_err(csv_error)
}

fn hand_over(
    content: &Content,
    record: &ByteRecord,
    offset: usize,
    positions: &[usize],
    each: &mut dyn FnMut(&Row<'_>) -> Result<(), ColumnError>,
) -> Result<(), ColumnError> {
    // At most three columns are ever wanted.
    let mut cells = [""; 3];
    let cells = &mut cells[..positions.len()];
    for (cell, &position) in cells.iter_mut().zip(positions) {
        let bytes = record[position].trim_ascii();
        *cell = std::str::from_utf8(bytes).map_err(|_| ColumnError::Cell {
            path: content.path(),
            line: content.line_at(offset),
            cell: String::from_utf8_lossy(bytes).into_owned(),
        })?;
    }
    each(&Row { content, offset, cells })
}

fn positions(
    content: &Content,
    header: &[String],
    wanted: &[Option<&str>],
) -> Result<Vec<usize>, ColumnError> {
    wanted.iter().map(|column| position(content, header, *column)).collect()
}

fn position(
    content: &Content,
    header: &[String],
    column: Option<&str>,
) -> Result<usize, ColumnError> {
    let path = content.path();
    let present = header.to_vec();
    let Some(name) = column else {
        let only = header.len() == 1;
        return if only { Ok(0) } else { Err(ColumnError::WhichColumn { path, present }) };
    };
    let matching = |same: fn(&str, &str) -> bool| -> Vec<usize> {
        (0..header.len()).filter(|&i| same(&header[i], name)).collect()
    };
    let exact = matching(|a, b| a == b);
    let found = if exact.is_empty() { matching(str::eq_ignore_ascii_case) } else { exact };
    match found[..] {
        [position] => Ok(position),
        [] => Err(ColumnError::NoColumn { path, column: name.to_string(), present }),
        _ => Err(ColumnError::RepeatedColumn { path, column: name.to_string() }),
    }
}
