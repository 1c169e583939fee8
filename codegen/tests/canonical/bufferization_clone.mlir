// test: canonical
func.func @source_freed(%m: memref<?xf32>) -> memref<?xf32> {
  %0 = bufferization.clone %m : memref<?xf32> to memref<?xf32>
  memref.dealloc %m : memref<?xf32>
  return %0 : memref<?xf32>
}

func.func @unused(%m: memref<?xf32>) -> memref<?xf32> {
  %0 = bufferization.clone %m : memref<?xf32> to memref<?xf32>
  return %m : memref<?xf32>
}

func.func @to_known_extents(%m: memref<?xf32>) -> memref<4xf32> {
  %0 = bufferization.clone %m : memref<?xf32> to memref<4xf32>
  memref.dealloc %m : memref<?xf32>
  return %0 : memref<4xf32>
}

func.func @to_unknown_extents(%m: memref<4xf32>) -> memref<?xf32> {
  %0 = bufferization.clone %m : memref<4xf32> to memref<?xf32>
  memref.dealloc %m : memref<4xf32>
  return %0 : memref<?xf32>
}

func.func @of_a_cast(%m: memref<4xf32>) -> memref<?xf32> {
  %c = memref.cast %m : memref<4xf32> to memref<?xf32>
  %0 = bufferization.clone %c : memref<?xf32> to memref<?xf32>
  return %0 : memref<?xf32>
}

func.func @of_what_a_cast_knows(%m: memref<?xf32>) -> memref<4xf32> {
  %c = memref.cast %m : memref<?xf32> to memref<4xf32>
  %0 = bufferization.clone %c : memref<4xf32> to memref<4xf32>
  return %0 : memref<4xf32>
}

func.func @read(%m: memref<6xf32>, %i: index) -> (f32, memref<6xf32>) {
  %c = bufferization.clone %m : memref<6xf32> to memref<6xf32>
  %x = memref.load %c[%i] : memref<6xf32>
  memref.dealloc %c : memref<6xf32>
  return %x, %m : f32, memref<6xf32>
}

func.func @of_unknown_rank(%m: memref<*xf32>) -> memref<*xf32> {
  %0 = bufferization.clone %m : memref<*xf32> to memref<*xf32>
  memref.dealloc %m : memref<*xf32>
  return %0 : memref<*xf32>
}

// differs: @called: who is called may free
func.func @called(%m: memref<6xf32>) -> memref<6xf32> {
  %c = bufferization.clone %m : memref<6xf32> to memref<6xf32>
  call @takes(%c) : (memref<6xf32>) -> ()
  memref.dealloc %c : memref<6xf32>
  return %m : memref<6xf32>
}

func.func @both_freed(%m: memref<6xf32>) {
  %c = bufferization.clone %m : memref<6xf32> to memref<6xf32>
  call @takes(%c) : (memref<6xf32>) -> ()
  memref.dealloc %m : memref<6xf32>
  memref.dealloc %c : memref<6xf32>
  return
}

func.func @new_memory(%n: index, %x: f32) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %m = memref.alloc(%n) : memref<?xf32>
  memref.store %x, %m[%c0] : memref<?xf32>
  %c = bufferization.clone %m : memref<?xf32> to memref<?xf32>
  memref.dealloc %m : memref<?xf32>
  return %c : memref<?xf32>
}

func.func @other_layout(%m: memref<6xf32, strided<[2]>>) -> memref<6xf32> {
  %c = bufferization.clone %m : memref<6xf32, strided<[2]>> to memref<6xf32>
  memref.dealloc %m : memref<6xf32, strided<[2]>>
  return %c : memref<6xf32>
}

func.func @freed_between(%m: memref<6xf32>, %o: memref<6xf32>) -> memref<6xf32> {
  %c = bufferization.clone %m : memref<6xf32> to memref<6xf32>
  memref.dealloc %o : memref<6xf32>
  memref.dealloc %m : memref<6xf32>
  return %c : memref<6xf32>
}

func.func @freed_twice(%m: memref<6xf32>, %p: i1) -> memref<6xf32> {
  %c = bufferization.clone %m : memref<6xf32> to memref<6xf32>
  scf.if %p {
    memref.dealloc %m : memref<6xf32>
  } else {
    memref.dealloc %m : memref<6xf32>
  }
  return %c : memref<6xf32>
}

func.func @freed_before(%m: memref<6xf32>) -> memref<6xf32> {
  memref.dealloc %m : memref<6xf32>
  %c = bufferization.clone %m : memref<6xf32> to memref<6xf32>
  return %c : memref<6xf32>
}

// differs: @of_a_part: a part cannot be freed
func.func @of_a_part(%m: memref<6xf32>) -> memref<2xf32, strided<[1], offset: 3>> {
  %s = memref.subview %m[3] [2] [1] : memref<6xf32> to memref<2xf32, strided<[1], offset: 3>>
  %c = bufferization.clone %s : memref<2xf32, strided<[1], offset: 3>> to memref<2xf32, strided<[1], offset: 3>>
  memref.dealloc %m : memref<6xf32>
  return %c : memref<2xf32, strided<[1], offset: 3>>
}

func.func @part_freed(%m: memref<6xf32>, %i: index) -> (f32, memref<6xf32>) {
  %s = memref.subview %m[3] [2] [1] : memref<6xf32> to memref<2xf32, strided<[1], offset: 3>>
  %c = bufferization.clone %s : memref<2xf32, strided<[1], offset: 3>> to memref<2xf32, strided<[1], offset: 3>>
  %x = memref.load %c[%i] : memref<2xf32, strided<[1], offset: 3>>
  memref.dealloc %c : memref<2xf32, strided<[1], offset: 3>>
  return %x, %m : f32, memref<6xf32>
}

func.func @freed_in_a_branch(%m: memref<6xf32>, %p: i1, %i: index) -> f32 {
  %r = scf.if %p -> f32 {
    %c = bufferization.clone %m : memref<6xf32> to memref<6xf32>
    %x = memref.load %c[%i] : memref<6xf32>
    memref.dealloc %c : memref<6xf32>
    scf.yield %x : f32
  } else {
    %y = memref.load %m[%i] : memref<6xf32>
    scf.yield %y : f32
  }
  memref.dealloc %m : memref<6xf32>
  return %r : f32
}

func.func @grown(%m: memref<?xf32>) -> memref<8xf32> {
  %c = bufferization.clone %m : memref<?xf32> to memref<4xf32>
  %g = memref.realloc %c : memref<4xf32> to memref<8xf32>
  return %g : memref<8xf32>
}

func.func private @takes(memref<6xf32>)
