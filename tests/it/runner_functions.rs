//! Functions of MLIR's runner, which programs declare without a body.

use crate::cli::{accepted, write};

/// What a program prints on a device, without the addresses of memrefs.
fn run_without_addresses(file: &str, device: &str) -> String {
    let output = accepted(&["run", file, device]);
    let printed = String::from_utf8_lossy(&output);
    let words = printed.split(' ').filter(|word| !word.starts_with("0x"));
    words.collect::<Vec<_>>().join(" ")
}

/// The runner's functions write what MLIR's runner (`mlir-runner` of LLVM 22) writes for the same program,
/// addresses apart.
#[test]
fn runner_functions_print_as_mlir_prints_them() {
    let text = r#"func.func private @printMemrefF32(memref<*xf32>) attributes { llvm.emit_c_interface }
func.func private @printMemrefI32(memref<*xi32>) attributes { llvm.emit_c_interface }
func.func private @printMemrefI64(memref<*xi64>) attributes { llvm.emit_c_interface }
func.func private @printMemrefF64(memref<*xf64>) attributes { llvm.emit_c_interface }
func.func private @printNewline()
func.func private @printI64(i64)
func.func private @printU64(i64)
func.func private @printF32(f32)
func.func private @printF64(f64)
func.func private @printOpen()
func.func private @printClose()
func.func private @printComma()
func.func @main() {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %f = arith.constant 1.5e-7 : f32
  %g = arith.constant 123456789.0 : f32
  %d = arith.constant 0.1 : f64
  %a = memref.alloc() : memref<2x3xf32>
  affine.for %i = 0 to 2 { affine.for %j = 0 to 3 { affine.store %f, %a[%i, %j] : memref<2x3xf32> } }
  memref.store %g, %a[%c0, %c2] : memref<2x3xf32>
  %u = memref.cast %a : memref<2x3xf32> to memref<*xf32>
  call @printMemrefF32(%u) : (memref<*xf32>) -> ()
  %t = memref.transpose %a (i, j) -> (j, i) : memref<2x3xf32> to memref<3x2xf32, strided<[1, 3]>>
  %tu = memref.cast %t : memref<3x2xf32, strided<[1, 3]>> to memref<*xf32>
  call @printMemrefF32(%tu) : (memref<*xf32>) -> ()
  %z = memref.alloc() : memref<f64>
  memref.store %d, %z[] : memref<f64>
  %zu = memref.cast %z : memref<f64> to memref<*xf64>
  call @printMemrefF64(%zu) : (memref<*xf64>) -> ()
  %c7 = arith.constant -7 : i32
  %i3 = memref.alloc() : memref<1x2x2xi32>
  affine.for %i = 0 to 2 { affine.for %j = 0 to 2 { affine.store %c7, %i3[0, %i, %j] : memref<1x2x2xi32> } }
  %iu = memref.cast %i3 : memref<1x2x2xi32> to memref<*xi32>
  call @printMemrefI32(%iu) : (memref<*xi32>) -> ()
  %c9 = arith.constant 9 : i64
  %i4 = memref.alloc() : memref<4xi64>
  affine.for %i = 0 to 4 { affine.store %c9, %i4[%i] : memref<4xi64> }
  %sv = memref.subview %i4[1] [2] [2] : memref<4xi64> to memref<2xi64, strided<[2], offset: 1>>
  %i4u = memref.cast %sv : memref<2xi64, strided<[2], offset: 1>> to memref<*xi64>
  call @printMemrefI64(%i4u) : (memref<*xi64>) -> ()
  %c42 = arith.constant -42 : i64
  call @printOpen() : () -> ()
  call @printI64(%c42) : (i64) -> ()
  call @printComma() : () -> ()
  call @printU64(%c42) : (i64) -> ()
  call @printClose() : () -> ()
  call @printF32(%g) : (f32) -> ()
  call @printNewline() : () -> ()
  call @printF64(%d) : (f64) -> ()
  call @printNewline() : () -> ()
  return
}
"#;
    let expected = "Unranked Memref base@ = rank = 2 offset = 0 sizes = [2, 3] strides = [3, 1] data = \n\
        [[1.5e-07,   1.5e-07,   1.23457e+08], \n [1.5e-07,   1.5e-07,   1.5e-07]]\n\
        Unranked Memref base@ = rank = 2 offset = 0 sizes = [3, 2] strides = [1, 3] data = \n\
        [[1.5e-07,   1.5e-07], \n [1.5e-07,   1.5e-07], \n [1.23457e+08,   1.5e-07]]\n\
        Unranked Memref base@ = rank = 0 offset = 0 sizes = [] strides = [] data = \n[0.1]\n\
        Unranked Memref base@ = rank = 3 offset = 0 sizes = [1, 2, 2] strides = [4, 2, 1] data = \n\
        [[[-7,    -7], \n  [-7,    -7]]]\n\
        Unranked Memref base@ = rank = 1 offset = 1 sizes = [2] strides = [2] data = \n[9,  9]\n\
        ( -42, 18446744073709551574 )1.23457e+08\n0.1\n";
    let folder = crate::scratch("runner");
    let file = write(&folder, "runner.mlir", text);
    for device in ["--device=cpu", "--device=llvmpipe"] {
        let printed = run_without_addresses(&file, device);
        assert!(printed.starts_with(expected), "{device}: {printed}");
    }
}

/// The functions that fill and verify memrefs do what those of MLIR's runner do (`libmlir_runner_utils` of LLVM 22 and the
/// wrappers of its Vulkan runtime), before and behind a kernel.
#[test]
fn runner_functions_fill_and_verify_memrefs() {
    let text = r#"func.func private @fillResource1DFloat(memref<?xf32>, f32)
func.func private @fillResource2DInt(memref<?x?xi32>, i32)
func.func private @verifyMemRefF32(memref<*xf32>, memref<*xf32>) -> i64
func.func private @verifyMemRefI32(memref<*xi32>, memref<*xi32>) -> i64
func.func private @printMemrefShapeF32(memref<*xf32>)
func.func private @printMemref1dF32(memref<?xf32>)
func.func private @nanoTime() -> i64
func.func @main() -> (i64, i64, i64, i64, i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.5 : f32
  %near = arith.constant 1.5000011 : f32
  %far = arith.constant 1.5000018 : f32
  %seven = arith.constant 7 : i32
  %a = memref.alloc() : memref<300xf32>
  %b = memref.alloc() : memref<300xf32>
  %short = memref.alloc() : memref<2xf32>
  %am = memref.cast %a : memref<300xf32> to memref<?xf32>
  %bm = memref.cast %b : memref<300xf32> to memref<?xf32>
  call @fillResource1DFloat(%am, %one) : (memref<?xf32>, f32) -> ()
  affine.for %i = 0 to 300 {
    %v = affine.load %a[%i] : memref<300xf32>
    affine.store %v, %b[%i] : memref<300xf32>
  }
  %au = memref.cast %a : memref<300xf32> to memref<*xf32>
  %bu = memref.cast %b : memref<300xf32> to memref<*xf32>
  %su = memref.cast %short : memref<2xf32> to memref<*xf32>
  %same = call @verifyMemRefF32(%bu, %au) : (memref<*xf32>, memref<*xf32>) -> i64
  memref.store %near, %b[%c0] : memref<300xf32>
  memref.store %far, %b[%c1] : memref<300xf32>
  %one_off = call @verifyMemRefF32(%bu, %au) : (memref<*xf32>, memref<*xf32>) -> i64
  %other_sizes = call @verifyMemRefF32(%su, %au) : (memref<*xf32>, memref<*xf32>) -> i64
  %i = memref.alloc() : memref<2x3xi32>
  %j = memref.alloc() : memref<2x3xi32>
  affine.for %x = 0 to 2 { affine.for %y = 0 to 3 { affine.store %seven, %j[%x, %y] : memref<2x3xi32> } }
  %im = memref.cast %i : memref<2x3xi32> to memref<?x?xi32>
  %six = arith.constant 6 : i32
  call @fillResource2DInt(%im, %six) : (memref<?x?xi32>, i32) -> ()
  memref.store %seven, %i[%c1, %c1] : memref<2x3xi32>
  %iu = memref.cast %i : memref<2x3xi32> to memref<*xi32>
  %ju = memref.cast %j : memref<2x3xi32> to memref<*xi32>
  %five = call @verifyMemRefI32(%iu, %ju) : (memref<*xi32>, memref<*xi32>) -> i64
  call @printMemrefShapeF32(%au) : (memref<*xf32>) -> ()
  %front = memref.subview %a[3] [2] [1] : memref<300xf32> to memref<2xf32, strided<[1], offset: 3>>
  %start = memref.cast %front : memref<2xf32, strided<[1], offset: 3>> to memref<2xf32, strided<[1], offset: ?>>
  memref.copy %start, %short : memref<2xf32, strided<[1], offset: ?>> to memref<2xf32>
  %sm = memref.cast %short : memref<2xf32> to memref<?xf32>
  call @printMemref1dF32(%sm) : (memref<?xf32>) -> ()
  %before = call @nanoTime() : () -> i64
  %after = call @nanoTime() : () -> i64
  %ordered = arith.cmpi sge, %after, %before : i64
  return %same, %one_off, %other_sizes, %five, %ordered : i64, i64, i64, i64, i1
}
"#;
    let folder = crate::scratch("verifying-runner");
    let file = write(&folder, "runner.mlir", text);
    for device in ["--device=cpu", "--device=llvmpipe"] {
        let printed = run_without_addresses(&file, device);
        let expected = "Unranked Memref base@ = rank = 1 offset = 0 sizes = [300] strides = [1]\n\
            Memref base@ = rank = 1 offset = 0 sizes = [2] strides = [1] data = \n[1.5,  1.5]\n";
        assert!(printed.starts_with(expected), "{device}: {printed}");
        let results: Vec<&str> = (printed.lines())
            .filter(|line| line.starts_with("result "))
            .filter_map(|line| line.split(" = ").nth(1))
            .collect();
        assert_eq!(results, ["0", "1", "-1", "5", "true"], "{device}");
    }
}
