// Operations misused.

func @f(%m: memref<4xf32>) {
  // expected-error@+1 {{there is no dimension 1 in a shape of rank 1}}
  %0 = dim %m, 1 : memref<4xf32>
  return
}

// -----

func @f(%m: i32) {
  // expected-error@+1 {{the operand is neither a memref nor a tensor}}
  %0 = dim %m, 0 : i32
  return
}

// -----

func @f(%m: tensor<4xf32>) {
  // expected-error@+1 {{`dim` has one operand and the attribute `index`}}
  %0 = "dim"(%m) : (tensor<4xf32>) -> index
  return
}

// -----

func @f(%n: index) {
  // expected-error@+1 {{2 symbol(s) are given, but the layout lists 1}}
  %0 = alloc(%n)[%n, %n] : memref<?xf32, (d0)[s0] -> (d0)>
  return
}

// -----

func @f(%n: index) {
  // expected-error@+1 {{expected a ranked memref type}}
  %0 = alloc tensor<4xf32>()
  return
}

// -----

func @f(%n: index) {
  // expected-error@+1 {{`alloc_static` is for static shapes}}
  %0 = alloc_static(0x10) : memref<?xf32>
  return
}

// -----

func @f(%m: memref<4x4xf32>) {
  // expected-error@+1 {{the source has 16 elements, but the result would have 8}}
  %0 = reshape %m : memref<4x4xf32> () : memref<8xf32>
  return
}

// -----

func @f(%m: memref<4x4xf32>) {
  // expected-error@+1 {{this is not the type of the operand}}
  %0 = reshape %m : memref<4x4xf32> () to (memref<16xf32> -> memref<16xf32>)
  return
}

// -----

func @f(%m: memref<4x4xf32>) {
  // expected-error@+1 {{element type and memory space must be those of the operand}}
  %0 = view memref<4x4xf32, vmem> () %m : memref<4x4xf32>
  return
}

// -----

func @f(%v: vector<4x4xi32>, %i: index) {
  // expected-error@+1 {{2 indices are needed, not 1}}
  %0 = extract_element %v[%i] : vector<4x4xi32>
  return
}

// -----

func @f(%a: i32) {
  // expected-error@+1 {{`less` is not a predicate; known are eq, ne, slt}}
  %0 = cmpi "less", %a, %a : i32
  return
}

// -----

func @f(%a: i32) {
  // expected-error@+1 {{this needs the attribute `predicate`, a number from 0 to 9}}
  %0 = "cmpi"(%a, %a) {predicate: 10} : (i32, i32) -> i1
  return
}

// -----

func @f() {
  // expected-error@+1 {{a constant has the attribute `value` and one result}}
  %0 = "constant"() : () -> i32
  return
}

// -----

func @f(%i: index) {
  // expected-error@+1 {{1 dimension(s) and 1 symbol(s) are needed, but 1 and 0 are given}}
  %0 = affine_apply (d0)[s0] -> (d0 + s0) (%i)
  return
}

// -----

func @f(%i: index) {
  // expected-error@+1 {{expected an affine map}}
  %0 = affine_apply (d0) : (d0 >= 0) (%i)
  return
}

// -----

func @f(%i: index) {
  // expected-error@+1 {{as many results are needed as the map has}}
  %0 = "affine_apply"(%i) {map: (d0) -> (d0, d0)} : (index) -> index
  return
}

// -----

func @f(%t: tensor<4xf32>, %m: memref<4xf32>) {
  // expected-error@+1 {{expected `,` or `to`}}
  tensor_store %t into %m : memref<4xf32>
  return
}

// -----

func @f(%t: tensor<4xf32>) {
  // expected-error@+1 {{the operand of `tensor_load` is a memref}}
  %0 = tensor_load %t : tensor<4xf32>
  return
}
