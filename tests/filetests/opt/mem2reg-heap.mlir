// Counters on the heap become values where subscripts are computed from them.
//
// test: opt --mem2reg
// test: run-opt --entry=counter --arg=iota --arg=zeros --arg=zeros
// expect: arg 1 = [0, 0, 1, 1, 2, 2, 3, 3]
// expect: arg 2 = [8]
// test: run-opt --entry=left_without_subscripts --arg=iota --arg=zeros
// expect: arg 1 = [6]
// test: run-opt --entry=left_where_it_is_passed_on --arg=zeros

func.func @counter(%x: memref<4xi32>, %out: memref<8xi32>, %last: memref<1xi32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %o = memref.alloc() : memref<1xi32>
  memref.store %zero, %o[%c0] : memref<1xi32>
  affine.for %i = 0 to 4 {
    %v = affine.load %x[%i] : memref<4xi32>
    %m = affine.load %o[0] : memref<1xi32>
    %j = arith.index_cast %m : i32 to index
    memref.store %v, %out[%j] : memref<8xi32>
    %n = arith.addi %m, %one : i32
    affine.store %n, %o[0] : memref<1xi32>
    %k = affine.load %o[0] : memref<1xi32>
    %l = arith.index_cast %k : i32 to index
    memref.store %v, %out[%l] : memref<8xi32>
    %p = arith.addi %k, %one : i32
    affine.store %p, %o[0] : memref<1xi32>
  }
  %all = affine.load %o[0] : memref<1xi32>
  affine.store %all, %last[0] : memref<1xi32>
  memref.dealloc %o : memref<1xi32>
  return
}

func.func @left_without_subscripts(%x: memref<4xi32>, %sum: memref<1xi32>) {
  %zero = arith.constant 0 : i32
  %s = memref.alloc() : memref<i32>
  affine.store %zero, %s[] : memref<i32>
  affine.for %i = 0 to 4 {
    %v = affine.load %x[%i] : memref<4xi32>
    %m = affine.load %s[] : memref<i32>
    %n = arith.addi %m, %v : i32
    affine.store %n, %s[] : memref<i32>
  }
  %all = affine.load %s[] : memref<i32>
  affine.store %all, %sum[0] : memref<1xi32>
  memref.dealloc %s : memref<i32>
  return
}

func.func private @next(%at: memref<index>) {
  %c1 = arith.constant 1 : index
  %i = memref.load %at[] : memref<index>
  %j = arith.addi %i, %c1 : index
  memref.store %j, %at[] : memref<index>
  return
}

func.func @left_where_it_is_passed_on(%out: memref<4xi32>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %at = memref.alloc() : memref<index>
  memref.store %c0, %at[] : memref<index>
  affine.for %i = 0 to 4 {
    %j = memref.load %at[] : memref<index>
    memref.store %one, %out[%j] : memref<4xi32>
    func.call @next(%at) : (memref<index>) -> ()
  }
  memref.dealloc %at : memref<index>
  return
}
