// test: roundtrip --allow-unregistered-dialect --split-input-file
// test: roundtrip --allow-unregistered-dialect --split-input-file --mlir-print-op-generic
// test: print --allow-unregistered-dialect --split-input-file
// test: print --allow-unregistered-dialect --split-input-file --mlir-print-local-scope
"test.op"() {
  kinds = [
    #vector.kind<add>, #vector.kind<mul>, #vector.kind<minui>, #vector.kind<minsi>, #vector.kind<minnumf>,
    #vector.kind<maxui>, #vector.kind<maxsi>, #vector.kind<maxnumf>, #vector.kind<and>, #vector.kind<or>,
    #vector.kind<xor>, #vector.kind<minimumf>, #vector.kind< maximumf >
  ],
  iterators = [#vector.iterator_type<parallel>, #vector.iterator_type< reduction >],
  punctuations = [
    #vector.punctuation<no_punctuation>, #vector.punctuation<newline>, #vector.punctuation<comma>,
    #vector.punctuation<open>, #vector.punctuation<close>
  ]
} : () -> ()
