// A loop over five tiles, as `transform.structured.tile_using_forall num_threads` leaves it, of three, two and no elements:
// the last tiles are empty and would begin behind the end, at 4 of 2. Each element is doubled once.
// test: run --entry=main --arg=iota[3] --arg=iota[2] --arg=iota[0]
// expect: arg 0 = [0, 2, 4]
// expect: arg 1 = [0, 2]
// expect: arg 2 = []
#offset = affine_map<(i)[n] -> (i * (n ceildiv 5))>
#size = affine_map<(i)[n] -> (n - i * (n ceildiv 5), n ceildiv 5)>
#positive = affine_map<(n) -> (0, n)>
func.func private @double(%a: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  scf.forall (%i) in (5) {
    %left = affine.min #size(%i)[%n]
    %size = affine.max #positive(%left)
    %offset = affine.apply #offset(%i)[%n]
    %tile = memref.subview %a[%offset] [%size] [1] : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
    scf.for %j = %c0 to %size step %c1 {
      %x = memref.load %tile[%j] : memref<?xf32, strided<[1], offset: ?>>
      %y = arith.addf %x, %x : f32
      memref.store %y, %tile[%j] : memref<?xf32, strided<[1], offset: ?>>
    }
  }
  return
}
func.func @main(%a: memref<?xf32>, %b: memref<?xf32>, %c: memref<?xf32>) {
  call @double(%a) : (memref<?xf32>) -> ()
  call @double(%b) : (memref<?xf32>) -> ()
  call @double(%c) : (memref<?xf32>) -> ()
  return
}
