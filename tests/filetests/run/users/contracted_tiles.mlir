// A product whose tiles are carried as vectors by the loop over the third dimension.
// test: run --arg=iota --arg=iota --arg=zeros
// expect: arg 2 = [1120, 1148, 1176, 1204, 1232, 1260, 1288, 1316, 2912, 3004, 3096, 3188, 3280, 3372, 3464, 3556, 4704, 4860, 5016, 5172, 5328, 5484, 5640, 5796, 6496, 6716, 6936, 7156, 7376, 7596, 7816, 8036, 8288, 8572, 8856, 9140, 9424, 9708, 9992, 10276, 10080, 10428, 10776, 11124, 11472, 11820, 12168, 12516, 11872, 12284, 12696, 13108, 13520, 13932, 14344, 14756, 13664, 14140, 14616, 15092, 15568, 16044, 16520, 16996]
func.func @contracted_tiles(%a: memref<8x8xf32>, %b: memref<8x8xf32>, %c: memref<8x8xf32>) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c4 = arith.constant 4 : index
  %p = arith.constant 0.0 : f32
  scf.for %i = %c0 to %c8 step %c4 {
    scf.for %j = %c0 to %c8 step %c4 {
      %acc0 = vector.transfer_read %c[%i, %j], %p {in_bounds=[true,true]} : memref<8x8xf32>, vector<4x4xf32>
      %r = scf.for %k = %c0 to %c8 step %c4 iter_args(%acc=%acc0) -> vector<4x4xf32> {
        %x = vector.transfer_read %a[%i, %k], %p {in_bounds=[true,true]} : memref<8x8xf32>, vector<4x4xf32>
        %y = vector.transfer_read %b[%k, %j], %p {in_bounds=[true,true]} : memref<8x8xf32>, vector<4x4xf32>
        %z = vector.contract {indexing_maps=[affine_map<(m,n,k)->(m,k)>,affine_map<(m,n,k)->(k,n)>,affine_map<(m,n,k)->(m,n)>],iterator_types=["parallel","parallel","reduction"],kind=#vector.kind<add>} %x, %y,%acc : vector<4x4xf32>,vector<4x4xf32> into vector<4x4xf32>
        scf.yield %z : vector<4x4xf32>
      }
      vector.transfer_write %r, %c[%i, %j] {in_bounds=[true,true]} : vector<4x4xf32>, memref<8x8xf32>
    }
  }
  return
}
