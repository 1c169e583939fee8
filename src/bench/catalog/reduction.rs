//! Reductions to one number, or to one a row or column.
//!
//! References add up in 64 bits. In 32 bits, a sum in any order of `n` numbers in [-1, 1) into at
//! least 64 partial sums is off by a few `√n ε` relative to its usual size `√n`.

use super::launch;
use crate::bench::array::Array;
use crate::bench::kernel::{Fill, Kernel, Tolerance};
use crate::bench::peer::{Peer, Plan};

/// Workgroups of a hand-written sum.
const GROUPS: u32 = 64;

/// The sum of a vector.
pub const SUM: Kernel = Kernel {
    name: "sum",
    what: "the sum of 16 Mi elements",
    program: include_str!("../../../benches/programs/sum.mlir"),
    fills: &[Fill::Random, Fill::Zeros],
    small: &[(16_777_216, 4096)],
    reference: sum,
    tolerance: Tolerance::relative(1e-3),
    peer: Peer {
        shader: include_str!("../../../shaders/bench/sum.wgsl"),
        plan: |shapes| Plan {
            constants: sums(shapes[0][0]),
            scratch: vec![GROUPS * 8],
            launches: vec![
                launch("partials", [GROUPS, 1], &[0, 2]),
                launch("total", [1, 1], &[2, 1]),
            ],
        },
    },
};

/// Constants of a hand-written sum of `elements`.
fn sums(elements: u32) -> Vec<(&'static str, u32)> {
    let span = (elements / 4).div_ceil(GROUPS);
    vec![("N", elements), ("GROUPS", GROUPS), ("SPAN", span)]
}

fn sum(arrays: &mut [Array]) {
    let [x, s] = arrays else { return };
    let sum: f64 = x.floats().iter().map(|&x| f64::from(x)).sum();
    s.floats_mut().fill(sum as f32);
}
