// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
// expected-error@+1 {{'affine.parallel' op expected lower bound map to have at least one result}}
"affine.parallel"() <{lowerBoundsGroups = dense<0> : tensor<1xi32>, lowerBoundsMap = affine_map<() -> ()>, reductions = [], steps = [1], upperBoundsGroups = dense<1> : tensor<1xi32>, upperBoundsMap = affine_map<() -> (8)>}> ({
^bb0(%i: index):
  affine.yield
}) : () -> ()

// -----

// expected-error@+1 {{'affine.parallel' op expected upper bound map to have at least one result}}
"affine.parallel"() <{lowerBoundsGroups = dense<[1, 1]> : tensor<2xi32>, lowerBoundsMap = affine_map<() -> (0, 0)>, reductions = [], steps = [1, 1], upperBoundsGroups = dense<[2, 0]> : tensor<2xi32>, upperBoundsMap = affine_map<() -> (8, 8)>}> ({
^bb0(%i: index, %j: index):
  affine.yield
}) : () -> ()
