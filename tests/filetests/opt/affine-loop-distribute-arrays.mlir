// test: opt --affine-loop-distribute
// test: run-opt --entry=transposed_sums --arg=iota --arg=zeros
// test: run --entry=transposed_sums --arg=iota --arg=zeros
// expect: arg 1 = [0, 17, 34, 51, 68, 85, 102, 119, 10, 27, 44, 61, 78, 95, 112, 129, 20, 37, 54, 71, 88, 105, 122, 139, 30, 47, 64, 81, 98, 115, 132, 149, 40, 57, 74, 91, 108, 125, 142, 159, 50, 67, 84, 101, 118, 135, 152, 169, 60, 77, 94, 111, 128, 145, 162, 179, 70, 87, 104, 121, 138, 155, 172, 189, 192, 209, 226, 243, 260, 277, 294, 311, 202, 219, 236, 253, 270, 287, 304, 321, 212, 229, 246, 263, 280, 297, 314, 331, 222, 239, 256, 273, 290, 307, 324, 341, 232, 249, 266, 283, 300, 317, 334, 351, 242, 259, 276, 293, 310, 327, 344, 361, 252, 269, 286, 303, 320, 337, 354, 371, 262, 279, 296, 313, 330, 347, 364, 381]
// test: run-opt --entry=blocks --arg=random:1 --arg=zeros
// test: run-opt --entry=many --arg=random:1 --arg=zeros
// test: run-opt --entry=in_steps --arg=random:1 --arg=zeros
// test: run-opt --entry=data_dependent --arg=random:1 --arg=zeros --arg=zeros
// test: stages --offload

// Few images, each with an array of its own between two nests: a part of one array. Element (b, i, j) of the
// first argument is 64 b + 8 i + j, so that of the second ends as 192 b + 10 i + 17 j.
func.func @transposed_sums(%a: memref<2x8x8xi32>, %c: memref<2x8x8xi32>) {
  affine.for %b = 0 to 2 {
    %t = memref.alloca() : memref<8x8xi32>
    affine.for %i = 0 to 8 {
      affine.for %j = 0 to 8 {
        %x = affine.load %a[%b, %i, %j] : memref<2x8x8xi32>
        %y = arith.addi %x, %x : i32
        affine.store %y, %t[%i, %j] : memref<8x8xi32>
      }
    }
    affine.for %i = 0 to 8 {
      affine.for %j = 0 to 8 {
        %x = affine.load %a[%b, %i, %j] : memref<2x8x8xi32>
        %y = affine.load %t[%j, %i] : memref<8x8xi32>
        %z = arith.addi %x, %y : i32
        affine.store %z, %c[%b, %i, %j] : memref<2x8x8xi32>
      }
    }
  }
  return
}

// Blocks in two loops with steps, and an array on the heap that the iteration frees.
func.func @blocks(%a: memref<16x24xf32>, %c: memref<16x24xf32>) {
  affine.for %bi = 0 to 16 step 8 {
    affine.for %bj = 0 to 24 step 8 {
      %t = memref.alloc() : memref<8x8xf32>
      affine.for %i = 0 to 8 {
        affine.for %j = 0 to 8 {
          %x = affine.load %a[%bi + %i, %bj + %j] : memref<16x24xf32>
          affine.store %x, %t[%i, %j] : memref<8x8xf32>
        }
      }
      affine.for %i = 0 to 8 {
        affine.for %j = 0 to 8 {
          %x = affine.load %t[7 - %j, %i] : memref<8x8xf32>
          affine.store %x, %c[%bi + %i, %bj + %j] : memref<16x24xf32>
        }
      }
      memref.dealloc %t : memref<8x8xf32>
    }
  }
  return
}

// Iterations enough for a device: each thread keeps its array.
func.func @many(%a: memref<200x9xf32>, %c: memref<200x9xf32>) {
  affine.for %b = 0 to 200 {
    %t = memref.alloca() : memref<9xf32>
    affine.for %i = 0 to 9 {
      %x = affine.load %a[%b, %i] : memref<200x9xf32>
      affine.store %x, %t[%i] : memref<9xf32>
    }
    affine.for %i = 0 to 9 {
      %x = affine.load %t[8 - %i] : memref<9xf32>
      affine.store %x, %c[%b, %i] : memref<200x9xf32>
    }
  }
  return
}

// A sequential loop around: the steps are the work of one workgroup.
func.func @in_steps(%a: memref<3x9xf32>, %c: memref<3x9xf32>) {
  affine.for %step = 0 to 4 {
    affine.for %b = 0 to 3 {
      %t = memref.alloca() : memref<9xf32>
      affine.for %i = 0 to 9 {
        %x = affine.load %c[%b, %i] : memref<3x9xf32>
        affine.store %x, %t[%i] : memref<9xf32>
      }
      affine.for %i = 0 to 9 {
        %x = affine.load %t[8 - %i] : memref<9xf32>
        %y = affine.load %a[%b, %i] : memref<3x9xf32>
        %z = arith.addf %x, %y : f32
        affine.store %z, %c[%b, %i] : memref<3x9xf32>
      }
    }
  }
  return
}

// A subscript that is data: the array stays.
func.func @data_dependent(%a: memref<3x9xf32>, %p: memref<3x9xi32>, %c: memref<3x9xf32>) {
  affine.for %b = 0 to 3 {
    %t = memref.alloca() : memref<9xf32>
    affine.for %i = 0 to 9 {
      %x = affine.load %a[%b, %i] : memref<3x9xf32>
      affine.store %x, %t[%i] : memref<9xf32>
    }
    affine.for %i = 0 to 9 {
      %k = affine.load %p[%b, %i] : memref<3x9xi32>
      %n = arith.index_cast %k : i32 to index
      %x = memref.load %t[%n] : memref<9xf32>
      affine.store %x, %c[%b, %i] : memref<3x9xf32>
    }
  }
  return
}
