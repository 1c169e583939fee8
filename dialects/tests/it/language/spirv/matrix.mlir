// test: roundtrip --allow-unregistered-dialect --split-input-file
// test: roundtrip --allow-unregistered-dialect --split-input-file --mlir-print-op-generic
// test: print --allow-unregistered-dialect --split-input-file
// test: print --allow-unregistered-dialect --split-input-file --mlir-print-local-scope
// Matrices and dot products.

func.func @products(%m: !spirv.matrix<2 x vector<3xf32>>, %n: !spirv.matrix<4 x vector<2xf32>>, %s: f32,
    %v2: vector<2xf32>, %v3: vector<3xf32>, %c: !spirv.coopmatrix<8x8xf32, Subgroup, MatrixA>) {
  %0 = spirv.MatrixTimesMatrix %m, %n : !spirv.matrix<2 x vector<3xf32>>, !spirv.matrix<4 x vector<2xf32>> -> !spirv.matrix<4 x vector<3xf32>>
  %1 = spirv.MatrixTimesScalar %m, %s : !spirv.matrix<2 x vector<3xf32>>, f32
  %2 = spirv.MatrixTimesScalar %c, %s {test.mark} : !spirv.coopmatrix<8x8xf32, Subgroup, MatrixA>, f32
  %3 = spirv.MatrixTimesVector %m, %v2 : !spirv.matrix<2 x vector<3xf32>>, vector<2xf32> -> vector<3xf32>
  %4 = spirv.VectorTimesMatrix %v3, %m : vector<3xf32>, !spirv.matrix<2 x vector<3xf32>> -> vector<2xf32>
  %5 = spirv.Transpose %m : !spirv.matrix<2 x vector<3xf32>> -> !spirv.matrix<3 x vector<2xf32>>
  return
}

// -----

!a = !spirv.coopmatrix<8x16xi8, Subgroup, MatrixA>
!b = !spirv.coopmatrix<16x8xi8, Subgroup, MatrixB>
!acc = !spirv.coopmatrix<8x8xi32, Subgroup, MatrixAcc>
func.func @cooperative(%p: !spirv.ptr<i8, StorageBuffer>, %n: i32, %a: !a, %b: !b, %c: !acc) {
  %0 = spirv.KHR.CooperativeMatrixLength : !acc
  %1 = spirv.KHR.CooperativeMatrixLoad %p, %n, <RowMajor> : !spirv.ptr<i8, StorageBuffer>, i32 -> !a
  %2 = spirv.KHR.CooperativeMatrixLoad %p, %n, <ColumnMajor>, <Volatile> : !spirv.ptr<i8, StorageBuffer>, i32 -> !b
  %3 = spirv.KHR.CooperativeMatrixLoad %p, %n, <ColumnMajor>, <Aligned>, 16 {test.mark} : !spirv.ptr<i8, StorageBuffer>, i32 -> !b
  spirv.KHR.CooperativeMatrixStore %p, %a, %n, <RowMajor> : !spirv.ptr<i8, StorageBuffer>, !a, i32
  spirv.KHR.CooperativeMatrixStore %p, %a, %n, <RowMajor>, <Volatile|Aligned>, 4 : !spirv.ptr<i8, StorageBuffer>, !a, i32
  %4 = spirv.KHR.CooperativeMatrixMulAdd %a, %b, %c : !a, !b -> !acc
  %5 = spirv.KHR.CooperativeMatrixMulAdd %a, %b, %c, <ASigned|AccSat> : !a, !b -> !acc
  return
}

// -----

func.func @dots(%i: i32, %v: vector<4xi8>, %n: i64) {
  %0 = spirv.SDot %v, %v : vector<4xi8> -> i32
  %1 = spirv.SDot %i, %i, <PackedVectorFormat4x8Bit> : i32 -> i32
  %2 = spirv.SUDot %v, %v : vector<4xi8> -> i32
  %3 = spirv.UDot %v, %v {test.mark} : vector<4xi8> -> i64
  %4 = spirv.SDotAccSat %v, %v, %i : vector<4xi8> -> i32
  %5 = spirv.SUDotAccSat %i, %i, %n, <PackedVectorFormat4x8Bit> : i32 -> i64
  %6 = spirv.UDotAccSat %v, %v, %i : vector<4xi8> -> i32
  return
}
