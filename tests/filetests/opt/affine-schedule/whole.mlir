// test: opt "--affine-schedule=tile(i, j: 4, 4); interchange(i, j); reverse(j); parallelize(i.tile)"
// test: run-opt --entry=only --arg=random:1

// Of the only function with loops, no function is named.
func.func @only(%a: memref<8x8xi32>) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      %x = affine.load %a[%i, %j] : memref<8x8xi32>
      %y = arith.addi %x, %x : i32
      affine.store %y, %a[%i, %j] : memref<8x8xi32>
    }
  }
  return
}

func.func @no_loops() {
  return
}
