// The starts of runs of equal numbers, by `i == 0 || a[i] != a[i - 1]`: a compaction whose condition loads in a branch.
// The numbers are (i + 1) / 3, which is 0, 0, 1, 1, 1, 2, 2, 2.
// test: run --arg=zeros --arg=zeros --arg=zeros --arg=zeros
// expect: arg 1 = [0, 1, 2, 0, 0, 0, 0, 0]
// expect: arg 2 = [0, 2, 5, 0, 0, 0, 0, 0]
// expect: arg 3 = [3]
func.func @starts_of_runs(%a: memref<8xi32>, %values: memref<8xi32>, %starts: memref<8xi32>, %count: memref<1xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %true = arith.constant true
  %three = arith.constant 3 : i32
  scf.for %i = %c0 to %c8 step %c1 {
    %next = arith.addi %i, %c1 : index
    %number = arith.index_cast %next : index to i32
    %third = arith.divui %number, %three : i32
    memref.store %third, %a[%i] : memref<8xi32>
  }
  %n = scf.for %i = %c0 to %c8 step %c1 iter_args(%k = %zero) -> (i32) {
    %is_first = arith.cmpi eq, %i, %c0 : index
    %starts_run = scf.if %is_first -> (i1) {
      scf.yield %true : i1
    } else {
      %v = memref.load %a[%i] : memref<8xi32>
      %before = arith.subi %i, %c1 : index
      %w = memref.load %a[%before] : memref<8xi32>
      %differs = arith.cmpi ne, %v, %w : i32
      scf.yield %differs : i1
    }
    %next = scf.if %starts_run -> (i32) {
      %at = arith.index_cast %k : i32 to index
      %v = memref.load %a[%i] : memref<8xi32>
      memref.store %v, %values[%at] : memref<8xi32>
      %start = arith.index_cast %i : index to i32
      memref.store %start, %starts[%at] : memref<8xi32>
      %k1 = arith.addi %k, %one : i32
      scf.yield %k1 : i32
    } else {
      scf.yield %k : i32
    }
    scf.yield %next : i32
  }
  memref.store %n, %count[%c0] : memref<1xi32>
  return
}
