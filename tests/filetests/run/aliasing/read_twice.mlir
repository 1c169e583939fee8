// One buffer read under two names, another one written: nothing keeps the iterations apart. The function is not
// inlined, since it has two blocks.
//     c[i] = a[i] * a[i]
//
// test: run --entry=main --arg=iota --arg=zeros
// expect: arg 1 = [0, 1, 4, 9, 16, 25, 36, 49]
func.func private @products(%a: memref<?xi32>, %b: memref<?xi32>, %c: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %a, %c0 : memref<?xi32>
  affine.for %i = 0 to %n {
    %x = affine.load %a[%i] : memref<?xi32>
    %y = affine.load %b[%i] : memref<?xi32>
    %z = arith.muli %x, %y : i32
    affine.store %z, %c[%i] : memref<?xi32>
  }
  cf.br ^end
^end:
  return
}

func.func @main(%a: memref<8xi32>, %c: memref<8xi32>) {
  %x = memref.cast %a : memref<8xi32> to memref<?xi32>
  %y = memref.cast %c : memref<8xi32> to memref<?xi32>
  call @products(%x, %x, %y) : (memref<?xi32>, memref<?xi32>, memref<?xi32>) -> ()
  return
}
