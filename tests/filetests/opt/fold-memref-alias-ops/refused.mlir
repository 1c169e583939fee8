// test: opt --fold-memref-alias-ops
// test: run-opt --entry=next_row --arg=random:1 --arg=zeros
// test: run-opt --entry=loaded_offset --arg=random:1 --arg=zeros --arg=iota
// test: run-opt --entry=beyond --arg=random:1[8] --arg=zeros

// The lanes of a vector go from one row to the next.
func.func @next_row(%a: memref<4x3xf32>, %b: memref<4xf32>) {
  %v = memref.collapse_shape %a [[0, 1]] : memref<4x3xf32> into memref<12xf32>
  %c2 = arith.constant 2 : index
  %c0 = arith.constant 0 : index
  // remark: 12:8: this access is not folded into the memory of the view: its vector may reach into the next row
  %x = vector.load %v[%c2] : memref<12xf32>, vector<4xf32>
  vector.store %x, %b[%c0] : memref<4xf32>, vector<4xf32>
  return
}

// Every second column, of which a vector is none of the memory.
func.func @strided_lanes(%a: memref<4x8xf32>, %z: f32) -> vector<4xf32> {
  %v = memref.subview %a[0, 0] [4, 4] [1, 2] : memref<4x8xf32> to memref<4x4xf32, strided<[8, 2]>>
  %c0 = arith.constant 0 : index
  // remark: 22:8: the lanes of its vector are not contiguous in the memory
  %x = vector.transfer_read %v[%c0, %c0], %z {in_bounds = [true]} : memref<4x4xf32, strided<[8, 2]>>, vector<4xf32>
  return %x : vector<4xf32>
}

// Behind the end of the view the padding is read, behind that of the memory something else.
func.func @out_of_bounds(%a: memref<4x8xf32>, %i: index, %z: f32) -> vector<4xf32> {
  %v = memref.subview %a[0, 0] [4, 6] [1, 1] : memref<4x8xf32> to memref<4x6xf32, strided<[8, 1]>>
  // remark: 30:8: a lane out of the view's bounds may be in bounds of the memory
  %x = vector.transfer_read %v[%i, %i], %z : memref<4x6xf32, strided<[8, 1]>>, vector<4xf32>
  return %x : vector<4xf32>
}

// No affine access can have an offset that is loaded; others can.
func.func @loaded_offset(%a: memref<12xf32>, %b: memref<4xf32>, %o: memref<4xindex>) {
  affine.for %i = 0 to 4 {
    %k = affine.load %o[%i] : memref<4xindex>
    %v = memref.subview %a[%k] [8] [1] : memref<12xf32> to memref<8xf32, strided<[1], offset: ?>>
    // remark: 40:10: an offset, size or stride of the view is not valid as an affine dimension or symbol
    %x = affine.load %v[%i] : memref<8xf32, strided<[1], offset: ?>>
    %y = memref.load %v[%i] : memref<8xf32, strided<[1], offset: ?>>
    %z = arith.addf %x, %y : f32
    affine.store %z, %b[%i] : memref<4xf32>
  }
  return
}

// Whoever calls this may have given the start of a larger buffer.
func.func @beyond(%a: memref<?xf32>, %b: memref<4xf32>) {
  %v = memref.reinterpret_cast %a to offset: [2], sizes: [4], strides: [1] : memref<?xf32> to memref<4xf32, strided<[1], offset: 2>>
  affine.for %i = 0 to 4 {
    // remark: 53:10: the cast may reach beyond the memref that it is given
    %x = affine.load %v[%i] : memref<4xf32, strided<[1], offset: 2>>
    affine.store %x, %b[%i] : memref<4xf32>
  }
  return
}
