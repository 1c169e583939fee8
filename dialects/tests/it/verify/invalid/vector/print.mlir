// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
func.func @text_and_value(%v: vector<4xf32>) {
  // expected-error@+1 {{'vector.print' op failed to verify that `source` or `punctuation` are not set when printing strings}}
  vector.print %v : vector<4xf32> str "text"
  return
}

// -----

func.func @text_and_punctuation() {
  // expected-error@+1 {{'vector.print' op failed to verify that `source` or `punctuation` are not set when printing strings}}
  vector.print str "text" punctuation <comma>
  return
}

// -----

func.func @tensor(%v: tensor<4xf32>) {
  // expected-error@+1 {{'vector.print' op operand #0 must be , but got 'tensor<4xf32>'}}
  vector.print %v : tensor<4xf32>
  return
}

// -----

func.func @twice() {
  // expected-error@+1 {{`punctuation` clause can appear at most once in the expansion of the oilist directive}}
  vector.print punctuation <comma> punctuation <comma>
  return
}

// -----

func.func @step() {
  // expected-error@+1 {{'vector.step' op result #0 must be vector of index values of ranks 1, but got 'vector<4xi32>'}}
  %0 = vector.step : vector<4xi32>
  return
}
