// Loops as C has them whose bounds are global variables or elements of an array, loaded before each iteration: the kernels
// are those of the same loops with bounds from in front.
//
// test: run --entry=scaled --arg=iota[100]
// expect: arg 0 = [0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 34, 36, 38, 40, 42, 44, 46, 48, 50, 52, 54, 56, 58, 60, 62, 64, 66, 68, 70, 72, 74, 76, 78, 80, 82, 84, 86, 88, 90, 92, 94, 96, 98, 100, 102, 104, 106, 108, 110, 112, 114, 116, 118, 120, 122, 124, 126, 128, 130, 132, 134, 136, 138, 140, 142, 144, 146, 148, 150, 152, 154, 156, 158, 80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 91, 92, 93, 94, 95, 96, 97, 98, 99]
// test: run --entry=rows --arg=iota --arg=zeros
// expect: arg 1 = [0, 0, 1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 66, 78, 91, 105, 120, 136, 153, 171, 190, 210, 231, 253, 276, 300, 325, 351, 378, 406]
memref.global "private" @count : memref<1xi32> = dense<80>

// Of 100 elements the first 80 are doubled.
func.func @scaled(%a: memref<?xi32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %end = scf.while (%i = %zero) : (i32) -> i32 {
    %g = memref.get_global @count : memref<1xi32>
    %n = memref.load %g[%c0] : memref<1xi32>
    %more = arith.cmpi slt, %i, %n : i32
    scf.condition(%more) %i : i32
  } do {
  ^bb0(%i: i32):
    %x = arith.index_cast %i : i32 to index
    %v = memref.load %a[%x] : memref<?xi32>
    %twice = arith.addi %v, %v : i32
    memref.store %twice, %a[%x] : memref<?xi32>
    %next = arith.addi %i, %one : i32
    scf.yield %next : i32
  }
  return
}

// Row i of a triangle has ends[i] = i elements, whose numbers it sums up.
func.func @rows(%ends: memref<30xi32>, %sums: memref<30xi32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c30 = arith.constant 30 : index
  scf.for %i = %c0 to %c30 step %c1 {
    %end = scf.while (%k = %zero) : (i32) -> i32 {
      %e = memref.load %ends[%i] : memref<30xi32>
      %more = arith.cmpi slt, %k, %e : i32
      scf.condition(%more) %k : i32
    } do {
    ^bb0(%k: i32):
      %s = memref.load %sums[%i] : memref<30xi32>
      %t = arith.addi %s, %k : i32
      memref.store %t, %sums[%i] : memref<30xi32>
      %next = arith.addi %k, %one : i32
      scf.yield %next : i32
    }
  }
  return
}
