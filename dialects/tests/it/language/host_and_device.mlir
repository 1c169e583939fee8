// test: roundtrip --allow-unregistered-dialect --split-input-file
// test: roundtrip --allow-unregistered-dialect --split-input-file --mlir-print-op-generic
// test: print --allow-unregistered-dialect --split-input-file
// test: print --allow-unregistered-dialect --split-input-file --mlir-print-local-scope
// except: part 1: mlir-opt drops the attributes of a yield that it leaves out
// Control flow, memory, functions and launches of the device, tokens.

module attributes {gpu.container_module} {
gpu.module @m { gpu.func @k(%a: f32 {a.b}, %b: memref<4xf32>) workgroup(%w: memref<3xf32,3> {x.y = 1}, %w2: memref<f32>) private(%p: memref<1xi32,5>) kernel attributes {known_block_size = array<i32: 1,2,3>, foo.x = 1} { gpu.return } 
 gpu.func @d(%a: f32) -> (f32 {x.z}, i32) {%c = arith.constant 1 : i32 gpu.return %a, %c : f32, i32} 
 gpu.func @d1() -> f32 {%c = arith.constant 1.0 : f32 gpu.return %c : f32} 
}
gpu.module @m2 attributes {x.y} {}
func.func @f(%n: index, %c: i1, %i: i32, %m: memref<4xf32>, %mm: memref<4x8xf32>, %v: f32, %d: memref<?xf32>) -> index {
 gpu.launch blocks(%a,%b,%dd) in (%e=%n,%g=%n,%h=%n) threads(%x,%j,%k) in (%l=%n,%o=%n,%p=%n) { gpu.terminator }
 gpu.launch blocks(%a,%b,%dd) in (%e=%n,%g=%n,%h=%n) threads(%x,%j,%k) in (%l=%n,%o=%n,%p=%n) dynamic_shared_memory_size %i workgroup(%w: memref<3xf32,3>) private(%pp: memref<1xf32,5>) { gpu.terminator } {foo.bar = 1}
 %t = gpu.launch async blocks(%a,%b,%dd) in (%e=%n,%g=%n,%h=%n) threads(%x,%j,%k) in (%l=%n,%o=%n,%p=%n) { gpu.terminator }
 %t9 = gpu.launch async [%t] clusters(%ca,%cb,%cc) in (%cd=%n,%ce=%n,%cf=%n) blocks(%a,%b,%dd) in (%e=%n,%g=%n,%h=%n) threads(%x,%j,%k) in (%l=%n,%o=%n,%p=%n) module(@m) function(@k) { gpu.terminator }
 gpu.launch_func @m::@k blocks in (%n,%n,%n) threads in (%n,%n,%n) args(%v : f32, %m: memref<4xf32>)
 gpu.launch_func @m::@k blocks in (%n,%n,%n) threads in (%n,%n,%n) dynamic_shared_memory_size %i args(%v : f32, %m: memref<4xf32>) {x.y}
 %t2 = gpu.launch_func async [%t] @m::@k clusters in (%n,%n,%n) blocks in (%n,%n,%n) threads in (%n,%n,%n) args(%v : f32, %m: memref<4xf32>)
 gpu.launch_func @m::@k blocks in (%i,%i,%i) threads in (%i,%i,%i) : i32 args(%v : f32, %m: memref<4xf32>)
 %t3 = gpu.wait async
 %t4 = gpu.wait async [%t3, %t2]
 gpu.wait [%t4]
 gpu.wait
 %g1 = gpu.alloc () : memref<3xf32>
 %g2 = gpu.alloc host_shared (%n) : memref<?xf32>
 %g3, %t5 = gpu.alloc async [%t2] (%n) : memref<?xf32>
 %g4 = gpu.alloc (%n)[%n] : memref<?xf32, affine_map<(d0)[s0]->(d0+s0)>>
 gpu.dealloc %g1 : memref<3xf32>
 %t6 = gpu.dealloc async [%t2] %g1 : memref<3xf32>
 gpu.memcpy %m, %m : memref<4xf32>, memref<4xf32>
 %t7 = gpu.memcpy async [%t6] %m, %m : memref<4xf32>, memref<4xf32> {x.y = 1}
 %t8 = gpu.memset async %m, %v : memref<4xf32>, f32
 %ar = gpu.all_reduce add %v uniform {} : (f32) -> f32
 %ar1 = gpu.all_reduce %v { ^bb(%q: f32, %r: f32): gpu.yield %q : f32 } : (f32) -> f32
 %r = scf.for %z = %n to %n step %n iter_args(%y = %v) -> (f32) { scf.yield %y : f32 }
 scf.for %z = %i to %i step %i : i32 { }
 scf.for unsigned %z = %i to %i step %i : i32 { } {x.y}
 scf.for %z = %n to %n step %n { scf.yield {x.z} }
 scf.if %c { }
 %s = scf.if %c -> f32 { scf.yield %v : f32 } else { scf.yield %v : f32 } {x.y}
 %s1, %s2 = scf.if %c -> (f32, f32) { scf.yield %v, %v : f32, f32 } else { scf.yield %v,%v : f32,f32 }
 scf.if %c { } else { }
 scf.if %c { } else { "x.y"() : () -> () }
 scf.parallel (%z) = (%n) to (%n) step (%n) { }
 %q1 = scf.parallel (%z, %zz) = (%n,%n) to (%n,%n) step (%n,%n) init (%v) -> f32 { scf.reduce(%v : f32) { ^bb0(%ll: f32, %rr: f32): scf.reduce.return %ll : f32 } }
 %q2:2 = scf.parallel (%z) = (%n) to (%n) step (%n) init (%v, %v) -> (f32, f32) { scf.reduce(%v,%v : f32,f32) { ^bb0(%ll: f32, %rr: f32): scf.reduce.return %ll : f32 }, { ^bb0(%ll: f32, %rr: f32): scf.reduce.return %ll : f32 } }
 %w1 = scf.while (%x1 = %n) : (index) -> index { scf.condition(%c) %x1 : index } do { ^bb0(%y1: index): scf.yield %y1 : index }
 scf.while : () -> () { scf.condition(%c) } do { scf.yield }
 %w2:2 = scf.while (%x1 = %n, %x2 = %v) : (index, f32) -> (f32, index) { scf.condition(%c) %x2, %x1 : f32, index } do { ^bb0(%y1: f32, %y2: index): scf.yield %y2, %y1 : index, f32 } attributes {x.y}
 %is = scf.index_switch %n -> f32 case 2 { scf.yield %v : f32 } case 5 { scf.yield %v : f32 } default { scf.yield %v : f32 }
 scf.index_switch %n {x.y} case 2 { scf.yield } default { }
 scf.index_switch %n {x.z} default { }
 %er = scf.execute_region -> f32 { scf.yield %v : f32 }
 scf.execute_region { cf.br ^bb1 ^bb1: scf.yield } {x.y}
 scf.execute_region no_inline { scf.yield }
 cf.switch %i : i32, [ default: ^bb1(%v: f32), 42: ^bb2, -3: ^bb1(%v : f32) ]
^bb1(%b1: f32):
 cf.switch %i : i32, [ default: ^bb2 ] {x.y}
^bb2:
 %se = arith.select %c, %v, %v : f32
 %cv = "t.v"() : () -> vector<3xi1>
 %vv = "t.v"() : () -> vector<3xf32>
 %se2 = arith.select %cv, %vv, %vv {x.y} : vector<3xi1>, vector<3xf32>
 memref.dma_start %m[%n], %m[%n], %n, %d[%n] : memref<4xf32>, memref<4xf32>, memref<?xf32>
 memref.dma_start %m[%n], %mm[%n, %n], %n, %d[%n], %n, %n : memref<4xf32>, memref<4x8xf32>, memref<?xf32>
 memref.dma_wait %d[%n], %n : memref<?xf32>
 memref.prefetch %m[%n], read, locality<3>, data : memref<4xf32>
 memref.prefetch %m[%n], write, locality<0>, instr : memref<4xf32>
 %tr = memref.transpose %mm (d0, d1) -> (d1, d0) : memref<4x8xf32> to memref<8x4xf32, strided<[1, 8]>>
 %ga = memref.generic_atomic_rmw %m[%n] : memref<4xf32> { ^bb0(%cur: f32): memref.atomic_yield %cur : f32 }
 memref.alloca_scope { %al = memref.alloca() : memref<3xf32> }
 %als = memref.alloca_scope -> (f32) { memref.alloca_scope.return %v : f32 } {x.y}
 %do:2 = memref.distinct_objects %m, %mm : memref<4xf32>, memref<4x8xf32>
 %gg = memref.get_global @g1 : memref<2xf32>
 return %n : index
}
memref.global @g1 : memref<2xf32>
memref.global "private" constant @g2 : memref<2xf32> = dense<[1.0, 2.0]> {alignment = 16}
memref.global "private" @g3 : memref<2xf32> = uninitialized
memref.global @g4 : memref<f32> = dense<1.0>
}
