//! Factorizations, triangular systems and dynamic programming.

use super::{Case, Matrix, Random, Vector, kernel, random, resized};
use crate::reference::array::Array;

pub fn programs() -> Vec<Case> {
    let mut cases = vec![gramschmidt(), nussinov()];
    for n in [40, 1, 2, 9, 67] {
        cases.extend([durbin(n), trisolv(n), cholesky(n), lu(n)]);
    }
    for n in [40, 9, 67] {
        cases.push(ludcmp(n));
    }
    for n in [60, 1, 2, 9, 67] {
        cases.push(floyd_warshall(n));
    }
    cases
}

/// A random matrix with a diagonal that outweighs its rows.
fn dominant(r: &mut Random, n: usize) -> Matrix {
    let mut a = random(r, [n, n]);
    for i in 0..n {
        a[[i, i]] = n as f64 * 0.75 + 1.0;
    }
    a
}

/// L below the diagonal, U on it and above, by elimination column by column.
fn factored(a: &Matrix, n: usize) -> Matrix {
    let mut f = a.clone();
    for k in 0..n {
        for i in k + 1..n {
            let factor = f[[i, k]] / f[[k, k]];
            f[[i, k]] = factor;
            for j in k + 1..n {
                f[[i, j]] -= factor * f[[k, j]];
            }
        }
    }
    f
}

fn lu(n: usize) -> Case {
    let a = dominant(&mut Random::new(421), n);
    kernel("lu", &resized(&[(40, n)])).changed(&a, &factored(&a, n))
}

fn ludcmp(n: usize) -> Case {
    let mut r = Random::new(422);
    let a = dominant(&mut r, n);
    let vectors: Vec<Vector> = (0..3).map(|_| random(&mut r, [n])).collect();
    let [b, x, y] = &vectors[..] else {
        unreachable!("three vectors were made");
    };
    let f = factored(&a, n);
    let mut forward = b.clone();
    for j in 0..n {
        for i in j + 1..n {
            forward[[i]] -= f[[i, j]] * forward[[j]];
        }
    }
    let mut solution = forward.clone();
    for j in (0..n).rev() {
        solution[[j]] /= f[[j, j]];
        for i in 0..j {
            solution[[i]] -= f[[i, j]] * solution[[j]];
        }
    }
    let case = kernel("ludcmp", &resized(&[(40, n), (39, n - 1)])).changed(&a, &f);
    case.kept(b).changed(x, &solution).changed(y, &forward)
}

/// From a known factor: A = L * transposed L leaves L, and above it A.
fn cholesky(n: usize) -> Case {
    let mut r = Random::new(423);
    let mut factor = random(&mut r, [n, n]);
    for i in 0..n {
        factor[[i, i]] += 4.0;
    }
    let mut a = factor.clone();
    let mut after = factor.clone();
    for i in 0..n {
        for j in 0..n {
            let sum: f64 = (0..=i.min(j))
                .map(|k| factor[[i, k]] * factor[[j, k]])
                .sum();
            a[[i, j]] = f64::from(sum as f32);
            if j > i {
                after[[i, j]] = a[[i, j]];
            }
        }
    }
    kernel("cholesky", &resized(&[(40, n)])).changed(&a, &after)
}

/// From a known solution.
fn trisolv(n: usize) -> Case {
    let mut r = Random::new(424);
    let l = dominant(&mut r, n);
    let (unset, x): (Vector, Vector) = (random(&mut r, [n]), random(&mut r, [n]));
    let row = |i: usize| (0..=i).map(|j| l[[i, j]] * x[[j]]).sum::<f64>();
    let b = Array::list((0..n).map(|i| f64::from(row(i) as f32)).collect());
    kernel("trisolv", &resized(&[(40, n)]))
        .kept(&l)
        .changed(&unset, &x)
        .kept(&b)
}

/// The solution of the system by elimination: T * y = -r for the symmetric
/// Toeplitz matrix T of the first row 1, r[0], r[1], …
fn durbin(n: usize) -> Case {
    let mut random_bits = Random::new(425);
    let r: Vector = random(&mut random_bits, [n]).map(|x| f64::from(0.02 * x as f32));
    let unset = random(&mut random_bits, [n]);
    let mut t = Array::filled([n, n], 1.0);
    for i in 0..n {
        for j in (0..n).filter(|&j| j != i) {
            t[[i, j]] = r[[i.abs_diff(j) - 1]];
        }
    }
    let f = factored(&t, n);
    let mut y = r.map(|x| -x);
    for i in 0..n {
        for j in 0..i {
            y[[i]] -= f[[i, j]] * y[[j]];
        }
    }
    for i in (0..n).rev() {
        for j in i + 1..n {
            y[[i]] -= f[[i, j]] * y[[j]];
        }
        y[[i]] /= f[[i, i]];
    }
    kernel("durbin", &resized(&[(40, n)]))
        .kept(&r)
        .changed(&unset, &y)
}

/// Columns orthonormalized one after the other.
fn gramschmidt() -> Case {
    let (m, n) = (80, 72);
    let mut r = Random::new(426);
    let mut a = random(&mut r, [m, n]);
    (0..n).for_each(|i| a[[i, i]] += 6.0);
    let (r_before, q_before) = (random(&mut r, [n, n]), random(&mut r, [m, n]));
    let (mut rest, mut upper, mut q) = (a.clone(), r_before.clone(), q_before.clone());
    for k in 0..n {
        let norm = (0..m).map(|i| rest[[i, k]].powi(2)).sum::<f64>().sqrt();
        upper[[k, k]] = norm;
        (0..m).for_each(|i| q[[i, k]] = rest[[i, k]] / norm);
        for j in k + 1..n {
            let along: f64 = (0..m).map(|i| q[[i, k]] * rest[[i, j]]).sum();
            upper[[k, j]] = along;
            (0..m).for_each(|i| rest[[i, j]] -= q[[i, k]] * along);
        }
    }
    let case = kernel("gramschmidt", &[]).changed(&a, &rest);
    case.changed(&r_before, &upper).changed(&q_before, &q)
}

/// Shortest paths by relaxing all edges until nothing changes.
fn floyd_warshall(n: usize) -> Case {
    let mut r = Random::new(427);
    let before = r.int_array([n, n], 1, 1000);
    let mut after = before.clone();
    loop {
        let mut changed = false;
        for i in 0..n {
            for j in 0..n {
                let by = (0..n).map(|k| after[[i, k]] + after[[k, j]]).min();
                if by.is_some_and(|by| by < after[[i, j]]) {
                    after[[i, j]] = by.unwrap_or(0);
                    changed = true;
                }
            }
        }
        if !changed {
            break;
        }
    }
    kernel("floyd-warshall", &resized(&[(60, n)])).output(&before, &after)
}

/// The most pairs in each interval of bases, by length of the interval.
fn nussinov() -> Case {
    let n = 60;
    let seq = Random::new(428).int_array([n], 0, 4);
    let before = Array::filled([n, n], 0);
    let mut most = before.clone();
    for length in 1..n {
        for i in 0..n - length {
            let j = i + length;
            let pairs = i + 1 < j && seq[[i]] + seq[[j]] == 3;
            let inside = most[[i + 1, j - 1]] + i32::from(pairs);
            let split = (i..j).map(|k| most[[i, k]] + most[[k + 1, j]]).max();
            most[[i, j]] = inside.max(split.unwrap_or(0));
        }
    }
    kernel("nussinov", &[]).input(&seq).output(&before, &most)
}
