//! Row kernels: softmax, layer normalization, and attention, which has a softmax between two
//! products.
//!
//! References add in 64 bits and take exponentials of the standard library; those of a device are
//! off by some units in the last place more.

use super::launch;
use crate::bench::array::Array;
use crate::bench::kernel::{Fill, Kernel, Tolerance};
use crate::bench::peer::{Peer, Plan};

/// Plan with one workgroup for each row of the first argument.
fn group_a_row(shapes: &[Vec<u32>]) -> Plan {
    let buffers: Vec<usize> = (0..shapes.len()).collect();
    Plan {
        constants: vec![("N", shapes[0][1])],
        launches: vec![launch("main", [shapes[0][0], 1, 1], &buffers)],
        ..Plan::default()
    }
}

/// The softmax of each row.
pub const SOFTMAX: Kernel = Kernel {
    name: "softmax",
    what: "the softmax of 4096 rows of 1024",
    program: include_str!("../../../benches/programs/softmax.mlir"),
    fills: &[Fill::Random, Fill::Zeros],
    small: &[(4096, 16), (1024, 64)],
    large: &[(4096, 32_768)],
    extents: &[],
    reference: softmax,
    tolerance: Tolerance::relative(1e-4),
    peer: Some(Peer {
        shader: include_str!("../../../shaders/bench/softmax.wgsl"),
        plan: group_a_row,
    }),
    gpu_peer: Some(Peer {
        shader: concat!(
            include_str!("../../../shaders/bench/gpu/rows.wgsl"),
            include_str!("../../../shaders/bench/gpu/softmax.wgsl"),
        ),
        plan: group_a_row,
    }),
};

/// The softmax of each row, with a loop nest for each step.
pub const SOFTMAX_NESTS: Kernel = Kernel {
    name: "softmax_nests",
    what: "the softmax of 4096 rows of 1024, a nest a step",
    program: include_str!("../../../benches/programs/softmax_nests.mlir"),
    ..SOFTMAX
};

fn softmax(arrays: &mut [Array]) {
    let [x, y] = arrays else { return };
    let n = x.shape[1];
    for (x, y) in x
        .floats()
        .chunks_exact(n)
        .zip(y.floats_mut().chunks_exact_mut(n))
    {
        y.copy_from_slice(x);
        soften(y);
    }
}

/// Replaces a row by its softmax.
fn soften(row: &mut [f32]) {
    let most = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut sum = 0.0_f64;
    for value in row.iter_mut() {
        *value = (*value - most).exp();
        sum += f64::from(*value);
    }
    for value in row {
        *value /= sum as f32;
    }
}

/// Layer normalization: each row to mean 0 and variance 1, then scaled and shifted by column.
pub const LAYERNORM: Kernel = Kernel {
    name: "layernorm",
    what: "4096 rows of 1024 to mean 0 and variance 1",
    program: include_str!("../../../benches/programs/layernorm.mlir"),
    fills: &[Fill::Random, Fill::Random, Fill::Random, Fill::Zeros],
    small: &[(4096, 16), (1024, 64)],
    large: &[(4096, 32_768)],
    extents: &[],
    reference: layernorm,
    tolerance: Tolerance::relative(1e-4),
    peer: Some(Peer {
        shader: include_str!("../../../shaders/bench/layernorm.wgsl"),
        plan: group_a_row,
    }),
    gpu_peer: Some(Peer {
        shader: concat!(
            include_str!("../../../shaders/bench/gpu/rows.wgsl"),
            include_str!("../../../shaders/bench/gpu/layernorm.wgsl"),
        ),
        plan: group_a_row,
    }),
};

fn layernorm(arrays: &mut [Array]) {
    let [x, scale, shift, y] = arrays else { return };
    let n = x.shape[1];
    for (x, y) in x
        .floats()
        .chunks_exact(n)
        .zip(y.floats_mut().chunks_exact_mut(n))
    {
        let mean = x.iter().map(|&x| f64::from(x)).sum::<f64>() / n as f64;
        let squares = x.iter().map(|&x| (f64::from(x) - mean).powi(2));
        let deviation = (squares.sum::<f64>() / n as f64 + 1e-5).sqrt();
        let columns = scale.floats().iter().zip(shift.floats());
        for ((y, &x), (&scale, &shift)) in y.iter_mut().zip(x).zip(columns) {
            *y = (x - mean as f32) / deviation as f32 * scale + shift;
        }
    }
}

/// Attention of several heads.
pub const ATTENTION: Kernel = Kernel {
    name: "attention",
    what: "softmax(Q K^T / 8) V of 8 heads, 512 positions of 64",
    program: include_str!("../../../benches/programs/attention.mlir"),
    fills: &[Fill::Random, Fill::Random, Fill::Random, Fill::Zeros],
    small: &[(512, 64)],
    large: &[(512, 2048)],
    extents: &[],
    reference: attention,
    tolerance: Tolerance::relative(1e-4),
    peer: Some(Peer {
        shader: include_str!("../../../shaders/bench/attention.wgsl"),
        plan: |shapes| {
            let (heads, n, d) = (shapes[0][0], shapes[0][1], shapes[0][2]);
            Plan {
                constants: vec![("N", n), ("D", d)],
                scratch: vec![heads * n * d, heads * n * n],
                launches: vec![
                    launch("turn", [1, n / 4, heads], &[1, 4]),
                    launch("score", [n / 64, n / 8, heads], &[0, 4, 5]),
                    launch("softmax", [heads * n, 1, 1], &[5]),
                    launch("mix", [d / 64, n / 8, heads], &[5, 2, 3]),
                ],
            }
        },
    }),
    gpu_peer: None,
};

fn attention(arrays: &mut [Array]) {
    let [q, k, v, o] = arrays else { return };
    let (n, d) = (q.shape[1], q.shape[2]);
    let mut weights = vec![0.0; n];
    let rows = q
        .floats()
        .chunks_exact(d)
        .zip(o.floats_mut().chunks_exact_mut(d));
    for (at, (q, o)) in rows.enumerate() {
        let head = at / n * n * d..(at / n + 1) * n * d;
        let (k, v) = (&k.floats()[head.clone()], &v.floats()[head]);
        for (weight, k) in weights.iter_mut().zip(k.chunks_exact(d)) {
            *weight = q.iter().zip(k).map(|(&q, &k)| q * k).sum::<f32>() / 8.0;
        }
        soften(&mut weights);
        o.fill(0.0);
        for (&weight, v) in weights.iter().zip(v.chunks_exact(d)) {
            for (o, &v) in o.iter_mut().zip(v) {
                *o += weight * v;
            }
        }
    }
}
