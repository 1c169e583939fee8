// Chains of steps whose sizes are open: the run tests whether one workgroup takes them, or a launch for each step. The values
// are NumPy's.
// test: run --entry=floyd --arg=zeros[1x1]
// expect: result 0 = 0
// test: run --entry=floyd --arg=zeros[9x9]
// expect: result 0 = 29382
// test: run --entry=floyd --arg=zeros[24x24]
// expect: result 0 = 354962
// test: run --entry=floyd --arg=zeros[90x90]
// expect: result 0 = 9658522
// test: run --entry=edit --arg=iota[1] --arg=iota[1] --arg=zeros[2x2]
// expect: result 0 = 0
// test: run --entry=edit --arg=iota[7] --arg=iota[12] --arg=zeros[8x13]
// expect: result 0 = 8
// test: run --entry=edit --arg=iota[90] --arg=iota[130] --arg=zeros[91x131]
// expect: result 0 = 86
// test: run --entry=edit --arg=iota[5] --arg=iota[700] --arg=zeros[6x701]
// expect: result 0 = 697
// test: run --entry=seidel --arg=iota[1x1] --arg=iota[1] --arg=3
// expect: result 0 = 0
// test: run --entry=seidel --arg=iota[33x33] --arg=iota[33] --arg=3
// expect: result 0 = 339727940
// test: run --entry=seidel --arg=iota[100x100] --arg=iota[100] --arg=3
// expect: result 0 = 581146416
// test: run --entry=sweeps --arg=iota[7x9] --arg=zeros[7x9] --arg=3
// expect: result 0 = -726458818
// test: run --entry=sweeps --arg=iota[150x300] --arg=zeros[150x300] --arg=2
// expect: result 0 = 1779639582
// test: run --entry=sweeps --arg=iota[4x4] --arg=zeros[4x4] --arg=0
// expect: result 0 = -456626168

// The lengths of the shortest paths between nodes at distances (37 i + 53 j) mod 101 + 1, multiplied by 3 i + j + 1 and summed up.
func.func @floyd(%d: memref<?x?xi32>) -> i32 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %n = memref.dim %d, %c0 : memref<?x?xi32>
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %n {
      %o = affine.apply affine_map<(i, j) -> ((i * 37 + j * 53) mod 101 + 1)>(%i, %j)
      %far = arith.index_cast %o : index to i32
      %same = arith.cmpi eq, %i, %j : index
      %v = arith.select %same, %zero, %far : i32
      affine.store %v, %d[%i, %j] : memref<?x?xi32>
    }
  }
  affine.for %k = 0 to %n {
    affine.for %i = 0 to %n {
      affine.for %j = 0 to %n {
        %a = affine.load %d[%i, %k] : memref<?x?xi32>
        %b = affine.load %d[%k, %j] : memref<?x?xi32>
        %e = affine.load %d[%i, %j] : memref<?x?xi32>
        %s = arith.addi %a, %b : i32
        %m = arith.minsi %e, %s : i32
        affine.store %m, %d[%i, %j] : memref<?x?xi32>
      }
    }
  }
  %sum = affine.for %i = 0 to %n iter_args(%rows = %zero) -> i32 {
    %row = affine.for %j = 0 to %n iter_args(%acc = %rows) -> i32 {
      %w = affine.apply affine_map<(i, j) -> (i * 3 + j + 1)>(%i, %j)
      %f = arith.index_cast %w : index to i32
      %v = affine.load %d[%i, %j] : memref<?x?xi32>
      %p = arith.muli %v, %f : i32
      %next = arith.addi %acc, %p : i32
      affine.yield %next : i32
    }
    affine.yield %row : i32
  }
  return %sum : i32
}

// The edit distance of 7 i^2 mod 5 and (3 j^2 + j) mod 5, by wavefronts.
func.func @edit(%a: memref<?xi32>, %b: memref<?xi32>, %d: memref<?x?xi32>) -> i32 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %three = arith.constant 3 : i32
  %five = arith.constant 5 : i32
  %seven = arith.constant 7 : i32
  %m = memref.dim %a, %c0 : memref<?xi32>
  %n = memref.dim %b, %c0 : memref<?xi32>
  affine.for %i = 0 to affine_map<()[s] -> (s + 1)>()[%m] {
    %v = arith.index_cast %i : index to i32
    affine.store %v, %d[%i, 0] : memref<?x?xi32>
  }
  affine.for %j = 0 to affine_map<()[s] -> (s + 1)>()[%n] {
    %v = arith.index_cast %j : index to i32
    affine.store %v, %d[0, %j] : memref<?x?xi32>
  }
  affine.for %i = 1 to affine_map<()[s] -> (s + 1)>()[%m] {
    affine.for %j = 1 to affine_map<()[s] -> (s + 1)>()[%n] {
      %p = affine.load %a[%i - 1] : memref<?xi32>
      %q = affine.load %b[%j - 1] : memref<?xi32>
      %p2 = arith.muli %p, %p : i32
      %p7 = arith.muli %p2, %seven : i32
      %x = arith.remsi %p7, %five : i32
      %q2 = arith.muli %q, %q : i32
      %q3 = arith.muli %q2, %three : i32
      %q4 = arith.addi %q3, %q : i32
      %y = arith.remsi %q4, %five : i32
      %same = arith.cmpi eq, %x, %y : i32
      %cost = arith.select %same, %zero, %one : i32
      %diagonal = affine.load %d[%i - 1, %j - 1] : memref<?x?xi32>
      %up = affine.load %d[%i - 1, %j] : memref<?x?xi32>
      %left = affine.load %d[%i, %j - 1] : memref<?x?xi32>
      %changed = arith.addi %diagonal, %cost : i32
      %removed = arith.addi %up, %one : i32
      %added = arith.addi %left, %one : i32
      %least = arith.minsi %removed, %added : i32
      %v = arith.minsi %least, %changed : i32
      affine.store %v, %d[%i, %j] : memref<?x?xi32>
    }
  }
  %distance = affine.load %d[symbol(%m), symbol(%n)] : memref<?x?xi32>
  return %distance : i32
}

// Sweeps of Gauss-Seidel with a dense matrix, (n i + j) mod 11 - 5: x[i] = i - sum a[i, j] x[j]. The result is the polynomial of
// the unknowns at 31.
func.func @seidel(%a: memref<?x?xi32>, %x: memref<?xi32>, %steps: index) -> i32 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %five = arith.constant 5 : i32
  %eleven = arith.constant 11 : i32
  %base = arith.constant 31 : i32
  %n = memref.dim %x, %c0 : memref<?xi32>
  affine.for %t = 0 to %steps {
    affine.for %i = 0 to %n {
      %s = affine.for %j = 0 to %n iter_args(%acc = %zero) -> i32 {
        %m = affine.load %a[%i, %j] : memref<?x?xi32>
        %r = arith.remsi %m, %eleven : i32
        %f = arith.subi %r, %five : i32
        %b = affine.load %x[%j] : memref<?xi32>
        %p = arith.muli %f, %b : i32
        %next = arith.addi %acc, %p : i32
        affine.yield %next : i32
      }
      %k = arith.index_cast %i : index to i32
      %u = arith.subi %k, %s : i32
      affine.store %u, %x[%i] : memref<?xi32>
    }
  }
  %sum = affine.for %i = 0 to %n iter_args(%acc = %zero) -> i32 {
    %b = affine.load %x[%i] : memref<?xi32>
    %p = arith.muli %acc, %base : i32
    %next = arith.addi %p, %b : i32
    affine.yield %next : i32
  }
  return %sum : i32
}

// Steps of a stencil along rows, and then of a chain of rows, b[i] += 3 b[i - 1]: versions of both loops. It begins with
// (m i + j) mod 17, and the result is the polynomial of the elements at 31.
func.func @sweeps(%a: memref<?x?xi32>, %b: memref<?x?xi32>, %steps: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %three = arith.constant 3 : i32
  %seventeen = arith.constant 17 : i32
  %base = arith.constant 31 : i32
  %n = memref.dim %a, %c0 : memref<?x?xi32>
  %m = memref.dim %a, %c1 : memref<?x?xi32>
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %m {
      %v = affine.load %a[%i, %j] : memref<?x?xi32>
      %r = arith.remsi %v, %seventeen : i32
      affine.store %r, %a[%i, %j] : memref<?x?xi32>
    }
  }
  affine.for %t = 0 to %steps {
    affine.for %i = 0 to %n {
      affine.for %j = 0 to %m {
        %v = affine.load %a[%i, %j] : memref<?x?xi32>
        affine.store %v, %b[%i, %j] : memref<?x?xi32>
      }
    }
    affine.for %i = 0 to %n {
      affine.for %j = 1 to affine_map<()[s] -> (s - 1)>()[%m] {
        %w = affine.load %a[%i, %j - 1] : memref<?x?xi32>
        %e = affine.load %a[%i, %j + 1] : memref<?x?xi32>
        %v = affine.load %a[%i, %j] : memref<?x?xi32>
        %s = arith.addi %w, %e : i32
        %d = arith.subi %s, %v : i32
        affine.store %d, %b[%i, %j] : memref<?x?xi32>
      }
    }
    affine.for %i = 1 to %n {
      affine.for %j = 0 to %m {
        %before = affine.load %b[%i - 1, %j] : memref<?x?xi32>
        %v = affine.load %b[%i, %j] : memref<?x?xi32>
        %p = arith.muli %before, %three : i32
        %s = arith.addi %v, %p : i32
        affine.store %s, %b[%i, %j] : memref<?x?xi32>
      }
    }
    affine.for %i = 0 to %n {
      affine.for %j = 0 to %m {
        %v = affine.load %b[%i, %j] : memref<?x?xi32>
        affine.store %v, %a[%i, %j] : memref<?x?xi32>
      }
    }
  }
  %sum = affine.for %i = 0 to %n iter_args(%rows = %zero) -> i32 {
    %row = affine.for %j = 0 to %m iter_args(%acc = %rows) -> i32 {
      %v = affine.load %a[%i, %j] : memref<?x?xi32>
      %p = arith.muli %acc, %base : i32
      %next = arith.addi %p, %v : i32
      affine.yield %next : i32
    }
    affine.yield %row : i32
  }
  return %sum : i32
}
