// test: opt --affine-loop-tile=cache-size=1
// test: run-opt --entry=transpose --arg=random:1 --arg=zeros
// test: run-opt --entry=row --arg=random:1 --arg=zeros
// test: run-opt --entry=gather --arg=random:1 --arg=iota

// A tile of 8 by 8 touches 64 elements of each array, 512 bytes in all; one of 16 by 16 would touch 2 KiB.
func.func @transpose(%a: memref<64x64xf32>, %b: memref<64x64xf32>) {
  %a_apart, %b_apart = memref.distinct_objects %a, %b : memref<64x64xf32>, memref<64x64xf32>
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 64 {
      %x = affine.load %a_apart[%i, %j] : memref<64x64xf32>
      affine.store %x, %b_apart[%j, %i] : memref<64x64xf32>
    }
  }
  return
}

// 128 iterations touch as many elements of two rows, 1 KiB.
func.func @row(%a: memref<512xf32>, %b: memref<512xf32>) {
  %a_apart, %b_apart = memref.distinct_objects %a, %b : memref<512xf32>, memref<512xf32>
  affine.for %i = 0 to 512 {
    %x = affine.load %a_apart[%i] : memref<512xf32>
    affine.store %x, %b_apart[%i] : memref<512xf32>
  }
  return
}

// What an iteration reads is not known, so neither is the footprint: tiles of 32.
func.func @gather(%a: memref<64xf32>, %at: memref<64xi32>) {
  %b = memref.alloc() : memref<64xf32>
  %a_apart, %at_apart = memref.distinct_objects %a, %at : memref<64xf32>, memref<64xi32>
  affine.for %i = 0 to 64 {
    %n = affine.load %at_apart[%i] : memref<64xi32>
    %k = arith.index_cast %n : i32 to index
    %x = memref.load %a_apart[%k] : memref<64xf32>
    affine.store %x, %b[%i] : memref<64xf32>
  }
  affine.for %i = 0 to 64 {
    %x = affine.load %b[%i] : memref<64xf32>
    affine.store %x, %a_apart[-%i + 63] : memref<64xf32>
  }
  memref.dealloc %b : memref<64xf32>
  return
}
