// Maps, layouts and types misused.

// expected-error@+1 {{2 size(s) are needed, one a result, not 1}}
#map = (d0, d1)[s0] -> (d0, d1) size (s0)

// -----

// expected-error@+1 {{a size is made of symbols and constants, not of dimensions}}
#map = (d0)[s0] -> (d0) size (min (s0, d0))

// -----

// expected-error@+1 {{`min` is of at least two sizes}}
#map = (d0)[s0] -> (d0) size (min (s0))

// -----

// expected-error@+1 {{the right side of `ceildiv` must be positive}}
#map = (d0) -> (ceildiv(d0, 0))

// -----

// expected-error@+1 {{non-affine expression: right operand of floordiv has to be either a constant or symbolic}}
#map = (d0, d1) -> (floordiv(d0, d1))

// -----

// expected-error@+1 {{use of undeclared identifier 'd9'}}
#set = (d0) : (d9 >= 0)

// -----

// expected-error@+1 {{expected '== affine-expr' or '>= affine-expr' at end of affine constraint}}
#set = (d0) : (d0 > 0)

// -----

// expected-error@+1 {{attribute names with a '.' are reserved for dialect-defined names}}
#a.b = (d0) -> (d0)

// -----

// expected-error@+1 {{a memref has one memory space}}
func @f(memref<4xf32, hbm, vmem>)

// -----

// expected-error@+1 {{the layouts of a memref stand before the memory space}}
func @f(memref<4xf32, hbm, (d0) -> (d0)>)

// -----

// expected-error@+1 {{an unranked memref has no layout}}
func @f(memref<*xf32, (d0) -> (d0)>)

// -----

// expected-error@+1 {{a layout is a map, not a set}}
func @f(memref<4xf32, (d0) : (d0 >= 0)>)

// -----

// expected-error@+1 {{this map takes 2 dimension(s), but the one before it gives 1}}
func @f(memref<4x4xf32, (i, j) -> (i + j), (i, j) -> (j, i)>)

// -----

// expected-error@+1 {{a strided layout is not composed with others}}
func @f(memref<4xf32, (i) -> (i + 1), offset: 0, strides: [1]>)

// -----

// expected-error@+1 {{expected the number of strides to match the rank}}
func @f(memref<4x4xf32, offset: 0, strides: [1]>)

// -----

// expected-error@+1 {{expected 'strides'}}
func @f(memref<4xf32, offset: 0, step: [1]>)

// -----

// expected-error@+1 {{a type cannot refer to a value}}
func @f(%n: index, %t: tensor<%n x f32>)

// -----

// expected-error@+1 {{a quantized integer has a range of two bounds}}
func @f(qi8<1.0>)

// -----

// expected-error@+1 {{expected a bound of the range: a number or `?`}}
func @f(qi8<low, high>)

// -----

// expected-error@+1 {{`%struct.x*` is not understood as a type of LLVM}}
func @f(!llvm<"%struct.x*">)

// -----

func @old()
// expected-error@+1 {{opaque elements are a string of hexadecimal digits after `0x`}}
#a = opaque<foo, "xyz"> : tensor<1xi8>

// -----

func @old()
// expected-error@+1 {{opaque elements are of a tensor or vector type}}
#a = opaque<foo, "0x00"> : i8

// -----

// expected-error@+1 {{duplicate key 'a' in dictionary attribute}}
func @f() attributes {a: 1, a: 2}
