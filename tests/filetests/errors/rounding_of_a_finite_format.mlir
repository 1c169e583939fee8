// The patterns behind the greatest number of this format are no infinity: it has one rounding mode.
//
// test: error run --arg=1.5 --device=cpu
// error: 6:8: no engine rounds 'upward' to this format: leave the mode out, or truncate to f16, bf16 or f32
func.func @rounded_upward(%x: f32) -> f32 {
  %a = arith.truncf %x upward : f32 to f8E4M3FN
  %b = arith.extf %a : f8E4M3FN to f32
  return %b : f32
}
