// test: opt --affine-separate-reductions=launch=0

// The best score of an alignment, in memory. The first nest stores it, and the second one finds it there.
// test: run-opt --entry=alignment --arg=random:1 --arg=random:2 --arg=zeros --arg=zeros
func.func @alignment(%a: memref<40xi32>, %b: memref<40xi32>, %score: memref<41x41xi32>, %best: memref<i32>) {
  %zero = arith.constant 0 : i32
  %gap = arith.constant 2 : i32
  affine.for %i = 1 to 41 {
    affine.for %j = 1 to 41 {
      %x = affine.load %a[%i - 1] : memref<40xi32>
      %y = affine.load %b[%j - 1] : memref<40xi32>
      %both = arith.andi %x, %y : i32
      %corner = affine.load %score[%i - 1, %j - 1] : memref<41x41xi32>
      %above = affine.load %score[%i - 1, %j] : memref<41x41xi32>
      %left = affine.load %score[%i, %j - 1] : memref<41x41xi32>
      %match = arith.addi %corner, %both : i32
      %longer = arith.maxsi %above, %left : i32
      %skip = arith.subi %longer, %gap : i32
      %better = arith.maxsi %match, %skip : i32
      %own = arith.maxsi %better, %zero : i32
      affine.store %own, %score[%i, %j] : memref<41x41xi32>
      %known = affine.load %best[] : memref<i32>
      %greater = arith.maxsi %known, %own : i32
      affine.store %greater, %best[] : memref<i32>
    }
  }
  return
}

// The loops carry the sum, and the program returns it. What it adds is computed again, from what the nest does not write.
// test: run-opt --entry=carried --arg=random:1 --arg=iota
func.func @carried(%a: memref<40x40xi32>, %w: memref<40xi32>) -> i32 {
  %zero = arith.constant 0 : i32
  %total = affine.for %i = 1 to 40 iter_args(%s = %zero) -> (i32) {
    %row = affine.for %j = 1 to 40 iter_args(%t = %s) -> (i32) {
      %above = affine.load %a[%i - 1, %j] : memref<40x40xi32>
      %left = affine.load %a[%i, %j - 1] : memref<40x40xi32>
      %sum = arith.addi %above, %left : i32
      affine.store %sum, %a[%i, %j] : memref<40x40xi32>
      %u = affine.load %w[%i] : memref<40xi32>
      %v = affine.load %w[%j] : memref<40xi32>
      %p = arith.muli %u, %v : i32
      %more = arith.addi %t, %p : i32
      affine.yield %more : i32
    }
    affine.yield %row : i32
  }
  return %total : i32
}

// The greatest change of a sweep in place: nothing keeps the old elements, so the changes go through an array.
// test: run-opt --entry=change --arg=random:1 --arg=zeros
func.func @change(%a: memref<42x42xi32>, %most: memref<1xi32>) {
  %c0 = arith.constant 0 : index
  %two = arith.constant 2 : i32
  affine.for %i = 2 to 41 {
    affine.for %j = 1 to 41 {
      %old = affine.load %a[%i, %j] : memref<42x42xi32>
      %above = affine.load %a[%i - 1, %j] : memref<42x42xi32>
      %left = affine.load %a[%i, %j - 1] : memref<42x42xi32>
      %sum = arith.addi %above, %left : i32
      %new = arith.shrsi %sum, %two : i32
      affine.store %new, %a[%i, %j] : memref<42x42xi32>
      %way = arith.subi %new, %old : i32
      %known = memref.load %most[%c0] : memref<1xi32>
      %greater = arith.maxsi %known, %way : i32
      memref.store %greater, %most[%c0] : memref<1xi32>
    }
  }
  return
}

// Of open size, the array has no more elements than the one that the sweep stores to, each of them once.
// test: run-opt --entry=open_change --arg=random:1[42x43] --arg=zeros
// test: run-opt --entry=open_change --arg=random:1[2x43] --arg=zeros
// test: run-opt --entry=open_change --arg=random:1[1x0] --arg=zeros
func.func @open_change(%a: memref<?x?xi32>, %most: memref<1xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %two = arith.constant 2 : i32
  %0:2 = memref.distinct_objects %a, %most : memref<?x?xi32>, memref<1xi32>
  %m = memref.dim %0#0, %c0 : memref<?x?xi32>
  %n = memref.dim %0#0, %c1 : memref<?x?xi32>
  affine.for %i = 2 to %m {
    affine.for %j = 1 to affine_map<()[s0] -> (s0 - 1)>()[%n] {
      %old = affine.load %0#0[%i, %j] : memref<?x?xi32>
      %above = affine.load %0#0[%i - 1, %j] : memref<?x?xi32>
      %left = affine.load %0#0[%i, %j - 1] : memref<?x?xi32>
      %sum = arith.addi %above, %left : i32
      %new = arith.shrsi %sum, %two : i32
      affine.store %new, %0#0[%i, %j] : memref<?x?xi32>
      %way = arith.subi %new, %old : i32
      %known = memref.load %0#1[%c0] : memref<1xi32>
      %greater = arith.maxsi %known, %way : i32
      memref.store %greater, %0#1[%c0] : memref<1xi32>
    }
  }
  return
}

// A row that each step overwrites does not keep what the step stored.
// test: run-opt --entry=overwritten --arg=random:1 --arg=zeros
func.func @overwritten(%row: memref<42xi32>, %best: memref<i32>) {
  affine.for %i = 0 to 40 {
    affine.for %j = 1 to 41 {
      %left = affine.load %row[%j - 1] : memref<42xi32>
      %right = affine.load %row[%j + 1] : memref<42xi32>
      %sum = arith.subi %left, %right : i32
      affine.store %sum, %row[%j] : memref<42xi32>
      %known = affine.load %best[] : memref<i32>
      %greater = arith.maxsi %known, %sum : i32
      affine.store %greater, %best[] : memref<i32>
    }
  }
  return
}

// Where another statement of the iteration stores to the element as well, it does not keep the value either.
// test: run-opt --entry=stored_twice --arg=random:1 --arg=zeros
func.func @stored_twice(%a: memref<41x41xi32>, %best: memref<i32>) {
  affine.for %i = 1 to 41 {
    affine.for %j = 1 to 41 {
      %above = affine.load %a[%i - 1, %j] : memref<41x41xi32>
      %left = affine.load %a[%i, %j - 1] : memref<41x41xi32>
      %sum = arith.addi %above, %left : i32
      affine.store %sum, %a[%i, %j] : memref<41x41xi32>
      %known = affine.load %best[] : memref<i32>
      %greater = arith.maxsi %known, %sum : i32
      affine.store %greater, %best[] : memref<i32>
      %less = arith.subi %above, %left : i32
      affine.store %less, %a[%i, %j] : memref<41x41xi32>
    }
  }
  return
}

// One loop is parallel without the sum, the other one is not.
// test: run-opt --entry=columns --arg=random:1 --arg=zeros
func.func @columns(%a: memref<41x41xi32>, %sum: memref<i32>) {
  affine.for %i = 1 to 41 {
    affine.for %j = 0 to 41 {
      %above = affine.load %a[%i - 1, %j] : memref<41x41xi32>
      %own = affine.load %a[%i, %j] : memref<41x41xi32>
      %new = arith.addi %above, %own : i32
      affine.store %new, %a[%i, %j] : memref<41x41xi32>
      %known = affine.load %sum[] : memref<i32>
      %more = arith.addi %known, %new : i32
      affine.store %more, %sum[] : memref<i32>
    }
  }
  return
}

// Left alone: a recurrence that uses what is collected …
func.func @uses_the_best(%a: memref<41x41xi32>, %best: memref<i32>) {
  affine.for %i = 1 to 41 {
    affine.for %j = 1 to 41 {
      %above = affine.load %a[%i - 1, %j] : memref<41x41xi32>
      %left = affine.load %a[%i, %j - 1] : memref<41x41xi32>
      %sum = arith.addi %above, %left : i32
      %known = affine.load %best[] : memref<i32>
      %greater = arith.maxsi %known, %sum : i32
      affine.store %greater, %best[] : memref<i32>
      affine.store %greater, %a[%i, %j] : memref<41x41xi32>
    }
  }
  return
}

// … in memory, which the recurrence may read elsewhere, …
func.func @may_read_the_best(%a: memref<41x41xi32>, %at: index) {
  affine.for %i = 1 to 41 {
    affine.for %j = 1 to 41 {
      %above = affine.load %a[%i - 1, %j] : memref<41x41xi32>
      %left = affine.load %a[%i, %j - 1] : memref<41x41xi32>
      %sum = arith.addi %above, %left : i32
      affine.store %sum, %a[%i, %j] : memref<41x41xi32>
      %known = affine.load %a[symbol(%at), 0] : memref<41x41xi32>
      %greater = arith.maxsi %known, %sum : i32
      affine.store %greater, %a[symbol(%at), 0] : memref<41x41xi32>
    }
  }
  return
}

// … or elsewhere, where the element is seen through a view, …
// test: run-opt --entry=view_of_the_best --arg=random:1
func.func @view_of_the_best(%a: memref<41x41xi32>) {
  %view = memref.subview %a[20, 0] [1, 1] [1, 1] : memref<41x41xi32> to memref<1x1xi32, strided<[41, 1], offset: 820>>
  affine.for %i = 1 to 41 {
    affine.for %j = 1 to 41 {
      %above = affine.load %a[%i - 1, %j - 1] : memref<41x41xi32>
      %left = affine.load %a[%i, %j - 1] : memref<41x41xi32>
      %sum = arith.addi %above, %left : i32
      affine.store %sum, %a[%i, %j] : memref<41x41xi32>
      %known = affine.load %view[0, 0] : memref<1x1xi32, strided<[41, 1], offset: 820>>
      %greater = arith.maxsi %known, %sum : i32
      affine.store %greater, %view[0, 0] : memref<1x1xi32, strided<[41, 1], offset: 820>>
    }
  }
  return
}

// … quotients, which no order but their own gives, …
func.func @quotients(%a: memref<41x41xf32>, %sum: memref<f32>) {
  affine.for %i = 1 to 41 {
    affine.for %j = 1 to 41 {
      %above = affine.load %a[%i - 1, %j] : memref<41x41xf32>
      %left = affine.load %a[%i, %j - 1] : memref<41x41xf32>
      %new = arith.subf %above, %left : f32
      affine.store %new, %a[%i, %j] : memref<41x41xf32>
      %known = affine.load %sum[] : memref<f32>
      %ratio = arith.divf %new, %known : f32
      affine.store %ratio, %sum[] : memref<f32>
    }
  }
  return
}

// … a change that no element keeps, in a nest of open size, …
func.func @open(%a: memref<?x?xi32>, %most: memref<i32>, %n: index) {
  %two = arith.constant 2 : i32
  affine.for %i = 1 to %n {
    affine.for %j = 1 to %n {
      %old = affine.load %a[%i, %j] : memref<?x?xi32>
      %above = affine.load %a[%i - 1, %j] : memref<?x?xi32>
      %left = affine.load %a[%i, %j - 1] : memref<?x?xi32>
      %sum = arith.addi %above, %left : i32
      %new = arith.shrsi %sum, %two : i32
      affine.store %new, %a[%i, %j] : memref<?x?xi32>
      %way = arith.subi %new, %old : i32
      %known = affine.load %most[] : memref<i32>
      %greater = arith.maxsi %known, %way : i32
      affine.store %greater, %most[] : memref<i32>
    }
  }
  return
}

// … nests that are parallel but for the reduction, and nests in a parallel loop, here over pairs of sequences.
func.func @parallel(%a: memref<41x41xi32>, %b: memref<41x41xi32>, %sum: memref<i32>) {
  affine.for %i = 0 to 41 {
    affine.for %j = 0 to 41 {
      %x = affine.load %a[%i, %j] : memref<41x41xi32>
      %y = arith.muli %x, %x : i32
      affine.store %y, %b[%i, %j] : memref<41x41xi32>
      %known = affine.load %sum[] : memref<i32>
      %more = arith.addi %known, %y : i32
      affine.store %more, %sum[] : memref<i32>
    }
  }
  return
}

func.func @pairs(%a: memref<30x41x41xi32>, %best: memref<30xi32>) {
  affine.for %k = 0 to 30 {
    affine.for %i = 1 to 41 {
      affine.for %j = 1 to 41 {
        %above = affine.load %a[%k, %i - 1, %j] : memref<30x41x41xi32>
        %left = affine.load %a[%k, %i, %j - 1] : memref<30x41x41xi32>
        %sum = arith.addi %above, %left : i32
        affine.store %sum, %a[%k, %i, %j] : memref<30x41x41xi32>
        %known = affine.load %best[%k] : memref<30xi32>
        %greater = arith.maxsi %known, %sum : i32
        affine.store %greater, %best[%k] : memref<30xi32>
      }
    }
  }
  return
}

// … and sweeps of open number over a row: nothing bounds the array of what they leave.
func.func @open_sweeps(%row: memref<?xi32>, %best: memref<i32>, %sweeps: index) {
  %c0 = arith.constant 0 : index
  %0:2 = memref.distinct_objects %row, %best : memref<?xi32>, memref<i32>
  %n = memref.dim %0#0, %c0 : memref<?xi32>
  affine.for %i = 0 to %sweeps {
    affine.for %j = 1 to affine_map<()[s0] -> (s0 - 1)>()[%n] {
      %left = affine.load %0#0[%j - 1] : memref<?xi32>
      %right = affine.load %0#0[%j + 1] : memref<?xi32>
      %sum = arith.subi %left, %right : i32
      affine.store %sum, %0#0[%j] : memref<?xi32>
      %known = affine.load %0#1[] : memref<i32>
      %greater = arith.maxsi %known, %sum : i32
      affine.store %greater, %0#1[] : memref<i32>
    }
  }
  return
}
