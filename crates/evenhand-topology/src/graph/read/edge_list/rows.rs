//! The rows of an edge list.

use std::borrow::Cow;

use super::super::Problem;
use super::super::error::Fault;
use super::super::input::text_lines;
use super::fields::{Separator, fields};

/// The ends of one edge.
pub(super) struct Row<'t> {
    pub(super) from: Cow<'t, str>,
    pub(super) to: Cow<'t, str>,
    /// Number of fields of the row.
    pub(super) fields: usize,
}

/// Walks through the rows that are no comments. The first row tells the separator, and how many
/// fields every row must have.
pub(super) struct Rows<'t> {
    lines: Box<dyn Iterator<Item = (u64, &'t str)> + 't>,
    first: Option<(Separator, usize)>,
}

impl<'t> Iterator for Rows<'t> {
    type Item = Result<Row<'t>, Fault>;

    fn next(&mut self) -> Option<Self::Item> {
        let (number, line) = self.lines.next()?;
        Some(self.row(line).map_err(|problem| Fault::on_line(number, problem)))
    }
}

impl<'t> Rows<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        let lines = text_lines(text)
            .map(|(number, line)| (number, line.trim()))
            .filter(|(_, line)| !line.is_empty() && !line.starts_with(['#', '%']));
        Rows { lines: Box::new(lines), first: None }
    }

    fn row(&mut self, line: &'t str) -> Result<Row<'t>, Problem> {
        let separator = self.first.map_or_else(|| Separator::of(line), |(found, _)| found);
        let mut fields = fields(line, separator);
        let from = fields.next().transpose()?.unwrap_or_default();
        let to = fields.next().transpose()?;
        let mut count = 1 + usize::from(to.is_some());
        for field in fields {
            field?;
            count += 1;
        }
        let Some(to) = to else {
            let hint = "a row needs the two ends of an edge";
            return Err(Problem::FieldCount { found: count, expected: 2, hint });
        };
        let (_, expected) = *self.first.get_or_insert((separator, count));
        if count != expected {
            let hint = "the first row has so many";
            return Err(Problem::FieldCount { found: count, expected, hint });
        }
        if from.is_empty() || to.is_empty() {
            return Err(Problem::Missing { what: "the name of an end (the field is blank)" });
        }
        Ok(Row { from, to, fields: count })
    }
}

/// The number in a comment such as `# Nodes: 5 Edges: 4`, with its line.
pub(super) fn declared_vertices(text: &str) -> Option<(u64, u64)> {
    let mut comments =
        text_lines(text).filter(|(_, line)| line.trim_start().starts_with(['#', '%']));
    comments.find_map(|(number, line)| {
        let words = || line.split(|c: char| c.is_whitespace() || matches!(c, '#' | '%'));
        let mut pairs = words().zip(words().skip(1));
        let (_, count) = pairs.find(|(word, _)| word.eq_ignore_ascii_case("nodes:"))?;
        Some((number, count.parse().ok()?))
    })
}
