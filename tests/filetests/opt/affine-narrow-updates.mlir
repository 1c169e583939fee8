// What C promotes to `int` and truncates again: sums and extrema of the narrow type.
// test: opt --affine-narrow-updates --canonicalize
// test: run-opt --entry=greatest_unsigned --arg=iota
// expect: result 0 = -1
// test: run-opt --entry=greatest_of_bytes
// expect: result 0 = -1
// expect: result 1 = 127
// expect: result 2 = -128
// test: run-opt --entry=sum --arg=iota
// expect: result 0 = -12
// test: run-opt --entry=sum --arg=random:3
// test: run-opt --entry=squares --arg=random:4
// test: run-opt --entry=counts --arg=random:5 --arg=zeros
// test: run-opt --entry=in_memory --arg=random:6 --arg=ones
// test: run-opt --entry=against_a_wide_number --arg=random:7 --arg=300
// test: run --entry=greatest_unsigned --arg=iota
// test: run --entry=greatest_of_bytes
// test: run --entry=sum --arg=random:3
// test: run --entry=squares --arg=random:4
// test: run --entry=counts --arg=random:5 --arg=zeros
// test: run --entry=in_memory --arg=random:6 --arg=ones
// test: run --entry=against_a_wide_number --arg=random:7 --arg=300
func.func @greatest_unsigned(%x: memref<600xi8>) -> i8 {
  %c0 = arith.constant 0 : i8
  %r = affine.for %i = 0 to 600 iter_args(%m = %c0) -> i8 {
    %v = affine.load %x[%i] : memref<600xi8>
    %a = arith.extui %m : i8 to i32
    %b = arith.extui %v : i8 to i32
    %c = arith.cmpi sgt, %a, %b : i32
    %s = arith.select %c, %a, %b : i32
    %t = arith.trunci %s : i32 to i8
    affine.yield %t : i8
  }
  return %r : i8
}

memref.global "private" constant @bytes : memref<4xi8> = dense<[-128, 127, -1, 0]>

// Unsigned 255 is the greatest, signed 127, and signed -128 the least.
func.func @greatest_of_bytes() -> (i8, i8, i8) {
  %x = memref.get_global @bytes : memref<4xi8>
  %c0 = arith.constant 0 : i8
  %r:3 = affine.for %i = 0 to 4 iter_args(%m = %c0, %n = %c0, %o = %c0) -> (i8, i8, i8) {
    %v = affine.load %x[%i] : memref<4xi8>
    %m32 = arith.extui %m : i8 to i32
    %u = arith.extui %v : i8 to i32
    %c = arith.cmpi sgt, %u, %m32 : i32
    %m1 = arith.select %c, %v, %m : i8
    %n32 = arith.extsi %n : i8 to i32
    %s = arith.extsi %v : i8 to i32
    %n1 = arith.maxsi %n32, %s : i32
    %n2 = arith.trunci %n1 : i32 to i8
    %o32 = arith.extsi %o : i8 to i32
    %d = arith.cmpi slt, %s, %o32 : i32
    %o1 = arith.select %d, %v, %o : i8
    affine.yield %m1, %n2, %o1 : i8, i8, i8
  }
  return %r#0, %r#1, %r#2 : i8, i8, i8
}

// The sum of 0 to 599, or of their lower bytes, is 244 modulo 256.
func.func @sum(%x: memref<600xi8>) -> i8 {
  %c0 = arith.constant 0 : i8
  %r = affine.for %i = 0 to 600 iter_args(%m = %c0) -> i8 {
    %v = affine.load %x[%i] : memref<600xi8>
    %a = arith.extsi %m : i8 to i32
    %b = arith.extsi %v : i8 to i32
    %s = arith.addi %a, %b overflow<nsw> : i32
    %t = arith.trunci %s : i32 to i8
    affine.yield %t : i8
  }
  return %r : i8
}

// The term stays in `int`; of the difference the lower bits are taken.
func.func @squares(%x: memref<600xi8>) -> i16 {
  %c0 = arith.constant 0 : i16
  %r = affine.for %i = 0 to 600 iter_args(%m = %c0) -> i16 {
    %v = affine.load %x[%i] : memref<600xi8>
    %a = arith.extsi %m : i16 to i32
    %b = arith.extui %v : i8 to i32
    %p = arith.muli %b, %b : i32
    %s = arith.subi %a, %p : i32
    %t = arith.trunci %s : i32 to i16
    affine.yield %t : i16
  }
  return %r : i16
}

func.func @counts(%x: memref<600xi8>, %h: memref<256xi8>) {
  %c1 = arith.constant 1 : i32
  affine.for %i = 0 to 600 {
    %v = affine.load %x[%i] : memref<600xi8>
    %k = arith.index_castui %v : i8 to index
    %o = memref.load %h[%k] : memref<256xi8>
    %e = arith.extui %o : i8 to i32
    %s = arith.addi %e, %c1 : i32
    %t = arith.trunci %s : i32 to i8
    memref.store %t, %h[%k] : memref<256xi8>
  }
  return
}

func.func @in_memory(%x: memref<600xi8>, %h: memref<1xi8>) {
  affine.for %i = 0 to 600 {
    %v = affine.load %x[%i] : memref<600xi8>
    %m = affine.load %h[0] : memref<1xi8>
    %a = arith.extui %m : i8 to i32
    %b = arith.extui %v : i8 to i32
    %c = arith.cmpi sgt, %a, %b : i32
    %s = arith.select %c, %a, %b : i32
    %t = arith.trunci %s : i32 to i8
    affine.store %t, %h[0] : memref<1xi8>
  }
  return
}

// 300 is no byte, and neither is what the loop takes of it: the comparison stays.
func.func @against_a_wide_number(%x: memref<600xi8>, %limit: i32) -> i8 {
  %c0 = arith.constant 0 : i8
  %r = affine.for %i = 0 to 600 iter_args(%m = %c0) -> i8 {
    %v = affine.load %x[%i] : memref<600xi8>
    %a = arith.extui %m : i8 to i32
    %c = arith.cmpi slt, %a, %limit : i32
    %s = arith.select %c, %v, %m : i8
    affine.yield %s : i8
  }
  return %r : i8
}
