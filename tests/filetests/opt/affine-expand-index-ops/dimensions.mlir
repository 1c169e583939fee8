// test: opt --affine-expand-index-ops
// test: run-opt --entry=rows --arg=iota --arg=zeros
// expect: arg 1 = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]
// test: run-opt --entry=nested --arg=iota --arg=zeros
// expect: arg 1 = [0, 1, 6, 15, 1, 3, 7, 16, 2, 4, 6, 17]
// test: run-opt --entry=apart --arg=iota --arg=zeros
// expect: arg 1 = [0, 2, 4, 6, 1, 4, 6, 8, 2, 5, 8, 10]
// test: run-opt --entry=together --arg=iota --arg=zeros
// expect: arg 1 = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]
// remark: 71:12: this operation is not expanded: an affine operation uses its result as a dimension
// remark: 72:10: this operation is not expanded: an affine operation uses its result as a dimension

// Found by damage: the subscripts of affine.load were arith's, which are no dimensions in a loop. The
// load becomes one of memref.
func.func @rows(%a: memref<12xi32>, %b: memref<12xi32>) {
  affine.for %t = 0 to 12 {
    %i:2 = affine.delinearize_index %t into (3, 4) : index, index
    %u = affine.linearize_index [%i#0, %i#1] by (3, 4) : index
    %x = affine.load %a[%u] : memref<12xi32>
    %v = affine.linearize_index [%i#0, %i#1] by (3, 4) : index
    memref.store %x, %b[%v] : memref<12xi32>
  }
  return
}

// The map, the condition and the loop that take the parts of a number are lowered, with what takes theirs.
// Where i >= j, the element is i + 2 * j; else it is i, and the sum of the numbers below 2 * j.
func.func @nested(%a: memref<12xi32>, %b: memref<12xi32>) {
  %zero = arith.constant 0 : i32
  affine.for %t = 0 to 12 {
    %i:2 = affine.delinearize_index %t into (3, 4) : index, index
    %k = affine.apply affine_map<(i, j) -> (i + j * 2)>(%i#0, %i#1)
    %x = affine.if affine_set<(i, j) : (i - 3 * j >= 0)>(%k, %i#1) -> i32 {
      %v = affine.load %a[%k] : memref<12xi32>
      affine.yield %v : i32
    } else {
      %s = affine.for %l = 0 to affine_map<(j) -> (j * 2)>(%i#1) iter_args(%s = %zero) -> i32 {
        %e = affine.load %a[%l] : memref<12xi32>
        %n = arith.addi %s, %e : i32
        affine.yield %n : i32
      }
      %d = arith.index_cast %i#0 : index to i32
      %v = arith.addi %s, %d : i32
      affine.yield %v : i32
    }
    memref.store %x, %b[%t] : memref<12xi32>
  }
  return
}

// The counter of an scf loop is no dimension, which only maps take. The element is i + 2 * j, and the lesser one.
func.func @apart(%a: memref<12xi32>, %b: memref<12xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c12 = arith.constant 12 : index
  scf.for %t = %c0 to %c12 step %c1 {
    %i:2 = affine.delinearize_index %t into (3, 4) : index, index
    %k = affine.apply affine_map<(i, j) -> (i + j * 2)>(%i#0, %i#1)
    %l = affine.min affine_map<(i, j) -> (i, j)>(%i#0, %i#1)
    %x = memref.load %a[%k] : memref<12xi32>
    %y = memref.load %a[%l] : memref<12xi32>
    %v = arith.addi %x, %y : i32
    memref.store %v, %b[%t] : memref<12xi32>
  }
  return
}

// A parallel loop cannot be lowered alone.
func.func @together(%a: memref<12xi32>, %b: memref<12xi32>) {
  affine.parallel (%t) = (0) to (12) {
    %i:2 = affine.delinearize_index %t into (3, 4) : index, index
    %u = affine.linearize_index [%i#0, %i#1] by (3, 4) : index
    %x = affine.load %a[%u] : memref<12xi32>
    %v = affine.linearize_index [%i#0, %i#1] by (3, 4) : index
    memref.store %x, %b[%v] : memref<12xi32>
  }
  return
}
