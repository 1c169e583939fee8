// test: opt --canonicalize
// test: run-opt --entry=store --arg=iota --arg=0.5 --arg=true
// test: run-opt --entry=store --arg=iota --arg=0.5 --arg=false
// test: run-opt --entry=exchanged --arg=iota --arg=0.5 --arg=true
// test: run-opt --entry=exchanged --arg=iota --arg=0.5 --arg=false

// The store goes into the first branch, whose own result nothing uses any more: it stays.
func.func @store(%a: memref<4xf32>, %x: f32, %c: i1) {
  %y = scf.if %c -> (f32) {
    %sum = arith.addf %x, %x : f32
    scf.yield %sum : f32
  } else {
    scf.yield %x : f32
  }
  scf.if %c {
    affine.store %y, %a[0] : memref<4xf32>
  }
  return
}

// The same in the branch of the opposite condition.
func.func @exchanged(%a: memref<4xf32>, %x: f32, %c: i1) {
  %true = arith.constant true
  %other = arith.xori %c, %true : i1
  %y = scf.if %c -> (f32) {
    %l = affine.load %a[2] : memref<4xf32>
    scf.yield %l : f32
  } else {
    scf.yield %x : f32
  }
  scf.if %other {
    affine.store %y, %a[1] : memref<4xf32>
  }
  return
}
