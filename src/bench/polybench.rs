//! The programs of PolyBench 4.2, written by us as plain loops, at its sizes.
//!
//! References compute in double precision what each program is defined to compute, in an order of
//! their own where one offers itself; the programs are in single precision and run in double, too.
//! Programs in which one number stands for two sizes (`adi` and `fdtd-2d`: the steps and the rows)
//! have the larger one for both, those of two dimensions that PolyBench gives a wide image
//! (`deriche`) a square one, and `gramschmidt` has more rows than columns, without which its
//! columns depend on each other.

mod algebra;
mod grid;
mod solvers;
mod stencils;

use super::array::Array;
use super::kernel::{Extent, Fill, Kernel, Tolerance};

/// All programs, in alphabetical order.
pub const POLYBENCH: &[&Kernel] = &[
    &algebra::TWO_MM,
    &algebra::THREE_MM,
    &stencils::ADI,
    &algebra::ATAX,
    &algebra::BICG,
    &solvers::CHOLESKY,
    &algebra::CORRELATION,
    &algebra::COVARIANCE,
    &stencils::DERICHE,
    &algebra::DOITGEN,
    &solvers::DURBIN,
    &stencils::FDTD_2D,
    &solvers::FLOYD_WARSHALL,
    &algebra::GEMM,
    &algebra::GEMVER,
    &algebra::GESUMMV,
    &solvers::GRAMSCHMIDT,
    &stencils::HEAT_3D,
    &stencils::JACOBI_1D,
    &stencils::JACOBI_2D,
    &solvers::LU,
    &solvers::LUDCMP,
    &algebra::MVT,
    &solvers::NUSSINOV,
    &stencils::SEIDEL_2D,
    &algebra::SYMM,
    &algebra::SYR2K,
    &algebra::SYRK,
    &solvers::TRISOLV,
    &algebra::TRMM,
];

/// Tolerance of single precision after sums of a few thousand terms, or that many steps.
const CLOSE: Tolerance = Tolerance::relative(2e-3);

/// Creates the kernel of a PolyBench program.
const fn kernel(
    name: &'static str,
    program: &'static str,
    fills: &'static [Fill],
    extents: &'static [Extent],
    reference: fn(&mut [Array]),
) -> Kernel {
    Kernel {
        name,
        what: "a program of PolyBench",
        program,
        fills,
        small: &[],
        large: &[],
        extents,
        reference,
        tolerance: CLOSE,
        peer: None,
        gpu_peer: None,
    }
}

/// A size parameter: its number in the program (MINI), then SMALL, MEDIUM, LARGE and EXTRALARGE.
const fn size(number: u32, sizes: [u32; 4]) -> Extent {
    Extent {
        number,
        odd: (number + number / 4) | 1,
        sizes,
        is_float: false,
    }
}

/// A size parameter minus one.
const fn less(extent: Extent) -> Extent {
    let [a, b, c, d] = extent.sizes;
    Extent {
        number: extent.number - 1,
        odd: extent.odd - 1,
        sizes: [a - 1, b - 1, c - 1, d - 1],
        is_float: extent.is_float,
    }
}

/// A size parameter plus one.
const fn more(extent: Extent) -> Extent {
    let [a, b, c, d] = extent.sizes;
    Extent {
        number: extent.number + 1,
        odd: extent.odd + 1,
        sizes: [a + 1, b + 1, c + 1, d + 1],
        is_float: extent.is_float,
    }
}

/// A size parameter that the program uses as a float.
const fn float(extent: Extent) -> Extent {
    Extent {
        is_float: true,
        ..extent
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::kernel::{Precision, Size};

    #[test]
    fn sizes_are_those_of_the_data_sets() {
        let gemm = algebra::GEMM.text(Size::Large);
        assert!(gemm.contains("%C: memref<1000x1100xf32>, %A: memref<1000x1200xf32>"));
        assert!(!gemm.contains("x25x") && !gemm.contains("to 30 "));
        assert_eq!(algebra::GEMM.text(Size::Mini), algebra::GEMM.program);
        let covariance = algebra::COVARIANCE.text(Size::Small);
        assert!(covariance.contains("constant 100.0 : f32"));
        assert!(covariance.contains("constant 99.0 : f32"));
        // Weights of the scheme are no size parameters.
        let adi = stencils::ADI.text(Size::Medium);
        assert!(adi.contains("constant 20.0 : f32") && adi.contains("memref<200x200xf32>"));
        assert!(adi.contains("constant -19.0 : f32") && adi.contains("= 1 to 201 {"));
        let odd = algebra::GEMM.text_in(Size::Odd, Precision::Double);
        assert!(odd.contains("%C: memref<25x31xf64>") && !odd.contains("f32"));
        assert_eq!(POLYBENCH.len(), 30);
    }

    #[test]
    fn every_size_in_a_program_is_replaced() {
        for kernel in POLYBENCH {
            for size in [
                Size::Odd,
                Size::Small,
                Size::Medium,
                Size::Large,
                Size::ExtraLarge,
            ] {
                let text = kernel.text(size);
                let ctx = gridloom_dialects::context();
                let found = crate::parse(&ctx, kernel.name, text.as_bytes());
                assert!(found.is_ok(), "{} {size:?}", kernel.name);
                for extent in kernel.extents.iter().filter(|extent| !extent.is_float) {
                    let old = format!("memref<{}x", extent.number);
                    let is_new = kernel
                        .extents
                        .iter()
                        .any(|e| e.sizes.contains(&extent.number) || e.odd == extent.number);
                    assert!(is_new || !text.contains(&old), "{}: {old}", kernel.name);
                }
            }
        }
    }
}
