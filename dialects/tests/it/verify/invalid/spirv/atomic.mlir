// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
// Rules of atomic updates and barriers.

func.func @f(%p: !spirv.ptr<f32, StorageBuffer>, %v: i32) {
  // expected-error@+1 {{failed to verify that `value` type matches pointee type of `pointer`}}
  %0 = "spirv.AtomicIAdd"(%p, %v) <{memory_scope = #spirv.scope<Device>, semantics = #spirv.memory_semantics<None>}> : (!spirv.ptr<f32, StorageBuffer>, i32) -> i32
  return
}

// -----

func.func @f(%p: !spirv.ptr<i32, StorageBuffer>, %v: i32) {
  // expected-error@+1 {{expected at most one of these four memory constraints to be set: `Acquire`, `Release`,`AcquireRelease` or `SequentiallyConsistent`}}
  %0 = spirv.AtomicAnd <Device> <Acquire|Release> %p, %v : !spirv.ptr<i32, StorageBuffer>
  return
}

// -----

func.func @f(%p: !spirv.ptr<i32, StorageBuffer>, %v: i32) {
  // expected-error@+1 {{failed to verify that `result` type matches pointee type of `pointer`}}
  %0 = "spirv.AtomicOr"(%p, %v) <{memory_scope = #spirv.scope<Device>, semantics = #spirv.memory_semantics<None>}> : (!spirv.ptr<i32, StorageBuffer>, i32) -> i64
  return
}

// -----

func.func @f(%p: !spirv.ptr<i32, StorageBuffer>, %v: i32, %w: i64) {
  // expected-error@+1 {{failed to verify that `comparator` type matches pointee type of `pointer`}}
  %0 = "spirv.AtomicCompareExchange"(%p, %v, %w) <{memory_scope = #spirv.scope<Device>, equal_semantics = #spirv.memory_semantics<None>, unequal_semantics = #spirv.memory_semantics<None>}> : (!spirv.ptr<i32, StorageBuffer>, i32, i64) -> i32
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{expected at most one of these four memory constraints to be set}}
  spirv.ControlBarrier <Workgroup>, <Device>, <Acquire|SequentiallyConsistent>
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{expected at most one of these four memory constraints to be set}}
  spirv.MemoryBarrier <Device>, <Release|AcquireRelease>
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{requires attribute 'memory_scope'}}
  "spirv.MemoryBarrier"() <{memory_semantics = #spirv.memory_semantics<None>}> : () -> ()
  return
}

// -----

func.func @f(%p: !spirv.ptr<i32, StorageBuffer>, %v: i32) {
  // expected-error@+1 {{'spirv.EXT.AtomicFAdd' op operand #1 must be 16/32/64-bit float, but got 'i32'}}
  %r = "spirv.EXT.AtomicFAdd"(%p, %v) <{memory_scope = #spirv.scope<Device>, semantics = #spirv.memory_semantics<None>}> : (!spirv.ptr<i32, StorageBuffer>, i32) -> i32
  return
}
