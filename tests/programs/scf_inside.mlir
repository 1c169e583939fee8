// Structured control flow that is not affine inside a parallel nest: a trip
// count read from memory, a branch on data, an early value kept by scf.if.
//     out[i] = the sum of the digits of (count[i] + s * s) over s in 0..count[i],
//              where odd terms count negative; -1 if count[i] = 0
//     for 0 <= i < 60, 0 <= count[i] < 9
// (The "digits" here are base 7: d = term mod 7 + term / 7 mod 7.)

func.func @scf_inside(%count: memref<60xi32>, %out: memref<60xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %minus = arith.constant -1 : i32
  %seven = arith.constant 7 : i32
  affine.for %i = 0 to 60 {
    %n = affine.load %count[%i] : memref<60xi32>
    %trips = arith.index_cast %n : i32 to index
    %sum = scf.for %s = %c0 to %trips step %c1 iter_args(%partial = %zero) -> (i32) {
      %s_i32 = arith.index_cast %s : index to i32
      %square = arith.muli %s_i32, %s_i32 : i32
      %term = arith.addi %n, %square : i32
      %low = arith.remsi %term, %seven : i32
      %rest = arith.divsi %term, %seven : i32
      %high = arith.remsi %rest, %seven : i32
      %digits = arith.addi %low, %high : i32
      %parity = arith.andi %term, %one : i32
      %odd = arith.cmpi eq, %parity, %one : i32
      %next = scf.if %odd -> (i32) {
        %less = arith.subi %partial, %digits : i32
        scf.yield %less : i32
      } else {
        %more = arith.addi %partial, %digits : i32
        scf.yield %more : i32
      }
      scf.yield %next : i32
    }
    %none = arith.cmpi eq, %n, %zero : i32
    scf.if %none {
      affine.store %minus, %out[%i] : memref<60xi32>
    } else {
      affine.store %sum, %out[%i] : memref<60xi32>
    }
  }
  return
}
