// test: canonical
func.func private @use(memref<?xi64>)
func.func private @count() -> index
func.func private @flag() -> i1

func.func @ends_with_the_loop(%n: index) {
  affine.for %i = 0 to %n {
    memref.alloca_scope {
      %a = memref.alloca(%i) : memref<?xi64>
      func.call @use(%a) : (memref<?xi64>) -> ()
    }
  }
  return
}

func.func @more_in_the_loop(%n: index) {
  affine.for %i = 0 to %n {
    memref.alloca_scope {
      %a = memref.alloca(%i) : memref<?xi64>
      func.call @use(%a) : (memref<?xi64>) -> ()
    }
    %c = func.call @count() : () -> index
  }
  return
}

func.func @size_known_before(%c: i1) {
  %n = func.call @count() : () -> index
  scf.if %c {
    memref.alloca_scope {
      %a = memref.alloca(%n) : memref<?xi64>
      func.call @use(%a) : (memref<?xi64>) -> ()
    }
  }
  return
}

func.func @size_known_inside(%c: i1) {
  scf.if %c {
    memref.alloca_scope {
      %n = func.call @count() : () -> index
      %a = memref.alloca(%n) : memref<?xi64>
      func.call @use(%a) : (memref<?xi64>) -> ()
    }
  }
  return
}

func.func @held_by_another_scope(%c: i1, %m: memref<8xi64>) {
  scf.if %c {
    memref.alloca_scope {
      affine.parallel (%i) = (0) to (8) {
        %a = memref.alloca(%i) : memref<?xi64>
        %d = memref.load %a[%i] : memref<?xi64>
        memref.store %d, %m[%i] : memref<8xi64>
      }
    }
    %k = func.call @count() : () -> index
  }
  return
}
