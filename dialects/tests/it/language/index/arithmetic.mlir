// test: roundtrip --allow-unregistered-dialect --split-input-file
// test: roundtrip --allow-unregistered-dialect --split-input-file --mlir-print-op-generic
// test: print --allow-unregistered-dialect --split-input-file
// test: print --allow-unregistered-dialect --split-input-file --mlir-print-local-scope
func.func @index(%i: index, %j: index, %a: i32, %u: ui8) {
  %0 = index.add %i, %j
  %1 = index.and %i, %j
  %2 = index.bool.constant true
  %3 = index.bool.constant {a} false
  %4 = index.casts %i : index to i64
  %5 = index.casts %a : i32 to index
  %6 = index.castu %u : ui8 to index
  %7 = index.castu %i {a} : index to si16
  %8 = index.ceildivs %i, %j
  %9 = index.ceildivu %i, %j
  %10 = index.constant 5
  %11 = index.constant {a} -7
  %12 = index.divs %i, %j
  %13 = index.divu %i, %j
  %14 = index.floordivs %i, %j
  %15 = index.maxs %i, %j
  %16 = index.maxu %i, %j
  %17 = index.mins %i, %j
  %18 = index.minu %i, %j
  %19 = index.mul %i, %j
  %20 = index.or %i, %j
  %21 = index.rems %i, %j
  %22 = index.remu %i, %j
  %23 = index.shl %i, %j
  %24 = index.shrs %i, %j
  %25 = index.shru %i, %j
  %26 = index.sizeof
  %27 = index.sizeof {a}
  %28 = index.sub %i, %j
  %29 = index.xor %i, %j {a = 1}
  return
}
