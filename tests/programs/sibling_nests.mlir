// Four nests in one function: the second needs the first, the third stands
// alone, the fourth needs the second and the third and runs transposed.
//     t[i, j] = a[i, j] + 1;   u[i, j] = t[i, j] * t[i, j];   v[j] = 3 * j
//     out[j, i] = u[i, j] - v[j]

func.func @sibling_nests(%a: memref<20x37xf32>, %out: memref<37x20xf32>) {
  %one = arith.constant 1.0 : f32
  %three = arith.constant 3.0 : f32
  %t = memref.alloc() : memref<20x37xf32>
  %u = memref.alloc() : memref<20x37xf32>
  %v = memref.alloc() : memref<37xf32>
  affine.for %i = 0 to 20 {
    affine.for %j = 0 to 37 {
      %x = affine.load %a[%i, %j] : memref<20x37xf32>
      %y = arith.addf %x, %one : f32
      affine.store %y, %t[%i, %j] : memref<20x37xf32>
    }
  }
  affine.for %i = 0 to 20 {
    affine.for %j = 0 to 37 {
      %x = affine.load %t[%i, %j] : memref<20x37xf32>
      %y = arith.mulf %x, %x : f32
      affine.store %y, %u[%i, %j] : memref<20x37xf32>
    }
  }
  affine.for %j = 0 to 37 {
    %j_i32 = arith.index_cast %j : index to i32
    %j_f32 = arith.sitofp %j_i32 : i32 to f32
    %y = arith.mulf %three, %j_f32 : f32
    affine.store %y, %v[%j] : memref<37xf32>
  }
  affine.for %j = 0 to 37 {
    affine.for %i = 0 to 20 {
      %x = affine.load %u[%i, %j] : memref<20x37xf32>
      %y = affine.load %v[%j] : memref<37xf32>
      %z = arith.subf %x, %y : f32
      affine.store %z, %out[%j, %i] : memref<37x20xf32>
    }
  }
  memref.dealloc %t : memref<20x37xf32>
  memref.dealloc %u : memref<20x37xf32>
  memref.dealloc %v : memref<37xf32>
  return
}
