// test: opt --affine-parallelize-reductions=target=cpu --affine-mark-inbounds --affine-map-to-gpu=target=cpu
// test: run-opt --entry=groups --arg=random:1 --arg=random:2 --arg=zeros
// test: run --entry=groups --arg=random:1 --arg=random:2 --arg=zeros
// test: run --entry=groups --arg=random:1 --arg=random:2 --arg=zeros --map-for=gpu
// test: run-opt --entry=in_turn --arg=random:1 --arg=zeros --arg=zeros
// test: run --entry=in_turn --arg=random:1 --arg=zeros --arg=zeros
// test: run --entry=in_turn --arg=random:1 --arg=zeros --arg=zeros --map-for=gpu
// test: run-opt --entry=chained --arg=random:1 --arg=zeros
// test: run --entry=chained --arg=random:1 --arg=zeros
// test: run-opt --entry=narrow --arg=random:1 --arg=zeros
// test: run --entry=narrow --arg=random:1 --arg=zeros
// test: run-opt --entry=first_overwritten --arg=random:1 --arg=random:2
// test: run --entry=first_overwritten --arg=random:1 --arg=random:2
// test: run --entry=first_overwritten --arg=random:1 --arg=random:2 --map-for=gpu
// test: run-opt --entry=first_overwritten_by_sum --arg=random:1 --arg=random:2 --arg=zeros
// test: run --entry=first_overwritten_by_sum --arg=random:1 --arg=random:2 --arg=zeros
// test: run --entry=first_overwritten_by_sum --arg=random:1 --arg=random:2 --arg=zeros --map-for=gpu

// Groups of 3 channels of 35 points: the threads of a workgroup share the points of each channel of a group, whose weight every
// thread loads. Six groups are too few elements for launches of their own.
func.func @groups(%x: memref<6x3x35xi32>, %w: memref<6x3xi32>, %y: memref<6x3x35xi32>) {
  %0:3 = memref.distinct_objects %x, %w, %y : memref<6x3x35xi32>, memref<6x3xi32>, memref<6x3x35xi32>
  %zero = arith.constant 0 : i32
  affine.for %g = 0 to 6 {
    %s = affine.for %c = 0 to 3 iter_args(%a = %zero) -> (i32) {
      %t = affine.for %p = 0 to 35 iter_args(%b = %a) -> (i32) {
        %v = affine.load %0#0[%g, %c, %p] : memref<6x3x35xi32>
        %n = arith.addi %b, %v : i32
        affine.yield %n : i32
      }
      affine.yield %t : i32
    }
    affine.for %c = 0 to 3 {
      %u = affine.load %0#1[%g, %c] : memref<6x3xi32>
      affine.for %p = 0 to 35 {
        %v = affine.load %0#0[%g, %c, %p] : memref<6x3x35xi32>
        %d = arith.subi %v, %s : i32
        %e = arith.muli %d, %u : i32
        affine.store %e, %0#2[%g, %c, %p] : memref<6x3x35xi32>
      }
    }
  }
  return
}

// Each nest reads what other threads have stored in the one before: barriers stand between them.
func.func @in_turn(%x: memref<6x3x35xi32>, %y: memref<6x3x35xi32>, %z: memref<6x3x35xi32>) {
  %0:3 = memref.distinct_objects %x, %y, %z : memref<6x3x35xi32>, memref<6x3x35xi32>, memref<6x3x35xi32>
  %zero = arith.constant 0 : i32
  affine.for %g = 0 to 6 {
    affine.for %c = 0 to 3 {
      affine.for %p = 0 to 35 {
        %v = affine.load %0#0[%g, %c, %p] : memref<6x3x35xi32>
        %d = arith.addi %v, %v : i32
        affine.store %d, %0#1[%g, %c, %p] : memref<6x3x35xi32>
      }
    }
    %s = affine.for %c = 0 to 3 iter_args(%a = %zero) -> (i32) {
      %t = affine.for %p = 0 to 34 iter_args(%b = %a) -> (i32) {
        %v = affine.load %0#1[%g, %c, %p + 1] : memref<6x3x35xi32>
        %n = arith.addi %b, %v : i32
        affine.yield %n : i32
      }
      affine.yield %t : i32
    }
    affine.for %c = 0 to 3 {
      affine.for %p = 0 to 34 {
        %v = affine.load %0#1[%g, -%c + 2, %p + 1] : memref<6x3x35xi32>
        %d = arith.subi %v, %s : i32
        affine.store %d, %0#2[%g, %c, %p] : memref<6x3x35xi32>
      }
    }
  }
  return
}

// A channel adds to what the one before stored, so that other threads' iterations of it would have to wait: a thread has the group.
func.func @chained(%x: memref<6x3x35xi32>, %y: memref<6x4x36xi32>) {
  %0:2 = memref.distinct_objects %x, %y : memref<6x3x35xi32>, memref<6x4x36xi32>
  %zero = arith.constant 0 : i32
  affine.for %g = 0 to 6 {
    %s = affine.for %c = 0 to 3 iter_args(%a = %zero) -> (i32) {
      %t = affine.for %p = 0 to 35 iter_args(%b = %a) -> (i32) {
        %v = affine.load %0#0[%g, %c, %p] : memref<6x3x35xi32>
        %n = arith.addi %b, %v : i32
        affine.yield %n : i32
      }
      affine.yield %t : i32
    }
    affine.for %c = 0 to 3 {
      affine.for %p = 0 to 35 {
        %v = affine.load %0#1[%g, %c, %p + 1] : memref<6x4x36xi32>
        %d = arith.addi %v, %s : i32
        affine.store %d, %0#1[%g, %c + 1, %p] : memref<6x4x36xi32>
      }
    }
  }
  return
}

// The innermost loop has fewer iterations than there are for two of each thread.
func.func @narrow(%x: memref<6x35x15xi32>, %y: memref<6x35x15xi32>) {
  %0:2 = memref.distinct_objects %x, %y : memref<6x35x15xi32>, memref<6x35x15xi32>
  %zero = arith.constant 0 : i32
  affine.for %g = 0 to 6 {
    %s = affine.for %c = 0 to 35 iter_args(%a = %zero) -> (i32) {
      %t = affine.for %p = 0 to 15 iter_args(%b = %a) -> (i32) {
        %v = affine.load %0#0[%g, %c, %p] : memref<6x35x15xi32>
        %n = arith.addi %b, %v : i32
        affine.yield %n : i32
      }
      affine.yield %t : i32
    }
    affine.for %c = 0 to 35 {
      affine.for %p = 0 to 15 {
        %v = affine.load %0#0[%g, %c, %p] : memref<6x35x15xi32>
        %d = arith.subi %v, %s : i32
        affine.store %d, %0#1[%g, %c, %p] : memref<6x35x15xi32>
      }
    }
  }
  return
}

// The first thread overwrites what all of them load of a channel: a thread has the group.
func.func @first_overwritten(%x: memref<6x3x35xi32>, %y: memref<6x3x35xi32>) {
  %0:2 = memref.distinct_objects %x, %y : memref<6x3x35xi32>, memref<6x3x35xi32>
  %zero = arith.constant 0 : i32
  affine.for %g = 0 to 6 {
    %s = affine.for %c = 0 to 3 iter_args(%a = %zero) -> (i32) {
      %t = affine.for %p = 0 to 35 iter_args(%b = %a) -> (i32) {
        %v = affine.load %0#0[%g, %c, %p] : memref<6x3x35xi32>
        %n = arith.addi %b, %v : i32
        affine.yield %n : i32
      }
      affine.yield %t : i32
    }
    affine.for %c = 0 to 3 {
      %u = affine.load %0#1[%g, %c, 0] : memref<6x3x35xi32>
      affine.for %p = 0 to 35 {
        %v = affine.load %0#1[%g, %c, %p] : memref<6x3x35xi32>
        %d = arith.subi %v, %u : i32
        %e = arith.muli %d, %s : i32
        affine.store %e, %0#1[%g, %c, %p] : memref<6x3x35xi32>
      }
    }
  }
  return
}

// The same, of a nest that also reduces.
func.func @first_overwritten_by_sum(%x: memref<6x3x35xi32>, %y: memref<6x3x35xi32>, %z: memref<6xi32>) {
  %0:3 = memref.distinct_objects %x, %y, %z : memref<6x3x35xi32>, memref<6x3x35xi32>, memref<6xi32>
  %zero = arith.constant 0 : i32
  affine.for %g = 0 to 6 {
    %s = affine.for %c = 0 to 3 iter_args(%a = %zero) -> (i32) {
      %u = affine.load %0#1[%g, %c, 0] : memref<6x3x35xi32>
      %t = affine.for %p = 0 to 35 iter_args(%b = %a) -> (i32) {
        %v = affine.load %0#0[%g, %c, %p] : memref<6x3x35xi32>
        %d = arith.subi %v, %u : i32
        affine.store %d, %0#1[%g, %c, %p] : memref<6x3x35xi32>
        %n = arith.addi %b, %d : i32
        affine.yield %n : i32
      }
      affine.yield %t : i32
    }
    affine.store %s, %0#2[%g] : memref<6xi32>
  }
  return
}
