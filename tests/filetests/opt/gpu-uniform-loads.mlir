// A thread of a row of up to 8 loads the elements of all of them and takes its own: of neighbours, of strides, of multiples of a
// place, of a place from the end, of vectors, of elements that two loads share, of rows that a workgroup has several of. What
// stays: loads in branches, loads not proved in range, at loaded places, of one element for all, of memory of the workgroup, of
// workgroups of other shapes, and of kernels with loops. Behind a store elements are loaded
// again; that one is not run here, since threads in lockstep is what keeps one from storing an element while others load it.
// test: opt --gpu-uniform-loads
// test: run-opt --entry=neighbours --arg=random:1 --arg=zeros
// test: run-opt --entry=rows --arg=random:1 --arg=zeros
// test: run-opt --entry=multiples --arg=random:1 --arg=zeros
// test: run-opt --entry=stays --arg=random:1 --arg=iota --arg=zeros
// test: run-opt --entry=walks --arg=random:1 --arg=zeros
// test: run-opt --entry=wide --arg=random:1 --arg=zeros

module attributes {gpu.container_module} {
gpu.module @kernels {
  gpu.func @neighbours(%x: memref<40xf32>, %y: memref<16xf32>) kernel attributes {known_block_size = array<i32: 4, 1, 1>} {
    %b = gpu.block_id x
    %t = gpu.thread_id x
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %first = arith.muli %b, %c4 : index
    %i = arith.addi %first, %t : index
    %next = arith.addi %i, %c1 : index
    %twice = arith.muli %t, %c2 : index
    %far = arith.addi %twice, %first : index
    %u = memref.load %x[%i] {gridloom.inbounds} : memref<40xf32>
    %v = memref.load %x[%next] {gridloom.inbounds} : memref<40xf32>
    %w = memref.load %x[%far] {gridloom.inbounds} : memref<40xf32>
    %uv = arith.addf %u, %v : f32
    %uvw = arith.mulf %uv, %w : f32
    memref.store %uvw, %y[%i] {gridloom.inbounds} : memref<16xf32>
    gpu.return
  }

  gpu.func @rows(%x: memref<2x8xf32>, %y: memref<2x8xf32>) kernel attributes {known_block_size = array<i32: 8, 2, 1>} {
    %t = gpu.thread_id x
    %row = gpu.thread_id y
    %c7 = arith.constant 7 : index
    %minus = arith.constant -1 : index
    %back = arith.muli %t, %minus : index
    %i = arith.addi %back, %c7 : index
    %v = memref.load %x[%row, %i] {gridloom.inbounds} : memref<2x8xf32>
    memref.store %v, %y[%row, %t] {gridloom.inbounds} : memref<2x8xf32>
    gpu.return
  }

  gpu.func @multiples(%x: memref<33xf32>, %y: memref<16xf32>) kernel attributes {known_block_size = array<i32: 4, 1, 1>} {
    %b = gpu.block_id x
    %t = gpu.thread_id x
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c32 = arith.constant 32 : index
    %minus = arith.constant -1 : index
    %first = arith.muli %b, %c4 : index
    %i = arith.addi %first, %t : index
    %twice = arith.muli %c2, %i : index
    %next = arith.addi %twice, %c1 : index
    %back = arith.muli %i, %minus : index
    %last = arith.addi %back, %c32 : index
    %mirrored = arith.subi %c32, %twice : index
    %pair = vector.load %x[%twice] {gridloom.inbounds} : memref<33xf32>, vector<2xf32>
    %even, %odd = vector.to_elements %pair : vector<2xf32>
    %u = memref.load %x[%twice] {gridloom.inbounds} : memref<33xf32>
    %v = memref.load %x[%next] {gridloom.inbounds} : memref<33xf32>
    %w = memref.load %x[%last] {gridloom.inbounds} : memref<33xf32>
    %m = memref.load %x[%mirrored] {gridloom.inbounds} : memref<33xf32>
    %uv = arith.subf %u, %v : f32
    %uvw = arith.mulf %uv, %w : f32
    %swapped = arith.subf %odd, %even : f32
    %uvws = arith.addf %uvw, %swapped : f32
    %uvwsm = arith.subf %uvws, %m : f32
    memref.store %uvwsm, %y[%i] {gridloom.inbounds} : memref<16xf32>
    gpu.return
  }

  gpu.func @again(%x: memref<2xf32>) kernel attributes {known_block_size = array<i32: 2, 1, 1>} {
    %t = gpu.thread_id x
    %u = memref.load %x[%t] {gridloom.inbounds} : memref<2xf32>
    %v = arith.addf %u, %u : f32
    memref.store %v, %x[%t] {gridloom.inbounds} : memref<2xf32>
    gpu.barrier
    %w = memref.load %x[%t] {gridloom.inbounds} : memref<2xf32>
    %z = arith.mulf %w, %w : f32
    gpu.barrier
    memref.store %z, %x[%t] {gridloom.inbounds} : memref<2xf32>
    gpu.return
  }

  gpu.func @stays(%x: memref<8xf32>, %at: memref<8xindex>, %y: memref<8xf32>) workgroup(%w: memref<8xf32, #gpu.address_space<workgroup>>)
      kernel attributes {known_block_size = array<i32: 8, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %one = memref.load %x[%c0] {gridloom.inbounds} : memref<8xf32>
    %unproved = memref.load %x[%t] : memref<8xf32>
    %place = memref.load %at[%t] : memref<8xindex>
    %there = memref.load %x[%place] : memref<8xf32>
    memref.store %there, %w[%t] {gridloom.inbounds} : memref<8xf32, #gpu.address_space<workgroup>>
    %own = memref.load %w[%t] {gridloom.inbounds} : memref<8xf32, #gpu.address_space<workgroup>>
    %is_low = arith.cmpi slt, %t, %c4 : index
    scf.if %is_low {
      %v = memref.load %x[%t] {gridloom.inbounds} : memref<8xf32>
      %s = arith.addf %v, %one : f32
      %r = arith.addf %s, %unproved : f32
      %q = arith.addf %r, %own : f32
      memref.store %q, %y[%t] {gridloom.inbounds} : memref<8xf32>
    }
    gpu.return
  }

  gpu.func @walks(%x: memref<8xf32>, %y: memref<8xf32>) kernel attributes {known_block_size = array<i32: 8, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %v = memref.load %x[%t] {gridloom.inbounds} : memref<8xf32>
    %s = scf.for %k = %c0 to %c3 step %c1 iter_args(%r = %v) -> (f32) {
      %q = arith.addf %r, %v : f32
      scf.yield %q : f32
    }
    memref.store %s, %y[%t] {gridloom.inbounds} : memref<8xf32>
    gpu.return
  }

  gpu.func @wide(%x: memref<16xf32>, %y: memref<16xf32>) kernel attributes {known_block_size = array<i32: 16, 1, 1>} {
    %t = gpu.thread_id x
    %v = memref.load %x[%t] {gridloom.inbounds} : memref<16xf32>
    memref.store %v, %y[%t] {gridloom.inbounds} : memref<16xf32>
    gpu.return
  }
}

func.func @walks(%x: memref<8xf32>, %y: memref<8xf32>) {
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  gpu.launch_func @kernels::@walks blocks in (%c1, %c1, %c1) threads in (%c8, %c1, %c1) args(%x : memref<8xf32>, %y : memref<8xf32>)
  return
}

func.func @neighbours(%x: memref<40xf32>, %y: memref<16xf32>) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  gpu.launch_func @kernels::@neighbours blocks in (%c4, %c1, %c1) threads in (%c4, %c1, %c1) args(%x : memref<40xf32>, %y : memref<16xf32>)
  return
}

func.func @rows(%x: memref<2x8xf32>, %y: memref<2x8xf32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  gpu.launch_func @kernels::@rows blocks in (%c1, %c1, %c1) threads in (%c8, %c2, %c1) args(%x : memref<2x8xf32>, %y : memref<2x8xf32>)
  return
}

func.func @multiples(%x: memref<33xf32>, %y: memref<16xf32>) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  gpu.launch_func @kernels::@multiples blocks in (%c4, %c1, %c1) threads in (%c4, %c1, %c1) args(%x : memref<33xf32>, %y : memref<16xf32>)
  return
}

func.func @again(%x: memref<2xf32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  gpu.launch_func @kernels::@again blocks in (%c1, %c1, %c1) threads in (%c2, %c1, %c1) args(%x : memref<2xf32>)
  return
}

func.func @stays(%x: memref<8xf32>, %at: memref<8xindex>, %y: memref<8xf32>) {
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  gpu.launch_func @kernels::@stays blocks in (%c1, %c1, %c1) threads in (%c8, %c1, %c1)
      args(%x : memref<8xf32>, %at : memref<8xindex>, %y : memref<8xf32>)
  return
}

func.func @wide(%x: memref<16xf32>, %y: memref<16xf32>) {
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  gpu.launch_func @kernels::@wide blocks in (%c1, %c1, %c1) threads in (%c16, %c1, %c1) args(%x : memref<16xf32>, %y : memref<16xf32>)
  return
}
}
