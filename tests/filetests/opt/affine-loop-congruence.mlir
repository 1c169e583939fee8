// test: opt --affine-loop-congruence
// test: run-opt --entry=by_condition --arg=iota
// expect: arg 0 = [[0, 1, 2, 3, 4, 5, 6], [7, 14, 28, 18, 34, 22, 13], [14, 40, 30, 60, 34, 86, 20], [21, 42, 84, 46, 92, 50, 27], [28, 48, 58, 80, 62, 118, 34], [35, 36, 37, 38, 39, 40, 41]]
// test: run-opt --entry=even_rows --arg=iota
// expect: arg 0 = [[0, 1, 2, 3, 4, 5], [6, 17, 14, 27, 18, 11], [12, 24, 48, 28, 71, 17], [18, 52, 38, 76, 42, 23], [24, 48, 66, 52, 99, 29], [30, 31, 32, 33, 34, 35]]
// test: run-opt --entry=left_of_few_points --arg=iota
// expect: arg 0 = [[0, 1, 2, 3, 4], [5, 14, 12, 30, 9], [10, 20, 40, 24, 14], [15, 24, 32, 60, 19], [20, 21, 22, 23, 24]]
// test: run-opt --entry=odd_rows --arg=iota
// expect: arg 0 = [[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36], [37, 110, 76, 151, 80, 157, 84, 163, 88, 169, 92, 175, 96, 181, 100, 187, 104, 193, 108, 199, 112, 205, 116, 211, 120, 217, 124, 223, 128, 229, 132, 235, 136, 241, 140, 318, 73], [74, 148, 185, 152, 191, 156, 197, 160, 203, 164, 209, 168, 215, 172, 221, 176, 227, 180, 233, 184, 239, 188, 245, 192, 251, 196, 257, 200, 263, 204, 269, 208, 275, 212, 281, 216, 110], [111, 112, 113, 114, 115, 116, 117, 118, 119, 120, 121, 122, 123, 124, 125, 126, 127, 128, 129, 130, 131, 132, 133, 134, 135, 136, 137, 138, 139, 140, 141, 142, 143, 144, 145, 146, 147]]
// test: run-opt --entry=lowered_by_a_residue --arg=iota
// expect: arg 0 = [[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36], [37, 74, 39, 78, 41, 82, 43, 86, 45, 90, 47, 94, 49, 98, 51, 102, 53, 106, 55, 110, 57, 114, 59, 118, 61, 122, 63, 126, 65, 130, 67, 134, 69, 138, 71, 142, 73], [74, 75, 150, 77, 154, 79, 158, 81, 162, 83, 166, 85, 170, 87, 174, 89, 178, 91, 182, 93, 186, 95, 190, 97, 194, 99, 198, 101, 202, 103, 206, 105, 210, 107, 214, 109, 110], [111, 112, 113, 114, 115, 116, 117, 118, 119, 120, 121, 122, 123, 124, 125, 126, 127, 128, 129, 130, 131, 132, 133, 134, 135, 136, 137, 138, 139, 140, 141, 142, 143, 144, 145, 146, 147]]
// test: run-opt --entry=thirds --arg=zeros
// expect: arg 0 = [[0, 0, 2, 0, 0, 5, 0, 0, 8, 0], [10, 0, 0, 13, 0, 0, 16, 0, 0, 19], [0, 21, 0, 0, 24, 0, 0, 27, 0, 0], [0, 0, 32, 0, 0, 35, 0, 0, 38, 0]]
// test: run-opt --entry=left_without_inverse --arg=zeros
// expect: arg 0 = [[0, 1, 0, 3, 0, 5, 0, 7, 0], [0, 0, 0, 0, 0, 0, 0, 0, 0], [20, 0, 22, 0, 24, 0, 26, 0, 28]]
// test: run-opt --entry=inequality --arg=zeros
// expect: arg 0 = [[0, 1, 0, 3, 0], [10, 0, 12, 0, 14], [0, 21, 0, 23, 0], [30, 0, 32, 0, 34]]
// test: run-opt --entry=four_colours --arg=zeros
// expect: arg 0 = [[0, 1, 0, 3, 0], [0, 0, 0, 0, 0], [0, 21, 0, 23, 0], [0, 0, 0, 0, 0]]
// test: run-opt --entry=left_sequential --arg=iota
// expect: arg 0 = [[0, 1, 2, 3, 4, 5], [6, 7, 8, 10, 10, 15], [12, 13, 20, 15, 30, 17], [18, 19, 20, 34, 22, 51]]
// test: run-opt --entry=left_of_open_length --arg=iota[2x2] --arg=2
// expect: arg 0 = [[0, 1], [2, 3]]
// test: run-opt --entry=left_of_open_length --arg=iota[7x7] --arg=7
// expect: arg 0 = [[0, 1, 2, 3, 4, 5, 6], [7, 8, 16, 10, 20, 12, 13], [14, 28, 16, 32, 18, 36, 20], [21, 22, 44, 24, 48, 26, 27], [28, 56, 30, 60, 32, 64, 34], [35, 36, 72, 38, 76, 40, 41], [42, 43, 44, 45, 46, 47, 48]]
// The expected values are those of the same loops in NumPy.

// A colour of a checkerboard is every other point of a row. Its few points stay unaligned.
func.func @by_condition(%a: memref<6x7xi32>) {
  affine.for %c = 0 to 2 {
    affine.for %i = 1 to 5 {
      affine.for %j = 1 to 6 {
        affine.if affine_set<(d0, d1, d2) : ((d0 + d1 + d2) mod 2 == 0)>(%i, %j, %c) {
          %n = affine.load %a[%i - 1, %j] : memref<6x7xi32>
          %s = affine.load %a[%i + 1, %j] : memref<6x7xi32>
          %w = affine.load %a[%i, %j - 1] : memref<6x7xi32>
          %e = affine.load %a[%i, %j + 1] : memref<6x7xi32>
          %x = arith.addi %n, %s : i32
          %y = arith.addi %x, %w : i32
          %z = arith.subi %y, %e : i32
          affine.store %z, %a[%i, %j] : memref<6x7xi32>
        }
      }
    }
  }
  return
}

// All rows have two points of each colour: the nest is a box.
func.func @even_rows(%a: memref<6x6xi32>) {
  affine.for %c = 0 to 2 {
    affine.for %i = 1 to 5 {
      affine.for %j = affine_map<(d0, d1) -> ((d0 + d1) mod 2 + 1)>(%i, %c) to 5 step 2 {
        %n = affine.load %a[%i - 1, %j] : memref<6x6xi32>
        %s = affine.load %a[%i + 1, %j] : memref<6x6xi32>
        %w = affine.load %a[%i, %j - 1] : memref<6x6xi32>
        %e = affine.load %a[%i, %j + 1] : memref<6x6xi32>
        %x = arith.addi %n, %s : i32
        %y = arith.addi %x, %w : i32
        %z = arith.subi %y, %e : i32
        affine.store %z, %a[%i, %j] : memref<6x6xi32>
      }
    }
  }
  return
}

// Some rows have a point more, which a nest behind computes.
func.func @odd_rows(%a: memref<4x37xi32>) {
  affine.for %c = 0 to 2 {
    affine.for %i = 1 to 3 {
      affine.for %j = affine_map<(d0, d1) -> ((d0 + d1) mod 2 + 1)>(%i, %c) to 36 step 2 {
        %n = affine.load %a[%i - 1, %j] : memref<4x37xi32>
        %s = affine.load %a[%i + 1, %j] : memref<4x37xi32>
        %w = affine.load %a[%i, %j - 1] : memref<4x37xi32>
        %e = affine.load %a[%i, %j + 1] : memref<4x37xi32>
        %x = arith.addi %n, %s : i32
        %y = arith.addi %x, %w : i32
        %z = arith.subi %y, %e : i32
        affine.store %z, %a[%i, %j] : memref<4x37xi32>
      }
    }
  }
  return
}

// The remainder is subtracted.
func.func @lowered_by_a_residue(%a: memref<4x37xi32>) {
  affine.for %i = 1 to 3 {
    affine.for %j = affine_map<(d0) -> (2 - d0 mod 2)>(%i) to 36 step 2 {
      %n = affine.load %a[%i - 1, %j] : memref<4x37xi32>
      %s = affine.load %a[%i + 1, %j] : memref<4x37xi32>
      %w = affine.load %a[%i, %j - 1] : memref<4x37xi32>
      %e = affine.load %a[%i, %j + 1] : memref<4x37xi32>
      %x = arith.addi %n, %s : i32
      %y = arith.addi %x, %w : i32
      %z = arith.subi %y, %e : i32
      affine.store %z, %a[%i, %j] : memref<4x37xi32>
    }
  }
  return
}

// Rows of two points or one are not worth a second nest.
func.func @left_of_few_points(%a: memref<5x5xi32>) {
  affine.for %c = 0 to 2 {
    affine.for %i = 1 to 4 {
      affine.for %j = affine_map<(d0, d1) -> ((d0 + d1) mod 2 + 1)>(%i, %c) to 4 step 2 {
        %n = affine.load %a[%i - 1, %j] : memref<5x5xi32>
        %s = affine.load %a[%i + 1, %j] : memref<5x5xi32>
        %w = affine.load %a[%i, %j - 1] : memref<5x5xi32>
        %e = affine.load %a[%i, %j + 1] : memref<5x5xi32>
        %x = arith.addi %n, %s : i32
        %y = arith.addi %x, %w : i32
        %z = arith.subi %y, %e : i32
        affine.store %z, %a[%i, %j] : memref<5x5xi32>
      }
    }
  }
  return
}

// The factor of the counter has an inverse, modulo 3.
func.func @thirds(%a: memref<4x10xi32>) {
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 10 {
      affine.if affine_set<(d0, d1) : ((d1 * 2 + d0) mod 3 - 1 == 0)>(%i, %j) {
        %k = affine.apply affine_map<(d0, d1) -> (d0 * 10 + d1)>(%i, %j)
        %v = arith.index_cast %k : index to i32
        affine.store %v, %a[%i, %j] : memref<4x10xi32>
      }
    }
  }
  return
}

// Twice a counter is never odd: the factor has no inverse, modulo 4.
func.func @left_without_inverse(%a: memref<3x9xi32>) {
  affine.for %i = 0 to 3 {
    affine.for %j = 0 to 9 {
      affine.if affine_set<(d0, d1) : ((d1 * 2 + d0) mod 4 - 2 == 0)>(%i, %j) {
        %k = affine.apply affine_map<(d0, d1) -> (d0 * 10 + d1)>(%i, %j)
        %v = arith.index_cast %k : index to i32
        affine.store %v, %a[%i, %j] : memref<3x9xi32>
      }
    }
  }
  return
}

// A remainder of at least 1 is 1, modulo 2.
func.func @inequality(%a: memref<4x5xi32>) {
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 5 {
      affine.if affine_set<(d0, d1) : ((d0 + d1) mod 2 - 1 >= 0)>(%i, %j) {
        %k = affine.apply affine_map<(d0, d1) -> (d0 * 10 + d1)>(%i, %j)
        %v = arith.index_cast %k : index to i32
        affine.store %v, %a[%i, %j] : memref<4x5xi32>
      }
    }
  }
  return
}

// Both loops take the step of one condition.
func.func @four_colours(%a: memref<4x5xi32>) {
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 5 {
      affine.if affine_set<(d0, d1) : (d0 mod 2 == 0, d1 mod 2 - 1 == 0)>(%i, %j) {
        %k = affine.apply affine_map<(d0, d1) -> (d0 * 10 + d1)>(%i, %j)
        %v = arith.index_cast %k : index to i32
        affine.store %v, %a[%i, %j] : memref<4x5xi32>
      }
    }
  }
  return
}

// How many points a row has is not known.
func.func @left_of_open_length(%a: memref<?x?xi32>, %size: index) {
  affine.for %i = 1 to affine_map<()[s0] -> (s0 - 1)>()[%size] {
    affine.for %j = affine_map<(d0) -> (d0 mod 2 + 1)>(%i) to affine_map<()[s0] -> (s0 - 1)>()[%size] step 2 {
      %n = affine.load %a[%i - 1, %j] : memref<?x?xi32>
      %s = affine.load %a[%i + 1, %j] : memref<?x?xi32>
      %w = affine.load %a[%i, %j - 1] : memref<?x?xi32>
      %e = affine.load %a[%i, %j + 1] : memref<?x?xi32>
      %x = arith.addi %n, %s : i32
      %y = arith.addi %x, %w : i32
      %z = arith.subi %y, %e : i32
      affine.store %z, %a[%i, %j] : memref<?x?xi32>
    }
  }
  return
}

// Each point of a row depends on the one before, so that the row stays as it is.
func.func @left_sequential(%a: memref<4x6xi32>) {
  affine.for %i = 1 to 4 {
    affine.for %j = affine_map<(d0) -> (d0 mod 2 + 2)>(%i) to 6 step 2 {
      %w = affine.load %a[%i, %j - 2] : memref<4x6xi32>
      %n = affine.load %a[%i - 1, %j] : memref<4x6xi32>
      %x = arith.addi %w, %n : i32
      affine.store %x, %a[%i, %j] : memref<4x6xi32>
    }
  }
  return
}
