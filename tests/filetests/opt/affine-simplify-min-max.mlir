// test: opt --affine-simplify-min-max
// test: run-opt --entry=operations --arg=zeros
// expect: arg 0 = [4, 5, 6, 7, 4, 5, 6, 7]
// test: run-opt --entry=exact_tiles --arg=zeros
// test: run-opt --entry=rest --arg=zeros
// test: run-opt --entry=kept --arg=random:1[9] --arg=5 --arg=7

// Tiles of 32 that divide 96: their end is always the least bound.
func.func @exact_tiles(%a: memref<96xindex>) {
  affine.for %t = 0 to 3 {
    affine.for %i = affine_map<(d0) -> (d0 * 32)>(%t) to min affine_map<(d0) -> (96, d0 * 32 + 32)>(%t) {
      affine.store %i, %a[%i] : memref<96xindex>
    }
  }
  return
}

// The last tile of 100 has four iterations: both bounds stay.
func.func @rest(%a: memref<100xindex>) {
  affine.for %t = 0 to 4 {
    affine.for %i = affine_map<(d0) -> (d0 * 32)>(%t) to min affine_map<(d0) -> (100, d0 * 32 + 32)>(%t) {
      affine.store %i, %a[%i] : memref<100xindex>
    }
  }
  return
}

// The greatest of %i and 3 in a loop from 4 is %i; the least of three is one of two.
func.func @operations(%a: memref<8xindex>) {
  affine.for %i = 4 to 8 {
    %x = affine.max affine_map<(d0) -> (d0, 3)>(%i)
    %y = affine.min affine_map<(d0) -> (d0 - 4, d0, d0 - 2)>(%i)
    memref.store %x, %a[%y] : memref<8xindex>
    memref.store %x, %a[%x] : memref<8xindex>
  }
  return
}

// Nothing is known of %m and %n; %n + 1 is less than %n where it wraps around.
func.func @kept(%a: memref<?xindex>, %m: index, %n: index) {
  affine.for %i = 0 to min affine_map<()[s0, s1] -> (s0, s1)>()[%m, %n] {
    affine.store %i, %a[%i] : memref<?xindex>
  }
  %x = affine.min affine_map<()[s0] -> (s0, s0 + 1)>()[%n]
  affine.store %x, %a[0] : memref<?xindex>
  return
}
