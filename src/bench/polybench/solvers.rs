//! References for factorizations, triangular systems and dynamic programming.

use super::grid::{Grid, on_grids};
use super::{kernel, less, more, size};
use crate::bench::kernel::Fill::{Dominant, Faint, Keys, Random};
use crate::bench::kernel::{Extent, Kernel};

const N: Extent = size(40, [120, 400, 2000, 4000]);

/// Factors a matrix into L below the diagonal and U on it and above, by elimination column by
/// column.
fn factor(a: &mut Grid) {
    let n = a.shape[0];
    for k in 0..n {
        let pivots: Vec<f64> = a.data[k * n..(k + 1) * n].to_vec();
        for row in a.data[(k + 1) * n..].chunks_exact_mut(n) {
            let factor = row[k] / pivots[k];
            row[k] = factor;
            let rest = row[k + 1..].iter_mut().zip(&pivots[k + 1..]);
            rest.for_each(|(x, pivot)| *x -= factor * pivot);
        }
    }
}

/// Solves L y = y by forward substitution; L is the unit lower triangle of a factored matrix.
fn forwards(f: &Grid, y: &mut Grid) {
    for i in 0..f.shape[0] {
        let sum: f64 = (0..i).map(|j| f[[i, j]] * y[[j]]).sum();
        y[[i]] -= sum;
    }
}

/// Solves U x = x by backward substitution.
fn backwards(f: &Grid, x: &mut Grid) {
    let n = f.shape[0];
    for i in (0..n).rev() {
        let sum: f64 = (i + 1..n).map(|j| f[[i, j]] * x[[j]]).sum();
        x[[i]] = (x[[i]] - sum) / f[[i, i]];
    }
}

pub const LU: Kernel = kernel(
    "polybench/lu",
    include_str!("../../../benches/programs/polybench/lu.mlir"),
    &[Dominant],
    &[N],
    |arrays| {
        on_grids(arrays, |g| {
            let [a] = g else { return };
            factor(a);
        });
    },
);

pub const LUDCMP: Kernel = kernel(
    "polybench/ludcmp",
    include_str!("../../../benches/programs/polybench/ludcmp.mlir"),
    &[Dominant, Random, Random, Random],
    &[N, less(N)],
    |arrays| {
        on_grids(arrays, |g| {
            let [a, b, x, y] = g else { return };
            factor(a);
            *y = b.clone();
            forwards(a, y);
            *x = y.clone();
            backwards(a, x);
        });
    },
);

/// Cholesky factorization, column by column, each taken from those to its right.
pub const CHOLESKY: Kernel = kernel(
    "polybench/cholesky",
    include_str!("../../../benches/programs/polybench/cholesky.mlir"),
    &[Dominant],
    &[N],
    |arrays| {
        on_grids(arrays, |g| {
            let [a] = g else { return };
            let n = a.shape[0];
            for k in 0..n {
                let root = a[[k, k]].sqrt();
                a[[k, k]] = root;
                let column: Vec<f64> = (k + 1..n).map(|i| a[[i, k]] / root).collect();
                for i in k + 1..n {
                    let own = column[i - k - 1];
                    a[[i, k]] = own;
                    let row = &mut a.data[i * n + k + 1..=i * n + i];
                    row.iter_mut()
                        .zip(&column)
                        .for_each(|(x, other)| *x -= own * other);
                }
            }
        });
    },
);

pub const TRISOLV: Kernel = kernel(
    "polybench/trisolv",
    include_str!("../../../benches/programs/polybench/trisolv.mlir"),
    &[Dominant, Random, Random],
    &[N],
    |arrays| {
        on_grids(arrays, |g| {
            let [l, x, b] = g else { return };
            for i in 0..l.shape[0] {
                let sum: f64 = (0..i).map(|j| l[[i, j]] * x[[j]]).sum();
                x[[i]] = (b[[i]] - sum) / l[[i, i]];
            }
        });
    },
);

/// Levinson–Durbin recursion, computed by elimination: T y = -r for the symmetric Toeplitz matrix T
/// with first row 1, r[0], r[1], …
pub const DURBIN: Kernel = kernel(
    "polybench/durbin",
    include_str!("../../../benches/programs/polybench/durbin.mlir"),
    &[Faint, Random],
    &[N],
    |arrays| {
        on_grids(arrays, |g| {
            let [r, y] = g else { return };
            let n = r.shape[0];
            let mut t = Grid::zeros(&[n, n]);
            for i in 0..n {
                for j in 0..n {
                    t[[i, j]] = match i.abs_diff(j) {
                        0 => 1.0,
                        way => r[[way - 1]],
                    };
                }
            }
            factor(&mut t);
            (0..n).for_each(|i| y[[i]] = -r[[i]]);
            forwards(&t, y);
            backwards(&t, y);
        });
    },
);

const ROWS: Extent = size(80, [80, 240, 1200, 2600]);
const COLUMNS: Extent = size(72, [60, 200, 1000, 2000]);

/// Gram–Schmidt: orthonormalizes columns one after the other; they are rows of the transposed
/// matrix.
pub const GRAMSCHMIDT: Kernel = kernel(
    "polybench/gramschmidt",
    include_str!("../../../benches/programs/polybench/gramschmidt.mlir"),
    &[Dominant, Random, Random],
    &[ROWS, COLUMNS],
    |arrays| {
        on_grids(arrays, |g| {
            let [a, r, q] = g else { return };
            let [m, n] = a.sides();
            let column = |g: &Grid, k: usize| (0..m).map(|i| g[[i, k]]).collect::<Vec<f64>>();
            let mut left: Vec<Vec<f64>> = (0..n).map(|k| column(a, k)).collect();
            let dot = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| x * y).sum::<f64>();
            for k in 0..n {
                let norm = dot(&left[k], &left[k]).sqrt();
                r[[k, k]] = norm;
                let unit: Vec<f64> = left[k].iter().map(|x| x / norm).collect();
                for (j, other) in left.iter_mut().enumerate().skip(k + 1) {
                    let along = dot(&unit, other);
                    r[[k, j]] = along;
                    other
                        .iter_mut()
                        .zip(&unit)
                        .for_each(|(x, unit)| *x -= along * unit);
                }
                (0..m).for_each(|i| q[[i, k]] = unit[i]);
            }
            for (k, column) in left.iter().enumerate() {
                (0..m).for_each(|i| a[[i, k]] = column[i]);
            }
        });
    },
);

/// All shortest paths: from each node on its own, by Dijkstra's algorithm.
pub const FLOYD_WARSHALL: Kernel = kernel(
    "polybench/floyd-warshall",
    include_str!("../../../benches/programs/polybench/floyd-warshall.mlir"),
    &[Keys(1000)],
    &[size(60, [180, 500, 2800, 5600])],
    |arrays| {
        on_grids(arrays, |g| {
            let [paths] = g else { return };
            let n = paths.shape[0];
            let edges = paths.clone();
            for from in 0..n {
                let mut way = edges.data[from * n..(from + 1) * n].to_vec();
                let mut is_done = vec![false; n];
                while let Some(next) = (0..n)
                    .filter(|&k| !is_done[k])
                    .min_by(|&a, &b| way[a].total_cmp(&way[b]))
                {
                    is_done[next] = true;
                    let base = way[next];
                    let row = &edges.data[next * n..(next + 1) * n];
                    way.iter_mut()
                        .zip(row)
                        .for_each(|(way, edge)| *way = way.min(base + edge));
                }
                paths.data[from * n..(from + 1) * n].copy_from_slice(&way);
            }
        });
    },
);

const BASES: Extent = size(60, [180, 500, 2500, 5500]);

/// Nussinov: the most base pairs in each interval, by interval length.
pub const NUSSINOV: Kernel = kernel(
    "polybench/nussinov",
    include_str!("../../../benches/programs/polybench/nussinov.mlir"),
    &[Keys(4), Keys(0)],
    &[BASES, less(BASES), more(BASES)],
    |arrays| {
        on_grids(arrays, |g| {
            let [seq, most] = g else { return };
            let n = seq.shape[0];
            for length in 1..n {
                for i in 0..n - length {
                    let j = i + length;
                    let is_pair = i + 1 < j && seq[[i]] + seq[[j]] == 3.0;
                    let mut best = most[[i + 1, j - 1]] + f64::from(u8::from(is_pair));
                    for k in i..j {
                        best = best.max(most[[i, k]] + most[[k + 1, j]]);
                    }
                    most[[i, j]] = best;
                }
            }
        });
    },
);
