//! Counted work against values worked out by hand.

use super::*;
use crate::Program;
use crate::bench::KERNELS;
use crate::bench::kernel::{Kernel, Size};

/// Counts the only function of a program, for memrefs of some shapes.
fn counted(text: &str, shapes: &[&[i64]]) -> Option<Work> {
    let ctx = gridloom_dialects::context();
    let module = crate::parse(&ctx, "test.mlir", text.as_bytes()).unwrap();
    let program = Program::compile(&ctx, module, None, None).unwrap();
    let specs: Vec<_> = shapes
        .iter()
        .map(|shape| crate::values::ArgSpec {
            fill: crate::values::Fill::Zeros,
            shape: Some(shape.to_vec()),
        })
        .collect();
    let inputs = program.inputs(&specs, |_| Err(String::new())).unwrap();
    work(&ctx, &program.source, program.entry(), &inputs)
}

fn kernel(name: &str) -> &'static Kernel {
    let mut all = KERNELS.iter();
    all.find(|kernel| kernel.name == name).unwrap()
}

#[test]
fn kernels_count_as_by_hand() {
    let of = |name: &str, shapes: &[&[i64]]| counted(&kernel(name).text(Size::Full), shapes);
    let is = |flops, bytes| Some(Work { flops, bytes });
    let square: &[i64] = &[1024, 1024];
    // A, B and C are read, C is written.
    assert_eq!(
        of("gemm", &[square; 3]),
        is(2 * 1024 * 1024 * 1024, 4 * 4 * 1024 * 1024)
    );
    let long: &[i64] = &[16_777_216];
    let n = 16_777_216;
    assert_eq!(of("triad", &[long; 3]), is(2 * n, 3 * 4 * n));
    assert_eq!(of("sum", &[long, &[1]]), is(n, 4 * n + 4));
    // A sweep reads the whole array but for its corners, which the box has, and writes the
    // interior.
    let grid: &[i64] = &[2048, 2048];
    let sweep = 4 * (2048 * 2048 + 2046 * 2046);
    assert_eq!(
        of("jacobi", &[grid; 2]),
        is(20 * 5 * 2046 * 2046, 20 * sweep)
    );
}

#[test]
fn triangles_and_open_sizes_count_exactly() {
    let text = "
        func.func @f(%x: memref<?xf32>, %y: memref<?xf32>) {
          %c0 = arith.constant 0 : index
          %n = memref.dim %x, %c0 : memref<?xf32>
          affine.for %i = 0 to %n {
            affine.for %j = 0 to affine_map<(d0) -> (d0 + 1)>(%i) {
              %v = affine.load %x[%j] : memref<?xf32>
              %w = math.fma %v, %v, %v : f32
              affine.store %w, %y[%i] : memref<?xf32>
            }
          }
          return
        }";
    // 1 + 2 + … + 10 iterations of two operations; ten elements each of x and y.
    let wanted = Work {
        flops: 2 * 55,
        bytes: 80,
    };
    assert_eq!(counted(text, &[&[10], &[10]]), Some(wanted));
}

#[test]
fn loops_that_depend_on_data_are_not_counted() {
    let text = "
        func.func @f(%x: memref<1xindex>, %y: memref<8xf32>) {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %n = memref.load %x[%c0] : memref<1xindex>
          scf.for %i = %c0 to %n step %c1 {
            %v = memref.load %y[%c0] : memref<8xf32>
            memref.store %v, %y[%c0] : memref<8xf32>
          }
          return
        }";
    assert_eq!(counted(text, &[&[1], &[8]]), None);
}
