// Constant tables and a variable that belong to the module.
//     out[i, j] = weights[i mod 2, j mod 3] * scale + offsets[j mod 3]
//     counter = 5, then counter = counter + 1 per row; rows = counter at the end
//     for 0 <= i < 10, 0 <= j < 12

memref.global "private" constant @weights : memref<2x3xf32> = dense<[[1.0, 2.0, 3.0], [-4.0, 0.5, 0.25]]>
memref.global "private" constant @offsets : memref<3xf32> = dense<[10.0, 20.0, 30.0]>
memref.global "private" constant @scale : memref<f32> = dense<2.0>
memref.global "private" @counter : memref<1xi32> = dense<5>

func.func @global_constants(%out: memref<10x12xf32>, %rows: memref<i32>) {
  %one = arith.constant 1 : i32
  %weights = memref.get_global @weights : memref<2x3xf32>
  %offsets = memref.get_global @offsets : memref<3xf32>
  %scale = memref.get_global @scale : memref<f32>
  %counter = memref.get_global @counter : memref<1xi32>
  affine.for %i = 0 to 10 {
    affine.for %j = 0 to 12 {
      %w = affine.load %weights[%i mod 2, %j mod 3] : memref<2x3xf32>
      %s = affine.load %scale[] : memref<f32>
      %o = affine.load %offsets[%j mod 3] : memref<3xf32>
      %ws = arith.mulf %w, %s : f32
      %r = arith.addf %ws, %o : f32
      affine.store %r, %out[%i, %j] : memref<10x12xf32>
    }
    %c0 = affine.load %counter[0] : memref<1xi32>
    %c1 = arith.addi %c0, %one : i32
    affine.store %c1, %counter[0] : memref<1xi32>
  }
  %again = memref.get_global @counter : memref<1xi32>
  %c = affine.load %again[0] : memref<1xi32>
  affine.store %c, %rows[] : memref<i32>
  return
}
