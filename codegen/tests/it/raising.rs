//! Which nests of `scf` and of flat subscripts reach the grid, and that they
//! compute the same there.

use gridloom_codegen::pass::offload::offload;
use gridloom_codegen::target::OffloadOptions;
use gridloom_ir::Module;
use gridloom_ir::text::{PrintOptions, print_module};

use super::programs::{parse, run_sized};

/// Checks that a program computes the same offloaded, with `?` of several
/// sizes. Returns the number of its kernels.
fn kernels(text: &str) -> usize {
    let ctx = gridloom_dialects::context();
    let original = parse(&ctx, text);
    let mut module: Module = parse(&ctx, text);
    let done = offload(&ctx, &mut module, &OffloadOptions::gpu());
    done.unwrap_or_else(|errors| panic!("{}", errors.render(&ctx)));
    for size in [0, 1, 2, 3, 7, 33] {
        let expected = run_sized(&ctx, &original, "f", size);
        assert!(expected.is_ok(), "{expected:?}");
        assert_eq!(run_sized(&ctx, &module, "f", size), expected, "size {size}");
    }
    let printed = print_module(&ctx, &module, &PrintOptions::default());
    printed.matches("gpu.launch_func").count()
}

/// Ten rows of `%n` in `%a`; the number of columns and the subscript's start are
/// the test's.
fn flat(columns: &str, subscript: &str) -> String {
    format!(
        "func.func @f(%a: memref<1000xf32>, %sizes: memref<?xf32>) {{
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %c10 = arith.constant 10 : index
          %n = memref.dim %sizes, %c0 : memref<?xf32>
          %more = arith.addi %n, %c1 : index
          scf.for %i = %c0 to %c10 step %c1 {{
            scf.for %j = %c0 to {columns} step %c1 {{
              {subscript}
              %x = memref.load %a[%at] : memref<1000xf32>
              %y = arith.addf %x, %x : f32
              memref.store %y, %a[%at] : memref<1000xf32>
            }}
          }}
          return
        }}"
    )
}

const ROW_MAJOR: &str = "%row = arith.muli %i, %n : index
                         %at = arith.addi %row, %j : index";

#[test]
fn flat_rows_of_symbolic_length_are_independent() {
    // With dimensions, for rows that are known to be in range and for others, and flat.
    assert_eq!(kernels(&flat("%n", ROW_MAJOR)), 3);
}

#[test]
fn rows_that_overlap_are_not() {
    // The last column is the first of the next row: the columns are parallel only, by one workgroup where rows are short
    // and by a launch for each row where they are long.
    let text = flat("%more", ROW_MAJOR);
    assert_eq!(kernels(&text), 2);
    let ctx = gridloom_dialects::context();
    let mut module = parse(&ctx, &text);
    let remarks = offload(&ctx, &mut module, &OffloadOptions::gpu());
    let remarks = remarks.unwrap_or_else(|errors| panic!("{}", errors.render(&ctx)));
    let said = remarks.render(&ctx);
    assert!(said.contains("this loop around one kernel"), "{said}");
}

#[test]
fn rows_may_start_anywhere() {
    let text = "%row = arith.muli %i, %n : index
                %from = arith.addi %row, %more : index
                %at = arith.addi %from, %j : index";
    assert_eq!(kernels(&flat("%n", text)), 1);
}

#[test]
fn three_dimensions_in_one() {
    let text = "func.func @f(%a: memref<10000xf32>, %sizes: memref<?xf32>) {
          %c0 = arith.constant 0 : index
          %x = arith.constant 1.0 : f32
          %n = memref.dim %sizes, %c0 : memref<?xf32>
          affine.for %i = 0 to 5 {
            affine.for %j = 0 to %n {
              affine.for %k = 0 to %n {
                affine.store %x, %a[(%i * symbol(%n) + %j) * symbol(%n) + %k] : memref<10000xf32>
              }
            }
          }
          return
        }";
    // With dimensions, of which two may be one, each for planes and rows that are known to be in range and for others; and flat.
    assert_eq!(kernels(text), 5);
}

#[test]
fn rows_of_a_sparse_matrix_are_independent() {
    let text = "func.func @f(%values: memref<?xf32>, %x: memref<?xf32>, %y: memref<?xf32>) {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %zero = arith.constant 0.0 : f32
          %n = memref.dim %y, %c0 : memref<?xf32>
          scf.for %i = %c0 to %n step %c1 {
            %v = memref.load %values[%i] : memref<?xf32>
            %int = arith.fptosi %v : f32 to i32
            %wide = arith.index_cast %int : i32 to index
            %end = arith.minsi %wide, %n : index
            %sum = scf.for %k = %c0 to %end step %c1 iter_args(%so_far = %zero) -> (f32) {
              %z = memref.load %x[%k] : memref<?xf32>
              %next = arith.addf %so_far, %z : f32
              scf.yield %next : f32
            }
            memref.store %sum, %y[%i] : memref<?xf32>
          }
          return
        }";
    assert_eq!(kernels(text), 1);
}

#[test]
fn a_declared_gather_is_a_kernel() {
    let text = "func.func @f(%x: memref<?xf32>, %y: memref<?xf32>) {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %n = memref.dim %y, %c0 : memref<?xf32>
          scf.parallel (%i) = (%c0) to (%n) step (%c1) {
            %v = memref.load %x[%i] : memref<?xf32>
            %int = arith.fptosi %v : f32 to i32
            %wide = arith.index_cast %int : i32 to index
            %at = arith.remsi %wide, %n : index
            %z = memref.load %x[%at] : memref<?xf32>
            memref.store %z, %y[%i] : memref<?xf32>
          }
          return
        }";
    // One for an %x that is as long as %y, one that checks each of its accesses.
    assert_eq!(kernels(text), 2);
}

/// Rows, then columns, rather than one workgroup that takes the rows in turn.
#[test]
fn a_summed_area_table_is_two_kernels() {
    let text = "func.func @f(%a: memref<64x64xf32>, %s: memref<65x65xf32>) {
          %zero = arith.constant 0.0 : f32
          affine.for %i = 0 to 64 {
            affine.for %j = 0 to 64 iter_args(%row = %zero) -> f32 {
              %v = affine.load %a[%i, %j] : memref<64x64xf32>
              %sum = arith.addf %row, %v : f32
              %above = affine.load %s[%i, %j + 1] : memref<65x65xf32>
              %all = arith.addf %above, %sum : f32
              affine.store %all, %s[%i + 1, %j + 1] : memref<65x65xf32>
              affine.yield %sum : f32
            }
          }
          return
        }";
    assert_eq!(kernels(text), 2);
}

#[test]
fn loops_of_blocks_are_kernels() {
    let text = "func.func @f(%x: memref<?xf32>, %y: memref<?xf32>) {
          %c0 = arith.constant 0 : index
          %zero = arith.constant 0 : i32
          %one = arith.constant 1 : i32
          %n = memref.dim %y, %c0 : memref<?xf32>
          %end = arith.index_cast %n : index to i32
          cf.br ^head(%zero : i32)
        ^head(%i: i32):
          %more = arith.cmpi slt, %i, %end : i32
          cf.cond_br %more, ^body, ^exit
        ^body:
          %at = arith.index_cast %i : i32 to index
          %v = memref.load %x[%at] : memref<?xf32>
          %is_first = arith.cmpi eq, %i, %zero : i32
          cf.cond_br %is_first, ^next(%v : f32), ^twice
        ^twice:
          %w = arith.addf %v, %v : f32
          cf.br ^next(%w : f32)
        ^next(%r: f32):
          memref.store %r, %y[%at] : memref<?xf32>
          %j = arith.addi %i, %one : i32
          cf.br ^head(%j : i32)
        ^exit:
          return
        }";
    // `%x` may be shorter than `%y`: one kernel without checks, one with.
    assert_eq!(kernels(text), 2);
}

#[test]
fn tiles_of_views_are_kernels() {
    let text = "#rest = affine_map<(d0)[s0] -> (8, s0 - d0)>
        func.func @f(%x: memref<?x?xf32>) {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %c8 = arith.constant 8 : index
          %n = memref.dim %x, %c0 : memref<?x?xf32>
          %m = memref.dim %x, %c1 : memref<?x?xf32>
          scf.for %i = %c0 to %n step %c8 {
            %size = affine.min #rest(%i)[%n]
            %tile = memref.subview %x[%i, 0] [%size, %m] [1, 1]
                : memref<?x?xf32> to memref<?x?xf32, strided<[?, 1], offset: ?>>
            %rows = memref.dim %tile, %c0 : memref<?x?xf32, strided<[?, 1], offset: ?>>
            scf.for %j = %c0 to %rows step %c1 {
              scf.for %k = %c0 to %m step %c1 {
                %v = memref.load %tile[%j, %k] : memref<?x?xf32, strided<[?, 1], offset: ?>>
                %w = arith.addf %v, %v : f32
                memref.store %w, %tile[%j, %k] : memref<?x?xf32, strided<[?, 1], offset: ?>>
              }
            }
          }
          return
        }";
    assert_eq!(kernels(text), 1);
}
