//! The kernels, by family.

mod contraction;
mod reduction;
mod stencil;
mod stream;

use super::kernel::Kernel;
use super::peer::Launch;

/// All kernels, in the order of reports.
pub const KERNELS: &[&Kernel] = &[
    &contraction::GEMM,
    &contraction::MATVEC,
    &stream::TRIAD,
    &reduction::SUM,
    &stencil::JACOBI,
];

/// The launch of an entry point on workgroups along x and y.
fn launch(entry: &'static str, grid: [u32; 2], buffers: &[usize]) -> Launch {
    Launch {
        entry,
        grid: [grid[0], grid[1], 1],
        buffers: buffers.to_vec(),
    }
}
