// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
// An operation like one that is sound may be wrong by the values it takes and by what it holds.

func.func @f(%m: memref<8xf32>) {
  affine.for %i = 0 to 8 {
    %x = "foo.value"() : () -> index
    %0 = affine.load %m[%i] : memref<8xf32>
    // expected-error@+1 {{'affine.load' op operand cannot be used as a dimension id}}
    %1 = affine.load %m[%x] : memref<8xf32>
  }
  return
}
// -----
func.func @f(%m: memref<8xf32>, %n: index) {
  affine.for %i = 0 to 8 {
    %0 = affine.load %m[symbol(%n)] : memref<8xf32>
    // expected-error@+1 {{'affine.load' op operand cannot be used as a symbol}}
    %1 = affine.load %m[symbol(%i)] : memref<8xf32>
  }
  return
}
// -----
func.func @f(%m: memref<8xf32>, %f: f32) {
  affine.for %i = 0 to 8 {
    %x = "foo.value"() : () -> index
    affine.store %f, %m[%i] : memref<8xf32>
    // expected-error@+1 {{'affine.store' op operand cannot be used as a dimension id}}
    affine.store %f, %m[%x] : memref<8xf32>
  }
  return
}
// -----
func.func @f(%m: memref<8xf32>) {
  affine.for %i = 0 to 8 {
    %x = "foo.value"() : () -> index
    affine.prefetch %m[%i], read, locality<3>, data : memref<8xf32>
    // expected-error@+1 {{'affine.prefetch' op index must be a valid dimension or symbol identifier}}
    affine.prefetch %m[%x], read, locality<3>, data : memref<8xf32>
  }
  return
}
// -----
func.func @f(%m: memref<8xf32>) {
  affine.for %i = 0 to 8 {
    %x = "foo.value"() : () -> index
    %0 = affine.vector_load %m[%i] : memref<8xf32>, vector<4xf32>
    // expected-error@+1 {{'affine.vector_load' op operand cannot be used as a dimension id}}
    %1 = affine.vector_load %m[%x] : memref<8xf32>, vector<4xf32>
  }
  return
}
// -----
func.func @f(%m: memref<8xf32>, %v: vector<4xf32>) {
  affine.for %i = 0 to 8 {
    %x = "foo.value"() : () -> index
    affine.vector_store %v, %m[%i] : memref<8xf32>, vector<4xf32>
    // expected-error@+1 {{'affine.vector_store' op operand cannot be used as a dimension id}}
    affine.vector_store %v, %m[%x] : memref<8xf32>, vector<4xf32>
  }
  return
}
// -----
func.func @f(%n: index) {
  affine.for %i = 0 to 8 {
    %0 = affine.apply affine_map<(d0)[s0] -> (d0 + s0)>(%i)[%n]
    // expected-error@+1 {{dimensional operand cannot be used as a symbol}}
    %1 = affine.apply affine_map<(d0)[s0] -> (d0 + s0)>(%i)[%i]
  }
  return
}
// -----
func.func @f(%n: index) {
  affine.for %i = 0 to 8 {
    affine.if affine_set<(d0)[s0] : (d0 - s0 >= 0)>(%i)[%n] {
    }
    // expected-error@+1 {{'affine.if' op operand cannot be used as a symbol}}
    affine.if affine_set<(d0)[s0] : (d0 - s0 >= 0)>(%i)[%i] {
    }
  }
  return
}
// -----
func.func @f(%n: index) -> i32 {
  %c = arith.constant 1 : i32
  %0 = affine.if affine_set<()[s0] : (s0 >= 0)>()[%n] -> i32 {
    affine.yield %c : i32
  } else {
    affine.yield %c : i32
  }
  // expected-error@+2 {{'affine.if' op along control flow edge from parent to parent: region branch point has 0 operands, but region successor needs 1 inputs}}
  // expected-note@+1 {{region branch point}}
  %1 = "affine.if"(%n) <{condition = affine_set<()[s0] : (s0 >= 0)>}> ({
    affine.yield %c : i32
  }, {
  }) : (index) -> i32
  return %1 : i32
}
// -----
func.func @f(%n: index) {
  affine.if affine_set<()[s0] : (s0 >= 0)>()[%n] {
  }
  // expected-error@+1 {{'affine.if' op region #0 ('thenRegion') failed to verify constraint: region with 1 blocks}}
  "affine.if"(%n) <{condition = affine_set<()[s0] : (s0 >= 0)>}> ({
  }, {
  }) : (index) -> ()
  return
}
// -----
func.func @f(%n: index) {
  affine.for %i = 0 to 8 {
    %x = "foo.value"() : () -> index
    affine.for %j = affine_map<(d0) -> (d0)>(%i) to 8 {
    }
    // expected-error@+1 {{'affine.for' op operand cannot be used as a dimension id}}
    affine.for %j = affine_map<(d0) -> (d0)>(%x) to 8 {
    }
  }
  return
}
// -----
func.func @f(%n: index) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to affine_map<()[s0] -> (s0)>()[%n] {
    }
    // expected-error@+1 {{'affine.for' op operand cannot be used as a symbol}}
    affine.for %j = 0 to affine_map<()[s0] -> (s0)>()[%i] {
    }
  }
  return
}
// -----
func.func @f() {
  "affine.for"() <{lowerBoundMap = affine_map<() -> (0)>, operandSegmentSizes = array<i32: 0, 0, 0>, step = 1 : index, upperBoundMap = affine_map<() -> (8)>}> ({
  ^bb0(%i: index):
    affine.yield
  }) : () -> ()
  // expected-error@+1 {{'affine.for' op expected body to have a single index argument for the induction variable}}
  "affine.for"() <{lowerBoundMap = affine_map<() -> (0)>, operandSegmentSizes = array<i32: 0, 0, 0>, step = 1 : index, upperBoundMap = affine_map<() -> (8)>}> ({
  ^bb0(%i: i32):
    affine.yield
  }) : () -> ()
  return
}
// -----
func.func @f() {
  "affine.for"() <{lowerBoundMap = affine_map<() -> (0)>, operandSegmentSizes = array<i32: 0, 0, 0>, step = 1 : index, upperBoundMap = affine_map<() -> (8)>}> ({
  ^bb0(%i: index):
    affine.yield
  }) : () -> ()
  // expected-error@+1 {{'affine.for' op different number of inits and region iter_args: 0 != 1}}
  "affine.for"() <{lowerBoundMap = affine_map<() -> (0)>, operandSegmentSizes = array<i32: 0, 0, 0>, step = 1 : index, upperBoundMap = affine_map<() -> (8)>}> ({
  ^bb0(%i: index, %a: f32):
    affine.yield
  }) : () -> ()
  return
}
// -----
func.func @f() {
  affine.for %i = 0 to 8 {
  }
  // expected-error@+1 {{'affine.for' op region #0 ('region') failed to verify constraint: region with 1 blocks}}
  "affine.for"() <{lowerBoundMap = affine_map<() -> (0)>, operandSegmentSizes = array<i32: 0, 0, 0>, step = 1 : index, upperBoundMap = affine_map<() -> (8)>}> ({
  }) : () -> ()
  return
}
