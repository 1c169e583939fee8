// test: canonical
func.func @by_nothing(%t: tensor<4x8xf32>, %x: f32) -> tensor<4x8xf32> {
  %c = tensor.pad %t low[0, 0] high[0, 0] { ^bb0(%i: index, %j: index): tensor.yield %x : f32 } : tensor<4x8xf32> to tensor<4x8xf32>
  return %c : tensor<4x8xf32>
}

func.func @copy_wanted(%t: tensor<4x8xf32>, %x: f32) -> tensor<4x8xf32> {
  %c = tensor.pad %t nofold low[0, 0] high[0, 0] { ^bb0(%i: index, %j: index): tensor.yield %x : f32 } : tensor<4x8xf32> to tensor<4x8xf32>
  return %c : tensor<4x8xf32>
}

func.func @by_nothing_to_more(%t: tensor<?x8xf32>, %x: f32) -> tensor<4x8xf32> {
  %c = tensor.pad %t low[0, 0] high[0, 0] { ^bb0(%i: index, %j: index): tensor.yield %x : f32 } : tensor<?x8xf32> to tensor<4x8xf32>
  return %c : tensor<4x8xf32>
}

func.func @known_widths(%t: tensor<?x8xf32>, %x: f32) -> tensor<?x?xf32> {
  %c2 = arith.constant 2 : index
  %c = tensor.pad %t low[%c2, %c2] high[0, 1] { ^bb0(%i: index, %j: index): tensor.yield %x : f32 } : tensor<?x8xf32> to tensor<?x?xf32>
  return %c : tensor<?x?xf32>
}

func.func @of_a_cast(%t: tensor<4x8xf32>, %x: f32) -> tensor<8x8xf32> {
  %s = tensor.cast %t : tensor<4x8xf32> to tensor<?x?xf32>
  %c = tensor.pad %s low[2, 0] high[2, 0] { ^bb0(%i: index, %j: index): tensor.yield %x : f32 } : tensor<?x?xf32> to tensor<8x8xf32>
  return %c : tensor<8x8xf32>
}

func.func @of_a_cast_in_part(%t: tensor<4x8xf32>, %x: f32, %n: index) -> tensor<?x?xf32> {
  %s = tensor.cast %t : tensor<4x8xf32> to tensor<?x?xf32>
  %c = tensor.pad %s low[2, %n] high[2, 0] { ^bb0(%i: index, %j: index): tensor.yield %x : f32 } : tensor<?x?xf32> to tensor<?x?xf32>
  return %c : tensor<?x?xf32>
}

func.func @cast(%t: tensor<?x8xf32>, %x: f32, %n: index) -> tensor<8x8xf32> {
  %c = tensor.pad %t low[%n, 0] high[2, 0] { ^bb0(%i: index, %j: index): tensor.yield %x : f32 } : tensor<?x8xf32> to tensor<?x8xf32>
  %d = tensor.cast %c : tensor<?x8xf32> to tensor<8x8xf32>
  return %d : tensor<8x8xf32>
}

func.func @twice(%t: tensor<4x8xf32>) -> tensor<10x8xf32> {
  %x = arith.constant 0.0 : f32
  %c = tensor.pad %t low[1, 0] high[2, 0] { ^bb0(%i: index, %j: index): tensor.yield %x : f32 } : tensor<4x8xf32> to tensor<7x8xf32>
  %d = tensor.pad %c low[1, 0] high[2, 0] { ^bb0(%i: index, %j: index): tensor.yield %x : f32 } : tensor<7x8xf32> to tensor<10x8xf32>
  return %d : tensor<10x8xf32>
}
