// test: opt --raise-to-affine
// test: run-opt --entry=sum --arg=iota
// test: run-opt --entry=product --arg=iota
// test: run-opt --entry=loaded --arg=iota --arg=zeros

// Upstream's tiling names counters of scf loops as symbols of a map: where the loops are raised, they are dimensions.
func.func @sum(%a: memref<40xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c40 = arith.constant 40 : index
  scf.for %i = %c0 to %c40 step %c8 {
    scf.for %j = %c0 to %c8 step %c1 {
      %0 = affine.apply affine_map<()[s0, s1] -> (s0 + s1)>()[%i, %j]
      %x = memref.load %a[%0] : memref<40xf32>
      %y = arith.addf %x, %x : f32
      memref.store %y, %a[%0] : memref<40xf32>
    }
  }
  return
}

// A product of two counters is no map of dimensions: the operation is lowered.
func.func @product(%a: memref<40xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  scf.for %i = %c0 to %c4 step %c1 {
    scf.for %j = %c0 to %c5 step %c1 {
      %0 = affine.apply affine_map<()[s0, s1] -> (s0 * s1)>()[%i, %j]
      %x = memref.load %a[%0] : memref<40xf32>
      %y = arith.addf %x, %x : f32
      memref.store %y, %a[%0] : memref<40xf32>
    }
  }
  return
}

// Beside a counter, a loaded number, which is neither: the operation is lowered.
func.func @loaded(%n: memref<4xindex>, %a: memref<40xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %one = arith.constant 1.0 : f32
  scf.for %i = %c0 to %c4 step %c1 {
    %k = memref.load %n[%i] : memref<4xindex>
    %0 = affine.apply affine_map<()[s0, s1] -> (s0 + s1 * 2)>()[%i, %k]
    memref.store %one, %a[%0] : memref<40xf32>
  }
  return
}
