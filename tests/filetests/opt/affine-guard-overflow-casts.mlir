// Conditions that are computed in C's `int`: where the sizes are small, a cast from `index` loses nothing, so that the condition keeps
// the accesses in range.
// test: opt --affine-guard-overflow --affine-guard-bounds --affine-mark-inbounds
// test: run-opt --entry=shifted --arg=9 --arg=random:1[9] --arg=zeros[9]
// test: run-opt --entry=shifted --arg=0 --arg=random:1[0] --arg=zeros[0]
// test: run-opt --entry=bytes --arg=300 --arg=random:1[300] --arg=zeros[300]
// test: run --entry=shifted --arg=9 --arg=random:1[9] --arg=zeros[9]
// test: run --entry=shifted --arg=0 --arg=random:1[0] --arg=zeros[0]
// test: run --entry=bytes --arg=300 --arg=random:1[300] --arg=zeros[300]
func.func @shifted(%n: index, %x: memref<?xf32>, %y: memref<?xf32>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : i32
  affine.for %i = 0 to %n {
    %a = affine.apply affine_map<(d0) -> (d0 - 1)>(%i)
    %b = arith.index_cast %a : index to i32
    %c = arith.cmpi sge, %b, %c0 : i32
    %v = scf.if %c -> f32 {
      %l = affine.load %x[%i - 1] : memref<?xf32>
      scf.yield %l : f32
    } else {
      scf.yield %zero : f32
    }
    affine.store %v, %y[%i] : memref<?xf32>
  }
  return
}

// A cast to eight bits loses some of the numbers of 300 iterations: the condition says nothing of the counter.
func.func @bytes(%n: index, %x: memref<?xf32>, %y: memref<?xf32>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : i8
  affine.for %i = 0 to 300 {
    %b = arith.index_cast %i : index to i8
    %c = arith.cmpi slt, %b, %c0 : i8
    %v = scf.if %c -> f32 {
      %l = affine.load %x[%i] : memref<?xf32>
      scf.yield %l : f32
    } else {
      scf.yield %zero : f32
    }
    affine.store %v, %y[%i] : memref<?xf32>
  }
  return
}
