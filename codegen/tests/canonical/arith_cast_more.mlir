// test: canonical
func.func @there_and_back(%x: i8, %i: index, %w: i64, %f: f32) -> (i8, index, i64, i32, index, f32, i16) {
  %a = arith.extsi %x : i8 to i32
  %0 = arith.trunci %a : i32 to i8
  %b = arith.index_cast %i : index to i64
  %1 = arith.index_cast %b : i64 to index
  %c = arith.index_cast %w : i64 to index
  %2 = arith.index_cast %c : index to i64
  %d = arith.extui %x : i8 to i16
  %3 = arith.extui %d : i16 to i32
  %e = arith.extsi %x : i8 to i32
  %4 = arith.index_cast %e : i32 to index
  %g = arith.bitcast %f : f32 to i32
  %5 = arith.bitcast %g : i32 to f32
  %h = arith.trunci %w : i64 to i32
  %6 = arith.trunci %h : i32 to i16
  return %0, %1, %2, %3, %4, %5, %6 : i8, index, i64, i32, index, f32, i16
}

func.func @neutral(%x: f32, %d: f64) -> (f32, f32, f32, f32, f32, f32, f32, f32, f32, f32) {
  %z = arith.constant 0.0 : f32
  %nz = arith.constant -0.0 : f32
  %one = arith.constant 1.0 : f32
  %inf = arith.constant 0x7F800000 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %0 = arith.addf %x, %nz : f32
  %1 = arith.subf %x, %z : f32
  %2 = arith.mulf %x, %one : f32
  %3 = arith.divf %x, %one : f32
  %4 = arith.maximumf %x, %ninf : f32
  %5 = arith.minimumf %x, %inf : f32
  %6 = arith.maxnumf %x, %x : f32
  %n = arith.negf %x : f32
  %7 = arith.negf %n : f32
  %8 = arith.addf %x, %z : f32
  %9 = arith.maximumf %x, %x : f32
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9 : f32, f32, f32, f32, f32, f32, f32, f32, f32, f32
}

func.func @widened(%x: f16, %d: f64) -> (f16, f32, f64, f32) {
  %a = arith.extf %x : f16 to f32
  %0 = arith.truncf %a : f32 to f16
  %1 = arith.extf %x : f16 to f32
  %2 = arith.extf %1 : f32 to f64
  %t = arith.truncf %d : f64 to f32
  %3 = arith.negf %t : f32
  return %0, %1, %2, %3 : f16, f32, f64, f32
}

// promises: @unasked: the sign of a zero does not matter
func.func @unasked(%x: f32) -> (f32, f32, f32) {
  %z = arith.constant 0.0 : f32
  %0 = arith.addf %x, %z fastmath<nsz> : f32
  %1 = arith.mulf %x, %z fastmath<nnan,nsz> : f32
  %2 = arith.subf %x, %x fastmath<fast> : f32
  return %0, %1, %2 : f32, f32, f32
}
