// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
// Types that cannot be.

// expected-error@+1 {{expected array length greater than 0}}
"test.op"() : () -> (!spirv.array<0xf32>)

// -----

// expected-error@+1 {{expected single integer for array element count}}
"test.op"() : () -> (!spirv.array<4x3xf32>)

// -----

// expected-error@+1 {{ArrayStride must be greater than zero}}
"test.op"() : () -> (!spirv.array<4xf32, stride = 0>)

// -----

// expected-error@+1 {{integer value too large}}
"test.op"() : () -> (!spirv.rtarray<f32, stride = 4294967296>)

// -----

// expected-error@+1 {{only 1/8/16/32/64-bit integer type allowed but found 'i7'}}
"test.op"() : () -> (!spirv.array<4xi7>)

// -----

// expected-error@+1 {{only 1-D vector allowed but found 'vector<2x3xf32>'}}
"test.op"() : () -> (!spirv.array<4xvector<2x3xf32>>)

// -----

// expected-error@+1 {{vector length has to be less than or equal to 4 but found 5}}
"test.op"() : () -> (!spirv.rtarray<vector<5xf32>>)

// -----

// expected-error@+1 {{cannot use 'index' to compose SPIR-V types}}
"test.op"() : () -> (!spirv.ptr<index, Uniform>)

// -----

// expected-error@+1 {{cannot use '!foo.bar' to compose SPIR-V types}}
"test.op"() : () -> (!spirv.ptr<!foo.bar, Uniform>)

// -----

// expected-error@+1 {{unknown storage class: Nowhere}}
"test.op"() : () -> (!spirv.ptr<f32, Nowhere>)

// -----

// expected-error@+1 {{matrix is expected to have 2, 3, or 4 columns}}
"test.op"() : () -> (!spirv.matrix<5xvector<3xf32>>)

// -----

// expected-error@+1 {{matrix columns' elements must be of Float type, got 'i32'}}
"test.op"() : () -> (!spirv.matrix<3xvector<3xi32>>)

// -----

// expected-error@+1 {{matrix columns size has to be less than or equal to 4 and greater than or equal 2, but found 5}}
"test.op"() : () -> (!spirv.matrix<3xvector<5xf32>>)

// -----

// expected-error@+1 {{matrix must be composed using vector type, got 'f32'}}
"test.op"() : () -> (!spirv.matrix<3xf32>)

// -----

// expected-error@+1 {{expected single unsigned integer for number of columns}}
"test.op"() : () -> (!spirv.matrix<3x3xf32>)

// -----

// expected-error@+1 {{unknown attribute: 'Dim4D'}}
"test.op"() : () -> (!spirv.image<f32, Dim4D, NoDepth, NonArrayed, SingleSampled, SamplerUnknown, Unknown>)

// -----

// expected-error@+1 {{sampled image must be composed using image type, got 'f32'}}
"test.op"() : () -> (!spirv.sampled_image<f32>)

// -----

// expected-error@+1 {{expected row and column count}}
"test.op"() : () -> (!spirv.coopmatrix<8xi32, Subgroup, MatrixA>)

// -----

// expected-error@+1 {{invalid scope <id> attribute specification: Sub}}
"test.op"() : () -> (!spirv.coopmatrix<8x16xi32, Sub, MatrixA>)

// -----

// expected-error@+1 {{invalid use <id> attribute specification: MatrixD}}
"test.op"() : () -> (!spirv.coopmatrix<8x16xi32, Subgroup, MatrixD>)

// -----

// expected-error@+1 {{arm.tensor shape dimensions must be either fully dynamic or completed shaped}}
"test.op"() : () -> (!spirv.arm.tensor<?x19xf32>)

// -----

// expected-error@+1 {{arm.tensors do not support rank zero}}
"test.op"() : () -> (!spirv.arm.tensor<f32>)

// -----

// expected-error@+1 {{arm.tensors do not support zero dimensions}}
"test.op"() : () -> (!spirv.arm.tensor<0xf32>)

// -----

// expected-error@+1 {{offset specification must be given for all members}}
"test.op"() : () -> (!spirv.struct<(f32 [0], i32)>)

// -----

// expected-error@+1 {{offset specification must be given for all members}}
"test.op"() : () -> (!spirv.struct<(f32, i32 [4])>)

// -----

// expected-error@+1 {{unknown attribute: 'Shiny'}}
"test.op"() : () -> (!spirv.struct<(f32 [Shiny])>)

// -----

// expected-error@+1 {{recursive struct reference not nested in struct definition}}
"test.op"() : () -> (!spirv.struct<alone>)

// -----

// expected-error@+1 {{identifier already used for an enclosing struct}}
"test.op"() : () -> (!spirv.struct<a, (!spirv.ptr<!spirv.struct<a, (f32)>, Generic>)>)

// -----

// expected-error@+1 {{unknown SPIR-V type: sampler}}
"test.op"() : () -> (!spirv.sampler)

// -----

// expected-error@+1 {{expected attribute value}}
func.func private @stride(!spirv.struct<(!spirv.matrix<2 x vector<2xf32>> [0, ColMajor, MatrixStride=])>)
