// A kernel gets the elements of a vector that its launches pass; those of a vector of more than 64 stay together.
// test: opt --gpu-expand-launches
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @k(%n: f32, %v: vector<2xf32>, %x: memref<2xf32>) workgroup(%w: memref<2xf32, #gpu.address_space<workgroup>>) kernel {
      %c0 = arith.constant 0 : index
      vector.store %v, %w[%c0] : memref<2xf32, #gpu.address_space<workgroup>>, vector<2xf32>
      vector.store %v, %x[%c0] : memref<2xf32>, vector<2xf32>
      gpu.return
    }
    gpu.func @long(%v: vector<65xf32>, %x: memref<65xf32>) kernel {
      %c0 = arith.constant 0 : index
      vector.store %v, %x[%c0] : memref<65xf32>, vector<65xf32>
      gpu.return
    }
  }
  func.func @main(%n: f32, %v: vector<2xf32>, %x: memref<2xf32>, %l: vector<65xf32>, %y: memref<65xf32>) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @m::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%n : f32, %v : vector<2xf32>, %x : memref<2xf32>)
    gpu.launch_func @m::@long blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%l : vector<65xf32>, %y : memref<65xf32>)
    return
  }
}
