// test: roundtrip --allow-unregistered-dialect --split-input-file
// test: roundtrip --allow-unregistered-dialect --split-input-file --mlir-print-op-generic
// test: print --allow-unregistered-dialect --split-input-file
// test: print --allow-unregistered-dialect --split-input-file --mlir-print-local-scope
// Types and attributes of dialects, known and foreign.

!token = !gpu.async.token
!element = f16
"test.types"() : () -> (!token, !gpu<async.token>, !gpu.sparse.spmat_handle,
  !gpu.mma_matrix<16 x 8 x f32 , "COp">, !gpu.mma_matrix<8x16x!element, "AOp">)

// -----

"test.attributes"() {
  flags = #arith.fastmath< nnan , contract >,
  all = #arith.fastmath<reassoc,nnan,ninf,nsz,arcp,contract,afn>,
  wraps = #arith.overflow<nuw, nsw>,
  typed = #arith.overflow<none> : i32,
  space = #gpu.address_space< workgroup >,
  dimension = #gpu< dim  x >,
  thread = #gpu.thread<x>
} : () -> ()

// -----

// Of foreign dialects the text is kept, whatever it is.
"test.foreign"() {
  pretty = #foo.bar<  x , y>,
  verbose = #foo<bar<x>>,
  string = #foo<"bar">,
  blank = #foo<bar  x>,
  typed = #foo.bar : vector<4xi32>
} : () -> (!foo<bar<x>>, !foo<bar>, !foo.bar.baz<a -> b>, !foo<!x>, !foo<<>>,
  !foo.b, !foo<>, !foo.c<"]>\"", (i32) -> {[<>]}>)
