// Functions of a `gpu.module` with early returns, loops of blocks and affine loops, which kernels
// call in branches and loops.
// test: spirv
// test: run --entry=main --arg=iota --arg=zeros --arg=zeros
// expect: arg 1 = [1, 1, 2, 6, 24, 120, 720, 5040]
// expect: arg 2 = [-1, 0, 1, 3, 6, 10, 15, -1]
module attributes {gpu.container_module} {
  gpu.module @m {
    func.func @factorial(%n: i32) -> i32 {
      %one = arith.constant 1 : i32
      %end = arith.cmpi sle, %n, %one : i32
      cf.cond_br %end, ^base, ^loop
    ^base:
      return %one : i32
    ^loop:
      %m = arith.subi %n, %one : i32
      %r:2 = scf.while (%p = %n, %q = %m) : (i32, i32) -> (i32, i32) {
        %go = arith.cmpi sgt, %q, %one : i32
        scf.condition(%go) %p, %q : i32, i32
      } do {
      ^bb0(%p: i32, %q: i32):
        %t = arith.muli %p, %q : i32
        %u = arith.subi %q, %one : i32
        scf.yield %t, %u : i32, i32
      }
      return %r#0 : i32
    }
    func.func @sum_below(%a: memref<8xi32>, %n: index) -> i32 {
      %zero = arith.constant 0 : i32
      %s = affine.for %i = 0 to %n iter_args(%sum = %zero) -> i32 {
        %v = affine.load %a[%i] : memref<8xi32>
        %t = arith.addi %sum, %v : i32
        affine.yield %t : i32
      }
      return %s : i32
    }
    gpu.func @k(%a: memref<8xi32>, %f: memref<8xi32>, %s: memref<8xi32>) kernel {
      %t = gpu.thread_id x
      %c1 = arith.constant 1 : index
      %c6 = arith.constant 6 : index
      %minus = arith.constant -1 : i32
      %n = memref.load %a[%t] : memref<8xi32>
      %v = func.call @factorial(%n) : (i32) -> i32
      memref.store %v, %f[%t] : memref<8xi32>
      %before = arith.subi %t, %c1 : index
      %in = arith.cmpi ult, %before, %c6 : index
      %w = scf.if %in -> i32 {
        %x = func.call @sum_below(%a, %t) : (memref<8xi32>, index) -> i32
        scf.yield %x : i32
      } else {
        scf.yield %minus : i32
      }
      memref.store %w, %s[%t] : memref<8xi32>
      gpu.return
    }
  }
  func.func @main(%a: memref<8xi32>, %f: memref<8xi32>, %s: memref<8xi32>) {
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    gpu.launch_func @m::@k blocks in (%c1, %c1, %c1) threads in (%c8, %c1, %c1)
      args(%a : memref<8xi32>, %f : memref<8xi32>, %s : memref<8xi32>)
    return
  }
}
