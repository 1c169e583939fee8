// Rows of which a loop computes under a condition, as the softmax of a triangle does, are shared by the threads of a workgroup:
// the loops' lengths differ from row to row. Of 128 and more rows of few elements, threads would have one each.
// test: opt --affine-parallelize-reductions=target=cpu
// test: run-opt --entry=triangle
func.func @triangle(%x: memref<150x128xf32>, %y: memref<150x128xf32>) {
  %0:2 = memref.distinct_objects %x, %y : memref<150x128xf32>, memref<150x128xf32>
  %least = arith.constant -1.0e+5 : f32
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 127 {
    %m = affine.for %j = 0 to affine_map<(d0) -> (d0 + 1)>(%i) iter_args(%a = %least) -> (f32) {
      %v = affine.load %0#0[%i, %j] : memref<150x128xf32>
      %b = arith.maxnumf %a, %v : f32
      affine.yield %b : f32
    }
    affine.for %j = 0 to 128 {
      %w = affine.if affine_set<(d0, d1) : (d1 - d0 >= 0)>(%j, %i) -> f32 {
        %v = affine.load %0#0[%i, %j] : memref<150x128xf32>
        %d = arith.subf %v, %m : f32
        affine.yield %d : f32
      } else {
        affine.yield %zero : f32
      }
      affine.store %w, %0#1[%i, %j] : memref<150x128xf32>
    }
  }
  return
}

// Stores under a condition as well, and conditions in one another.
// test: run-opt --entry=stores
func.func @stores(%x: memref<130x128xi32>, %y: memref<130x128xi32>) {
  %0:2 = memref.distinct_objects %x, %y : memref<130x128xi32>, memref<130x128xi32>
  %zero = arith.constant 0 : i32
  affine.for %i = 0 to 127 {
    %s = affine.for %j = 0 to 128 iter_args(%a = %zero) -> (i32) {
      %v = affine.load %0#0[%i, %j] : memref<130x128xi32>
      %b = arith.addi %a, %v : i32
      affine.yield %b : i32
    }
    affine.for %j = 0 to 128 {
      affine.if affine_set<(d0, d1) : (d1 - d0 >= 0)>(%j, %i) {
        %v = affine.load %0#0[%i, %j] : memref<130x128xi32>
        %p = arith.cmpi sgt, %v, %zero : i32
        scf.if %p {
          %d = arith.subi %v, %s : i32
          affine.store %d, %0#1[%i, %j] : memref<130x128xi32>
        }
      }
    }
  }
  return
}

// Left to other passes: a loop under a condition.
// test: run-opt --entry=loop
func.func @loop(%x: memref<130x128xf32>, %y: memref<130x128xf32>) {
  %0:2 = memref.distinct_objects %x, %y : memref<130x128xf32>, memref<130x128xf32>
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 127 {
    %m = affine.for %j = 0 to 128 iter_args(%a = %zero) -> (f32) {
      %v = affine.load %0#0[%i, %j] : memref<130x128xf32>
      %b = arith.maxnumf %a, %v : f32
      affine.yield %b : f32
    }
    affine.for %j = 0 to 128 {
      affine.if affine_set<(d0, d1) : (d1 - d0 >= 0)>(%j, %i) {
        affine.for %k = 0 to 3 {
          affine.store %m, %0#1[%i, %j] : memref<130x128xf32>
        }
      }
    }
  }
  return
}
