// Deallocations as `--ownership-based-buffer-deallocation` leaves them: each buffer is freed once,
// unless it is retained, and who owns a retained one is known afterwards.
// test: opt --convert-bufferization-to-memref
// test: run --entry=chosen --arg=5 --arg=1 --arg=zeros[5]
// expect: result 0 = 1
// expect: arg 2 = [2, 2, 2, 2, 2]
// test: run --entry=chosen --arg=5 --arg=0 --arg=zeros[5]
// expect: result 0 = 1
// expect: arg 2 = [4, 4, 4, 4, 4]
// test: run --entry=kept
// expect: result 0 = 7
// expect: result 1 = 1
// expect: result 2 = 0
func.func @chosen(%n: index, %c: i1, %o: memref<?xf32>) -> i1 {
  %true = arith.constant true
  %false = arith.constant false
  %two = arith.constant 2.0 : f32
  %four = arith.constant 4.0 : f32
  %a = memref.alloc(%n) : memref<?xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  affine.for %i = 0 to %n {
    affine.store %two, %a[%i] : memref<?xf32>
    affine.store %four, %b[%i] : memref<?xf32>
  }
  %m = scf.if %c -> memref<?xf32> {
    scf.yield %a : memref<?xf32>
  } else {
    scf.yield %b : memref<?xf32>
  }
  affine.for %i = 0 to %n {
    %v = affine.load %m[%i] : memref<?xf32>
    affine.store %v, %o[%i] : memref<?xf32>
  }
  bufferization.dealloc (%a, %o, %b, %m : memref<?xf32>, memref<?xf32>, memref<?xf32>, memref<?xf32>) if (%true, %false, %true, %true)
  return %true : i1
}
func.func @kept() -> (f32, i1, i1) {
  %c0 = arith.constant 0 : index
  %true = arith.constant true
  %seven = arith.constant 7.0 : f32
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %c = memref.alloca() : memref<4xf32>
  memref.store %seven, %a[%c0] : memref<4xf32>
  %owned:2 = bufferization.dealloc (%a, %b : memref<4xf32>, memref<4xf32>) if (%true, %true) retain (%a, %c : memref<4xf32>, memref<4xf32>)
  %v = memref.load %a[%c0] : memref<4xf32>
  bufferization.dealloc (%a : memref<4xf32>) if (%owned#0)
  return %v, %owned#0, %owned#1 : f32, i1, i1
}
