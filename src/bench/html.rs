//! HTML report: one page with its charts as inline SVG.

use plotters::prelude::*;

use super::report::{Report, Roofline, Row};
use super::table::cells;

type Drawing<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;
type Drawn = Result<(), DrawingAreaErrorKind<std::io::Error>>;

/// Width of a chart, in pixels.
const WIDTH: u32 = 900;

/// Height of a bar with the space around it, in pixels.
const BAR: u32 = 22;

const STYLE: &str = "body { font-family: sans-serif; max-width: 70em; margin: 2em auto }
table { border-collapse: collapse } td, th { padding: 0.2em 0.6em; text-align: right }
td:first-child, th:first-child { text-align: left } tr:nth-child(even) { background: #f2f2f2 }
.wrong { color: #b00 }";

/// Renders the page.
///
/// # Errors
/// A chart could not be drawn.
pub fn page(report: &Report) -> Result<String, String> {
    let mut out = format!(
        "<!doctype html>\n<meta charset=\"utf-8\">\n<title>gridloom bench</title>\n\
         <style>{STYLE}</style>\n<h1>gridloom bench</h1>\n<p>{}<br>{}, gridloom {}{}</p>\n",
        escaped(&report.device),
        escaped(&report.date),
        escaped(&report.version),
        match &report.commit {
            Some(commit) => format!(", commit {}", escaped(commit)),
            None => String::new(),
        }
    );
    out += &table(report);
    let rated: Vec<&Row> = report
        .rows
        .iter()
        .filter(|row| row.ratio().is_some())
        .collect();
    if !rated.is_empty() {
        out += "<h2>Speed relative to the hand-written kernel</h2>\n";
        let height = BAR * rated.len() as u32 + 60;
        out += &chart(height, |area| bars(area, &rated))?;
    }
    if let Some(roofline) = report.roofline {
        out += "<h2>Roofline</h2>\n";
        out += &chart(560, |area| roof(area, report, roofline))?;
    }
    if let Some(costs) = report.roofline.and_then(|roofline| roofline.costs) {
        out += &format!("<p>{}</p>\n", super::table::costs(costs));
    }
    for (name, error) in errors(report) {
        out += &format!(
            "<p class=\"wrong\">{}: {}</p>\n",
            escaped(name),
            escaped(error)
        );
    }
    Ok(out)
}

fn errors(report: &Report) -> impl Iterator<Item = (&str, &String)> {
    let of_rows = report.rows.iter();
    let of_rows = of_rows.flat_map(|row| row.errors.iter().map(|error| (&row.name[..], error)));
    let of_peaks = report.errors.iter().map(|error| ("peaks", error));
    of_rows.chain(of_peaks)
}

fn table(report: &Report) -> String {
    let (headings, rows) = cells(report);
    let line = |tag: &str, cells: &mut dyn Iterator<Item = &str>| {
        let cells: String = cells
            .map(|cell| format!("<{tag}>{}</{tag}>", escaped(cell)))
            .collect();
        format!("<tr>{cells}</tr>\n")
    };
    let mut out = "<table>\n".to_owned() + &line("th", &mut headings.into_iter());
    for row in &rows {
        out += &line("td", &mut row.iter().map(String::as_str));
    }
    out + "</table>\n"
}

fn chart(height: u32, draw: impl FnOnce(&Drawing<'_>) -> Drawn) -> Result<String, String> {
    let mut svg = String::new();
    let area = SVGBackend::with_string(&mut svg, (WIDTH, height)).into_drawing_area();
    let drawn = area.fill(&WHITE).and_then(|()| draw(&area));
    let drawn = drawn.and_then(|()| area.present());
    drop(area);
    drawn.map_err(|error| error.to_string())?;
    Ok(svg + "\n")
}

/// Draws the bar chart: one bar for each kernel, and a line at the speed of the hand-written one.
fn bars(area: &Drawing<'_>, rows: &[&Row]) -> Drawn {
    let most = rows
        .iter()
        .filter_map(|row| row.ratio())
        .fold(1.2, f64::max)
        * 1.1;
    let count = rows.len() as f64;
    // Names stand left of zero.
    let mut chart = ChartBuilder::on(area)
        .margin(10)
        .x_label_area_size(30)
        .build_cartesian_2d(-0.2 * most..most, 0.0..count)?;
    chart
        .configure_mesh()
        .disable_y_axis()
        .disable_y_mesh()
        .x_label_formatter(&|x| {
            if *x < 0.0 {
                String::new()
            } else {
                format!("{x:.1}")
            }
        })
        .draw()?;
    for (at, row) in rows.iter().enumerate() {
        let Some(ratio) = row.ratio() else { continue };
        let top = count - at as f64;
        let style = if ratio < 0.9 {
            RED.mix(0.6)
        } else {
            BLUE.mix(0.6)
        };
        let corners = [(0.0, top - 0.85), (ratio, top - 0.15)];
        chart.draw_series([Rectangle::new(corners, style.filled())])?;
        let font = ("sans-serif", 14).into_font();
        let name = Text::new(row.name.clone(), (-0.19 * most, top - 0.2), font.clone());
        let value = Text::new(
            format!("{ratio:.2}"),
            (ratio + 0.01 * most, top - 0.2),
            font,
        );
        chart.draw_series([name, value])?;
    }
    chart.draw_series([PathElement::new(vec![(1.0, 0.0), (1.0, count)], BLACK)])?;
    Ok(())
}

/// Draws the roofline: operations a second over operations per byte, both in powers of ten.
fn roof(area: &Drawing<'_>, report: &Report, roofline: Roofline) -> Drawn {
    let points = report.rows.iter().filter_map(|row| {
        let work = row.work.filter(|work| work.flops > 0 && work.bytes > 0)?;
        let intensity = work.flops as f64 / work.bytes as f64;
        Some((&row.name, intensity.log10(), row.flop_rate()?.log10()))
    });
    let points: Vec<_> = points.collect();
    let knee = (roofline.flops / roofline.bytes).log10();
    let low = points
        .iter()
        .map(|point| point.1)
        .fold(knee - 1.0, f64::min)
        - 0.3;
    let high = points
        .iter()
        .map(|point| point.1)
        .fold(knee + 1.0, f64::max)
        + 0.6;
    let top = roofline.flops.log10();
    let at_low = low + roofline.bytes.log10();
    let bottom = points.iter().map(|point| point.2).fold(at_low, f64::min) - 0.3;
    let mut chart = ChartBuilder::on(area)
        .margin(10)
        .x_label_area_size(40)
        .y_label_area_size(70)
        .build_cartesian_2d(low..high, bottom..top + 0.3)?;
    let power = |x: &f64| format!("{:.3}", 10_f64.powf(*x));
    let giga = |y: &f64| format!("{:.2}", 10_f64.powf(*y - 9.0));
    chart
        .configure_mesh()
        .x_desc("operations per byte")
        .y_desc("GFLOP/s")
        .x_label_formatter(&power)
        .y_label_formatter(&giga)
        .draw()?;
    let line = vec![(low, at_low), (knee, top), (high, top)];
    chart.draw_series([PathElement::new(line, BLACK.stroke_width(2))])?;
    for (name, x, y) in points {
        chart.draw_series([Circle::new((x, y), 4, BLUE.filled())])?;
        let font = ("sans-serif", 12).into_font();
        chart.draw_series([Text::new(name.clone(), (x + 0.02, y), font)])?;
    }
    Ok(())
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::sample::Times;
    use crate::bench::work::Work;

    #[test]
    fn a_page_has_its_table_and_charts() {
        let times = |best| {
            Some(Times {
                best,
                median: best,
                spread: 0.0,
                runs: 3,
            })
        };
        let row = Row {
            work: Some(Work {
                flops: 1_000,
                bytes: 100,
            }),
            gridloom: times(2e-6),
            by_hand: times(1e-6),
            errors: vec!["a < b".to_owned()],
            ..Row::new("gemm")
        };
        let report = Report {
            roofline: Some(Roofline {
                flops: 1e9,
                bytes: 1e9,
                costs: None,
            }),
            rows: vec![row],
            ..Report::default()
        };
        let page = page(&report).unwrap();
        assert_eq!(page.matches("<svg").count(), 2);
        assert!(page.contains("<td>gemm</td>") && page.contains("<td>0.50</td>"));
        assert!(page.contains("a &lt; b"));
        // The page refers to no other resource.
        assert!(!page.contains("href") && !page.contains("src="));
        assert!(super::page(&Report::default()).is_ok());
    }
}
