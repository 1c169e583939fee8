// What an iteration computes depends on the remainder of its number.
// test: run --arg=iota --arg=zeros
// expect: arg 1 = [0, -1, 4, 7, 4, -1, 36, 7, 8, -1, 100, 7, 12, -1, 196, 7, 16, -1, 324, 7]
func.func @switch_by_remainder(%a: memref<20xi32>, %o: memref<20xi32>) {
  affine.for %i = 0 to 20 {
    %m = affine.apply affine_map<(d0)->(d0 mod 4)>(%i)
    %v = affine.load %a[%i] : memref<20xi32>
    %r = scf.index_switch %m -> i32
    case 0 {
      scf.yield %v : i32
    }
    case 2 {
      %x = arith.muli %v, %v : i32
      scf.yield %x : i32
    }
    case 3 {
      %c = arith.constant 7 : i32
      scf.yield %c : i32
    }
    default {
      %c = arith.constant -1 : i32
      scf.yield %c : i32
    }
    affine.store %r, %o[%i] : memref<20xi32>
  }
  return
}
