// test: canonical
// Loads from globals that nothing writes.

memref.global "private" constant @squares : memref<4xi32> = dense<[1, 4, 9, 16]>
memref.global "private" constant @table : memref<2x3xf32> = dense<[[0.5, 1.5, -2.5], [3.0, -0.0, 4.0]]>
memref.global "private" constant @alike : memref<5x5xf64> = dense<2.25>
memref.global constant @one : memref<index> = dense<7>
memref.global "private" constant @flags : memref<3xi1> = dense<[true, false, true]>
memref.global "private" constant @halves : memref<2xf16> = dense<[0.5, 0.25]>
memref.global "private" @written : memref<4xi32> = dense<[1, 2, 3, 4]>
memref.global "private" constant @unknown : memref<4xi32>

func.func @known() -> (i32, f32, f32, f64) {
  %s = memref.get_global @squares : memref<4xi32>
  %t = memref.get_global @table : memref<2x3xf32>
  %u = memref.get_global @alike : memref<5x5xf64>
  %a = affine.load %s[2] : memref<4xi32>
  %b = affine.load %t[0, 2] : memref<2x3xf32>
  %c = affine.load %t[1, 1] : memref<2x3xf32>
  %d = affine.load %u[4, 0] : memref<5x5xf64>
  return %a, %b, %c, %d : i32, f32, f32, f64
}

func.func @other_types() -> (index, i1, i1, f16) {
  %o = memref.get_global @one : memref<index>
  %f = memref.get_global @flags : memref<3xi1>
  %h = memref.get_global @halves : memref<2xf16>
  %a = affine.load %o[] : memref<index>
  %b = affine.load %f[1] : memref<3xi1>
  %c = affine.load %f[2] : memref<3xi1>
  %d = affine.load %h[1] : memref<2xf16>
  return %a, %b, %c, %d : index, i1, i1, f16
}

// The index is known only once the map is.
func.func @through_maps() -> i32 {
  %s = memref.get_global @squares : memref<4xi32>
  %c5 = arith.constant 5 : index
  %i = affine.apply affine_map<(d0) -> (d0 - 2)>(%c5)
  %a = affine.load %s[%i] : memref<4xi32>
  %j = affine.load %s[%c5 floordiv 4] : memref<4xi32>
  %sum = arith.addi %a, %j : i32
  return %sum : i32
}

func.func @not_constant(%i: index) -> (i32, i32, i32) {
  %w = memref.get_global @written : memref<4xi32>
  %u = memref.get_global @unknown : memref<4xi32>
  %s = memref.get_global @squares : memref<4xi32>
  %a = affine.load %w[1] : memref<4xi32>
  %b = affine.load %u[1] : memref<4xi32>
  %c = affine.load %s[symbol(%i)] : memref<4xi32>
  return %a, %b, %c : i32, i32, i32
}

// differs: @other_loads: mlir-opt knows the elements for affine loads only
func.func @other_loads() -> i32 {
  %s = memref.get_global @squares : memref<4xi32>
  %c1 = arith.constant 1 : index
  %a = memref.load %s[%c1] : memref<4xi32>
  return %a : i32
}

// differs: @not_there: mlir-opt reads what lies behind the elements
func.func @not_there() -> i32 {
  %s = memref.get_global @squares : memref<4xi32>
  %a = affine.load %s[9] : memref<4xi32>
  return %a : i32
}

// differs: @perhaps_not_there: mlir-opt forgets that the index may be out of range
func.func @perhaps_not_there(%i: index) -> f64 {
  %u = memref.get_global @alike : memref<5x5xf64>
  %a = affine.load %u[symbol(%i), 0] : memref<5x5xf64>
  return %a : f64
}
