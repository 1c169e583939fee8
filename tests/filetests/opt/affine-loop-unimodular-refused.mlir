// test: error opt --affine-loop-unimodular=matrix=0,1;1,0
// exit: 0
// remark: 9:3: the new order would violate a flow dependence of distance 1
// remark: 20:3: cannot be excluded
// remark: 33:3: it has 'func.call', an operation with unknown side effects

// Interchange, where the dependence looks forward along i and backward along j.
func.func @turned_round(%a: memref<8x16xi32>) {
  affine.for %i = 1 to 8 {
    affine.for %j = 0 to 15 {
      %x = affine.load %a[%i - 1, %j + 1] : memref<8x16xi32>
      affine.store %x, %a[%i, %j] : memref<8x16xi32>
    }
  }
  return
}

// Nothing is known of the element that is read.
func.func @unknown(%a: memref<64xi32>, %at: memref<8x16xindex>) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 16 {
      %k = affine.load %at[%i, %j] : memref<8x16xindex>
      %x = memref.load %a[%k] : memref<64xi32>
      affine.store %x, %a[%i * 8 + %j] : memref<64xi32>
    }
  }
  return
}

func.func private @elsewhere()

func.func @calls(%a: memref<8x16xi32>, %x: i32) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 16 {
      func.call @elsewhere() : () -> ()
      affine.store %x, %a[%i, %j] : memref<8x16xi32>
    }
  }
  return
}
