//! Line charts as SVG, drawn here so that the page needs nothing else.

use std::fmt::Write as _;

/// One line of a chart.
#[derive(Clone, Debug, Default)]
pub(super) struct Series {
    pub(super) name: String,
    /// Points in the order of their first number.
    pub(super) points: Vec<(f64, f64)>,
    /// For each point the ends of its interval; empty for none.
    pub(super) intervals: Vec<(f64, f64)>,
}

/// A chart with one horizontal and one vertical scale.
#[derive(Clone, Debug, Default)]
pub(super) struct Chart {
    pub(super) title: String,
    /// What the horizontal scale counts.
    pub(super) across: String,
    pub(super) series: Vec<Series>,
    /// Values that the vertical scale must hold.
    pub(super) includes: Vec<f64>,
    /// Marked levels, each with its name.
    pub(super) levels: Vec<(f64, String)>,
}

const WIDTH: f64 = 480.0;
const HEIGHT: f64 = 260.0;
const LEFT: f64 = 52.0;
const RIGHT: f64 = 12.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 34.0;

/// A line has at most this many points; more are averaged.
const POINTS: usize = 300;

/// From numbers to places in the picture.
#[derive(Clone, Copy, Debug)]
struct Scale {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

impl Scale {
    fn at(&self, value: f64) -> f64 {
        self.from + (value - self.low) / (self.high - self.low) * (self.to - self.from)
    }

    /// Round numbers within the scale, about `count` of them.
    fn ticks(&self, count: f64) -> Vec<f64> {
        let rough = (self.high - self.low) / count;
        let power = 10_f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].map(|unit| unit * power).into_iter().find(|step| *step >= rough);
        let step = step.unwrap_or(10.0 * power);
        let first = (self.low / step).ceil() as i64;
        let last = (self.high / step).floor() as i64;
        (first..=last).map(|number| number as f64 * step).collect()
    }
}

/// The smallest and the largest of some numbers, apart from each other.
fn range(numbers: impl Iterator<Item = f64>) -> (f64, f64) {
    let finite = numbers.filter(|number| number.is_finite());
    let (low, high) = finite
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), number| (low.min(number), high.max(number)));
    match (low <= high, high - low > 1e-9 * high.abs().max(1e-9)) {
        (false, _) => (0.0, 1.0),
        (true, false) => (low - 0.5, high + 0.5),
        (true, true) => (low, high),
    }
}

impl Chart {
    /// The chart with its title and the names of its lines.
    pub(super) fn html(&self) -> String {
        let series: Vec<Series> = self.series.iter().map(Series::thinned).collect();
        let points = || series.iter().flat_map(|line| &line.points);
        let (low, high) = range(points().map(|point| point.0));
        let across = Scale { low, high, from: LEFT, to: WIDTH - RIGHT };
        let ends = series.iter().flat_map(|line| &line.intervals).flat_map(|&(low, high)| [low, high]);
        let levels = self.levels.iter().map(|level| level.0);
        let (low, high) = range(
            points().map(|point| point.1).chain(ends).chain(self.includes.iter().copied()).chain(levels),
        );
        let room = 0.04 * (high - low);
        let up = Scale { low: low - room, high: high + room, from: HEIGHT - BOTTOM, to: TOP };
        let mut svg =
            format!("<svg viewBox='0 0 {WIDTH} {HEIGHT}' role='img'><title>{}</title>", escaped(&self.title));
        self.grid(&mut svg, across, up);
        for (number, line) in series.iter().enumerate() {
            line.draw(&mut svg, number, across, up);
        }
        svg.push_str("</svg>");
        let mut html = format!("<figure><figcaption>{}", escaped(&self.title));
        if series.len() > 1 {
            for (number, line) in series.iter().enumerate() {
                let _ = write!(html, " <span class='key c{number}'>{}</span>", escaped(&line.name));
            }
        }
        html + "</figcaption>" + &svg + "</figure>"
    }

    /// Grid lines with their numbers, and the marked levels.
    fn grid(&self, svg: &mut String, across: Scale, up: Scale) {
        for value in up.ticks(5.0) {
            let y = up.at(value);
            let _ = write!(
                svg,
                "<line class='grid' x1='{LEFT}' x2='{}' y1='{y:.1}' y2='{y:.1}'/><text x='{}' y='{:.1}' \
                 text-anchor='end'>{}</text>",
                WIDTH - RIGHT,
                LEFT - 6.0,
                y + 4.0,
                number_text(value)
            );
        }
        for value in across.ticks(6.0) {
            let _ = write!(
                svg,
                "<text x='{:.1}' y='{}' text-anchor='middle'>{}</text>",
                across.at(value),
                HEIGHT - BOTTOM + 16.0,
                number_text(value)
            );
        }
        let _ = write!(
            svg,
            "<text x='{}' y='{}' text-anchor='end'>{}</text>",
            WIDTH - RIGHT,
            HEIGHT - 3.0,
            escaped(&self.across)
        );
        for (level, name) in &self.levels {
            let y = up.at(*level);
            let _ = write!(
                svg,
                "<line class='level' x1='{LEFT}' x2='{}' y1='{y:.1}' y2='{y:.1}'/><text class='level' x='{}' \
                 y='{:.1}'>{}</text>",
                WIDTH - RIGHT,
                LEFT + 4.0,
                y - 3.0,
                escaped(name)
            );
        }
    }
}

impl Series {
    /// At most [`POINTS`] points, means of neighbours where there are more; intervals are kept as they are, as lines
    /// that have them are short.
    fn thinned(&self) -> Self {
        if self.points.len() <= POINTS || !self.intervals.is_empty() {
            return self.clone();
        }
        let size = self.points.len().div_ceil(POINTS);
        let mean = |chunk: &[(f64, f64)]| {
            let count = chunk.len() as f64;
            let sum = chunk.iter().fold((0.0, 0.0), |sum, point| (sum.0 + point.0, sum.1 + point.1));
            (sum.0 / count, sum.1 / count)
        };
        Self { points: self.points.chunks(size).map(mean).collect(), ..self.clone() }
    }

    fn draw(&self, svg: &mut String, number: usize, across: Scale, up: Scale) {
        let place = |x: f64, y: f64| format!("{:.1},{:.1}", across.at(x), up.at(y));
        if !self.intervals.is_empty() {
            let pairs = || self.points.iter().zip(&self.intervals);
            let upper = pairs().map(|(point, interval)| place(point.0, interval.1));
            let lower = pairs().rev().map(|(point, interval)| place(point.0, interval.0));
            let outline: Vec<String> = upper.chain(lower).collect();
            let _ = write!(svg, "<polygon class='band c{number}' points='{}'/>", outline.join(" "));
        }
        let line: Vec<String> = self.points.iter().map(|point| place(point.0, point.1)).collect();
        let _ = write!(svg, "<polyline class='line c{number}' points='{}'/>", line.join(" "));
        if self.points.len() <= 60 {
            for &(x, y) in &self.points {
                let _ = write!(
                    svg,
                    "<circle class='dot c{number}' r='2.5' cx='{:.1}' cy='{:.1}'><title>{}</title></circle>",
                    across.at(x),
                    up.at(y),
                    number_text(y)
                );
            }
        }
    }
}

/// A number as short as it can be read.
pub(super) fn number_text(value: f64) -> String {
    match value.abs() {
        size if size >= 1e6 => format!("{}M", trimmed(value / 1e6, 1)),
        size if size >= 1e4 => format!("{}k", trimmed(value / 1e3, 1)),
        size if size >= 100.0 => trimmed(value, 0),
        size if size >= 1.0 => trimmed(value, 2),
        0.0 => "0".into(),
        size if size >= 1e-4 => trimmed(value, 5),
        _ => format!("{value:.0e}"),
    }
}

/// With at most so many decimals.
fn trimmed(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').into() } else { text }
}

/// Text as it may stand in HTML.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('\'', "&#39;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart(points: Vec<(f64, f64)>) -> Chart {
        let series = vec![Series { name: "a".into(), points, intervals: Vec::new() }];
        Chart { title: "a <b>".into(), across: "minutes".into(), series, ..Chart::default() }
    }

    #[test]
    fn ticks_are_round_numbers_within_the_scale() {
        let scale = Scale { low: -0.13, high: 1.02, from: 0.0, to: 100.0 };
        let ticks: Vec<String> = scale.ticks(5.0).into_iter().map(number_text).collect();
        assert_eq!(ticks, ["0", "0.5", "1"]);
        assert_eq!(Scale { low: 0.0, high: 97.0, ..scale }.ticks(5.0), [0.0, 20.0, 40.0, 60.0, 80.0]);
    }

    #[test]
    fn odd_numbers_of_points_and_odd_numbers_give_a_picture() {
        for points in
            [vec![], vec![(1.0, 5.0)], vec![(0.0, 2.0), (1.0, 2.0)], vec![(0.0, f64::NAN), (1.0, 3.0)]]
        {
            let html = chart(points).html();
            assert!(html.contains("a &lt;b&gt;") && !html.contains("inf"), "{html}");
        }
    }

    #[test]
    fn long_lines_are_thinned_without_losing_their_level() {
        let points: Vec<(f64, f64)> = (0..10_000).map(|x| (f64::from(x), f64::from(x % 2))).collect();
        let thinned = chart(points).series[0].thinned().points;
        assert!(thinned.len() <= POINTS && thinned.iter().all(|point| (point.1 - 0.5).abs() < 0.1));
    }

    #[test]
    fn numbers_are_short() {
        let texts: Vec<String> =
            [0.0, 0.05, 1.5, 12.0, 250.0, 12_500.0, 3.2e6, -0.4].into_iter().map(number_text).collect();
        assert_eq!(texts, ["0", "0.05", "1.5", "12", "250", "12.5k", "3.2M", "-0.4"]);
    }
}
