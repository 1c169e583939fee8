//! References for matrix and vector products, and for statistics.

use super::grid::{Grid, on_grids};
use super::{float, kernel, less, size};
use crate::bench::kernel::Fill::{Number, Random};
use crate::bench::kernel::{Extent, Fill, Kernel};

const ALPHA: Fill = Number(1.5);
const BETA: Fill = Number(-0.75);

/// Adds `scale * a * b` to the elements of `c` for which `keep` holds.
fn add_product(c: &mut Grid, scale: f64, a: &Grid, b: &Grid) {
    let [rows, inner] = a.sides();
    let columns = b.sides()[1];
    for i in 0..rows {
        for k in 0..inner {
            let factor = scale * a[[i, k]];
            let (row, other) = (i * columns, k * columns);
            let target = &mut c.data[row..row + columns];
            for (c, b) in target.iter_mut().zip(&b.data[other..other + columns]) {
                *c += factor * b;
            }
        }
    }
}

fn turned(a: &Grid) -> Grid {
    let [rows, columns] = a.sides();
    let mut t = Grid::zeros(&[columns, rows]);
    for i in 0..rows {
        for j in 0..columns {
            t[[j, i]] = a[[i, j]];
        }
    }
    t
}

/// Multiplies a matrix and a vector, A x.
fn times(a: &Grid, x: &Grid) -> Grid {
    let rows = a.data.chunks_exact(a.shape[1]);
    let dot = |row: &[f64]| row.iter().zip(&x.data).map(|(a, x)| a * x).sum();
    Grid {
        shape: vec![a.shape[0]],
        data: rows.map(dot).collect(),
    }
}

fn scale(a: &mut Grid, factor: f64) {
    a.data.iter_mut().for_each(|a| *a *= factor);
}

pub const TWO_MM: Kernel = kernel(
    "polybench/2mm",
    include_str!("../../../benches/programs/polybench/2mm.mlir"),
    &[ALPHA, BETA, Random, Random, Random, Random, Random],
    &[
        size(16, [40, 180, 800, 1600]),
        size(18, [50, 190, 900, 1800]),
        size(22, [70, 210, 1100, 2200]),
        size(24, [80, 220, 1200, 2400]),
    ],
    |arrays| {
        on_grids(arrays, |g| {
            let [alpha, beta, tmp, a, b, c, d] = g else {
                return;
            };
            scale(tmp, 0.0);
            add_product(tmp, alpha.data[0], a, b);
            scale(d, beta.data[0]);
            add_product(d, 1.0, tmp, c);
        });
    },
);

pub const THREE_MM: Kernel = kernel(
    "polybench/3mm",
    include_str!("../../../benches/programs/polybench/3mm.mlir"),
    &[Random; 7],
    &[
        size(16, [40, 180, 800, 1600]),
        size(18, [50, 190, 900, 1800]),
        size(20, [60, 200, 1000, 2000]),
        size(22, [70, 210, 1100, 2200]),
        size(24, [80, 220, 1200, 2400]),
    ],
    |arrays| {
        on_grids(arrays, |g| {
            let [e, a, b, f, c, d, out] = g else { return };
            for (to, [x, y]) in [(&mut *e, [&*a, b]), (&mut *f, [&*c, d])] {
                scale(to, 0.0);
                add_product(to, 1.0, x, y);
            }
            scale(out, 0.0);
            add_product(out, 1.0, e, f);
        });
    },
);

pub const GEMM: Kernel = kernel(
    "polybench/gemm",
    include_str!("../../../benches/programs/polybench/gemm.mlir"),
    &[ALPHA, BETA, Random, Random, Random],
    &[
        size(20, [60, 200, 1000, 2000]),
        size(25, [70, 220, 1100, 2300]),
        size(30, [80, 240, 1200, 2600]),
    ],
    |arrays| {
        on_grids(arrays, |g| {
            let [alpha, beta, c, a, b] = g else { return };
            scale(c, beta.data[0]);
            add_product(c, alpha.data[0], a, b);
        });
    },
);

pub const DOITGEN: Kernel = kernel(
    "polybench/doitgen",
    include_str!("../../../benches/programs/polybench/doitgen.mlir"),
    &[Random; 2],
    &[
        size(8, [20, 40, 140, 220]),
        size(10, [25, 50, 150, 250]),
        size(12, [30, 60, 160, 270]),
    ],
    |arrays| {
        on_grids(arrays, |g| {
            let [a, c4] = g else { return };
            let [r, q, p] = [a.shape[0], a.shape[1], a.shape[2]];
            let flat = Grid {
                shape: vec![r * q, p],
                data: a.data.clone(),
            };
            scale(a, 0.0);
            a.shape = vec![r * q, p];
            add_product(a, 1.0, &flat, c4);
            a.shape = vec![r, q, p];
        });
    },
);

/// Sizes M and N of programs on triangular matrices.
const TRIANGLE: &[Extent] = &[
    size(20, [60, 200, 1000, 2000]),
    size(30, [80, 240, 1200, 2600]),
];

pub const SYMM: Kernel = kernel(
    "polybench/symm",
    include_str!("../../../benches/programs/polybench/symm.mlir"),
    &[ALPHA, BETA, Random, Random, Random],
    TRIANGLE,
    |arrays| {
        on_grids(arrays, |g| {
            let [alpha, beta, c, a, b] = g else { return };
            let mut full = a.clone();
            for i in 0..a.shape[0] {
                for j in i + 1..a.shape[0] {
                    full[[i, j]] = a[[j, i]];
                }
            }
            scale(c, beta.data[0]);
            add_product(c, alpha.data[0], &full, b);
        });
    },
);

pub const TRMM: Kernel = kernel(
    "polybench/trmm",
    include_str!("../../../benches/programs/polybench/trmm.mlir"),
    &[ALPHA, Random, Random],
    TRIANGLE,
    |arrays| {
        on_grids(arrays, |g| {
            let [alpha, a, b] = g else { return };
            // B = alpha * transposed A * B for the triangle A with ones on its diagonal.
            let mut triangle = Grid::zeros(&a.shape);
            for i in 0..a.shape[0] {
                triangle[[i, i]] = 1.0;
                for k in i + 1..a.shape[0] {
                    triangle[[i, k]] = a[[k, i]];
                }
            }
            let before = b.clone();
            scale(b, 0.0);
            add_product(b, alpha.data[0], &triangle, &before);
        });
    },
);

/// Scales the lower triangle of `c` by `beta`, then adds `sum` to it.
fn add_below(c: &mut Grid, beta: f64, sum: &Grid) {
    let n = c.shape[0];
    for i in 0..n {
        for j in 0..=i {
            c[[i, j]] = beta * c[[i, j]] + sum[[i, j]];
        }
    }
}

pub const SYRK: Kernel = kernel(
    "polybench/syrk",
    include_str!("../../../benches/programs/polybench/syrk.mlir"),
    &[ALPHA, BETA, Random, Random],
    TRIANGLE,
    |arrays| {
        on_grids(arrays, |g| {
            let [alpha, beta, c, a] = g else { return };
            let mut sum = Grid::zeros(&c.shape);
            add_product(&mut sum, alpha.data[0], a, &turned(a));
            add_below(c, beta.data[0], &sum);
        });
    },
);

pub const SYR2K: Kernel = kernel(
    "polybench/syr2k",
    include_str!("../../../benches/programs/polybench/syr2k.mlir"),
    &[ALPHA, BETA, Random, Random, Random],
    TRIANGLE,
    |arrays| {
        on_grids(arrays, |g| {
            let [alpha, beta, c, a, b] = g else { return };
            let mut sum = Grid::zeros(&c.shape);
            add_product(&mut sum, alpha.data[0], a, &turned(b));
            let other = turned(&sum);
            sum.data
                .iter_mut()
                .zip(&other.data)
                .for_each(|(x, y)| *x += y);
            add_below(c, beta.data[0], &sum);
        });
    },
);

const TALL: &[Extent] = &[
    size(38, [116, 390, 1900, 1800]),
    size(42, [124, 410, 2100, 2200]),
];

pub const ATAX: Kernel = kernel(
    "polybench/atax",
    include_str!("../../../benches/programs/polybench/atax.mlir"),
    &[Random; 4],
    TALL,
    |arrays| {
        on_grids(arrays, |g| {
            let [a, x, y, tmp] = g else { return };
            *tmp = times(a, x);
            *y = times(&turned(a), tmp);
        });
    },
);

pub const BICG: Kernel = kernel(
    "polybench/bicg",
    include_str!("../../../benches/programs/polybench/bicg.mlir"),
    &[Random; 5],
    TALL,
    |arrays| {
        on_grids(arrays, |g| {
            let [a, s, q, p, r] = g else { return };
            *s = times(&turned(a), r);
            *q = times(a, p);
        });
    },
);

const VARIABLES: Extent = size(28, [80, 240, 1200, 2600]);
const POINTS: Extent = size(32, [100, 260, 1400, 3000]);

/// Subtracts the mean of each column. Returns the means.
fn centre(data: &mut Grid) -> Grid {
    let [points, variables] = data.sides();
    let mut means = Grid::zeros(&[variables]);
    for row in data.data.chunks_exact(variables) {
        means
            .data
            .iter_mut()
            .zip(row)
            .for_each(|(mean, x)| *mean += x / points as f64);
    }
    for row in data.data.chunks_exact_mut(variables) {
        row.iter_mut()
            .zip(&means.data)
            .for_each(|(x, mean)| *x -= mean);
    }
    means
}

pub const CORRELATION: Kernel = kernel(
    "polybench/correlation",
    include_str!("../../../benches/programs/polybench/correlation.mlir"),
    &[Random; 4],
    &[VARIABLES, POINTS, less(VARIABLES), float(POINTS)],
    |arrays| {
        on_grids(arrays, |g| {
            let [data, corr, mean, deviations] = g else {
                return;
            };
            let [points, variables] = data.sides();
            *mean = centre(data);
            for j in 0..variables {
                let squares: f64 = (0..points).map(|i| data[[i, j]].powi(2)).sum();
                let deviation = (squares / points as f64).sqrt();
                deviations[[j]] = if deviation <= 0.1 { 1.0 } else { deviation };
            }
            for row in data.data.chunks_exact_mut(variables) {
                let pairs = row.iter_mut().zip(&deviations.data);
                pairs.for_each(|(x, deviation)| *x /= (points as f64).sqrt() * deviation);
            }
            scale(corr, 0.0);
            add_product(corr, 1.0, &turned(data), data);
            (0..variables).for_each(|i| corr[[i, i]] = 1.0);
        });
    },
);

pub const COVARIANCE: Kernel = kernel(
    "polybench/covariance",
    include_str!("../../../benches/programs/polybench/covariance.mlir"),
    &[Random; 3],
    &[VARIABLES, POINTS, float(POINTS), less(float(POINTS))],
    |arrays| {
        on_grids(arrays, |g| {
            let [data, cov, mean] = g else { return };
            let points = data.shape[0];
            *mean = centre(data);
            scale(cov, 0.0);
            add_product(cov, 1.0 / (points as f64 - 1.0), &turned(data), data);
        });
    },
);

const SQUARE: &[Extent] = &[size(40, [120, 400, 2000, 4000])];

pub const GESUMMV: Kernel = kernel(
    "polybench/gesummv",
    include_str!("../../../benches/programs/polybench/gesummv.mlir"),
    &[ALPHA, BETA, Random, Random, Random, Random, Random],
    &[size(30, [90, 250, 1300, 2800])],
    |arrays| {
        on_grids(arrays, |g| {
            let [alpha, beta, a, b, tmp, x, y] = g else {
                return;
            };
            *tmp = times(a, x);
            let other = times(b, x);
            let sums = tmp.data.iter().zip(&other.data);
            y.data = sums
                .map(|(t, o)| alpha.data[0] * t + beta.data[0] * o)
                .collect();
        });
    },
);

pub const GEMVER: Kernel = kernel(
    "polybench/gemver",
    include_str!("../../../benches/programs/polybench/gemver.mlir"),
    &[
        ALPHA, BETA, Random, Random, Random, Random, Random, Random, Random, Random, Random,
    ],
    SQUARE,
    |arrays| {
        on_grids(arrays, |g| {
            let [alpha, beta, a, u1, v1, u2, v2, w, x, y, z] = g else {
                return;
            };
            let n = a.shape[0];
            for i in 0..n {
                for j in 0..n {
                    a[[i, j]] += u1[[i]] * v1[[j]] + u2[[i]] * v2[[j]];
                }
            }
            let ay = times(&turned(a), y);
            (0..n).for_each(|i| x[[i]] += beta.data[0] * ay[[i]] + z[[i]]);
            let ax = times(a, x);
            (0..n).for_each(|i| w[[i]] += alpha.data[0] * ax[[i]]);
        });
    },
);

pub const MVT: Kernel = kernel(
    "polybench/mvt",
    include_str!("../../../benches/programs/polybench/mvt.mlir"),
    &[Random; 5],
    SQUARE,
    |arrays| {
        on_grids(arrays, |g| {
            let [x1, x2, y1, y2, a] = g else { return };
            for (x, sum) in [(x1, times(a, y1)), (x2, times(&turned(a), y2))] {
                x.data.iter_mut().zip(&sum.data).for_each(|(x, y)| *x += y);
            }
        });
    },
);
