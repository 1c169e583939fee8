func.func @f0(%i: index, %c: i1, %t: tensor<8xf32>, %f: f32, %n: i32) {
  scf.if %c {
 }
  %r = scf.if %c -> (f32) {
 scf.yield %f : f32
 } else {
 scf.yield %f : f32
 }
  scf.if %c {
 } else {
 } {x}
  return
}
