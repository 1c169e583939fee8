// test: canonical
func.func @bounded(%x: index, %y: index) -> (i1, i1, i1, i1, index, index, index) {
  %c3 = index.constant 3
  %c5 = index.constant 5
  %m = index.mins %x, %c3
  %0 = index.cmp slt(%m, %c5)
  %n = index.maxu %x, %c5
  %1 = index.cmp ugt(%n, %c3)
  %2 = index.cmp eq(%x, %x)
  %a = index.sub %x, %y
  %z = index.constant 0
  %3 = index.cmp eq(%a, %z)
  %b = index.add %x, %c3
  %4 = index.add %b, %c5
  %5 = index.mul %c3, %c5
  %6 = index.sub %x, %z
  return %0, %1, %2, %3, %4, %5, %6 : i1, i1, i1, i1, index, index, index
}

func.func @always(%x: index) -> (i1, i1, i1, i1, i1, i1) {
  %c3 = index.constant 3
  %c5 = index.constant 5
  %m = index.minu %x, %c3
  %0 = index.cmp ule(%m, %c3)
  %1 = index.cmp uge(%m, %c5)
  %n = index.maxs %x, %c5
  %2 = index.cmp sge(%n, %c3)
  %3 = index.cmp slt(%n, %c5)
  %4 = index.cmp eq(%n, %c3)
  %5 = index.cmp ne(%m, %c5)
  return %0, %1, %2, %3, %4, %5 : i1, i1, i1, i1, i1, i1
}

func.func @casts_and_identities(%x: index, %i: i64) -> (index, i64, index, index, index, index, i1) {
  %a = index.casts %x : index to i64
  %0 = index.casts %a : i64 to index
  %b = index.castu %i : i64 to index
  %1 = index.castu %b : index to i64
  %c = index.sizeof
  %c1 = index.constant 1
  %2 = index.divs %x, %c1
  %3 = index.ceildivs %x, %c1
  %4 = index.shl %x, %c1
  %5 = index.remu %x, %c1
  %t = index.bool.constant true
  return %0, %1, %2, %3, %4, %5, %t : index, i64, index, index, index, index, i1
}

func.func @nothing_against_a_difference(%x: index, %y: index) -> (i1, i1) {
  %z = index.constant 0
  %d = index.sub %x, %y
  %0 = index.cmp eq(%z, %d)
  %1 = index.cmp ne(%z, %d)
  return %0, %1 : i1, i1
}

// differs: @order_of_a_difference: a difference may wrap, and then has the other sign
func.func @order_of_a_difference(%x: index, %y: index) -> (i1, i1) {
  %z = index.constant 0
  %d = index.sub %x, %y
  %0 = index.cmp slt(%d, %z)
  %1 = index.cmp sgt(%z, %d)
  return %0, %1 : i1, i1
}
