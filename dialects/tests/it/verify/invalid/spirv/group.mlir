// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
// Rules of groups.

func.func @f(%a: i32) {
  // expected-error@+1 {{execution scope must be 'Workgroup' or 'Subgroup'}}
  %0 = spirv.GroupNonUniformIAdd <Device> <Reduce> %a : i32 -> i32
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error@+1 {{cluster size operand must be provided for 'ClusteredReduce' group operation}}
  %0 = spirv.GroupNonUniformIAdd <Workgroup> <ClusteredReduce> %a : i32 -> i32
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error@+1 {{cluster size operand must come from a constant op}}
  %0 = spirv.GroupNonUniformIAdd <Workgroup> <ClusteredReduce> %a cluster_size(%a) : i32, i32 -> i32
  return
}

// -----

func.func @f(%a: i32) {
  %c = spirv.Constant 5 : i32
  // expected-error@+1 {{cluster size operand must be a power of two}}
  %0 = spirv.GroupNonUniformIAdd <Workgroup> <ClusteredReduce> %a cluster_size(%c) : i32, i32 -> i32
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error@+1 {{execution scope must be 'Workgroup' or 'Subgroup'}}
  %0 = spirv.GroupIAdd <Device> <Reduce> %a : i32
  return
}

// -----

func.func @f(%a: i32, %b: vector<4xi32>) {
  // expected-error@+1 {{localid is a vector and can be with only  2 or 3 components, actual number is 4}}
  %0 = spirv.GroupBroadcast <Workgroup> %a, %b : i32, vector<4xi32>
  return
}

// -----

func.func @f(%a: i1) {
  // expected-error@+1 {{execution scope must be 'Workgroup' or 'Subgroup'}}
  %0 = spirv.GroupNonUniformBallot <Device> %a : vector<4xi32>
  return
}

// -----

func.func @f(%a: i1) {
  // expected-error@+1 {{failed to verify that execution_scope must be Scope of value Subgroup}}
  %0 = spirv.GroupNonUniformAll <Workgroup> %a : i1
  return
}

// -----

func.func @f(%a: i32, %b: si32) {
  // expected-error@+1 {{second operand must be a singless/unsigned integer}}
  %0 = spirv.GroupNonUniformShuffle <Subgroup> %a, %b : i32, si32
  return
}

// -----

func.func @f(%a: i32, %b: i32) {
  // expected-error@+1 {{id must be the result of a constant op}}
  %0 = spirv.GroupNonUniformBroadcast <Subgroup> %a, %b : i32, i32
  return
}

// -----

func.func @f(%a: i32) {
  %c = spirv.Constant 6 : i32
  // expected-error@+1 {{cluster size operand must be a power of two}}
  %0 = spirv.GroupNonUniformRotateKHR <Subgroup> %a, %a, cluster_size(%c) : i32, i32, i32 -> i32
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{execution scope must be 'Workgroup' or 'Subgroup'}}
  %0 = spirv.GroupNonUniformElect <CrossDevice> : i1
  return
}

// -----

func.func @f(%a: vector<4xi32>) {
  // expected-error@+1 {{execution scope must be 'Workgroup' or 'Subgroup'}}
  %0 = spirv.GroupNonUniformBallotFindMSB <Device> %a : vector<4xi32>, i32
  return
}

// -----

func.func @f(%a: vector<3xi32>) {
  // expected-error@+1 {{operand #0 must be vector of 8/16/32/64-bit signless/unsigned integer values of length 4}}
  %0 = spirv.GroupNonUniformBallotFindLSB <Subgroup> %a : vector<3xi32>, i32
  return
}
