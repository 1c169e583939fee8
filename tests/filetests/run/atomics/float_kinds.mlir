// Every kind of memref.atomic_rmw on floats: iteration i of 8 updates element i mod 2 of the row of each
// kind with 3 i - 7, that of products with a power of two. Sums and products are exact,
// so that no order of iterations shows. The values are Python's.
// test: run --arg=zeros --arg=zeros --arg=zeros
// expect: arg 0 = [[9, 22], [11, nan], [11, 14], [-7, nan], [-7, -4], [1, 2], [-7, -4]]
// expect: arg 1 = [[9, 22], [11, nan], [11, 14], [-7, nan], [-7, -4], [1, 2], [-7, -4]]
// expect: arg 2 = [[9, 22], [11, nan], [11, 14], [-7, nan], [-7, -4], [1, 2], [-7, -4]]
memref.global "private" constant @start_f32 : memref<7x2xf32> = dense<[[1.0, 2.0], [-3.0, 0x7FC00000], [0x7FC00000, 0.0], [4.0, 0x7FC00000], [0x7FC00000, -1.0], [1.0, 1.0], [9.0, 9.0]]>
memref.global "private" constant @powers_f32 : memref<8xf32> = dense<[2.0, 0.5, -1.0, 1.0, 0.25, 4.0, -2.0, 1.0]>
memref.global "private" constant @start_f16 : memref<7x2xf16> = dense<[[1.0, 2.0], [-3.0, 0x7E00], [0x7E00, 0.0], [4.0, 0x7E00], [0x7E00, -1.0], [1.0, 1.0], [9.0, 9.0]]>
memref.global "private" constant @powers_f16 : memref<8xf16> = dense<[2.0, 0.5, -1.0, 1.0, 0.25, 4.0, -2.0, 1.0]>
memref.global "private" constant @start_f64 : memref<7x2xf64> = dense<[[1.0, 2.0], [-3.0, 0x7FF8000000000000], [0x7FF8000000000000, 0.0], [4.0, 0x7FF8000000000000], [0x7FF8000000000000, -1.0], [1.0, 1.0], [9.0, 9.0]]>
memref.global "private" constant @powers_f64 : memref<8xf64> = dense<[2.0, 0.5, -1.0, 1.0, 0.25, 4.0, -2.0, 1.0]>
func.func @kinds(%f32: memref<7x2xf32>, %f16: memref<7x2xf16>, %f64: memref<7x2xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  %s_f32 = memref.get_global @start_f32 : memref<7x2xf32>
  %p_f32 = memref.get_global @powers_f32 : memref<8xf32>
  memref.copy %s_f32, %f32 : memref<7x2xf32> to memref<7x2xf32>
  affine.parallel (%i) = (0) to (8) {
    %bin = affine.apply affine_map<(d0) -> (d0 mod 2)>(%i)
    %n = affine.apply affine_map<(d0) -> (d0 * 3 - 7)>(%i)
    %w = arith.index_cast %n : index to i32
    %v = arith.sitofp %w : i32 to f32
    %p = affine.load %p_f32[%i] : memref<8xf32>
    %r0 = memref.atomic_rmw addf %v, %f32[%c0, %bin] : (f32, memref<7x2xf32>) -> f32
    %r1 = memref.atomic_rmw maximumf %v, %f32[%c1, %bin] : (f32, memref<7x2xf32>) -> f32
    %r2 = memref.atomic_rmw maxnumf %v, %f32[%c2, %bin] : (f32, memref<7x2xf32>) -> f32
    %r3 = memref.atomic_rmw minimumf %v, %f32[%c3, %bin] : (f32, memref<7x2xf32>) -> f32
    %r4 = memref.atomic_rmw minnumf %v, %f32[%c4, %bin] : (f32, memref<7x2xf32>) -> f32
    %r5 = memref.atomic_rmw mulf %p, %f32[%c5, %bin] : (f32, memref<7x2xf32>) -> f32
    affine.if affine_set<(d0) : (1 - d0 >= 0)>(%i) {
      %r6 = memref.atomic_rmw assign %v, %f32[%c6, %bin] : (f32, memref<7x2xf32>) -> f32
    }
  }
  %s_f16 = memref.get_global @start_f16 : memref<7x2xf16>
  %p_f16 = memref.get_global @powers_f16 : memref<8xf16>
  memref.copy %s_f16, %f16 : memref<7x2xf16> to memref<7x2xf16>
  affine.parallel (%i) = (0) to (8) {
    %bin = affine.apply affine_map<(d0) -> (d0 mod 2)>(%i)
    %n = affine.apply affine_map<(d0) -> (d0 * 3 - 7)>(%i)
    %w = arith.index_cast %n : index to i32
    %v = arith.sitofp %w : i32 to f16
    %p = affine.load %p_f16[%i] : memref<8xf16>
    %r0 = memref.atomic_rmw addf %v, %f16[%c0, %bin] : (f16, memref<7x2xf16>) -> f16
    %r1 = memref.atomic_rmw maximumf %v, %f16[%c1, %bin] : (f16, memref<7x2xf16>) -> f16
    %r2 = memref.atomic_rmw maxnumf %v, %f16[%c2, %bin] : (f16, memref<7x2xf16>) -> f16
    %r3 = memref.atomic_rmw minimumf %v, %f16[%c3, %bin] : (f16, memref<7x2xf16>) -> f16
    %r4 = memref.atomic_rmw minnumf %v, %f16[%c4, %bin] : (f16, memref<7x2xf16>) -> f16
    %r5 = memref.atomic_rmw mulf %p, %f16[%c5, %bin] : (f16, memref<7x2xf16>) -> f16
    affine.if affine_set<(d0) : (1 - d0 >= 0)>(%i) {
      %r6 = memref.atomic_rmw assign %v, %f16[%c6, %bin] : (f16, memref<7x2xf16>) -> f16
    }
  }
  %s_f64 = memref.get_global @start_f64 : memref<7x2xf64>
  %p_f64 = memref.get_global @powers_f64 : memref<8xf64>
  memref.copy %s_f64, %f64 : memref<7x2xf64> to memref<7x2xf64>
  affine.parallel (%i) = (0) to (8) {
    %bin = affine.apply affine_map<(d0) -> (d0 mod 2)>(%i)
    %n = affine.apply affine_map<(d0) -> (d0 * 3 - 7)>(%i)
    %w = arith.index_cast %n : index to i32
    %v = arith.sitofp %w : i32 to f64
    %p = affine.load %p_f64[%i] : memref<8xf64>
    %r0 = memref.atomic_rmw addf %v, %f64[%c0, %bin] : (f64, memref<7x2xf64>) -> f64
    %r1 = memref.atomic_rmw maximumf %v, %f64[%c1, %bin] : (f64, memref<7x2xf64>) -> f64
    %r2 = memref.atomic_rmw maxnumf %v, %f64[%c2, %bin] : (f64, memref<7x2xf64>) -> f64
    %r3 = memref.atomic_rmw minimumf %v, %f64[%c3, %bin] : (f64, memref<7x2xf64>) -> f64
    %r4 = memref.atomic_rmw minnumf %v, %f64[%c4, %bin] : (f64, memref<7x2xf64>) -> f64
    %r5 = memref.atomic_rmw mulf %p, %f64[%c5, %bin] : (f64, memref<7x2xf64>) -> f64
    affine.if affine_set<(d0) : (1 - d0 >= 0)>(%i) {
      %r6 = memref.atomic_rmw assign %v, %f64[%c6, %bin] : (f64, memref<7x2xf64>) -> f64
    }
  }
  return
}
