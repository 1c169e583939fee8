//! Kernels over all pairs of bodies.

use super::launch;
use crate::bench::array::Array;
use crate::bench::kernel::{Fill, Kernel, Tolerance};
use crate::bench::peer::{Peer, Plan};

/// N-body: the gravitation of bodies on each other.
pub const N_BODY: Kernel = Kernel {
    name: "n_body",
    what: "the pull of 4096 bodies on each other",
    program: include_str!("../../../benches/programs/n_body.mlir"),
    fills: &[Fill::Random, Fill::Zeros],
    small: &[(4096, 64)],
    large: &[(4096, 32_768)],
    extents: &[],
    reference: n_body,
    tolerance: Tolerance::relative(1e-3),
    peer: Some(Peer {
        shader: include_str!("../../../shaders/bench/n_body.wgsl"),
        plan: |shapes| {
            let n = shapes[0][0];
            Plan {
                constants: vec![("N", n)],
                launches: vec![launch("main", [n / 8, 1, 1], &[0, 1])],
                ..Plan::default()
            }
        },
    }),
    gpu_peer: Some(Peer {
        shader: include_str!("../../../shaders/bench/gpu/n_body.wgsl"),
        plan: |shapes| {
            let n = shapes[0][0];
            Plan {
                constants: vec![("N", n)],
                launches: vec![launch("main", [n / 64, 1, 1], &[0, 1])],
                ..Plan::default()
            }
        },
    }),
};

fn n_body(arrays: &mut [Array]) {
    let [bodies, forces] = arrays else { return };
    let bodies = bodies.floats().as_chunks::<4>().0;
    for (&[x, y, z, _], force) in bodies.iter().zip(forces.floats_mut().chunks_exact_mut(3)) {
        let mut sum = [0.0; 3];
        for &[u, v, w, mass] in bodies {
            let way = [u - x, v - y, w - z];
            let square = way.iter().map(|d| d * d).sum::<f32>() + 0.01;
            let pull = mass / (square * square.sqrt());
            for (sum, way) in sum.iter_mut().zip(way) {
                *sum += pull * way;
            }
        }
        force.copy_from_slice(&sum);
    }
}
