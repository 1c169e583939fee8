// test: roundtrip --allow-unregistered-dialect --split-input-file
// test: roundtrip --allow-unregistered-dialect --split-input-file --mlir-print-op-generic
// test: print --allow-unregistered-dialect --split-input-file
// test: print --allow-unregistered-dialect --split-input-file --mlir-print-local-scope
func.func @print(%v: vector<4x[2]xf32>, %s: si8, %x: index, %f: f80) {
  vector.print %v : vector<4x[2]xf32>
  vector.print %s : si8 punctuation <no_punctuation>
  vector.print %x : index punctuation <comma> {mark}
  vector.print %f : f80 punctuation <newline>
  vector.print punctuation <open>
  vector.print punctuation <close>
  vector.print str "a \"quoted\" text\0A"
  vector.print punctuation #vector.punctuation<newline> str "both" {mark}
  vector.print
  return
}

// -----

func.func @others() -> (index, vector<4xindex>) {
  %0 = vector.vscale
  %1 = vector.vscale {mark}
  %2 = vector.step : vector<4xindex>
  %3 = vector.step {mark} : vector<[2]xindex>
  return %0, %2 : index, vector<4xindex>
}
