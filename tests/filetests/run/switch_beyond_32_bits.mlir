// A case that has the low 32 bits of the value and is another number.
//
// test: run --arg=zeros
// expect: arg 0 = [7, 5, 7, 7]
func.func @f(%a: memref<4xi32>) {
  %five = arith.constant 5 : i32
  %six = arith.constant 6 : i32
  %seven = arith.constant 7 : i32
  affine.for %i = 0 to 4 {
    %v = scf.index_switch %i -> i32
    case 1 {
      scf.yield %five : i32
    }
    case 4294967298 {
      scf.yield %six : i32
    }
    default {
      scf.yield %seven : i32
    }
    affine.store %v, %a[%i] : memref<4xi32>
  }
  return
}
