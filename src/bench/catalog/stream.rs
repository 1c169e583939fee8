//! Streams: what memory limits.

use super::launch;
use crate::bench::array::Array;
use crate::bench::kernel::{Fill, Kernel, Tolerance};
use crate::bench::peer::{Peer, Plan};

/// Vectors that a workgroup of a hand-written stream walks.
const SPAN: u32 = 1024;

/// a = b + 3 c.
pub const TRIAD: Kernel = Kernel {
    name: "triad",
    what: "a = b + 3 c of 16 Mi elements",
    program: include_str!("../../../benches/programs/triad.mlir"),
    fills: &[Fill::Zeros, Fill::Random, Fill::Random],
    small: &[(16_777_216, 4096)],
    reference: triad,
    tolerance: Tolerance::relative(1e-6),
    peer: Peer {
        shader: include_str!("../../../shaders/bench/triad.wgsl"),
        plan: |shapes| Plan {
            constants: vec![("N", shapes[0][0]), ("SPAN", SPAN)],
            launches: vec![launch("main", [spans(shapes[0][0]), 1], &[0, 1, 2])],
            ..Plan::default()
        },
    },
};

/// Workgroups that walk `elements`.
fn spans(elements: u32) -> u32 {
    (elements / 4).div_ceil(SPAN)
}

fn triad(arrays: &mut [Array]) {
    let [a, b, c] = arrays else { return };
    for ((a, &b), &c) in a.floats_mut().iter_mut().zip(b.floats()).zip(c.floats()) {
        *a = b + 3.0 * c;
    }
}
