// A mask goes to the operation under it: an element that is not set is not read, and not summed.
//
// test: opt --lower-vectors
// test: run-opt --arg=iota[5] --arg=1 --arg=2
func.func @masks(%a: memref<?xf32>, %i: index, %n: index) -> f32 {
  %mask = vector.create_mask %n : vector<3xi1>
  %zero = arith.constant 0.0 : f32
  %x = vector.mask %mask {
    vector.transfer_read %a[%i], %zero : memref<?xf32>, vector<3xf32>
  } : vector<3xi1> -> vector<3xf32>
  %sum = vector.mask %mask { vector.reduction <add>, %x : vector<3xf32> into f32 } : vector<3xi1> -> f32
  return %sum : f32
}
