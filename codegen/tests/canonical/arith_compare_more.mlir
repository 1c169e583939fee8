// test: canonical
func.func @limits(%x: i32, %y: i8) -> (i1, i1, i1, i1, i1) {
  %c0 = arith.constant 0 : i32
  %cm = arith.constant 2147483647 : i32
  %0 = arith.cmpi ult, %x, %c0 : i32
  %1 = arith.cmpi uge, %x, %c0 : i32
  %2 = arith.cmpi sgt, %x, %cm : i32
  %e = arith.extui %y : i8 to i32
  %3 = arith.cmpi slt, %e, %c0 : i32
  %t = arith.constant true
  %b = arith.cmpi eq, %x, %c0 : i32
  %4 = arith.cmpi eq, %b, %t : i1
  return %0, %1, %2, %3, %4 : i1, i1, i1, i1, i1
}

func.func @of_bools(%b: i1) -> (i1, i1, i1, i1) {
  %t = arith.constant true
  %f = arith.constant false
  %0 = arith.cmpi ne, %b, %f : i1
  %1 = arith.cmpi eq, %b, %f : i1
  %2 = arith.cmpi ne, %b, %t : i1
  %3 = arith.cmpi eq, %b, %t : i1
  return %0, %1, %2, %3 : i1, i1, i1, i1
}

func.func @of_extended(%b: i1) -> (i1, i1) {
  %c0 = arith.constant 0 : i64
  %x = arith.extui %b : i1 to i64
  %0 = arith.cmpi ne, %x, %c0 : i64
  %y = arith.extsi %b : i1 to i64
  %1 = arith.cmpi ne, %y, %c0 : i64
  return %0, %1 : i1, i1
}

func.func @extremes(%x: i32, %y: i32) -> (i32, i32, i32, i32, i32, i32, i32, i32) {
  %smax = arith.constant 2147483647 : i32
  %smin = arith.constant -2147483648 : i32
  %zero = arith.constant 0 : i32
  %all = arith.constant -1 : i32
  %0 = arith.maxsi %x, %smax : i32
  %1 = arith.maxsi %x, %smin : i32
  %2 = arith.minsi %x, %smax : i32
  %3 = arith.minsi %x, %smin : i32
  %4 = arith.maxui %x, %zero : i32
  %5 = arith.maxui %x, %all : i32
  %6 = arith.minui %x, %zero : i32
  %7 = arith.minui %x, %all : i32
  return %0, %1, %2, %3, %4, %5, %6, %7 : i32, i32, i32, i32, i32, i32, i32, i32
}

func.func @of_extremes(%x: i32, %y: i32) -> (i1, i1, i32, i32) {
  %m = arith.maxsi %x, %y : i32
  %0 = arith.cmpi sge, %m, %x : i32
  %n = arith.minsi %x, %y : i32
  %1 = arith.cmpi sle, %n, %x : i32
  %2 = arith.maxsi %x, %x : i32
  %3 = arith.minui %x, %x : i32
  return %0, %1, %2, %3 : i1, i1, i32, i32
}

// differs: @of_floats: false and true are constants
func.func @of_floats(%x: f32) -> (i1, i1, i1, i1, i1, i1) {
  %nan = arith.constant 0x7FC00000 : f32
  %0 = arith.cmpf oeq, %x, %nan : f32
  %1 = arith.cmpf une, %x, %nan : f32
  %2 = arith.cmpf false, %x, %x : f32
  %3 = arith.cmpf true, %x, %x : f32
  %4 = arith.cmpf oeq, %x, %x : f32
  %5 = arith.cmpf ueq, %x, %x : f32
  return %0, %1, %2, %3, %4, %5 : i1, i1, i1, i1, i1, i1
}

func.func @of_integers(%x: i32) -> (i1, i1, i1, i1) {
  %f = arith.sitofp %x : i32 to f64
  %c = arith.constant 1.5 : f64
  %c2 = arith.constant 1.0e20 : f64
  %c3 = arith.constant 3.0 : f64
  %0 = arith.cmpf ogt, %f, %c : f64
  %1 = arith.cmpf olt, %f, %c2 : f64
  %2 = arith.cmpf oeq, %f, %c3 : f64
  %u = arith.uitofp %x : i32 to f64
  %3 = arith.cmpf ole, %u, %c : f64
  return %0, %1, %2, %3 : i1, i1, i1, i1
}

func.func @integers_of_few_bits(%x: i8, %y: i9) -> (i1, i1, i1, i1) {
  %c = arith.constant 3.0 : bf16
  %h = arith.constant -2.5 : bf16
  %u = arith.uitofp %x : i8 to bf16
  %s = arith.sitofp %x : i8 to bf16
  %t = arith.uitofp %y : i9 to bf16
  %a = arith.cmpf ugt, %u, %c : bf16
  %b = arith.cmpf olt, %s, %h : bf16
  %d = arith.cmpf oeq, %t, %c : bf16
  %e = arith.cmpf one, %s, %h : bf16
  return %a, %b, %d, %e : i1, i1, i1, i1
}

// Integers that the format has not all of, but those around the number.
func.func @rounded_elsewhere(%x: i32, %y: i64, %z: i16) -> (i1, i1, i1, i1, i1) {
  %c = arith.constant 1.5 : f32
  %m = arith.constant -16777215.0 : f32
  %h = arith.constant 2047.0 : f16
  %i = arith.constant 1.0e20 : f32
  %d = arith.constant 3.0 : bf16
  %s = arith.sitofp %x : i32 to f32
  %u = arith.uitofp %y : i64 to f16
  %w = arith.uitofp %y : i64 to f32
  %b = arith.sitofp %z : i16 to bf16
  %r0 = arith.cmpf ogt, %s, %c : f32
  %r1 = arith.cmpf ole, %s, %m : f32
  %r2 = arith.cmpf ult, %u, %h : f16
  %r3 = arith.cmpf olt, %w, %i : f32
  %r4 = arith.cmpf oeq, %b, %d : bf16
  return %r0, %r1, %r2, %r3, %r4 : i1, i1, i1, i1, i1
}

// Two integers come to the number, or infinity does.
func.func @rounded_to_it(%x: i32, %y: i64) -> (i1, i1, i1) {
  %c = arith.constant 16777216.0 : f32
  %i = arith.constant 0x7C00 : f16
  %g = arith.constant 18446744073709551616.0 : f32
  %s = arith.sitofp %x : i32 to f32
  %u = arith.uitofp %y : i64 to f16
  %w = arith.uitofp %y : i64 to f32
  %r0 = arith.cmpf oeq, %s, %c : f32
  %r1 = arith.cmpf olt, %u, %i : f16
  %r2 = arith.cmpf olt, %w, %g : f32
  return %r0, %r1, %r2 : i1, i1, i1
}
