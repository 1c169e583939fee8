//! References of the examples on vectors and matrices without reductions of
//! their own: `saxpy`, the products, `transpose`, `triangular`, `conv2d`, `imperfect`.

use super::array::{Array, Random};
use super::{Case, SMALL_SIZES};

/// The sizes of a product: `m × p` times `p × n`.
type Sizes = (usize, usize, usize);

/// Small sizes for a product, square and not.
fn product_sizes() -> Vec<Sizes> {
    let square = SMALL_SIZES.map(|n| (n, n, n));
    let uneven = [
        (1, 7, 33),
        (33, 1, 2),
        (5, 9, 1),
        (7, 3, 0),
        (0, 3, 7),
        (17, 65, 34),
    ];
    square.into_iter().chain(uneven).collect()
}

pub fn examples() -> Vec<Case> {
    let mut cases = vec![
        saxpy(65536),
        matmul(256),
        matmul_f64((96, 112, 128)),
        matmul_dynamic((201, 130, 77)),
    ];
    cases.extend([
        transpose(192, 320),
        triangular(200, 96),
        conv2d(96, 128),
        imperfect(200, 120),
    ]);
    for n in SMALL_SIZES {
        cases.extend([
            saxpy(n),
            matmul(n),
            transpose(n, n),
            triangular(n, n),
            conv2d(n, n),
            imperfect(n, n),
        ]);
    }
    cases.extend(
        product_sizes()
            .into_iter()
            .flat_map(|sizes| [matmul_dynamic(sizes), matmul_f64(sizes)]),
    );
    cases.extend([transpose(0, 5), transpose(3, 70), transpose(129, 2)]);
    cases.extend([
        triangular(5, 0),
        triangular(65, 3),
        conv2d(1, 40),
        conv2d(67, 2),
        imperfect(1, 130),
        imperfect(130, 1),
    ]);
    cases
}

fn saxpy(n: usize) -> Case {
    let mut random = Random::new(1);
    let (x, y) = (random.coarse_array([n]), random.coarse_array([n]));
    let a = 2.5;
    let mut after = y.clone();
    for i in 0..n {
        after[[i]] = a * x[[i]] + y[[i]];
    }
    Case::example("saxpy", &[(65536, n as i64)])
        .number(a)
        .input(&x)
        .output(&y, &after)
}

/// `a b` in double precision.
fn product<T: Copy + Into<f64>>(
    (m, n, p): Sizes,
    a: &Array<T, 2>,
    b: &Array<T, 2>,
) -> Array<f64, 2> {
    let mut c = Array::filled([m, n], 0.0);
    for i in 0..m {
        for j in 0..n {
            for k in 0..p {
                c[[i, j]] += a[[i, k]].into() * b[[k, j]].into();
            }
        }
    }
    c
}

fn matmul(n: usize) -> Case {
    let (a, b, before, after) = product_f32((n, n, n));
    Case::example("matmul", &[(256, n as i64)])
        .input(&a)
        .input(&b)
        .output(&before, &after)
}

fn matmul_dynamic(sizes: Sizes) -> Case {
    let (a, b, before, after) = product_f32(sizes);
    Case::example("matmul_dynamic", &[])
        .input(&a)
        .input(&b)
        .output(&before, &after)
}

/// Two factors, what their product overwrites, and the product.
fn product_f32((m, n, p): Sizes) -> (Array<f32, 2>, Array<f32, 2>, Array<f32, 2>, Array<f32, 2>) {
    let mut random = Random::new(2);
    let (a, b) = (random.coarse_array([m, p]), random.coarse_array([p, n]));
    let before = random.coarse_array([m, n]);
    let exact = product((m, n, p), &a, &b);
    let after = exact.map(|x| x as f32);
    (a, b, before, after)
}

fn matmul_f64((m, n, p): Sizes) -> Case {
    let mut random = Random::new(3);
    let mut matrix = |rows, columns| random.coarse_array([rows, columns]).map(f64::from);
    let (a, b, before) = (matrix(m, p), matrix(p, n), matrix(m, n));
    let (alpha, beta) = (1.5, -0.5);
    let mut after = product((m, n, p), &a, &b);
    for i in 0..m {
        for j in 0..n {
            after[[i, j]] = beta * before[[i, j]] + alpha * after[[i, j]];
        }
    }
    Case::example(
        "matmul_f64",
        &[(96, m as i64), (112, n as i64), (128, p as i64)],
    )
    .number(alpha)
    .number(beta)
    .input(&a)
    .input(&b)
    .output(&before, &after)
}

fn transpose(m: usize, n: usize) -> Case {
    let mut random = Random::new(4);
    let (a, before) = (random.fine_array([m, n]), random.fine_array([n, m]));
    let mut after = before.clone();
    for i in 0..m {
        for j in 0..n {
            after[[j, i]] = a[[i, j]];
        }
    }
    Case::example("transpose", &[(192, m as i64), (320, n as i64)])
        .input(&a)
        .output(&before, &after)
}

fn triangular(n: usize, p: usize) -> Case {
    let mut random = Random::new(5);
    let (a, before) = (random.coarse_array([n, p]), random.coarse_array([n, n]));
    let mut after = before.clone();
    for i in 0..n {
        for j in 0..=i {
            for k in 0..p {
                after[[i, j]] += a[[i, k]] * a[[j, k]];
            }
        }
    }
    Case::example("triangular", &[(200, n as i64), (96, p as i64)])
        .input(&a)
        .output(&before, &after)
}

fn conv2d(m: usize, n: usize) -> Case {
    let mut random = Random::new(6);
    let (image, filter) = (random.coarse_array([m, n]), random.coarse_array([3, 3]));
    let before = random.coarse_array([m, n]);
    let mut after = Array::filled([m, n], 0.0);
    for i in 0..m {
        for j in 0..n {
            for (p, q) in (0..3).flat_map(|p| (0..3).map(move |q| (p, q))) {
                // One past the tap, so that the border above and to the left is 0 and not -1.
                let (y, x) = (i + p, j + q);
                if (1..=m).contains(&y) && (1..=n).contains(&x) {
                    after[[i, j]] += filter[[p, q]] * image[[y - 1, x - 1]];
                }
            }
        }
    }
    Case::example("conv2d", &[(96, m as i64), (128, n as i64)])
        .input(&image)
        .input(&filter)
        .output(&before, &after)
}

fn imperfect(m: usize, n: usize) -> Case {
    let mut random = Random::new(7);
    let (a, before) = (random.coarse_array([m, n]), random.coarse_array([m, n]));
    let (scale_before, ends_before) = (random.coarse_array([m]), random.coarse_array([m]));
    let (mut b, mut scale, mut ends) = (before.clone(), scale_before.clone(), ends_before.clone());
    for i in 0..m {
        scale[[i]] = 0.5 * a[[i, 0]];
        for j in 0..n {
            b[[i, j]] = a[[i, j]] * scale[[i]];
        }
        ends[[i]] = b[[i, n - 1]] + a[[i, 0]];
    }
    Case::example(
        "imperfect",
        &[(200, m as i64), (120, n as i64), (119, n as i64 - 1)],
    )
    .input(&a)
    .output(&before, &b)
    .output(&scale_before, &scale)
    .output(&ends_before, &ends)
}
