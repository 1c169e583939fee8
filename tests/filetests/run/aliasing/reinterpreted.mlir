// A view that is made from the base of a small one reaches into its neighbour: the arguments have no
// element in common, what the function touches has. The function is not inlined, since it has two blocks.
//     m[i + 4] = m[i + 3] + 1          for i = 0, 1, 2, 3, in that order
//
// test: run --entry=main
// expect: result 0 = 4
func.func private @next(%a: memref<4xi32>, %b: memref<4xi32>) {
  %all = memref.reinterpret_cast %a to offset: [0], sizes: [8], strides: [1]
      : memref<4xi32> to memref<8xi32, strided<[1]>>
  affine.for %i = 0 to 4 {
    %one = arith.constant 1 : i32
    %x = affine.load %all[%i + 3] : memref<8xi32, strided<[1]>>
    %y = arith.addi %x, %one : i32
    affine.store %y, %b[%i] : memref<4xi32>
  }
  cf.br ^end
^end:
  return
}

func.func @main() -> i32 {
  %zero = arith.constant 0 : i32
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %bytes = memref.alloc() : memref<32xi8>
  %m = memref.view %bytes[%c0][] : memref<32xi8> to memref<8xi32>
  affine.for %i = 0 to 8 {
    affine.store %zero, %m[%i] : memref<8xi32>
  }
  %low = memref.view %bytes[%c0][] : memref<32xi8> to memref<4xi32>
  %high = memref.view %bytes[%c16][] : memref<32xi8> to memref<4xi32>
  call @next(%low, %high) : (memref<4xi32>, memref<4xi32>) -> ()
  %last = affine.load %m[7] : memref<8xi32>
  return %last : i32
}
