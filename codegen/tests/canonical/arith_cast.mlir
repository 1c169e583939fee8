// test: canonical
func.func @extensions(%x: i8, %y: i8) -> (i64, i64, i64, i64, i32, i32, i32) {
  %a0 = arith.extui %x : i8 to i32
  %a = arith.extsi %a0 : i32 to i64
  %b = arith.extui %a0 : i32 to i64
  %c0 = arith.extsi %x : i8 to i32
  %c = arith.extsi %c0 : i32 to i64
  %d = arith.extui %c0 : i32 to i64
  %y0 = arith.extui %y : i8 to i32
  %y1 = arith.extsi %y : i8 to i32
  %e = arith.andi %a0, %y0 : i32
  %f = arith.ori %c0, %y1 : i32
  %g = arith.xori %a0, %y0 : i32
  return %a, %b, %c, %d, %e, %f, %g : i64, i64, i64, i64, i32, i32, i32
}

func.func @truncations(%x: i16, %w: i64) -> (i16, i8, i24, i24, i8, i32) {
  %a0 = arith.extsi %x : i16 to i32
  %a1 = arith.extui %x : i16 to i32
  %a = arith.trunci %a0 : i32 to i16
  %b = arith.trunci %a1 : i32 to i8
  %c = arith.trunci %a0 : i32 to i24
  %d = arith.trunci %a1 : i32 to i24
  %e0 = arith.trunci %w : i64 to i32
  %e = arith.trunci %e0 : i32 to i8
  %c32 = arith.constant 32 : i64
  %f0 = arith.shrsi %w, %c32 : i64
  %f = arith.trunci %f0 : i64 to i32
  return %a, %b, %c, %d, %e, %f : i16, i8, i24, i24, i8, i32
}

func.func @index(%x: i16, %i: index) -> (index, index, i16, index) {
  %a0 = arith.extsi %x : i16 to i64
  %a = arith.index_cast %a0 : i64 to index
  %b0 = arith.extui %x : i16 to i64
  %b = arith.index_castui %b0 : i64 to index
  %c0 = arith.index_cast %x : i16 to index
  %c = arith.index_cast %c0 : index to i16
  %d0 = arith.constant -5 : i32
  %d = arith.index_cast %d0 : i32 to index
  return %a, %b, %c, %d : index, index, i16, index
}

// differs: @index_cut_short: an index need not fit 16 bits
func.func @index_cut_short(%i: index) -> index {
  %a = arith.index_cast %i : index to i16
  %b = arith.index_cast %a : i16 to index
  return %b : index
}

func.func @bits(%x: f32, %v: vector<2xf32>) -> (f32, i32, vector<2xi32>, f32) {
  %a0 = arith.bitcast %x : f32 to i32
  %a = arith.bitcast %a0 : i32 to f32
  %b0 = arith.constant 1.5 : f32
  %b = arith.bitcast %b0 : f32 to i32
  %c0 = arith.constant dense<-0.0> : vector<2xf32>
  %c = arith.bitcast %c0 : vector<2xf32> to vector<2xi32>
  %d0 = arith.constant 0x7FC00001 : i32
  %d = arith.bitcast %d0 : i32 to f32
  return %a, %b, %c, %d : f32, i32, vector<2xi32>, f32
}

func.func @floats(%h: f16, %i: i16) -> (f16, f32, i32, i8, f32, f64, f64, f32) {
  %a0 = arith.extf %h : f16 to f32
  %a = arith.truncf %a0 : f32 to f16
  %b0 = arith.constant 1.5 : f16
  %b = arith.extf %b0 : f16 to f32
  %c0 = arith.constant -3.75 : f32
  %c = arith.fptosi %c0 : f32 to i32
  %d0 = arith.constant 200.5 : f32
  %d = arith.fptoui %d0 : f32 to i8
  %e0 = arith.constant 16777217 : i32
  %e = arith.sitofp %e0 : i32 to f32
  %f0 = arith.constant -1 : i64
  %f = arith.uitofp %f0 : i64 to f64
  %g = arith.sitofp %f0 : i64 to f64
  %s0 = arith.sitofp %i : i16 to f64
  %s = arith.truncf %s0 : f64 to f32
  return %a, %b, %c, %d, %e, %f, %g, %s : f16, f32, i32, i8, f32, f64, f64, f32
}

func.func @beyond() -> (i8, i8, i32) {
  %a0 = arith.constant 128.0 : f32
  %a = arith.fptosi %a0 : f32 to i8
  %b0 = arith.constant -1.0 : f32
  %b = arith.fptoui %b0 : f32 to i8
  %c0 = arith.constant 0x7FC00000 : f32
  %c = arith.fptosi %c0 : f32 to i32
  return %a, %b, %c : i8, i8, i32
}
