//! What can be wrong with the content of a file.

/// What is wrong at a place of a file, and what to do.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// The text is not UTF-8.
    #[error("the text is not UTF-8; convert the file, for example with iconv")]
    NotUtf8,
    /// More vertices are claimed than the file can be trusted with.
    #[error(
        "{claimed} vertices are claimed, and a file of this length may have at most {limit}; \
         check the number, or list edges with fewer isolated vertices"
    )]
    TooManyVertices {
        /// Number of vertices claimed.
        claimed: u64,
        /// Greatest number believed.
        limit: u64,
    },
    /// An edge ends at a vertex that is not there.
    #[error("the edge ends at vertex {id:?}, which the file does not define; define it")]
    UnknownVertex {
        /// Identifier of the vertex.
        id: String,
    },
    /// Two vertices have the same identifier.
    #[error("a vertex with the identifier {id:?} came before; identifiers must differ")]
    RepeatedVertex {
        /// The identifier.
        id: String,
    },
    /// Something that must be there is not.
    #[error("{what} is missing; add it")]
    Missing {
        /// What is missing.
        what: &'static str,
    },
    /// A value has the wrong form.
    #[error("{what} is {found:?}; it must be {expected}")]
    Value {
        /// What the value is for.
        what: &'static str,
        /// The value found, shortened if it is long.
        found: String,
        /// What it should have been.
        expected: &'static str,
    },
    /// A row has the wrong number of fields.
    #[error("the number of fields of this row is {found}, and should be {expected}; {hint}")]
    FieldCount {
        /// Number of fields of the row.
        found: usize,
        /// Number that it should have.
        expected: usize,
        /// Where the number comes from.
        hint: &'static str,
    },
    /// A quoted text does not end.
    #[error("a quotation mark opens here and never closes; close it")]
    UnclosedQuote,
    /// A list or an element does not end.
    #[error("{what} opens here and never closes; close it, or see whether the file is complete")]
    Unclosed {
        /// What does not end.
        what: String,
    },
    /// Something stands where it cannot stand.
    #[error("found {found:?}, expected {expected}")]
    Unexpected {
        /// What was found, shortened if it is long.
        found: String,
        /// What should stand here.
        expected: &'static str,
    },
    /// The text is not well-formed XML.
    #[error("this is not well-formed XML: {message}; correct the file")]
    Xml {
        /// What the XML parser says.
        message: String,
    },
    /// The text is not JSON, or not of this form.
    #[error("this is not node-link JSON: {message}; correct the file")]
    Json {
        /// What the JSON parser says.
        message: String,
    },
    /// Something of the format that an undirected graph cannot hold.
    #[error("{what} cannot be read as a plain graph; {hint}")]
    Unsupported {
        /// What cannot be read.
        what: &'static str,
        /// What to do.
        hint: &'static str,
    },
    /// The matrix is not square.
    #[error(
        "the matrix is {rows} x {columns}, and a graph needs a square one; its rows and columns \
         are not the same vertices"
    )]
    NotSquare {
        /// Number of rows.
        rows: u64,
        /// Number of columns.
        columns: u64,
    },
    /// An entry lies outside of the matrix.
    #[error("{what} {index} is not from 1 to {size}; correct the entry or the size line")]
    IndexOutOfRange {
        /// Row or column.
        what: &'static str,
        /// The index found.
        index: u64,
        /// Number of rows, or of columns.
        size: u64,
    },
    /// The file has too few or too many entries.
    #[error("the size line promises {promised} entries, and here is entry {found}; remove it")]
    ExtraEntry {
        /// Number of entries promised.
        promised: u64,
        /// Number of this entry, from 1.
        found: u64,
    },
    /// The file ends before all entries have come.
    #[error(
        "the size line promises {promised} entries, and the file ends after {found}; \
         see whether it is complete"
    )]
    MissingEntries {
        /// Number of entries promised.
        promised: u64,
        /// Number of entries found.
        found: u64,
    },
    /// A line of graph6 or sparse6 has the wrong length.
    #[error(
        "the line has {found} bytes, and {expected} are needed for {vertices} vertices; \
         see whether it is complete"
    )]
    LineLength {
        /// Length of the line, in bytes, without header and line end.
        found: u64,
        /// Length that it should have.
        expected: u64,
        /// Number of vertices.
        vertices: u64,
    },
    /// The line ends within the number of vertices.
    #[error("the line ends within the number of vertices; see whether it is complete")]
    Truncated,
    /// The bits after the last edge are not what the format demands.
    #[error("the bits after the last edge are not filled as they must be; the line is damaged")]
    Padding,
    /// An edge of sparse6 ends beyond the last vertex.
    #[error(
        "an edge ends at vertex {vertex}, and there are {vertices}, from 0; the line is damaged"
    )]
    VertexOutOfRange {
        /// The vertex found.
        vertex: u64,
        /// Number of vertices.
        vertices: u64,
    },
}

/// The beginning of a text, for a message.
pub(super) fn shortened(text: &str) -> String {
    const SHOWN: usize = 40;
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}
