// test: run --entry=elimination --arg=random:1
// test: run --entry=elimination_open --arg=random:1[133x133]
// test: run --entry=cholesky --arg=zeros
// test: run --entry=inverse --arg=random:1
// test: run --entry=by_rows --arg=random:1[131x131] --arg=zeros[131x131] --arg=131

// Long enough to be blocked by `affine-loop-block`: by rows, so that `k` has to come outside first.
func.func @elimination(%a: memref<133x133xi32>) {
  affine.for %i = 0 to 133 {
    affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) {
      affine.for %k = 0 to affine_map<(d0) -> (d0)>(%j) {
        %x = affine.load %a[%i, %j] : memref<133x133xi32>
        %l = affine.load %a[%i, %k] : memref<133x133xi32>
        %u = affine.load %a[%k, %j] : memref<133x133xi32>
        %p = arith.muli %l, %u : i32
        %s = arith.subi %x, %p : i32
        affine.store %s, %a[%i, %j] : memref<133x133xi32>
      }
      %x = affine.load %a[%i, %j] : memref<133x133xi32>
      %d = affine.load %a[%j, %j] : memref<133x133xi32>
      %q = arith.muli %x, %d : i32
      affine.store %q, %a[%i, %j] : memref<133x133xi32>
    }
    affine.for %j = affine_map<(d0) -> (d0)>(%i) to 133 {
      affine.for %k = 0 to affine_map<(d0) -> (d0)>(%i) {
        %x = affine.load %a[%i, %j] : memref<133x133xi32>
        %l = affine.load %a[%i, %k] : memref<133x133xi32>
        %u = affine.load %a[%k, %j] : memref<133x133xi32>
        %p = arith.muli %l, %u : i32
        %s = arith.subi %x, %p : i32
        affine.store %s, %a[%i, %j] : memref<133x133xi32>
      }
    }
  }
  return
}

func.func @elimination_open(%a: memref<?x?xi32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %a, %c0 : memref<?x?xi32>
  affine.for %k = 0 to %n {
    affine.for %i = affine_map<(d0) -> (d0 + 1)>(%k) to %n {
      %x = affine.load %a[%i, %k] : memref<?x?xi32>
      %d = affine.load %a[%k, %k] : memref<?x?xi32>
      %q = arith.xori %x, %d : i32
      affine.store %q, %a[%i, %k] : memref<?x?xi32>
    }
    affine.for %i = affine_map<(d0) -> (d0 + 1)>(%k) to %n {
      affine.for %j = affine_map<(d0) -> (d0 + 1)>(%k) to %n {
        %x = affine.load %a[%i, %j] : memref<?x?xi32>
        %l = affine.load %a[%i, %k] : memref<?x?xi32>
        %u = affine.load %a[%k, %j] : memref<?x?xi32>
        %p = arith.muli %l, %u : i32
        %s = arith.subi %x, %p : i32
        affine.store %s, %a[%i, %j] : memref<?x?xi32>
      }
    }
  }
  return
}

// The matrix that has 200 on its diagonal, and 1 elsewhere.
func.func @cholesky(%a: memref<130x130xf32>) {
  %one = arith.constant 1.0 : f32
  %large = arith.constant 200.0 : f32
  affine.for %i = 0 to 130 {
    affine.for %j = 0 to 130 {
      affine.store %one, %a[%i, %j] : memref<130x130xf32>
    }
  }
  affine.for %i = 0 to 130 {
    affine.store %large, %a[%i, %i] : memref<130x130xf32>
  }
  affine.for %i = 0 to 130 {
    affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) {
      affine.for %k = 0 to affine_map<(d0) -> (d0)>(%j) {
        %x = affine.load %a[%i, %j] : memref<130x130xf32>
        %l = affine.load %a[%i, %k] : memref<130x130xf32>
        %m = affine.load %a[%j, %k] : memref<130x130xf32>
        %p = arith.mulf %l, %m : f32
        %s = arith.subf %x, %p : f32
        affine.store %s, %a[%i, %j] : memref<130x130xf32>
      }
      %x = affine.load %a[%i, %j] : memref<130x130xf32>
      %d = affine.load %a[%j, %j] : memref<130x130xf32>
      %q = arith.divf %x, %d : f32
      affine.store %q, %a[%i, %j] : memref<130x130xf32>
    }
    affine.for %k = 0 to affine_map<(d0) -> (d0)>(%i) {
      %x = affine.load %a[%i, %i] : memref<130x130xf32>
      %l = affine.load %a[%i, %k] : memref<130x130xf32>
      %p = arith.mulf %l, %l : f32
      %s = arith.subf %x, %p : f32
      affine.store %s, %a[%i, %i] : memref<130x130xf32>
    }
    %x = affine.load %a[%i, %i] : memref<130x130xf32>
    %r = math.sqrt %x : f32
    affine.store %r, %a[%i, %i] : memref<130x130xf32>
  }
  return
}

// Gauss and Jordan: rows above the pivot are eliminated as well.
func.func @inverse(%a: memref<129x129xi32>) {
  affine.for %k = 0 to 129 {
    affine.for %j = affine_map<(d0) -> (d0 + 1)>(%k) to 129 {
      %x = affine.load %a[%k, %j] : memref<129x129xi32>
      %d = affine.load %a[%k, %k] : memref<129x129xi32>
      %q = arith.xori %x, %d : i32
      affine.store %q, %a[%k, %j] : memref<129x129xi32>
    }
    affine.for %i = 0 to affine_map<(d0) -> (d0)>(%k) {
      affine.for %j = affine_map<(d0) -> (d0 + 1)>(%k) to 129 {
        %x = affine.load %a[%i, %j] : memref<129x129xi32>
        %l = affine.load %a[%i, %k] : memref<129x129xi32>
        %u = affine.load %a[%k, %j] : memref<129x129xi32>
        %p = arith.muli %l, %u : i32
        %s = arith.subi %x, %p : i32
        affine.store %s, %a[%i, %j] : memref<129x129xi32>
      }
    }
    affine.for %i = affine_map<(d0) -> (d0 + 1)>(%k) to 129 {
      affine.for %j = affine_map<(d0) -> (d0 + 1)>(%k) to 129 {
        %x = affine.load %a[%i, %j] : memref<129x129xi32>
        %l = affine.load %a[%i, %k] : memref<129x129xi32>
        %u = affine.load %a[%k, %j] : memref<129x129xi32>
        %p = arith.muli %l, %u : i32
        %s = arith.subi %x, %p : i32
        affine.store %s, %a[%i, %j] : memref<129x129xi32>
      }
    }
  }
  return
}

// A factor in an array of its own, as written in most textbooks.
func.func @by_rows(%a: memref<?x?xi32>, %l: memref<?x?xi32>, %n: index) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to affine_map<(d0) -> (d0 + 1)>(%i) {
      %x = affine.load %a[%i, %j] : memref<?x?xi32>
      %s = affine.for %k = 0 to affine_map<(d0) -> (d0)>(%j) iter_args(%sum = %x) -> (i32) {
        %y = affine.load %l[%i, %k] : memref<?x?xi32>
        %z = affine.load %l[%j, %k] : memref<?x?xi32>
        %p = arith.muli %y, %z : i32
        %d = arith.subi %sum, %p : i32
        affine.yield %d : i32
      }
      affine.if affine_set<(d0, d1) : (d0 - d1 == 0)>(%i, %j) {
        %c5 = arith.constant 5 : i32
        %r = arith.xori %s, %c5 : i32
        affine.store %r, %l[%i, %j] : memref<?x?xi32>
      } else {
        %d = affine.load %l[%j, %j] : memref<?x?xi32>
        %q = arith.muli %s, %d : i32
        affine.store %q, %l[%i, %j] : memref<?x?xi32>
      }
    }
  }
  return
}
