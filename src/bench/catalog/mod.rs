//! Benchmark kernels, by family.

mod contraction;
mod convolution;
mod irregular;
mod pairs;
mod peak;
mod reduction;
mod rows;
mod stencil;
mod stream;

use super::kernel::Kernel;
use super::peer::Launch;
pub use peak::roofline;

/// All kernels, in the order of reports.
pub const KERNELS: &[&Kernel] = &[
    &contraction::GEMM,
    &contraction::GEMM_ODD,
    &contraction::GEMM_TN,
    &contraction::GEMM_OPEN,
    &contraction::GEMM_F64,
    &contraction::GEMM_F16,
    &contraction::GEMM_I8,
    &contraction::BATCH,
    &contraction::MATVEC,
    &contraction::MATVEC_T,
    &convolution::CONV,
    &convolution::CONV_OPEN,
    &convolution::DEPTHWISE,
    &convolution::MAX_POOL,
    &stencil::JACOBI,
    &stencil::HEAT_3D,
    &stream::COPY,
    &stream::AXPY,
    &stream::TRIAD,
    &stream::TRANSPOSE_ADD,
    &reduction::SUM,
    &reduction::DOT,
    &reduction::COLSUM,
    &rows::SOFTMAX,
    &rows::SOFTMAX_NESTS,
    &rows::LAYERNORM,
    &rows::ATTENTION,
    &irregular::SCAN,
    &irregular::HISTOGRAM,
    &irregular::MANDELBROT,
    &pairs::N_BODY,
];

/// Creates the launch of an entry point on a grid of workgroups.
fn launch(entry: &'static str, grid: [u32; 3], buffers: &[usize]) -> Launch {
    Launch {
        entry,
        grid,
        buffers: buffers.to_vec(),
    }
}
