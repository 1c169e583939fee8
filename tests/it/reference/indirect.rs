//! References of the examples that need more than one affine nest: `gather`,
//! `pipeline`, `mandelbrot`.

use super::array::{Array, Random};
use super::{Case, SMALL_SIZES};

pub fn examples() -> Vec<Case> {
    let mut cases = vec![gather(1000, 5000), pipeline(4096), mandelbrot(80, 96)];
    for n in SMALL_SIZES {
        cases.extend([gather(n, n), pipeline(n), mandelbrot(n, n)]);
    }
    cases.extend([
        gather(1, 40),
        gather(40, 1),
        mandelbrot(3, 50),
        mandelbrot(50, 1),
    ]);
    cases
}

fn gather(table_size: usize, n: usize) -> Case {
    let mut random = Random::new(31);
    let (table, before) = (random.fine_array([table_size]), random.fine_array([n]));
    // All 32 bits, so that reading the positions as signed numbers is found out.
    let positions = Array::generate([n], || random.bits() as i32);
    let mut after = before.clone();
    for i in 0..n {
        after[[i]] = table[[positions[[i]] as u32 as usize % table_size]];
    }
    Case::example("gather", &[(1000, table_size as i64), (5000, n as i64)])
        .input(&table)
        .input(&positions)
        .output(&before, &after)
}

fn pipeline(n: usize) -> Case {
    let mut random = Random::new(32);
    let (x, before) = (random.coarse_array([n]), random.coarse_array([n]));
    let mut after = before.clone();
    for i in 0..n {
        let (here, there) = (x[[i]], x[[n - 1 - i]]);
        after[[i]] = here * here + 0.5 * there * there;
    }
    Case::example("pipeline", &[(4096, n as i64), (4095, n as i64 - 1)])
        .input(&x)
        .output(&before, &after)
}

fn mandelbrot(height: usize, width: usize) -> Case {
    let before = Array::filled([height, width], -1);
    let mut after = before.clone();
    for y in 0..height {
        for x in 0..width {
            let cr = -1.971_679_687_5 + x as f64 / 32.0;
            let ci = -1.247_070_312_5 + y as f64 / 32.0;
            assert!(
                !rounding_decides(cr, ci),
                "this point has more than one right count"
            );
            after[[y, x]] = steps_to_escape(cr, ci);
        }
    }
    Case::example("mandelbrot", &[(80, height as i64), (96, width as i64)]).output(&before, &after)
}

fn steps_to_escape(cr: f64, ci: f64) -> i32 {
    let (mut count, mut zr, mut zi) = (0, 0.0, 0.0);
    while zr * zr + zi * zi <= 4.0 && count < 28 {
        (zr, zi) = (zr * zr - zi * zi + cr, 2.0 * zr * zi + ci);
        count += 1;
    }
    count
}

/// Whether a count taken in single precision may differ, at no fault of the
/// program: near the border of the set the count jumps from point to point.
///
/// A rounding error in a step moves z as a slightly different c would, so a
/// point is decided where all points a few errors away have the same count.
fn rounding_decides(cr: f64, ci: f64) -> bool {
    // Values below 8 carry an error of at most 2.4e-7 per operation; a step has a handful.
    const ERROR: f64 = 2e-6;
    let around = [
        (1.0, 0.0),
        (-1.0, 0.0),
        (0.0, 1.0),
        (0.0, -1.0),
        (0.7, 0.7),
        (-0.7, 0.7),
        (0.7, -0.7),
        (-0.7, -0.7),
    ];
    let count = steps_to_escape(cr, ci);
    around
        .iter()
        .any(|(r, i)| steps_to_escape(cr + ERROR * r, ci + ERROR * i) != count)
}
