// test: opt --specialize-function="function=scale arguments=4x5,_,5,7"
// test: run-opt --entry=halves --arg=iota[6x5] --arg=random:2[3x5] --arg=iota[3x5]

// Accesses and sizes take the argument of known sizes, the call a cast of it; the second memref is
// not known. Calls inside of the module go on to any sizes.
func.func @scale(%x: memref<?x?xi32>, %y: memref<3x5xi32>, %n: index, %k: i32) {
  %c0 = arith.constant 0 : index
  %m = memref.dim %x, %c0 : memref<?x?xi32>
  affine.for %i = 0 to %m {
    affine.for %j = 0 to %n {
      %v = affine.load %x[%i, %j] : memref<?x?xi32>
      %w = arith.muli %v, %k : i32
      affine.store %w, %x[%i, %j] : memref<?x?xi32>
    }
  }
  call @clear(%x) : (memref<?x?xi32>) -> ()
  %stop = arith.cmpi sle, %k, %k : i32
  scf.if %stop {
  } else {
    call @scale(%x, %y, %n, %k) : (memref<?x?xi32>, memref<3x5xi32>, index, i32) -> ()
  }
  return
}

func.func private @clear(%x: memref<?x?xi32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  memref.store %zero, %x[%c0, %c0] : memref<?x?xi32>
  return
}

func.func @halves(%x: memref<?x?xi32>, %y: memref<3x5xi32>, %z: memref<?x?xi32>) {
  %n = arith.constant 5 : index
  %k = arith.constant 3 : i32
  call @scale(%x, %y, %n, %k) : (memref<?x?xi32>, memref<3x5xi32>, index, i32) -> ()
  call @scale(%z, %y, %n, %k) : (memref<?x?xi32>, memref<3x5xi32>, index, i32) -> ()
  return
}
