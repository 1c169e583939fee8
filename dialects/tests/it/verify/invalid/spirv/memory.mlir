// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
// Rules of memory.

func.func @f(%p: !spirv.ptr<f32, StorageBuffer>, %v: i32) {
  // expected-error@+1 {{mismatch in result type and pointer type}}
  "spirv.Store"(%p, %v) : (!spirv.ptr<f32, StorageBuffer>, i32) -> ()
  return
}

// -----

func.func @f(%p: !spirv.ptr<f32, StorageBuffer>) {
  // expected-error@+1 {{mismatch in result type and pointer type}}
  %0 = "spirv.Load"(%p) : (!spirv.ptr<f32, StorageBuffer>) -> i32
  return
}

// -----

func.func @f(%p: !spirv.ptr<f32, StorageBuffer>) {
  // expected-error@+1 {{missing alignment value}}
  %0 = "spirv.Load"(%p) <{memory_access = #spirv.memory_access<Aligned>}> : (!spirv.ptr<f32, StorageBuffer>) -> f32
  return
}

// -----

func.func @f(%p: !spirv.ptr<f32, StorageBuffer>) {
  // expected-error@+1 {{invalid alignment specification with non-aligned memory access specification}}
  %0 = "spirv.Load"(%p) <{alignment = 4 : i32, memory_access = #spirv.memory_access<Volatile>}> : (!spirv.ptr<f32, StorageBuffer>) -> f32
  return
}

// -----

func.func @f(%p: !spirv.ptr<f32, StorageBuffer>) {
  // expected-error@+1 {{invalid alignment specification without aligned memory access specification}}
  %0 = "spirv.Load"(%p) <{alignment = 4 : i32}> : (!spirv.ptr<f32, StorageBuffer>) -> f32
  return
}

// -----

func.func @f(%p: !spirv.ptr<f32, StorageBuffer>) {
  // expected-error@+1 {{attribute 'alignment' failed to satisfy constraint: 32-bit signless integer attribute whose value is positive and whose value is a power of two > 0}}
  %0 = spirv.Load "StorageBuffer" %p ["Aligned", 3] : f32
  return
}

// -----

func.func @f(%p: !spirv.ptr<f32, StorageBuffer>) {
  // expected-error@+1 {{invalid memory_access attribute specification}}
  %0 = spirv.Load "StorageBuffer" %p ["Sometimes"] : f32
  return
}

// -----

func.func @f(%p: !spirv.ptr<f32, StorageBuffer>) {
  // expected-error@+1 {{invalid storage_class attribute specification}}
  %0 = spirv.Load "Nowhere" %p : f32
  return
}

// -----

func.func @f(%p: !spirv.ptr<f32, StorageBuffer>, %q: !spirv.ptr<i32, StorageBuffer>) {
  // expected-error@+1 {{both operands must be pointers to the same type}}
  "spirv.CopyMemory"(%p, %q) : (!spirv.ptr<f32, StorageBuffer>, !spirv.ptr<i32, StorageBuffer>) -> ()
  return
}

// -----

func.func @f(%p: !spirv.ptr<f32, StorageBuffer>) {
  // expected-error@+1 {{missing alignment value}}
  "spirv.CopyMemory"(%p, %p) <{source_memory_access = #spirv.memory_access<Aligned>}> : (!spirv.ptr<f32, StorageBuffer>, !spirv.ptr<f32, StorageBuffer>) -> ()
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{can only be used to model function-level variables. Use spirv.GlobalVariable for module-level variables.}}
  %0 = spirv.Variable : !spirv.ptr<f32, Uniform>
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{storage class must match result pointer's storage class}}
  %0 = "spirv.Variable"() <{storage_class = #spirv.storage_class<Function>}> : () -> !spirv.ptr<f32, Uniform>
  return
}

// -----

func.func @f(%a: f32) {
  // expected-error@+1 {{initializer must be the result of a constant or spirv.GlobalVariable op}}
  %0 = spirv.Variable init(%a) : !spirv.ptr<f32, Function>
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{cannot have 'descriptor_set' attribute (only allowed in spirv.GlobalVariable)}}
  %0 = spirv.Variable bind(1, 2) : !spirv.ptr<f32, Function>
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{cannot have 'built_in' attribute (only allowed in spirv.GlobalVariable)}}
  %0 = spirv.Variable built_in("Position") : !spirv.ptr<f32, Function>
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{ with physical buffer pointer must be decorated either 'AliasedPointer' or 'RestrictPointer'}}
  %0 = spirv.Variable : !spirv.ptr<!spirv.ptr<f32, PhysicalStorageBuffer>, Function>
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{ with physical buffer pointer must be decorated either 'AliasedPointer' or 'RestrictPointer'}}
  %0 = spirv.Variable : !spirv.ptr<!spirv.array<2 x !spirv.ptr<f32, PhysicalStorageBuffer>>, Function>
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{expected spirv.ptr type}}
  %0 = spirv.Variable : f32
  return
}

// -----

func.func @f(%p: !spirv.ptr<!spirv.struct<(f32, !spirv.array<4 x i32>)>, Function>, %i: i32) {
  // expected-error@+1 {{'spirv.AccessChain' op index must be an integer spirv.Constant to access element of spirv.struct}}
  %0 = spirv.AccessChain %p[%i] : !spirv.ptr<!spirv.struct<(f32, !spirv.array<4 x i32>)>, Function>, i32 -> !spirv.ptr<f32, Function>
  return
}

// -----

func.func @f(%p: !spirv.ptr<!spirv.struct<(f32, !spirv.array<4 x i32>)>, Function>) {
  %i = spirv.Undef : i32
  // expected-error@+1 {{'spirv.AccessChain' index must be an integer spirv.Constant to access element of spirv.struct, but provided spirv.Undef}}
  %0 = spirv.AccessChain %p[%i] : !spirv.ptr<!spirv.struct<(f32, !spirv.array<4 x i32>)>, Function>, i32 -> !spirv.ptr<f32, Function>
  return
}

// -----

func.func @f(%p: !spirv.ptr<!spirv.struct<(f32, !spirv.array<4 x i32>)>, Function>) {
  %c = spirv.Constant 2 : i32
  // expected-error@+1 {{'spirv.AccessChain' op index 2 out of bounds for '!spirv.struct<(f32, !spirv.array<4 x i32>)>'}}
  %0 = spirv.AccessChain %p[%c] : !spirv.ptr<!spirv.struct<(f32, !spirv.array<4 x i32>)>, Function>, i32 -> !spirv.ptr<f32, Function>
  return
}

// -----

func.func @f(%p: !spirv.ptr<!spirv.struct<(f32, !spirv.array<4 x i32>)>, Function>) {
  %c = spirv.Constant 0 : i32
  // expected-error@+1 {{'spirv.AccessChain' op cannot extract from non-composite type 'f32' with index 0}}
  %0 = spirv.AccessChain %p[%c, %c] : !spirv.ptr<!spirv.struct<(f32, !spirv.array<4 x i32>)>, Function>, i32, i32 -> !spirv.ptr<f32, Function>
  return
}

// -----

func.func @f(%p: !spirv.ptr<!spirv.struct<(f32, !spirv.array<4 x i32>)>, Function>) {
  %c = spirv.Constant 0 : i32
  // expected-error@+1 {{invalid result type: expected '!spirv.ptr<f32, Function>', but provided '!spirv.ptr<i32, Function>'}}
  %0 = spirv.AccessChain %p[%c] : !spirv.ptr<!spirv.struct<(f32, !spirv.array<4 x i32>)>, Function>, i32 -> !spirv.ptr<i32, Function>
  return
}

// -----

func.func @f(%p: !spirv.ptr<f32, StorageBuffer>, %i: i32) {
  // expected-error@+1 {{invalid result type: expected}}
  %0 = spirv.PtrAccessChain %p[%i] : !spirv.ptr<f32, StorageBuffer>, i32 -> !spirv.ptr<i32, StorageBuffer>
  return
}

// -----

func.func @f(%p: !spirv.ptr<f32, StorageBuffer>) {
  // expected-error@+1 {{mismatch in result type and pointer type}}
  %0 = spirv.INTEL.SubgroupBlockRead %p : !spirv.ptr<f32, StorageBuffer> -> vector<3xi32>
  return
}

// -----

func.func @f(%p: !spirv.ptr<f32, StorageBuffer>, %v: i32) {
  // expected-error@+1 {{mismatch in result type and pointer type}}
  "spirv.INTEL.SubgroupBlockWrite"(%p, %v) : (!spirv.ptr<f32, StorageBuffer>, i32) -> ()
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{ with physical buffer pointer must have exactly one aliasing decoration}}
  %0 = spirv.Variable {aliased_pointer, restrict_pointer} : !spirv.ptr<!spirv.ptr<f32, PhysicalStorageBuffer>, Function>
  return
}

// -----

func.func @one_operand(%p: !spirv.ptr<f32, Function>) {
  // expected-error@+1 {{custom op 'spirv.Store' expected 2 operands}}
  spirv.Store "Function" %p : f32
  return
}

// -----

func.func @no_operand() {
  // expected-error@+1 {{expected operand}}
  spirv.Store "Function" : f32
  return
}

// -----

func.func @f(%p: !spirv.ptr<f32, Function>, %v: f32) {
  // expected-error@+1 {{expected ':'}}
  spirv.Store "Function" %p, %v ["Volatile"] {note} : f32
  return
}
