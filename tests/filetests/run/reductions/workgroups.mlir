// Sums 0 + 1 + … + n - 1 and the greatest of these numbers modulo 1000, by workgroups: of one, of several
// with a last one that is not full, and of sizes that the arguments tell.
// test: run --map-for=gpu --entry=short --arg=iota --arg=zeros
// expect: arg 1 = [499500, 999]
// test: run --map-for=gpu --entry=long --arg=iota --arg=ones
// expect: arg 1 = [704982476, 999]
// test: run --map-for=gpu --no-specialize --entry=open --arg=iota[1] --arg=zeros
// expect: arg 1 = [0, 0]
// test: run --map-for=gpu --no-specialize --entry=open --arg=iota[2] --arg=zeros
// expect: arg 1 = [1, 1]
// test: run --map-for=gpu --no-specialize --entry=open --arg=iota[33] --arg=zeros
// expect: arg 1 = [528, 32]
// test: run --map-for=gpu --entry=open --arg=iota[37531] --arg=zeros
// expect: arg 1 = [704269215, 999]
// test: run --map-for=gpu --entry=open --arg=iota[0] --arg=zeros
// expect: arg 1 = [0, -1]
// test: run --map-for=gpu --entry=first_greatest --arg=iota --arg=zeros
// expect: arg 1 = [999]
// test: run --map-for=gpu --entry=matrix --arg=ones
// expect: result 0 = 154200
func.func @short(%x: memref<1000xi32>, %r: memref<2xi32>) {
  %zero = arith.constant 0 : i32
  %least = arith.constant -1 : i32
  %s:2 = affine.for %i = 0 to 1000 iter_args(%a = %zero, %b = %least) -> (i32, i32) {
    %v = affine.load %x[%i] : memref<1000xi32>
    %c = arith.addi %a, %v : i32
    %d = arith.maxsi %b, %v : i32
    affine.yield %c, %d : i32, i32
  }
  affine.store %s#0, %r[0] : memref<2xi32>
  affine.store %s#1, %r[1] : memref<2xi32>
  return
}

// Starts from 1, which is loaded.
func.func @long(%x: memref<37550xi32>, %r: memref<2xi32>) {
  %least = arith.constant -1 : i32
  %thousand = arith.constant 1000 : i32
  %one = affine.load %r[0] : memref<2xi32>
  %s:2 = affine.for %i = 0 to 37550 iter_args(%a = %one, %b = %least) -> (i32, i32) {
    %v = affine.load %x[%i] : memref<37550xi32>
    %c = arith.addi %a, %v : i32
    %w = arith.remsi %v, %thousand : i32
    %d = arith.maxsi %b, %w : i32
    affine.yield %c, %d : i32, i32
  }
  affine.store %s#0, %r[0] : memref<2xi32>
  affine.store %s#1, %r[1] : memref<2xi32>
  return
}

func.func @open(%x: memref<?xi32>, %r: memref<2xi32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xi32>
  %zero = arith.constant 0 : i32
  %least = arith.constant -1 : i32
  %thousand = arith.constant 1000 : i32
  %s:2 = affine.for %i = 0 to %n iter_args(%a = %zero, %b = %least) -> (i32, i32) {
    %v = affine.load %x[%i] : memref<?xi32>
    %c = arith.addi %a, %v : i32
    %w = arith.remsi %v, %thousand : i32
    %d = arith.maxsi %b, %w : i32
    affine.yield %c, %d : i32, i32
  }
  affine.store %s#0, %r[0] : memref<2xi32>
  affine.store %s#1, %r[1] : memref<2xi32>
  return
}

// Of 999, 1999, 2999 … modulo 1000 the first.
func.func @first_greatest(%x: memref<20000xi32>, %r: memref<1xindex>) {
  %zero = arith.constant 0 : index
  %least = arith.constant -1 : i32
  %thousand = arith.constant 1000 : i32
  %s:2 = affine.for %i = 0 to 20000 iter_args(%a = %least, %at = %zero) -> (i32, index) {
    %v = affine.load %x[%i] : memref<20000xi32>
    %w = arith.remsi %v, %thousand : i32
    %is = arith.cmpi sgt, %w, %a : i32
    %b = arith.select %is, %w, %a : i32
    %k = arith.select %is, %i, %at : index
    affine.yield %b, %k : i32, index
  }
  affine.store %s#1, %r[0] : memref<1xindex>
  return
}

// Rows go to workgroups, columns to their threads; the host needs the sum.
func.func @matrix(%x: memref<300x514xi32>) -> i32 {
  %zero = arith.constant 0 : i32
  %s = affine.for %i = 0 to 300 iter_args(%a = %zero) -> (i32) {
    %t = affine.for %j = 0 to 514 iter_args(%b = %a) -> (i32) {
      %v = affine.load %x[%i, %j] : memref<300x514xi32>
      %c = arith.addi %b, %v : i32
      affine.yield %c : i32
    }
    affine.yield %t : i32
  }
  return %s : i32
}
