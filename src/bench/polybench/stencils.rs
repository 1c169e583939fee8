//! References for stencils over time, and for recursive filters.

use super::grid::{Grid, on_grids};
use super::{kernel, less, more, size};
use crate::bench::kernel::Fill::{Number, Random};
use crate::bench::kernel::{Extent, Kernel, Size};

const STEPS: Extent = size(20, [40, 100, 500, 1000]);

/// Time steps of a program for the size of its grid.
fn steps(grid: &Grid, extent: Extent) -> usize {
    let side = grid.shape[0] as u32;
    let sets = [
        Size::Odd,
        Size::Small,
        Size::Medium,
        Size::Large,
        Size::ExtraLarge,
    ];
    let found = sets.into_iter().find(|&set| extent.at(set) == side);
    STEPS.at(found.unwrap_or(Size::Mini)) as usize
}

/// Applies a scheme from one array to the other and back, once for each time step.
fn swing(g: &mut [Grid], extent: Extent, apply: impl Fn(&Grid, &mut Grid)) {
    let [a, b] = g else { return };
    for _ in 0..steps(a, extent) {
        apply(a, b);
        apply(b, a);
    }
}

const LINE: Extent = size(30, [120, 400, 2000, 4000]);

pub const JACOBI_1D: Kernel = kernel(
    "polybench/jacobi-1d",
    include_str!("../../../benches/programs/polybench/jacobi-1d.mlir"),
    &[Random; 2],
    &[LINE, less(LINE), STEPS],
    |arrays| {
        on_grids(arrays, |g| {
            swing(g, LINE, |from, to| {
                for i in 1..from.shape[0] - 1 {
                    to[[i]] = 0.33333 * from.data[i - 1..i + 2].iter().sum::<f64>();
                }
            });
        });
    },
);

const PLANE: Extent = size(30, [90, 250, 1300, 2800]);

pub const JACOBI_2D: Kernel = kernel(
    "polybench/jacobi-2d",
    include_str!("../../../benches/programs/polybench/jacobi-2d.mlir"),
    &[Random; 2],
    &[PLANE, less(PLANE), STEPS],
    |arrays| {
        on_grids(arrays, |g| {
            swing(g, PLANE, |from, to| {
                let n = from.shape[0];
                for i in 1..n - 1 {
                    for j in 1..n - 1 {
                        let above = from[[i - 1, j]] + from[[i + 1, j]];
                        let beside = from[[i, j - 1]] + from[[i, j]] + from[[i, j + 1]];
                        to[[i, j]] = (above + beside) / 5.0;
                    }
                }
            });
        });
    },
);

const CUBE: Extent = size(10, [20, 40, 120, 200]);

pub const HEAT_3D: Kernel = kernel(
    "polybench/heat-3d",
    include_str!("../../../benches/programs/polybench/heat-3d.mlir"),
    &[Random; 2],
    &[CUBE, less(CUBE), STEPS],
    |arrays| {
        on_grids(arrays, |g| {
            swing(g, CUBE, |from, to| {
                let n = from.shape[0];
                let inner = 1..n - 1;
                for i in inner.clone() {
                    for j in inner.clone() {
                        for k in inner.clone() {
                            let around = from[[i - 1, j, k]]
                                + from[[i + 1, j, k]]
                                + from[[i, j - 1, k]]
                                + from[[i, j + 1, k]]
                                + from[[i, j, k - 1]]
                                + from[[i, j, k + 1]];
                            to[[i, j, k]] = around / 8.0 + from[[i, j, k]] / 4.0;
                        }
                    }
                }
            });
        });
    },
);

const SEIDEL: Extent = size(40, [120, 400, 2000, 4000]);

pub const SEIDEL_2D: Kernel = kernel(
    "polybench/seidel-2d",
    include_str!("../../../benches/programs/polybench/seidel-2d.mlir"),
    &[Random],
    &[SEIDEL, less(SEIDEL), STEPS],
    |arrays| {
        on_grids(arrays, |g| {
            let [a] = g else { return };
            let n = a.shape[0];
            for _ in 0..steps(a, SEIDEL) {
                for i in 1..n - 1 {
                    for j in 1..n - 1 {
                        let row =
                            |i: usize| a.data[i * n + j - 1..i * n + j + 2].iter().sum::<f64>();
                        let sum = row(i - 1) + row(i) + row(i + 1);
                        a[[i, j]] = sum / 9.0;
                    }
                }
            }
        });
    },
);

const WAVES: Extent = size(20, [60, 200, 1000, 2000]);
const WIDE: Extent = size(30, [80, 240, 1200, 2600]);

pub const FDTD_2D: Kernel = kernel(
    "polybench/fdtd-2d",
    include_str!("../../../benches/programs/polybench/fdtd-2d.mlir"),
    &[Random; 4],
    &[WAVES, less(WAVES), WIDE, less(WIDE)],
    |arrays| {
        on_grids(arrays, |g| {
            let [ex, ey, hz, source] = g else { return };
            let [rows, columns] = ex.sides();
            for t in 0..source.shape[0] {
                for i in 0..rows {
                    for j in 0..columns {
                        ey[[i, j]] = match i {
                            0 => source[[t]],
                            _ => ey[[i, j]] - 0.5 * (hz[[i, j]] - hz[[i - 1, j]]),
                        };
                        if j > 0 {
                            ex[[i, j]] -= 0.5 * (hz[[i, j]] - hz[[i, j - 1]]);
                        }
                    }
                }
                for i in 0..rows - 1 {
                    for j in 0..columns - 1 {
                        let curl = ex[[i, j + 1]] - ex[[i, j]] + ey[[i + 1, j]] - ey[[i, j]];
                        hz[[i, j]] -= 0.7 * curl;
                    }
                }
            }
        });
    },
);

/// One half of a step: for each line of `to` a tridiagonal system with 1 at both ends,
/// `(1 + 2 m) x - m (left + right) = y`, whose right-hand side comes from three lines of `from`,
/// weighted `k`, `1 - 2 k`, `k`; `line` says where element `j` of line `i` lies.
fn sweep(
    [m, k]: [f64; 2],
    [p, q]: [&mut Grid; 2],
    [from, to]: [&Grid; 2],
    line: impl Fn(usize, usize) -> [usize; 2],
) -> Grid {
    let mut out = to.clone();
    let n = from.shape[0];
    for i in 1..n - 1 {
        (out[line(i, 0)], out[line(i, n - 1)]) = (1.0, 1.0);
        (p[[i, 0]], q[[i, 0]]) = (0.0, 1.0);
        for j in 1..n - 1 {
            let sides = from[line(i - 1, j)] + from[line(i + 1, j)];
            let right = k * sides + (1.0 - 2.0 * k) * from[line(i, j)];
            let pivot = 1.0 + 2.0 * m - m * p[[i, j - 1]];
            p[[i, j]] = m / pivot;
            q[[i, j]] = (right + m * q[[i, j - 1]]) / pivot;
        }
        for j in (1..n - 1).rev() {
            out[line(i, j)] = p[[i, j]] * out[line(i, j + 1)] + q[[i, j]];
        }
    }
    out
}

pub const ADI: Kernel = kernel(
    "polybench/adi",
    include_str!("../../../benches/programs/polybench/adi.mlir"),
    &[Random; 4],
    &[WAVES, less(WAVES), more(WAVES)],
    |arrays| {
        on_grids(arrays, |g| {
            let [u, v, p, q] = g else { return };
            for _ in 0..u.shape[0] {
                *v = sweep([20.0, 10.0], [&mut *p, &mut *q], [&*u, &*v], |i, j| [j, i]);
                *u = sweep([10.0, 20.0], [&mut *p, &mut *q], [&*v, &*u], |i, j| [i, j]);
            }
        });
    },
);

const IMAGE: Extent = size(64, [128, 480, 2160, 4320]);

/// The filter along one line: causal and anticausal.
fn filtered(line: &[f64], alpha: f64) -> [Vec<f64>; 2] {
    let e = (-alpha).exp();
    let k = (1.0 - e).powi(2) / (1.0 + 2.0 * alpha * e - (2.0 * alpha).exp());
    let (b1, b2) = (2f64.powf(-alpha), -e * e);
    let back = |values: &[f64], i: usize, by: usize| i.checked_sub(by).map_or(0.0, |i| values[i]);
    let reversed: Vec<f64> = line.iter().rev().copied().collect();
    let (mut causal, mut anti) = (Vec::new(), Vec::new());
    for i in 0..line.len() {
        let feedback = b1 * back(&causal, i, 1) + b2 * back(&causal, i, 2);
        causal.push(k * line[i] + k * e * (alpha - 1.0) * back(line, i, 1) + feedback);
        let feedback = b1 * back(&anti, i, 1) + b2 * back(&anti, i, 2);
        let one = k * e * (alpha + 1.0) * back(&reversed, i, 1);
        anti.push(one - k * e * e * back(&reversed, i, 2) + feedback);
    }
    anti.reverse();
    [causal, anti]
}

pub const DERICHE: Kernel = kernel(
    "polybench/deriche",
    include_str!("../../../benches/programs/polybench/deriche.mlir"),
    &[Number(0.25), Random, Random, Random, Random],
    &[IMAGE, less(IMAGE)],
    |arrays| {
        on_grids(arrays, |g| {
            let [alpha, image, out, y1, y2] = g else {
                return;
            };
            let (n, alpha) = (image.shape[0], alpha.data[0]);
            for i in 0..n {
                let [causal, anti] = filtered(&image.data[i * n..(i + 1) * n], alpha);
                (0..n).for_each(|j| out[[i, j]] = causal[j] + anti[j]);
            }
            for j in 0..n {
                let line: Vec<f64> = (0..n).map(|i| out[[i, j]]).collect();
                let [causal, anti] = filtered(&line, alpha);
                for i in 0..n {
                    (y1[[i, j]], y2[[i, j]]) = (causal[i], anti[i]);
                    out[[i, j]] = causal[i] + anti[i];
                }
            }
        });
    },
);
