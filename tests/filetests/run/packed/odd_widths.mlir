// Integers whose width is no power of two: their elements are zero-extended on the host, sign-extended in words on the
// device, and zero-extended where they are packed. -3 doubled is -6.
//
// test: run --entry=i24 --arg=zeros
// expect: arg 0 = [-6, -6, -6, -6, -6]
// test: run --entry=i40 --arg=zeros
// expect: arg 0 = [-6, -6, -6, -6, -6]
// test: run --entry=i5 --arg=zeros
// expect: arg 0 = [-6, -6, -6, -6, -6]
// test: run --entry=i12 --arg=zeros
// expect: arg 0 = [-6, -6, -6, -6, -6]
memref.global "private" constant @wide : memref<5xi24> = dense<-3>
memref.global "private" constant @wider : memref<5xi40> = dense<-3>
memref.global "private" constant @small : memref<5xi5> = dense<-3>
memref.global "private" constant @pair : memref<5xi12> = dense<-3>

func.func @i24(%y: memref<5xi32>) {
  %x = memref.get_global @wide : memref<5xi24>
  affine.for %i = 0 to 5 {
    %v = affine.load %x[%i] : memref<5xi24>
    %w = arith.extsi %v : i24 to i32
    %s = arith.addi %w, %w : i32
    affine.store %s, %y[%i] : memref<5xi32>
  }
  return
}

func.func @i40(%y: memref<5xi64>) {
  %x = memref.get_global @wider : memref<5xi40>
  affine.for %i = 0 to 5 {
    %v = affine.load %x[%i] : memref<5xi40>
    %w = arith.extsi %v : i40 to i64
    %s = arith.addi %w, %w : i64
    affine.store %s, %y[%i] : memref<5xi64>
  }
  return
}

func.func @i5(%y: memref<5xi32>) {
  %x = memref.get_global @small : memref<5xi5>
  affine.for %i = 0 to 5 {
    %v = affine.load %x[%i] : memref<5xi5>
    %w = arith.extsi %v : i5 to i32
    %s = arith.addi %w, %w : i32
    affine.store %s, %y[%i] : memref<5xi32>
  }
  return
}

func.func @i12(%y: memref<5xi32>) {
  %x = memref.get_global @pair : memref<5xi12>
  affine.for %i = 0 to 5 {
    %v = affine.load %x[%i] : memref<5xi12>
    %w = arith.extsi %v : i12 to i32
    %s = arith.addi %w, %w : i32
    affine.store %s, %y[%i] : memref<5xi32>
  }
  return
}
