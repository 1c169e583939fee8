// Relations, access sets and schedule trees misused.

##r = (d0) -> (r0) : r0 >= d0
// expected-error@+1 {{this relation is defined already}}
##r = (d0) -> (r0) : r0 >= d0

// -----

// expected-error@+1 {{redefinition of identifier 'd0'}}
##r = (d0) -> (d0) : d0 >= 0

// -----

// expected-error@+1 {{expected `==`, `>=` or `<=`}}
##r = (d0) -> (r0) : r0 + d0, r0 >= 0

// -----

// expected-error@+1 {{undefined relation `##none`}}
func @f(%m: memref<4xf32>) reads: {%m ##none()}

// -----

// expected-error@+1 {{this is not a parameter of the function}}
func @f(%m: memref<4xf32>) reads: {%x () -> (r0) : r0 >= 0 ()}

// -----

// expected-error@+1 {{only elements of a ranked memref are accessed}}
func @f(%m: f32) reads: {%m () -> (r0) : r0 >= 0 ()}

// -----

// expected-error@+1 {{the relation has 1 input(s) and 0 symbol(s), but 0 and 0 are given}}
func @f(%m: memref<4xf32>) reads: {%m (d0) -> (r0) : r0 == d0 ()}

// -----

// expected-error@+1 {{a relation is bound to values of type `index`}}
func @f(%m: memref<4xf32>, %i: i32) reads: {%m (d0) -> (r0) : r0 == d0 (%i)}

// -----

func @f(%m: memref<4xf32>)
  reads: {}
  // expected-error@+1 {{`reads` is given twice}}
  reads: {}

// -----

func @f(%m: memref<4xf32>) [
// expected-error@+1 {{expected `reads`, `writes`, `may_reads` or `may_writes`}}
]

// -----

#s = (i) : (i >= 0, 7 - i >= 0)
func @g(index)
func @f() {
  // expected-error@+1 {{the dimensions around this one do not make up `i`}}
  mldim %t : {S} i mod 4 {
    call @g(%i) with #s(%i)
  }
  return
}

// -----

#s = (i) : (i >= 0)
func @g(index)
func @f() {
  // expected-error@+1 {{no domain of a statement below bounds `i` on both sides}}
  mldim %t : {S} floordiv(i, 4) {
    call @g(%i) with #s(%i)
  }
  return
}

// -----

func @g(index)
func @f() {
  // expected-error@+1 {{expected `mldim` or `call` in a schedule tree}}
  mldim %t : {S} i { dealloc
}

// -----

func @f() {
  // expected-error@+1 {{the number must be positive}}
  mldim %t : {S} i mod 0 {
  }
  return
}

// -----

#s = (i) : (i >= 0)
func @g(index)
func @f(%n: index) {
  mldim %t : {S} i {
    // expected-error@+1 {{the set has 1 dimension(s) and 0 symbol(s), but 1 and 1 are given}}
    call @g(%i) with #s(%i)[%n]
}
