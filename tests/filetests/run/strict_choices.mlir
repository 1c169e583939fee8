// Choices by a carried flag, without arithmetic: scanned in chunks, each number keeps its bits, the sign of a zero among them.
// test: run --fp=strict --map-for=gpu --no-specialize --entry=nothing_chosen --arg=zeros[9000] --arg=5000
// expect: result 0 = -7
// except: SwiftShader: it flushes subnormal numbers, so strict floats are refused
// test: run --fp=strict --no-specialize --entry=nothing_chosen --arg=zeros[9000] --arg=9000
// expect: result 0 = -7
// except: SwiftShader: it flushes subnormal numbers, so strict floats are refused
// test: run --map-for=gpu --no-specialize --entry=nothing_chosen --arg=zeros[9000] --arg=3
// expect: result 0 = -7
// test: run --fp=strict --map-for=gpu --no-specialize --entry=chosen_early --arg=9000
// expect: result 0 = -7
// except: SwiftShader: it flushes subnormal numbers, so strict floats are refused
// test: run --map-for=gpu --no-specialize --entry=chosen_early --arg=9000
// expect: result 0 = -7
// test: run --fp=strict --map-for=gpu --no-specialize --entry=greater_of_zeros --arg=9000
// expect: result 0 = -7
// except: SwiftShader: it flushes subnormal numbers, so strict floats are refused

/// The number is -0.0 from the start: no element is over 1.
func.func @nothing_chosen(%a: memref<?xf32>, %n: index) -> f32 {
  %true = arith.constant true
  %start = arith.constant -0.0 : f32
  %one = arith.constant 1.0 : f32
  %seven = arith.constant 7.0 : f32
  %last:2 = affine.for %i = 0 to %n iter_args(%ever = %true, %held = %start) -> (i1, f32) {
    %v = affine.load %a[%i] : memref<?xf32>
    %over = arith.cmpf ogt, %v, %one : f32
    %still = arith.andi %ever, %over : i1
    %next = arith.select %still, %v, %held : f32
    affine.yield %still, %next : i1, f32
  }
  %sign = math.copysign %seven, %last#1 : f32
  return %sign : f32
}

/// The first 20 iterations choose -0.0, in the first chunk; it stays.
func.func @chosen_early(%n: index) -> f32 {
  %true = arith.constant true
  %start = arith.constant 5.0 : f32
  %zero = arith.constant -0.0 : f32
  %seven = arith.constant 7.0 : f32
  %c20 = arith.constant 20 : index
  %last:2 = affine.for %i = 0 to %n iter_args(%ever = %true, %held = %start) -> (i1, f32) {
    %below = arith.cmpi slt, %i, %c20 : index
    %still = arith.andi %ever, %below : i1
    %next = arith.select %still, %zero, %held : f32
    affine.yield %still, %next : i1, f32
  }
  %sign = math.copysign %seven, %last#1 : f32
  return %sign : f32
}

/// An ordered comparison does not take 0.0 for -0.0, wherever a chunk begins.
func.func @greater_of_zeros(%n: index) -> f32 {
  %true = arith.constant true
  %start = arith.constant -0.0 : f32
  %zero = arith.constant 0.0 : f32
  %five = arith.constant 5.0 : f32
  %seven = arith.constant 7.0 : f32
  %c20 = arith.constant 20 : index
  %last:2 = affine.for %i = 0 to %n iter_args(%ever = %true, %held = %start) -> (i1, f32) {
    %below = arith.cmpi slt, %i, %c20 : index
    %still = arith.andi %ever, %below : i1
    %over = arith.cmpf ogt, %zero, %held : f32
    %more = arith.select %over, %zero, %held : f32
    %next = arith.select %still, %more, %held : f32
    affine.yield %still, %next : i1, f32
  }
  %sign = math.copysign %seven, %last#1 : f32
  return %sign : f32
}
