// test: canonical
func.func @two_unknown_extents(%t: tensor<?x?xf32>, %n: index, %m: index) -> tensor<?x?xf32> {
  %a = tensor.collapse_shape %t [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>
  %b = tensor.expand_shape %a [[0, 1]] output_shape [%n, %m] : tensor<?xf32> into tensor<?x?xf32>
  return %b : tensor<?x?xf32>
}

// differs: @beside_no_element: any extent fits
func.func @beside_no_element(%t: tensor<?x0xf32>, %n: index) -> tensor<?x0xf32> {
  %a = tensor.collapse_shape %t [[0, 1]] : tensor<?x0xf32> into tensor<?xf32>
  %b = tensor.expand_shape %a [[0, 1]] output_shape [%n, 0] : tensor<?xf32> into tensor<?x0xf32>
  return %b : tensor<?x0xf32>
}

func.func @one_unknown_in_each_group(%t: tensor<?x4x?xf32>, %n: index, %m: index) -> tensor<?x4x?xf32> {
  %a = tensor.collapse_shape %t [[0, 1], [2]] : tensor<?x4x?xf32> into tensor<?x?xf32>
  %b = tensor.expand_shape %a [[0, 1], [2]] output_shape [%n, 4, %m] : tensor<?x?xf32> into tensor<?x4x?xf32>
  return %b : tensor<?x4x?xf32>
}

func.func @unknown_collapsed_further(%t: tensor<?x?xf32>, %n: index, %m: index) -> tensor<?xf32> {
  %a = tensor.expand_shape %t [[0, 1], [2]] output_shape [%n, 4, %m] : tensor<?x?xf32> into tensor<?x4x?xf32>
  %b = tensor.collapse_shape %a [[0, 1, 2]] : tensor<?x4x?xf32> into tensor<?xf32>
  return %b : tensor<?xf32>
}

func.func @other_groups(%t: tensor<2x6xf32>) -> tensor<3x4xf32> {
  %a = tensor.collapse_shape %t [[0, 1]] : tensor<2x6xf32> into tensor<12xf32>
  %b = tensor.expand_shape %a [[0, 1]] output_shape [3, 4] : tensor<12xf32> into tensor<3x4xf32>
  return %b : tensor<3x4xf32>
}

func.func @slice_beyond(%t: tensor<8xf32>, %n: index) -> tensor<20xf32> {
  %a = tensor.extract_slice %t[%n][%n][1] : tensor<8xf32> to tensor<?xf32>
  %b = tensor.cast %a : tensor<?xf32> to tensor<20xf32>
  return %b : tensor<20xf32>
}

func.func @contradiction(%t: tensor<8xf32>) -> tensor<9xf32> {
  %a = tensor.cast %t : tensor<8xf32> to tensor<?xf32>
  %b = tensor.cast %a : tensor<?xf32> to tensor<9xf32>
  return %b : tensor<9xf32>
}

func.func @constants_of_index() -> tensor<2xindex> {
  %a = arith.constant 4 : index
  %b = arith.constant 7 : index
  %t = tensor.from_elements %a, %b : tensor<2xindex>
  return %t : tensor<2xindex>
}

func.func @truths() -> tensor<2xi1> {
  %a = arith.constant true
  %b = arith.constant false
  %t = tensor.from_elements %a, %b : tensor<2xi1>
  return %t : tensor<2xi1>
}

func.func @scalar() -> tensor<f32> {
  %a = arith.constant 1.0 : f32
  %t = tensor.from_elements %a : tensor<f32>
  return %t : tensor<f32>
}

// differs: @generated_from_memory: memory may have changed
func.func @generated_from_memory(%n: index, %i: index, %m: memref<?xf32>, %y: f32) -> f32 {
  %r = tensor.generate %n { ^bb0(%k: index): 
    %x = memref.load %m[%k] : memref<?xf32>
    tensor.yield %x : f32 } : tensor<?xf32>
  memref.store %y, %m[%i] : memref<?xf32>
  %b = tensor.extract %r[%i] : tensor<?xf32>
  return %b : f32
}

func.func @around_by_place(%t: tensor<4xindex>) -> tensor<10xindex> {
  %c = tensor.pad %t low[1] high[2] { ^bb0(%i: index): tensor.yield %i : index } : tensor<4xindex> to tensor<7xindex>
  %d = tensor.pad %c low[1] high[2] { ^bb0(%i: index): tensor.yield %i : index } : tensor<7xindex> to tensor<10xindex>
  return %d : tensor<10xindex>
}

func.func @constants_inside(%t: tensor<4xf32>) -> tensor<10xf32> {
  %c = tensor.pad %t low[1] high[2] { ^bb0(%i: index): 
   %x = arith.constant 0.0 : f32
   tensor.yield %x : f32 } : tensor<4xf32> to tensor<7xf32>
  %d = tensor.pad %c low[1] high[2] { ^bb0(%i: index): 
   %x = arith.constant 0.0 : f32
   tensor.yield %x : f32 } : tensor<7xf32> to tensor<10xf32>
  return %d : tensor<10xf32>
}

func.func @widths_that_tell_nothing(%t: tensor<?x?xf32>, %x: f32, %n: index) -> tensor<?x?xf32> {
  %c2 = arith.constant 2 : index
  %c = tensor.pad %t low[%c2, %n] high[0, 1] { ^bb0(%i: index, %j: index): tensor.yield %x : f32 } : tensor<?x?xf32> to tensor<?x?xf32>
  return %c : tensor<?x?xf32>
}

func.func @elsewhere(%t: tensor<8xf32>, %s: tensor<2xf32>, %u: tensor<2xf32>, %i: index, %j: index) -> tensor<8xf32> {
  %a = tensor.insert_slice %s into %t[%i][2][1] : tensor<2xf32> into tensor<8xf32>
  %r = tensor.insert_slice %u into %a[%j][2][1] : tensor<2xf32> into tensor<8xf32>
  return %r : tensor<8xf32>
}

func.func @over_another_rank(%t: tensor<8x8xf32>, %s: tensor<1x2xf32>, %u: tensor<2xf32>, %i: index, %j: index) -> tensor<8x8xf32> {
  %a = tensor.insert_slice %s into %t[%i, 0][1, 2][1, 1] : tensor<1x2xf32> into tensor<8x8xf32>
  %r = tensor.insert_slice %u into %a[%i, 0][1, 2][1, 1] : tensor<2xf32> into tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

func.func @row_put_back(%t: tensor<8x8xf32>, %i: index) -> tensor<8x8xf32> {
  %a = tensor.extract_slice %t[%i, 0][1, 2][1, 1] : tensor<8x8xf32> to tensor<2xf32>
  %r = tensor.insert_slice %a into %t[%i, 0][1, 2][1, 1] : tensor<2xf32> into tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

func.func @row_that_was_cast(%t: tensor<8x8xf32>, %s: tensor<3xf32>, %i: index) -> tensor<8x8xf32> {
  %d = tensor.cast %s : tensor<3xf32> to tensor<?xf32>
  %a = tensor.insert_slice %d into %t[%i, 0][1, %i][1, 1] : tensor<?xf32> into tensor<8x8xf32>
  return %a : tensor<8x8xf32>
}

func.func @parallel_part_that_was_cast(%t: tensor<8xf32>, %s: tensor<2xf32>, %n: index) -> tensor<8xf32> {
  %r = scf.forall (%i) in (4) shared_outs(%o = %t) -> (tensor<8xf32>) {
    %d = tensor.cast %s : tensor<2xf32> to tensor<?xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %d into %o[%i][%n][1] : tensor<?xf32> into tensor<8xf32>
    }
  }
  return %r : tensor<8xf32>
}

func.func @copies_reshaped(%s: tensor<2xindex>) -> tensor<2x2xf32> {
  %t = arith.constant dense<1.0> : tensor<4xf32>
  %r = tensor.reshape %t(%s) : (tensor<4xf32>, tensor<2xindex>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

func.func @of_unranked(%t: tensor<*xf32>, %s: tensor<2xindex>, %q: tensor<?xindex>) -> tensor<?x?xf32> {
  %r = tensor.reshape %t(%q) : (tensor<*xf32>, tensor<?xindex>) -> tensor<*xf32>
  %u = tensor.reshape %r(%s) : (tensor<*xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  return %u : tensor<?x?xf32>
}

func.func @two_dimensions(%t: tensor<2x3xf32>, %s: tensor<2xindex>) -> tensor<2x3xf32> {
  %u = tensor.reshape %t(%s) : (tensor<2x3xf32>, tensor<2xindex>) -> tensor<2x3xf32>
  return %u : tensor<2x3xf32>
}

func.func @three(%t: tensor<?x?xi32>, %s: tensor<4x?xi32>, %u: tensor<?x7xi32>) -> tensor<?x?xi32> {
  %a = tensor.concat dim(0) %t, %s, %u : (tensor<?x?xi32>, tensor<4x?xi32>, tensor<?x7xi32>) -> tensor<?x?xi32>
  return %a : tensor<?x?xi32>
}

func.func @element_into_a_cast(%t: tensor<4xi32>, %x: i32, %i: index) -> tensor<?xi32> {
  %c = tensor.cast %t : tensor<4xi32> to tensor<?xi32>
  %a = tensor.insert %x into %c[%i] : tensor<?xi32>
  return %a : tensor<?xi32>
}

func.func @element_into_what_a_cast_knows(%t: tensor<?xi32>, %x: i32, %i: index) -> tensor<4xi32> {
  %c = tensor.cast %t : tensor<?xi32> to tensor<4xi32>
  %a = tensor.insert %x into %c[%i] : tensor<4xi32>
  return %a : tensor<4xi32>
}

func.func @bits_of_constants() -> tensor<2xi32> {
  %c = arith.constant dense<1.0> : tensor<2xf32>
  %a = tensor.bitcast %c : tensor<2xf32> to tensor<2xi32>
  return %a : tensor<2xi32>
}

func.func @constant_forgotten() -> tensor<?xi32> {
  %c = arith.constant dense<1> : tensor<2xi32>
  %a = tensor.cast %c : tensor<2xi32> to tensor<?xi32>
  return %a : tensor<?xi32>
}
