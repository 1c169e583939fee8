// test: error opt --affine-loop-unroll-jam=unroll-jam-factor=2
// exit: 0
// remark: 16:3: the new order would violate a flow dependence of distance 1
// remark: 30:3: the new order would violate a flow dependence of distance 1
// remark: 45:3: the bounds of a loop in it differ from iteration to iteration
// remark: 56:8: it carries a reduction by 'arith.addf' on floats, which keeps its order
// remark: 70:8: it carries a value from iteration to iteration that is no reduction
// remark: 85:3: an anti dependence between its iterations cannot be excluded
// remark: 99:3: it has 'func.call', an operation with unknown side effects
// remark: 110:3: its bounds are a minimum or maximum

// The second iteration of a row would read a[i, j + 1] before the first writes it, as it does an
// iteration of %j later.
func.func @next_column(%a: memref<8x8xi32>) {
  // The loop of rows.
  affine.for %i = 1 to 8 {
    affine.for %j = 0 to 7 {
      %x = affine.load %a[%i - 1, %j + 1] : memref<8x8xi32>
      %y = arith.addi %x, %x : i32
      affine.store %y, %a[%i, %j] : memref<8x8xi32>
    }
  }
  return
}

// What stands behind the loop inside would come after what stands before it in the next iteration.
func.func @around(%s: memref<i32>, %a: memref<8x8xi32>) {
  %one = arith.constant 1 : i32
  // The loop of rows.
  affine.for %i = 0 to 8 {
    %x = affine.load %s[] : memref<i32>
    affine.for %j = 0 to 8 {
      affine.store %x, %a[%i, %j] : memref<8x8xi32>
    }
    %y = arith.addi %x, %one : i32
    affine.store %y, %s[] : memref<i32>
  }
  return
}

// A triangle.
func.func @triangle(%a: memref<8x8xi32>, %x: i32) {

  // The loop of rows.
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to affine_map<(d0) -> (d0 + 1)>(%i) {
      affine.store %x, %a[%i, %j] : memref<8x8xi32>
    }
  }
  return
}

// A sum of floats keeps its order.
func.func @floats(%a: memref<8x8xf32>) -> f32 {
  %z = arith.constant 0.0 : f32
  %r = affine.for %i = 0 to 8 iter_args(%s = %z) -> f32 {
    %q = affine.for %j = 0 to 8 iter_args(%t = %s) -> f32 {
      %x = affine.load %a[%i, %j] : memref<8x8xf32>
      %u = arith.addf %t, %x : f32
      affine.yield %u : f32
    }
    affine.yield %q : f32
  }
  return %r : f32
}

// Horner's rule is no reduction.
func.func @horner(%a: memref<8xi32>, %x: i32) -> i32 {
  %z = arith.constant 0 : i32
  %r = affine.for %i = 0 to 8 iter_args(%s = %z) -> i32 {
    affine.for %j = 0 to 8 {
      affine.store %x, %a[%j] : memref<8xi32>
    }
    %p = arith.muli %s, %x : i32
    %q = arith.addi %p, %x : i32
    affine.yield %q : i32
  }
  return %r : i32
}

// Which element is read is not known.
func.func @gather(%a: memref<64xi32>, %at: memref<8x8xindex>) {

  // The loop of rows.
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      %k = affine.load %at[%i, %j] : memref<8x8xindex>
      %x = memref.load %a[%k] : memref<64xi32>
      affine.store %x, %a[%i * 8 + %j] : memref<64xi32>
    }
  }
  return
}

func.func private @elsewhere()
func.func @calls(%a: memref<8x8xi32>, %x: i32) {

  // The loop of rows.
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      func.call @elsewhere() : () -> ()
      affine.store %x, %a[%i, %j] : memref<8x8xi32>
    }
  }
  return
}

func.func @least(%a: memref<?x8xi32>, %x: i32, %m: index, %n: index) {
  // The loop of rows.
  affine.for %i = 0 to min affine_map<()[s0, s1] -> (s0, s1)>()[%m, %n] {
    affine.for %j = 0 to 8 {
      affine.store %x, %a[%i, %j] : memref<?x8xi32>
    }
  }
  return
}
