// test: roundtrip --allow-unregistered-dialect --split-input-file
// test: roundtrip --allow-unregistered-dialect --split-input-file --mlir-print-op-generic
// test: print --allow-unregistered-dialect --split-input-file
// test: print --allow-unregistered-dialect --split-input-file --mlir-print-local-scope
// Modules and what they hold.

spirv.module @whole Logical GLSL450 requires #spirv.vce<v1.0, [Shader], []> attributes {test.mark = 1 : i32} {
  spirv.GlobalVariable @buffer bind(0, 1) {location = 3 : i32} : !spirv.ptr<!spirv.struct<(f32 [0])>, StorageBuffer>
  spirv.GlobalVariable @id built_in("GlobalInvocationId") : !spirv.ptr<vector<3xi32>, Input>
  spirv.GlobalVariable @start initializer(@float) : !spirv.ptr<f32, Private>
  spirv.GlobalVariable @foreign {linkage_attributes = #spirv.linkage_attributes<linkage_name = "x", linkage_type = <Import>>} : !spirv.ptr<f32, Private>
  spirv.SpecConstant @int spec_id(5) = 42 : i32
  spirv.SpecConstant @bool = true
  spirv.SpecConstant @float = 1.5 : f32
  spirv.SpecConstantComposite @array (@int, @int) : !spirv.array<2 x i32>
  spirv.SpecConstantComposite @struct(@int, @float) : !spirv.struct<(i32, f32)>
  spirv.EXT.SpecConstantCompositeReplicate @splat (@int) : !spirv.array<4 x i32>
  spirv.func @main() "None" {
    %0 = spirv.mlir.addressof @id : !spirv.ptr<vector<3xi32>, Input>
    %1 = spirv.mlir.referenceof @int : i32
    %2 = spirv.mlir.referenceof @array : !spirv.array<2 x i32>
    %3 = spirv.SpecConstantOperation wraps "spirv.IAdd"(%1, %1) : (i32, i32) -> i32
    %4 = spirv.SpecConstantOperation wraps "spirv.CompositeExtract"(%2) <{indices = [0 : i32]}> : (!spirv.array<2 x i32>) -> i32
    spirv.Return
  }
  spirv.func @sum(%a: i32 {spirv.decoration = #spirv.decoration<RelaxedPrecision>}, %b: f32) -> f32 "Inline|Pure" attributes {test.mark = "x"} {
    spirv.ReturnValue %b : f32
  }
  spirv.func @imported(%a: i32) -> i32 "None" attributes {linkage_attributes = #spirv.linkage_attributes<linkage_name = "f", linkage_type = <Import>>}
  spirv.EntryPoint "GLCompute" @main, @id, @buffer
  spirv.EntryPoint "Vertex" @main
  spirv.ExecutionMode @main "ContractionOff"
  spirv.ExecutionMode @main "LocalSize", 64, 1, 1
}

// -----

spirv.module Physical64 OpenCL {
}

// -----

spirv.module PhysicalStorageBuffer64 Vulkan requires #spirv.vce<v1.6, [Shader, PhysicalStorageBufferAddresses], [SPV_KHR_physical_storage_buffer]> {
  spirv.GlobalVariable @pointers {aliased_pointer} : !spirv.ptr<!spirv.array<2 x !spirv.ptr<i32, PhysicalStorageBuffer>>, Private>
  spirv.func @variables() "DontInline" {
    %0 = spirv.Variable {aliased_pointer} : !spirv.ptr<!spirv.ptr<i32, PhysicalStorageBuffer>, Function>
    spirv.Return
  }
}

// -----

// Names without a row travel as they are.
spirv.module Logical GLSL450 {
  "spirv.SomethingNew"() {mark = #spirv.scope<Device>} : () -> ()
}
// -----
// Values are named after symbols whose characters cannot all stand in a name.
spirv.module Logical GLSL450 {
  spirv.GlobalVariable @"\11 1" : !spirv.ptr<f32, Private>
  spirv.func @f() "None" {
    %0 = spirv.mlir.addressof @"\11 1" : !spirv.ptr<f32, Private>
    spirv.Return
  }
}
// -----
// The visibility of a function stands among its other attributes.
spirv.module Logical GLSL450 {
  spirv.func @f() "None" attributes {sym_visibility = "private"} {
    spirv.Return
  }
}
