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
    extents: &[],
    reference: triad,
    tolerance: Tolerance::relative(1e-6),
    peer: Some(Peer {
        shader: include_str!("../../../shaders/bench/triad.wgsl"),
        plan: |shapes| Plan {
            constants: vec![("N", shapes[0][0]), ("SPAN", SPAN)],
            launches: vec![launch("main", [spans(shapes[0][0]), 1, 1], &[0, 1, 2])],
            ..Plan::default()
        },
    }),
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

/// y = x by hand.
pub const COPY_BY_HAND: Peer = Peer {
    shader: include_str!("../../../shaders/bench/copy.wgsl"),
    plan: |shapes| Plan {
        constants: vec![("N", shapes[0][0]), ("SPAN", SPAN)],
        launches: vec![launch("main", [spans(shapes[0][0]), 1, 1], &[0, 1])],
        ..Plan::default()
    },
};

/// y = x.
pub const COPY: Kernel = Kernel {
    name: "copy",
    what: "y = x of 16 Mi elements",
    program: include_str!("../../../benches/programs/copy.mlir"),
    fills: &[Fill::Random, Fill::Zeros],
    small: &[(16_777_216, 4096)],
    extents: &[],
    reference: copy,
    tolerance: Tolerance::relative(0.0),
    peer: Some(COPY_BY_HAND),
};

fn copy(arrays: &mut [Array]) {
    let [x, y] = arrays else { return };
    y.floats_mut().copy_from_slice(x.floats());
}

/// y += 2.5 x.
pub const AXPY: Kernel = Kernel {
    name: "axpy",
    what: "y += 2.5 x of 16 Mi elements",
    program: include_str!("../../../benches/programs/axpy.mlir"),
    fills: &[Fill::Random, Fill::Random],
    small: &[(16_777_216, 4096)],
    extents: &[],
    reference: axpy,
    tolerance: Tolerance::relative(1e-6),
    peer: Some(Peer {
        shader: include_str!("../../../shaders/bench/axpy.wgsl"),
        plan: |shapes| Plan {
            constants: vec![("N", shapes[0][0]), ("SPAN", SPAN)],
            launches: vec![launch("main", [spans(shapes[0][0]), 1, 1], &[0, 1])],
            ..Plan::default()
        },
    }),
};

fn axpy(arrays: &mut [Array]) {
    let [x, y] = arrays else { return };
    for (y, &x) in y.floats_mut().iter_mut().zip(x.floats()) {
        *y += 2.5 * x;
    }
}

/// C = A + B^T.
pub const TRANSPOSE_ADD: Kernel = Kernel {
    name: "transpose_add",
    what: "C = A + B^T, 2048 each way",
    program: include_str!("../../../benches/programs/transpose_add.mlir"),
    fills: &[Fill::Random, Fill::Random, Fill::Zeros],
    small: &[(2048, 64)],
    extents: &[],
    reference: transpose_add,
    tolerance: Tolerance::relative(1e-6),
    peer: Some(Peer {
        shader: include_str!("../../../shaders/bench/transpose_add.wgsl"),
        plan: |shapes| {
            let n = shapes[0][0];
            Plan {
                constants: vec![("N", n)],
                launches: vec![launch("main", [n / 8, n / 64, 1], &[0, 1, 2])],
                ..Plan::default()
            }
        },
    }),
};

fn transpose_add(arrays: &mut [Array]) {
    let [a, b, c] = arrays else { return };
    let n = a.shape[0];
    let rows = a
        .floats()
        .chunks_exact(n)
        .zip(c.floats_mut().chunks_exact_mut(n));
    for (i, (a, c)) in rows.enumerate() {
        let column = b.floats()[i..].iter().step_by(n);
        for ((c, &a), &b) in c.iter_mut().zip(a).zip(column) {
            *c = a + b;
        }
    }
}
