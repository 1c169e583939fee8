// test: roundtrip --allow-unregistered-dialect --split-input-file
// test: roundtrip --allow-unregistered-dialect --split-input-file --mlir-print-op-generic
// test: print --allow-unregistered-dialect --split-input-file
// test: print --allow-unregistered-dialect --split-input-file --mlir-print-local-scope
// Types of the dialect, with blanks and aliases that the canonical form drops.

!element = f32
!inner = !spirv.struct<(!element [0], i32 [4, NonWritable])>
"test.types"() : () -> (
  !spirv.array<4xf32>, !spirv.array< 4 x f32, stride = 16>,
  !spirv.array<2 x !spirv.array<3x!element,stride=4>, stride=12>,
  !spirv.rtarray<f32>, !spirv.rtarray<!inner, stride = 8>,
  !spirv.ptr<!inner, StorageBuffer>, !spirv<ptr<i1, Function>>,
  !spirv.ptr<!spirv.ptr<si8,PhysicalStorageBuffer>, Private>,
  !spirv.matrix<3xvector<3xf32>>, !spirv.matrix< 2 x vector<4xf16>>,
  !spirv.image<f32, Dim2D, NoDepth, NonArrayed, SingleSampled, SamplerUnknown, Unknown>,
  !spirv.image<i32,Buffer,IsDepth,Arrayed,MultiSampled,NoSampler,Rgba32i>,
  !spirv.sampled_image<!spirv.image<f32, Cube, DepthUnknown, NonArrayed, SingleSampled, NeedSampler, Rgba8>>,
  !spirv.coopmatrix<8x16xi8, Subgroup, MatrixA>, !spirv.coopmatrix<16 x 8 x f16,Workgroup,MatrixAcc>,
  !spirv.arm.tensor<14x19xf32>, !spirv.arm.tensor<?x?xi8>, !spirv.arm.tensor<*xf16>)

// -----

"test.structs"() : () -> (
  !spirv.struct<()>, !spirv.struct<(f32)>, !spirv.struct<(f32 [0], i32 [4])>,
  !spirv.struct<(f32 [NonWritable], i32 [NonReadable, NonWritable])>,
  !spirv.struct<(f32 [0, NonWritable, Aliased], vector<4xf16> [8, Location = 3, RelaxedPrecision])>,
  !spirv.struct<(f32 [], i32)>, !spirv.struct<(i32 [-4])>,
  !spirv.struct<(f32, i32), Block>, !spirv.struct<(f32 [0]), BufferBlock, Block>,
  !spirv.struct<named, (f32, i32)>, !spirv.struct<empty, ()>, !spirv.struct<a.b, (f32), Block>)

// -----

"test.recursive"() : () -> (
  !spirv.struct<list, (f32, !spirv.ptr<!spirv.struct<list>, Generic>)>,
  !spirv.struct<a, (!spirv.ptr<!spirv.struct<b, (!spirv.ptr<!spirv.struct<a>, Uniform>,
    !spirv.ptr<!spirv.struct<b>, Uniform>)>, Uniform>)>)

// -----

// Elements of tensors and cooperative matrices.
"test.elements"() {
  a = dense<[1.0, 2.0]> : !spirv.arm.tensor<2xf32>,
  b = dense<[[true, false], [true, true]]> : !spirv.coopmatrix<2x2xi1, Subgroup, MatrixA>,
  c = dense<"0x0102"> : !spirv.arm.tensor<2xi8>,
  e = dense_resource<k> : !spirv.coopmatrix<2x2xi1, Subgroup, MatrixA>, f = dense<1> : !spirv.arm.tensor<2x3xi32>} : () -> ()
{-# dialect_resources: {builtin: {k: "0x0400000000"}} #-}

// -----

spirv.module Logical GLSL450 {
  spirv.func @f() "None" {
    %0 = spirv.Constant dense<[1.0, 2.0]> : !spirv.arm.tensor<2xf32>
    %1 = spirv.Constant dense<1.0> : !spirv.arm.tensor<2x3xf32>
    spirv.Return
  }
}
