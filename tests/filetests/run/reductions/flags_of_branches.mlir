// Labels spread over a picture until a round changes none, which a value tells that branches of any depth set. In a
// 3 x 3 picture whose middle row but for its last pixel is dark, the labels 1, 2, 3, 6, 7, 8, 9 of the others become
// 1 after as many rounds as the furthest of them, 7, is steps away from the first one, 6; the seventh changes none.
// test: run --entry=main --arg=random:1 --arg=zeros
// expect: arg 1 = [1, 1, 1, 0, 0, 1, 1, 1, 1]
// expect: result 0 = 7
func.func @main(%x: memref<9xi32>, %y: memref<9xi32>) -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  affine.for %i = 0 to 9 {
    %i32 = arith.index_cast %i : index to i32
    %n = arith.addi %i32, %c1 : i32
    affine.store %n, %x[%i] : memref<9xi32>
  }
  affine.store %c0, %x[3] : memref<9xi32>
  affine.store %c0, %x[4] : memref<9xi32>
  %r:2 = scf.while (%again = %c1, %round = %c0) : (i32, i32) -> (i32, i32) {
    %goes = arith.cmpi ne, %again, %c0 : i32
    scf.condition(%goes) %again, %round : i32, i32
  } do {
  ^bb0(%again: i32, %round: i32):
    %changed = affine.for %i = 0 to 3 iter_args(%f = %c0) -> i32 {
      %of_row = affine.for %j = 0 to 3 iter_args(%g = %f) -> i32 {
        %l = affine.load %x[%i * 3 + %j] : memref<9xi32>
        %is_light = arith.cmpi ne, %l, %c0 : i32
        %new:2 = scf.if %is_light -> (i32, i32) {
          %up = affine.if affine_set<(d0) : (d0 - 1 >= 0)>(%i) -> i32 {
            %v = affine.load %x[%i * 3 + %j - 3] : memref<9xi32>
            affine.yield %v : i32
          } else {
            affine.yield %c0 : i32
          }
          %down = affine.if affine_set<(d0) : (-d0 + 1 >= 0)>(%i) -> i32 {
            %v = affine.load %x[%i * 3 + %j + 3] : memref<9xi32>
            affine.yield %v : i32
          } else {
            affine.yield %c0 : i32
          }
          %left = affine.if affine_set<(d0) : (d0 - 1 >= 0)>(%j) -> i32 {
            %v = affine.load %x[%i * 3 + %j - 1] : memref<9xi32>
            affine.yield %v : i32
          } else {
            affine.yield %c0 : i32
          }
          %right = affine.if affine_set<(d0) : (-d0 + 1 >= 0)>(%j) -> i32 {
            %v = affine.load %x[%i * 3 + %j + 1] : memref<9xi32>
            affine.yield %v : i32
          } else {
            affine.yield %c0 : i32
          }
          // Dark pixels are greater than all without a sign once 1 is taken off.
          %l1 = arith.subi %l, %c1 : i32
          %up1 = arith.subi %up, %c1 : i32
          %down1 = arith.subi %down, %c1 : i32
          %left1 = arith.subi %left, %c1 : i32
          %right1 = arith.subi %right, %c1 : i32
          %m0 = arith.minui %l1, %up1 : i32
          %m1 = arith.minui %m0, %down1 : i32
          %m2 = arith.minui %m1, %left1 : i32
          %m3 = arith.minui %m2, %right1 : i32
          %least = arith.addi %m3, %c1 : i32
          %is_less = arith.cmpi slt, %least, %l : i32
          %h = scf.if %is_less -> i32 {
            scf.yield %c1 : i32
          } else {
            scf.yield %g : i32
          }
          scf.yield %least, %h : i32, i32
        } else {
          scf.yield %l, %g : i32, i32
        }
        affine.store %new#0, %y[%i * 3 + %j] : memref<9xi32>
        affine.yield %new#1 : i32
      }
      affine.yield %of_row : i32
    }
    affine.for %i = 0 to 9 {
      %v = affine.load %y[%i] : memref<9xi32>
      affine.store %v, %x[%i] : memref<9xi32>
    }
    %next = arith.addi %round, %c1 : i32
    scf.yield %changed, %next : i32, i32
  }
  return %r#1 : i32
}

// Steps towards the mean of four neighbours, until none is larger than 1: a select sets the flag, in a nest that leaves
// the border out. In a field of 0 with 64 in the middle, the first step makes 16 of its four neighbours; the second has
// 16 in the middle, and 4 and 8 elsewhere.
// test: run --entry=steps --arg=zeros[5x5] --arg=zeros[5x5] --arg=2
// expect: arg 0 = [0, 0, 0, 0, 0, 0, 8, 0, 8, 0, 0, 0, 16, 0, 0, 0, 8, 0, 8, 0, 0, 0, 0, 0, 0]
// expect: result 0 = 2
func.func @steps(%u: memref<?x?xi32>, %w: memref<?x?xi32>, %limit: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %start = arith.constant 64 : i32
  %n = memref.dim %u, %c0 : memref<?x?xi32>
  affine.store %start, %u[2, 2] : memref<?x?xi32>
  %r:2 = scf.while (%again = %one, %round = %none) : (i32, i32) -> (i32, i32) {
    %goes = arith.cmpi ne, %again, %none : i32
    %is_less = arith.cmpi slt, %round, %limit : i32
    %both = arith.andi %goes, %is_less : i1
    scf.condition(%both) %again, %round : i32, i32
  } do {
  ^bb0(%again: i32, %round: i32):
    %changed = affine.for %i = 1 to affine_map<(d0) -> (d0 - 1)>(%n) iter_args(%f = %none) -> i32 {
      %of_row = affine.for %j = 1 to affine_map<(d0) -> (d0 - 1)>(%n) iter_args(%g = %f) -> i32 {
        %a = affine.load %u[%i - 1, %j] : memref<?x?xi32>
        %b = affine.load %u[%i + 1, %j] : memref<?x?xi32>
        %c = affine.load %u[%i, %j - 1] : memref<?x?xi32>
        %d = affine.load %u[%i, %j + 1] : memref<?x?xi32>
        %o = affine.load %u[%i, %j] : memref<?x?xi32>
        %ab = arith.addi %a, %b : i32
        %cd = arith.addi %c, %d : i32
        %sum = arith.addi %ab, %cd : i32
        %mean = arith.shrsi %sum, %two : i32
        affine.store %mean, %w[%i, %j] : memref<?x?xi32>
        %differs = arith.cmpi ne, %mean, %o : i32
        %h = scf.if %differs -> i32 {
          scf.yield %one : i32
        } else {
          scf.yield %g : i32
        }
        affine.yield %h : i32
      }
      affine.yield %of_row : i32
    }
    affine.for %i = 1 to affine_map<(d0) -> (d0 - 1)>(%n) {
      affine.for %j = 1 to affine_map<(d0) -> (d0 - 1)>(%n) {
        %v = affine.load %w[%i, %j] : memref<?x?xi32>
        affine.store %v, %u[%i, %j] : memref<?x?xi32>
      }
    }
    %next = arith.addi %round, %one : i32
    scf.yield %changed, %next : i32, i32
  }
  return %r#1 : i32
}
