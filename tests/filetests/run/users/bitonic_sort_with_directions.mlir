// Bitonic sort downwards: the direction, which asks for a bit of the counter as the choice of one of two partners may, stands in a
// short-circuit condition around loads. Each step is a kernel.
// test: run --arg=iota[16] --arg=16
// expect: arg 0 = [15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]
func.func @sort(%a: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %false = arith.constant false
  %true = arith.constant true
  %size = scf.while (%k = %c2) : (index) -> index {
    %more = arith.cmpi sle, %k, %n : index
    scf.condition(%more) %k : index
  } do {
  ^bb0(%k: index):
    %first = arith.shrsi %k, %c1 : index
    %last = scf.while (%j = %first) : (index) -> index {
      %more = arith.cmpi sgt, %j, %c0 : index
      scf.condition(%more) %j : index
    } do {
    ^bb0(%j: index):
      scf.for %i = %c0 to %n step %c1 {
        %partner = arith.xori %i, %j : index
        %is_lower = arith.cmpi sgt, %partner, %i : index
        scf.if %is_lower {
          %bit = arith.andi %i, %k : index
          %down = arith.cmpi eq, %bit, %c0 : index
          %up = arith.xori %down, %true : i1
          %wrong_down = scf.if %down -> i1 {
            %x = memref.load %a[%i] : memref<?xf32>
            %y = memref.load %a[%partner] : memref<?xf32>
            %less = arith.cmpf olt, %x, %y : f32
            scf.yield %less : i1
          } else {
            scf.yield %false : i1
          }
          %wrong_up = scf.if %up -> i1 {
            %x = memref.load %a[%i] : memref<?xf32>
            %y = memref.load %a[%partner] : memref<?xf32>
            %greater = arith.cmpf ogt, %x, %y : f32
            scf.yield %greater : i1
          } else {
            scf.yield %false : i1
          }
          %wrong = arith.ori %wrong_down, %wrong_up : i1
          scf.if %wrong {
            %x = memref.load %a[%i] : memref<?xf32>
            %y = memref.load %a[%partner] : memref<?xf32>
            memref.store %y, %a[%i] : memref<?xf32>
            memref.store %x, %a[%partner] : memref<?xf32>
          }
        }
      }
      %next = arith.shrsi %j, %c1 : index
      scf.yield %next : index
    }
    %next = arith.shli %k, %c1 : index
    scf.yield %next : index
  }
  return
}
