// test: canonical
func.func private @use3(memref<4xf32>)

func.func @allocations(%n: index, %v: f32) -> memref<?x?xf32> {
  %c4 = arith.constant 4 : index
  %c0 = arith.constant 0 : index
  %a = memref.alloc(%c4, %n) : memref<?x?xf32>
  %dead = memref.alloc(%n) {alignment = 64 : i64} : memref<?xf32>
  memref.store %v, %dead[%c0] : memref<?xf32>
  memref.dealloc %dead : memref<?xf32>
  %dead2 = memref.alloca(%n) : memref<?xf32>
  %dead3 = memref.alloc() : memref<4xf32>
  %s = memref.subview %dead3[0] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1]>>
  memref.store %v, %s[%c0] : memref<2xf32, strided<[1]>>
  return %a : memref<?x?xf32>
}

func.func @copies(%a: memref<4xf32>, %b: memref<4xf32>) {
  %c = memref.cast %a : memref<4xf32> to memref<?xf32>
  %d = memref.cast %b : memref<4xf32> to memref<?xf32>
  memref.copy %c, %d : memref<?xf32> to memref<?xf32>
  return
}

func.func @accesses(%a: memref<4xf32>, %i: index, %v: f32) -> (f32, f32, index) {
  %c = memref.cast %a : memref<4xf32> to memref<?xf32>
  %0 = memref.load %c[%i] : memref<?xf32>
  memref.store %v, %c[%i] : memref<?xf32>
  %1 = memref.atomic_rmw addf %v, %c[%i] : (f32, memref<?xf32>) -> f32
  memref.prefetch %c[%i], read, locality<3>, data : memref<?xf32>
  %p = memref.extract_aligned_pointer_as_index %c : memref<?xf32> -> index
  memref.dealloc %c : memref<?xf32>
  return %0, %1, %p : f32, f32, index
}

func.func @scope(%n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %r = memref.alloca_scope -> (f32) {
    %x = arith.constant 1.0 : f32
    %y = arith.addf %x, %x : f32
    memref.alloca_scope.return %y : f32
  }
  return %r : f32
}

func.func @last_scope(%m: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  memref.alloca_scope {
    %a = memref.alloca() : memref<4xf32>
    memref.copy %m, %a : memref<4xf32> to memref<4xf32>
    func.call @use3(%a) : (memref<4xf32>) -> ()
  }
  return
}

func.func @reshape(%m: memref<4x4xf32>) -> memref<16xf32> {
  %a = memref.alloc() : memref<1xindex>
  %c16 = arith.constant 16 : index
  %c0 = arith.constant 0 : index
  memref.store %c16, %a[%c0] : memref<1xindex>
  %r = memref.reshape %m(%a) : (memref<4x4xf32>, memref<1xindex>) -> memref<16xf32>
  return %r : memref<16xf32>
}

func.func @dead(%m: memref<4xf32>, %i: index) {
  %0 = memref.load %m[%i] : memref<4xf32>
  %1 = memref.subview %m[%i] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1], offset: ?>>
  %c0 = arith.constant 0 : index
  %2 = memref.dim %m, %i : memref<4xf32>
  return
}
