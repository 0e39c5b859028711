//! Maps and graphs: servers at their places, coloured and sized by load.

use kuva::plot::ColorMap;
use kuva::plot::scatter::ScatterPlot;
use kuva::render::color::Color;
use kuva::render::plots::Plot;
use kuva::render::render::{Primitive, Scene, TextAnchor, render_multiple};

use super::bounds::Bounds;
use super::canvas::Drawing;
use super::network::{self, Projection};
use super::style;
use crate::number::{significant, thousands};
use crate::record::{LoadMap, MapPoint};

/// Space around the plot area in points: left, right (with the colour scale), top, bottom.
const LEFT: f64 = 90.0;
const RIGHT: f64 = 110.0;
const TOP: f64 = 48.0;
const BOTTOM: f64 = 62.0;
/// Longer titles would stand out of the picture; the description of the figure has all of it.
const TITLE_CHARACTERS: usize = 62;
/// Larger maps show an even selection of their servers.
const SHOWN_SERVERS: usize = 20_000;
/// Steps of the colour scale in the picture.
const SCALE_STEPS: usize = 64;

/// One map per entry with places, all with the same colour scale.
pub(super) fn draw_all(maps: &[LoadMap]) -> Vec<Drawing> {
    let loads = maps.iter().flat_map(|map| &map.points).map(|p| p.load);
    let greatest = loads.filter(|load| style::drawable(*load)).fold(0.0, f64::max);
    let scale = Scale { top: if greatest > 0.0 { greatest } else { 1.0 } };
    let numbered = maps.iter().enumerate();
    numbered.filter_map(|(index, map)| draw(index + 1, map, &scale)).collect()
}

fn draw(number: usize, map: &LoadMap, scale: &Scale) -> Option<Drawing> {
    let bounds = Bounds::around(map)?;
    let shown = selection(map);
    let title = title(map, shown.len());
    let short_title = style::text_within(&title, TITLE_CHARACTERS);
    let projection = Projection { bounds: &bounds, left: LEFT, top: TOP };
    let mut scene = if map.placed {
        with_axes(map, &short_title, servers(&shown, &bounds, scale), &bounds)
    } else {
        let radius = radius(&bounds, shown.len());
        let vertex = |p: &&MapPoint| (p.x, p.y, scale.radius(radius, p.load), scale.css(p.load));
        let height = TOP + bounds.height + BOTTOM / 2.0;
        network::bare(&short_title, height, shown.iter().map(vertex), &projection)
    };
    if let Some(edges) = network::edges(map, &projection) {
        let first = |element: &Primitive| {
            matches!(element, Primitive::Circle { .. } | Primitive::CircleBatch { .. })
        };
        let below = scene.elements.iter().position(first).unwrap_or(scene.elements.len());
        scene.elements.insert(below, edges);
    }
    scale.draw(&mut scene, LEFT + bounds.width + 24.0, TOP);
    Some(Drawing::new(format!("map-{number}"), title, alt_text(map), scene))
}

fn with_axes(map: &LoadMap, title: &str, servers: Plot, bounds: &Bounds) -> Scene {
    let plots = vec![servers];
    let (x_label, y_label) =
        if map.geographic { ("longitude (degrees)", "latitude (degrees)") } else { ("x", "y") };
    let x_step = style::nice_step(bounds.x[1] - bounds.x[0], (bounds.width / 80.0).max(2.0));
    let y_step = style::nice_step(bounds.y[1] - bounds.y[0], (bounds.height / 60.0).max(2.0));
    let right = style::WIDTH - LEFT - bounds.width;
    let layout = style::layout(&plots, title)
        .with_x_label(x_label)
        .with_y_label(y_label)
        .with_y_label_offset(-12.0, 0.0)
        .with_title_size(15)
        .with_height(TOP + bounds.height + BOTTOM)
        .with_force_margins(LEFT, right.max(RIGHT))
        .with_force_margins_y(TOP, BOTTOM)
        .with_x_axis_min(bounds.x[0])
        .with_x_axis_max(bounds.x[1])
        .with_y_axis_min(bounds.y[0])
        .with_y_axis_max(bounds.y[1])
        .with_x_tick_step(x_step)
        .with_x_tick_format(style::ticks_of(x_step))
        .with_y_tick_step(y_step)
        .with_y_tick_format(style::ticks_of(y_step));
    render_multiple(plots, layout)
}

fn title(map: &LoadMap, shown: usize) -> String {
    if !map.edges.is_empty() {
        let of_run = if map.first_run { " of the first run" } else { "" };
        format!("Load on the graph{of_run}: {}", map.policy)
    } else if shown < map.points.len() {
        let of = thousands(map.points.len() as u64);
        let shown = thousands(shown as u64);
        format!("Load by server: {} ({shown} of {of} servers shown)", map.policy)
    } else {
        format!("Load by server: {}", map.policy)
    }
}

/// The servers to draw, the most loaded last and so on top.
fn selection(map: &LoadMap) -> Vec<&MapPoint> {
    let stride = map.points.len().div_ceil(SHOWN_SERVERS).max(1);
    let drawable = |p: &&MapPoint| [p.x, p.y, p.load].into_iter().all(style::drawable);
    let mut shown: Vec<_> = map.points.iter().step_by(stride).filter(drawable).collect();
    shown.sort_by(|a, b| a.load.total_cmp(&b.load));
    shown
}

fn servers(shown: &[&MapPoint], bounds: &Bounds, scale: &Scale) -> Plot {
    let radius = radius(bounds, shown.len());
    ScatterPlot::new()
        .with_data(shown.iter().map(|p| (p.x, p.y)).collect::<Vec<_>>())
        .with_sizes(shown.iter().map(|p| scale.radius(radius, p.load)).collect::<Vec<_>>())
        .with_colors(shown.iter().map(|p| scale.css(p.load)).collect::<Vec<_>>())
        .with_marker_opacity(0.9)
        .into()
}

/// Middle radius of a server in points.
fn radius(bounds: &Bounds, servers: usize) -> f64 {
    let room = bounds.width * bounds.height / servers.max(1) as f64;
    (0.3 * room.sqrt()).clamp(1.6, 8.0)
}

/// Loads from 0 to `top` as colours from light to dark (viridis, reversed).
struct Scale {
    top: f64,
}

impl Scale {
    fn share(&self, load: f64) -> f64 {
        (load / self.top).clamp(0.0, 1.0)
    }

    fn radius(&self, middle: f64, load: f64) -> f64 {
        middle * (0.6 + 0.8 * self.share(load))
    }

    fn css(&self, load: f64) -> String {
        // The lightest tenth of viridis is too pale on white.
        ColorMap::Viridis.map(0.92 * (1.0 - self.share(load)))
    }

    fn draw(&self, scene: &mut Scene, left: f64, top: f64) {
        let (width, height) = (16.0, 200.0);
        let caption_height = 22.0;
        let top = top + caption_height;
        scene.elements.push(text("load", left, top - 10.0));
        let step = height / SCALE_STEPS as f64;
        let levels = 0..SCALE_STEPS;
        scene.elements.push(Primitive::RectBatch {
            x: vec![left; SCALE_STEPS],
            // Half a point of overlap hides the seams.
            y: levels.clone().map(|i| top + i as f64 * step).collect(),
            w: vec![width; SCALE_STEPS],
            h: vec![step + 0.5; SCALE_STEPS],
            fills: levels
                .map(|i| {
                    let share = 1.0 - (i as f64 + 0.5) / SCALE_STEPS as f64;
                    Color::from(self.css(share * self.top).as_str())
                })
                .collect(),
        });
        self.draw_ticks(scene, left + width, top, height);
    }

    fn draw_ticks(&self, scene: &mut Scene, left: f64, top: f64, height: f64) {
        let step = if self.top >= 4.0 {
            style::integer_step(self.top, 5.0)
        } else {
            style::nice_step(self.top, 4.0)
        };
        let format = style::ticks_of(step);
        for index in 0..=(self.top / step + 1e-9) as u32 {
            let load = f64::from(index) * step;
            let y = top + height * (1.0 - load / self.top);
            scene.elements.push(Primitive::Line {
                x1: left,
                y1: y,
                x2: left + 5.0,
                y2: y,
                stroke: Color::from("black"),
                stroke_width: 1.0,
                stroke_dasharray: None,
            });
            scene.elements.push(text(&format.format(load), left + 9.0, y + 4.0));
        }
    }
}

fn text(content: &str, x: f64, y: f64) -> Primitive {
    Primitive::Text {
        x,
        y,
        content: content.into(),
        size: 12,
        anchor: TextAnchor::Start,
        rotate: None,
        bold: false,
        color: None,
    }
}

fn alt_text(map: &LoadMap) -> String {
    let count = thousands(map.points.len() as u64);
    let most = map.points.iter().max_by(|a, b| a.load.total_cmp(&b.load));
    let most = most.map(|p| {
        let name = p.name.as_ref().map_or("one server".into(), String::clone);
        format!(" Most loaded: {name}, {}.", significant(p.load, 4))
    });
    let what = if map.edges.is_empty() {
        format!("Map of {count} servers")
    } else {
        format!("Graph of {count} servers and {} edges", thousands(map.edges.len() as u64))
    };
    format!("{what} coloured by load under {}.{}", map.policy, most.unwrap_or_default())
}
