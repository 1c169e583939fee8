//! Stencil kernels.

use super::launch;
use crate::bench::array::Array;
use crate::bench::kernel::{Fill, Kernel, Tolerance};
use crate::bench::peer::{Peer, Plan};

/// Jacobi sweeps of five points, alternating between two arrays.
pub const JACOBI: Kernel = Kernel {
    name: "jacobi",
    what: "20 sweeps of five points over 2048 by 2048",
    program: include_str!("../../../benches/programs/jacobi.mlir"),
    fills: &[Fill::Random, Fill::Random],
    small: &[(2048, 64), (2047, 63)],
    large: &[(2048, 8192), (2047, 8191)],
    extents: &[],
    reference: jacobi,
    tolerance: Tolerance::relative(1e-5),
    peer: Some(Peer {
        shader: include_str!("../../../shaders/bench/jacobi.wgsl"),
        plan: |shapes| {
            let n = shapes[0][0];
            sweeps(n, [(n - 2).div_ceil(2), 1, 1])
        },
    }),
    gpu_peer: Some(Peer {
        shader: include_str!("../../../shaders/bench/gpu/jacobi.wgsl"),
        plan: |shapes| {
            let n = shapes[0][0];
            sweeps(n, [(n - 2).div_ceil(64), (n - 2).div_ceil(16), 1])
        },
    }),
};

/// Plan of all sweeps over `n` rows, one launch for each.
fn sweeps(n: u32, grid: [u32; 3]) -> Plan {
    let sweep = |step| match step % 2 {
        0 => launch("main", grid, &[0, 1]),
        _ => launch("main", grid, &[1, 0]),
    };
    Plan {
        constants: vec![("N", n)],
        launches: (0..SWEEPS).map(sweep).collect(),
        ..Plan::default()
    }
}

const SWEEPS: usize = 20;

fn jacobi(arrays: &mut [Array]) {
    let [a, b] = arrays else { return };
    let n = a.shape[0];
    let (mut from, mut to) = (a.floats_mut(), b.floats_mut());
    for _ in 0..SWEEPS {
        for i in 1..n - 1 {
            let row = |i: usize| &from[i * n..(i + 1) * n];
            let (above, here, below) = (row(i - 1), row(i), row(i + 1));
            let out = &mut to[i * n..(i + 1) * n];
            for j in 1..n - 1 {
                out[j] = 0.2 * (here[j] + here[j - 1] + here[j + 1] + above[j] + below[j]);
            }
        }
        std::mem::swap(&mut from, &mut to);
    }
}

/// Heat equation in three dimensions: the mean of the points around each.
pub const HEAT_3D: Kernel = Kernel {
    name: "heat_3d",
    what: "the mean of the 27 points around each of 160 by 160 by 160",
    program: include_str!("../../../benches/programs/heat_3d.mlir"),
    fills: &[Fill::Random, Fill::Zeros],
    small: &[(162, 18), (161, 17)],
    large: &[(162, 386), (161, 385)],
    extents: &[],
    reference: heat_3d,
    tolerance: Tolerance::relative(1e-5),
    peer: Some(Peer {
        shader: include_str!("../../../shaders/bench/heat_3d.wgsl"),
        plan: |shapes| {
            let side = shapes[0][0] - 2;
            Plan {
                constants: vec![("S", side)],
                launches: vec![launch("main", [side / 4, side, 1], &[0, 1])],
                ..Plan::default()
            }
        },
    }),
    gpu_peer: Some(Peer {
        shader: include_str!("../../../shaders/bench/gpu/heat_3d.wgsl"),
        plan: |shapes| {
            let side = shapes[0][0] - 2;
            let grid = [side.div_ceil(64), side.div_ceil(16), side];
            Plan {
                constants: vec![("S", side)],
                launches: vec![launch("main", grid, &[0, 1])],
                ..Plan::default()
            }
        },
    }),
};

fn heat_3d(arrays: &mut [Array]) {
    let [a, b] = arrays else { return };
    let n = a.shape[0];
    let (a, b) = (a.floats(), b.floats_mut());
    for i in 1..n - 1 {
        for j in 1..n - 1 {
            for k in 1..n - 1 {
                let mut sum = 0.0;
                for row in (i - 1..=i + 1).flat_map(|i| (j - 1..=j + 1).map(move |j| i * n + j)) {
                    let at = row * n + k;
                    sum += a[at - 1] + a[at] + a[at + 1];
                }
                b[(i * n + j) * n + k] = sum / 27.0;
            }
        }
    }
}
