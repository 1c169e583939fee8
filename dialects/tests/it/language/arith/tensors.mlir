// test: roundtrip --allow-unregistered-dialect --split-input-file
// test: roundtrip --allow-unregistered-dialect --split-input-file --mlir-print-op-generic
// test: print --allow-unregistered-dialect --split-input-file
// test: print --allow-unregistered-dialect --split-input-file --mlir-print-local-scope
func.func @tensors(%a: tensor<?xf32>, %u: tensor<*xf32>, %e: tensor<4xf32, "e">,
                  %s: vector<[4]xf32>, %c: i1, %m: tensor<4xi1, "e">) {
  %2 = arith.addf %u, %u : tensor<*xf32>
  %3 = arith.addf %s, %s fastmath<nsz,contract> : vector<[4]xf32>
  %4 = arith.cmpf oeq, %u, %u : tensor<*xf32>
  %5 = arith.cmpf oeq, %e, %e fastmath<nnan> : tensor<4xf32, "e">
  %6 = arith.extf %s : vector<[4]xf32> to vector<[4]xf64>
  %7 = arith.extf %a fastmath<fast> : tensor<?xf32> to tensor<?xf64>
  %8 = arith.truncf %a toward_zero fastmath<nnan> : tensor<?xf32> to tensor<?xf16>
  %9 = arith.truncf %a to_nearest_away : tensor<?xf32> to tensor<?xf16>
  %10 = arith.select %c, %u, %u : tensor<*xf32>
  %11 = arith.select %m, %e, %e : tensor<4xi1, "e">, tensor<4xf32, "e">
  %12 = arith.constant dense<1> : vector<[4]xi32>
  return
}
