// test: canonical
func.func private @use(index)

// differs: @known: what is known needs no condition
func.func @known(%n: index, %m: memref<8xf32>, %v: f32) -> f32 {
  %c5 = arith.constant 5 : index
  affine.if affine_set<(d0) : (d0 - 3 >= 0)>(%c5) {
    func.call @use(%n) : (index) -> ()
  }
  affine.if affine_set<(d0) : (d0 - 7 >= 0)>(%c5) {
    func.call @use(%n) : (index) -> ()
  }
  affine.if affine_set<(d0) : (d0 - 7 >= 0)>(%n) {
    func.call @use(%n) : (index) -> ()
  } else {
  }
  %0 = affine.if affine_set<(d0) : (d0 - 7 >= 0)>(%n) -> f32 {
    affine.yield %v : f32
  } else {
    affine.yield %v : f32
  }
  affine.if affine_set<(d0) : (d0 - 7 >= 0)>(%n) {
  }
  return %0 : f32
}

func.func @chosen(%n: index) -> f32 {
  %z = arith.constant 0.0 : f32
  %o = arith.constant 1.0 : f32
  %0 = affine.if affine_set<(d0) : (d0 - d0 == 0)>(%n) -> f32 {
    affine.yield %z : f32
  } else {
    affine.yield %o : f32
  }
  return %0 : f32
}
