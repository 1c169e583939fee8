// Bags of rows of a table, between offsets in memory: bag b has the rows from b * b to (b + 1) * (b + 1) - 1, each with the weight 1. The
// table counts up, so that row r is (2 r, 2 r + 1).
//
// test: run --entry=bags --arg=iota --arg=iota --arg=zeros
// test: run --entry=bags --map-for=cpu --arg=iota --arg=iota --arg=zeros
// expect: arg 2 = [0, 1, 12, 15, 60, 65]
func.func @bags(%off: memref<4xi32>, %table: memref<9x2xi32>, %o: memref<3x2xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  scf.for %b = %c0 to %c3 step %c1 {
    %next = arith.addi %b, %c1 : index
    %x = memref.load %off[%b] : memref<4xi32>
    %y = memref.load %off[%next] : memref<4xi32>
    %x_squared = arith.muli %x, %x : i32
    %y_squared = arith.muli %y, %y : i32
    %from = arith.index_cast %x_squared : i32 to index
    %to = arith.index_cast %y_squared : i32 to index
    scf.for %k = %from to %to step %c1 {
      scf.for %d = %c0 to %c2 step %c1 {
        %s = memref.load %o[%b, %d] : memref<3x2xi32>
        %v = memref.load %table[%k, %d] : memref<9x2xi32>
        %t = arith.addi %s, %v : i32
        memref.store %t, %o[%b, %d] : memref<3x2xi32>
      }
    }
  }
  return
}
