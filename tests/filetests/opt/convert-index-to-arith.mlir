// Every operation of `index` as its counterpart in `arith`.
//
// test: opt --convert-index-to-arith
// test: run-opt --entry=binary --arg=6 --arg=6
// test: run-opt --entry=more --arg=6 --arg=6
// test: run-opt --entry=bits --arg=6 --arg=6
// test: run-opt --entry=others --arg=6 --arg=3
func.func @binary(%a: index, %b: index) -> (index, index, index, index, index, index, index, index, index) {
  %0 = index.add %a, %b
  %1 = index.sub %0, %b
  %2 = index.mul %1, %b
  %3 = index.divs %2, %b
  %4 = index.divu %3, %b
  %5 = index.ceildivs %4, %b
  %6 = index.ceildivu %5, %b
  %7 = index.floordivs %6, %b
  %8 = index.rems %7, %b
  return %0, %1, %2, %3, %4, %5, %6, %7, %8 : index, index, index, index, index, index, index, index, index
}
func.func @more(%a: index, %b: index) -> (index, index, index, index, index, index, index) {
  %0 = index.remu %a, %b
  %1 = index.maxs %0, %b
  %2 = index.maxu %1, %b
  %3 = index.mins %2, %b
  %4 = index.minu %3, %b
  %5 = index.shl %4, %b
  %6 = index.shrs %5, %b
  return %0, %1, %2, %3, %4, %5, %6 : index, index, index, index, index, index, index
}
func.func @bits(%a: index, %b: index) -> (index, index, index, index) {
  %0 = index.shru %a, %b
  %1 = index.and %0, %b
  %2 = index.or %1, %b
  %3 = index.xor %2, %b
  return %0, %1, %2, %3 : index, index, index, index
}
func.func @others(%a: index, %x: i32) -> (index, index, i64, i1, index, i1, index) {
  %0 = index.casts %x : i32 to index
  %1 = index.castu %x : i32 to index
  %2 = index.casts %a : index to i64
  %3 = index.cmp ult(%0, %1)
  %4 = index.constant -3
  %5 = index.bool.constant true
  %6 = index.sizeof
  return %0, %1, %2, %3, %4, %5, %6 : index, index, i64, i1, index, i1, index
}
