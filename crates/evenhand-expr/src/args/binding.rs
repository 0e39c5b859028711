//! Which argument belongs to which parameter.

use crate::ast::{Arg, Call, Value};
use crate::error::Problem;
use crate::suggest;

/// The arguments of a call, each with its place.
#[derive(Clone, Debug)]
pub(super) struct Bindings<'c> {
    call: &'c Call,
    parameters: Vec<&'static str>,
    bound: Vec<Bound<'c>>,
}

#[derive(Clone, Debug)]
struct Bound<'c> {
    arg: &'c Arg,
    place: Place,
    read: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// Given by key or as a bare flag: the index of the parameter.
    Named(usize),
    /// Given by position: the index among the positional arguments.
    Position(usize),
    /// Given by position and read as one of the rest.
    Rest,
    /// Given by a key that is no parameter.
    Unknown,
}

impl Bound<'_> {
    /// The index of the parameter that this argument is for, if it is for one.
    fn parameter(&self) -> Option<usize> {
        match self.place {
            Place::Named(index) | Place::Position(index) => Some(index),
            Place::Rest | Place::Unknown => None,
        }
    }
}

impl<'c> Bindings<'c> {
    pub(super) fn new(call: &'c Call, parameters: &[&'static str]) -> Bindings<'c> {
        let mut position = 0;
        let bound = call.args.iter().map(|arg| Bound {
            arg,
            place: place(arg, parameters, &mut position),
            read: false,
        });
        Bindings { call, bound: bound.collect(), parameters: parameters.to_vec() }
    }

    pub(super) fn call(&self) -> &'c Call {
        self.call
    }

    pub(super) fn parameters(&self) -> &[&'static str] {
        &self.parameters
    }

    /// The argument of a parameter.
    pub(super) fn get(&self, name: &str) -> Option<&'c Arg> {
        let index = index_of(&self.parameters, name)?;
        let bound = self.bound.iter().find(|b| b.parameter() == Some(index));
        bound.map(|bound| bound.arg)
    }

    /// The argument of a parameter, marked as read.
    pub(super) fn take(&mut self, name: &str) -> Option<&'c Arg> {
        let index = index_of(&self.parameters, name)?;
        let mut first = None;
        for bound in &mut self.bound {
            if bound.parameter() == Some(index) {
                bound.read = true;
                first = first.or(Some(bound.arg));
            }
        }
        first
    }

    /// The positional arguments that are not read yet, with their positions; marked as read.
    pub(super) fn take_rest(&mut self) -> Vec<(usize, &'c Arg)> {
        let mut rest = Vec::new();
        for bound in self.bound.iter_mut().filter(|bound| !bound.read) {
            if let Place::Position(position) = bound.place {
                rest.push((position, bound.arg));
                bound.place = Place::Rest;
                bound.read = true;
            }
        }
        rest
    }

    /// Unknown keys, arguments given twice and positional arguments beyond the last parameter.
    pub(super) fn misplaced(&self) -> Vec<Problem> {
        let mut problems = Vec::new();
        let beyond = self.parameters.len(); // stands for all positions after the last parameter
        let mut seen = vec![false; beyond + 1];
        for bound in &self.bound {
            if bound.place == Place::Unknown {
                problems.push(self.unknown(bound.arg));
            }
            let Some(index) = bound.parameter().map(|index| index.min(beyond)) else {
                continue;
            };
            match (index == beyond, std::mem::replace(&mut seen[index], true)) {
                (true, false) => problems.push(self.too_many(bound.arg)),
                (false, true) => problems.push(self.twice(bound.arg, index)),
                _ => {}
            }
        }
        problems
    }

    /// Arguments that no getter has read.
    pub(super) fn unread(&self) -> Vec<Problem> {
        let unread = self.bound.iter().filter(|bound| !bound.read);
        unread
            .filter_map(|bound| {
                let name = self.parameters.get(bound.parameter()?)?;
                let message = format!("`{name}` has no effect here");
                Some(problem(bound.arg, message, Some("leave it out".to_owned())))
            })
            .collect()
    }

    fn twice(&self, arg: &Arg, index: usize) -> Problem {
        let message = format!("`{}` is given twice", self.parameters[index]);
        problem(arg, message, Some("leave one out".to_owned()))
    }

    fn too_many(&self, arg: &Arg) -> Problem {
        let name = &self.call.name;
        let message = match self.parameters.len() {
            0 => format!("`{name}` takes no arguments"),
            1 => format!("`{name}` takes at most 1 argument"),
            count => format!("`{name}` takes at most {count} arguments"),
        };
        problem(arg, message, self.known())
    }

    fn unknown(&self, arg: &Arg) -> Problem {
        let key = arg.key.as_deref().unwrap_or_default();
        let help = suggest::help(key, self.parameters.iter().copied()).or_else(|| self.known());
        Problem {
            span: arg.key_span,
            message: format!("`{}` has no parameter `{key}`", self.call.name),
            help,
        }
    }

    fn known(&self) -> Option<String> {
        let list = self.parameters.join(", ");
        (!list.is_empty()).then(|| format!("the parameters are {list}"))
    }
}

/// The place of an argument. `position` counts the positional ones.
fn place(arg: &Arg, parameters: &[&'static str], position: &mut usize) -> Place {
    if let Some(key) = &arg.key {
        return index_of(parameters, key).map_or(Place::Unknown, Place::Named);
    }
    if let Value::Call(call) = &arg.value
        && call.is_word()
        && let Some(flag) = index_of(parameters, &call.name)
    {
        return Place::Named(flag);
    }
    *position += 1;
    Place::Position(*position - 1)
}

fn index_of(parameters: &[&'static str], name: &str) -> Option<usize> {
    parameters.iter().position(|parameter| *parameter == name)
}

fn problem(arg: &Arg, message: String, help: Option<String>) -> Problem {
    Problem { span: Some(arg.span), message, help }
}
