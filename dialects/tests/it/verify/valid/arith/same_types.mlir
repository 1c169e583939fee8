// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
// The custom form spells one type only, so these have the generic form alone.
func.func @f(%a: tensor<?xf32>, %b: tensor<4xf32>, %e: tensor<4xf32, "e">) {
  %0 = "arith.addf"(%a, %b) : (tensor<?xf32>, tensor<4xf32>) -> tensor<?xf32>
  %1 = "arith.addf"(%b, %e) : (tensor<4xf32>, tensor<4xf32, "e">) -> tensor<4xf32>
  return
}
