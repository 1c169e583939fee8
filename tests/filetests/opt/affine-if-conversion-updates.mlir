// test: opt --affine-if-conversion
// test: run-opt --entry=masked_sum --arg=random:1 --arg=random:2 --arg=zeros
// test: run-opt --entry=loaded_under_the_mask --arg=iota --arg=random:3 --arg=random:4 --arg=zeros
// test: run-opt --entry=two_at_once --arg=random:5 --arg=ones
// test: run-opt --entry=under_two_conditions --arg=random:6 --arg=zeros
// test: run-opt --entry=of_a_row --arg=random:7 --arg=zeros
// test: run-opt --entry=replaced --arg=random:8 --arg=zeros
// test: run-opt --entry=left_read_again --arg=random:9 --arg=zeros
// test: run-opt --entry=left_unwritten --arg=random:10 --arg=zeros --arg=ones[1]

// The mask is data of its own.
func.func @masked_sum(%x: memref<64xf32>, %mask: memref<64xi1>, %sum: memref<2xf32>) {
  affine.for %i = 0 to 64 {
    %c = affine.load %mask[%i] : memref<64xi1>
    %v = affine.load %x[%i] : memref<64xf32>
    scf.if %c {
      %s = affine.load %sum[1] : memref<2xf32>
      %t = arith.addf %s, %v : f32
      affine.store %t, %sum[1] : memref<2xf32>
    }
  }
  return
}

// What only the branch may load stays in it.
func.func @loaded_under_the_mask(%at: memref<8xi32>, %x: memref<8xi32>, %y: memref<8xi32>, %most: memref<i32>) {
  %zero = arith.constant 0 : i32
  affine.for %i = 0 to 8 {
    %k = affine.load %at[%i] : memref<8xi32>
    %v = affine.load %x[%i] : memref<8xi32>
    %c = arith.cmpi sgt, %v, %zero : i32
    scf.if %c {
      %place = arith.index_cast %k : i32 to index
      %w = memref.load %y[%place] : memref<8xi32>
      %m = affine.load %most[] : memref<i32>
      %n = arith.maxsi %m, %w : i32
      affine.store %n, %most[] : memref<i32>
    }
  }
  return
}

// One branch, two elements, which begin in front of the loop.
func.func @two_at_once(%x: memref<64xf32>, %out: memref<2xf32>) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %limit = arith.constant 0.25 : f32
  affine.store %zero, %out[0] : memref<2xf32>
  affine.store %one, %out[1] : memref<2xf32>
  affine.for %i = 0 to 64 {
    %v = affine.load %x[%i] : memref<64xf32>
    %c = arith.cmpf olt, %v, %limit : f32
    scf.if %c {
      %s = affine.load %out[0] : memref<2xf32>
      %t = arith.subf %s, %v : f32
      affine.store %t, %out[0] : memref<2xf32>
      %m = affine.load %out[1] : memref<2xf32>
      %n = arith.minimumf %v, %m : f32
      affine.store %n, %out[1] : memref<2xf32>
    }
  }
  return
}

// Two sums, one of them under a condition more.
func.func @under_two_conditions(%x: memref<64xi32>, %out: memref<2xi32>) {
  %three = arith.constant 3 : i32
  %six = arith.constant 6 : i32
  affine.for %i = 0 to 64 {
    %v = affine.load %x[%i] : memref<64xi32>
    %c = arith.cmpi sgt, %v, %three : i32
    scf.if %c {
      %s = affine.load %out[0] : memref<2xi32>
      %t = arith.addi %s, %v : i32
      affine.store %t, %out[0] : memref<2xi32>
      %d = arith.cmpi sgt, %v, %six : i32
      scf.if %d {
        %p = affine.load %out[1] : memref<2xi32>
        %q = arith.xori %p, %v : i32
        affine.store %q, %out[1] : memref<2xi32>
      }
    }
  }
  return
}

// The element is that of a row, written in front of the inner loop.
func.func @of_a_row(%x: memref<8x16xf32>, %sums: memref<8xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 8 {
    affine.store %zero, %sums[%i] : memref<8xf32>
    affine.for %j = 0 to 16 {
      %v = affine.load %x[%i, %j] : memref<8x16xf32>
      %c = arith.cmpf ogt, %v, %zero : f32
      scf.if %c {
        %s = affine.load %sums[%i] : memref<8xf32>
        %t = arith.addf %v, %s : f32
        affine.store %t, %sums[%i] : memref<8xf32>
      }
    }
  }
  return
}

// What is stored is no combination, but that of the last iteration which stores.
func.func @replaced(%x: memref<64xi32>, %last: memref<1xi32>) {
  %three = arith.constant 3 : i32
  affine.for %i = 0 to 64 {
    %v = affine.load %x[%i] : memref<64xi32>
    %c = arith.cmpi sgt, %v, %three : i32
    scf.if %c {
      affine.store %v, %last[0] : memref<1xi32>
    }
  }
  return
}

// The branch loads the element once more, behind the store.
func.func @left_read_again(%x: memref<64xi32>, %sum: memref<2xi32>) {
  %three = arith.constant 3 : i32
  affine.for %i = 0 to 64 {
    %v = affine.load %x[%i] : memref<64xi32>
    %c = arith.cmpi sgt, %v, %three : i32
    scf.if %c {
      %s = affine.load %sum[0] : memref<2xi32>
      %t = arith.muli %s, %v : i32
      affine.store %t, %sum[0] : memref<2xi32>
      %u = affine.load %sum[0] : memref<2xi32>
      affine.store %u, %sum[1] : memref<2xi32>
    }
  }
  return
}

// Nobody says that the array has an element 3.
func.func @left_unwritten(%x: memref<64xi32>, %out: memref<64xi32>, %sum: memref<?xi32>) {
  %nine = arith.constant 9 : i32
  affine.for %i = 0 to 64 {
    %v = affine.load %x[%i] : memref<64xi32>
    %c = arith.cmpi sgt, %v, %nine : i32
    scf.if %c {
      %s = affine.load %sum[3] : memref<?xi32>
      %t = arith.ori %s, %v : i32
      affine.store %t, %sum[3] : memref<?xi32>
    }
  }
  return
}
