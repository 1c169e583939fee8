//! Products of matrices and vectors, and statistics.

use super::{Case, Matrix, Random, Vector, kernel, random, resized};
use crate::reference::array::Array;

const ALPHA: f64 = 1.5;
const BETA: f64 = -0.75;

pub fn programs() -> Vec<Case> {
    let mut cases = vec![two_mm(), three_mm(), gemm(), doitgen(), symm(), trmm()];
    cases.extend([atax(), bicg(), correlation(), covariance()]);
    for n in [30, 1, 9, 65] {
        cases.extend([gesummv(n), syrk(n), syr2k(n)]);
    }
    for n in [40, 1, 7, 67] {
        cases.extend([gemver(n), mvt(n)]);
    }
    cases
}

/// The product of two matrices of these rows, inner extent and columns.
fn product(a: &Matrix, b: &Matrix, [rows, inner, columns]: [usize; 3]) -> Matrix {
    let mut c = Array::filled([rows, columns], 0.0);
    for i in 0..rows {
        for j in 0..columns {
            c[[i, j]] = (0..inner).map(|k| a[[i, k]] * b[[k, j]]).sum();
        }
    }
    c
}

/// `scale * product + beta * before`, where `keep` says so; `before` elsewhere.
fn combined(
    [scale, beta]: [f64; 2],
    product: &Matrix,
    before: &Matrix,
    [rows, columns]: [usize; 2],
    keep: impl Fn(usize, usize) -> bool,
) -> Matrix {
    let mut sum = before.clone();
    for i in 0..rows {
        for j in (0..columns).filter(|&j| keep(i, j)) {
            sum[[i, j]] = scale * product[[i, j]] + beta * before[[i, j]];
        }
    }
    sum
}

fn transposed(a: &Matrix, [rows, columns]: [usize; 2]) -> Matrix {
    let mut t = Array::filled([columns, rows], 0.0);
    for i in 0..rows {
        for j in 0..columns {
            t[[j, i]] = a[[i, j]];
        }
    }
    t
}

fn two_mm() -> Case {
    let mut r = Random::new(401);
    let (a, b) = (random(&mut r, [16, 22]), random(&mut r, [22, 18]));
    let (c, d) = (random(&mut r, [18, 24]), random(&mut r, [16, 24]));
    let tmp = random(&mut r, [16, 18]);
    let tmp_after = product(&a, &b, [16, 22, 18]).map(|x| ALPHA * x);
    let after = combined(
        [1.0, BETA],
        &product(&tmp_after, &c, [16, 18, 24]),
        &d,
        [16, 24],
        |_, _| true,
    );
    let case = kernel("2mm", &[]).number(ALPHA).number(BETA);
    case.changed(&tmp, &tmp_after)
        .kept(&a)
        .kept(&b)
        .kept(&c)
        .changed(&d, &after)
}

fn three_mm() -> Case {
    let mut r = Random::new(402);
    let (a, b) = (random(&mut r, [16, 20]), random(&mut r, [20, 18]));
    let (c, d) = (random(&mut r, [18, 24]), random(&mut r, [24, 22]));
    let e = random(&mut r, [16, 18]);
    let f = random(&mut r, [18, 22]);
    let g = random(&mut r, [16, 22]);
    let ab = product(&a, &b, [16, 20, 18]);
    let cd = product(&c, &d, [18, 24, 22]);
    let all = product(&ab, &cd, [16, 18, 22]);
    let case = kernel("3mm", &[]).changed(&e, &ab).kept(&a).kept(&b);
    case.changed(&f, &cd).kept(&c).kept(&d).changed(&g, &all)
}

fn gemm() -> Case {
    let mut r = Random::new(403);
    let (a, b) = (random(&mut r, [20, 30]), random(&mut r, [30, 25]));
    let c = random(&mut r, [20, 25]);
    let after = combined(
        [ALPHA, BETA],
        &product(&a, &b, [20, 30, 25]),
        &c,
        [20, 25],
        |_, _| true,
    );
    let case = kernel("gemm", &[]).number(ALPHA).number(BETA);
    case.changed(&c, &after).kept(&a).kept(&b)
}

fn doitgen() -> Case {
    let mut r = Random::new(404);
    let (a, c4) = (random(&mut r, [10, 8, 12]), random(&mut r, [12, 12]));
    let mut after = a.clone();
    for x in 0..10 {
        for q in 0..8 {
            for p in 0..12 {
                after[[x, q, p]] = (0..12).map(|s| a[[x, q, s]] * c4[[s, p]]).sum();
            }
        }
    }
    kernel("doitgen", &[]).changed(&a, &after).kept(&c4)
}

fn symm() -> Case {
    let mut r = Random::new(405);
    let (a, b) = (random(&mut r, [20, 20]), random(&mut r, [20, 30]));
    let c = random(&mut r, [20, 30]);
    let mut full = a.clone();
    for i in 0..20 {
        for j in i + 1..20 {
            full[[i, j]] = a[[j, i]];
        }
    }
    // The sum of row i of the product that comes from rows below i is added after the
    // row was scaled, so it is not scaled by beta.
    let after = combined(
        [ALPHA, BETA],
        &product(&full, &b, [20, 20, 30]),
        &c,
        [20, 30],
        |_, _| true,
    );
    let case = kernel("symm", &[]).number(ALPHA).number(BETA);
    case.changed(&c, &after).kept(&a).kept(&b)
}

fn trmm() -> Case {
    let mut r = Random::new(406);
    let (a, b) = (random(&mut r, [20, 20]), random(&mut r, [20, 30]));
    let mut after = b.clone();
    for i in 0..20 {
        for j in 0..30 {
            let sum: f64 = (i + 1..20).map(|k| a[[k, i]] * b[[k, j]]).sum();
            after[[i, j]] = ALPHA * (b[[i, j]] + sum);
        }
    }
    kernel("trmm", &[])
        .number(ALPHA)
        .kept(&a)
        .changed(&b, &after)
}

fn atax() -> Case {
    let mut r = Random::new(407);
    let (a, x) = (random(&mut r, [38, 42]), random(&mut r, [42]));
    let (y, tmp): (Vector, Vector) = (random(&mut r, [42]), random(&mut r, [38]));
    let ax: Vec<f64> = (0..38)
        .map(|i| (0..42).map(|j| a[[i, j]] * x[[j]]).sum())
        .collect();
    let after = (0..42)
        .map(|j| (0..38).map(|i| a[[i, j]] * ax[i]).sum())
        .collect();
    let case = kernel("atax", &[]).kept(&a).kept(&x);
    case.changed(&y, &Array::list(after))
        .changed(&tmp, &Array::list(ax))
}

fn bicg() -> Case {
    let mut r = Random::new(408);
    let (a, p) = (random(&mut r, [42, 38]), random(&mut r, [38]));
    let (x, s, q): (Vector, Vector, Vector) = (
        random(&mut r, [42]),
        random(&mut r, [38]),
        random(&mut r, [42]),
    );
    let s_after = (0..38)
        .map(|j| (0..42).map(|i| x[[i]] * a[[i, j]]).sum())
        .collect();
    let q_after = (0..42)
        .map(|i| (0..38).map(|j| a[[i, j]] * p[[j]]).sum())
        .collect();
    let case = kernel("bicg", &[])
        .kept(&a)
        .changed(&s, &Array::list(s_after));
    case.changed(&q, &Array::list(q_after)).kept(&p).kept(&x)
}

/// The data less the mean of each of 28 columns of 32, and the means.
fn centred(data: &Matrix) -> (Matrix, Vec<f64>) {
    let mean = |j: usize| (0..32).map(|i| data[[i, j]]).sum::<f64>() / 32.0;
    let means: Vec<f64> = (0..28).map(mean).collect();
    let mut centred = data.clone();
    for i in 0..32 {
        for (j, mean) in means.iter().enumerate() {
            centred[[i, j]] -= mean;
        }
    }
    (centred, means)
}

fn correlation() -> Case {
    let mut r = Random::new(409);
    let mut data = random(&mut r, [32, 28]);
    // A column without variance, which is not divided by zero.
    (0..32).for_each(|i| data[[i, 5]] = 0.5);
    let (corr, unset) = (random(&mut r, [28, 28]), random(&mut r, [28]));
    let (mut scaled, means) = centred(&data);
    let mut deviations = Vec::new();
    for j in 0..28 {
        let variance = (0..32).map(|i| scaled[[i, j]].powi(2)).sum::<f64>() / 32.0;
        let deviation = if variance.sqrt() <= 0.1 {
            1.0
        } else {
            variance.sqrt()
        };
        (0..32).for_each(|i| scaled[[i, j]] /= 32f64.sqrt() * deviation);
        deviations.push(deviation);
    }
    let mut after = product(&transposed(&scaled, [32, 28]), &scaled, [28, 32, 28]);
    (0..28).for_each(|i| after[[i, i]] = 1.0);
    let case = kernel("correlation", &[])
        .changed(&data, &scaled)
        .changed(&corr, &after);
    case.changed(&unset, &Array::list(means))
        .changed(&unset, &Array::list(deviations))
}

fn covariance() -> Case {
    let mut r = Random::new(410);
    let data = random(&mut r, [32, 28]);
    let (cov, unset) = (random(&mut r, [28, 28]), random(&mut r, [28]));
    let (centred, means) = centred(&data);
    let after = product(&transposed(&centred, [32, 28]), &centred, [28, 32, 28]).map(|x| x / 31.0);
    let case = kernel("covariance", &[])
        .changed(&data, &centred)
        .changed(&cov, &after);
    case.changed(&unset, &Array::list(means))
}

fn gesummv(n: usize) -> Case {
    let mut r = Random::new(411);
    let (a, b) = (random(&mut r, [n, n]), random(&mut r, [n, n]));
    let (x, unset): (Vector, Vector) = (random(&mut r, [n]), random(&mut r, [n]));
    let times = |m: &Matrix| -> Vec<f64> {
        (0..n)
            .map(|i| (0..n).map(|j| m[[i, j]] * x[[j]]).sum())
            .collect()
    };
    let (ax, bx) = (times(&a), times(&b));
    let y = ax
        .iter()
        .zip(&bx)
        .map(|(a, b)| ALPHA * a + BETA * b)
        .collect();
    let case = kernel("gesummv", &resized(&[(30, n)]))
        .number(ALPHA)
        .number(BETA);
    let case = case.kept(&a).kept(&b).changed(&unset, &Array::list(ax));
    case.kept(&x).changed(&unset, &Array::list(y))
}

fn syrk(n: usize) -> Case {
    let mut r = Random::new(412);
    let (a, c) = (random(&mut r, [n, 20]), random(&mut r, [n, n]));
    let square = product(&a, &transposed(&a, [n, 20]), [n, 20, n]);
    let after = combined([ALPHA, BETA], &square, &c, [n, n], |i, j| j <= i);
    let case = kernel("syrk", &resized(&[(30, n)]))
        .number(ALPHA)
        .number(BETA);
    case.changed(&c, &after).kept(&a)
}

fn syr2k(n: usize) -> Case {
    let mut r = Random::new(413);
    let (a, b) = (random(&mut r, [n, 20]), random(&mut r, [n, 20]));
    let c = random(&mut r, [n, n]);
    let ab = product(&a, &transposed(&b, [n, 20]), [n, 20, n]);
    let ba = transposed(&ab, [n, n]);
    let half = combined([ALPHA, BETA], &ab, &c, [n, n], |i, j| j <= i);
    let after = combined([ALPHA, 1.0], &ba, &half, [n, n], |i, j| j <= i);
    let case = kernel("syr2k", &resized(&[(30, n)]))
        .number(ALPHA)
        .number(BETA);
    case.changed(&c, &after).kept(&a).kept(&b)
}

fn gemver(n: usize) -> Case {
    let mut r = Random::new(414);
    let a = random(&mut r, [n, n]);
    let vectors: Vec<Vector> = (0..8).map(|_| random(&mut r, [n])).collect();
    let [u1, v1, u2, v2, w, x, y, z] = &vectors[..] else {
        unreachable!("eight vectors were made");
    };
    let mut sum = a.clone();
    for i in 0..n {
        for j in 0..n {
            sum[[i, j]] += u1[[i]] * v1[[j]] + u2[[i]] * v2[[j]];
        }
    }
    let column = |i: usize| (0..n).map(|j| sum[[j, i]] * y[[j]]).sum::<f64>();
    let x_after: Vec<f64> = (0..n).map(|i| x[[i]] + BETA * column(i) + z[[i]]).collect();
    let row = |i: usize| (0..n).map(|j| sum[[i, j]] * x_after[j]).sum::<f64>();
    let w_after = (0..n).map(|i| w[[i]] + ALPHA * row(i)).collect();
    let case = kernel("gemver", &resized(&[(40, n)]))
        .number(ALPHA)
        .number(BETA);
    let case = case.changed(&a, &sum).kept(u1).kept(v1).kept(u2).kept(v2);
    let case = case.changed(w, &Array::list(w_after));
    case.changed(x, &Array::list(x_after)).kept(y).kept(z)
}

fn mvt(n: usize) -> Case {
    let mut r = Random::new(415);
    let a = random(&mut r, [n, n]);
    let vectors: Vec<Vector> = (0..4).map(|_| random(&mut r, [n])).collect();
    let [x1, x2, y1, y2] = &vectors[..] else {
        unreachable!("four vectors were made");
    };
    let (mut first, mut second) = (x1.clone(), x2.clone());
    for i in 0..n {
        for j in 0..n {
            first[[i]] += a[[i, j]] * y1[[j]];
            second[[j]] += a[[i, j]] * y2[[i]];
        }
    }
    let case = kernel("mvt", &resized(&[(40, n)]))
        .changed(x1, &first)
        .changed(x2, &second);
    case.kept(y1).kept(y2).kept(&a)
}
