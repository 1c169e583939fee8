// A loop on the host whose end depends on what the parallel loops computed.
//     while max over i of |x[i]| > 0.01:   x[i] = 0.5 * x[i] for all i;  steps = steps + 1
//     for 0 <= i < 45

func.func @until_small(%x: memref<45xf32>, %steps: memref<i32>) {
  %zero = arith.constant 0.0 : f32
  %half = arith.constant 0.5 : f32
  %bound = arith.constant 0.01 : f32
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %count = scf.while (%n = %none) : (i32) -> i32 {
    %peak = affine.for %i = 0 to 45 iter_args(%high = %zero) -> (f32) {
      %xi = affine.load %x[%i] : memref<45xf32>
      %size = math.absf %xi : f32
      %higher = arith.maximumf %high, %size : f32
      affine.yield %higher : f32
    }
    %more = arith.cmpf ogt, %peak, %bound : f32
    scf.condition(%more) %n : i32
  } do {
  ^bb0(%n: i32):
    affine.for %i = 0 to 45 {
      %xi = affine.load %x[%i] : memref<45xf32>
      %less = arith.mulf %half, %xi : f32
      affine.store %less, %x[%i] : memref<45xf32>
    }
    %next = arith.addi %n, %one : i32
    scf.yield %next : i32
  }
  memref.store %count, %steps[] : memref<i32>
  return
}
