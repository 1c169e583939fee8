// test: opt --affine-mark-inbounds
// test: run-opt --entry=flags --arg=random:1 --arg=0

// Flags are set where they are proved; one that the input makes up goes.
func.func @flags(%a: memref<8xi32>, %n: index) {
  affine.for %i = 0 to 8 {
    %x = affine.load %a[%i] : memref<8xi32>
    affine.store %x, %a[%i + symbol(%n)] {gridloom.inbounds} : memref<8xi32>
  }
  affine.parallel (%i, %j) = (0, 2) to (4, min(5, %n)) {
    %x = affine.load %a[%i + %j] : memref<8xi32>
    affine.store %x, %a[%i + %j + 1] {gridloom.inbounds} : memref<8xi32>
  }
  return
}
