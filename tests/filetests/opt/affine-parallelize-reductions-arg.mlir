// test: opt "--affine-parallelize-reductions=target=cpu fp=strict"
// test: run-opt --entry=first_of_greatest --arg=random:1 --arg=zeros --arg=zeros
// test: run-opt --entry=last_of_least --arg=random:1 --arg=zeros
// test: run-opt --entry=until_nan --arg=random:1 --arg=zeros
// test: run-opt --entry=of_matrix --arg=random:1 --arg=zeros --arg=zeros
// test: run-opt --entry=left_alone --arg=random:1 --arg=zeros
// test: stages --affine-parallelize-reductions=target=gpu

// The counter is its own position; floats keep their order, and nothing of that is regrouped.
func.func @first_of_greatest(%a: memref<1002xf32>, %best: memref<f32>, %at: memref<index>) {
  %least = arith.constant 0xFF800000 : f32
  %none = arith.constant 0 : index
  %r:2 = affine.for %i = 0 to 1002 iter_args(%m = %least, %p = %none) -> (f32, index) {
    %x = affine.load %a[%i] : memref<1002xf32>
    %c = arith.cmpf ogt, %x, %m : f32
    %y = arith.select %c, %x, %m : f32
    %q = arith.select %c, %i, %p : index
    affine.yield %y, %q : f32, index
  }
  affine.store %r#0, %best[] : memref<f32>
  affine.store %r#1, %at[] : memref<index>
  return
}

// Position -1 stands for no iteration.
func.func @last_of_least(%a: memref<1000xi32>, %at: memref<i32>) {
  %most = arith.constant 2147483647 : i32
  %none = arith.constant -1 : i32
  %r:2 = affine.for %i = 0 to 1000 iter_args(%m = %most, %p = %none) -> (i32, i32) {
    %x = affine.load %a[%i] : memref<1000xi32>
    %c = arith.cmpi sle, %x, %m : i32
    %k = arith.index_cast %i : index to i32
    %y = arith.select %c, %x, %m : i32
    %q = arith.select %c, %k, %p : i32
    affine.yield %y, %q : i32, i32
  }
  affine.store %r#1, %at[] : memref<i32>
  return
}

// Behind a NaN nothing is taken: parts are of adjacent iterations, and keep their order.
func.func @until_nan(%a: memref<1000xf32>, %at: memref<i32>) {
  %least = arith.constant 0xFF800000 : f32
  %none = arith.constant -1 : i32
  %r:2 = affine.for %i = 0 to 1000 iter_args(%m = %least, %p = %none) -> (f32, i32) {
    %x = affine.load %a[%i] : memref<1000xf32>
    %c = arith.cmpf ogt, %x, %m : f32
    %k = arith.index_cast %i : index to i32
    %y = arith.maximumf %x, %m : f32
    %q = arith.select %c, %k, %p : i32
    affine.yield %y, %q : f32, i32
  }
  affine.store %r#1, %at[] : memref<i32>
  return
}

// Two counters are compared where elements are equal.
func.func @of_matrix(%a: memref<300x128xi32>, %rows: memref<index>, %columns: memref<index>) {
  %least = arith.constant -2147483648 : i32
  %none = arith.constant -1 : index
  %r:3 = affine.for %i = 0 to 300 iter_args(%m = %least, %p = %none, %q = %none) -> (i32, index, index) {
    %s:3 = affine.for %j = 0 to 128 iter_args(%n = %m, %t = %p, %u = %q) -> (i32, index, index) {
      %x = affine.load %a[%i, %j] : memref<300x128xi32>
      %c = arith.cmpi sgt, %x, %n : i32
      %y = arith.select %c, %x, %n : i32
      %v = arith.select %c, %i, %t : index
      %w = arith.select %c, %j, %u : index
      affine.yield %y, %v, %w : i32, index, index
    }
    affine.yield %s#0, %s#1, %s#2 : i32, index, index
  }
  affine.store %r#1, %rows[] : memref<index>
  affine.store %r#2, %columns[] : memref<index>
  return
}

// Left: what is compared is not what is kept. No argmax, but insertions of records: the best before the last one, and an
// unordered comparison.
func.func @left_alone(%a: memref<1000xf32>, %at: memref<3xf32>) {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant -1 : index
  %r:2 = affine.for %i = 0 to 1000 iter_args(%m = %zero, %p = %none) -> (f32, index) {
    %x = affine.load %a[%i] : memref<1000xf32>
    %size = math.absf %x : f32
    %c = arith.cmpf ogt, %size, %m : f32
    %y = arith.select %c, %x, %m : f32
    %q = arith.select %c, %i, %p : index
    affine.yield %y, %q : f32, index
  }
  affine.store %r#0, %at[0] : memref<3xf32>
  %s:2 = affine.for %i = 0 to 1000 iter_args(%m = %zero, %p = %zero) -> (f32, f32) {
    %x = affine.load %a[%i] : memref<1000xf32>
    %c = arith.cmpf ogt, %x, %m : f32
    %y = arith.select %c, %x, %m : f32
    %q = arith.select %c, %m, %p : f32
    affine.yield %y, %q : f32, f32
  }
  affine.store %s#1, %at[1] : memref<3xf32>
  %t:2 = affine.for %i = 0 to 1000 iter_args(%m = %zero, %p = %none) -> (f32, index) {
    %x = affine.load %a[%i] : memref<1000xf32>
    %c = arith.cmpf ugt, %x, %m : f32
    %y = arith.select %c, %x, %m : f32
    %q = arith.select %c, %i, %p : index
    affine.yield %y, %q : f32, index
  }
  affine.store %t#0, %at[2] : memref<3xf32>
  return
}
