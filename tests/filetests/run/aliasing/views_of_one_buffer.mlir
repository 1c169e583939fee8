// Views of one buffer as arguments of a function that is not inlined, since it has two blocks. The halves have
// no element in common and are worked on in parallel; the views shifted by one have, and are not.
//     m[8 + i] = m[i] * 2          for i = 0, ..., 7, of 1, 1, ...
//     m[i + 1] = m[i] * 2          for i = 0, ..., 7, in that order, so that each is twice the one before
// The results are m[8], m[9] and m[7].
//
// test: run --entry=main
// warning: 37:3: memref arguments of this call overlap
// expect: result 0 = 256
// expect: result 1 = 2
// expect: result 2 = 128
func.func private @twice(%a: memref<8xi32>, %b: memref<8xi32>) {
  affine.for %i = 0 to 8 {
    %x = affine.load %a[%i] : memref<8xi32>
    %y = arith.addi %x, %x : i32
    affine.store %y, %b[%i] : memref<8xi32>
  }
  cf.br ^end
^end:
  return
}

func.func @main() -> (i32, i32, i32) {
  %one = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c32 = arith.constant 32 : index
  %bytes = memref.alloc() : memref<64xi8>
  %m = memref.view %bytes[%c0][] : memref<64xi8> to memref<16xi32>
  affine.for %i = 0 to 16 {
    affine.store %one, %m[%i] : memref<16xi32>
  }
  %low = memref.view %bytes[%c0][] : memref<64xi8> to memref<8xi32>
  %next = memref.view %bytes[%c4][] : memref<64xi8> to memref<8xi32>
  %high = memref.view %bytes[%c32][] : memref<64xi8> to memref<8xi32>
  call @twice(%low, %high) : (memref<8xi32>, memref<8xi32>) -> ()
  call @twice(%low, %next) : (memref<8xi32>, memref<8xi32>) -> ()
  %x = affine.load %m[8] : memref<16xi32>
  %y = affine.load %m[9] : memref<16xi32>
  %z = affine.load %m[7] : memref<16xi32>
  return %x, %y, %z : i32, i32, i32
}
