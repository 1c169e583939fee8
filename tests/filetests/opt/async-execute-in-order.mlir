// test: opt --async-execute-in-order

// Groups whose members nobody numbers need no memory.
func.func @group(%x: memref<8xf32>) -> f32 {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %group = async.create_group %c1 : !async.group
  %t, %v = async.execute -> !async.value<f32> {
    affine.for %i = 0 to 8 {
      affine.store %zero, %x[%i] : memref<8xf32>
    }
    %a = affine.load %x[0] : memref<8xf32>
    async.yield %a : f32
  }
  %at = async.add_to_group %t, %group : !async.token
  %u = async.execute [%t] (%v as %y: !async.value<f32>) {
    affine.store %y, %x[1] : memref<8xf32>
    async.yield
  }
  async.await_all %group
  %r = async.await %v : !async.value<f32>
  return %r : f32
}
