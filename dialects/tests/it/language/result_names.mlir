// test: roundtrip --allow-unregistered-dialect --split-input-file
// test: roundtrip --allow-unregistered-dialect --split-input-file --mlir-print-op-generic
// test: print --allow-unregistered-dialect --split-input-file
// test: print --allow-unregistered-dialect --split-input-file --mlir-print-local-scope
// Results that are named after what makes them.
func.func @named(%m: memref<4x?xf32>, %flat: memref<?xf32>, %i: index, %f: f32, %c: i32, %v: vector<4xf32>, %shape: memref<2xindex>) {
  %vscale = vector.vscale
  %four = arith.constant 4 : index
  %times = arith.muli %vscale, %four : index
  %again = arith.muli %four, %vscale : index
  %no = arith.muli %four, %four : index
  %complex = complex.constant [1.0 : f32, 2.0 : f32] : complex<f32>
  %function = func.constant @g : () -> ()
  %yes = index.bool.constant true
  %small = index.constant -6
  %wide = arith.constant -3 : i129
  %flag = arith.constant true
  %flags = arith.constant dense<true> : vector<2xi1>
  %aligned = memref.assume_alignment %m, 8 : memref<4x?xf32>
  %address = memref.extract_aligned_pointer_as_index %m : memref<4x?xf32> -> index
  %all:6 = memref.extract_strided_metadata %m : memref<4x?xf32> -> memref<f32>, index, index, index, index, index
  %scalar = memref.alloc() : memref<f32>
  %few:2 = memref.extract_strided_metadata %scalar : memref<f32> -> memref<f32>, index
  %cast = memref.cast %m : memref<4x?xf32> to memref<?x?xf32>
  %reshaped = memref.reshape %flat(%shape) : (memref<?xf32>, memref<2xindex>) -> memref<?x?xf32>
  %sum, %carry = arith.addui_extended %c, %c : i32, i1
  %low, %high = arith.mulsi_extended %c, %c : i32
  %sin, %cos = math.sincos %f : f32
  %parts:2 = vector.deinterleave %v : vector<4xf32> -> vector<2xf32>
  %many:3 = "a.many"() : () -> (i32, i32, i32)
  "a.use"(%all#0, %all#1, %all#3, %all#5, %few#1, %carry, %high, %cos, %parts#1, %many#2) : (memref<f32>, index, index, index, index, i1, i32, f32, vector<2xf32>, i32) -> ()
  "a.region"() ({
    %again_named:2 = memref.extract_strided_metadata %scalar : memref<f32> -> memref<f32>, index
    "a.use"(%again_named#1, %all#4) : (index, index) -> ()
  }) : () -> ()
  return
}
func.func private @g()
// -----
func.func @tensors(%t: tensor<4x?xf32>, %flat: tensor<4xf32>, %i: index, %f: f32, %shape: tensor<2xindex>) {
  %0 = tensor.cast %t : tensor<4x?xf32> to tensor<4x4xf32>
  %1 = tensor.concat dim(0) %0, %0 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
  %2 = tensor.extract %t[%i, %i] : tensor<4x?xf32>
  %3 = tensor.from_elements %f, %2 : tensor<2xf32>
  %4 = tensor.insert %f into %t[%i, %i] : tensor<4x?xf32>
  %5 = tensor.rank %4 : tensor<4x?xf32>
  %6 = tensor.splat %f : tensor<4xf32>
  %7 = tensor.empty() : tensor<4xf32>
  %8 = tensor.reshape %flat(%shape) : (tensor<4xf32>, tensor<2xindex>) -> tensor<2x2xf32>
  return
}
// -----
// Counts in hexadecimal, and numbers of results some way behind the name.
func.func @counted() -> i32 {
  %a:0x2 = "a.two"() : () -> (i32, i32)
  %b:0x01, %c = "a.two"() : () -> (i32, i32)
  %0 = arith.addi %a#0, %b : i32
  %1 = arith.addi %a #0, %b : i32
  %2 = arith.addi %a #1, %b : i32
  %3 = arith.addi %a	#1, %a
    #0 : i32
  %4 = arith.addi %2, %3 : i32
  %5 = arith.addi %a, %4 : i32
  %6 = arith.addi %a #1, %5 : i32
  "a.use"(%a#1, %a #1, %a) : (i32, i32, i32) -> ()
  "a.use"(%b, %a #1, %b) : (i32, i32, i32) -> ()
  "a.use"(%b, %a #0, %b) : (i32, i32, i32) -> ()
  return %6 : i32
}
