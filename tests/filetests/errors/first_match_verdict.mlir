// Only the first match is known to have its load in range.
//
// test: error compile --emit=mlir --remarks
// exit: 0
// remark: 10:10: this loop nest runs on the host: each iteration needs the result of the previous one, since what it takes from the first one that meets a condition may be undefined in others that meet it
func.func @first(%x: memref<5000xf32>, %y: memref<?xf32>, %t: f32) -> (i1, f32) {
  %no = arith.constant false
  %yes = arith.constant true
  %zero = arith.constant 0.0 : f32
  %r:2 = affine.for %i = 0 to 5000 iter_args(%f = %no, %v = %zero) -> (i1, f32) {
    %a = affine.load %x[%i] : memref<5000xf32>
    %hit = arith.cmpf ogt, %a, %t : f32
    %unset = arith.xori %f, %yes : i1
    %takes = arith.andi %hit, %unset : i1
    %s:2 = scf.if %takes -> (i1, f32) {
      %b = affine.load %y[%i] : memref<?xf32>
      scf.yield %yes, %b : i1, f32
    } else {
      scf.yield %f, %v : i1, f32
    }
    affine.yield %s#0, %s#1 : i1, f32
  }
  return %r#0, %r#1 : i1, f32
}
