// Buffers of a sparse matrix with their sizes in a struct of LLVM, as MLIR's code generation for sparse
// tensors leaves them: through a call, a branch and a loop.
//
//     1 0 2        1         7
//     0 0 0   x    2    =    0
//     0 3 0        3         6
//
// test: run --entry=main --arg=iota --arg=zeros
// expect: arg 1 = [7, 0, 6]
// expect: result 0 = [6]
// test: roundtrip
memref.global "private" constant @positions : memref<4xi32> = dense<[0, 2, 2, 3]>
memref.global "private" constant @columns : memref<3xindex> = dense<[0, 2, 1]>
memref.global "private" constant @values : memref<3xf32> = dense<[1.0, 2.0, 3.0]>

func.func @main(%x: memref<3xf32>, %y: memref<3xf32>) -> i64 {
  %c0 = arith.constant 0 : i64
  %c3 = arith.constant 3 : i64
  %c4 = arith.constant 4 : i64
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %i3 = arith.constant 3 : index
  %one = arith.constant 1.0 : f32
  // iota counts from 0.
  affine.for %i = 0 to 3 {
    %v = affine.load %x[%i] : memref<3xf32>
    %w = arith.addf %v, %one : f32
    affine.store %w, %x[%i] : memref<3xf32>
  }
  %positions = memref.get_global @positions : memref<4xi32>
  %columns = memref.get_global @columns : memref<3xindex>
  %values = memref.get_global @values : memref<3xf32>
  %none = llvm.mlir.poison : !llvm.struct<(array<2 x i64>, array<3 x i64>)>
  %zero = llvm.mlir.zero : !llvm.struct<(array<2 x i64>, array<3 x i64>)>
  %0 = llvm.insertvalue %c3, %none[0, 0] : !llvm.struct<(array<2 x i64>, array<3 x i64>)>
  %1 = llvm.insertvalue %c3, %0[0, 1] : !llvm.struct<(array<2 x i64>, array<3 x i64>)>
  %2 = llvm.insertvalue %c4, %1[1, 0] : !llvm.struct<(array<2 x i64>, array<3 x i64>)>
  %counts = llvm.extractvalue %zero[1] : !llvm.struct<(array<2 x i64>, array<3 x i64>)>
  %first = llvm.extractvalue %counts[0] : !llvm.array<3 x i64>
  %is_zero = arith.cmpi eq, %first, %c0 : i64
  %3 = llvm.insertvalue %c3, %2[1, 1] : !llvm.struct<(array<2 x i64>, array<3 x i64>)>
  %4 = llvm.insertvalue %c3, %3[1, 2] : !llvm.struct<(array<2 x i64>, array<3 x i64>)>
  %5 = arith.select %is_zero, %4, %zero : !llvm.struct<(array<2 x i64>, array<3 x i64>)>
  %6 = scf.if %is_zero -> (!llvm.struct<(array<2 x i64>, array<3 x i64>)>) {
    scf.yield %5 : !llvm.struct<(array<2 x i64>, array<3 x i64>)>
  } else {
    scf.yield %zero : !llvm.struct<(array<2 x i64>, array<3 x i64>)>
  }
  %7 = scf.for %i = %i0 to %i3 step %i1 iter_args(%sizes = %6) -> (!llvm.struct<(array<2 x i64>, array<3 x i64>)>) {
    %entries = llvm.extractvalue %sizes[1, 2] : !llvm.struct<(array<2 x i64>, array<3 x i64>)>
    %8 = arith.addi %entries, %c0 : i64
    %9 = llvm.insertvalue %8, %sizes[1, 2] : !llvm.struct<(array<2 x i64>, array<3 x i64>)>
    scf.yield %9 : !llvm.struct<(array<2 x i64>, array<3 x i64>)>
  }
  %total = func.call @product(%positions, %columns, %values, %7, %x, %y) : (memref<4xi32>, memref<3xindex>, memref<3xf32>, !llvm.struct<(array<2 x i64>, array<3 x i64>)>, memref<3xf32>, memref<3xf32>) -> i64
  return %total : i64
}

func.func private @product(%positions: memref<4xi32>, %columns: memref<3xindex>, %values: memref<3xf32>, %sizes: !llvm.struct<(array<2 x i64>, array<3 x i64>)>, %x: memref<3xf32>, %y: memref<3xf32>) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = llvm.extractvalue %sizes[0, 0] : !llvm.struct<(array<2 x i64>, array<3 x i64>)>
  %entries = llvm.extractvalue %sizes[1, 1] : !llvm.struct<(array<2 x i64>, array<3 x i64>)>
  %n = arith.index_cast %rows : i64 to index
  scf.for %i = %c0 to %n step %c1 {
    %next = arith.addi %i, %c1 : index
    %from32 = memref.load %positions[%i] : memref<4xi32>
    %to32 = memref.load %positions[%next] : memref<4xi32>
    %from = arith.index_castui %from32 : i32 to index
    %to = arith.index_castui %to32 : i32 to index
    %start = memref.load %y[%i] : memref<3xf32>
    %sum = scf.for %k = %from to %to step %c1 iter_args(%acc = %start) -> (f32) {
      %j = memref.load %columns[%k] : memref<3xindex>
      %a = memref.load %values[%k] : memref<3xf32>
      %b = memref.load %x[%j] : memref<3xf32>
      %p = arith.mulf %a, %b : f32
      %s = arith.addf %acc, %p : f32
      scf.yield %s : f32
    }
    memref.store %sum, %y[%i] : memref<3xf32>
  }
  %total = arith.addi %rows, %entries : i64
  return %total : i64
}
