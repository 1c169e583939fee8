// test: canonical
func.func private @use(index)

func.func @nested(%m: memref<10x10xf32>, %n: index) {
  affine.for %i = 0 to 10 {
    %a = affine.apply affine_map<(d0) -> (d0 * 2)>(%i)
    affine.for %j = affine_map<(d0) -> (d0)>(%a) to affine_map<(d0)[s0] -> (d0 + s0)>(%a)[%n] {
      %b = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%a, %j)
      func.call @use(%b) : (index) -> ()
    }
  }
  return
}

// differs: @handed_on: what is only handed on is not carried
func.func @handed_on(%m: memref<10xf32>, %v: f32, %w: f32) -> (f32, f32) {
  %r:2 = affine.for %i = 0 to 10 iter_args(%a = %v, %b = %w) -> (f32, f32) {
    %x = affine.load %m[%i] : memref<10xf32>
    %s = arith.addf %a, %x : f32
    affine.yield %s, %b : f32, f32
  }
  return %r#0, %r#1 : f32, f32
}

// differs: @conditions: a condition stands once, or not at all
func.func @conditions(%m: memref<10xf32>, %v: f32) {
  affine.for %i = 0 to 10 {
    affine.if affine_set<(d0) : (d0 - 5 >= 0, d0 - 5 >= 0)>(%i) {
      affine.store %v, %m[%i] : memref<10xf32>
    }
    affine.if affine_set<(d0) : (-1 >= 0)>(%i) {
      affine.store %v, %m[%i] : memref<10xf32>
    }
  }
  return
}

func.func @dead(%m: memref<10xf32>, %v: f32) {
  affine.for %i = 0 to 10 {
    %x = affine.load %m[%i] : memref<10xf32>
    %y = arith.addf %x, %v : f32
  }
  return
}

func.func @reduced(%m: memref<10xf32>) -> f32 {
  %r = affine.parallel (%i) = (0) to (10) reduce ("addf") -> f32 {
    %x = affine.load %m[%i] : memref<10xf32>
    affine.yield %x : f32
  }
  return %r : f32
}

func.func @extremes_of_constants(%n: index) -> (index, index) {
  %c5 = arith.constant 5 : index
  %c9 = arith.constant 9 : index
  %0 = affine.min affine_map<(d0, d1, d2) -> (d0, d1, d2)>(%c5, %c9, %n)
  %1 = affine.max affine_map<()[s0, s1] -> (s0 * 2, s1)>()[%c5, %c9]
  return %0, %1 : index, index
}
