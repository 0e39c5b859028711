//! Where the users are.

use std::sync::Arc;

use evenhand_core::{PointHash, ReplicationSeed, Role, Stream, unit_f64};
use evenhand_topology::space::voronoi::Window;
use evenhand_topology::space::{Error, Layout, Metric, Places, Point, PointSampler};

/// Users as they were asked for.
pub(super) enum Users {
    /// Uniform on a window of the plane; `None` on the torus, on all of it.
    Uniform(Option<Window>),
    /// Uniform on the sphere.
    Globe,
    Layout(Layout),
    File(Arc<Places>),
}

impl Users {
    /// How results name them.
    pub(super) fn name(&self) -> String {
        match self {
            Self::Uniform(_) | Self::Globe => "uniform".to_string(),
            Self::Layout(layout) => layout.to_string(),
            Self::File(places) => places.source.clone(),
        }
    }

    /// A source of random users. The rows of a file are not drawn.
    pub(super) fn source(&self, seed: u64, metric: Metric) -> Result<Source, Error> {
        let point = PointHash::of(&format!("voronoi;{metric:?};users={}", self.name()));
        let seed = ReplicationSeed { master: seed, point, replication: 0 };
        let kind = match self {
            Self::Uniform(window) => Kind::Window(window.unwrap_or(Window::UNIT)),
            Self::Globe => Kind::Globe,
            Self::Layout(layout) => {
                Kind::Layout(layout.sampler(metric, &mut seed.stream(Role::World))?)
            }
            Self::File(_) => return Err(Error::NoUsers),
        };
        Ok(Source { seed, kind })
    }
}

/// Draws users in blocks, each from its own stream.
pub(super) struct Source {
    seed: ReplicationSeed,
    kind: Kind,
}

enum Kind {
    Window(Window),
    Globe,
    Layout(PointSampler),
}

impl Source {
    /// The users of one block, one after the other.
    pub(super) fn block(&self, block: u64) -> impl FnMut() -> Point + use<'_> {
        let seed = ReplicationSeed { replication: block, ..self.seed };
        let mut stream = seed.stream(Role::Users);
        move || self.draw(&mut stream)
    }

    fn draw(&self, stream: &mut Stream) -> Point {
        match &self.kind {
            Kind::Layout(sampler) => sampler.draw(stream),
            Kind::Window(window) => {
                let (low, high) = (window.low(), window.high());
                let x = low.x + (high.x - low.x) * unit_f64(stream);
                Point { x, y: low.y + (high.y - low.y) * unit_f64(stream) }
            }
            // The sine of the latitude is uniform (Archimedes).
            Kind::Globe => Point {
                x: 360.0 * unit_f64(stream) - 180.0,
                y: (2.0 * unit_f64(stream) - 1.0).asin().to_degrees(),
            },
        }
    }
}
