// Products in workgroup memory whose staged loop depends on a loop that the threads of a workgroup have one iteration of: a
// chunk of the sums, the last one shorter, matrices two places apart, and one matrix for several. Compared with the program as
// written.
//
// test: run --map-for=gpu --entry=chunks --arg=random:1 --arg=random:2 --arg=zeros
// test: run --map-for=gpu --entry=triangle --arg=random:1 --arg=random:2 --arg=zeros
// test: run --map-for=gpu --entry=every_other --arg=random:1 --arg=random:2 --arg=zeros
// test: run --map-for=gpu --entry=grouped --arg=random:1 --arg=random:2 --arg=zeros
func.func @chunks(%a: memref<330x24xi32>, %b: memref<330x20xi32>, %c: memref<5x24x20xi32>) {
  %z = arith.constant 0 : i32
  affine.for %p = 0 to 5 {
    affine.for %i = 0 to 24 {
      affine.for %j = 0 to 20 {
        %s = affine.for %k = affine_map<(d0) -> (d0 * 70)>(%p) to min affine_map<(d0) -> (330, d0 * 70 + 70)>(%p) iter_args(%t = %z) -> (i32) {
          %x = affine.load %a[%k, %i] : memref<330x24xi32>
          %y = affine.load %b[%k, %j] : memref<330x20xi32>
          %m = arith.muli %x, %y : i32
          %n = arith.addi %t, %m : i32
          affine.yield %n : i32
        }
        affine.store %s, %c[%p, %i, %j] : memref<5x24x20xi32>
      }
    }
  }
  return
}

// The first chunks are shorter than what is staged at once, or empty.
func.func @triangle(%a: memref<110x24xi32>, %b: memref<110x20xi32>, %c: memref<6x24x20xi32>) {
  %z = arith.constant 0 : i32
  affine.for %p = 0 to 6 {
    affine.for %i = 0 to 24 {
      affine.for %j = 0 to 20 {
        %s = affine.for %k = 0 to affine_map<(d0) -> (d0 * 22)>(%p) iter_args(%t = %z) -> (i32) {
          %x = affine.load %a[%k, %i] : memref<110x24xi32>
          %y = affine.load %b[%k, %j] : memref<110x20xi32>
          %m = arith.muli %x, %y : i32
          %n = arith.addi %t, %m : i32
          affine.yield %n : i32
        }
        affine.store %s, %c[%p, %i, %j] : memref<6x24x20xi32>
      }
    }
  }
  return
}

func.func @every_other(%a: memref<7x24x70xi32>, %b: memref<4x70x20xi32>, %c: memref<4x24x20xi32>) {
  %z = arith.constant 0 : i32
  affine.for %p = 0 to 4 {
    affine.for %i = 0 to 24 {
      affine.for %j = 0 to 20 {
        %s = affine.for %k = 0 to 70 iter_args(%t = %z) -> (i32) {
          %x = affine.load %a[%p * 2, %i, %k] : memref<7x24x70xi32>
          %y = affine.load %b[-%p + 3, %k, %j] : memref<4x70x20xi32>
          %m = arith.muli %x, %y : i32
          %n = arith.addi %t, %m : i32
          affine.yield %n : i32
        }
        affine.store %s, %c[%p, %i, %j] : memref<4x24x20xi32>
      }
    }
  }
  return
}

// Two queries of an attention share a matrix of keys; the last one has one of its own.
func.func @grouped(%a: memref<7x24x70xi32>, %b: memref<4x70x20xi32>, %c: memref<7x24x20xi32>) {
  %z = arith.constant 0 : i32
  affine.for %p = 0 to 7 {
    affine.for %i = 0 to 24 {
      affine.for %j = 0 to 20 {
        %s = affine.for %k = 0 to 70 iter_args(%t = %z) -> (i32) {
          %x = affine.load %a[%p, %i, %k] : memref<7x24x70xi32>
          %y = affine.load %b[%p floordiv 2, %k, %j] : memref<4x70x20xi32>
          %m = arith.muli %x, %y : i32
          %n = arith.addi %t, %m : i32
          affine.yield %n : i32
        }
        affine.store %s, %c[%p, %i, %j] : memref<7x24x20xi32>
      }
    }
  }
  return
}
