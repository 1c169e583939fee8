// Choices between memrefs become choices between accesses: in loops of the host, where an iteration
// chooses, and anywhere in kernels.
// test: opt --dispatch-memref-choices --canonicalize
// test: run --entry=by_sign --arg=iota --arg=iota --arg=zeros
// expect: arg 0 = [5, 6, 2, 8, 9, 10]
// expect: arg 1 = [0, 1, 7, 3, 4, 5]
// expect: arg 2 = [1, 2, 3, 4, 5, 6]
// test: run --entry=of_three --arg=ones --arg=iota --arg=zeros --arg=zeros
// expect: arg 3 = [1, 1, 0, 1, 4, 0]
// test: run --entry=carried_by_the_host --arg=iota --arg=zeros
// expect: arg 0 = [0, 4, 8, 12]
// expect: arg 1 = [0, 2, 4, 6]
// test: run --entry=made_later --arg=iota --arg=iota --arg=zeros
// expect: arg 2 = [0, 2, 2, 4, 4, 6]
// test: run --entry=main --arg=iota --arg=zeros --arg=3
// expect: arg 1 = [3, 4, 5, 6, 7, 0, 1, 2]
// test: run --entry=main --arg=iota --arg=zeros --arg=0
// expect: arg 1 = [0, 1, 2, 3, 4, 5, 6, 7]
module attributes {gpu.container_module} {
  func.func @by_sign(%a: memref<6xi32>, %b: memref<6xi32>, %o: memref<6xi32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c6 = arith.constant 6 : index
    %one = arith.constant 1 : i32
    %five = arith.constant 5 : i32
    scf.for %i = %c0 to %c6 step %c1 {
      %two = arith.cmpi eq, %i, %c2 : index
      %m = arith.select %two, %b, %a : memref<6xi32>
      %x = memref.load %m[%i] : memref<6xi32>
      %y = arith.addi %x, %five : i32
      memref.store %y, %m[%i] : memref<6xi32>
      %z = arith.addi %x, %one : i32
      memref.store %z, %o[%i] : memref<6xi32>
    }
    return
  }
  func.func @of_three(%a: memref<6xi32>, %b: memref<6xi32>, %c: memref<6xi32>, %o: memref<6xi32>) {
    affine.for %i = 0 to 6 {
      %m = affine.if affine_set<(i) : (i mod 3 - 1 >= 0)>(%i) -> memref<6xi32> {
        %n = affine.if affine_set<(i) : (i mod 3 - 2 >= 0)>(%i) -> memref<6xi32> {
          affine.yield %c : memref<6xi32>
        } else {
          affine.yield %b : memref<6xi32>
        }
        affine.yield %n : memref<6xi32>
      } else {
        affine.yield %a : memref<6xi32>
      }
      %x = affine.load %m[%i] : memref<6xi32>
      affine.store %x, %o[%i] : memref<6xi32>
    }
    return
  }
  func.func @carried_by_the_host(%a: memref<4xi32>, %b: memref<4xi32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %r:2 = scf.for %s = %c0 to %c2 step %c1 iter_args(%x = %a, %y = %b) -> (memref<4xi32>, memref<4xi32>) {
      affine.for %i = 0 to 4 {
        %v = affine.load %x[%i] : memref<4xi32>
        %w = arith.addi %v, %v : i32
        affine.store %w, %y[%i] : memref<4xi32>
      }
      scf.yield %y, %x : memref<4xi32>, memref<4xi32>
    }
    return
  }
  // The second choice is between memory of the first one and memory that is made after that.
  func.func @made_later(%a: memref<6xi32>, %b: memref<6xi32>, %o: memref<6xi32>) {
    %c2 = arith.constant 2 : index
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : i32
    affine.for %i = 0 to 6 {
      %r = arith.remui %i, %c2 : index
      %even = arith.cmpi eq, %r, %zero : index
      %m = arith.select %even, %a, %b : memref<6xi32>
      %x = affine.load %m[%i] : memref<6xi32>
      affine.store %x, %o[%i] : memref<6xi32>
    }
    %c = memref.alloc() : memref<6xi32>
    affine.for %i = 0 to 6 {
      %x = affine.load %b[%i] : memref<6xi32>
      %y = arith.addi %x, %one : i32
      affine.store %y, %c[%i] : memref<6xi32>
    }
    affine.for %i = 0 to 6 {
      %r = arith.remui %i, %c2 : index
      %even = arith.cmpi eq, %r, %zero : index
      %m = arith.select %even, %b, %c : memref<6xi32>
      %x = affine.load %m[%i] : memref<6xi32>
      affine.store %x, %o[%i] : memref<6xi32>
    }
    memref.dealloc %c : memref<6xi32>
    return
  }
  // What is made inside of the loop cannot be accessed where the first choice is.
  func.func @made_between_stays(%a: memref<6xi32>, %b: memref<6xi32>, %c: i1, %d: i1, %o: memref<6xi32>) {
    affine.for %i = 0 to 6 {
      %m = arith.select %c, %a, %b : memref<6xi32>
      %x = affine.load %m[%i] : memref<6xi32>
      %t = memref.alloca() : memref<6xi32>
      affine.store %x, %t[5 - %i] : memref<6xi32>
      %n = arith.select %d, %m, %t : memref<6xi32>
      %y = affine.load %n[5 - %i] : memref<6xi32>
      affine.store %y, %o[%i] : memref<6xi32>
    }
    return
  }
  gpu.module @m {
    // Rows go round by one place in each step, from one buffer to the other.
    gpu.func @rotate(%a: memref<8xi32>, %o: memref<8xi32>, %n: index)
        workgroup(%p: memref<8xi32, #gpu.address_space<workgroup>>, %q: memref<8xi32, #gpu.address_space<workgroup>>) kernel
        attributes {known_block_size = array<i32: 8, 1, 1>} {
      %t = gpu.thread_id x
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c8 = arith.constant 8 : index
      %none = ub.poison : memref<8xi32, #gpu.address_space<workgroup>>
      %x = memref.load %a[%t] : memref<8xi32>
      memref.store %x, %p[%t] : memref<8xi32, #gpu.address_space<workgroup>>
      gpu.barrier
      %r:3 = scf.for %s = %c0 to %n step %c1 iter_args(%from = %p, %to = %q, %last = %none) -> (memref<8xi32, #gpu.address_space<workgroup>>, memref<8xi32, #gpu.address_space<workgroup>>, memref<8xi32, #gpu.address_space<workgroup>>) {
        %next = arith.addi %t, %c1 : index
        %j = arith.remui %next, %c8 : index
        %v = memref.load %from[%j] : memref<8xi32, #gpu.address_space<workgroup>>
        memref.store %v, %to[%t] : memref<8xi32, #gpu.address_space<workgroup>>
        gpu.barrier
        scf.yield %to, %from, %to : memref<8xi32, #gpu.address_space<workgroup>>, memref<8xi32, #gpu.address_space<workgroup>>, memref<8xi32, #gpu.address_space<workgroup>>
      }
      %y = memref.load %r#0[%t] : memref<8xi32, #gpu.address_space<workgroup>>
      memref.store %y, %o[%t] : memref<8xi32>
      gpu.return
    }
  }
  func.func @main(%a: memref<8xi32>, %o: memref<8xi32>, %n: index) {
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    gpu.launch_func @m::@rotate blocks in (%c1, %c1, %c1) threads in (%c8, %c1, %c1)
      args(%a : memref<8xi32>, %o : memref<8xi32>, %n : index)
    return
  }
}
