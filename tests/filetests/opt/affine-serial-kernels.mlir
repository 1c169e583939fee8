// test: opt --affine-serial-kernels
// test: run-opt --entry=solve --arg=random:1 --arg=random:2
// test: run-opt --entry=carried --arg=random:1 --arg=random:2 --arg=zeros
// test: run-opt --entry=in_turn --arg=random:1 --arg=random:2
// test: run-opt --entry=reduced --arg=random:1 --arg=random:2
// test: run-opt --entry=conditional --arg=random:1 --arg=random:2
// test: run-opt --entry=between --arg=random:1 --arg=random:2
// test: run-opt --entry=outside --arg=random:1 --arg=random:2
// test: run-opt --entry=left_alone --arg=random:1 --arg=random:2 --arg=5

// The division of each iteration, in front of the kernel that uses its result.
func.func @solve(%l: memref<16x16xf32>, %x: memref<16xf32>) {
  %x_apart, %l_apart = memref.distinct_objects %x, %l : memref<16xf32>, memref<16x16xf32>
  affine.for %t = 0 to 16 {
    %d = affine.load %l_apart[%t, %t] : memref<16x16xf32>
    %s = affine.load %x_apart[%t] : memref<16xf32>
    %q = arith.divf %s, %d : f32
    affine.store %q, %x_apart[%t] : memref<16xf32>
    affine.for %i = affine_map<(d0) -> (d0 + 1)>(%t) to 16 {
      %a = affine.load %l_apart[%i, %t] : memref<16x16xf32>
      %b = affine.load %x_apart[%t] : memref<16xf32>
      %p = arith.mulf %a, %b : f32
      %c = affine.load %x_apart[%i] : memref<16xf32>
      %u = arith.subf %c, %p : f32
      affine.store %u, %x_apart[%i] : memref<16xf32>
    }
  }
  return
}

// What the host loop carries is kept in cells: the first value is used by a kernel and by the next
// iteration, the second one behind the loop too.
func.func @carried(%a: memref<16xf32>, %b: memref<16xf32>, %c: memref<2xf32>) {
  %b_apart, %a_apart = memref.distinct_objects %b, %a : memref<16xf32>, memref<16xf32>
  %one = arith.constant 1.0 : f32
  %r:2 = affine.for %t = 0 to 16 iter_args(%u = %one, %v = %one) -> (f32, f32) {
    %x = affine.load %a_apart[%t] : memref<16xf32>
    %y = affine.load %b_apart[%t] : memref<16xf32>
    %s = arith.addf %x, %y : f32
    %m = arith.mulf %s, %v : f32
    affine.for %i = 0 to 16 {
      %z = affine.load %b_apart[%i] : memref<16xf32>
      %w = arith.addf %z, %m : f32
      affine.store %w, %b_apart[%i] : memref<16xf32>
    }
    affine.yield %m, %u : f32, f32
  }
  affine.store %r#1, %c[0] : memref<2xf32>
  return
}

// Two runs with a kernel between them; the second one uses a value of the first.
func.func @in_turn(%a: memref<16xf32>, %b: memref<16xf32>) {
  %b_apart, %a_apart = memref.distinct_objects %b, %a : memref<16xf32>, memref<16xf32>
  affine.for %t = 0 to 16 {
    %x = affine.load %b_apart[%t] : memref<16xf32>
    %y = arith.mulf %x, %x : f32
    affine.for %i = 0 to 16 {
      %z = affine.load %a_apart[%i] : memref<16xf32>
      affine.store %z, %b_apart[%i] : memref<16xf32>
    }
    affine.store %y, %a_apart[%t] : memref<16xf32>
  }
  return
}

// A loop that reduces what the kernel has left; what it reads is freed behind the band.
func.func @reduced(%a: memref<16xi32>, %b: memref<16xi32>) {
  %b_apart, %a_apart = memref.distinct_objects %b, %a : memref<16xi32>, memref<16xi32>
  %zero = arith.constant 0 : i32
  affine.for %t = 0 to 16 {
    %part = memref.alloc() : memref<16xi32>
    affine.for %i = 0 to 16 {
      %z = affine.load %a_apart[%i] : memref<16xi32>
      %w = arith.muli %z, %z : i32
      affine.store %w, %part[%i] : memref<16xi32>
    }
    %s = affine.for %i = 0 to 16 iter_args(%acc = %zero) -> i32 {
      %z = affine.load %part[%i] : memref<16xi32>
      %w = arith.addi %acc, %z : i32
      affine.yield %w : i32
    }
    memref.dealloc %part : memref<16xi32>
    affine.store %s, %a_apart[%t] : memref<16xi32>
  }
  return
}

// Statements under a condition, beside the kernel there.
func.func @conditional(%a: memref<16xf32>, %b: memref<16xf32>) {
  %b_apart, %a_apart = memref.distinct_objects %b, %a : memref<16xf32>, memref<16xf32>
  affine.for %t = 0 to 16 {
    affine.if affine_set<(d0) : (d0 - 3 >= 0)>(%t) {
      %x = affine.load %b_apart[%t] : memref<16xf32>
      affine.store %x, %a_apart[%t] : memref<16xf32>
      affine.for %i = 0 to 16 {
        %z = affine.load %a_apart[%i] : memref<16xf32>
        affine.store %z, %b_apart[%i] : memref<16xf32>
      }
    }
  }
  return
}

// Left alone: a value that decides on the host what runs, and memory that no kernel touches.
func.func @left_alone(%a: memref<16xi32>, %b: memref<16xi32>, %c: i32) {
  %b_apart, %a_apart = memref.distinct_objects %b, %a : memref<16xi32>, memref<16xi32>
  %own = memref.alloca() : memref<16xi32>
  affine.for %t = 0 to 16 {
    affine.store %c, %own[%t] : memref<16xi32>
    affine.for %i = 0 to 16 {
      %z = affine.load %a_apart[%i] : memref<16xi32>
      %w = arith.addi %z, %c : i32
      affine.store %w, %b_apart[%i] : memref<16xi32>
    }
    %x = affine.load %b_apart[%t] : memref<16xi32>
    %more = arith.cmpi slt, %x, %c : i32
    scf.if %more {
      affine.for %i = 0 to 16 {
        affine.store %c, %a_apart[%i] : memref<16xi32>
      }
    }
  }
  return
}

// The sweeps of a tridiagonal solver between two kernels of the function.
func.func @between(%a: memref<16xf32>, %b: memref<16xf32>) {
  %b_apart, %a_apart = memref.distinct_objects %b, %a : memref<16xf32>, memref<16xf32>
  affine.for %i = 0 to 16 {
    %x = affine.load %a_apart[%i] : memref<16xf32>
    %y = arith.addf %x, %x : f32
    affine.store %y, %b_apart[%i] : memref<16xf32>
  }
  affine.for %i = 1 to 16 {
    %x = affine.load %b_apart[%i - 1] : memref<16xf32>
    %y = affine.load %b_apart[%i] : memref<16xf32>
    %z = arith.subf %y, %x : f32
    affine.store %z, %b_apart[%i] : memref<16xf32>
  }
  %l = affine.load %b_apart[15] : memref<16xf32>
  affine.for %i = 0 to 15 {
    %x = affine.load %b_apart[15 - %i] : memref<16xf32>
    %y = affine.load %b_apart[14 - %i] : memref<16xf32>
    %z = arith.subf %y, %x : f32
    affine.store %z, %b_apart[14 - %i] : memref<16xf32>
  }
  affine.for %i = 0 to 16 {
    %x = affine.load %b_apart[%i] : memref<16xf32>
    %y = arith.mulf %x, %l : f32
    affine.store %y, %a_apart[%i] : memref<16xf32>
  }
  return
}

// What the host has from a kernel alone, or sends to one alone, it computes itself.
func.func @outside(%a: memref<16xf32>, %b: memref<16xf32>) {
  %b_apart, %a_apart = memref.distinct_objects %b, %a : memref<16xf32>, memref<16xf32>
  affine.for %i = 1 to 16 {
    %x = affine.load %a_apart[%i - 1] : memref<16xf32>
    %y = affine.load %a_apart[%i] : memref<16xf32>
    %z = arith.subf %y, %x : f32
    affine.store %z, %a_apart[%i] : memref<16xf32>
  }
  affine.for %i = 0 to 16 {
    %x = affine.load %a_apart[%i] : memref<16xf32>
    affine.store %x, %b_apart[%i] : memref<16xf32>
  }
  affine.for %i = 1 to 16 {
    %x = affine.load %b_apart[%i - 1] : memref<16xf32>
    %y = affine.load %b_apart[%i] : memref<16xf32>
    %z = arith.subf %y, %x : f32
    affine.store %z, %b_apart[%i] : memref<16xf32>
  }
  return
}
