// test: opt --fold-memref-alias-ops
// test: run-opt --entry=dropped --arg=iota --arg=zeros
// expect: arg 1 = [20, 21, 22]
// test: run-opt --entry=collapsed --arg=iota --arg=zeros
// expect: arg 1 = [0, 7, 14, 21]
// test: run-opt --entry=reinterpreted --arg=zeros
// expect: arg 0 = [5, 7, 9, 8, 10, 12]
// test: run-opt --entry=chain --arg=iota --arg=zeros
// expect: arg 1 = [45, 47, 65, 67]
// test: run-opt --entry=strided --arg=random:1[12x20] --arg=random:2[4x8] --arg=3 --arg=2
// test: run-opt --entry=expanded --arg=random:1 --arg=random:2
// test: run-opt --entry=open_groups --arg=random:1[6x20] --arg=random:2 --arg=5 --arg=4
// test: run-opt --entry=open_rows --arg=random:1[3x4] --arg=random:2
// test: run-opt --entry=in_loops --arg=random:1 --arg=random:2
// test: run-opt --entry=vectors --arg=random:1 --arg=zeros
// test: run-opt --entry=transfers --arg=random:1 --arg=zeros
// test: run-opt --entry=updates --arg=zeros

// Offsets and strides, known and not.
func.func @strided(%a: memref<12x20xf32>, %b: memref<4x8xf32>, %o: index, %s: index) {
  %v = memref.subview %a[%o, 2] [4, 8] [%s, 2] : memref<12x20xf32> to memref<4x8xf32, strided<[?, 2], offset: ?>>
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 8 {
      %x = affine.load %v[%i, -%j + 7] : memref<4x8xf32, strided<[?, 2], offset: ?>>
      affine.store %x, %b[%i, %j] : memref<4x8xf32>
    }
  }
  return
}

// The dimension that the view drops is its offset.
func.func @dropped(%a: memref<12x10xindex>, %b: memref<3xindex>) {
  %v = memref.subview %a[2, 0] [1, 3] [1, 1] : memref<12x10xindex> to memref<3xindex, strided<[1], offset: 20>>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  scf.for %i = %c0 to %c3 step %c1 {
    %x = memref.load %v[%i] : memref<3xindex, strided<[1], offset: 20>>
    memref.store %x, %b[%i] : memref<3xindex>
  }
  return
}

func.func @expanded(%a: memref<12x20xf32>, %b: memref<12x5x4xf32>) {
  %v = memref.expand_shape %a [[0], [1, 2]] output_shape [12, 5, 4] : memref<12x20xf32> into memref<12x5x4xf32>
  affine.for %i = 0 to 12 {
    affine.for %j = 0 to 5 {
      affine.for %k = 0 to 4 {
        %x = affine.load %b[%i, %j, %k] : memref<12x5x4xf32>
        affine.store %x, %v[-%i + 11, %j, %k] : memref<12x5x4xf32>
      }
    }
  }
  return
}

// Sizes of a group that are not known.
func.func @open_groups(%a: memref<6x?xf32>, %b: memref<120xf32>, %m: index, %n: index) {
  %v = memref.expand_shape %a [[0], [1, 2]] output_shape [6, %m, %n] : memref<6x?xf32> into memref<6x?x?xf32>
  affine.for %i = 0 to 6 {
    affine.for %j = 0 to %m {
      affine.for %k = 0 to %n {
        %x = affine.load %v[%i, %j, %k] : memref<6x?x?xf32>
        affine.store %x, %b[%i * 20 + %j * 4 + %k] : memref<120xf32>
      }
    }
  }
  return
}

// An index of all is a row and a place in it.
func.func @collapsed(%a: memref<1x5x5xindex>, %b: memref<4xindex>) {
  %v = memref.collapse_shape %a [[0, 1, 2]] : memref<1x5x5xindex> into memref<25xindex>
  affine.for %i = 0 to 4 {
    %x = affine.load %v[%i * 7] : memref<25xindex>
    affine.store %x, %b[%i] : memref<4xindex>
  }
  return
}

// Rows of a length that is read from the memory.
func.func @open_rows(%a: memref<3x?xf32>, %b: memref<12xf32>) {
  %v = memref.collapse_shape %a [[0, 1]] : memref<3x?xf32> into memref<?xf32>
  %c0 = arith.constant 0 : index
  %n = memref.dim %v, %c0 : memref<?xf32>
  affine.for %i = 0 to min affine_map<()[s0] -> (s0, 12)>()[%n] {
    %x = affine.load %v[%i] : memref<?xf32>
    affine.store %x, %b[%i] : memref<12xf32>
  }
  return
}

// The offset is a counter, of an affine loop and of another one.
func.func @in_loops(%a: memref<8x8xf32>, %b: memref<8x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  affine.for %i = 0 to 8 {
    %v = memref.subview %a[%i, 0] [1, 8] [1, 1] : memref<8x8xf32> to memref<8xf32, strided<[1], offset: ?>>
    affine.for %j = 0 to 8 {
      %x = affine.load %v[%j] : memref<8xf32, strided<[1], offset: ?>>
      affine.store %x, %b[%j, %i] : memref<8x8xf32>
    }
  }
  scf.for %i = %c0 to %c8 step %c1 {
    %v = memref.subview %b[0, %i] [8, 1] [1, 1] : memref<8x8xf32> to memref<8xf32, strided<[8], offset: ?>>
    scf.for %j = %c0 to %c8 step %c1 {
      %x = memref.load %v[%j] : memref<8xf32, strided<[8], offset: ?>>
      %y = arith.addf %x, %x : f32
      memref.store %y, %v[%j] : memref<8xf32, strided<[8], offset: ?>>
    }
  }
  return
}

// The cast counts from the start of what is allocated.
func.func @reinterpreted(%b: memref<2x3xindex>) {
  %a = memref.alloc() : memref<20xindex>
  affine.for %i = 0 to 20 {
    affine.store %i, %a[%i] : memref<20xindex>
  }
  %v = memref.reinterpret_cast %a to offset: [5], sizes: [2, 3], strides: [3, 2] : memref<20xindex> to memref<2x3xindex, strided<[3, 2], offset: 5>>
  affine.for %i = 0 to 2 {
    affine.for %j = 0 to 3 {
      %x = affine.load %v[%i, %j] : memref<2x3xindex, strided<[3, 2], offset: 5>>
      affine.store %x, %b[%i, %j] : memref<2x3xindex>
    }
  }
  memref.dealloc %a : memref<20xindex>
  return
}

// A view of a cast of a view of a view.
func.func @chain(%a: memref<10x10xindex>, %b: memref<2x2xindex>) {
  %u = memref.subview %a[2, 1] [8, 8] [1, 1] : memref<10x10xindex> to memref<8x8xindex, strided<[10, 1], offset: 21>>
  %v = memref.subview %u[2, 4] [2, 2] [2, 2] : memref<8x8xindex, strided<[10, 1], offset: 21>> to memref<2x2xindex, strided<[20, 2], offset: 45>>
  %w = memref.cast %v : memref<2x2xindex, strided<[20, 2], offset: 45>> to memref<?x?xindex, strided<[?, ?], offset: ?>>
  affine.for %i = 0 to 2 {
    affine.for %j = 0 to 2 {
      %x = affine.load %w[%i, %j] : memref<?x?xindex, strided<[?, ?], offset: ?>>
      affine.store %x, %b[%i, %j] : memref<2x2xindex>
    }
  }
  return
}

// Vectors along the last dimension.
func.func @vectors(%a: memref<6x16xf32>, %b: memref<6x4x4xf32>) {
  %v = memref.subview %a[0, 3] [6, 12] [1, 1] : memref<6x16xf32> to memref<6x12xf32, strided<[16, 1], offset: 3>>
  %w = memref.collapse_shape %b [[0], [1, 2]] : memref<6x4x4xf32> into memref<6x16xf32>
  %e = memref.expand_shape %w [[0], [1, 2]] output_shape [6, 8, 2] : memref<6x16xf32> into memref<6x8x2xf32>
  affine.for %i = 0 to 6 {
    affine.for %j = 0 to 12 step 2 {
      %x = affine.vector_load %v[%i, %j] : memref<6x12xf32, strided<[16, 1], offset: 3>>, vector<2xf32>
      affine.vector_store %x, %b[%i, %i mod 2, %j mod 3] : memref<6x4x4xf32>, vector<2xf32>
    }
    %y = vector.load %v[%i, %i] : memref<6x12xf32, strided<[16, 1], offset: 3>>, vector<2xf32>
    affine.vector_store %y, %e[%i, %i mod 4, 0] : memref<6x8x2xf32>, vector<2xf32>
  }
  return
}

// Transfers along a column of the memory, which is the last dimension of nothing.
func.func @transfers(%a: memref<6x16xf32>, %b: memref<16x6xf32>) {
  %z = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %v = memref.subview %a[1, 3] [4, 8] [1, 1] : memref<6x16xf32> to memref<4x8xf32, strided<[16, 1], offset: 19>>
  %w = memref.subview %b[2, 1] [8, 1] [1, 1] : memref<16x6xf32> to memref<8xf32, strided<[6], offset: 13>>
  affine.for %j = 0 to 8 {
    %x = vector.transfer_read %v[%c0, %j], %z {in_bounds = [true], permutation_map = affine_map<(d0, d1) -> (d0)>} : memref<4x8xf32, strided<[16, 1], offset: 19>>, vector<4xf32>
    vector.transfer_write %x, %w[%c0] {in_bounds = [true]} : vector<4xf32>, memref<8xf32, strided<[6], offset: 13>>
  }
  return
}

func.func @updates(%a: memref<4x4xi32>) {
  %v = memref.collapse_shape %a [[0, 1]] : memref<4x4xi32> into memref<16xi32>
  affine.for %i = 0 to 16 {
    %x = arith.index_cast %i : index to i32
    %y = memref.atomic_rmw addi %x, %v[%i] : (i32, memref<16xi32>) -> i32
    %z = memref.generic_atomic_rmw %v[%i] : memref<16xi32> {
    ^bb0(%old: i32):
      %new = arith.muli %old, %old : i32
      memref.atomic_yield %new : i32
    }
  }
  return
}
