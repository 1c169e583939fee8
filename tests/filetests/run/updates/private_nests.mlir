// Updates in nests: groups of threads share an outer loop, the threads of a group an inner one. Keys are (3 i + j) mod 7;
// counts are from a program of these loops in Python.
// test: run --entry=of_known_sizes --arg=zeros
// expect: arg 0 = [9897, 9896, 9897, 9898, 9897, 9896, 9897]
// test: run --entry=of_open_sizes --arg=zeros --arg=67 --arg=69
// expect: arg 0 = [661, 660, 660, 661, 661, 660, 660]
// test: run --entry=of_open_sizes --arg=iota --arg=0 --arg=69
// expect: arg 0 = [0, 1, 2, 3, 4, 5, 6]
// test: run --entry=of_open_sizes --arg=iota --arg=3 --arg=2
// expect: arg 0 = [2, 2, 2, 4, 5, 5, 7]
// test: run --entry=below_the_diagonal --arg=zeros
// expect: arg 0 = [1431, 1430, 1430, 1430, 1430, 1430, 1430]
// test: run --entry=of_three_loops --arg=iota
// expect: arg 0 = [2109, 2110, 2111, 2112, 2113, 2114, 2115]
// test: run --map-for=gpu --entry=of_known_sizes --arg=zeros
// expect: arg 0 = [9897, 9896, 9897, 9898, 9897, 9896, 9897]
// test: run --map-for=gpu --entry=of_open_sizes --arg=zeros --arg=67 --arg=69
// expect: arg 0 = [661, 660, 660, 661, 661, 660, 660]
// test: run --map-for=gpu --entry=of_open_sizes --arg=iota --arg=0 --arg=69
// expect: arg 0 = [0, 1, 2, 3, 4, 5, 6]
// test: run --map-for=gpu --entry=of_open_sizes --arg=iota --arg=3 --arg=2
// expect: arg 0 = [2, 2, 2, 4, 5, 5, 7]
// test: run --map-for=gpu --entry=below_the_diagonal --arg=zeros
// expect: arg 0 = [1431, 1430, 1430, 1430, 1430, 1430, 1430]
// test: run --map-for=gpu --entry=of_three_loops --arg=iota
// expect: arg 0 = [2109, 2110, 2111, 2112, 2113, 2114, 2115]
func.func @of_known_sizes(%h: memref<7xi32>) {
  %one = arith.constant 1 : i32
  %keys = memref.alloc() : memref<67x1034xindex>
  affine.for %i = 0 to 67 {
    affine.for %j = 0 to 1034 {
      %k = affine.apply affine_map<(d0, d1) -> ((d0 * 3 + d1) mod 7)>(%i, %j)
      affine.store %k, %keys[%i, %j] : memref<67x1034xindex>
    }
  }
  affine.for %i = 0 to 67 {
    affine.for %j = 0 to 1034 {
      %k = affine.load %keys[%i, %j] : memref<67x1034xindex>
      %x = memref.load %h[%k] : memref<7xi32>
      %y = arith.addi %x, %one : i32
      memref.store %y, %h[%k] : memref<7xi32>
    }
  }
  memref.dealloc %keys : memref<67x1034xindex>
  return
}
func.func @of_open_sizes(%h: memref<7xi32>, %n: index, %m: index) {
  %one = arith.constant 1 : i32
  %keys = memref.alloc(%n, %m) : memref<?x?xindex>
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %m {
      %k = affine.apply affine_map<(d0, d1) -> ((d0 * 3 + d1) mod 7)>(%i, %j)
      affine.store %k, %keys[%i, %j] : memref<?x?xindex>
    }
  }
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %m {
      %k = affine.load %keys[%i, %j] : memref<?x?xindex>
      %x = memref.load %h[%k] : memref<7xi32>
      %y = arith.addi %x, %one : i32
      memref.store %y, %h[%k] : memref<7xi32>
    }
  }
  memref.dealloc %keys : memref<?x?xindex>
  return
}
func.func @below_the_diagonal(%h: memref<7xi32>) {
  %one = arith.constant 1 : i32
  %keys = memref.alloc() : memref<141x141xindex>
  affine.for %i = 0 to 141 {
    affine.for %j = 0 to affine_map<(d0) -> (d0 + 1)>(%i) {
      %k = affine.apply affine_map<(d0, d1) -> ((d0 * 3 + d1) mod 7)>(%i, %j)
      affine.store %k, %keys[%i, %j] : memref<141x141xindex>
    }
  }
  affine.for %i = 0 to 141 {
    affine.for %j = 0 to affine_map<(d0) -> (d0 + 1)>(%i) {
      %k = affine.load %keys[%i, %j] : memref<141x141xindex>
      %x = memref.load %h[%k] : memref<7xi32>
      %y = arith.addi %x, %one : i32
      memref.store %y, %h[%k] : memref<7xi32>
    }
  }
  memref.dealloc %keys : memref<141x141xindex>
  return
}
func.func @of_three_loops(%h: memref<7xi32>) {
  %one = arith.constant 1 : i32
  %keys = memref.alloc() : memref<3x37x133xindex>
  affine.for %b = 0 to 3 {
    affine.for %i = 0 to 37 {
      affine.for %j = 0 to 133 {
        %k = affine.apply affine_map<(d0, d1, d2) -> ((d0 + d1 * 3 + d2) mod 7)>(%b, %i, %j)
        affine.store %k, %keys[%b, %i, %j] : memref<3x37x133xindex>
      }
    }
  }
  affine.for %b = 0 to 3 {
    affine.for %i = 0 to 37 {
      affine.for %j = 0 to 133 {
        %k = affine.load %keys[%b, %i, %j] : memref<3x37x133xindex>
        %x = memref.load %h[%k] : memref<7xi32>
        %y = arith.addi %x, %one : i32
        memref.store %y, %h[%k] : memref<7xi32>
      }
    }
  }
  memref.dealloc %keys : memref<3x37x133xindex>
  return
}
