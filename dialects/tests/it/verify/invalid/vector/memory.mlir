// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
func.func @load_stride(%m: memref<8xf32, strided<[2]>>, %i: index) {
  // expected-error@+1 {{'vector.load' op most minor memref dim must have unit stride}}
  %0 = vector.load %m[%i] : memref<8xf32, strided<[2]>>, vector<4xf32>
  return
}

// -----

func.func @load_rank(%m: memref<8xf32>, %i: index) {
  // expected-error@+1 {{'vector.load' op destination memref has lower rank than the result vector}}
  %0 = vector.load %m[%i] : memref<8xf32>, vector<2x4xf32>
  return
}

// -----

func.func @load_vectors(%m: memref<8xvector<4xf32>>, %i: index) {
  // expected-error@+1 {{'vector.load' op base memref and result vector types should match}}
  %0 = vector.load %m[%i] : memref<8xvector<4xf32>>, vector<8xf32>
  return
}

// -----

func.func @load_elements(%m: memref<8xf32>, %i: index) {
  // expected-error@+1 {{'vector.load' op base and result element types should match}}
  %0 = vector.load %m[%i] : memref<8xf32>, vector<4xi32>
  return
}

// -----

func.func @load_indices(%m: memref<8x8xf32>, %i: index) {
  // expected-error@+1 {{'vector.load' op requires 2 indices}}
  %0 = vector.load %m[%i] : memref<8x8xf32>, vector<4xf32>
  return
}

// -----

func.func @load_alignment(%m: memref<8xf32>, %i: index) {
  // expected-error@+1 {{attribute 'alignment' failed to satisfy constraint: 64-bit signless integer attribute whose value is positive and whose value is a power of two > 0}}
  %0 = vector.load %m[%i] {alignment = 3 : i64} : memref<8xf32>, vector<4xf32>
  return
}

// -----

func.func @load_tensor(%m: tensor<8xf32>, %i: index) {
  // expected-error@+1 {{must be memref of any type values, but got 'tensor<8xf32>'}}
  %0 = "vector.load"(%m, %i) : (tensor<8xf32>, index) -> vector<4xf32>
  return
}

// -----

func.func @store_stride(%m: memref<8xf32, strided<[?]>>, %i: index, %v: vector<4xf32>) {
  // expected-error@+1 {{'vector.store' op most minor memref dim must have unit stride}}
  vector.store %v, %m[%i] : memref<8xf32, strided<[?]>>, vector<4xf32>
  return
}

// -----

func.func @store_rank(%m: memref<8xf32>, %i: index, %v: vector<2x4xf32>) {
  // expected-error@+1 {{'vector.store' op source memref has lower rank than the vector to store}}
  vector.store %v, %m[%i] : memref<8xf32>, vector<2x4xf32>
  return
}

// -----

func.func @store_vectors(%m: memref<8xvector<4xf32>>, %i: index, %v: vector<8xf32>) {
  // expected-error@+1 {{'vector.store' op base memref and valueToStore vector types should match}}
  vector.store %v, %m[%i] : memref<8xvector<4xf32>>, vector<8xf32>
  return
}

// -----

func.func @store_elements(%m: memref<8xf32>, %i: index, %v: vector<8xi32>) {
  // expected-error@+1 {{'vector.store' op base and valueToStore element type should match}}
  vector.store %v, %m[%i] : memref<8xf32>, vector<8xi32>
  return
}

// -----

func.func @store_indices(%m: memref<8xf32>, %i: index, %v: vector<8xf32>) {
  // expected-error@+1 {{'vector.store' op requires 1 indices}}
  vector.store %v, %m[%i, %i] : memref<8xf32>, vector<8xf32>
  return
}

// -----

func.func @cast_operand(%m: memref<4xf32, affine_map<(d0) -> (d0 mod 2)>>) {
  // expected-error@+1 {{'vector.type_cast' op expects operand to be a memref with identity layout}}
  %0 = vector.type_cast %m : memref<4xf32, affine_map<(d0) -> (d0 mod 2)>> to memref<vector<4xf32>>
  return
}

// -----

func.func @cast_result(%m: memref<4xf32>) {
  // expected-error@+1 {{'vector.type_cast' op expects result to be a memref with identity layout}}
  %0 = vector.type_cast %m : memref<4xf32> to memref<4xf32, strided<[2]>>
  return
}

// -----

func.func @cast_space(%m: memref<4xf32>) {
  // expected-error@+1 {{'vector.type_cast' op expects result in same memory space}}
  %0 = vector.type_cast %m : memref<4xf32> to memref<vector<4xf32>, 1>
  return
}

// -----

func.func @cast_elements(%m: memref<4xf32>) {
  // expected-error@+1 {{'vector.type_cast' op expects result and operand with same underlying scalar type: 'memref<vector<4xi32>>'}}
  %0 = vector.type_cast %m : memref<4xf32> to memref<vector<4xi32>>
  return
}

// -----

func.func @cast_shape(%m: memref<4xf32>) {
  // expected-error@+1 {{'vector.type_cast' op expects concatenated result and operand shapes to be equal: 'memref<vector<5xf32>>'}}
  %0 = vector.type_cast %m : memref<4xf32> to memref<vector<5xf32>>
  return
}

// -----

func.func @cast_dynamic(%m: memref<?xf32>) {
  // expected-error@+1 {{must be statically shaped memref of any type values, but got 'memref<?xf32>'}}
  %0 = vector.type_cast %m : memref<?xf32> to memref<vector<5xf32>>
  return
}

// -----

func.func @memref_of_memrefs(%m: memref<?xmemref<4xi32>>, %i: index) {
  // expected-error@+1 {{'vector.load' op base and result element types should match}}
  %0 = vector.load %m[%i] : memref<?xmemref<4xi32>>, vector<4xi32>
  return
}

// -----

func.func @alignment(%m: memref<?xf32>, %i: index) {
  // expected-error@+1 {{custom op 'vector.load' 'vector.load' op attribute 'alignment' failed to satisfy constraint: 64-bit signless integer attribute whose value is positive and whose value is a power of two > 0}}
  %0 = vector.load %m[%i] {alignment = 6} : memref<?xf32>, vector<4xf32>
  return
}
