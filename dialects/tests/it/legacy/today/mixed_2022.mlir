// Functions without their dialect's name among operations of today.
#double = affine_map<(d0) -> (d0 * 2)>
func private @ext(memref<?xf32>) -> index
func @f(%m: memref<?xf32>, %c: i1, %t: tensor<?x4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = memref.dim %m, %c0 : memref<?xf32>
  %td = memref.dim %t, 0 : tensor<?x4xf32>
  %zero = arith.constant 0.0 : f32
  %s = scf.for %i = %c0 to %d step %c1 iter_args(%acc = %zero) -> (f32) {
    %x = memref.load %m[%i] : memref<?xf32>
    %y = arith.addf %acc, %x : f32
    scf.yield %y : f32
  }
  %k = call @ext(%m) : (memref<?xf32>) -> index
  %a = affine.for %i = 0 to 10 iter_args(%b = %zero) -> (f32) {
    %q = affine.apply #double(%i)
    affine.yield %b : f32
  }
  %u = memref.cast %m : memref<?xf32> to memref<4xf32>
  %v = memref.tensor_load %u : memref<4xf32>
  memref.tensor_store %v, %u : memref<4xf32>
  %h = arith.select %c, %s, %a : f32
  return %h : f32
}
func public @visible() { return }
// today:
func.func private @ext(memref<?xf32>) -> index
func.func @f(%m: memref<?xf32>, %c: i1, %t: tensor<?x4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = memref.dim %m, %c0 : memref<?xf32>
  %c0_0 = arith.constant 0 : index
  %td = tensor.dim %t, %c0_0 : tensor<?x4xf32>
  %zero = arith.constant 0.0 : f32
  %s = scf.for %i = %c0 to %d step %c1 iter_args(%acc = %zero) -> (f32) {
    %x = memref.load %m[%i] : memref<?xf32>
    %y = arith.addf %acc, %x : f32
    scf.yield %y : f32
  }
  %k = call @ext(%m) : (memref<?xf32>) -> index
  %a = affine.for %i = 0 to 10 iter_args(%b = %zero) -> (f32) {
    %q = affine.apply affine_map<(d0) -> (d0 * 2)>(%i)
    affine.yield %b : f32
  }
  %u = memref.cast %m : memref<?xf32> to memref<4xf32>
  %v = bufferization.to_tensor %u : memref<4xf32> to tensor<4xf32>
  bufferization.materialize_in_destination %v in writable %u : (tensor<4xf32>, memref<4xf32>) -> ()
  %h = arith.select %c, %s, %a : f32
  return %h : f32
}
func.func public @visible() { return }
