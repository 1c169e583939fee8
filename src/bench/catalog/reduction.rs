//! Reductions to one number, to one for each row, or to one for each column.
//!
//! References add in 64 bits. In 32 bits, a sum in any order of `n` numbers in [-1, 1) into at
//! least 64 partial sums is off by a few `√n ε` relative to its usual size `√n`.

use super::launch;
use crate::bench::array::Array;
use crate::bench::kernel::{Fill, Kernel, Tolerance};
use crate::bench::peer::{Peer, Plan};

/// Workgroups of the hand-written sum.
const GROUPS: u32 = 64;

/// Workgroups of the hand-written sum on GPUs.
const GPU_GROUPS: u32 = 2048;

/// The sum of a vector.
pub const SUM: Kernel = Kernel {
    name: "sum",
    what: "the sum of 16 Mi elements",
    program: include_str!("../../../benches/programs/sum.mlir"),
    fills: &[Fill::Random, Fill::Zeros],
    small: &[(16_777_216, 4096)],
    large: &[(16_777_216, 67_108_864)],
    extents: &[],
    reference: sum,
    tolerance: Tolerance::relative(1e-3),
    peer: Some(Peer {
        shader: concat!(
            include_str!("../../../shaders/bench/sum.wgsl"),
            include_str!("../../../shaders/bench/total.wgsl"),
        ),
        plan: |shapes| Plan {
            constants: sums(shapes[0][0], GROUPS),
            scratch: vec![GROUPS * 8],
            launches: vec![
                launch("partials", [GROUPS, 1, 1], &[0, 2]),
                launch("total", [1, 1, 1], &[2, 1]),
            ],
        },
    }),
    gpu_peer: Some(Peer {
        shader: concat!(
            include_str!("../../../shaders/bench/gpu/sum.wgsl"),
            include_str!("../../../shaders/bench/gpu/total.wgsl"),
        ),
        plan: |shapes| Plan {
            constants: sums(shapes[0][0], GPU_GROUPS),
            scratch: vec![GPU_GROUPS],
            launches: vec![
                launch("partials", [GPU_GROUPS, 1, 1], &[0, 2]),
                launch("total", [1, 1, 1], &[2, 1]),
            ],
        },
    }),
};

/// Constants of the hand-written sum of `elements` by `groups` workgroups.
fn sums(elements: u32, groups: u32) -> Vec<(&'static str, u32)> {
    let span = (elements / 4).div_ceil(groups);
    vec![("N", elements), ("GROUPS", groups), ("SPAN", span)]
}

fn sum(arrays: &mut [Array]) {
    let [x, s] = arrays else { return };
    let sum: f64 = x.floats().iter().map(|&x| f64::from(x)).sum();
    s.floats_mut().fill(sum as f32);
}

/// The inner product of two vectors.
pub const DOT: Kernel = Kernel {
    name: "dot",
    what: "the inner product of 16 Mi elements",
    program: include_str!("../../../benches/programs/dot.mlir"),
    fills: &[Fill::Random, Fill::Random, Fill::Zeros],
    small: &[(16_777_216, 4096)],
    large: &[(16_777_216, 67_108_864)],
    extents: &[],
    reference: dot,
    tolerance: Tolerance::relative(1e-3),
    peer: Some(Peer {
        shader: concat!(
            include_str!("../../../shaders/bench/dot.wgsl"),
            include_str!("../../../shaders/bench/total.wgsl"),
        ),
        plan: |shapes| Plan {
            constants: sums(shapes[0][0], GROUPS),
            scratch: vec![GROUPS * 8],
            launches: vec![
                launch("partials", [GROUPS, 1, 1], &[0, 1, 3]),
                launch("total", [1, 1, 1], &[3, 2]),
            ],
        },
    }),
    gpu_peer: Some(Peer {
        shader: concat!(
            include_str!("../../../shaders/bench/gpu/dot.wgsl"),
            include_str!("../../../shaders/bench/gpu/total.wgsl"),
        ),
        plan: |shapes| Plan {
            constants: sums(shapes[0][0], GPU_GROUPS),
            scratch: vec![GPU_GROUPS],
            launches: vec![
                launch("partials", [GPU_GROUPS, 1, 1], &[0, 1, 3]),
                launch("total", [1, 1, 1], &[3, 2]),
            ],
        },
    }),
};

fn dot(arrays: &mut [Array]) {
    let [x, y, s] = arrays else { return };
    let pairs = x.floats().iter().zip(y.floats());
    let sum: f64 = pairs.map(|(&x, &y)| f64::from(x) * f64::from(y)).sum();
    s.floats_mut().fill(sum as f32);
}

/// The sum of each column.
pub const COLSUM: Kernel = Kernel {
    name: "colsum",
    what: "the sum of each column, 4096 by 4096",
    program: include_str!("../../../benches/programs/colsum.mlir"),
    fills: &[Fill::Random, Fill::Zeros],
    small: &[(4096, 128)],
    large: &[(4096, 8192)],
    extents: &[],
    reference: colsum,
    tolerance: Tolerance::relative(1e-4),
    peer: Some(Peer {
        shader: include_str!("../../../shaders/bench/colsum.wgsl"),
        plan: column_sums::<32>,
    }),
    gpu_peer: Some(Peer {
        shader: include_str!("../../../shaders/bench/gpu/colsum.wgsl"),
        plan: column_sums::<128>,
    }),
};

/// Rows that one thread of the hand-written column sums adds up.
const CHUNK: u32 = 128;

/// Plan of the hand-written column sums, whose second launch covers `COLUMNS` columns with each
/// workgroup.
fn column_sums<const COLUMNS: u32>(shapes: &[Vec<u32>]) -> Plan {
    let (m, n) = (shapes[0][0], shapes[0][1]);
    let chunks = m / CHUNK;
    Plan {
        constants: vec![("M", m), ("N", n), ("CHUNK", CHUNK)],
        scratch: vec![chunks * n],
        launches: vec![
            launch("partials", [n / 128, chunks, 1], &[0, 2]),
            launch("total", [n / COLUMNS, 1, 1], &[2, 1]),
        ],
    }
}

fn colsum(arrays: &mut [Array]) {
    let [a, s] = arrays else { return };
    let mut sums = vec![0.0_f64; s.len()];
    for row in a.floats().chunks_exact(sums.len()) {
        for (sum, &value) in sums.iter_mut().zip(row) {
            *sum += f64::from(value);
        }
    }
    for (s, sum) in s.floats_mut().iter_mut().zip(sums) {
        *s = sum as f32;
    }
}
