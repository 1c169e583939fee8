// era: 2020
// test: opt --inline --affine-auto-schedule --symbol-dce
// test: run-opt --entry=smooth --arg=random:1
// test: run-opt --entry=tiles --arg=random:1[200x150] --arg=200 --arg=150
// test: run-opt --entry=tiles --arg=random:1[3x1] --arg=3 --arg=1

// Schedule trees of the Rationale are read as loops in the order of the tree, their leaves as calls under
// the condition of the domain. From that order the schedule is searched: the dependences of the leaves are
// known from their bodies, once these are inlined, or from what they say to read and write.

#rows = (i, j) : (i - 1 >= 0, -i + 19 >= 0, j >= 0, -j + 29 >= 0)
#open = (i, j)[M, N] : (i - 1 >= 0, -i + M - 1 >= 0, j >= 0, -j + N - 1 >= 0)
##element = (d0, d1) -> (r0, r1) : r0 == d0, r1 == d1

// Rows depend on the rows above, columns on nothing: the tree has rows outside, the schedule columns.
func @smooth(%a: memref<20x30xi32>) {
  mldim %t : {S} i {
    mldim %u : {S} j {
      call @below(%a, %i, %j) with #rows(%i, %j)
    }
  }
  return
}

func @below(%a: memref<20x30xi32>, %i: index, %j: index) attributes {sym_visibility: "private"} {
  %c1 = constant 1 : index
  %above = subi %i, %c1 : index
  %x = load %a[%above, %j] : memref<20x30xi32>
  %y = load %a[%i, %j] : memref<20x30xi32>
  %s = addi %x, %y : i32
  store %s, %a[%i, %j] : memref<20x30xi32>
  return
}

// Tiles of 64 x 64 iterations.
func @tiles(%a: memref<?x?xi32>, %m: index, %n: index) {
  mldim %t : {S} floordiv (i, 64) {
    mldim %u : {S} floordiv (j, 64) {
      mldim %v : {S} i mod 64 {
        mldim %w : {S} j mod 64 {
          call @below_open(%a, %i, %j) with #open(%i, %j)[%m, %n]
        }
      }
    }
  }
  return
}

func @below_open(%a: memref<?x?xi32>, %i: index, %j: index) attributes {sym_visibility: "private"} {
  %c1 = constant 1 : index
  %above = subi %i, %c1 : index
  %x = load %a[%above, %j] : memref<?x?xi32>
  %y = load %a[%i, %j] : memref<?x?xi32>
  %s = addi %x, %y : i32
  store %s, %a[%i, %j] : memref<?x?xi32>
  return
}

// A leaf without a body, which tells the element that it touches: all its calls are independent.
func @visit(%m: memref<20x30xi32>, %i: index, %j: index)
  reads: {%m ##element(%i, %j)}
  writes: {%m ##element(%i, %j)}
  may_reads: {}
  may_writes: {}

func @visits(%a: memref<20x30xi32>) {
  mldim %t : {S} i {
    mldim %u : {S} j {
      call @visit(%a, %i, %j) with #rows(%i, %j)
    }
  }
  return
}
