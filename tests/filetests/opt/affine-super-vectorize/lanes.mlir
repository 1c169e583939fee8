// test: opt "--affine-super-vectorize=virtual-vector-size=4 vectorize-reductions"
// test: run-opt --entry=rest --arg=random:1 --arg=random:2
// test: run-opt --entry=open --arg=random:1[9] --arg=random:2[9] --arg=1 --arg=9
// test: run-opt --entry=open --arg=random:1[9] --arg=random:2[9] --arg=1 --arg=4
// test: run-opt --entry=open --arg=random:1[9] --arg=random:2[9] --arg=5 --arg=2
// test: run-opt --entry=uniform --arg=random:1 --arg=random:2 --arg=random:3
// test: run-opt --entry=inner --arg=random:1 --arg=random:2 --arg=random:3
// test: run-opt --entry=offsets --arg=random:1 --arg=random:2
// test: run-opt --entry=sums --arg=random:1 --arg=zeros
// test: run-opt --entry=regrouped --arg=iota --arg=zeros
// test: run-opt --entry=wide --arg=random:1 --arg=random:2 --arg=9223372036854775807

// The row goes on behind the loop: the last two iterations are no vector.
func.func @rest(%a: memref<6x20xf32>, %b: memref<6x20xf32>) {
  affine.for %i = 0 to 6 {
    affine.for %j = 0 to 10 {
      %x = affine.load %a[%i, %j + 3] : memref<6x20xf32>
      %y = arith.mulf %x, %x : f32
      affine.store %y, %b[%i, %j + 1] : memref<6x20xf32>
    }
  }
  return
}

// As many iterations as the arguments say, none where they say less.
func.func @open(%a: memref<?xf32>, %b: memref<?xf32>, %l: index, %n: index) {
  %l0 = affine.min affine_map<()[s0] -> (s0, 100)>()[%l]
  %l1 = affine.max affine_map<(d0) -> (d0, 0)>(%l0)
  %n0 = affine.min affine_map<()[s0] -> (s0, 100)>()[%n]
  %n1 = affine.max affine_map<(d0) -> (d0, 0)>(%n0)
  affine.for %i = %l1 to %n1 {
    %x = affine.load %a[%i] : memref<?xf32>
    %y = math.absf %x : f32
    affine.store %y, %b[%i] : memref<?xf32>
  }
  return
}

// What is the same in all lanes; comparisons and choices.
func.func @uniform(%a: memref<8xf32>, %b: memref<3x8xf32>, %c: memref<3xf32>) {
  %half = arith.constant 0.5 : f32
  affine.for %k = 0 to 3 {
    affine.for %i = 0 to 8 {
      %x = affine.load %a[%i] : memref<8xf32>
      %s = affine.load %c[%k] : memref<3xf32>
      %t = arith.addf %s, %half : f32
      %is = arith.cmpf ogt, %x, %t : f32
      %y = arith.select %is, %x, %t : f32
      %z = arith.mulf %y, %half : f32
      affine.store %z, %b[%k, %i] : memref<3x8xf32>
    }
  }
  return
}

// The loop inside sums in each lane.
func.func @inner(%a: memref<5x8xi32>, %b: memref<8xi32>, %f: memref<5xi32>) {
  %z = arith.constant 0 : i32
  affine.for %i = 0 to 8 {
    %s = affine.for %k = 0 to 5 iter_args(%sum = %z) -> i32 {
      %x = affine.load %a[%k, %i] : memref<5x8xi32>
      %w = affine.load %f[%k] : memref<5xi32>
      %p = arith.muli %x, %w : i32
      %new = arith.addi %sum, %p : i32
      affine.yield %new : i32
    }
    affine.store %s, %b[%i] : memref<8xi32>
  }
  return
}

// Subscripts that are computed.
func.func @offsets(%a: memref<40xi32>, %b: memref<40xi32>) {
  affine.for %k = 0 to 4 {
    affine.for %i = 2 to 10 {
      %p = affine.apply affine_map<(d0, d1) -> (d0 * 8 + d1)>(%k, %i)
      %x = affine.load %a[%p - 2] : memref<40xi32>
      affine.store %x, %b[%p - 1] : memref<40xi32>
    }
  }
  return
}

// Partial sums as lanes, with what the loop starts with and what is left.
func.func @sums(%a: memref<3x11xi32>, %b: memref<3x2xi32>) {
  %c5 = arith.constant 5 : i32
  %least = arith.constant -2147483648 : i32
  affine.for %i = 0 to 3 {
    %s, %m = affine.for %j = 0 to 11 iter_args(%sum = %c5, %max = %least) -> (i32, i32) {
      %x = affine.load %a[%i, %j] : memref<3x11xi32>
      %s = arith.addi %sum, %x : i32
      %m = arith.maxsi %max, %x : i32
      affine.yield %s, %m : i32, i32
    }
    affine.store %s, %b[%i, 0] : memref<3x2xi32>
    affine.store %m, %b[%i, 1] : memref<3x2xi32>
  }
  return
}

// Small integers, whose sums are exact in any order.
func.func @regrouped(%a: memref<16xf32>, %b: memref<1xf32>) {
  %z = arith.constant 0.0 : f32
  %s = affine.for %i = 0 to 16 iter_args(%sum = %z) -> f32 {
    %x = affine.load %a[%i] : memref<16xf32>
    %new = arith.addf %sum, %x fastmath<reassoc> : f32
    affine.yield %new : f32
  }
  affine.store %s, %b[0] : memref<1xf32>
  return
}

// remark: 115:3: its trip count may overflow 64 bits
func.func @wide(%a: memref<8xf32>, %b: memref<8xf32>, %n: index) {
  affine.for %i = %n to 8 {
    %x = affine.load %a[%i] : memref<8xf32>
    affine.store %x, %b[%i] : memref<8xf32>
  }
  return
}
