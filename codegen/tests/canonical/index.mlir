// test: canonical
func.func @constants() -> (index, index, index, index, index, index, index, index, index, i1, index) {
  %a = index.constant 7
  %b = index.constant -2
  %big = index.constant 4294967298
  %0 = index.add %a, %b
  %1 = index.sub %a, %b
  %2 = index.mul %big, %big
  %3 = index.divs %a, %b
  %4 = index.floordivs %a, %b
  %5 = index.ceildivs %a, %b
  %6 = index.rems %a, %b
  %7 = index.shl %a, %a
  %8 = index.maxs %a, %b
  %9 = index.cmp slt(%a, %b)
  %c = arith.constant -5 : i32
  %11 = index.castu %c : i32 to index
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %11 : index, index, index, index, index, index, index, index, index, i1, index
}

func.func @widths_differ() -> (index, index, index, index, i1, i64) {
  %a = index.constant 7
  %b = index.constant -2
  %zero = index.constant 0
  %big = index.constant 4294967298
  %0 = index.divu %b, %a
  %1 = index.divu %big, %a
  %2 = index.divs %a, %zero
  %c33 = index.constant 33
  %3 = index.shl %a, %c33
  %4 = index.cmp ult(%a, %big)
  %5 = index.castu %b : index to i64
  return %0, %1, %2, %3, %4, %5 : index, index, index, index, i1, i64
}

// differs: @identities: zeros and ones have identities, too
func.func @identities(%x: index) -> (index, index, index, index, index, index, i1) {
  %0 = index.constant 0
  %1 = index.constant 1
  %m = index.constant -1
  %a = index.add %x, %0
  %b = index.mul %1, %x
  %c = index.mul %x, %0
  %d = index.and %x, %m
  %e = index.or %x, %m
  %f = index.xor %x, %0
  %g = index.cmp sle(%x, %x)
  return %a, %b, %c, %d, %e, %f, %g : index, index, index, index, index, index, i1
}

func.func @nested(%x: index) -> (index, index, index) {
  %2 = index.constant 2
  %3 = index.constant 3
  %a0 = index.add %x, %2
  %a = index.add %3, %a0
  %b0 = index.maxs %x, %2
  %b = index.maxs %b0, %3
  %c0 = index.or %x, %2
  %c = index.or %c0, %3
  return %a, %b, %c : index, index, index
}

// differs: @casts: both widths give these integers
func.func @casts() -> (i64, i16) {
  %a = index.constant 7
  %0 = index.casts %a : index to i64
  %1 = index.castu %a : index to i16
  return %0, %1 : i64, i16
}
