// For drivers that load the elements of adjacent lanes as a vector outside of branches and loops, a thread computes full tiles only. A
// workgroup that would extend beyond the last iteration begins further back, and stores what others leave: along x (390
// iterations, 24 a workgroup), along y (9 rows, 4 at a time), and along both. An array updated in place has full tiles, or
// is mapped as before; so are loops that a thread runs, columns of an array that lanes read apart, and elements of fewer bytes
// than a word, which the driver would load lane by lane.
// test: opt --affine-mark-inbounds --affine-map-to-gpu=target=slow-gathering-cpu --canonicalize --cse
// test: run-opt --entry=line --arg=random:1 --arg=zeros
// test: run-opt --entry=rows --arg=random:1 --arg=zeros
// test: run-opt --entry=downwards --arg=random:1 --arg=zeros
// test: run-opt --entry=in_place --arg=random:1
// test: run-opt --entry=in_place_odd --arg=random:1
// test: run-opt --entry=sums --arg=random:1 --arg=zeros
// test: run-opt --entry=turned --arg=random:1 --arg=zeros
// test: run-opt --entry=bytes --arg=random:1 --arg=zeros

func.func @line(%x: memref<391xf32>, %y: memref<390xf32>) {
  %0:2 = memref.distinct_objects %x, %y : memref<391xf32>, memref<390xf32>
  affine.for %i = 0 to 390 {
    %a = affine.load %0#0[%i] : memref<391xf32>
    %b = affine.load %0#0[%i + 1] : memref<391xf32>
    %c = arith.addf %a, %b : f32
    affine.store %c, %0#1[%i] : memref<390xf32>
  }
  return
}

func.func @rows(%x: memref<3x11x46xf32>, %y: memref<3x11x46xf32>) {
  %0:2 = memref.distinct_objects %x, %y : memref<3x11x46xf32>, memref<3x11x46xf32>
  affine.for %i = 0 to 3 {
    affine.for %j = 1 to 10 {
      affine.for %k = 1 to 45 {
        %a = affine.load %0#0[%i, %j - 1, %k] : memref<3x11x46xf32>
        %b = affine.load %0#0[%i, %j + 1, %k] : memref<3x11x46xf32>
        %c = arith.addf %a, %b : f32
        affine.store %c, %0#1[%i, %j, %k] : memref<3x11x46xf32>
      }
    }
  }
  return
}

// A step of 2 from 3 on, towards the other end.
func.func @downwards(%x: memref<800xf32>, %y: memref<800xf32>) {
  %0:2 = memref.distinct_objects %x, %y : memref<800xf32>, memref<800xf32>
  affine.for %i = 3 to 799 step 2 {
    %a = affine.load %0#0[-%i + 799] : memref<800xf32>
    affine.store %a, %0#1[%i] : memref<800xf32>
  }
  return
}

func.func @in_place(%x: memref<384xf32>) {
  affine.for %i = 0 to 384 {
    %a = affine.load %x[%i] : memref<384xf32>
    %b = arith.addf %a, %a : f32
    affine.store %b, %x[%i] : memref<384xf32>
  }
  return
}

func.func @in_place_odd(%x: memref<390xf32>) {
  affine.for %i = 0 to 390 {
    %a = affine.load %x[%i] : memref<390xf32>
    %b = arith.addf %a, %a : f32
    affine.store %b, %x[%i] : memref<390xf32>
  }
  return
}

func.func @sums(%x: memref<5x390xf32>, %y: memref<390xf32>) {
  %0:2 = memref.distinct_objects %x, %y : memref<5x390xf32>, memref<390xf32>
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 390 {
    %s = affine.for %k = 0 to 5 iter_args(%t = %zero) -> (f32) {
      %a = affine.load %0#0[%k, %i] : memref<5x390xf32>
      %b = arith.addf %t, %a : f32
      affine.yield %b : f32
    }
    affine.store %s, %0#1[%i] : memref<390xf32>
  }
  return
}

func.func @turned(%x: memref<390x20xf32>, %y: memref<20x390xf32>) {
  %0:2 = memref.distinct_objects %x, %y : memref<390x20xf32>, memref<20x390xf32>
  affine.for %i = 0 to 20 {
    affine.for %j = 0 to 390 {
      %a = affine.load %0#0[%j, %i] : memref<390x20xf32>
      affine.store %a, %0#1[%i, %j] : memref<20x390xf32>
    }
  }
  return
}

func.func @bytes(%x: memref<390xi8>, %y: memref<390xi8>) {
  %0:2 = memref.distinct_objects %x, %y : memref<390xi8>, memref<390xi8>
  affine.for %i = 0 to 390 {
    %a = affine.load %0#0[%i] : memref<390xi8>
    %b = arith.addi %a, %a : i8
    affine.store %b, %0#1[%i] : memref<390xi8>
  }
  return
}
