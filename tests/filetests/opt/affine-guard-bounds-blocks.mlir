// test: opt --affine-guard-bounds
// test: run-opt --entry=columns_of_blocks --arg=random:1[70x70] --arg=67

// Rows of a block, below 32 from its first, are below the row of the loop around, which is below
// the size: the size is what the tests compare, not the end of a block that it would have begun.
func.func @columns_of_blocks(%l: memref<?x?xi32>, %n: index) {
  affine.for %t = 0 to %n step 32 {
    affine.for %i = affine_map<(t)->(t+32)>(%t) to %n {
      affine.for %k = affine_map<(t)->(t)>(%t) to min affine_map<(t)[n]->(t+32,n)>(%t)[%n] {
        affine.for %j = affine_map<(k)->(k+1)>(%k) to affine_map<(t)->(t+32)>(%t) {
          %x = affine.load %l[%j, %k] : memref<?x?xi32>
          affine.store %x, %l[%i, %j] : memref<?x?xi32>
        }
      }
    }
  }
  return
}
