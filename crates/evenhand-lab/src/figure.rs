//! Figures: charts and maps of a record as SVG and PNG.
//!
//! The plotting library stays inside this module. Every figure is one scene of lines, shapes and
//! text; SVG and PNG are drawn from the same scene, so they show the same. PNG uses a font that
//! the library carries, so text appears on machines without fonts.

mod allocate;
mod bounds;
mod canvas;
mod map;
mod maximum;
mod network;
mod predict;
mod queue;
mod series;
mod sojourn;
mod style;
mod tail;
mod time;
mod trade_off;
mod transient;

use std::path::Path;

use crate::Error;
use crate::facet::{self, Faceted};
use crate::record::{LoadMap, Record, Reported};
use canvas::Drawing;

/// A result that can be drawn.
pub trait Drawn: Faceted {
    /// What to do when there is nothing to draw.
    const NOTHING_TO_DRAW: &'static str;

    /// All charts of `record`, whose results have the names `labels`.
    fn charts(record: &Record<Self>, labels: &[String]) -> Vec<Drawing>;
}

/// A finished figure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Figure {
    /// A name that is unique among the figures of a record: `load-distribution`, `map-1`.
    pub id: String,
    /// Title, as it stands in the picture.
    pub title: String,
    /// What the picture shows, in words.
    pub alt_text: String,
    /// The picture: one `svg` element with a white background, without external references. All
    /// its ids start with `id`, so that several figures can stand in one page.
    pub svg: String,
}

/// Draws all figures that `record` and `maps` have data for.
///
/// For an allocation, in order: the load distribution, the distribution of the maximum load (more
/// than one run), distance against maximum load (places and at least two policies).
///
/// For queues: the tail of the queue lengths, the distribution of the sojourn time, queue lengths
/// over time (where times were asked for), distance against mean sojourn time (places and at
/// least two policies).
///
/// Then one map or graph per entry of `maps`. Quantities that do not exist (weighted balls have
/// no integer loads, unstable queues no distribution) are left out.
pub fn render<R: Reported>(record: &Record<R>, maps: &[LoadMap]) -> Vec<Figure> {
    drawings(record, maps).iter().map(Drawing::figure).collect()
}

/// Draws all figures below each other into one picture, `.svg` or `.png` by its name.
///
/// # Errors
/// [`Error::PlotExtension`] for another ending, [`Error::NothingToDraw`] when there is no figure,
/// [`Error::Raster`] when the PNG fails, [`Error::File`] when the file cannot be written.
pub fn write_plot<R: Reported>(
    record: &Record<R>,
    maps: &[LoadMap],
    path: &Path,
) -> Result<(), Error> {
    let kind = Kind::of(path)?;
    let drawings = drawings(record, maps);
    if drawings.is_empty() {
        return Err(Error::NothingToDraw { reason: R::NOTHING_TO_DRAW });
    }
    let stacked = canvas::stack(drawings);
    let bytes = match kind {
        Kind::Svg => stacked.svg().into_bytes(),
        Kind::Png => stacked.png()?,
    };
    std::fs::write(path, bytes).map_err(|source| Error::File { path: path.to_owned(), source })
}

/// Checks that [`write_plot`] knows the kind of picture, before any long work.
///
/// # Errors
/// [`Error::PlotExtension`] when `path` ends neither in `.svg` nor in `.png`.
pub fn check_path(path: &Path) -> Result<(), Error> {
    Kind::of(path).map(|_| ())
}

enum Kind {
    Svg,
    Png,
}

impl Kind {
    fn of(path: &Path) -> Result<Self, Error> {
        let extension = path.extension().and_then(|extension| extension.to_str());
        match extension.map(str::to_ascii_lowercase).as_deref() {
            Some("svg") => Ok(Self::Svg),
            Some("png") => Ok(Self::Png),
            _ => Err(Error::PlotExtension { path: path.to_owned() }),
        }
    }
}

fn drawings<R: Reported>(record: &Record<R>, maps: &[LoadMap]) -> Vec<Drawing> {
    let charts = R::charts(record, &facet::labels(record));
    charts.into_iter().chain(map::draw_all(maps)).collect()
}
