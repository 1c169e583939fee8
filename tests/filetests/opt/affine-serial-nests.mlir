// test: opt --affine-serial-nests="target=cpu least-serial=1000"
// test: run-opt --entry=distance --arg=random:1 --arg=random:2 --arg=iota
// test: run-opt --entry=results --arg=random:1 --arg=zeros --arg=1
// test: run-opt --entry=sorted --arg=random:1
// test: run-opt --entry=in_turn --arg=random:1 --arg=random:2
// test: run-opt --entry=left_alone --arg=random:1 --arg=random:2 --arg=5

// A distance of edits: each element needs its neighbours above and to the left.
func.func @distance(%a: memref<30xi32>, %b: memref<20xi32>, %d: memref<21xi32>) {
  %one = arith.constant 1 : i32
  affine.for %i = 0 to 30 {
    %corner = affine.load %d[0] : memref<21xi32>
    %first = arith.addi %corner, %one : i32
    affine.store %first, %d[0] : memref<21xi32>
    %ai = affine.load %a[%i] : memref<30xi32>
    %last = affine.for %j = 0 to 20 iter_args(%before = %corner) -> i32 {
      %bj = affine.load %b[%j] : memref<20xi32>
      %up = affine.load %d[%j + 1] : memref<21xi32>
      %left = affine.load %d[%j] : memref<21xi32>
      %differ = arith.cmpi ne, %ai, %bj : i32
      %cost = arith.extui %differ : i1 to i32
      %replaced = arith.addi %before, %cost : i32
      %deleted = arith.addi %up, %one : i32
      %inserted = arith.addi %left, %one : i32
      %least = arith.minsi %replaced, %deleted : i32
      %chosen = arith.minsi %least, %inserted : i32
      affine.store %chosen, %d[%j + 1] : memref<21xi32>
      affine.yield %up : i32
    }
  }
  return
}

// Results of several types, one of them unused, which the host reads from cells.
func.func @results(%x: memref<300xf32>, %y: memref<300xf32>, %start: i32) -> (f32, index, i1, f32) {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0 : index
  %no = arith.constant false
  %r:4 = affine.for %i = 0 to 300 iter_args(%s = %zero, %at = %none, %odd = %no, %unused = %zero) -> (f32, index, i1, f32) {
    %v = affine.load %x[%i] : memref<300xf32>
    %root = math.sqrt %s : f32
    %next = arith.addf %root, %v : f32
    affine.store %next, %y[%i] : memref<300xf32>
    %above = arith.cmpf ogt, %next, %s : f32
    %place = arith.select %above, %i, %at : index
    %flipped = arith.xori %odd, %above : i1
    affine.yield %next, %place, %flipped, %v : f32, index, i1, f32
  }
  %seen = memref.load %x[%r#1] : memref<300xf32>
  return %r#0, %r#1, %r#2, %seen : f32, index, i1, f32
}

// Insertion sort: the inner loop ends where its data says.
func.func @sorted(%x: memref<40xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %no = arith.constant false
  affine.for %round = 0 to 3 {
    affine.for %i = 1 to 40 {
      %key = memref.load %x[%i] : memref<40xf32>
      %place = scf.while (%j = %i) : (index) -> index {
        %inside = arith.cmpi sgt, %j, %c0 : index
        %moves = scf.if %inside -> i1 {
          %k = arith.subi %j, %c1 : index
          %v = memref.load %x[%k] : memref<40xf32>
          %greater = arith.cmpf ogt, %v, %key : f32
          scf.yield %greater : i1
        } else {
          scf.yield %no : i1
        }
        scf.condition(%moves) %j : index
      } do {
      ^bb0(%j: index):
        %k = arith.subi %j, %c1 : index
        %v = memref.load %x[%k] : memref<40xf32>
        memref.store %v, %x[%j] : memref<40xf32>
        scf.yield %k : index
      }
      memref.store %key, %x[%place] : memref<40xf32>
    }
  }
  return
}

// In a loop of the host, between kernels: the cell lies in front of the loop.
func.func @in_turn(%x: memref<400xf32>, %y: memref<400xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %t = 0 to 3 {
    affine.for %i = 0 to 400 {
      %v = affine.load %y[%i] : memref<400xf32>
      %w = arith.addf %v, %v : f32
      affine.store %w, %x[%i] : memref<400xf32>
    }
    %s = affine.for %i = 0 to 400 iter_args(%s = %zero) -> f32 {
      %v = affine.load %x[%i] : memref<400xf32>
      %root = math.sqrt %s : f32
      %next = arith.addf %root, %v : f32
      affine.yield %next : f32
    }
    affine.store %s, %y[%t] : memref<400xf32>
  }
  return
}

// A short nest; a loop of unknown length; one around an allocation of unknown size; and one that a kernel takes as it is.
func.func @left_alone(%x: memref<64xf32>, %y: memref<64x64xf32>, %n: index) {
  affine.for %i = 1 to 64 {
    %v = affine.load %x[%i - 1] : memref<64xf32>
    affine.store %v, %x[%i] : memref<64xf32>
  }
  affine.for %i = 1 to %n {
    %v = affine.load %x[%i - 1] : memref<64xf32>
    affine.store %v, %x[%i] : memref<64xf32>
  }
  affine.for %t = 0 to 400 {
    %m = memref.alloc(%n) : memref<?xf32>
    %v = affine.load %x[0] : memref<64xf32>
    affine.store %v, %m[0] : memref<?xf32>
    %w = affine.load %m[0] : memref<?xf32>
    affine.store %w, %x[1] : memref<64xf32>
    memref.dealloc %m : memref<?xf32>
  }
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 64 {
      %v = affine.load %y[%i, %j] : memref<64x64xf32>
      %w = arith.addf %v, %v : f32
      affine.store %w, %y[%i, %j] : memref<64x64xf32>
    }
  }
  return
}
