// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
// What flows between an operation and its regions.

func.func @f(%i: index, %c: i1) {
  // expected-error@+1 {{'scf.for' op along control flow edge from Operation scf.yield to Region #0: region branch point has 0 operands, but region successor needs 1 inputs}}
  %0 = "scf.for"(%i, %i, %i, %c) ({
  ^bb0(%x: index, %y: i1):
    // expected-note@+1 {{region branch point}}
    "scf.yield"() : () -> ()
  }) : (index, index, index, i1) -> i1
  return
}

// -----

func.func @f(%i: index, %c: i1) {
  // expected-error@+1 {{'scf.if' op along control flow edge from Operation scf.yield to parent: region branch point has 1 operands, but region successor needs 0 inputs}}
  scf.if %c {
    // expected-note@+1 {{region branch point}}
    scf.yield %c : i1
  }
  return
}

// -----

func.func @f(%i: index, %c: i1) {
  // expected-error@+1 {{'scf.if' op along control flow edge from Operation scf.yield to parent: successor operand type #0 'index' should match successor input type #0 'i1'}}
  %0 = scf.if %c -> i1 {
    scf.yield %c : i1
  } else {
    // expected-note@+1 {{region branch point}}
    scf.yield %i : index
  }
  return
}

// -----

func.func @f(%i: index, %c: i1) {
  // expected-error@+1 {{'scf.while' op along control flow edge from Operation scf.condition to Region #1: successor operand type #0 'i1' should match successor input type #0 'index'}}
  %0 = scf.while (%x = %i) : (index) -> i1 {
    // expected-note@+1 {{region branch point}}
    scf.condition(%c) %c : i1
  } do {
  ^bb0(%y: index):
    scf.yield %i : index
  }
  return
}

// -----

func.func @f(%i: index, %c: i1) {
  // expected-error@+1 {{'scf.while' op along control flow edge from Operation scf.yield to Region #0: successor operand type #0 'i1' should match successor input type #0 'index'}}
  %0 = scf.while (%x = %i) : (index) -> i1 {
    scf.condition(%c) %c : i1
  } do {
  ^bb0(%y: i1):
    // expected-note@+1 {{region branch point}}
    scf.yield %c : i1
  }
  return
}

// -----

func.func @f(%i: index, %c: i1) {
  // expected-error@+1 {{'scf.while' op expects the 'before' region to terminate with 'scf.condition'}}
  %0 = scf.while (%x = %i) : (index) -> i1 {
    // expected-note@+1 {{terminator here}}
    scf.yield %c : i1
  } do {
  ^bb0(%y: i1):
    scf.yield %i : index
  }
  return
}
