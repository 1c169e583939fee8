// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
// Rules of matrices and dot products.

func.func @f(%a: !spirv.matrix<2 x vector<3xf32>>, %b: !spirv.matrix<2 x vector<3xf32>>) {
  // expected-error@+1 {{left matrix columns' count must be equal to the right matrix rows' count}}
  %0 = spirv.MatrixTimesMatrix %a, %b : !spirv.matrix<2 x vector<3xf32>>, !spirv.matrix<2 x vector<3xf32>> -> !spirv.matrix<2 x vector<3xf32>>
  return
}

// -----

func.func @f(%a: !spirv.matrix<2 x vector<3xf32>>, %b: !spirv.matrix<4 x vector<2xf32>>) {
  // expected-error@+1 {{right and result matrices must have equal columns' count}}
  %0 = spirv.MatrixTimesMatrix %a, %b : !spirv.matrix<2 x vector<3xf32>>, !spirv.matrix<4 x vector<2xf32>> -> !spirv.matrix<2 x vector<3xf32>>
  return
}

// -----

func.func @f(%a: !spirv.matrix<2 x vector<3xf32>>, %b: !spirv.matrix<4 x vector<2xf16>>) {
  // expected-error@+1 {{right and result matrices' component type must be the same}}
  %0 = spirv.MatrixTimesMatrix %a, %b : !spirv.matrix<2 x vector<3xf32>>, !spirv.matrix<4 x vector<2xf16>> -> !spirv.matrix<4 x vector<3xf32>>
  return
}

// -----

func.func @f(%a: !spirv.matrix<2 x vector<3xf16>>, %b: !spirv.matrix<4 x vector<2xf32>>) {
  // expected-error@+1 {{left and result matrices' component type must be the same}}
  %0 = spirv.MatrixTimesMatrix %a, %b : !spirv.matrix<2 x vector<3xf16>>, !spirv.matrix<4 x vector<2xf32>> -> !spirv.matrix<4 x vector<3xf32>>
  return
}

// -----

func.func @f(%a: !spirv.matrix<2 x vector<3xf32>>, %b: !spirv.matrix<4 x vector<2xf32>>) {
  // expected-error@+1 {{left and result matrices must have equal rows' count}}
  %0 = spirv.MatrixTimesMatrix %a, %b : !spirv.matrix<2 x vector<3xf32>>, !spirv.matrix<4 x vector<2xf32>> -> !spirv.matrix<4 x vector<2xf32>>
  return
}

// -----

func.func @f(%m: !spirv.matrix<2 x vector<3xf32>>, %s: f16) {
  // expected-error@+1 {{input matrix components' type and scaling value must have the same type}}
  %0 = spirv.MatrixTimesScalar %m, %s : !spirv.matrix<2 x vector<3xf32>>, f16
  return
}

// -----

func.func @f(%m: !spirv.matrix<2 x vector<3xf32>>) {
  // expected-error@+1 {{input matrix rows count must be equal to output matrix columns count}}
  %0 = spirv.Transpose %m : !spirv.matrix<2 x vector<3xf32>> -> !spirv.matrix<2 x vector<3xf32>>
  return
}

// -----

func.func @f(%m: !spirv.matrix<2 x vector<3xf32>>) {
  // expected-error@+1 {{input matrix columns count must be equal to output matrix rows count}}
  %0 = spirv.Transpose %m : !spirv.matrix<2 x vector<3xf32>> -> !spirv.matrix<3 x vector<3xf32>>
  return
}

// -----

func.func @f(%m: !spirv.matrix<2 x vector<3xf32>>) {
  // expected-error@+1 {{input and output matrices must have the same component type}}
  %0 = spirv.Transpose %m : !spirv.matrix<2 x vector<3xf32>> -> !spirv.matrix<3 x vector<2xf16>>
  return
}

// -----

func.func @f(%m: !spirv.matrix<2 x vector<3xf32>>, %v: vector<3xf32>) {
  // expected-error@+1 {{matrix columns (2) must match vector operand size (3)}}
  %0 = spirv.MatrixTimesVector %m, %v : !spirv.matrix<2 x vector<3xf32>>, vector<3xf32> -> vector<3xf32>
  return
}

// -----

func.func @f(%m: !spirv.matrix<2 x vector<3xf32>>, %v: vector<2xf32>) {
  // expected-error@+1 {{result size (4) must match the matrix rows (3)}}
  %0 = spirv.MatrixTimesVector %m, %v : !spirv.matrix<2 x vector<3xf32>>, vector<2xf32> -> vector<4xf32>
  return
}

// -----

func.func @f(%m: !spirv.matrix<2 x vector<3xf32>>, %v: vector<2xf16>) {
  // expected-error@+1 {{matrix and result element types must match}}
  %0 = spirv.MatrixTimesVector %m, %v : !spirv.matrix<2 x vector<3xf32>>, vector<2xf16> -> vector<3xf16>
  return
}

// -----

func.func @f(%m: !spirv.matrix<2 x vector<3xf32>>, %v: vector<2xf32>) {
  // expected-error@+1 {{number of components in vector must equal the number of components in each column in matrix}}
  %0 = spirv.VectorTimesMatrix %v, %m : vector<2xf32>, !spirv.matrix<2 x vector<3xf32>> -> vector<2xf32>
  return
}

// -----

func.func @f(%m: !spirv.matrix<2 x vector<3xf32>>, %v: vector<3xf32>) {
  // expected-error@+1 {{number of columns in matrix must equal the number of components in result}}
  %0 = spirv.VectorTimesMatrix %v, %m : vector<3xf32>, !spirv.matrix<2 x vector<3xf32>> -> vector<3xf32>
  return
}

// -----

func.func @f(%a: !spirv.coopmatrix<8x16xi8, Subgroup, MatrixB>, %b: !spirv.coopmatrix<16x8xi8, Subgroup, MatrixB>, %c: !spirv.coopmatrix<8x8xi32, Subgroup, MatrixAcc>) {
  // expected-error@+1 {{operand #0 must be of use 'MatrixA'}}
  %0 = spirv.KHR.CooperativeMatrixMulAdd %a, %b, %c : !spirv.coopmatrix<8x16xi8, Subgroup, MatrixB>, !spirv.coopmatrix<16x8xi8, Subgroup, MatrixB> -> !spirv.coopmatrix<8x8xi32, Subgroup, MatrixAcc>
  return
}

// -----

func.func @f(%a: !spirv.coopmatrix<8x16xi8, Subgroup, MatrixA>, %b: !spirv.coopmatrix<16x8xi8, Subgroup, MatrixA>, %c: !spirv.coopmatrix<8x8xi32, Subgroup, MatrixAcc>) {
  // expected-error@+1 {{operand #1 must be of use 'MatrixB'}}
  %0 = spirv.KHR.CooperativeMatrixMulAdd %a, %b, %c : !spirv.coopmatrix<8x16xi8, Subgroup, MatrixA>, !spirv.coopmatrix<16x8xi8, Subgroup, MatrixA> -> !spirv.coopmatrix<8x8xi32, Subgroup, MatrixAcc>
  return
}

// -----

func.func @f(%a: !spirv.coopmatrix<8x16xi8, Subgroup, MatrixA>, %b: !spirv.coopmatrix<16x8xi8, Subgroup, MatrixB>, %c: !spirv.coopmatrix<8x8xi32, Subgroup, MatrixA>) {
  // expected-error@+1 {{operand #2 must be of use 'MatrixAcc'}}
  %0 = spirv.KHR.CooperativeMatrixMulAdd %a, %b, %c : !spirv.coopmatrix<8x16xi8, Subgroup, MatrixA>, !spirv.coopmatrix<16x8xi8, Subgroup, MatrixB> -> !spirv.coopmatrix<8x8xi32, Subgroup, MatrixA>
  return
}

// -----

func.func @f(%a: !spirv.coopmatrix<8x16xi8, Workgroup, MatrixA>, %b: !spirv.coopmatrix<16x8xi8, Subgroup, MatrixB>, %c: !spirv.coopmatrix<8x8xi32, Subgroup, MatrixAcc>) {
  // expected-error@+1 {{matrix scope mismatch}}
  %0 = spirv.KHR.CooperativeMatrixMulAdd %a, %b, %c : !spirv.coopmatrix<8x16xi8, Workgroup, MatrixA>, !spirv.coopmatrix<16x8xi8, Subgroup, MatrixB> -> !spirv.coopmatrix<8x8xi32, Subgroup, MatrixAcc>
  return
}

// -----

func.func @f(%a: !spirv.coopmatrix<4x16xi8, Subgroup, MatrixA>, %b: !spirv.coopmatrix<16x8xi8, Subgroup, MatrixB>, %c: !spirv.coopmatrix<8x8xi32, Subgroup, MatrixAcc>) {
  // expected-error@+1 {{matrix size mismatch on dimension 'M'}}
  %0 = spirv.KHR.CooperativeMatrixMulAdd %a, %b, %c : !spirv.coopmatrix<4x16xi8, Subgroup, MatrixA>, !spirv.coopmatrix<16x8xi8, Subgroup, MatrixB> -> !spirv.coopmatrix<8x8xi32, Subgroup, MatrixAcc>
  return
}

// -----

func.func @f(%a: !spirv.coopmatrix<8x16xi8, Subgroup, MatrixA>, %b: !spirv.coopmatrix<16x4xi8, Subgroup, MatrixB>, %c: !spirv.coopmatrix<8x8xi32, Subgroup, MatrixAcc>) {
  // expected-error@+1 {{matrix size mismatch on dimension 'N'}}
  %0 = spirv.KHR.CooperativeMatrixMulAdd %a, %b, %c : !spirv.coopmatrix<8x16xi8, Subgroup, MatrixA>, !spirv.coopmatrix<16x4xi8, Subgroup, MatrixB> -> !spirv.coopmatrix<8x8xi32, Subgroup, MatrixAcc>
  return
}

// -----

func.func @f(%a: !spirv.coopmatrix<8x16xi8, Subgroup, MatrixA>, %b: !spirv.coopmatrix<4x8xi8, Subgroup, MatrixB>, %c: !spirv.coopmatrix<8x8xi32, Subgroup, MatrixAcc>) {
  // expected-error@+1 {{matrix size mismatch on dimension 'K'}}
  %0 = spirv.KHR.CooperativeMatrixMulAdd %a, %b, %c : !spirv.coopmatrix<8x16xi8, Subgroup, MatrixA>, !spirv.coopmatrix<4x8xi8, Subgroup, MatrixB> -> !spirv.coopmatrix<8x8xi32, Subgroup, MatrixAcc>
  return
}

// -----

func.func @f(%a: !spirv.coopmatrix<8x16xi8, Subgroup, MatrixA>, %b: !spirv.coopmatrix<16x8xi8, Subgroup, MatrixB>, %c: !spirv.coopmatrix<8x8xf32, Subgroup, MatrixAcc>) {
  // expected-error@+1 {{Matrix Operands require all matrix element types to be Integer Types}}
  %0 = spirv.KHR.CooperativeMatrixMulAdd %a, %b, %c, <ASigned> : !spirv.coopmatrix<8x16xi8, Subgroup, MatrixA>, !spirv.coopmatrix<16x8xi8, Subgroup, MatrixB> -> !spirv.coopmatrix<8x8xf32, Subgroup, MatrixAcc>
  return
}

// -----

func.func @f(%p: !spirv.ptr<!spirv.struct<(f32)>, StorageBuffer>, %n: i32) {
  // expected-error@+1 {{Pointer must point to a scalar or vector type but provided '!spirv.struct<(f32)>'}}
  %0 = spirv.KHR.CooperativeMatrixLoad %p, %n, <RowMajor> : !spirv.ptr<!spirv.struct<(f32)>, StorageBuffer>, i32 -> !spirv.coopmatrix<8x8xf32, Subgroup, MatrixA>
  return
}

// -----

func.func @f(%p: !spirv.ptr<f32, StorageBuffer>, %n: i32) {
  // expected-error@+1 {{not compatible with memory operand 'MakePointerAvailable'}}
  %0 = spirv.KHR.CooperativeMatrixLoad %p, %n, <RowMajor>, <MakePointerAvailable> : !spirv.ptr<f32, StorageBuffer>, i32 -> !spirv.coopmatrix<8x8xf32, Subgroup, MatrixA>
  return
}

// -----

func.func @f(%p: !spirv.ptr<f32, StorageBuffer>, %n: i32) {
  // expected-error@+1 {{missing value for the 'Aligned' memory operand}}
  %0 = spirv.KHR.CooperativeMatrixLoad %p, %n, <RowMajor>, <Aligned> : !spirv.ptr<f32, StorageBuffer>, i32 -> !spirv.coopmatrix<8x8xf32, Subgroup, MatrixA>
  return
}

// -----

func.func @f(%p: !spirv.ptr<f32, StorageBuffer>, %n: i32) {
  // expected-error@+1 {{found alignment attribute for non-'Aligned' memory operand}}
  %0 = spirv.KHR.CooperativeMatrixLoad %p, %n, <RowMajor>, <Volatile>, 4 : !spirv.ptr<f32, StorageBuffer>, i32 -> !spirv.coopmatrix<8x8xf32, Subgroup, MatrixA>
  return
}

// -----

func.func @f(%p: !spirv.ptr<f32, StorageBuffer>, %n: i32, %m: !spirv.coopmatrix<8x8xf32, Subgroup, MatrixA>) {
  // expected-error@+1 {{not compatible with memory operand 'MakePointerVisible'}}
  spirv.KHR.CooperativeMatrixStore %p, %m, %n, <RowMajor>, <MakePointerVisible> : !spirv.ptr<f32, StorageBuffer>, !spirv.coopmatrix<8x8xf32, Subgroup, MatrixA>, i32
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error@+1 {{requires Packed Vector Format attribute for integer vector operands}}
  %0 = spirv.SDot %i, %i : i32 -> i32
  return
}

// -----

func.func @f(%i: i64) {
  // expected-error@+1 {{with specified Packed Vector Format (PackedVectorFormat4x8Bit) requires integer vector operands to be 32-bits wide}}
  %0 = spirv.UDot %i, %i, <PackedVectorFormat4x8Bit> : i64 -> i64
  return
}

// -----

func.func @f(%v: vector<4xi8>) {
  // expected-error@+1 {{with invalid format attribute for vector operands of type 'vector<4xi8>'}}
  %0 = spirv.SUDot %v, %v, <PackedVectorFormat4x8Bit> : vector<4xi8> -> i32
  return
}

// -----

func.func @f(%v: vector<2xi32>) {
  // expected-error@+1 {{result type has insufficient bit-width (32 bits) for the specified vector operand type (64 bits)}}
  %0 = spirv.SDot %v, %v : vector<2xi32> -> i32
  return
}

// -----

func.func @f(%m: !spirv.matrix<2 x vector<3xf32>>, %v: vector<3xf16>) {
  // expected-error@+1 {{matrix must be a matrix with the same component type as the component type in result}}
  %0 = spirv.VectorTimesMatrix %v, %m : vector<3xf16>, !spirv.matrix<2 x vector<3xf32>> -> vector<2xf16>
  return
}
