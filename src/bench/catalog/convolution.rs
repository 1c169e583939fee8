//! Convolutions and pooling, NHWC but for `conv_open`.

use super::launch;
use crate::bench::array::Array;
use crate::bench::kernel::{Fill, Kernel, Tolerance};
use crate::bench::peer::{Peer, Plan};

/// Convolution over channels.
pub const CONV: Kernel = Kernel {
    name: "conv",
    what: "convolution, 56 by 56 by 64 to 64 channels, 3 by 3",
    program: include_str!("../../../benches/programs/conv.mlir"),
    fills: &[Fill::Random, Fill::Random, Fill::Random],
    small: &[(58, 10), (56, 8)],
    large: &[(58, 226), (56, 224)],
    extents: &[],
    reference: conv,
    tolerance: Tolerance::relative(1e-4),
    peer: Some(Peer {
        shader: include_str!("../../../shaders/bench/conv.wgsl"),
        plan: |shapes| {
            let (c, out) = (shapes[0][3], &shapes[2]);
            let (h, w, f) = (out[1], out[2], out[3]);
            Plan {
                constants: vec![("W", w), ("C", c), ("F", f)],
                launches: vec![launch("main", [f / 64, w / 8, h], &[0, 1, 2])],
                ..Plan::default()
            }
        },
    }),
    gpu_peer: None,
};

fn conv(arrays: &mut [Array]) {
    let [input, weights, out] = arrays else {
        return;
    };
    let (width, channels) = (input.shape[2], input.shape[3]);
    let (h, w, features) = (out.shape[1], out.shape[2], out.shape[3]);
    for (point, out) in out.floats_mut().chunks_exact_mut(features).enumerate() {
        let (y, x) = (point / w % h, point % w);
        for (window, weights) in weights
            .floats()
            .chunks_exact(channels * features)
            .enumerate()
        {
            let from = ((y + window / 3) * width + x + window % 3) * channels;
            let values = &input.floats()[from..from + channels];
            for (&value, weights) in values.iter().zip(weights.chunks_exact(features)) {
                for (out, &weight) in out.iter_mut().zip(weights) {
                    *out += value * weight;
                }
            }
        }
    }
}

/// Convolution over channels, NCHW, with odd sizes given by the arguments.
pub const CONV_OPEN: Kernel = Kernel {
    name: "conv_open",
    what: "convolution, NCHW, 31 to 63 channels, 55 by 57, 5 by 5, sizes known by the arguments only",
    program: include_str!("../../../benches/programs/conv_open.mlir"),
    fills: &[
        Fill::Sized(&[31, 59, 61]),
        Fill::Sized(&[63, 31, 5, 5]),
        Fill::Sized(&[63, 55, 57]),
    ],
    small: &[(31, 3), (63, 9), (59, 11), (61, 14), (55, 7), (57, 10)],
    large: &[(59, 219), (61, 221), (55, 215), (57, 217)],
    extents: &[],
    reference: conv_open,
    tolerance: Tolerance::relative(1e-4),
    peer: Some(Peer {
        shader: include_str!("../../../shaders/bench/conv_open.wgsl"),
        plan: |shapes| {
            let (weights, out) = (&shapes[1], &shapes[2]);
            let (f, h, w) = (out[0], out[1], out[2]);
            Plan {
                constants: vec![
                    ("C", weights[1]),
                    ("F", f),
                    ("H", h),
                    ("W", w),
                    ("R", weights[2]),
                    ("S", weights[3]),
                ],
                launches: vec![launch(
                    "main",
                    [w.div_ceil(64), h, f.div_ceil(8)],
                    &[0, 1, 2],
                )],
                ..Plan::default()
            }
        },
    }),
    gpu_peer: None,
};

fn conv_open(arrays: &mut [Array]) {
    let [input, weights, out] = arrays else {
        return;
    };
    let (height, width) = (input.shape[1], input.shape[2]);
    let (channels, r, s) = (weights.shape[1], weights.shape[2], weights.shape[3]);
    let (h, w) = (out.shape[1], out.shape[2]);
    let features = (out.floats_mut().chunks_exact_mut(h * w))
        .zip(weights.floats().chunks_exact(channels * r * s));
    for (out, weights) in features {
        for (place, &weight) in weights.iter().enumerate() {
            let (c, dy, dx) = (place / (r * s), place / s % r, place % s);
            for (y, out) in out.chunks_exact_mut(w).enumerate() {
                let from = (c * height + y + dy) * width + dx;
                for (out, &value) in out.iter_mut().zip(&input.floats()[from..from + w]) {
                    *out += weight * value;
                }
            }
        }
    }
}

/// Depthwise convolution: each channel by itself.
pub const DEPTHWISE: Kernel = Kernel {
    name: "depthwise",
    what: "convolution of each of 128 channels, 56 by 56, 3 by 3",
    program: include_str!("../../../benches/programs/depthwise.mlir"),
    fills: &[Fill::Random, Fill::Random, Fill::Zeros],
    small: &[(58, 10), (56, 8), (128, 32)],
    large: &[(58, 226), (56, 224), (128, 512)],
    extents: &[],
    reference: depthwise,
    tolerance: Tolerance::relative(1e-5),
    peer: Some(Peer {
        shader: include_str!("../../../shaders/bench/depthwise.wgsl"),
        plan: |shapes| {
            let out = &shapes[2];
            let (h, w, c) = (out[1], out[2], out[3]);
            Plan {
                constants: vec![("W", w), ("C", c)],
                launches: vec![launch("main", [c / 32, h, 1], &[0, 1, 2])],
                ..Plan::default()
            }
        },
    }),
    gpu_peer: Some(Peer {
        shader: include_str!("../../../shaders/bench/gpu/depthwise.wgsl"),
        plan: |shapes| vectors(&shapes[2], &[0, 1, 2]),
    }),
};

fn depthwise(arrays: &mut [Array]) {
    let [input, weights, out] = arrays else {
        return;
    };
    let (width, channels, w) = (input.shape[2], input.shape[3], out.shape[2]);
    for (point, out) in out.floats_mut().chunks_exact_mut(channels).enumerate() {
        let (y, x) = (point / w, point % w);
        out.fill(0.0);
        for (window, weights) in weights.floats().chunks_exact(channels).enumerate() {
            let from = ((y + window / 3) * width + x + window % 3) * channels;
            let values = &input.floats()[from..from + channels];
            for ((out, &weight), &value) in out.iter_mut().zip(weights).zip(values) {
                *out += value * weight;
            }
        }
    }
}

/// Max pooling: the greatest element of each window.
pub const MAX_POOL: Kernel = Kernel {
    name: "max_pool",
    what: "the greatest of 2 by 2, 224 by 224 by 64",
    program: include_str!("../../../benches/programs/max_pool.mlir"),
    fills: &[Fill::Random, Fill::Zeros],
    small: &[(224, 16), (112, 8)],
    large: &[(224, 896), (112, 448)],
    extents: &[],
    reference: max_pool,
    tolerance: Tolerance::relative(0.0),
    peer: Some(Peer {
        shader: include_str!("../../../shaders/bench/max_pool.wgsl"),
        plan: |shapes| {
            let out = &shapes[1];
            let (h, w, c) = (out[1], out[2], out[3]);
            Plan {
                constants: vec![("W", w), ("C", c)],
                launches: vec![launch("main", [h, 1, 1], &[0, 1])],
                ..Plan::default()
            }
        },
    }),
    gpu_peer: Some(Peer {
        shader: include_str!("../../../shaders/bench/gpu/max_pool.wgsl"),
        plan: |shapes| vectors(&shapes[1], &[0, 1]),
    }),
};

fn max_pool(arrays: &mut [Array]) {
    let [input, out] = arrays else { return };
    let (width, channels, w) = (input.shape[2], input.shape[3], out.shape[2]);
    for (point, out) in out.floats_mut().chunks_exact_mut(channels).enumerate() {
        let (y, x) = (2 * (point / w), 2 * (point % w));
        out.fill(f32::NEG_INFINITY);
        for (y, x) in [(y, x), (y, x + 1), (y + 1, x), (y + 1, x + 1)] {
            let values = &input.floats()[(y * width + x) * channels..];
            for (out, &value) in out.iter_mut().zip(values) {
                *out = out.max(value);
            }
        }
    }
}

/// Plan with a vector of the result's channels for each thread, and a row of the result for each
/// row of the grid.
fn vectors(out: &[u32], buffers: &[usize]) -> Plan {
    let (h, w, c) = (out[1], out[2], out[3]);
    Plan {
        constants: vec![("W", w), ("C", c)],
        launches: vec![launch("main", [(w * c / 4).div_ceil(256), h, 1], buffers)],
        ..Plan::default()
    }
}
