// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
// Invariants of scf operations.

func.func @f(%i: index, %c: i1) {
  // expected-error@+1 {{'scf.for' op expected induction variable to be same type as bounds and step}}
  "scf.for"(%i,%i,%i) ({^bb0(%x: i32): "scf.yield"() : () -> ()}) : (index,index,index)->()
  return
}

// -----

func.func @f(%i: index, %c: i1) {
  // expected-error@+1 {{'scf.for' op mismatch in number of loop-carried values and defined values}}
  "scf.for"(%i,%i,%i,%c) ({^bb0(%x: index, %y: i1): "scf.yield"() : () -> ()}) : (index,index,index,i1)->()
  return
}

// -----

func.func @f(%i: index, %c: i1) {
  // expected-error@+1 {{'scf.for' op 0-th region iter_arg and 0-th yielded value have different type: 'i1' != 'index'}}
  %0 = "scf.for"(%i,%i,%i,%c) ({^bb0(%x: index, %y: i1): "scf.yield"(%i) : (index) -> ()}) : (index,index,index,i1)->(i1)
  return
}

// -----

func.func @f(%i: index, %c: i1) {
  // expected-error@+1 {{'scf.for' op 0-th init and 0-th region iter_arg have different type: 'i1' != 'i32'}}
  %0 = "scf.for"(%i,%i,%i,%c) ({^bb0(%x: index, %y: i32): "scf.yield"(%c) : (i1) -> ()}) : (index,index,index,i1)->(i1)
  return
}

// -----

func.func @f(%i: index, %c: i1) {
  // expected-error@+1 {{'scf.for' op different number of inits and region iter_args: 1 != 0}}
  %0 = "scf.for"(%i,%i,%i,%c) ({^bb0(%x: index): "scf.yield"(%c) : (i1) -> ()}) : (index,index,index,i1)->(i1)
  return
}

// -----

func.func @f(%i: index, %c: i1) {
  // expected-error@+1 {{'scf.for' op 0-th region iter_arg and 0-th loop result have different type: 'i1' != 'i32'}}
  %0 = "scf.for"(%i,%i,%i,%c) ({^bb0(%x: index, %y: i1): "scf.yield"(%c) : (i1) -> ()}) : (index,index,index,i1)->(i32)
  return
}

// -----

func.func @f(%i: index, %c: i1) {
  // expected-error@+1 {{'scf.if' op must have an else block if defining values}}
  %0 = scf.if %c -> i1 { scf.yield %c : i1 }
  return
}

// -----

func.func @f(%i: index, %c: i1) {
  // expected-error@+1 {{'scf.if' op must have an else block if defining values}}
  %0 = "scf.if"(%c) ({ scf.yield %c : i1 }, {}) : (i1) -> i1
  return
}

// -----

func.func @f(%i: index, %c: i1) {
  // expected-error@+1 {{'scf.if' op region #0 ('thenRegion') failed to verify constraint: region with 1 blocks}}
  "scf.if"(%c) ({}, {}) : (i1) -> ()
  return
}

// -----

func.func @f(%i: index, %c: i1) {
  // expected-error@+1 {{'scf.index_switch' op has duplicate case value: 2}}
  scf.index_switch %i case 2 { scf.yield } case 2 { scf.yield } default { scf.yield }
  return
}

// -----

func.func @f(%i: index, %c: i1) {
  // expected-error@+1 {{'scf.index_switch' op has 1 case regions but 2 case values}}
  "scf.index_switch"(%i) <{cases=array<i64: 1,2>}> ({ scf.yield }, {scf.yield}) : (index) -> ()
  return
}

// -----

func.func @f(%i: index, %c: i1) {
  // expected-error@+1 {{'scf.parallel' op needs at least one tuple element for lowerBound, upperBound and step}}
  "scf.parallel"(%i,%i) <{operandSegmentSizes=array<i32:1,1,0,0>}> ({^bb0(%x: index): "scf.reduce"() : () -> () }) : (index,index) -> ()
  return
}

// -----

func.func @f(%i: index, %c: i1) {
  // expected-error@+1 {{'scf.parallel' op expects arguments for the induction variable to be of index type}}
  "scf.parallel"(%i,%i,%i) <{operandSegmentSizes=array<i32:1,1,1,0>}> ({^bb0(%x: i32): "scf.reduce"() : () -> () }) : (index,index,index) -> ()
  return
}

// -----

func.func @f(%i: index, %c: i1) {
  // expected-error@+1 {{'scf.parallel' op expects the same number of induction variables: 0 as bound and step values: 1}}
  "scf.parallel"(%i,%i,%i) <{operandSegmentSizes=array<i32:1,1,1,0>}> ({^bb0: "scf.reduce"() : () -> () }) : (index,index,index) -> ()
  return
}

// -----

func.func @f(%i: index, %c: i1) {
  // expected-error@+1 {{'scf.parallel' op expects number of results: 0 to be the same as number of initial values: 1}}
  "scf.parallel"(%i,%i,%i,%i) <{operandSegmentSizes=array<i32:1,1,1,1>}> ({^bb0(%x: index): "scf.reduce"() : () -> () }) : (index,index,index,index) -> ()
  return
}

// -----

func.func @f(%i: index, %c: i1) {
  // expected-error@+1 {{'scf.parallel' op needs at least one tuple element for lowerBound, upperBound and step}}
  "scf.parallel"() <{operandSegmentSizes=array<i32:0,0,0,0>}> ({^bb0: "scf.reduce"() : () -> () }) : () -> ()
  return
}

// -----

func.func @f(%i: index, %c: i1) {
  // expected-error@+1 {{'scf.parallel' op expects number of results: 1 to be the same as number of reductions: 0}}
  %0 = "scf.parallel"(%i,%i,%i,%i) <{operandSegmentSizes=array<i32:1,1,1,1>}> ({^bb0(%x: index): "scf.reduce"() : () -> () }) : (index,index,index,index) -> index
  return
}

// -----

func.func @f(%i: index, %c: i1) { %0="scf.parallel"(%i,%i,%i,%i) <{operandSegmentSizes=array<i32:1,1,1,1>}> ({^bb0(%x: index):
// expected-error@+1 {{'scf.reduce' op expects type of 0-th reduction operand: 'i1' to be the same as the 0-th result type: 'index'}}
"scf.reduce"(%c) ({^bb0(%a: i1, %b: i1): scf.reduce.return %a : i1}) : (i1) -> () }) : (index,index,index,index) -> index return }

// -----

func.func @f(%i: index, %c: i1) { %0="scf.parallel"(%i,%i,%i,%i) <{operandSegmentSizes=array<i32:1,1,1,1>}> ({^bb0(%x: index):
// expected-error@+1 {{'scf.reduce' op expected two block arguments with type 'index' in the 0-th reduction region}}
"scf.reduce"(%i) ({^bb0(%a: index): scf.reduce.return %a : index}) : (index) -> () }) : (index,index,index,index) -> index return }

// -----

func.func @f(%i: index, %c: i1) { %0="scf.parallel"(%i,%i,%i,%i) <{operandSegmentSizes=array<i32:1,1,1,1>}> ({^bb0(%x: index): "scf.reduce"(%i) ({^bb0(%a: index, %b: index):
// expected-error@+1 {{'scf.reduce.return' op must have type 'index' (the type of the reduction inputs)}}
scf.reduce.return %c : i1}) : (index) -> () }) : (index,index,index,index) -> index return }

// -----

func.func @f(%i: index, %c: i1) { %0="scf.parallel"(%i,%i,%i,%i) <{operandSegmentSizes=array<i32:1,1,1,1>}> ({^bb0(%x: index):
// expected-error@+1 {{'scf.reduce' op reduction bodies must be terminated with an 'scf.reduce.return' op}}
"scf.reduce"(%i) ({^bb0(%a: index, %b: index): "x.y"() : () -> ()}) : (index) -> () }) : (index,index,index,index) -> index return }

// -----

func.func @f(%i: index, %c: i1) { %0="scf.parallel"(%i,%i,%i,%i) <{operandSegmentSizes=array<i32:1,1,1,1>}> ({^bb0(%x: index):
// expected-error@+1 {{'scf.reduce' op region #0 ('reductions') failed to verify constraint: region with 1 blocks}}
"scf.reduce"(%i) ({}) : (index) -> () }) : (index,index,index,index) -> index return }

// -----

func.func @f(%i: index, %c: i1) { %z = arith.constant 0 : index
// expected-error@+1 {{'scf.parallel' op constant step operand must be positive}}
scf.parallel (%j) = (%i) to (%i) step (%z) { } return }

// -----

func.func @f(%i: index, %c: i1) {
  // expected-error@+1 {{'scf.execute_region' op region needs to have at least one block}}
  scf.execute_region { }
  return
}

// -----

func.func @f(%i: index, %c: i1) {
  // expected-error@+1 {{'scf.execute_region' op region needs to have at least one block}}
  "scf.execute_region"() ({}) : () -> ()
  return
}

// -----

func.func @f(%i: index, %c: i1) {
  // expected-error@+1 {{'scf.execute_region' op region cannot have any arguments}}
  "scf.execute_region"() ({ ^bb0(%x: i32): scf.yield}) : () -> ()
  return
}

// -----

func.func @f(%i: index, %c: i1) {
  // expected-error@+1 {{'scf.yield' op expects parent op to be one of 'scf.execute_region, scf.for, scf.if, scf.index_switch, scf.while'}}
  scf.yield }
