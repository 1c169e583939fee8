//! Stencils over time, and recursive filters.

use super::{Case, Matrix, Random, Vector, kernel, random};
use crate::reference::array::Array;

pub fn programs() -> Vec<Case> {
    vec![
        jacobi_1d(),
        jacobi_2d(),
        heat_3d(),
        seidel_2d(),
        fdtd_2d(),
        adi(),
        deriche(),
    ]
}

const STEPS: usize = 20;

fn jacobi_1d() -> Case {
    let mut r = Random::new(431);
    let before: [Vector; 2] = [random(&mut r, [30]), random(&mut r, [30])];
    let mut after = before.clone();
    for step in 0..2 * STEPS {
        let from = after[step % 2].clone();
        for i in 1..29 {
            after[(step + 1) % 2][[i]] = (from[[i - 1]] + from[[i]] + from[[i + 1]]) * 0.33333;
        }
    }
    let case = kernel("jacobi-1d", &[]);
    case.changed(&before[0], &after[0])
        .changed(&before[1], &after[1])
}

fn jacobi_2d() -> Case {
    let mut r = Random::new(432);
    let before: [Matrix; 2] = [random(&mut r, [30, 30]), random(&mut r, [30, 30])];
    let mut after = before.clone();
    for step in 0..2 * STEPS {
        let from = after[step % 2].clone();
        for i in 1..29 {
            for j in 1..29 {
                let around =
                    from[[i - 1, j]] + from[[i + 1, j]] + from[[i, j - 1]] + from[[i, j + 1]];
                after[(step + 1) % 2][[i, j]] = (from[[i, j]] + around) / 5.0;
            }
        }
    }
    let case = kernel("jacobi-2d", &[]);
    case.changed(&before[0], &after[0])
        .changed(&before[1], &after[1])
}

fn heat_3d() -> Case {
    let mut r = Random::new(433);
    let before: [Array<f64, 3>; 2] = [random(&mut r, [10; 3]), random(&mut r, [10; 3])];
    let mut after = before.clone();
    for step in 0..2 * STEPS {
        let from = after[step % 2].clone();
        let inner = |n: usize| [n / 64 + 1, n / 8 % 8 + 1, n % 8 + 1];
        for at in (0..512).map(inner) {
            let mut around = 0.0;
            for dimension in 0..3 {
                for to in [at[dimension] - 1, at[dimension] + 1] {
                    let mut neighbour = at;
                    neighbour[dimension] = to;
                    around += from[neighbour];
                }
            }
            after[(step + 1) % 2][at] = around / 8.0 + from[at] / 4.0;
        }
    }
    let case = kernel("heat-3d", &[]);
    case.changed(&before[0], &after[0])
        .changed(&before[1], &after[1])
}

fn seidel_2d() -> Case {
    let before: Matrix = random(&mut Random::new(434), [40, 40]);
    let mut a = before.clone();
    for _ in 0..STEPS {
        for i in 1..39 {
            for j in 1..39 {
                let block = (0..9).map(|n| a[[i + n / 3 - 1, j + n % 3 - 1]]);
                a[[i, j]] = block.sum::<f64>() / 9.0;
            }
        }
    }
    kernel("seidel-2d", &[]).changed(&before, &a)
}

fn fdtd_2d() -> Case {
    let mut r = Random::new(435);
    let before: Vec<Matrix> = (0..3).map(|_| random(&mut r, [20, 30])).collect();
    let source: Vector = random(&mut r, [20]);
    let [mut ex, mut ey, mut hz] = [0, 1, 2].map(|k: usize| before[k].clone());
    for t in 0..STEPS {
        for i in 0..20 {
            for j in 0..30 {
                ey[[i, j]] = match i {
                    0 => source[[t]],
                    _ => ey[[i, j]] + (hz[[i - 1, j]] - hz[[i, j]]) / 2.0,
                };
                if j > 0 {
                    ex[[i, j]] += (hz[[i, j - 1]] - hz[[i, j]]) / 2.0;
                }
            }
        }
        for i in 0..19 {
            for j in 0..29 {
                let curl = ex[[i, j + 1]] - ex[[i, j]] + ey[[i + 1, j]] - ey[[i, j]];
                hz[[i, j]] -= 0.7 * curl;
            }
        }
    }
    let case = kernel("fdtd-2d", &[])
        .changed(&before[0], &ex)
        .changed(&before[1], &ey);
    case.changed(&before[2], &hz).kept(&source)
}

/// One half of a step: for each line of `to` a tridiagonal system with 1 at both
/// ends, `(1 + 2 m) x - m (left + right) = y`, whose right-hand side comes from
/// three lines of `from`, weighted `k`, `1 - 2 k`, `k`.
struct Sweep {
    m: f64,
    k: f64,
}

impl Sweep {
    /// `line` says where element `j` of line `i` lies in `to`; in `from` it lies there too.
    fn run(
        &self,
        [p, q]: [&mut Matrix; 2],
        to: &mut Matrix,
        from: &Matrix,
        line: impl Fn(usize, usize) -> [usize; 2],
    ) {
        let n = 20;
        for i in 1..n - 1 {
            to[line(i, 0)] = 1.0;
            to[line(i, n - 1)] = 1.0;
            (p[[i, 0]], q[[i, 0]]) = (0.0, 1.0);
            for j in 1..n - 1 {
                let sides = from[line(i - 1, j)] + from[line(i + 1, j)];
                let right = self.k * sides + (1.0 - 2.0 * self.k) * from[line(i, j)];
                let pivot = 1.0 + 2.0 * self.m - self.m * p[[i, j - 1]];
                p[[i, j]] = self.m / pivot;
                q[[i, j]] = (right + self.m * q[[i, j - 1]]) / pivot;
            }
            for j in (1..n - 1).rev() {
                to[line(i, j)] = p[[i, j]] * to[line(i, j + 1)] + q[[i, j]];
            }
        }
    }
}

fn adi() -> Case {
    let mut r = Random::new(436);
    let before: Vec<Matrix> = (0..4).map(|_| random(&mut r, [20, 20])).collect();
    let [mut u, mut v, mut p, mut q] = [0, 1, 2, 3].map(|k: usize| before[k].clone());
    for _ in 0..STEPS {
        let columns = Sweep { m: 20.0, k: 10.0 };
        columns.run([&mut p, &mut q], &mut v, &u, |i, j| [j, i]);
        let rows = Sweep { m: 10.0, k: 20.0 };
        rows.run([&mut p, &mut q], &mut u, &v, |i, j| [i, j]);
    }
    let case = kernel("adi", &[])
        .changed(&before[0], &u)
        .changed(&before[1], &v);
    case.changed(&before[2], &p).changed(&before[3], &q)
}

/// The filter along one line: causal, anticausal, and their sum.
fn filtered(line: &[f64], alpha: f64) -> [Vec<f64>; 3] {
    let e = (-alpha).exp();
    let k = (1.0 - e).powi(2) / (1.0 + 2.0 * alpha * e - (2.0 * alpha).exp());
    let (b1, b2) = (2f64.powf(-alpha), -e * e);
    let at = |values: &[f64], i: usize, back: usize| match i.checked_sub(back) {
        Some(i) => values[i],
        None => 0.0,
    };
    let reversed: Vec<f64> = line.iter().rev().copied().collect();
    let (mut forth, mut back) = (Vec::new(), Vec::new());
    for i in 0..line.len() {
        let feedback = b1 * at(&forth, i, 1) + b2 * at(&forth, i, 2);
        forth.push(k * line[i] + k * e * (alpha - 1.0) * at(line, i, 1) + feedback);
        let feedback = b1 * at(&back, i, 1) + b2 * at(&back, i, 2);
        let feed = k * e * (alpha + 1.0) * at(&reversed, i, 1) - k * e * e * at(&reversed, i, 2);
        back.push(feed + feedback);
    }
    back.reverse();
    let sum = forth.iter().zip(&back).map(|(x, y)| x + y).collect();
    [forth, back, sum]
}

fn deriche() -> Case {
    let n = 64;
    let mut r = Random::new(437);
    let arrays: Vec<Matrix> = (0..4).map(|_| random(&mut r, [n, n])).collect();
    let [image, mut out, mut y1, mut y2] = [0, 1, 2, 3].map(|k: usize| arrays[k].clone());
    for i in 0..n {
        let line: Vec<f64> = (0..n).map(|j| image[[i, j]]).collect();
        let [_, _, sum] = filtered(&line, 0.25);
        (0..n).for_each(|j| out[[i, j]] = sum[j]);
    }
    for j in 0..n {
        let line: Vec<f64> = (0..n).map(|i| out[[i, j]]).collect();
        let [forth, back, sum] = filtered(&line, 0.25);
        for i in 0..n {
            (y1[[i, j]], y2[[i, j]], out[[i, j]]) = (forth[i], back[i], sum[i]);
        }
    }
    let case = kernel("deriche", &[]).number(0.25).kept(&image);
    let case = case.changed(&arrays[1], &out);
    case.changed(&arrays[2], &y1).changed(&arrays[3], &y2)
}
