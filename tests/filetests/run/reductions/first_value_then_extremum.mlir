// A maximum that begins with the first value, by a flag: while the flag is off, the candidate itself is taken,
// whatever it is less than. Row i counts up from 5i: its greatest number is 5i + 4.
// test: run --entry=of_rows --arg=iota --arg=zeros
// expect: arg 1 = [4, 9, 14, 19]
// test: run --entry=of_all --arg=iota
// expect: result 0 = 19
func.func @of_rows(%x: memref<4x5xi32>, %y: memref<4xi32>) {
  %false = arith.constant false
  %true = arith.constant true
  %start = arith.constant 100 : i32
  affine.for %i = 0 to 4 {
    %r:2 = affine.for %j = 0 to 5 iter_args(%best = %start, %any = %false) -> (i32, i1) {
      %v = affine.load %x[%i, %j] : memref<4x5xi32>
      %n = scf.if %any -> i32 {
        %is = arith.cmpi sgt, %best, %v : i32
        %c = arith.select %is, %best, %v : i32
        scf.yield %c : i32
      } else {
        scf.yield %v : i32
      }
      affine.yield %n, %true : i32, i1
    }
    affine.store %r#0, %y[%i] : memref<4xi32>
  }
  return
}

func.func @of_all(%x: memref<20xi32>) -> i32 {
  %false = arith.constant false
  %true = arith.constant true
  %start = arith.constant 100 : i32
  %r:2 = affine.for %j = 0 to 20 iter_args(%best = %start, %any = %false) -> (i32, i1) {
    %v = affine.load %x[%j] : memref<20xi32>
    %n = scf.if %any -> i32 {
      %is = arith.cmpi sgt, %best, %v : i32
      %c = arith.select %is, %best, %v : i32
      scf.yield %c : i32
    } else {
      scf.yield %v : i32
    }
    affine.yield %n, %true : i32, i1
  }
  return %r#0 : i32
}
