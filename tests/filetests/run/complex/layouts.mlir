// Memory whose layout is a map: the element (i, j) of a transposed one, and one whose offset the map
// gives itself. Results are complex numbers and branches pass them on.
//
// (1, 2) is 6 of the 0 to 7 in rows of 4; the square root of 3 - 4i is 2 - i.
//
// test: run --arg=iota --arg=3-4i --arg=true
// expect: result 0 = [2, -1] within 1e-6
// expect: result 1 = [6, 0]
func.func @layouts(%a: memref<2x4xcomplex<f64>>, %z: complex<f64>, %yes: i1)
    -> (complex<f64>, complex<f64>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %t = memref.alloc() : memref<2x4xcomplex<f64>, affine_map<(i, j) -> (j, i)>>
  %u = memref.alloc() : memref<2x4xcomplex<f64>, affine_map<(i, j) -> (i * 4 + j)>>
  affine.for %i = 0 to 2 {
    affine.for %j = 0 to 4 {
      %v = affine.load %a[%i, %j] : memref<2x4xcomplex<f64>>
      affine.store %v, %t[%i, %j] : memref<2x4xcomplex<f64>, affine_map<(i, j) -> (j, i)>>
    }
  }
  affine.for %i = 0 to 2 {
    affine.for %j = 0 to 4 {
      %v = affine.load %t[%i, %j] : memref<2x4xcomplex<f64>, affine_map<(i, j) -> (j, i)>>
      affine.store %v, %u[%i, %j] : memref<2x4xcomplex<f64>, affine_map<(i, j) -> (i * 4 + j)>>
    }
  }
  %six = memref.load %u[%c1, %c2] : memref<2x4xcomplex<f64>, affine_map<(i, j) -> (i * 4 + j)>>
  cf.cond_br %yes, ^root(%z : complex<f64>), ^end(%z, %six : complex<f64>, complex<f64>)
^end(%x: complex<f64>, %y: complex<f64>):
  return %x, %y : complex<f64>, complex<f64>
^root(%w: complex<f64>):
  %r = complex.sqrt %w : complex<f64>
  %chosen = arith.select %yes, %r, %w : complex<f64>
  cf.br ^end(%chosen, %six : complex<f64>, complex<f64>)
}
