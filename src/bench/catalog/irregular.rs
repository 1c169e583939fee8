//! Irregular kernels, whose iterations depend on each other or on data.

use super::launch;
use crate::bench::array::Array;
use crate::bench::kernel::{Fill, Kernel, Tolerance};
use crate::bench::peer::{Peer, Plan};

/// Prefix sums.
pub const SCAN: Kernel = Kernel {
    name: "scan",
    what: "the running sums of 4 Mi elements",
    program: include_str!("../../../benches/programs/scan.mlir"),
    fills: &[Fill::Random, Fill::Zeros],
    small: &[(4_194_304, 4096)],
    large: &[(4_194_304, 67_108_864)],
    extents: &[],
    reference: scan,
    tolerance: Tolerance::relative(1e-3),
    peer: Some(Peer {
        shader: include_str!("../../../shaders/bench/scan.wgsl"),
        plan: |shapes| Plan {
            constants: vec![("GROUPS", GROUPS), ("SPAN", shapes[0][0] / (8 * GROUPS))],
            scratch: vec![8 * GROUPS],
            launches: vec![
                launch("sums", [GROUPS, 1, 1], &[0, 2]),
                launch("starts", [1, 1, 1], &[2]),
                launch("write", [GROUPS, 1, 1], &[0, 2, 1]),
            ],
        },
    }),
    gpu_peer: Some(Peer {
        shader: include_str!("../../../shaders/bench/gpu/scan.wgsl"),
        plan: |shapes| {
            let blocks = shapes[0][0].div_ceil(1024);
            let groups = blocks.div_ceil(BLOCKS);
            let constants = [("N", shapes[0][0]), ("GROUPS", groups), ("SPAN", BLOCKS)];
            Plan {
                constants: constants.to_vec(),
                scratch: vec![groups],
                launches: vec![
                    launch("sums", [groups, 1, 1], &[0, 2]),
                    launch("starts", [1, 1, 1], &[2]),
                    launch("write", [groups, 1, 1], &[0, 2, 1]),
                ],
            }
        },
    }),
};

/// Workgroups of the hand-written prefix sums and histogram.
const GROUPS: u32 = 64;

/// Blocks of 1024 elements for each workgroup, on GPUs.
const BLOCKS: u32 = 16;

fn scan(arrays: &mut [Array]) {
    let [x, y] = arrays else { return };
    let mut sum = 0.0_f64;
    for (y, &x) in y.floats_mut().iter_mut().zip(x.floats()) {
        sum += f64::from(x);
        *y = sum as f32;
    }
}

/// Histogram: the number of times that each key occurs.
pub const HISTOGRAM: Kernel = Kernel {
    name: "histogram",
    what: "how often each of 256 keys occurs among 4 Mi",
    program: include_str!("../../../benches/programs/histogram.mlir"),
    fills: &[Fill::Keys(256), Fill::Keys(1)],
    small: &[(4_194_304, 4096)],
    large: &[(4_194_304, 67_108_864)],
    extents: &[],
    reference: histogram,
    tolerance: Tolerance::relative(0.0),
    peer: Some(Peer {
        shader: include_str!("../../../shaders/bench/histogram.wgsl"),
        plan: |shapes| Plan {
            constants: vec![
                ("N", shapes[0][0]),
                ("GROUPS", GROUPS),
                ("SPAN", (shapes[0][0] / 4).div_ceil(GROUPS)),
            ],
            scratch: vec![8 * 256 * GROUPS],
            launches: vec![
                launch("partials", [GROUPS, 1, 1], &[0, 2]),
                launch("total", [256 / 8, 1, 1], &[2, 1]),
            ],
        },
    }),
    gpu_peer: Some(Peer {
        shader: include_str!("../../../shaders/bench/gpu/histogram.wgsl"),
        plan: |shapes| {
            let span = 256 * BLOCKS;
            let groups = (shapes[0][0] / 4).div_ceil(span);
            Plan {
                constants: vec![("N", shapes[0][0]), ("SPAN", span)],
                launches: vec![launch("main", [groups, 1, 1], &[0, 1])],
                ..Plan::default()
            }
        },
    }),
};

fn histogram(arrays: &mut [Array]) {
    let [keys, counts] = arrays else { return };
    let counts = counts.ints_mut();
    for &key in keys.ints() {
        counts[key as usize] += 1;
    }
}

/// Mandelbrot set: the number of steps after which z^2 + c escapes.
pub const MANDELBROT: Kernel = Kernel {
    name: "mandelbrot",
    what: "64 steps of z^2 + c for 512 by 512 values of c",
    program: include_str!("../../../benches/programs/mandelbrot.mlir"),
    fills: &[Fill::Zeros],
    small: &[(512, 64)],
    large: &[],
    extents: &[],
    reference: mandelbrot,
    tolerance: Tolerance {
        relative: 0.0,
        // Next to the border of the set, rounding decides when a value escapes.
        outliers: 0.01,
    },
    peer: Some(Peer {
        shader: MANDELBROT_BY_HAND,
        plan: values::<8, 1>,
    }),
    gpu_peer: Some(Peer {
        shader: MANDELBROT_BY_HAND,
        plan: values::<16, 16>,
    }),
};

const MANDELBROT_BY_HAND: &str = include_str!("../../../shaders/bench/mandelbrot.wgsl");

/// Plan with one thread for each value, in workgroups of `COLUMNS` by `ROWS` threads.
fn values<const COLUMNS: u32, const ROWS: u32>(shapes: &[Vec<u32>]) -> Plan {
    let n = shapes[0][0];
    Plan {
        constants: vec![("N", n), ("COLUMNS", COLUMNS), ("ROWS", ROWS)],
        launches: vec![launch("main", [n / COLUMNS, n / ROWS, 1], &[0])],
        ..Plan::default()
    }
}

fn mandelbrot(arrays: &mut [Array]) {
    let [counts] = arrays else { return };
    let n = counts.shape[0];
    for (at, count) in counts.floats_mut().iter_mut().enumerate() {
        let c = |place: usize, start: f32| start + place as f32 * (3.0 / 512.0);
        let (a, b) = (c(at % n, -2.0), c(at / n, -1.5));
        let (mut x, mut y) = (0.0_f32, 0.0_f32);
        let steps = (0..64).take_while(|_| {
            let stays = x * x + y * y <= 4.0;
            (x, y) = (x * x - y * y + a, 2.0 * x * y + b);
            stays
        });
        *count = steps.count() as f32;
    }
}
