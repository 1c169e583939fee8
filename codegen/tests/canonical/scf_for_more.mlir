// test: canonical
func.func private @use(index)
func.func private @usei(i32)

// differs: @no_step: a loop without a step does not end
func.func @no_step(%n: index) {
  %c0 = arith.constant 0 : index
  scf.for %i = %c0 to %n step %c0 {
    func.call @use(%i) : (index) -> ()
  }
  return
}

func.func @nested(%n: index, %x: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> i32 {
    %q = scf.for %j = %c0 to %n step %c1 iter_args(%b = %a) -> i32 {
      %s = arith.addi %b, %b : i32
      scf.yield %s : i32
    }
    scf.yield %a : i32
  }
  return %r : i32
}

func.func @constant(%n: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant 5 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> i32 {
    func.call @usei(%a) : (i32) -> ()
    scf.yield %x : i32
  }
  return %r : i32
}

func.func @bounds(%n: index) {
  %c0 = arith.constant 0 : i32
  %c8 = arith.constant 8 : i32
  %a = arith.index_cast %c0 : i32 to index
  %b = arith.index_cast %c8 : i32 to index
  %c1 = arith.constant 1 : index
  scf.for %i = %a to %b step %c1 {
    func.call @use(%i) : (index) -> ()
  }
  return
}
