// test: opt --affine-persistent-workgroup=target=gpu
// test: run-opt --entry=solve --arg=random:1[1x1] --arg=random:2[1]
// test: run-opt --entry=solve --arg=random:1[40x40] --arg=random:2[40]
// test: run-opt --entry=steps --arg=random:1[30] --arg=zeros[30] --arg=0
// test: run-opt --entry=steps --arg=random:1[30] --arg=zeros[30] --arg=7
// test: run-opt --entry=rows --arg=random:1[9x20] --arg=7
// test: run-opt --entry=large --arg=random:1[4x9] --arg=3

// The run compares both costs, which follow from the size.
func.func @solve(%l: memref<?x?xf32>, %x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %x_apart, %l_apart = memref.distinct_objects %x, %l : memref<?xf32>, memref<?x?xf32>
  %n = memref.dim %x_apart, %c0 : memref<?xf32>
  affine.for %t = 0 to %n {
    %s = affine.load %x_apart[%t] : memref<?xf32>
    affine.for %i = affine_map<(d0) -> (d0 + 1)>(%t) to %n {
      %a = affine.load %l_apart[%i, %t] : memref<?x?xf32>
      %p = arith.mulf %a, %s : f32
      %c = affine.load %x_apart[%i] : memref<?xf32>
      %u = arith.subf %c, %p : f32
      affine.store %u, %x_apart[%i] : memref<?xf32>
    }
  }
  return
}

// Only the number of steps is open: fewer than one are not worth a launch, and very many take one kernel too long.
func.func @steps(%a: memref<30xf32>, %b: memref<30xf32>, %steps: index) {
  %a_apart, %b_apart = memref.distinct_objects %a, %b : memref<30xf32>, memref<30xf32>
  affine.for %t = 0 to %steps {
    affine.for %i = 1 to 29 {
      %w = affine.load %a_apart[%i - 1] : memref<30xf32>
      %e = affine.load %a_apart[%i + 1] : memref<30xf32>
      %s = arith.addf %w, %e : f32
      affine.store %s, %b_apart[%i] : memref<30xf32>
    }
    affine.for %i = 1 to 29 {
      %v = affine.load %b_apart[%i] : memref<30xf32>
      affine.store %v, %a_apart[%i] : memref<30xf32>
    }
  }
  return
}

// The inner loop has a version of its own where the outer one is launches.
func.func @rows(%a: memref<?x?xf32>, %steps: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %two = arith.constant 2.0 : f32
  %n = memref.dim %a, %c0 : memref<?x?xf32>
  %m = memref.dim %a, %c1 : memref<?x?xf32>
  affine.for %t = 0 to %steps {
    affine.for %i = 0 to %n {
      affine.for %j = 0 to %m {
        %v = affine.load %a[%i, %j] : memref<?x?xf32>
        %p = arith.divf %v, %two : f32
        affine.store %p, %a[%i, %j] : memref<?x?xf32>
      }
    }
    affine.for %i = 1 to %n {
      affine.for %j = 0 to %m {
        %before = affine.load %a[%i - 1, %j] : memref<?x?xf32>
        %v = affine.load %a[%i, %j] : memref<?x?xf32>
        %s = arith.addf %v, %before : f32
        affine.store %s, %a[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return
}

// No version: a step takes longer in one workgroup, whatever the sizes are.
func.func @large(%a: memref<?x?xf32>, %steps: index) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %n = memref.dim %a, %c0 : memref<?x?xf32>
  affine.for %t = 0 to %steps {
    affine.for %i = 0 to %n {
      affine.for %k = 0 to 20000 {
        %v = affine.load %a[%i, %k mod 9] : memref<?x?xf32>
        %s = arith.addf %v, %one : f32
        affine.store %s, %a[%i, %k mod 9] : memref<?x?xf32>
      }
    }
  }
  return
}
