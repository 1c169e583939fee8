// test: opt --affine-atomic-updates=fp=strict
// test: run-opt --entry=weights --arg=ones --arg=random:1 --arg=random:1
// test: run-opt --entry=first_zero --arg=zeros --arg=random:1 --arg=random:2
// test: run-opt --entry=one_zero --arg=zeros --arg=random:1 --arg=random:2
// test: run-opt --entry=greatest --arg=ones --arg=random:1 --arg=random:1

// Left: strict floats keep the order of the sum.
func.func @weights(%a: memref<64xi32>, %w: memref<64xf32>, %h: memref<8xf32>) {
  affine.for %i = 0 to 64 {
    %v = affine.load %a[%i] : memref<64xi32>
    %b = arith.index_cast %v : i32 to index
    %x = affine.load %w[%i] : memref<64xf32>
    %n = memref.load %h[%b] : memref<8xf32>
    %m = arith.addf %n, %x : f32
    memref.store %m, %h[%b] : memref<8xf32>
  }
  return
}

// The greatest of the weights is the same in any order.
func.func @greatest(%a: memref<64xi32>, %w: memref<64xf32>, %h: memref<8xf32>) {
  affine.for %i = 0 to 64 {
    %v = affine.load %a[%i] : memref<64xi32>
    %b = arith.index_cast %v : i32 to index
    %x = affine.load %w[%i] : memref<64xf32>
    %n = memref.load %h[%b] : memref<8xf32>
    %m = arith.maximumf %n, %x : f32
    memref.store %m, %h[%b] : memref<8xf32>
  }
  return
}

// Left: of zeros of both signs the first one stays.
func.func @first_zero(%a: memref<64xi32>, %w: memref<64xf32>, %h: memref<8xf32>) {
  affine.for %i = 0 to 64 {
    %v = affine.load %a[%i] : memref<64xi32>
    %b = arith.index_cast %v : i32 to index
    %x = affine.load %w[%i] : memref<64xf32>
    %n = memref.load %h[%b] : memref<8xf32>
    %c = arith.cmpf ogt, %x, %n : f32
    %m = arith.select %c, %x, %n : f32
    memref.store %m, %h[%b] : memref<8xf32>
  }
  return
}

// The sum of a square and something else, which may be -0, is none.
func.func @one_zero(%a: memref<64xi32>, %w: memref<64xf32>, %h: memref<8xf32>) {
  affine.for %i = 0 to 64 {
    %v = affine.load %a[%i] : memref<64xi32>
    %b = arith.index_cast %v : i32 to index
    %x = affine.load %w[%i] : memref<64xf32>
    %square = arith.mulf %x, %x : f32
    %sum = arith.addf %square, %x : f32
    %n = memref.load %h[%b] : memref<8xf32>
    %c = arith.cmpf olt, %sum, %n : f32
    %m = arith.select %c, %sum, %n : f32
    memref.store %m, %h[%b] : memref<8xf32>
  }
  return
}
