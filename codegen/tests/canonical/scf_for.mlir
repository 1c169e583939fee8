// test: canonical
func.func private @use(index)
func.func private @side()

func.func @carried(%n: index, %x: i32) -> (i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %x, %d = %x) -> (i32, i32, i32) {
    func.call @use(%i) : (index) -> ()
    %t = arith.addi %b, %b : i32
    scf.yield %a, %t, %t : i32, i32, i32
  }
  return %r#0, %r#1 : i32, i32
}

func.func @dead(%n: index, %x: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> i32 {
    %t = arith.addi %a, %a : i32
    scf.yield %t : i32
  }
  return
}

func.func @unused(%n: index, %x: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> i32 {
    func.call @side() : () -> ()
    %t = arith.addi %a, %a : i32
    scf.yield %t : i32
  }
  return
}

func.func @never(%x: i32) -> i32 {
  %c5 = arith.constant 5 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c5 to %c1 step %c1 iter_args(%a = %x) -> i32 {
    func.call @side() : () -> ()
    scf.yield %a : i32
  }
  return %r : i32
}

func.func @equal_bounds(%x: i32, %n: index) -> i32 {
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %n to %n step %c1 iter_args(%a = %x) -> i32 {
    func.call @side() : () -> ()
    scf.yield %a : i32
  }
  scf.for %i = %n to %n step %c1 {
    func.call @side() : () -> ()
  }
  return %r : i32
}

func.func @once(%x: i32) -> i32 {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %r = scf.for %i = %c1 to %c3 step %c4 iter_args(%a = %x) -> i32 {
    func.call @use(%i) : (index) -> ()
    %t = arith.addi %a, %a : i32
    scf.yield %t : i32
  }
  return %r : i32
}

func.func @to_the_next(%x: i32, %n: index) -> i32 {
  %c1 = arith.constant 1 : index
  %m = arith.addi %n, %c1 : index
  %r = scf.for %i = %n to %m step %c1 iter_args(%a = %x) -> i32 {
    func.call @use(%i) : (index) -> ()
    %t = arith.addi %a, %a : i32
    scf.yield %t : i32
  }
  return %r : i32
}

func.func @may_not_run(%n: index, %x: i32, %y: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> i32 {
    scf.yield %y : i32
  }
  return %r : i32
}

func.func @yields_only(%n: index, %x: i32, %y: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %x) -> i32 {
    scf.yield %y : i32
  }
  return %r : i32
}

func.func @memory(%n: index, %x: memref<4xf32>) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c = memref.cast %x : memref<4xf32> to memref<?xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %c) -> memref<?xf32> {
    func.call @use(%i) : (index) -> ()
    scf.yield %a : memref<?xf32>
  }
  return %r : memref<?xf32>
}

func.func @alike(%n: index, %x: i32) -> (i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %x) -> (i32, i32) {
    func.call @use(%i) : (index) -> ()
    %t = arith.addi %a, %b : i32
    scf.yield %t, %t : i32, i32
  }
  return %r#0, %r#1 : i32, i32
}

// differs: @in_few_bits: three iterations, not none
func.func @in_few_bits(%x: i32) {
  %c1 = arith.constant 1 : i8
  %c3 = arith.constant -128 : i8
  %c4 = arith.constant 127 : i8
  scf.for %i = %c3 to %c4 step %c4 : i8 {
    func.call @side() : () -> ()
  }
  return
}
