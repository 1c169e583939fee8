//! Products of matrices and vectors.
//!
//! References add up in order. A sum of `n` products of numbers in [-1, 1) is off by a few
//! `√n ε` relative to its size where roundings are independent: the tolerances are ten times that.

use super::launch;
use crate::bench::array::Array;
use crate::bench::kernel::{Fill, Kernel, Tolerance};
use crate::bench::peer::{Peer, Plan};

/// C += A B.
pub const GEMM: Kernel = Kernel {
    name: "gemm",
    what: "C += A B, 1024 each way",
    program: include_str!("../../../benches/programs/gemm.mlir"),
    fills: &[Fill::Random, Fill::Random, Fill::Random],
    small: &[(1024, 64)],
    reference: gemm,
    tolerance: Tolerance::relative(1e-4),
    peer: Peer {
        shader: include_str!("../../../shaders/bench/gemm.wgsl"),
        plan: |shapes| {
            let (m, n, k) = (shapes[2][0], shapes[2][1], shapes[0][1]);
            Plan {
                constants: vec![("N", n), ("K", k)],
                launches: vec![launch("main", [n / 64, m / 8], &[0, 1, 2])],
                ..Plan::default()
            }
        },
    },
};

fn gemm(arrays: &mut [Array]) {
    let [a, b, c] = arrays else { return };
    let (k, n) = (a.shape[1], b.shape[1]);
    let rows = a
        .floats()
        .chunks_exact(k)
        .zip(c.floats_mut().chunks_exact_mut(n));
    for (a, c) in rows {
        for (&a, b) in a.iter().zip(b.floats().chunks_exact(n)) {
            for (c, &b) in c.iter_mut().zip(b) {
                *c += a * b;
            }
        }
    }
}

/// y += A x.
pub const MATVEC: Kernel = Kernel {
    name: "matvec",
    what: "y += A x, 4096 each way",
    program: include_str!("../../../benches/programs/matvec.mlir"),
    fills: &[Fill::Random, Fill::Random, Fill::Random],
    small: &[(4096, 64)],
    reference: matvec,
    tolerance: Tolerance::relative(1e-4),
    peer: Peer {
        shader: include_str!("../../../shaders/bench/matvec.wgsl"),
        plan: |shapes| {
            let (m, n) = (shapes[0][0], shapes[0][1]);
            Plan {
                constants: vec![("N", n)],
                scratch: vec![m * 8],
                launches: vec![
                    launch("partials", [m / 4, 1], &[0, 1, 3]),
                    launch("total", [m / 8, 1], &[3, 2]),
                ],
            }
        },
    },
};

fn matvec(arrays: &mut [Array]) {
    let [a, x, y] = arrays else { return };
    let rows = a.floats().chunks_exact(a.shape[1]);
    for (row, y) in rows.zip(y.floats_mut()) {
        let products = row.iter().zip(x.floats()).map(|(&a, &x)| a * x);
        *y += products.sum::<f32>();
    }
}
