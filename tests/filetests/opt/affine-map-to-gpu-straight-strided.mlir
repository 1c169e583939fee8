// For drivers that gather the elements of adjacent lanes fast, straight threads are those that load at strides and store little: maxima of
// nine elements of every second column. Sums of neighbours are mapped as other nests.
// test: opt --affine-mark-inbounds --affine-map-to-gpu=target=gathering-cpu --canonicalize --cse
// test: run-opt --entry=pooled --arg=random:1 --arg=zeros
// test: run-opt --entry=neighbours --arg=random:1 --arg=zeros

func.func @pooled(%x: memref<375x451xf32>, %y: memref<187x225xf32>) {
  %0:2 = memref.distinct_objects %x, %y : memref<375x451xf32>, memref<187x225xf32>
  affine.for %i = 0 to 187 {
    affine.for %j = 0 to 225 {
      %a = affine.load %0#0[2 * %i, 2 * %j] : memref<375x451xf32>
      %b = affine.load %0#0[2 * %i, 2 * %j + 1] : memref<375x451xf32>
      %c = affine.load %0#0[2 * %i, 2 * %j + 2] : memref<375x451xf32>
      %d = affine.load %0#0[2 * %i + 1, 2 * %j] : memref<375x451xf32>
      %e = affine.load %0#0[2 * %i + 1, 2 * %j + 1] : memref<375x451xf32>
      %f = affine.load %0#0[2 * %i + 1, 2 * %j + 2] : memref<375x451xf32>
      %g = affine.load %0#0[2 * %i + 2, 2 * %j] : memref<375x451xf32>
      %h = affine.load %0#0[2 * %i + 2, 2 * %j + 1] : memref<375x451xf32>
      %k = affine.load %0#0[2 * %i + 2, 2 * %j + 2] : memref<375x451xf32>
      %1 = arith.maximumf %a, %b : f32
      %2 = arith.maximumf %1, %c : f32
      %3 = arith.maximumf %2, %d : f32
      %4 = arith.maximumf %3, %e : f32
      %5 = arith.maximumf %4, %f : f32
      %6 = arith.maximumf %5, %g : f32
      %7 = arith.maximumf %6, %h : f32
      %8 = arith.maximumf %7, %k : f32
      affine.store %8, %0#1[%i, %j] : memref<187x225xf32>
    }
  }
  return
}

func.func @neighbours(%x: memref<39x91xf32>, %y: memref<37x91xf32>) {
  %0:2 = memref.distinct_objects %x, %y : memref<39x91xf32>, memref<37x91xf32>
  affine.for %i = 0 to 37 {
    affine.for %j = 0 to 91 {
      %a = affine.load %0#0[%i, %j] : memref<39x91xf32>
      %b = affine.load %0#0[%i + 1, %j] : memref<39x91xf32>
      %c = affine.load %0#0[%i + 2, %j] : memref<39x91xf32>
      %1 = arith.addf %a, %b : f32
      %2 = arith.addf %1, %c : f32
      affine.store %2, %0#1[%i, %j] : memref<37x91xf32>
    }
  }
  return
}
