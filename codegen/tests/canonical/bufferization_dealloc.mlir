// test: canonical
func.func @named_twice(%a: memref<2xi32>, %b: memref<2xi32>, %c: i1, %d: i1) -> (i1, i1) {
  %0:2 = bufferization.dealloc (%a, %a : memref<2xi32>, memref<2xi32>) if (%c, %d) retain (%b, %b : memref<2xi32>, memref<2xi32>)
  return %0#0, %0#1 : i1, i1
}

func.func @named_thrice(%a: memref<3xi32>, %b: memref<3xi32>, %c: i1, %d: i1) -> (i1, i1, i1) {
  %0:3 = bufferization.dealloc (%a, %b, %a, %a : memref<3xi32>, memref<3xi32>, memref<3xi32>, memref<3xi32>) if (%c, %d, %c, %d) retain (%b, %a, %b : memref<3xi32>, memref<3xi32>, memref<3xi32>)
  return %0#0, %0#1, %0#2 : i1, i1, i1
}

func.func @nothing(%a: memref<2xi32>) -> i1 {
  bufferization.dealloc
  %0 = bufferization.dealloc retain (%a : memref<2xi32>)
  return %0 : i1
}

func.func @not_to_be_freed(%a: memref<2xi32>, %b: memref<2xi32>, %c: i1) {
  %f = arith.constant false
  bufferization.dealloc (%a, %b : memref<2xi32>, memref<2xi32>) if (%f, %c)
  return
}

func.func @never(%a: memref<3xi32>, %b: memref<3xi32>) -> i1 {
  %no = arith.constant false
  %0 = bufferization.dealloc (%a : memref<3xi32>) if (%no) retain (%b : memref<3xi32>)
  return %0 : i1
}

func.func @cast(%a: memref<2xi32>, %b: memref<2xi32>, %c: i1) {
  %x = memref.cast %a : memref<2xi32> to memref<?xi32>
  bufferization.dealloc (%x, %b : memref<?xi32>, memref<2xi32>) if (%c, %c)
  return
}

func.func @buffer_of_an_allocation(%b: memref<3xi32>, %c: i1, %d: i1, %i: index, %x: i32) {
  %a = memref.alloc() : memref<3xi32>
  call @uses(%a) : (memref<3xi32>) -> ()
  %base, %o, %s, %st = memref.extract_strided_metadata %a : memref<3xi32> -> memref<i32>, index, index, index
  %base1, %o1, %s1, %st1 = memref.extract_strided_metadata %b : memref<3xi32> -> memref<i32>, index, index, index
  bufferization.dealloc (%base, %base1 : memref<i32>, memref<i32>) if (%c, %d)
  return
}

func.func @unused(%c: i1) {
  %t = arith.constant true
  %a = memref.alloc() : memref<2xi32>
  bufferization.dealloc (%a : memref<2xi32>) if (%t)
  %b = memref.alloc() : memref<2xi32>
  bufferization.dealloc (%b : memref<2xi32>) if (%c)
  return
}

func.func @still_needed(%c: i1) -> i1 {
  %a = memref.alloc() : memref<3xi32>
  %0 = bufferization.dealloc (%a : memref<3xi32>) if (%c) retain (%a : memref<3xi32>)
  return %0 : i1
}

func.func private @uses(memref<3xi32>)
