//! GraphML (Brandes et al. 2001), an XML format.

mod keys;
mod state;

use quick_xml::Reader;
use quick_xml::events::Event;

use super::Problem;
use super::error::Fault;
use super::raw::RawGraph;
use state::State;

pub(super) fn read(text: &str) -> Result<RawGraph, Fault> {
    let mut reader = Reader::from_str(text);
    reader.config_mut().expand_empty_elements = true;
    let mut state = State::default();
    loop {
        let offset = reader.buffer_position() as usize;
        let event = match reader.read_event() {
            Ok(event) => event,
            Err(error) => {
                let at = reader.error_position() as usize;
                return Err(Fault::at_offset(text.as_bytes(), at, xml(&error)));
            }
        };
        let outcome = match event {
            Event::Start(element) => state.open(&element, offset),
            Event::End(_) => state.close(),
            Event::Text(characters) => state.text(&characters.xml10_content()),
            Event::CData(characters) => state.text(&characters.xml10_content()),
            Event::GeneralRef(reference) => state.reference(&reference.into_inner()),
            Event::Eof => break,
            Event::Empty(_)
            | Event::Comment(_)
            | Event::Decl(_)
            | Event::PI(_)
            | Event::DocType(_) => Ok(()),
        };
        outcome.map_err(|problem| Fault::at_offset(text.as_bytes(), offset, problem))?;
    }
    state.finish(text)
}

/// What the XML parser says.
fn xml(error: &dyn std::error::Error) -> Problem {
    Problem::Xml { message: error.to_string() }
}
