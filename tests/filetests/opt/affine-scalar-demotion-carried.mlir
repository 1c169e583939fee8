// test: opt --affine-scalar-demotion
// test: run-opt --entry=substitution --arg=random:1 --arg=random:1 --arg=random:1
// test: run-opt --entry=in_place --arg=random:1
// test: run-opt --entry=from_zero --arg=random:1 --arg=random:1
// test: run-opt --entry=two_temporaries --arg=random:1 --arg=random:1
// test: run-opt --entry=two_values --arg=random:1 --arg=random:1
// test: run-opt --entry=left_alone --arg=random:1 --arg=random:1

// Forward substitution whose sum the inner loop carries: the sum is collected in the element.
func.func @substitution(%a: memref<20x20xf32>, %b: memref<20xf32>, %x: memref<20xf32>) {
  %x_apart, %a_apart = memref.distinct_objects %x, %a : memref<20xf32>, memref<20x20xf32>
  affine.for %i = 0 to 20 {
    %c = affine.load %b[%i] : memref<20xf32>
    %s = affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) iter_args(%acc = %c) -> f32 {
      %l = affine.load %a_apart[%i, %j] : memref<20x20xf32>
      %r = affine.load %x_apart[%j] : memref<20xf32>
      %p = arith.mulf %l, %r : f32
      %u = arith.subf %acc, %p : f32
      affine.yield %u : f32
    }
    %d = affine.load %a_apart[%i, %i] : memref<20x20xf32>
    %q = arith.divf %s, %d : f32
    affine.store %q, %x_apart[%i] : memref<20xf32>
  }
  return
}

// The sum starts from the element that it is stored in, so neither store around it is left.
func.func @in_place(%a: memref<20x20xf32>) {
  affine.for %i = 0 to 20 {
    affine.for %j = 0 to 20 {
      %x = affine.load %a[%i, %j] : memref<20x20xf32>
      %s = affine.for %k = 0 to min affine_map<(d0, d1) -> (d0, d1)>(%i, %j) iter_args(%acc = %x) -> f32 {
        %l = affine.load %a[%i, %k] : memref<20x20xf32>
        %r = affine.load %a[%k, %j] : memref<20x20xf32>
        %p = arith.mulf %l, %r : f32
        %u = arith.subf %acc, %p : f32
        affine.yield %u : f32
      }
      affine.store %s, %a[%i, %j] : memref<20x20xf32>
    }
  }
  return
}

// Two loops carry the sum, one inside of the other; what comes of it goes through other operations
// into the element.
func.func @from_zero(%a: memref<20x22xf32>, %x: memref<20xf32>) {
  %x_apart, %a_apart = memref.distinct_objects %x, %a : memref<20xf32>, memref<20x22xf32>
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 20 {
    %s = affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) iter_args(%acc = %zero) -> f32 {
      %t = affine.for %k = 0 to 3 iter_args(%bcc = %acc) -> f32 {
        %l = affine.load %a_apart[%i, %j + %k] : memref<20x22xf32>
        %r = affine.load %x_apart[%j] : memref<20xf32>
        %p = arith.mulf %l, %r : f32
        %u = arith.addf %bcc, %p : f32
        affine.yield %u : f32
      }
      affine.yield %t : f32
    }
    %n = arith.negf %s : f32
    %e = math.exp %n : f32
    affine.store %e, %x_apart[%i] : memref<20xf32>
  }
  return
}

// Two sums end up in one element, which can take the place of one.
func.func @two_temporaries(%a: memref<20x20xi32>, %x: memref<20xi32>) {
  %x_apart, %a_apart = memref.distinct_objects %x, %a : memref<20xi32>, memref<20x20xi32>
  %t = memref.alloca() : memref<i32>
  %u = memref.alloca() : memref<i32>
  %zero = arith.constant 0 : i32
  affine.for %i = 0 to 20 {
    affine.store %zero, %t[] : memref<i32>
    affine.store %zero, %u[] : memref<i32>
    affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) {
      %l = affine.load %a_apart[%i, %j] : memref<20x20xi32>
      %s = affine.load %t[] : memref<i32>
      %s1 = arith.addi %s, %l : i32
      affine.store %s1, %t[] : memref<i32>
      %r = affine.load %x_apart[%j] : memref<20xi32>
      %v = affine.load %u[] : memref<i32>
      %v1 = arith.addi %v, %r : i32
      affine.store %v1, %u[] : memref<i32>
    }
    %s = affine.load %t[] : memref<i32>
    %v = affine.load %u[] : memref<i32>
    %p = arith.muli %s, %v : i32
    affine.store %p, %x_apart[%i] : memref<20xi32>
  }
  return
}

func.func @two_values(%a: memref<20x20xi32>, %x: memref<20xi32>) {
  %x_apart, %a_apart = memref.distinct_objects %x, %a : memref<20xi32>, memref<20x20xi32>
  %zero = arith.constant 0 : i32
  affine.for %i = 0 to 20 {
    %s = affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) iter_args(%acc = %zero) -> i32 {
      %l = affine.load %a_apart[%i, %j] : memref<20x20xi32>
      %u = arith.addi %acc, %l : i32
      affine.yield %u : i32
    }
    %v = affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) iter_args(%acc = %zero) -> i32 {
      %r = affine.load %x_apart[%j] : memref<20xi32>
      %u = arith.addi %acc, %r : i32
      affine.yield %u : i32
    }
    %p = arith.muli %s, %v : i32
    affine.store %p, %x_apart[%i] : memref<20xi32>
  }
  return
}

// Left alone: the loop still reads the element's old value; iterations that are independent, where
// nothing is to be gained; an element that another store hides before the sum is stored.
func.func @left_alone(%a: memref<20x20xi32>, %x: memref<20xi32>) {
  %x_apart, %a_apart = memref.distinct_objects %x, %a : memref<20xi32>, memref<20x20xi32>
  %zero = arith.constant 0 : i32
  affine.for %i = 0 to 20 {
    %s = affine.for %j = 0 to affine_map<(d0) -> (d0 + 1)>(%i) iter_args(%acc = %zero) -> i32 {
      %r = affine.load %x_apart[%j] : memref<20xi32>
      %u = arith.addi %acc, %r : i32
      affine.yield %u : i32
    }
    affine.store %s, %x_apart[%i] : memref<20xi32>
  }
  affine.for %i = 0 to 20 {
    %s = affine.for %j = 0 to 20 iter_args(%acc = %zero) -> i32 {
      %r = affine.load %a_apart[%i, %j] : memref<20x20xi32>
      %u = arith.addi %acc, %r : i32
      affine.yield %u : i32
    }
    affine.store %s, %x_apart[%i] : memref<20xi32>
  }
  affine.for %i = 1 to 20 {
    %s = affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) iter_args(%acc = %zero) -> i32 {
      %r = affine.load %x_apart[%j] : memref<20xi32>
      %u = arith.addi %acc, %r : i32
      affine.yield %u : i32
    }
    affine.store %zero, %x_apart[%i] : memref<20xi32>
    %y = affine.load %x_apart[%i - 1] : memref<20xi32>
    %z = arith.addi %s, %y : i32
    affine.store %z, %x_apart[%i] : memref<20xi32>
  }
  return
}
