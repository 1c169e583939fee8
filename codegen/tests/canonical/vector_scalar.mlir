// test: canonical
func.func @reduced_to_a_scalar(%a: vector<1xf32>, %b: f32) -> f32 {
  %x = vector.multi_reduction <add>, %a, %b [0] : vector<1xf32> to f32
  return %x : f32
}

func.func @reduced(%a: vector<f32>) -> f32 {
  %x = vector.reduction <add>, %a : vector<f32> into f32
  return %x : f32
}

func.func @read(%m: memref<f32>) -> vector<f32> {
  %f = arith.constant 0.0 : f32
  %x = vector.transfer_read %m[], %f : memref<f32>, vector<f32>
  return %x : vector<f32>
}

func.func @read_element(%m: memref<4xf32>, %i: index) -> vector<f32> {
  %f = arith.constant 0.0 : f32
  %x = vector.transfer_read %m[%i], %f : memref<4xf32>, vector<f32>
  return %x : vector<f32>
}

func.func @written_and_read(%m: tensor<4xf32>, %i: index, %v: vector<f32>) -> (tensor<4xf32>, vector<f32>) {
  %f = arith.constant 0.0 : f32
  %w = vector.transfer_write %v, %m[%i] : vector<f32>, tensor<4xf32>
  %x = vector.transfer_read %w[%i], %f : tensor<4xf32>, vector<f32>
  return %w, %x : tensor<4xf32>, vector<f32>
}

func.func @copied(%a: f32) -> vector<4xf32> {
  %x = vector.broadcast %a : f32 to vector<f32>
  %y = vector.broadcast %x : vector<f32> to vector<4xf32>
  return %y : vector<4xf32>
}

func.func @taken_of_a_copy(%a: f32) -> f32 {
  %x = vector.broadcast %a : f32 to vector<f32>
  %y = vector.extract %x[] : f32 from vector<f32>
  return %y : f32
}

func.func @put_and_taken(%a: f32, %v: vector<f32>) -> (f32, vector<f32>) {
  %x = vector.insert %a, %v[] : f32 into vector<f32>
  %y = vector.extract %x[] : f32 from vector<f32>
  return %y, %x : f32, vector<f32>
}

func.func @made_of_one(%a: f32) -> vector<f32> {
  %x = vector.from_elements %a : vector<f32>
  return %x : vector<f32>
}

func.func @taken_apart(%a: vector<f32>) -> vector<f32> {
  %e = vector.to_elements %a : vector<f32>
  %x = vector.from_elements %e : vector<f32>
  return %x : vector<f32>
}

func.func @in_no_dimension(%a: vector<1x1xf32>) -> vector<f32> {
  %x = vector.shape_cast %a : vector<1x1xf32> to vector<f32>
  return %x : vector<f32>
}

func.func @taken_of_another_shape(%a: vector<f32>) -> f32 {
  %x = vector.shape_cast %a : vector<f32> to vector<1x1xf32>
  %y = vector.extract %x[0, 0] : f32 from vector<1x1xf32>
  return %y : f32
}

func.func @transposed(%a: vector<f32>) -> vector<f32> {
  %x = vector.transpose %a, [] : vector<f32> to vector<f32>
  return %x : vector<f32>
}

func.func @picked(%a: vector<f32>, %b: vector<f32>) -> vector<3xf32> {
  %x = vector.shuffle %a, %b [0, 1, 0] : vector<f32>, vector<f32>
  return %x : vector<3xf32>
}

func.func @constants() -> (f32, vector<f32>) {
  %a = arith.constant dense<2.0> : vector<f32>
  %c = arith.constant 3.0 : f32
  %e = vector.extract %a[] : f32 from vector<f32>
  %i = vector.insert %c, %a[] : f32 into vector<f32>
  return %e, %i : f32, vector<f32>
}

func.func @bits(%a: vector<f32>) -> vector<f32> {
  %x = vector.bitcast %a : vector<f32> to vector<i32>
  %y = vector.bitcast %x : vector<i32> to vector<f32>
  return %y : vector<f32>
}

func.func @mask_copied() -> vector<4xi1> {
  %k = vector.constant_mask [1] : vector<i1>
  %b = vector.broadcast %k : vector<i1> to vector<4xi1>
  return %b : vector<4xi1>
}

func.func @mask_taken() -> i1 {
  %k = vector.constant_mask [1] : vector<i1>
  %b = vector.extract %k[] : i1 from vector<i1>
  return %b : i1
}

func.func @unknown_mask_taken(%n: index) -> i1 {
  %k = vector.create_mask %n : vector<i1>
  %b = vector.extract %k[] : i1 from vector<i1>
  return %b : i1
}

func.func @mask_of_one_dimension(%n: index) -> vector<1xi1> {
  %k = vector.create_mask %n : vector<i1>
  %b = vector.shape_cast %k : vector<i1> to vector<1xi1>
  return %b : vector<1xi1>
}

func.func @mask_of_none(%n: index) -> vector<i1> {
  %k = vector.create_mask %n : vector<1xi1>
  %b = vector.shape_cast %k : vector<1xi1> to vector<i1>
  return %b : vector<i1>
}

func.func @one_bound() -> vector<i1> {
  %c1 = arith.constant 1 : index
  %m = vector.create_mask %c1 : vector<i1>
  return %m : vector<i1>
}

func.func @no_bound() -> vector<i1> {
  %c1 = arith.constant 0 : index
  %m = vector.create_mask %c1 : vector<i1>
  return %m : vector<i1>
}

func.func @bound_beyond() -> vector<i1> {
  %c1 = arith.constant 7 : index
  %m = vector.create_mask %c1 : vector<i1>
  return %m : vector<i1>
}
