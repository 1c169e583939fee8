// Histograms of few rows: the updates of a long row are atomic, so that its elements are threads, too. Short rows, and many
// of them, stay as they are, a thread a row.
// test: opt --affine-atomic-updates=target=gpu
// test: run-opt --entry=long_rows --arg=random:1 --arg=zeros
// test: run --entry=long_rows --arg=random:1 --arg=zeros --map-for=gpu

func.func @long_rows(%x: memref<6x700xi32>, %h: memref<6x16xi32>) {
  %0:2 = memref.distinct_objects %x, %h : memref<6x700xi32>, memref<6x16xi32>
  %one = arith.constant 1 : i32
  %mask = arith.constant 15 : i32
  affine.for %r = 0 to 6 {
    affine.for %i = 0 to 700 {
      %v = affine.load %0#0[%r, %i] : memref<6x700xi32>
      %m = arith.andi %v, %mask : i32
      %b = arith.index_cast %m : i32 to index
      %c = memref.load %0#1[%r, %b] : memref<6x16xi32>
      %n = arith.addi %c, %one : i32
      memref.store %n, %0#1[%r, %b] : memref<6x16xi32>
    }
  }
  return
}

func.func @short_rows(%x: memref<6x70xi32>, %h: memref<6x16xi32>) {
  %0:2 = memref.distinct_objects %x, %h : memref<6x70xi32>, memref<6x16xi32>
  %one = arith.constant 1 : i32
  %mask = arith.constant 15 : i32
  affine.for %r = 0 to 6 {
    affine.for %i = 0 to 70 {
      %v = affine.load %0#0[%r, %i] : memref<6x70xi32>
      %m = arith.andi %v, %mask : i32
      %b = arith.index_cast %m : i32 to index
      %c = memref.load %0#1[%r, %b] : memref<6x16xi32>
      %n = arith.addi %c, %one : i32
      memref.store %n, %0#1[%r, %b] : memref<6x16xi32>
    }
  }
  return
}

func.func @many_rows(%x: memref<600x700xi32>, %h: memref<600x16xi32>) {
  %0:2 = memref.distinct_objects %x, %h : memref<600x700xi32>, memref<600x16xi32>
  %one = arith.constant 1 : i32
  %mask = arith.constant 15 : i32
  affine.for %r = 0 to 600 {
    affine.for %i = 0 to 700 {
      %v = affine.load %0#0[%r, %i] : memref<600x700xi32>
      %m = arith.andi %v, %mask : i32
      %b = arith.index_cast %m : i32 to index
      %c = memref.load %0#1[%r, %b] : memref<600x16xi32>
      %n = arith.addi %c, %one : i32
      memref.store %n, %0#1[%r, %b] : memref<600x16xi32>
    }
  }
  return
}
