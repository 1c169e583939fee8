// Conversions that scale, and those that round by another mode than to the nearest even number; a mode of a format without
// infinities stays.
//
// test: opt --expand-float-casts
func.func @scaled(%x: f4E2M1FN, %s: f8E8M0FNU, %t: f32) -> (f32, f16) {
  %a = arith.scaling_extf %x, %s : f4E2M1FN, f8E8M0FNU to f32
  %b = arith.scaling_extf %x, %t : f4E2M1FN, f32 to f16
  return %a, %b : f32, f16
}

func.func @divided(%x: vector<4xf32>, %s: vector<4xf8E8M0FNU>) -> vector<4xf8E4M3FN> {
  %a = arith.scaling_truncf %x, %s : vector<4xf32>, vector<4xf8E8M0FNU> to vector<4xf8E4M3FN>
  return %a : vector<4xf8E4M3FN>
}

func.func @towards_zero(%x: f32) -> f16 {
  %a = arith.truncf %x toward_zero : f32 to f16
  return %a : f16
}

func.func @upward(%x: f64) -> f32 {
  %a = arith.truncf %x upward : f64 to f32
  return %a : f32
}

func.func @away(%x: vector<2xf32>) -> vector<2xbf16> {
  %a = arith.truncf %x to_nearest_away : vector<2xf32> to vector<2xbf16>
  return %a : vector<2xbf16>
}

func.func @as_before(%x: f32) -> (f16, f8E4M3FN) {
  %a = arith.truncf %x to_nearest_even : f32 to f16
  %b = arith.truncf %x downward : f32 to f8E4M3FN
  return %a, %b : f16, f8E4M3FN
}
