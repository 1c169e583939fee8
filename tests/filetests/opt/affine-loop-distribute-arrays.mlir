// test: opt --affine-loop-distribute
// test: run-opt --entry=transposed_sums --arg=iota --arg=zeros
// test: run --entry=transposed_sums --arg=iota --arg=zeros
// expect: arg 1 = [3960, 4248, 4536, 4824, 5112, 5400, 5688, 5976, 6264, 6552, 6840, 7128, 7416, 7704, 7992, 8280, 16248, 16536, 16824, 17112, 17400, 17688, 17976, 18264, 18552, 18840, 19128, 19416, 19704, 19992, 20280, 20568]
// test: run-opt --entry=blocks --arg=random:1 --arg=zeros
// test: run-opt --entry=many --arg=random:1 --arg=zeros
// test: run-opt --entry=short --arg=random:1 --arg=zeros
// test: run-opt --entry=in_steps --arg=random:1 --arg=zeros
// test: run-opt --entry=data_dependent --arg=random:1 --arg=zeros --arg=zeros
// test: stages --offload

// Few images, each with an array of its own between two nests: a part of one array. Element (b, i, j) of the
// first argument is 256 b + 16 i + j, so that a sum of the second is that of 768 b + 18 i + 33 j over j.
func.func @transposed_sums(%a: memref<2x16x16xi32>, %c: memref<2x16xi32>) {
  %zero = arith.constant 0 : i32
  affine.for %b = 0 to 2 {
    %t = memref.alloca() : memref<16x16xi32>
    affine.for %i = 0 to 16 {
      affine.for %j = 0 to 16 {
        %x = affine.load %a[%b, %i, %j] : memref<2x16x16xi32>
        %y = arith.addi %x, %x : i32
        affine.store %y, %t[%i, %j] : memref<16x16xi32>
      }
    }
    affine.for %i = 0 to 16 {
      %all = affine.for %j = 0 to 16 iter_args(%sum = %zero) -> (i32) {
        %x = affine.load %a[%b, %i, %j] : memref<2x16x16xi32>
        %y = affine.load %t[%j, %i] : memref<16x16xi32>
        %z = arith.addi %x, %y : i32
        %next = arith.addi %sum, %z : i32
        affine.yield %next : i32
      }
      affine.store %all, %c[%b, %i] : memref<2x16xi32>
    }
  }
  return
}

// Blocks in two loops with steps, and an array on the heap that the iteration frees.
func.func @blocks(%a: memref<32x48xf32>, %c: memref<32x48xf32>) {
  affine.for %bi = 0 to 32 step 16 {
    affine.for %bj = 0 to 48 step 16 {
      %t = memref.alloc() : memref<16x16xf32>
      affine.for %i = 0 to 16 {
        affine.for %j = 0 to 16 {
          %x = affine.load %a[%bi + %i, %bj + %j] : memref<32x48xf32>
          affine.store %x, %t[%i, %j] : memref<16x16xf32>
        }
      }
      affine.for %i = 0 to 16 {
        affine.for %j = 0 to 16 {
          %x = affine.load %t[15 - %j, %i] : memref<16x16xf32>
          affine.store %x, %c[%bi + %i, %bj + %j] : memref<32x48xf32>
        }
      }
      memref.dealloc %t : memref<16x16xf32>
    }
  }
  return
}

// Iterations enough for a device: each thread keeps its array.
func.func @many(%a: memref<200x300xf32>, %c: memref<200x300xf32>) {
  affine.for %b = 0 to 200 {
    %t = memref.alloca() : memref<300xf32>
    affine.for %i = 0 to 300 {
      %x = affine.load %a[%b, %i] : memref<200x300xf32>
      affine.store %x, %t[%i] : memref<300xf32>
    }
    affine.for %i = 0 to 300 {
      %x = affine.load %t[299 - %i] : memref<300xf32>
      affine.store %x, %c[%b, %i] : memref<200x300xf32>
    }
  }
  return
}

// Nests so short that one launch for each would cost more.
func.func @short(%a: memref<3x9xf32>, %c: memref<3x9xf32>) {
  affine.for %b = 0 to 3 {
    %t = memref.alloca() : memref<9xf32>
    affine.for %i = 0 to 9 {
      %x = affine.load %a[%b, %i] : memref<3x9xf32>
      affine.store %x, %t[%i] : memref<9xf32>
    }
    affine.for %i = 0 to 9 {
      %x = affine.load %t[8 - %i] : memref<9xf32>
      affine.store %x, %c[%b, %i] : memref<3x9xf32>
    }
  }
  return
}

// A sequential loop around: the steps are the work of one workgroup.
func.func @in_steps(%a: memref<3x300xf32>, %c: memref<3x300xf32>) {
  affine.for %step = 0 to 4 {
    affine.for %b = 0 to 3 {
      %t = memref.alloca() : memref<300xf32>
      affine.for %i = 0 to 300 {
        %x = affine.load %c[%b, %i] : memref<3x300xf32>
        affine.store %x, %t[%i] : memref<300xf32>
      }
      affine.for %i = 0 to 300 {
        %x = affine.load %t[299 - %i] : memref<300xf32>
        %y = affine.load %a[%b, %i] : memref<3x300xf32>
        %z = arith.addf %x, %y : f32
        affine.store %z, %c[%b, %i] : memref<3x300xf32>
      }
    }
  }
  return
}

// A subscript that is data: the array stays.
func.func @data_dependent(%a: memref<3x300xf32>, %p: memref<3x300xi32>, %c: memref<3x300xf32>) {
  affine.for %b = 0 to 3 {
    %t = memref.alloca() : memref<300xf32>
    affine.for %i = 0 to 300 {
      %x = affine.load %a[%b, %i] : memref<3x300xf32>
      affine.store %x, %t[%i] : memref<300xf32>
    }
    affine.for %i = 0 to 300 {
      %k = affine.load %p[%b, %i] : memref<3x300xi32>
      %n = arith.index_cast %k : i32 to index
      %x = memref.load %t[%n] : memref<300xf32>
      affine.store %x, %c[%b, %i] : memref<3x300xf32>
    }
  }
  return
}
