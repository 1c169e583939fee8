// test: opt --affine-parallelize-reductions=target=cpu --affine-mark-inbounds --affine-map-to-gpu=target=cpu --canonicalize --cse --merge-adjacent-accesses
// test: run --entry=rows --arg=iota --arg=zeros
// test: run-opt --entry=rows --arg=iota --arg=zeros
// test: run --entry=borders --arg=random:1 --arg=zeros
// test: run-opt --entry=borders --arg=random:1 --arg=zeros

// Rows of 131 elements, 131 ≡ -1 modulo 4: row %i begins %i elements before a multiple of four, and those come before
// its vectors, one for each thread.
func.func @rows(%x: memref<64x131xi32>, %y: memref<64x131xi32>) {
  %0:2 = memref.distinct_objects %x, %y : memref<64x131xi32>, memref<64x131xi32>
  %zero = arith.constant 0 : i32
  affine.for %i = 0 to 64 {
    %t = affine.for %j = 0 to 131 iter_args(%a = %zero) -> (i32) {
      %v = affine.load %0#0[%i, %j] : memref<64x131xi32>
      %n = arith.addi %a, %v : i32
      affine.yield %n : i32
    }
    affine.for %j = 0 to 131 {
      %v = affine.load %0#0[%i, %j] : memref<64x131xi32>
      %d = arith.subi %v, %t : i32
      affine.store %d, %0#1[%i, %j] : memref<64x131xi32>
    }
  }
  return
}

// Rows of an even length without their border: each begins one element behind a multiple of four.
func.func @borders(%x: memref<64x160xi32>, %y: memref<64x160xi32>) {
  %0:2 = memref.distinct_objects %x, %y : memref<64x160xi32>, memref<64x160xi32>
  %zero = arith.constant 0 : i32
  affine.for %i = 0 to 64 {
    %t = affine.for %j = 1 to 159 iter_args(%a = %zero) -> (i32) {
      %v = affine.load %0#0[%i, %j] : memref<64x160xi32>
      %n = arith.addi %a, %v : i32
      affine.yield %n : i32
    }
    affine.for %j = 1 to 159 {
      %v = affine.load %0#0[%i, %j] : memref<64x160xi32>
      %d = arith.subi %v, %t : i32
      affine.store %d, %0#1[%i, %j] : memref<64x160xi32>
    }
  }
  return
}
