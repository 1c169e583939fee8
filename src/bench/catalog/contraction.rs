//! Products of matrices and vectors.
//!
//! References add up in order. A sum of `n` products of numbers in [-1, 1) is off by a few
//! `√n ε` relative to its size where roundings are independent: the tolerances are ten times that.

use super::launch;
use crate::bench::array::Array;
use crate::bench::kernel::{Fill, Kernel, Tolerance};
use crate::bench::peer::{Peer, Plan};

/// Tiled products for GPUs: they go through workgroup memory.
const TILED: &str = include_str!("../../../shaders/bench/gpu/gemm.wgsl");

/// Layout of the factors of a product.
enum Layout {
    Plain,
    FirstTransposed,
    SecondTransposed,
}

/// Least number of 128 by 128 blocks of results that keeps a GPU busy.
const BUSY: u32 = 200;

/// Returns the plan of [`TILED`] for arguments A, B and C, each of which may be a batch of
/// matrices.
fn tiled(shapes: &[Vec<u32>], layout: Layout) -> Plan {
    let matrix = |number: usize| {
        let shape = &shapes[number];
        (shape[shape.len() - 2], shape[shape.len() - 1])
    };
    let ((m, n), (a_rows, a_columns)) = (matrix(2), matrix(0));
    let count = if shapes[2].len() > 2 { shapes[2][0] } else { 1 };
    // Strides of rows and of columns.
    let (k, a, b) = match layout {
        Layout::Plain => (a_columns, (a_columns, 1), (n, 1)),
        Layout::FirstTransposed => (a_rows, (1, m), (n, 1)),
        Layout::SecondTransposed => (a_columns, (a_columns, 1), (1, a_columns)),
    };
    let blocks = |side: u32| [n.div_ceil(side), m.div_ceil(side), count];
    let large = blocks(128);
    let (entry, grid) = match large.iter().product::<u32>() < BUSY {
        true => ("small", blocks(64)),
        false => ("main", large),
    };
    Plan {
        constants: vec![
            ("M", m),
            ("N", n),
            ("K", k),
            ("A_ROW", a.0),
            ("A_COLUMN", a.1),
            ("B_ROW", b.0),
            ("B_COLUMN", b.1),
        ],
        launches: vec![launch(entry, grid, &[0, 1, 2])],
        ..Plan::default()
    }
}

/// C += A B.
pub const GEMM: Kernel = Kernel {
    name: "gemm",
    what: "C += A B, 1024 each way",
    program: include_str!("../../../benches/programs/gemm.mlir"),
    fills: &[Fill::Random, Fill::Random, Fill::Random],
    small: &[(1024, 64)],
    large: &[(1024, 4096)],
    extents: &[],
    reference: gemm,
    tolerance: Tolerance::relative(1e-4),
    peer: Some(Peer {
        shader: include_str!("../../../shaders/bench/gemm.wgsl"),
        plan: |shapes| {
            let (m, n, k) = (shapes[2][0], shapes[2][1], shapes[0][1]);
            Plan {
                constants: vec![("N", n), ("K", k)],
                launches: vec![launch("main", [n / 64, m / 8, 1], &[0, 1, 2])],
                ..Plan::default()
            }
        },
    }),
    gpu_peer: Some(Peer {
        shader: TILED,
        plan: |shapes| tiled(shapes, Layout::Plain),
    }),
};

fn gemm(arrays: &mut [Array]) {
    let [a, b, c] = arrays else { return };
    let (k, n) = (a.shape[1], b.shape[1]);
    let rows = a
        .floats()
        .chunks_exact(k)
        .zip(c.floats_mut().chunks_exact_mut(n));
    for (a, c) in rows {
        for (&a, b) in a.iter().zip(b.floats().chunks_exact(n)) {
            for (c, &b) in c.iter_mut().zip(b) {
                *c += a * b;
            }
        }
    }
}

/// y += A x.
pub const MATVEC: Kernel = Kernel {
    name: "matvec",
    what: "y += A x, 4096 each way",
    program: include_str!("../../../benches/programs/matvec.mlir"),
    fills: &[Fill::Random, Fill::Random, Fill::Random],
    small: &[(4096, 64)],
    large: &[(4096, 8192)],
    extents: &[],
    reference: matvec,
    tolerance: Tolerance::relative(1e-4),
    peer: Some(Peer {
        shader: include_str!("../../../shaders/bench/matvec.wgsl"),
        plan: |shapes| {
            let (m, n) = (shapes[0][0], shapes[0][1]);
            Plan {
                constants: vec![("N", n)],
                scratch: vec![m * 8],
                launches: vec![
                    launch("partials", [m / 4, 1, 1], &[0, 1, 3]),
                    launch("total", [m / 8, 1, 1], &[3, 2]),
                ],
            }
        },
    }),
    gpu_peer: Some(Peer {
        shader: include_str!("../../../shaders/bench/gpu/matvec.wgsl"),
        plan: |shapes| Plan {
            constants: vec![("N", shapes[0][1])],
            launches: vec![launch("main", [shapes[0][0], 1, 1], &[0, 1, 2])],
            ..Plan::default()
        },
    }),
};

fn matvec(arrays: &mut [Array]) {
    let [a, x, y] = arrays else { return };
    let rows = a.floats().chunks_exact(a.shape[1]);
    for (row, y) in rows.zip(y.floats_mut()) {
        let products = row.iter().zip(x.floats()).map(|(&a, &x)| a * x);
        *y += products.sum::<f32>();
    }
}

/// y += A^T x, with odd sizes given by the arguments.
pub const MATVEC_T: Kernel = Kernel {
    name: "matvec_t",
    what: "y += A^T x, 4095 by 2047, sizes known by the arguments only",
    program: include_str!("../../../benches/programs/matvec_t.mlir"),
    fills: &[
        Fill::Sized(&[4095, 2047]),
        Fill::Sized(&[4095]),
        Fill::Sized(&[2047]),
    ],
    small: &[(4095, 259), (2047, 67)],
    large: &[(4095, 8191), (2047, 4095)],
    extents: &[],
    reference: matvec_t,
    tolerance: Tolerance::relative(1e-4),
    peer: Some(Peer {
        shader: include_str!("../../../shaders/bench/matvec_t.wgsl"),
        plan: transposed::<8>,
    }),
    gpu_peer: Some(Peer {
        shader: include_str!("../../../shaders/bench/gpu/matvec_t.wgsl"),
        plan: transposed::<64>,
    }),
};

/// Rows that one thread of the hand-written transposed product adds up.
const ROWS: u32 = 128;

/// Plan of the hand-written transposed product, whose second launch covers `COLUMNS` columns with
/// each workgroup.
fn transposed<const COLUMNS: u32>(shapes: &[Vec<u32>]) -> Plan {
    let (m, n) = (shapes[0][0], shapes[0][1]);
    let chunks = m.div_ceil(ROWS);
    Plan {
        constants: vec![("M", m), ("N", n), ("CHUNK", ROWS)],
        scratch: vec![chunks * n],
        launches: vec![
            launch("partials", [n.div_ceil(64), chunks, 1], &[0, 1, 3]),
            launch("total", [n.div_ceil(COLUMNS), 1, 1], &[3, 2]),
        ],
    }
}

fn matvec_t(arrays: &mut [Array]) {
    let [a, x, y] = arrays else { return };
    let mut sums: Vec<f64> = y.floats().iter().map(|&y| f64::from(y)).collect();
    for (row, &x) in a.floats().chunks_exact(sums.len()).zip(x.floats()) {
        for (sum, &a) in sums.iter_mut().zip(row) {
            *sum += f64::from(a) * f64::from(x);
        }
    }
    for (y, sum) in y.floats_mut().iter_mut().zip(sums) {
        *y = sum as f32;
    }
}

/// C += A B, with odd sizes.
pub const GEMM_ODD: Kernel = Kernel {
    name: "gemm_odd",
    what: "C += A B, 777 by 541 by 613",
    program: include_str!("../../../benches/programs/gemm_odd.mlir"),
    fills: &[Fill::Random, Fill::Random, Fill::Random],
    small: &[(777, 77), (541, 41), (613, 70)],
    large: &[(777, 2001), (541, 1999), (613, 2003)],
    extents: &[],
    reference: gemm,
    tolerance: Tolerance::relative(1e-4),
    peer: Some(Peer {
        shader: include_str!("../../../shaders/bench/gemm_odd.wgsl"),
        plan: |shapes| plan_of_any_size(shapes, false),
    }),
    gpu_peer: Some(Peer {
        shader: TILED,
        plan: |shapes| tiled(shapes, Layout::Plain),
    }),
};

/// C += A^T B, with odd sizes.
pub const GEMM_TN: Kernel = Kernel {
    name: "gemm_tn",
    what: "C += A^T B, 777 by 541 by 613",
    program: include_str!("../../../benches/programs/gemm_tn.mlir"),
    fills: &[Fill::Random, Fill::Random, Fill::Random],
    small: &[(777, 77), (541, 41), (613, 70)],
    large: &[(777, 2001), (541, 1999), (613, 2003)],
    extents: &[],
    reference: gemm_tn,
    tolerance: Tolerance::relative(1e-4),
    peer: Some(Peer {
        shader: include_str!("../../../shaders/bench/gemm_odd.wgsl"),
        plan: |shapes| plan_of_any_size(shapes, true),
    }),
    gpu_peer: Some(Peer {
        shader: TILED,
        plan: |shapes| tiled(shapes, Layout::FirstTransposed),
    }),
};

/// Plan of a product of any size, whose last blocks overlap the ones before.
fn plan_of_any_size(shapes: &[Vec<u32>], is_transposed: bool) -> Plan {
    let (m, n) = (shapes[2][0], shapes[2][1]);
    let (k, row, column) = match is_transposed {
        true => (shapes[0][0], 1, m),
        false => (shapes[0][1], shapes[0][1], 1),
    };
    Plan {
        constants: vec![
            ("M", m),
            ("N", n),
            ("K", k),
            ("A_ROW", row),
            ("A_COLUMN", column),
        ],
        launches: vec![launch(
            "main",
            [n.div_ceil(64), m.div_ceil(8), 1],
            &[0, 1, 2],
        )],
        ..Plan::default()
    }
}

fn gemm_tn(arrays: &mut [Array]) {
    let [a, b, c] = arrays else { return };
    let (m, n) = (a.shape[1], b.shape[1]);
    let steps = a.floats().chunks_exact(m).zip(b.floats().chunks_exact(n));
    for (a, b) in steps {
        for (&a, c) in a.iter().zip(c.floats_mut().chunks_exact_mut(n)) {
            for (c, &b) in c.iter_mut().zip(b) {
                *c += a * b;
            }
        }
    }
}

/// C += A B, with sizes given by the arguments.
pub const GEMM_OPEN: Kernel = Kernel {
    name: "gemm_open",
    what: "C += A B, 300 by 340 by 260, sizes known by the arguments only",
    program: include_str!("../../../benches/programs/gemm_open.mlir"),
    fills: &[
        Fill::Sized(&[300, 340]),
        Fill::Sized(&[340, 260]),
        Fill::Sized(&[300, 260]),
    ],
    small: &[(300, 30), (340, 34), (260, 68)],
    large: &[(300, 1500), (340, 1700), (260, 1300)],
    extents: &[],
    reference: gemm,
    tolerance: Tolerance::relative(1e-4),
    peer: Some(Peer {
        shader: include_str!("../../../shaders/bench/gemm_open.wgsl"),
        plan: |shapes| {
            let (m, n, k) = (shapes[2][0], shapes[2][1], shapes[0][1]);
            Plan {
                constants: vec![("M", m), ("N", n), ("K", k)],
                launches: vec![launch(
                    "main",
                    [n.div_ceil(64), m.div_ceil(8), 1],
                    &[0, 1, 2],
                )],
                ..Plan::default()
            }
        },
    }),
    gpu_peer: Some(Peer {
        shader: TILED,
        plan: |shapes| tiled(shapes, Layout::Plain),
    }),
};

/// C += A B^T, for a batch of matrices.
pub const BATCH: Kernel = Kernel {
    name: "batch",
    what: "8 products C += A B^T, 256 each way",
    program: include_str!("../../../benches/programs/batch.mlir"),
    fills: &[Fill::Random, Fill::Random, Fill::Random],
    small: &[(256, 64)],
    large: &[(256, 512), (8, 64)],
    extents: &[],
    reference: batch,
    tolerance: Tolerance::relative(1e-4),
    peer: Some(Peer {
        shader: include_str!("../../../shaders/bench/batch.wgsl"),
        plan: |shapes| {
            let (count, n) = (shapes[0][0], shapes[0][1]);
            Plan {
                constants: vec![("N", n)],
                scratch: vec![count * n * n],
                launches: vec![
                    launch("turn", [1, n / 4, count], &[1, 3]),
                    launch("multiply", [n / 64, n / 8, count], &[0, 3, 2]),
                ],
            }
        },
    }),
    gpu_peer: Some(Peer {
        shader: TILED,
        plan: |shapes| tiled(shapes, Layout::SecondTransposed),
    }),
};

fn batch(arrays: &mut [Array]) {
    let [a, b, c] = arrays else { return };
    let n = a.shape[1];
    let matrices = a
        .floats()
        .chunks_exact(n * n)
        .zip(b.floats().chunks_exact(n * n));
    for ((a, b), c) in matrices.zip(c.floats_mut().chunks_exact_mut(n * n)) {
        for (a, c) in a.chunks_exact(n).zip(c.chunks_exact_mut(n)) {
            for (b, c) in b.chunks_exact(n).zip(c) {
                *c += a.iter().zip(b).map(|(&a, &b)| a * b).sum::<f32>();
            }
        }
    }
}

/// C += A B in double precision.
pub const GEMM_F64: Kernel = Kernel {
    name: "gemm_f64",
    what: "C += A B in double precision, 512 each way",
    program: include_str!("../../../benches/programs/gemm_f64.mlir"),
    tolerance: Tolerance::relative(1e-12),
    ..MIXED
};

/// C += A B of half precision into single precision.
pub const GEMM_F16: Kernel = Kernel {
    name: "gemm_f16",
    what: "C += A B of half precision, sums in single precision, 512 each way",
    program: include_str!("../../../benches/programs/gemm_f16.mlir"),
    large: &[(512, 4096)],
    ..MIXED
};

/// C += A B of bytes into integers of 32 bits.
pub const GEMM_I8: Kernel = Kernel {
    name: "gemm_i8",
    what: "C += A B of bytes, sums in 32 bits, 512 each way",
    program: include_str!("../../../benches/programs/gemm_i8.mlir"),
    tolerance: Tolerance::relative(0.0),
    ..MIXED
};

/// Common parts of products of other element types; the reference is in double precision.
const MIXED: Kernel = Kernel {
    name: "",
    what: "",
    program: "",
    fills: &[Fill::Random, Fill::Random, Fill::Random],
    small: &[(512, 64)],
    large: &[(512, 2048)],
    extents: &[],
    reference: gemm_of_any,
    tolerance: Tolerance::relative(1e-4),
    peer: None,
    gpu_peer: None,
};

fn gemm_of_any(arrays: &mut [Array]) {
    let [a, b, c] = arrays else { return };
    let (k, n) = (a.shape[1], b.shape[1]);
    let [a, b, mut sums] = [a.numbers(), b.numbers(), c.numbers()];
    for (a, c) in a.chunks_exact(k).zip(sums.chunks_exact_mut(n)) {
        // Four rows of B at a time, so that those of C are read and written a quarter as often.
        let (fours, rest) = a.as_chunks::<4>();
        let (of_fours, of_rest) = b.split_at(4 * fours.len() * n);
        for (a, b) in fours.iter().zip(of_fours.chunks_exact(4 * n)) {
            for (j, c) in c.iter_mut().enumerate() {
                *c += a[0] * b[j] + a[1] * b[n + j] + a[2] * b[2 * n + j] + a[3] * b[3 * n + j];
            }
        }
        for (&a, b) in rest.iter().zip(of_rest.chunks_exact(n)) {
            c.iter_mut().zip(b).for_each(|(c, &b)| *c += a * b);
        }
    }
    c.set_numbers(&sums);
}
