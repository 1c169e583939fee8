// The pull of 4096 bodies on each other, softened: coordinates and mass in a row.
func.func @n_body(%p: memref<4096x4xf32>, %f: memref<4096x3xf32>) {
  %zero = arith.constant 0.0 : f32
  %soft = arith.constant 0.01 : f32
  %one = arith.constant 1.0 : f32
  affine.for %i = 0 to 4096 {
    %x = affine.load %p[%i, 0] : memref<4096x4xf32>
    %y = affine.load %p[%i, 1] : memref<4096x4xf32>
    %z = affine.load %p[%i, 2] : memref<4096x4xf32>
    %r:3 = affine.for %j = 0 to 4096 iter_args(%fx = %zero, %fy = %zero, %fz = %zero) -> (f32, f32, f32) {
      %u = affine.load %p[%j, 0] : memref<4096x4xf32>
      %v = affine.load %p[%j, 1] : memref<4096x4xf32>
      %w = affine.load %p[%j, 2] : memref<4096x4xf32>
      %m = affine.load %p[%j, 3] : memref<4096x4xf32>
      %dx = arith.subf %u, %x : f32
      %dy = arith.subf %v, %y : f32
      %dz = arith.subf %w, %z : f32
      %xx = arith.mulf %dx, %dx : f32
      %yy = arith.mulf %dy, %dy : f32
      %zz = arith.mulf %dz, %dz : f32
      %a = arith.addf %xx, %yy : f32
      %b = arith.addf %zz, %soft : f32
      %d = arith.addf %a, %b : f32
      %root = math.sqrt %d : f32
      %cube = arith.mulf %d, %root : f32
      %inverse = arith.divf %one, %cube : f32
      %s = arith.mulf %m, %inverse : f32
      %px = arith.mulf %s, %dx : f32
      %py = arith.mulf %s, %dy : f32
      %pz = arith.mulf %s, %dz : f32
      %gx = arith.addf %fx, %px : f32
      %gy = arith.addf %fy, %py : f32
      %gz = arith.addf %fz, %pz : f32
      affine.yield %gx, %gy, %gz : f32, f32, f32
    }
    affine.store %r#0, %f[%i, 0] : memref<4096x3xf32>
    affine.store %r#1, %f[%i, 1] : memref<4096x3xf32>
    affine.store %r#2, %f[%i, 2] : memref<4096x3xf32>
  }
  return
}
