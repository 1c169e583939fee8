// test: canonical
func.func private @side()
func.func private @get() -> i1

func.func @condition_inside(%c: i1, %x: i32) -> (i32) {
  %r = scf.if %c -> i32 {
    %t = arith.extui %c : i1 to i32
    func.call @side() : () -> ()
    scf.yield %t : i32
  } else {
    %t = arith.extui %c : i1 to i32
    func.call @side() : () -> ()
    scf.yield %t : i32
  }
  return %r : i32
}

func.func @chosen(%c: i1, %x: i32, %y: i32) -> (i32, i32) {
  %r:2 = scf.if %c -> (i32, i32) {
    scf.yield %x, %y : i32, i32
  } else {
    scf.yield %y, %y : i32, i32
  }
  return %r#0, %r#1 : i32, i32
}

func.func @empty(%c: i1) {
  scf.if %c {
  }
  scf.if %c {
  } else {
    func.call @side() : () -> ()
  }
  return
}

func.func @compared(%c: i1, %x: i32, %y: i32) -> i1 {
  %r = scf.if %c -> i32 {
    %s = func.call @get() : () -> i1
    scf.yield %x : i32
  } else {
    scf.yield %y : i32
  }
  %t = arith.cmpi eq, %r, %x : i32
  return %t : i1
}

// differs: @memory: which memory is meant stays plain
func.func @memory(%c: i1, %a: memref<4xf32>, %b: memref<4xf32>) -> memref<4xf32> {
  %r = scf.if %c -> memref<4xf32> {
    scf.yield %a : memref<4xf32>
  } else {
    scf.yield %b : memref<4xf32>
  }
  return %r : memref<4xf32>
}

func.func @poison(%c: i1, %x: i32) -> i32 {
  %p = ub.poison : i32
  %r = scf.if %c -> i32 {
    func.call @side() : () -> ()
    scf.yield %x : i32
  } else {
    scf.yield %p : i32
  }
  return %r : i32
}
