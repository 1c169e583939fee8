// Every kind of memref.atomic_rmw on integers: iteration i of 16 updates element i mod 2 of the row of
// each kind with i * i - 20, made odd for products and masked for the others. The values
// are Python's, wrapped to the width.
// test: run --arg=zeros --arg=zeros --arg=zeros --arg=zeros
// expect: arg 0 = [[395, 536], [0, 21], [176, 205], [-4, -11], [-20, -19], [16, 5], [510407501, 1744156398], [40, 59], [-147, -56]]
// expect: arg 1 = [[-117, 24], [0, 21], [124, 101], [-4, -11], [-80, -107], [16, 5], [77, -18], [40, 59], [109, -56]]
// expect: arg 2 = [[395, 536], [0, 21], [176, 205], [-4, -11], [-20, -19], [16, 5], [116046231778125, 627333257344750], [40, 59], [-147, -56]]
// expect: arg 3 = [[395, 536], [0, 21], [176, 205], [-4, -11], [-20, -19], [16, 5], [13133, -18706], [40, 59], [-147, -56]]
memref.global "private" constant @start_i32 : memref<9x2xi32> = dense<[[-5, 16], [42, 53], [79, -90], [-116, 127], [25, 36], [62, -73], [-99, 110], [8, 19], [45, -56]]>
memref.global "private" constant @start_i8 : memref<9x2xi8> = dense<[[-5, 16], [42, 53], [79, -90], [-116, 127], [25, 36], [62, -73], [-99, 110], [8, 19], [45, -56]]>
memref.global "private" constant @start_i64 : memref<9x2xi64> = dense<[[-5, 16], [42, 53], [79, -90], [-116, 127], [25, 36], [62, -73], [-99, 110], [8, 19], [45, -56]]>
memref.global "private" constant @start_i16 : memref<9x2xi16> = dense<[[-5, 16], [42, 53], [79, -90], [-116, 127], [25, 36], [62, -73], [-99, 110], [8, 19], [45, -56]]>
func.func @kinds(%i32: memref<9x2xi32>, %i8: memref<9x2xi8>, %i64: memref<9x2xi64>, %i16: memref<9x2xi16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  %c20 = arith.constant 20 : index
  %s_i32 = memref.get_global @start_i32 : memref<9x2xi32>
  memref.copy %s_i32, %i32 : memref<9x2xi32> to memref<9x2xi32>
  %s_i8 = memref.get_global @start_i8 : memref<9x2xi8>
  memref.copy %s_i8, %i8 : memref<9x2xi8> to memref<9x2xi8>
  %s_i64 = memref.get_global @start_i64 : memref<9x2xi64>
  memref.copy %s_i64, %i64 : memref<9x2xi64> to memref<9x2xi64>
  %s_i16 = memref.get_global @start_i16 : memref<9x2xi16>
  memref.copy %s_i16, %i16 : memref<9x2xi16> to memref<9x2xi16>
  affine.parallel (%i) = (0) to (16) {
    %bin = affine.apply affine_map<(d0) -> (d0 mod 2)>(%i)
    %square = arith.muli %i, %i : index
    %shifted = arith.subi %square, %c20 : index
    %v = arith.index_cast %shifted : index to i32
    %one = arith.constant 1 : i32
    %m55 = arith.constant 85 : i32
    %m2a = arith.constant 42 : i32
    %odd = arith.ori %v, %one : i32
    %most = arith.ori %v, %m55 : i32
    %few = arith.andi %v, %m2a : i32
    %r0 = memref.atomic_rmw addi %v, %i32[%c0, %bin] : (i32, memref<9x2xi32>) -> i32
    %r1 = memref.atomic_rmw andi %most, %i32[%c1, %bin] : (i32, memref<9x2xi32>) -> i32
    %r2 = memref.atomic_rmw maxs %v, %i32[%c2, %bin] : (i32, memref<9x2xi32>) -> i32
    %r3 = memref.atomic_rmw maxu %v, %i32[%c3, %bin] : (i32, memref<9x2xi32>) -> i32
    %r4 = memref.atomic_rmw mins %v, %i32[%c4, %bin] : (i32, memref<9x2xi32>) -> i32
    %r5 = memref.atomic_rmw minu %v, %i32[%c5, %bin] : (i32, memref<9x2xi32>) -> i32
    %r6 = memref.atomic_rmw muli %odd, %i32[%c6, %bin] : (i32, memref<9x2xi32>) -> i32
    %r7 = memref.atomic_rmw ori %few, %i32[%c7, %bin] : (i32, memref<9x2xi32>) -> i32
    %r8 = memref.atomic_rmw xori %v, %i32[%c8, %bin] : (i32, memref<9x2xi32>) -> i32
  }
  affine.parallel (%i) = (0) to (16) {
    %bin = affine.apply affine_map<(d0) -> (d0 mod 2)>(%i)
    %square = arith.muli %i, %i : index
    %shifted = arith.subi %square, %c20 : index
    %v = arith.index_cast %shifted : index to i8
    %one = arith.constant 1 : i8
    %m55 = arith.constant 85 : i8
    %m2a = arith.constant 42 : i8
    %odd = arith.ori %v, %one : i8
    %most = arith.ori %v, %m55 : i8
    %few = arith.andi %v, %m2a : i8
    %r0 = memref.atomic_rmw addi %v, %i8[%c0, %bin] : (i8, memref<9x2xi8>) -> i8
    %r1 = memref.atomic_rmw andi %most, %i8[%c1, %bin] : (i8, memref<9x2xi8>) -> i8
    %r2 = memref.atomic_rmw maxs %v, %i8[%c2, %bin] : (i8, memref<9x2xi8>) -> i8
    %r3 = memref.atomic_rmw maxu %v, %i8[%c3, %bin] : (i8, memref<9x2xi8>) -> i8
    %r4 = memref.atomic_rmw mins %v, %i8[%c4, %bin] : (i8, memref<9x2xi8>) -> i8
    %r5 = memref.atomic_rmw minu %v, %i8[%c5, %bin] : (i8, memref<9x2xi8>) -> i8
    %r6 = memref.atomic_rmw muli %odd, %i8[%c6, %bin] : (i8, memref<9x2xi8>) -> i8
    %r7 = memref.atomic_rmw ori %few, %i8[%c7, %bin] : (i8, memref<9x2xi8>) -> i8
    %r8 = memref.atomic_rmw xori %v, %i8[%c8, %bin] : (i8, memref<9x2xi8>) -> i8
  }
  affine.parallel (%i) = (0) to (16) {
    %bin = affine.apply affine_map<(d0) -> (d0 mod 2)>(%i)
    %square = arith.muli %i, %i : index
    %shifted = arith.subi %square, %c20 : index
    %v = arith.index_cast %shifted : index to i64
    %one = arith.constant 1 : i64
    %m55 = arith.constant 85 : i64
    %m2a = arith.constant 42 : i64
    %odd = arith.ori %v, %one : i64
    %most = arith.ori %v, %m55 : i64
    %few = arith.andi %v, %m2a : i64
    %r0 = memref.atomic_rmw addi %v, %i64[%c0, %bin] : (i64, memref<9x2xi64>) -> i64
    %r1 = memref.atomic_rmw andi %most, %i64[%c1, %bin] : (i64, memref<9x2xi64>) -> i64
    %r2 = memref.atomic_rmw maxs %v, %i64[%c2, %bin] : (i64, memref<9x2xi64>) -> i64
    %r3 = memref.atomic_rmw maxu %v, %i64[%c3, %bin] : (i64, memref<9x2xi64>) -> i64
    %r4 = memref.atomic_rmw mins %v, %i64[%c4, %bin] : (i64, memref<9x2xi64>) -> i64
    %r5 = memref.atomic_rmw minu %v, %i64[%c5, %bin] : (i64, memref<9x2xi64>) -> i64
    %r6 = memref.atomic_rmw muli %odd, %i64[%c6, %bin] : (i64, memref<9x2xi64>) -> i64
    %r7 = memref.atomic_rmw ori %few, %i64[%c7, %bin] : (i64, memref<9x2xi64>) -> i64
    %r8 = memref.atomic_rmw xori %v, %i64[%c8, %bin] : (i64, memref<9x2xi64>) -> i64
  }
  affine.parallel (%i) = (0) to (16) {
    %bin = affine.apply affine_map<(d0) -> (d0 mod 2)>(%i)
    %square = arith.muli %i, %i : index
    %shifted = arith.subi %square, %c20 : index
    %v = arith.index_cast %shifted : index to i16
    %one = arith.constant 1 : i16
    %m55 = arith.constant 85 : i16
    %m2a = arith.constant 42 : i16
    %odd = arith.ori %v, %one : i16
    %most = arith.ori %v, %m55 : i16
    %few = arith.andi %v, %m2a : i16
    %r0 = memref.atomic_rmw addi %v, %i16[%c0, %bin] : (i16, memref<9x2xi16>) -> i16
    %r1 = memref.atomic_rmw andi %most, %i16[%c1, %bin] : (i16, memref<9x2xi16>) -> i16
    %r2 = memref.atomic_rmw maxs %v, %i16[%c2, %bin] : (i16, memref<9x2xi16>) -> i16
    %r3 = memref.atomic_rmw maxu %v, %i16[%c3, %bin] : (i16, memref<9x2xi16>) -> i16
    %r4 = memref.atomic_rmw mins %v, %i16[%c4, %bin] : (i16, memref<9x2xi16>) -> i16
    %r5 = memref.atomic_rmw minu %v, %i16[%c5, %bin] : (i16, memref<9x2xi16>) -> i16
    %r6 = memref.atomic_rmw muli %odd, %i16[%c6, %bin] : (i16, memref<9x2xi16>) -> i16
    %r7 = memref.atomic_rmw ori %few, %i16[%c7, %bin] : (i16, memref<9x2xi16>) -> i16
    %r8 = memref.atomic_rmw xori %v, %i16[%c8, %bin] : (i16, memref<9x2xi16>) -> i16
  }
  return
}
