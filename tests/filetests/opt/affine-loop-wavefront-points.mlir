// test: opt --affine-loop-wavefront=launch=0
// test: run-opt --entry=seidel --arg=random:1

// Launches that cost nothing: wavefronts of single iterations, both inner loops parallel.
func.func @seidel(%a: memref<40x40xi32>) {
  affine.for %t = 0 to 10 {
    affine.for %i = 1 to 39 {
      affine.for %j = 1 to 39 {
        %n = affine.load %a[%i - 1, %j] : memref<40x40xi32>
        %s = affine.load %a[%i + 1, %j] : memref<40x40xi32>
        %w = affine.load %a[%i, %j - 1] : memref<40x40xi32>
        %e = affine.load %a[%i, %j + 1] : memref<40x40xi32>
        %x = arith.addi %n, %s : i32
        %y = arith.addi %w, %e : i32
        %z = arith.addi %x, %y : i32
        affine.store %z, %a[%i, %j] : memref<40x40xi32>
      }
    }
  }
  return
}
