// test: canonical
func.func @in_order(%a: index, %b: index, %n: index) -> (index, index, index, index) {
  %0 = affine.min affine_map<(d0, d1) -> (d0, d1, d0, 8, 4)>(%a, %b)
  %1 = affine.max affine_map<(d0)[s0] -> (d0 + s0, s0 + d0, 3)>(%a)[%b]
  %2 = affine.min affine_map<(d0) -> (d0, d0 + 4, d0 - 2)>(%a)
  %3 = affine.min affine_map<(d0, d1) -> (d1, d0)>(%a, %b)
  return %0, %1, %2, %3 : index, index, index, index
}

func.func @nested(%a: index, %b: index, %c: index) -> (index, index) {
  %m = affine.min affine_map<(d0, d1) -> (d0, d1)>(%a, %b)
  %0 = affine.min affine_map<(d0, d1) -> (d0, d1 + 4)>(%m, %c)
  %x = affine.max affine_map<(d0, d1) -> (d0, d1)>(%a, %b)
  %1 = affine.max affine_map<(d0, d1) -> (d1, d0 )>(%x, %c)
  return %0, %1 : index, index
}
