// Sums, extrema and a count of what a mask takes, updated in memory as C has it.
//
// Of 0, 1, …, 999 the elements of which bit 1 is set: 2, 3, 6, 7, …, 998, 999. They are 250 pairs, the sum of pair k is
// 8 k + 5, that of all 8 * 249 * 250 / 2 + 5 * 250 = 250250. The 125 pairs from 502 and 503 on are above 500.
// test: run --arg=iota[1000] --arg=zeros --arg=zeros --arg=500
// expect: arg 1 = [250250, 999, 500]
// expect: arg 2 = [250]
func.func @main(%x: memref<?xi32>, %out: memref<3xi32>, %above: memref<1xi64>, %limit: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0 : i32
  %two = arith.constant 2 : i32
  %one = arith.constant 1 : i32
  %step = arith.constant 1 : i64
  %n = memref.dim %x, %c0 : memref<?xi32>
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %x[%i] : memref<?xi32>
    %bit = arith.andi %v, %two : i32
    %is_taken = arith.cmpi ne, %bit, %zero : i32
    scf.if %is_taken {
      %s = memref.load %out[%c0] : memref<3xi32>
      %s1 = arith.addi %s, %v : i32
      memref.store %s1, %out[%c0] : memref<3xi32>
      %m = memref.load %out[%c1] : memref<3xi32>
      %m1 = arith.maxsi %m, %v : i32
      memref.store %m1, %out[%c1] : memref<3xi32>
      %k = memref.load %out[%c2] : memref<3xi32>
      %k1 = arith.addi %k, %one : i32
      memref.store %k1, %out[%c2] : memref<3xi32>
      %is_above = arith.cmpi sgt, %v, %limit : i32
      scf.if %is_above {
        %c = memref.load %above[%c0] : memref<1xi64>
        %d = arith.addi %c, %step : i64
        memref.store %d, %above[%c0] : memref<1xi64>
      }
    }
  }
  return
}
