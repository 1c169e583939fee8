// Conditions that are conjunctions of affine comparisons, or whose opposite is.
// test: opt --raise-to-affine --canonicalize
// test: run-opt --entry=conditions --arg=random:1[9] --arg=6 --arg=6
func.func @conditions(%a: memref<?xf32>, %n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %x = arith.constant 1.0 : f32
  scf.for %i = %c0 to %n step %c1 {
    %0 = arith.cmpi sgt, %i, %c5 : index
    %1 = arith.subi %n, %c5 : index
    %2 = arith.cmpi slt, %i, %1 : index
    %both = arith.andi %0, %2 : i1
    scf.if %both {
      memref.store %x, %a[%i] : memref<?xf32>
    }
    %either = arith.ori %0, %2 : i1
    scf.if %either {
      memref.store %x, %a[%c0] : memref<?xf32>
    }
    %odd = arith.cmpi ne, %i, %c5 : index
    %y = scf.if %odd -> (f32) {
      %z = memref.load %a[%i] : memref<?xf32>
      scf.yield %z : f32
    } else {
      scf.yield %x : f32
    }
    memref.store %y, %a[%i] : memref<?xf32>
    %below = arith.cmpi ult, %i, %c5 : index
    scf.if %below {
      memref.store %x, %a[%c1] : memref<?xf32>
    }
    // The difference of both sides may leave 64 bits.
    %wide = arith.cmpi slt, %i, %m : index
    scf.if %wide {
      memref.store %x, %a[%c5] : memref<?xf32>
    }
  }
  return
}
