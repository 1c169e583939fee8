// Counters in an argument of open size that conditions advance, where the run knows the number of iterations: an assertion
// of that number stands in front of the loop.
// test: run --entry=bins --arg=600 --arg=iota[600] --arg=zeros[3]
// expect: arg 2 = [50, 450, 100]
func.func @bins(%n: i32, %x: memref<?xi32>, %count: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %one = arith.constant 1 : i32
  %c50 = arith.constant 50 : i32
  %c500 = arith.constant 500 : i32
  %end = arith.index_cast %n : i32 to index
  scf.for %i = %c0 to %end step %c1 {
    %v = memref.load %x[%i] : memref<?xi32>
    %is_low = arith.cmpi slt, %v, %c50 : i32
    scf.if %is_low {
      %old = memref.load %count[%c0] : memref<?xi32>
      %new = arith.addi %old, %one : i32
      memref.store %new, %count[%c0] : memref<?xi32>
    } else {
      %is_middle = arith.cmpi slt, %v, %c500 : i32
      scf.if %is_middle {
        %old = memref.load %count[%c1] : memref<?xi32>
        %new = arith.addi %old, %one : i32
        memref.store %new, %count[%c1] : memref<?xi32>
      } else {
        %old = memref.load %count[%c2] : memref<?xi32>
        %new = arith.addi %old, %one : i32
        memref.store %new, %count[%c2] : memref<?xi32>
      }
    }
  }
  return
}
