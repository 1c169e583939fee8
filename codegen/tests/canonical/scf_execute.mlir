// test: canonical
func.func private @tick()
func.func private @give() -> i1
func.func private @value() -> i32

func.func @from_outside(%m: memref<4xf32>) -> memref<4xf32> {
  %r = scf.execute_region -> memref<4xf32> no_inline {
    func.call @tick() : () -> ()
    scf.yield %m : memref<4xf32>
  }
  return %r : memref<4xf32>
}

func.func @one_of_two(%x: i32) -> (i32, i32) {
  %r:2 = scf.execute_region -> (i32, i32) no_inline {
    %v = func.call @value() : () -> i32
    scf.yield %v, %x : i32, i32
  }
  return %r#0, %r#1 : i32, i32
}

func.func @every_way(%x: i32, %y: i64) -> (i32, i64) {
  %r:2 = scf.execute_region -> (i32, i64) no_inline {
    %c = func.call @give() : () -> i1
    cf.cond_br %c, ^a, ^b
  ^a:
    func.call @tick() : () -> ()
    scf.yield %x, %y : i32, i64
  ^b:
    %e = arith.extsi %x : i32 to i64
    scf.yield %x, %e : i32, i64
  }
  return %r#0, %r#1 : i32, i64
}

func.func @unread() {
  %r = scf.execute_region -> i32 no_inline {
    %v = func.call @value() : () -> i32
    scf.yield %v : i32
  }
  return
}

func.func @chosen_by_outer(%a: i1, %b: i1, %x: i32, %y: i32) -> i32 {
  %r = scf.if %a -> i32 {
    scf.if %b {
      func.call @tick() : () -> ()
    }
    scf.yield %x : i32
  } else {
    scf.yield %y : i32
  }
  return %r : i32
}
