// test: opt --affine-super-vectorize=virtual-vector-size=4
// test: run-opt --entry=stencil --arg=random:1
// test: run-opt --entry=strided --arg=random:1 --arg=zeros
// test: run-opt --entry=column --arg=random:1 --arg=zeros
// test: run-opt --entry=counter --arg=zeros
// test: run-opt --entry=guarded --arg=random:1
// test: run-opt --entry=ordered --arg=random:1 --arg=zeros
// test: run-opt --entry=short --arg=random:1 --arg=zeros

// An iteration reads what the one before has written.
func.func @stencil(%a: memref<9xf32>) {
  // remark: 13:3: an iteration may depend on one before
  affine.for %i = 0 to 8 {
    %x = affine.load %a[%i] : memref<9xf32>
    affine.store %x, %a[%i + 1] : memref<9xf32>
  }
  return
}

// Every second element.
func.func @strided(%a: memref<16xf32>, %b: memref<8xf32>) {
  affine.for %i = 0 to 8 {
    // remark: 24:10: the elements of its lanes are not contiguous
    %x = affine.load %a[%i * 2] : memref<16xf32>
    affine.store %x, %b[%i] : memref<8xf32>
  }
  return
}

// One element of each row.
func.func @column(%a: memref<8x4xf32>, %b: memref<8xf32>) {
  affine.for %i = 0 to 8 {
    // remark: 34:10: its lanes do not lie along the dimension
    %x = affine.load %a[%i, 1] : memref<8x4xf32>
    affine.store %x, %b[%i] : memref<8xf32>
  }
  return
}

// The counter as a number.
func.func @counter(%a: memref<8xi32>) {
  affine.for %i = 0 to 8 {
    // remark: 44:10: it uses the loop counter as a value
    %x = arith.index_cast %i : index to i32
    affine.store %x, %a[%i] : memref<8xi32>
  }
  return
}

// Some lanes store, others do not.
func.func @guarded(%a: memref<8xf32>) {
  %z = arith.constant 0.0 : f32
  affine.for %i = 0 to 8 {
    // remark: 55:5: it is no operation that works on vectors
    affine.if affine_set<(d0) : (d0 - 3 >= 0)>(%i) {
      affine.store %z, %a[%i] : memref<8xf32>
    }
  }
  return
}

// Sums of floats keep their order.
func.func @ordered(%a: memref<8xf32>, %b: memref<1xf32>) {
  %z = arith.constant 0.0 : f32
  // remark: 66:8: it carries values from one iteration to the next
  %s = affine.for %i = 0 to 8 iter_args(%sum = %z) -> f32 {
    %x = affine.load %a[%i] : memref<8xf32>
    %new = arith.addf %sum, %x : f32
    affine.yield %new : f32
  }
  affine.store %s, %b[0] : memref<1xf32>
  return
}

// Three iterations.
func.func @short(%a: memref<3xf32>, %b: memref<3xf32>) {
  // remark: 78:3: its 3 iterations are fewer than the 4 lanes of a vector
  affine.for %i = 0 to 3 {
    %x = affine.load %a[%i] : memref<3xf32>
    affine.store %x, %b[%i] : memref<3xf32>
  }
  return
}

// A float that no constant can be made of.
func.func @long(%a: memref<8xf80>, %b: memref<8xf80>) {
  affine.for %i = 0 to 8 {
    // remark: 89:10: it loads a value whose type cannot be a vector element
    %x = affine.load %a[%i] : memref<8xf80>
    affine.store %x, %b[%i] : memref<8xf80>
  }
  return
}
