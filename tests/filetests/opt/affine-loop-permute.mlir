// test: opt --affine-loop-permute
// test: run-opt --entry=k_outermost --arg=random:1 --arg=random:1
// test: run-opt --entry=load_between --arg=random:1
// test: run-opt --entry=triangle --arg=random:1
// test: run-opt --entry=skewed --arg=random:1

// %i and %j are free, %k carries the sum: the free ones come out, in their order.
func.func @k_outermost(%a: memref<8x4xf32>, %b: memref<4x16xf32>) -> memref<8x16xf32> {
  %c = memref.alloc() : memref<8x16xf32>
  affine.for %k = 0 to 4 {
    affine.for %i = 0 to 8 {
      affine.for %j = 0 to 16 {
        %x = affine.load %a[%i, %k] : memref<8x4xf32>
        %y = affine.load %b[%k, %j] : memref<4x16xf32>
        %z = affine.load %c[%i, %j] : memref<8x16xf32>
        %p = arith.mulf %x, %y : f32
        %s = arith.addf %z, %p : f32
        affine.store %s, %c[%i, %j] : memref<8x16xf32>
      }
    }
  }
  return %c : memref<8x16xf32>
}

// What stands before the inner loop moves into it.
func.func @load_between(%a: memref<4xf32>) -> memref<16xf32> {
  %c = memref.alloc() : memref<16xf32>
  affine.for %k = 0 to 4 {
    %x = affine.load %a[%k] : memref<4xf32>
    affine.for %j = 0 to 16 {
      %z = affine.load %c[%j] : memref<16xf32>
      %s = arith.addf %z, %x : f32
      affine.store %s, %c[%j] : memref<16xf32>
    }
  }
  return %c : memref<16xf32>
}

// The bound of the free loop needs the other's counter: the triangle is turned over.
func.func @triangle(%a: memref<16xf32>) -> memref<16xf32> {
  %c = memref.alloc() : memref<16xf32>
  affine.for %k = 0 to 16 {
    affine.for %j = 0 to affine_map<(d0) -> (d0)>(%k) {
      %x = affine.load %a[%k] : memref<16xf32>
      %z = affine.load %c[%j] : memref<16xf32>
      %s = arith.addf %z, %x : f32
      affine.store %s, %c[%j] : memref<16xf32>
    }
  }
  return %c : memref<16xf32>
}

// A dependence of distance (1, -1): no loop is free.
func.func @skewed(%a: memref<8x8xf32>) {
  affine.for %i = 1 to 8 {
    affine.for %j = 0 to 7 {
      %x = affine.load %a[%i - 1, %j + 1] : memref<8x8xf32>
      affine.store %x, %a[%i, %j] : memref<8x8xf32>
    }
  }
  return
}
