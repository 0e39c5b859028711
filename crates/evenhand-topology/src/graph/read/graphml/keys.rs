//! The attributes that a GraphML file declares.

use std::collections::HashMap;

use quick_xml::events::BytesStart;

use super::super::Problem;
use super::super::coordinates::Axis;
use super::super::entities::decoded;
use super::xml;

/// What an attribute of a vertex is good for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Label,
    Name,
    Coordinate(Axis),
}

/// The declared attributes of vertices that are used, by key. Names may repeat.
#[derive(Default)]
pub(super) struct Keys {
    roles: HashMap<String, Role>,
}

impl Keys {
    /// Takes a `key` element.
    pub(super) fn declare(&mut self, element: &BytesStart) -> Result<(), Problem> {
        let domain = attribute(element, "for")?;
        let for_nodes = matches!(domain.as_deref(), None | Some("node" | "all"));
        let id = attribute(element, "id")?;
        let name = attribute(element, "attr.name")?;
        if let (true, Some(id), Some(role)) = (for_nodes, id, name.as_deref().and_then(role)) {
            self.roles.entry(id).or_insert(role);
        }
        Ok(())
    }

    /// What a `data` element holds, if it is used.
    pub(super) fn role(&self, data: &BytesStart) -> Result<Option<Role>, Problem> {
        let key = attribute(data, "key")?;
        Ok(key.and_then(|key| self.roles.get(&key).copied()))
    }
}

fn role(name: &str) -> Option<Role> {
    if name.eq_ignore_ascii_case("label") {
        Some(Role::Label)
    } else if name.eq_ignore_ascii_case("name") {
        Some(Role::Name)
    } else {
        Axis::named(name).map(Role::Coordinate)
    }
}

/// The value of an attribute of an XML element, without its namespace.
pub(super) fn attribute(element: &BytesStart, name: &str) -> Result<Option<String>, Problem> {
    for attribute in element.attributes() {
        let attribute = attribute.map_err(|error| xml(&error))?;
        if attribute.key.local_name().as_ref() == name {
            return Ok(Some(decoded(&attribute.value)));
        }
    }
    Ok(None)
}
