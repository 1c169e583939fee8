// test: canonical
func.func private @use(index)

func.func @through_applications(%a: index, %b: index) -> (index, index, index, index) {
  %0 = affine.apply affine_map<(d0) -> (d0)>(%a)
  %1 = affine.apply affine_map<(d0) -> (d0 * 2)>(%a)
  %2 = affine.apply affine_map<(d0) -> (d0 + 1)>(%1)
  %3 = affine.apply affine_map<(d0, d1) -> (d0 - d1)>(%a, %a)
  %4 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d2)>(%a, %b, %b)
  return %0, %2, %3, %4 : index, index, index, index
}

func.func @constants(%a: index) -> (index, index, index) {
  %c4 = arith.constant 4 : index
  %0 = affine.apply affine_map<(d0)[s0] -> (d0 * s0 + s0)>(%a)[%c4]
  %1 = affine.apply affine_map<(d0) -> ((d0 * 4) mod 4)>(%a)
  %2 = affine.apply affine_map<(d0) -> ((d0 * 8 + 4) floordiv 4)>(%a)
  return %0, %1, %2 : index, index, index
}

func.func @symbols(%m: memref<?x?xf32>, %n: index, %i: index) -> f32 {
  %0 = affine.load %m[%i + %n, %n] : memref<?x?xf32>
  affine.for %k = 0 to %n {
    %z = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%k, %n)
    affine.store %0, %m[%z, %k] : memref<?x?xf32>
  }
  return %0 : f32
}

func.func @in_ranges(%a: index) -> (index, index) {
  affine.for %i = 0 to 8 {
    %0 = affine.apply affine_map<(d0) -> (d0 floordiv 8)>(%i)
    %1 = affine.apply affine_map<(d0) -> (d0 mod 8)>(%i)
    func.call @use(%0) : (index) -> ()
    func.call @use(%1) : (index) -> ()
  }
  %2 = affine.min affine_map<()[s0] -> (s0 mod 4, 5)>()[%a]
  %3 = affine.apply affine_map<()[s0] -> (s0 ceildiv 1)>()[%a]
  return %2, %3 : index, index
}

func.func @sizes(%m: memref<?x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d0 = memref.dim %m, %c0 : memref<?x4xf32>
  %d1 = memref.dim %m, %c1 : memref<?x4xf32>
  affine.for %i = 0 to %d0 {
    affine.for %j = 0 to %d1 {
      func.call @use(%j) : (index) -> ()
    }
  }
  return
}

// differs: @casts: vectors look through casts, too
func.func @casts(%m: memref<8xf32>, %i: index, %v: f32) -> (f32, vector<4xf32>) {
  %c = memref.cast %m : memref<8xf32> to memref<?xf32>
  %c3 = arith.constant 3 : index
  %0 = affine.load %c[%c3] : memref<?xf32>
  affine.store %v, %c[symbol(%i) + 1] : memref<?xf32>
  %1 = affine.vector_load %c[%c3] : memref<?xf32>, vector<4xf32>
  affine.prefetch %c[%c3], read, locality<3>, data : memref<?xf32>
  return %0, %1 : f32, vector<4xf32>
}
