// test: opt --specialize-function="function=kept arguments=4,4"

// A reference that is no call may have callers of any sizes.
func.func @kept(%x: memref<?xf32>, %n: index) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to %n {
    affine.store %zero, %x[%i] : memref<?xf32>
  }
  return
}

func.func @other(%x: memref<?xf32>, %n: index) {
  %f = func.constant @kept : (memref<?xf32>, index) -> ()
  call_indirect %f(%x, %n) : (memref<?xf32>, index) -> ()
  call @kept(%x, %n) : (memref<?xf32>, index) -> ()
  return
}
