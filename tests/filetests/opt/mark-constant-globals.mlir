// test: opt --mark-constant-globals --canonicalize

// Loads of a private global that the module only loads from are its elements; one that something writes, may write, or that other
// modules see, has others in the end.
memref.global "private" @written : memref<1xi32> = dense<200>
memref.global "private" @passed : memref<1xi32> = dense<200>
memref.global @public : memref<1xi32> = dense<200>
memref.global "private" @raw : memref<1xi32> = uninitialized
memref.global "private" @table : memref<2x2xi32> = dense<[[1, 2], [3, 4]]>
func.func private @h(memref<1xi32>)
func.func @f(%i: index) -> (i32, i32, i32, i32, i32, i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %g = memref.get_global @written : memref<1xi32>
  %a = memref.load %g[%c0] : memref<1xi32>
  memref.store %one, %g[%c0] : memref<1xi32>
  %g1 = memref.get_global @passed : memref<1xi32>
  func.call @h(%g1) : (memref<1xi32>) -> ()
  %b = memref.load %g1[%c0] : memref<1xi32>
  %g2 = memref.get_global @public : memref<1xi32>
  %c = memref.load %g2[%c0] : memref<1xi32>
  %g3 = memref.get_global @raw : memref<1xi32>
  %d = memref.load %g3[%c0] : memref<1xi32>
  %g4 = memref.get_global @table : memref<2x2xi32>
  %e = memref.load %g4[%c1, %c0] : memref<2x2xi32>
  %h = memref.load %g4[%c1, %i] : memref<2x2xi32>
  %k = affine.load %g4[1, 1] : memref<2x2xi32>
  return %a, %b, %c, %d, %e, %h, %k : i32, i32, i32, i32, i32, i32, i32
}
