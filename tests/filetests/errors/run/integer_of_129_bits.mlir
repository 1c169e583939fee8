// test: error run --device=cpu
// error: 4:8: the interpreter cannot compute with values of this type; it computes with integers up to 64 bits (up to 128 behind 'arith-emulate-wide-int'), index, floats of 4, 6 and 8 bits, f16, bf16, f32, f64
func.func @f(%x: i64) -> i64 {
  %k = arith.constant 1 : i129
  %a = arith.extsi %x : i64 to i129
  %b = arith.addi %a, %k : i129
  %c = arith.trunci %b : i129 to i64
  return %c : i64
}
