// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
// What the invariants of scf operations allow.

func.func @f(%i: index, %c: i1) { %z = arith.constant 0 : index scf.for %j = %i to %i step %z { } return }

// -----

func.func @f(%i: index, %c: i1) { %z = arith.constant -1 : index scf.for %j = %i to %i step %z { } return }
