//! References of the stencil examples: `jacobi2d`, `heat3d`, and of `edit_distance`, whose
//! stencil looks back.

use super::array::{Array, Random};
use super::{Case, SMALL_SIZES, Tolerance};

/// Each step averages, which damps rounding errors: some units in the last
/// place of values below 1 are all that tens of steps leave.
const CLOSE: Tolerance = Tolerance::Close {
    absolute: 2e-6,
    relative: 0.0,
};

pub fn examples() -> Vec<Case> {
    let mut cases = vec![jacobi2d(128, 20), heat3d(32, 10)];
    for n in SMALL_SIZES {
        cases.extend([jacobi2d(n, 20), heat3d(n, 10), edit_distance(n, n + 2)]);
    }
    cases.extend([edit_distance(512, 640), edit_distance(130, 71)]);
    cases.extend([jacobi2d(33, 0), jacobi2d(5, 1), heat3d(5, 1)]);
    cases
}

fn jacobi2d(n: usize, steps: i64) -> Case {
    let mut random = Random::new(11);
    let (a_before, b_before) = (random.fine_array([n, n]), random.fine_array([n, n]));
    let (mut a, mut b) = (a_before.map(f64::from), b_before.map(f64::from));
    let sweep = |from: &Array<f64, 2>, to: &mut Array<f64, 2>| {
        for i in 1..n.saturating_sub(1) {
            for j in 1..n - 1 {
                let sides =
                    from[[i, j - 1]] + from[[i, j + 1]] + from[[i - 1, j]] + from[[i + 1, j]];
                to[[i, j]] = (from[[i, j]] + sides) / 5.0;
            }
        }
    };
    for _ in 0..steps {
        sweep(&a, &mut b);
        sweep(&b, &mut a);
    }
    let size = n as i64;
    Case::example("jacobi2d", &[(128, size), (127, size - 1), (20, steps)])
        .output_within(&a_before, &a.map(|x| x as f32), CLOSE)
        .output_within(&b_before, &b.map(|x| x as f32), CLOSE)
}

fn heat3d(n: usize, steps: i64) -> Case {
    let mut random = Random::new(12);
    let u_before = random.fine_array([n, n, n]);
    let v_before = random.fine_array([n, n, n]);
    let (mut u, mut v) = (u_before.map(f64::from), v_before.map(f64::from));
    let step = |from: &Array<f64, 3>, to: &mut Array<f64, 3>| {
        for i in 1..n.saturating_sub(1) {
            for j in 1..n - 1 {
                for k in 1..n - 1 {
                    let here = from[[i, j, k]];
                    let along_i = from[[i + 1, j, k]] - 2.0 * here + from[[i - 1, j, k]];
                    let along_j = from[[i, j + 1, k]] - 2.0 * here + from[[i, j - 1, k]];
                    let along_k = from[[i, j, k + 1]] - 2.0 * here + from[[i, j, k - 1]];
                    to[[i, j, k]] = here + 0.125 * (along_i + along_j + along_k);
                }
            }
        }
    };
    for _ in 0..steps {
        step(&u, &mut v);
        step(&v, &mut u);
    }
    let size = n as i64;
    Case::example("heat3d", &[(32, size), (31, size - 1), (10, steps)])
        .output_within(&u_before, &u.map(|x| x as f32), CLOSE)
        .output_within(&v_before, &v.map(|x| x as f32), CLOSE)
}

fn edit_distance(m: usize, n: usize) -> Case {
    let mut random = Random::new(13);
    let a = random.int_array([m], 0, 3);
    let b = random.int_array([n], 0, 3);
    let before = random.int_array([m + 1, n + 1], -9, 9);
    let mut d = before.clone();
    for i in 0..=m {
        for j in 0..=n {
            d[[i, j]] = match (i, j) {
                (_, 0) => i as i32,
                (0, _) => j as i32,
                _ => {
                    let differ = i32::from(a[[i - 1]] != b[[j - 1]]);
                    let moved = d[[i - 1, j]].min(d[[i, j - 1]]) + 1;
                    moved.min(d[[i - 1, j - 1]] + differ)
                }
            };
        }
    }
    let (rows, columns) = (m as i64, n as i64);
    let sizes = [
        (512, rows),
        (513, rows + 1),
        (640, columns),
        (641, columns + 1),
    ];
    Case::example("edit_distance", &sizes)
        .input(&a)
        .input(&b)
        .output(&before, &d)
}
