// test: canonical
func.func private @tell(i32, i32)

func.func @all_threads(%n: index, %x: i32, %c: i1) {
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %n, %gz = %n)
      threads(%tx, %ty, %tz) in (%sx = %n, %sy = %n, %sz = %n) {
    %a = gpu.all_reduce mul %x {} : (i32) -> (i32)
    %b = gpu.subgroup_reduce maxsi %a : (i32) -> (i32)
    func.call @tell(%a, %b) : (i32, i32) -> ()
    scf.if %c {
      %d = gpu.all_reduce mul %x {} : (i32) -> (i32)
      %e = gpu.subgroup_reduce maxsi %x : (i32) -> (i32)
      func.call @tell(%d, %e) : (i32, i32) -> ()
    }
    gpu.terminator
  }
  return
}

func.func @said_before(%x: f32, %lane: i32) -> (f32, f32) {
  %a = gpu.subgroup_broadcast %x, specific_lane %lane : f32
  %b = gpu.subgroup_broadcast %a, first_active_lane : f32
  %c = gpu.subgroup_broadcast %b, first_active_lane : f32
  return %b, %c : f32, f32
}

// differs: @said_in_a_round: threads may leave a loop in different rounds
func.func @said_in_a_round(%x: i32, %n: index, %lane: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = scf.while (%i = %x) : (i32) -> i32 {
    %b = gpu.subgroup_broadcast %i, first_active_lane : i32
    %c = arith.cmpi slt, %i, %lane : i32
    scf.condition(%c) %b : i32
  } do {
  ^bb0(%b: i32):
    %s = arith.addi %b, %x : i32
    scf.yield %s : i32
  }
  %t = gpu.subgroup_broadcast %x, first_active_lane : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%v = %a) -> i32 {
    %w = gpu.subgroup_broadcast %t, first_active_lane : i32
    %y = arith.addi %v, %w : i32
    scf.yield %y : i32
  }
  return %r : i32
}

func.func @nobody_looks(%m: memref<6xf32>, %c: i1) {
  %new = memref.alloc() : memref<6xf32>
  %t = gpu.wait async
  %u = gpu.memcpy async [%t] %new, %m : memref<6xf32>, memref<6xf32>
  gpu.wait [%u]
  scf.if %c {
    memref.dealloc %new : memref<6xf32>
  }
  %d = gpu.alloc() : memref<6xf32>
  gpu.memcpy %d, %m : memref<6xf32>, memref<6xf32>
  gpu.dealloc %d : memref<6xf32>
  return
}

func.func @somebody_looks(%m: memref<6xf32>, %i: index) -> f32 {
  %new = memref.alloc() : memref<6xf32>
  gpu.memcpy %new, %m : memref<6xf32>, memref<6xf32>
  %v = memref.load %new[%i] : memref<6xf32>
  memref.dealloc %new : memref<6xf32>
  return %v : f32
}

func.func @copied_inside(%m: memref<6xf32>) {
  %new = memref.alloc() : memref<6xf32>
  %t = gpu.wait async
  %u = gpu.wait async
  %v = gpu.memcpy async [%t, %u] %new, %m : memref<6xf32>, memref<6xf32>
  gpu.wait [%v]
  return
}
