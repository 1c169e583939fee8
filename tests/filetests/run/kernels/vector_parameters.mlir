// Vectors are arguments of kernels: of two launches of one kernel, one of which others wait for, beside a scalar, a memref and workgroup
// memory, and of one of a matrix. The first adds [1, 2] t times to row t of ones, the second [2, 3]; the last one multiplies the first and the last element by
// 3 and 5.
// test: run --arg=ones --arg=iota
// expect: arg 0 = [3, 1, 4, 6, 7, 55]
// expect: arg 1 = [0, 1, 2, 3]
// test: run-compiled --arg=ones --arg=iota
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @add(%n: f32, %v: vector<2xf32>, %x: memref<3x2xf32>, %w: vector<1xf32>) workgroup(%s: memref<3xf32, #gpu.address_space<workgroup>>) kernel {
      %c0 = arith.constant 0 : index
      %t = gpu.thread_id x
      %i = arith.index_cast %t : index to i32
      %f = arith.sitofp %i : i32 to f32
      %one = vector.extract %w[0] : f32 from vector<1xf32>
      %g = arith.mulf %f, %n : f32
      memref.store %g, %s[%t] : memref<3xf32, #gpu.address_space<workgroup>>
      %h = memref.load %s[%t] : memref<3xf32, #gpu.address_space<workgroup>>
      %k = arith.mulf %h, %one : f32
      %u = vector.broadcast %k : f32 to vector<2xf32>
      %m = arith.mulf %u, %v : vector<2xf32>
      %old = vector.load %x[%t, %c0] : memref<3x2xf32>, vector<2xf32>
      %new = arith.addf %old, %m : vector<2xf32>
      vector.store %new, %x[%t, %c0] : memref<3x2xf32>, vector<2xf32>
      gpu.return
    }
    gpu.func @scale(%v: vector<3x2xf32>, %x: memref<3x2xf32>) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %flat = vector.shape_cast %v : vector<3x2xf32> to vector<6xf32>
      %e:6 = vector.to_elements %flat : vector<6xf32>
      %a = memref.load %x[%c0, %c0] : memref<3x2xf32>
      %p = arith.mulf %a, %e#0 : f32
      memref.store %p, %x[%c0, %c0] : memref<3x2xf32>
      %b = memref.load %x[%c2, %c1] : memref<3x2xf32>
      %q = arith.mulf %b, %e#5 : f32
      memref.store %q, %x[%c2, %c1] : memref<3x2xf32>
      gpu.return
    }
  }
  func.func @main(%x: memref<3x2xf32>, %y: memref<4xf32>) {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %one = arith.constant 1.0 : f32
    %v = vector.load %y[%c1] : memref<4xf32>, vector<2xf32>
    %w = vector.load %y[%c2] : memref<4xf32>, vector<2xf32>
    %unit = vector.from_elements %one : vector<1xf32>
    %t0 = gpu.wait async
    %t1 = gpu.launch_func async [%t0] @m::@add blocks in (%c1, %c1, %c1) threads in (%c3, %c1, %c1)
      args(%one : f32, %v : vector<2xf32>, %x : memref<3x2xf32>, %unit : vector<1xf32>)
    gpu.wait [%t1]
    gpu.launch_func @m::@add blocks in (%c1, %c1, %c1) threads in (%c3, %c1, %c1)
      args(%one : f32, %w : vector<2xf32>, %x : memref<3x2xf32>, %unit : vector<1xf32>)
    %a = vector.broadcast %v : vector<2xf32> to vector<3x2xf32>
    %b = vector.broadcast %w : vector<2xf32> to vector<3x2xf32>
    %sum = arith.addf %a, %b : vector<3x2xf32>
    gpu.launch_func @m::@scale blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
      args(%sum : vector<3x2xf32>, %x : memref<3x2xf32>)
    return
  }
}
