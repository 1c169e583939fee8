//! Streams: kernels that are limited by memory bandwidth.

use super::launch;
use crate::bench::array::Array;
use crate::bench::kernel::{Fill, Kernel, Tolerance};
use crate::bench::peer::{Peer, Plan};

/// Vectors that a workgroup of a hand-written stream processes.
const SPAN: u32 = 1024;

/// Threads of a workgroup of a hand-written stream on GPUs, and on drivers that run kernels on the CPU.
const GPU: u32 = 256;
const CPU: u32 = 8;

/// Plan of a hand-written stream in workgroups of `LANES` threads, which takes all arguments.
fn spans<const LANES: u32>(shapes: &[Vec<u32>]) -> Plan {
    let elements = shapes[0][0];
    let buffers: Vec<usize> = (0..shapes.len()).collect();
    let groups = (elements / 4).div_ceil(SPAN);
    Plan {
        constants: vec![("N", elements), ("SPAN", SPAN), ("LANES", LANES)],
        launches: vec![launch("main", [groups, 1, 1], &buffers)],
        ..Plan::default()
    }
}

/// a = b + 3 c.
pub const TRIAD: Kernel = Kernel {
    name: "triad",
    what: "a = b + 3 c of 16 Mi elements",
    program: include_str!("../../../benches/programs/triad.mlir"),
    fills: &[Fill::Zeros, Fill::Random, Fill::Random],
    small: &[(16_777_216, 4096)],
    large: &[(16_777_216, 67_108_864)],
    extents: &[],
    reference: triad,
    tolerance: Tolerance::relative(1e-6),
    peer: Some(Peer {
        shader: TRIAD_BY_HAND,
        plan: spans::<CPU>,
    }),
    gpu_peer: Some(Peer {
        shader: TRIAD_BY_HAND,
        plan: spans::<GPU>,
    }),
};

const TRIAD_BY_HAND: &str = include_str!("../../../shaders/bench/triad.wgsl");

fn triad(arrays: &mut [Array]) {
    let [a, b, c] = arrays else { return };
    for ((a, &b), &c) in a.floats_mut().iter_mut().zip(b.floats()).zip(c.floats()) {
        *a = b + 3.0 * c;
    }
}

/// y = x by hand, on drivers that run kernels on the CPU and on GPUs.
pub const COPY_BY_HAND: Peer = Peer {
    shader: include_str!("../../../shaders/bench/copy.wgsl"),
    plan: spans::<CPU>,
};
pub const COPY_ON_GPU: Peer = Peer {
    plan: spans::<GPU>,
    ..COPY_BY_HAND
};

/// y = x.
pub const COPY: Kernel = Kernel {
    name: "copy",
    what: "y = x of 16 Mi elements",
    program: include_str!("../../../benches/programs/copy.mlir"),
    fills: &[Fill::Random, Fill::Zeros],
    small: &[(16_777_216, 4096)],
    large: &[(16_777_216, 67_108_864)],
    extents: &[],
    reference: copy,
    tolerance: Tolerance::relative(0.0),
    peer: Some(COPY_BY_HAND),
    gpu_peer: Some(COPY_ON_GPU),
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
    large: &[(16_777_216, 67_108_864)],
    extents: &[],
    reference: axpy,
    tolerance: Tolerance::relative(1e-6),
    peer: Some(Peer {
        shader: AXPY_BY_HAND,
        plan: spans::<CPU>,
    }),
    gpu_peer: Some(Peer {
        shader: AXPY_BY_HAND,
        plan: spans::<GPU>,
    }),
};

const AXPY_BY_HAND: &str = include_str!("../../../shaders/bench/axpy.wgsl");

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
    large: &[(2048, 8192)],
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
    gpu_peer: Some(Peer {
        shader: include_str!("../../../shaders/bench/gpu/transpose_add.wgsl"),
        plan: |shapes| {
            let n = shapes[0][0];
            Plan {
                constants: vec![("N", n)],
                launches: vec![launch("main", [n / 32, n / 32, 1], &[0, 1, 2])],
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
