// Sums of products with few results, which share what they load: the gradient of the weights of a layer, and that of a
// convolution. Chunks of the sums are around the loops over the results, so that these form tiles. A product of many results,
// or of short sums, stays.
// test: opt --affine-parallelize-reductions
// test: run-opt --entry=weights --arg=random:1 --arg=random:2 --arg=zeros
// test: run-opt --entry=filters --arg=random:1 --arg=random:2 --arg=zeros
// test: run --entry=weights --arg=random:1 --arg=random:2 --arg=zeros --map-for=gpu
// test: run --entry=filters --arg=random:1 --arg=random:2 --arg=zeros --map-for=gpu

func.func @weights(%x: memref<1300x10xi32>, %dy: memref<1300x6xi32>, %dw: memref<6x10xi32>) {
  %0:3 = memref.distinct_objects %x, %dy, %dw : memref<1300x10xi32>, memref<1300x6xi32>, memref<6x10xi32>
  %z = arith.constant 0 : i32
  affine.for %o = 0 to 6 {
    affine.for %c = 0 to 10 {
      %s = affine.for %i = 0 to 1300 iter_args(%t = %z) -> (i32) {
        %a = affine.load %0#1[%i, %o] : memref<1300x6xi32>
        %b = affine.load %0#0[%i, %c] : memref<1300x10xi32>
        %p = arith.muli %a, %b : i32
        %n = arith.addi %t, %p : i32
        affine.yield %n : i32
      }
      affine.store %s, %0#2[%o, %c] : memref<6x10xi32>
    }
  }
  return
}

func.func @filters(%x: memref<2x34x34xi32>, %dy: memref<3x32x32xi32>, %dw: memref<3x2x3x3xi32>) {
  %0:3 = memref.distinct_objects %x, %dy, %dw : memref<2x34x34xi32>, memref<3x32x32xi32>, memref<3x2x3x3xi32>
  %z = arith.constant 0 : i32
  affine.for %o = 0 to 3 {
    affine.for %c = 0 to 2 {
      affine.for %u = 0 to 3 {
        affine.for %v = 0 to 3 {
          %s = affine.for %i = 0 to 32 iter_args(%t = %z) -> (i32) {
            %r = affine.for %j = 0 to 32 iter_args(%q = %t) -> (i32) {
              %a = affine.load %0#1[%o, %i, %j] : memref<3x32x32xi32>
              %b = affine.load %0#0[%c, %i + %u, %j + %v] : memref<2x34x34xi32>
              %p = arith.muli %a, %b : i32
              %n = arith.addi %q, %p : i32
              affine.yield %n : i32
            }
            affine.yield %r : i32
          }
          affine.store %s, %0#2[%o, %c, %u, %v] : memref<3x2x3x3xi32>
        }
      }
    }
  }
  return
}

func.func @short_sums(%x: memref<560x16xi32>, %dy: memref<560x16xi32>, %dw: memref<16x16xi32>) {
  %0:3 = memref.distinct_objects %x, %dy, %dw : memref<560x16xi32>, memref<560x16xi32>, memref<16x16xi32>
  %z = arith.constant 0 : i32
  affine.for %o = 0 to 16 {
    affine.for %c = 0 to 16 {
      %s = affine.for %i = 0 to 560 iter_args(%t = %z) -> (i32) {
        %a = affine.load %0#1[%i, %o] : memref<560x16xi32>
        %b = affine.load %0#0[%i, %c] : memref<560x16xi32>
        %p = arith.muli %a, %b : i32
        %n = arith.addi %t, %p : i32
        affine.yield %n : i32
      }
      affine.store %s, %0#2[%o, %c] : memref<16x16xi32>
    }
  }
  return
}

func.func @many_results(%x: memref<1200x200xi32>, %dy: memref<1200x200xi32>, %dw: memref<200x200xi32>) {
  %0:3 = memref.distinct_objects %x, %dy, %dw : memref<1200x200xi32>, memref<1200x200xi32>, memref<200x200xi32>
  %z = arith.constant 0 : i32
  affine.for %o = 0 to 200 {
    affine.for %c = 0 to 200 {
      %s = affine.for %i = 0 to 1200 iter_args(%t = %z) -> (i32) {
        %a = affine.load %0#1[%i, %o] : memref<1200x200xi32>
        %b = affine.load %0#0[%i, %c] : memref<1200x200xi32>
        %p = arith.muli %a, %b : i32
        %n = arith.addi %t, %p : i32
        affine.yield %n : i32
      }
      affine.store %s, %0#2[%o, %c] : memref<200x200xi32>
    }
  }
  return
}
