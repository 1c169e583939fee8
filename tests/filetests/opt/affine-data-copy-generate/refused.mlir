// test: opt --affine-data-copy-generate
// test: run-opt --entry=unwritten --arg=random:1
// test: run-opt --entry=view --arg=random:1
// test: run-opt --entry=chosen --arg=random:1[9] --arg=9

// The cast is the same memory.
func.func @view(%a: memref<8xf32>) {
  %c = memref.cast %a : memref<8xf32> to memref<?xf32>
  affine.for %i = 0 to 7 {
    // remark: 13:5: this memref is not copied to fast memory: another access of the loop may alias it
    // remark: 12:10: another access of the loop may alias it
    %x = affine.load %a[%i] : memref<8xf32>
    affine.store %x, %c[%i + 1] : memref<?xf32>
  }
  return
}

// What the callee touches is not known.
func.func private @elsewhere()
func.func @called(%a: memref<8xf32>, %b: memref<8xf32>) {
  affine.for %i = 0 to 8 {
    // remark: 23:5: the side effects of an operation in the loop are unknown
    func.call @elsewhere() : () -> ()
    %x = affine.load %a[%i] : memref<8xf32>
  }
  return
}

// As much of a row as an argument says.
func.func @chosen(%a: memref<?xf32>, %n: index) {
  affine.for %i = 0 to %n {
    // remark: 33:10: the region that it accesses has no constant size
    %x = affine.load %a[%i] : memref<?xf32>
    affine.store %x, %a[%i] : memref<?xf32>
  }
  return
}

// Others may be at the elements in between.
func.func @parallel(%a: memref<8xf32>) {
  %z = arith.constant 0.0 : f32
  affine.parallel (%i) = (0) to (4) {
    affine.for %j = 0 to 1 {
      affine.store %z, %a[%i * 2 + %j] : memref<8xf32>
    }
  }
  return
}

// A transfer of the function itself may be under way.
func.func @transfers(%a: memref<8xf32>, %b: memref<8xf32, 1>, %t: memref<1xi32>) {
  %c4 = arith.constant 4 : index
  // remark: 54:3: no buffers are made in this function: its own DMA transfers may be in flight
  affine.dma_start %a[0], %b[0], %t[0], %c4 : memref<8xf32>, memref<8xf32, 1>, memref<1xi32>
  affine.for %i = 4 to 8 {
    %x = affine.load %a[%i] : memref<8xf32>
    affine.store %x, %b[%i] : memref<8xf32, 1>
  }
  affine.dma_wait %t[0], %c4 : memref<1xi32>
  return
}

// Nothing has written the other columns, which the box has as well; rows that are written before may be read.
func.func @unwritten(%b: memref<4x5xf32>) {
  %z = arith.constant 1.0 : f32
  %t = memref.alloc() : memref<4x5xf32>
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 2 {
      // remark: 70:7: the box around the elements that the loop accesses has some that may be uninitialized
      affine.store %z, %t[%i, %j * 2] : memref<4x5xf32>
    }
  }
  %s = memref.alloc() : memref<4x5xf32>
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 5 {
      affine.store %z, %s[%i, %j] : memref<4x5xf32>
    }
  }
  affine.for %i = 0 to 2 {
    affine.for %j = 0 to 5 {
      %x = affine.load %s[%i * 2, %j] : memref<4x5xf32>
      affine.store %x, %b[%i * 2, %j] : memref<4x5xf32>
    }
  }
  memref.dealloc %s : memref<4x5xf32>
  memref.dealloc %t : memref<4x5xf32>
  return
}

// The range of a size in C's int is no constant extent.
func.func @of_int(%n32: i32, %a: memref<?x?xf32>) {
  %n = arith.index_cast %n32 : i32 to index
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %n {
      // remark: 96:12: this memref is not copied to fast memory: the region that it accesses has no constant size
      %x = affine.load %a[%i, %j] : memref<?x?xf32>
      %y = arith.addf %x, %x : f32
      affine.store %y, %a[%i, %j] : memref<?x?xf32>
    }
  }
  return
}
