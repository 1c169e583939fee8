// Workgroup memory that is written element by element and read by vectors, at multiples of four and
// elsewhere, and a row that is written by vectors and read element by element.
// test: run --arg=zeros
// expect: arg 0 = [226, 203, 148, 125, 66, 243, 188, 165]
func.func @vectors_of_workgroup_memory(%out: memref<8xf32>) {
  %one = arith.constant 1 : index
  %eight = arith.constant 8 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %one, %gy = %one, %gz = %one) threads(%tx, %ty, %tz) in (%sx = %eight, %sy = %one, %sz = %one) workgroup(%w: memref<3x8xf32, #gpu.address_space<workgroup>>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c5 = arith.constant 5 : index
    %c7 = arith.constant 7 : index
    %ten = arith.constant 10.0 : f32
    %t = arith.index_cast %tx : index to i32
    %f = arith.sitofp %t : i32 to f32
    memref.store %f, %w[%c0, %tx] : memref<3x8xf32, #gpu.address_space<workgroup>>
    %back = arith.subi %c7, %tx : index
    %g = arith.mulf %ten, %f : f32
    memref.store %g, %w[%c1, %back] : memref<3x8xf32, #gpu.address_space<workgroup>>
    %is_first = arith.cmpi ult, %tx, %c2 : index
    scf.if %is_first {
      %four = arith.muli %tx, %c4 : index
      %row = arith.constant dense<[0.0, 1.0, 2.0, 3.0]> : vector<4xf32>
      vector.store %row, %w[%c2, %four] : memref<3x8xf32, #gpu.address_space<workgroup>>, vector<4xf32>
    }
    gpu.barrier
    %half = arith.remui %tx, %c2 : index
    %at = arith.muli %half, %c4 : index
    %v = vector.load %w[%c0, %at] : memref<3x8xf32, #gpu.address_space<workgroup>>, vector<4xf32>
    %any = arith.remui %tx, %c5 : index
    %u = vector.load %w[%c1, %any] : memref<3x8xf32, #gpu.address_space<workgroup>>, vector<4xf32>
    %x = memref.load %w[%c2, %tx] : memref<3x8xf32, #gpu.address_space<workgroup>>
    %p = vector.reduction <add>, %v : vector<4xf32> into f32
    %q = vector.reduction <add>, %u : vector<4xf32> into f32
    %r = arith.addf %p, %q : f32
    %s = arith.addf %r, %x : f32
    memref.store %s, %out[%tx] : memref<8xf32>
    gpu.terminator
  }
  return
}
