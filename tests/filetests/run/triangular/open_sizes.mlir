// Row-by-row forms of solves and factorizations whose sizes only the run knows become their right-looking
// forms, whose inner loops are kernels.
//
// The lower triangle of ones times (0, 1, 1, …) is (0, 1, 2, …), and times its own transpose it is the matrix
// of min(i, j) + 1, which has ones for its factors.
// test: run --entry=solve --arg=ones[9x9] --arg=iota[9]
// expect: arg 1 = [0, 1, 1, 1, 1, 1, 1, 1, 1]
// test: run --entry=solve --arg=ones[1x1] --arg=ones[1]
// expect: arg 1 = [1]
// test: run --entry=solve_of --arg=5 --arg=ones[9x9] --arg=iota[9]
// expect: arg 2 = [0, 1, 1, 1, 1, 5, 6, 7, 8]
// test: run --entry=solve_of --arg=-3 --arg=ones[9x9] --arg=iota[9]
// expect: arg 2 = [0, 1, 2, 3, 4, 5, 6, 7, 8]
// test: run --entry=lu --arg=zeros[4x4]
// expect: arg 0 = [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]
// test: run --entry=cholesky --arg=zeros[4x4]
// expect: arg 0 = [1, 1, 1, 1, 1, 1, 2, 2, 1, 1, 1, 3, 1, 1, 1, 1]
// test: run --entry=cholesky --arg=zeros[21x21]
// test: run --entry=lu --arg=zeros[21x21]
// test: run --entry=solve --arg=ones[0x0] --arg=ones[0]
func.func @solve(%l: memref<?x?xf32>, %x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  affine.for %i = 0 to %n {
    affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) {
      %a = affine.load %l[%i, %j] : memref<?x?xf32>
      %b = affine.load %x[%j] : memref<?xf32>
      %p = arith.mulf %a, %b : f32
      %s = affine.load %x[%i] : memref<?xf32>
      %t = arith.subf %s, %p : f32
      affine.store %t, %x[%i] : memref<?xf32>
    }
    %d = affine.load %l[%i, %i] : memref<?x?xf32>
    %s = affine.load %x[%i] : memref<?xf32>
    %q = arith.divf %s, %d : f32
    affine.store %q, %x[%i] : memref<?xf32>
  }
  return
}

func.func @solve_of(%n: index, %l: memref<?x?xf32>, %x: memref<?xf32>) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) {
      %a = affine.load %l[%i, %j] : memref<?x?xf32>
      %b = affine.load %x[%j] : memref<?xf32>
      %p = arith.mulf %a, %b : f32
      %s = affine.load %x[%i] : memref<?xf32>
      %t = arith.subf %s, %p : f32
      affine.store %t, %x[%i] : memref<?xf32>
    }
    %d = affine.load %l[%i, %i] : memref<?x?xf32>
    %s = affine.load %x[%i] : memref<?xf32>
    %q = arith.divf %s, %d : f32
    affine.store %q, %x[%i] : memref<?xf32>
  }
  return
}

func.func private @fill(%a: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?x?xf32>
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %n {
      %least = arith.minsi %i, %j : index
      %next = arith.addi %least, %c1 : index
      %int = arith.index_cast %next : index to i32
      %float = arith.sitofp %int : i32 to f32
      affine.store %float, %a[%i, %j] : memref<?x?xf32>
    }
  }
  return
}

func.func @lu(%a: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %a, %c0 : memref<?x?xf32>
  call @fill(%a) : (memref<?x?xf32>) -> ()
  affine.for %i = 0 to %n {
    affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) {
      affine.for %k = 0 to affine_map<(d0) -> (d0)>(%j) {
        %x = affine.load %a[%i, %k] : memref<?x?xf32>
        %y = affine.load %a[%k, %j] : memref<?x?xf32>
        %p = arith.mulf %x, %y : f32
        %s = affine.load %a[%i, %j] : memref<?x?xf32>
        %t = arith.subf %s, %p : f32
        affine.store %t, %a[%i, %j] : memref<?x?xf32>
      }
      %d = affine.load %a[%j, %j] : memref<?x?xf32>
      %s = affine.load %a[%i, %j] : memref<?x?xf32>
      %q = arith.divf %s, %d : f32
      affine.store %q, %a[%i, %j] : memref<?x?xf32>
    }
    affine.for %j = affine_map<(d0) -> (d0)>(%i) to %n {
      affine.for %k = 0 to affine_map<(d0) -> (d0)>(%i) {
        %x = affine.load %a[%i, %k] : memref<?x?xf32>
        %y = affine.load %a[%k, %j] : memref<?x?xf32>
        %p = arith.mulf %x, %y : f32
        %s = affine.load %a[%i, %j] : memref<?x?xf32>
        %t = arith.subf %s, %p : f32
        affine.store %t, %a[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return
}

func.func @cholesky(%a: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %a, %c0 : memref<?x?xf32>
  call @fill(%a) : (memref<?x?xf32>) -> ()
  affine.for %i = 0 to %n {
    affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) {
      affine.for %k = 0 to affine_map<(d0) -> (d0)>(%j) {
        %x = affine.load %a[%i, %k] : memref<?x?xf32>
        %y = affine.load %a[%j, %k] : memref<?x?xf32>
        %p = arith.mulf %x, %y : f32
        %s = affine.load %a[%i, %j] : memref<?x?xf32>
        %t = arith.subf %s, %p : f32
        affine.store %t, %a[%i, %j] : memref<?x?xf32>
      }
      %d = affine.load %a[%j, %j] : memref<?x?xf32>
      %s = affine.load %a[%i, %j] : memref<?x?xf32>
      %q = arith.divf %s, %d : f32
      affine.store %q, %a[%i, %j] : memref<?x?xf32>
    }
    affine.for %k = 0 to affine_map<(d0) -> (d0)>(%i) {
      %x = affine.load %a[%i, %k] : memref<?x?xf32>
      %p = arith.mulf %x, %x : f32
      %s = affine.load %a[%i, %i] : memref<?x?xf32>
      %t = arith.subf %s, %p : f32
      affine.store %t, %a[%i, %i] : memref<?x?xf32>
    }
    %s = affine.load %a[%i, %i] : memref<?x?xf32>
    %r = math.sqrt %s : f32
    affine.store %r, %a[%i, %i] : memref<?x?xf32>
  }
  return
}
