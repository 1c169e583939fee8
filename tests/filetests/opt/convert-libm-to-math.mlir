// test: opt --convert-libm-to-math
// test: run-opt --entry=opened --arg=1.5

// Functions of one, two and three numbers, of both widths.
func.func private @expf(f32) -> f32
func.func private @exp(f64) -> f64
func.func private @atan2f(f32, f32) -> f32
func.func private @fmax(f64, f64) -> f64
func.func private @fmaf(f32, f32, f32) -> f32
func.func private @rint(f64) -> f64
func.func private @abs(i32) -> i32
func.func private @labs(i64) -> i64
func.func @known(%x: f32, %y: f64, %i: i32, %j: i64) -> (f32, f64, f32, f64, f32, f64, i32, i64) {
  %0 = call @expf(%x) : (f32) -> f32
  %1 = call @exp(%y) : (f64) -> f64
  %2 = call @atan2f(%x, %0) : (f32, f32) -> f32
  %3 = call @fmax(%y, %1) : (f64, f64) -> f64
  %4 = call @fmaf(%x, %0, %2) : (f32, f32, f32) -> f32
  %5 = call @rint(%y) : (f64) -> f64
  %6 = call @abs(%i) : (i32) -> i32
  %7 = call @labs(%j) : (i64) -> i64
  return %0, %1, %2, %3, %4, %5, %6, %7 : f32, f64, f32, f64, f32, f64, i32, i64
}

// Not those of C: other types, another number of parameters, and a function that declares what it does.
func.func private @sinf(f64) -> f64
func.func private @cos(f32) -> f32
func.func private @powf(f32) -> f32
func.func private @tanh(f64, f64) -> f64
func.func private @exp2f(f32) -> f32 attributes {gridloom.effects = {reads = [], writes = [], may_reads = [], may_writes = []}}
func.func private @erf(f64)
func.func @unknown(%x: f32, %y: f64) -> (f64, f32, f32, f64, f32) {
  %0 = call @sinf(%y) : (f64) -> f64
  %1 = call @cos(%x) : (f32) -> f32
  %2 = call @powf(%x) : (f32) -> f32
  %3 = call @tanh(%y, %y) : (f64, f64) -> f64
  %4 = call @exp2f(%x) : (f32) -> f32
  call @erf(%y) : (f64) -> ()
  return %0, %1, %2, %3, %4 : f64, f32, f32, f64, f32
}

// A function with a body is what it says, whatever its name.
func.func private @sqrtf(%x: f32) -> f32 {
  return %x : f32
}
func.func @opened(%x: f32) -> f32 {
  %0 = call @sqrtf(%x) : (f32) -> f32
  return %0 : f32
}
