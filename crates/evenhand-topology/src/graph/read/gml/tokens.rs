//! The words, texts and brackets of GML.

use super::super::Problem;
use super::super::error::Fault;
use super::super::problem::shortened;

/// A key with its value.
pub(super) struct Entry<'t> {
    /// Line of the key, from 1.
    pub(super) line: u64,
    pub(super) key: &'t str,
    pub(super) value: Value<'t>,
}

/// The value of a key.
pub(super) enum Value<'t> {
    /// A number, or a text without its quotation marks.
    Scalar(&'t str),
    /// A list, of which only the opening bracket has been read.
    List,
}

impl<'t> Value<'t> {
    /// The text, unless it is a list.
    pub(super) fn text(&self) -> Option<&'t str> {
        match self {
            Value::Scalar(text) => Some(text),
            Value::List => None,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Token<'t> {
    Open,
    Close,
    Quoted(&'t str),
    Bare(&'t str),
}

/// Walks through a text.
pub(super) struct Tokens<'t> {
    rest: &'t str,
    line: u64,
}

impl<'t> Tokens<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Tokens { rest: text, line: 1 }
    }

    /// The next entry outside of all lists; `None` at the end of the text.
    pub(super) fn entry_at_top(&mut self) -> Result<Option<Entry<'t>>, Fault> {
        match self.next()? {
            None => Ok(None),
            Some(token) => self.entry(token).map(Some),
        }
    }

    /// The next entry of the list that `opening` opened; `None` at its end.
    pub(super) fn entry_in(&mut self, opening: &Entry) -> Result<Option<Entry<'t>>, Fault> {
        match self.next()? {
            None => Err(unclosed(opening)),
            Some(Token::Close) => Ok(None),
            Some(token) => self.entry(token).map(Some),
        }
    }

    /// Passes over the rest of a list, and the lists in it.
    pub(super) fn skip_list(&mut self, opening: &Entry) -> Result<(), Fault> {
        let mut depth = 1_u64;
        while depth > 0 {
            match self.next()? {
                None => return Err(unclosed(opening)),
                Some(Token::Open) => depth += 1,
                Some(Token::Close) => depth -= 1,
                Some(Token::Quoted(_) | Token::Bare(_)) => {}
            }
        }
        Ok(())
    }

    /// The entry whose key is `token`.
    fn entry(&mut self, token: Token<'t>) -> Result<Entry<'t>, Fault> {
        let line = self.line;
        let expected = "a key: a letter, then letters, digits or _";
        let key = match token {
            Token::Bare(word) if is_key(word) => word,
            other => return Err(unexpected(line, other, expected)),
        };
        let value = match self.next()? {
            Some(Token::Open) => Value::List,
            Some(Token::Quoted(text) | Token::Bare(text)) => Value::Scalar(text),
            Some(Token::Close) => {
                let expected = "the value of the key before it";
                return Err(unexpected(self.line, Token::Close, expected));
            }
            None => return Err(Fault::on_line(line, Problem::Missing { what: "a value" })),
        };
        Ok(Entry { line, key, value })
    }

    fn next(&mut self) -> Result<Option<Token<'t>>, Fault> {
        self.skip_blanks_and_comments();
        let Some(first) = self.rest.bytes().next() else {
            return Ok(None);
        };
        let token = match first {
            b'[' => (Token::Open, 1),
            b']' => (Token::Close, 1),
            b'"' => {
                let text = &self.rest[1..];
                let Some(end) = text.find('"') else {
                    return Err(Fault::on_line(self.line, Problem::UnclosedQuote));
                };
                (Token::Quoted(&text[..end]), end + 2)
            }
            _ => {
                let ends = |c: char| c.is_whitespace() || matches!(c, '[' | ']' | '"');
                let end = self.rest.find(ends).unwrap_or(self.rest.len());
                (Token::Bare(&self.rest[..end]), end)
            }
        };
        let (token, length) = token;
        self.advance(length);
        Ok(Some(token))
    }

    fn skip_blanks_and_comments(&mut self) {
        loop {
            let blanks = self.rest.len() - self.rest.trim_start().len();
            self.advance(blanks);
            if !self.rest.starts_with('#') {
                return;
            }
            let end = self.rest.find(['\n', '\r']).unwrap_or(self.rest.len());
            self.advance(end);
        }
    }

    /// Passes over `length` bytes and counts their lines.
    fn advance(&mut self, length: usize) {
        let (passed, rest) = self.rest.split_at(length);
        let bytes = passed.as_bytes();
        for (at, byte) in bytes.iter().enumerate() {
            let next = bytes.get(at + 1).or(rest.as_bytes().first());
            self.line += u64::from(*byte == b'\n' || (*byte == b'\r' && next != Some(&b'\n')));
        }
        self.rest = rest;
    }
}

fn is_key(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && word.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

fn unclosed(opening: &Entry) -> Fault {
    let what = format!("the list `{} [`", shortened(opening.key));
    Fault::on_line(opening.line, Problem::Unclosed { what })
}

fn unexpected(line: u64, token: Token, expected: &'static str) -> Fault {
    let found = match token {
        Token::Open => "[".to_owned(),
        Token::Close => "]".to_owned(),
        Token::Quoted(text) | Token::Bare(text) => shortened(text),
    };
    Fault::on_line(line, Problem::Unexpected { found, expected })
}
