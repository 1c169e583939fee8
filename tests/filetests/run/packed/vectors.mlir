// Vectors of packed elements at every place in a word, known or not: y[lane] of each is x[place + lane].
//
// test: run --entry=i8_2_known --arg=iota --arg=zeros --arg=ones
// expect: arg 1 = [0, 1, 1, 2, 2, 3, 3, 4]
// test: run --entry=i8_2_open --arg=iota --arg=zeros --arg=ones
// expect: arg 1 = [1, 2, 2, 3, 3, 4, 4, 5]
// test: run --entry=i8_3_known --arg=iota --arg=zeros --arg=ones
// expect: arg 1 = [0, 1, 2, 1, 2, 3, 2, 3, 4, 3, 4, 5]
// test: run --entry=i8_3_open --arg=iota --arg=zeros --arg=ones
// expect: arg 1 = [1, 2, 3, 2, 3, 4, 3, 4, 5, 4, 5, 6]
// test: run --entry=i8_4_known --arg=iota --arg=zeros --arg=ones
// expect: arg 1 = [0, 1, 2, 3, 1, 2, 3, 4, 2, 3, 4, 5, 3, 4, 5, 6]
// test: run --entry=i8_4_open --arg=iota --arg=zeros --arg=ones
// expect: arg 1 = [1, 2, 3, 4, 2, 3, 4, 5, 3, 4, 5, 6, 4, 5, 6, 7]
// test: run --entry=i16_2_known --arg=iota --arg=zeros --arg=ones
// expect: arg 1 = [0, 1, 1, 2, 2, 3, 3, 4]
// test: run --entry=i16_2_open --arg=iota --arg=zeros --arg=ones
// expect: arg 1 = [1, 2, 2, 3, 3, 4, 4, 5]
// test: run --entry=i16_3_known --arg=iota --arg=zeros --arg=ones
// expect: arg 1 = [0, 1, 2, 1, 2, 3, 2, 3, 4, 3, 4, 5]
// test: run --entry=i16_3_open --arg=iota --arg=zeros --arg=ones
// expect: arg 1 = [1, 2, 3, 2, 3, 4, 3, 4, 5, 4, 5, 6]
// test: run --entry=i16_4_known --arg=iota --arg=zeros --arg=ones
// expect: arg 1 = [0, 1, 2, 3, 1, 2, 3, 4, 2, 3, 4, 5, 3, 4, 5, 6]
// test: run --entry=i16_4_open --arg=iota --arg=zeros --arg=ones
// expect: arg 1 = [1, 2, 3, 4, 2, 3, 4, 5, 3, 4, 5, 6, 4, 5, 6, 7]
// test: run --entry=f16_2_known --arg=iota --arg=zeros --arg=ones
// expect: arg 1 = [0, 1, 1, 2, 2, 3, 3, 4]
// test: run --entry=f16_2_open --arg=iota --arg=zeros --arg=ones
// expect: arg 1 = [1, 2, 2, 3, 3, 4, 4, 5]
// test: run --entry=f16_3_known --arg=iota --arg=zeros --arg=ones
// expect: arg 1 = [0, 1, 2, 1, 2, 3, 2, 3, 4, 3, 4, 5]
// test: run --entry=f16_3_open --arg=iota --arg=zeros --arg=ones
// expect: arg 1 = [1, 2, 3, 2, 3, 4, 3, 4, 5, 4, 5, 6]
// test: run --entry=f16_4_known --arg=iota --arg=zeros --arg=ones
// expect: arg 1 = [0, 1, 2, 3, 1, 2, 3, 4, 2, 3, 4, 5, 3, 4, 5, 6]
// test: run --entry=f16_4_open --arg=iota --arg=zeros --arg=ones
// expect: arg 1 = [1, 2, 3, 4, 2, 3, 4, 5, 3, 4, 5, 6, 4, 5, 6, 7]
func.func @i8_2_known(%x: memref<5xi8>, %y: memref<8xi8>, %p: memref<1xi32>) {
  %one = arith.constant 1 : index
  %zero = arith.constant 0 : index
  %read = memref.load %p[%zero] : memref<1xi32>
  %open = arith.index_cast %read : i32 to index
  %c0 = arith.constant 0 : index
  %t0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t1 = arith.constant 2 : index
  %c2 = arith.constant 2 : index
  %t2 = arith.constant 4 : index
  %c3 = arith.constant 3 : index
  %t3 = arith.constant 6 : index
  gpu.launch blocks(%bx, %by, %bz) in (%nx = %one, %ny = %one, %nz = %one)
             threads(%tx, %ty, %tz) in (%mx = %one, %my = %one, %mz = %one) {
    %v0 = vector.load %x[%c0] : memref<5xi8>, vector<2xi8>
    vector.store %v0, %y[%t0] : memref<8xi8>, vector<2xi8>
    %v1 = vector.load %x[%c1] : memref<5xi8>, vector<2xi8>
    vector.store %v1, %y[%t1] : memref<8xi8>, vector<2xi8>
    %v2 = vector.load %x[%c2] : memref<5xi8>, vector<2xi8>
    vector.store %v2, %y[%t2] : memref<8xi8>, vector<2xi8>
    %v3 = vector.load %x[%c3] : memref<5xi8>, vector<2xi8>
    vector.store %v3, %y[%t3] : memref<8xi8>, vector<2xi8>
    gpu.terminator
  }
  return
}

func.func @i8_2_open(%x: memref<6xi8>, %y: memref<8xi8>, %p: memref<1xi32>) {
  %one = arith.constant 1 : index
  %zero = arith.constant 0 : index
  %read = memref.load %p[%zero] : memref<1xi32>
  %open = arith.index_cast %read : i32 to index
  %c0 = arith.constant 0 : index
  %t0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t1 = arith.constant 2 : index
  %c2 = arith.constant 2 : index
  %t2 = arith.constant 4 : index
  %c3 = arith.constant 3 : index
  %t3 = arith.constant 6 : index
  gpu.launch blocks(%bx, %by, %bz) in (%nx = %one, %ny = %one, %nz = %one)
             threads(%tx, %ty, %tz) in (%mx = %one, %my = %one, %mz = %one) {
    %o0 = arith.addi %open, %c0 : index
    %v0 = vector.load %x[%o0] : memref<6xi8>, vector<2xi8>
    vector.store %v0, %y[%t0] : memref<8xi8>, vector<2xi8>
    %o1 = arith.addi %open, %c1 : index
    %v1 = vector.load %x[%o1] : memref<6xi8>, vector<2xi8>
    vector.store %v1, %y[%t1] : memref<8xi8>, vector<2xi8>
    %o2 = arith.addi %open, %c2 : index
    %v2 = vector.load %x[%o2] : memref<6xi8>, vector<2xi8>
    vector.store %v2, %y[%t2] : memref<8xi8>, vector<2xi8>
    %o3 = arith.addi %open, %c3 : index
    %v3 = vector.load %x[%o3] : memref<6xi8>, vector<2xi8>
    vector.store %v3, %y[%t3] : memref<8xi8>, vector<2xi8>
    gpu.terminator
  }
  return
}

func.func @i8_3_known(%x: memref<6xi8>, %y: memref<12xi8>, %p: memref<1xi32>) {
  %one = arith.constant 1 : index
  %zero = arith.constant 0 : index
  %read = memref.load %p[%zero] : memref<1xi32>
  %open = arith.index_cast %read : i32 to index
  %c0 = arith.constant 0 : index
  %t0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t1 = arith.constant 3 : index
  %c2 = arith.constant 2 : index
  %t2 = arith.constant 6 : index
  %c3 = arith.constant 3 : index
  %t3 = arith.constant 9 : index
  gpu.launch blocks(%bx, %by, %bz) in (%nx = %one, %ny = %one, %nz = %one)
             threads(%tx, %ty, %tz) in (%mx = %one, %my = %one, %mz = %one) {
    %v0 = vector.load %x[%c0] : memref<6xi8>, vector<3xi8>
    vector.store %v0, %y[%t0] : memref<12xi8>, vector<3xi8>
    %v1 = vector.load %x[%c1] : memref<6xi8>, vector<3xi8>
    vector.store %v1, %y[%t1] : memref<12xi8>, vector<3xi8>
    %v2 = vector.load %x[%c2] : memref<6xi8>, vector<3xi8>
    vector.store %v2, %y[%t2] : memref<12xi8>, vector<3xi8>
    %v3 = vector.load %x[%c3] : memref<6xi8>, vector<3xi8>
    vector.store %v3, %y[%t3] : memref<12xi8>, vector<3xi8>
    gpu.terminator
  }
  return
}

func.func @i8_3_open(%x: memref<7xi8>, %y: memref<12xi8>, %p: memref<1xi32>) {
  %one = arith.constant 1 : index
  %zero = arith.constant 0 : index
  %read = memref.load %p[%zero] : memref<1xi32>
  %open = arith.index_cast %read : i32 to index
  %c0 = arith.constant 0 : index
  %t0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t1 = arith.constant 3 : index
  %c2 = arith.constant 2 : index
  %t2 = arith.constant 6 : index
  %c3 = arith.constant 3 : index
  %t3 = arith.constant 9 : index
  gpu.launch blocks(%bx, %by, %bz) in (%nx = %one, %ny = %one, %nz = %one)
             threads(%tx, %ty, %tz) in (%mx = %one, %my = %one, %mz = %one) {
    %o0 = arith.addi %open, %c0 : index
    %v0 = vector.load %x[%o0] : memref<7xi8>, vector<3xi8>
    vector.store %v0, %y[%t0] : memref<12xi8>, vector<3xi8>
    %o1 = arith.addi %open, %c1 : index
    %v1 = vector.load %x[%o1] : memref<7xi8>, vector<3xi8>
    vector.store %v1, %y[%t1] : memref<12xi8>, vector<3xi8>
    %o2 = arith.addi %open, %c2 : index
    %v2 = vector.load %x[%o2] : memref<7xi8>, vector<3xi8>
    vector.store %v2, %y[%t2] : memref<12xi8>, vector<3xi8>
    %o3 = arith.addi %open, %c3 : index
    %v3 = vector.load %x[%o3] : memref<7xi8>, vector<3xi8>
    vector.store %v3, %y[%t3] : memref<12xi8>, vector<3xi8>
    gpu.terminator
  }
  return
}

func.func @i8_4_known(%x: memref<7xi8>, %y: memref<16xi8>, %p: memref<1xi32>) {
  %one = arith.constant 1 : index
  %zero = arith.constant 0 : index
  %read = memref.load %p[%zero] : memref<1xi32>
  %open = arith.index_cast %read : i32 to index
  %c0 = arith.constant 0 : index
  %t0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t1 = arith.constant 4 : index
  %c2 = arith.constant 2 : index
  %t2 = arith.constant 8 : index
  %c3 = arith.constant 3 : index
  %t3 = arith.constant 12 : index
  gpu.launch blocks(%bx, %by, %bz) in (%nx = %one, %ny = %one, %nz = %one)
             threads(%tx, %ty, %tz) in (%mx = %one, %my = %one, %mz = %one) {
    %v0 = vector.load %x[%c0] : memref<7xi8>, vector<4xi8>
    vector.store %v0, %y[%t0] : memref<16xi8>, vector<4xi8>
    %v1 = vector.load %x[%c1] : memref<7xi8>, vector<4xi8>
    vector.store %v1, %y[%t1] : memref<16xi8>, vector<4xi8>
    %v2 = vector.load %x[%c2] : memref<7xi8>, vector<4xi8>
    vector.store %v2, %y[%t2] : memref<16xi8>, vector<4xi8>
    %v3 = vector.load %x[%c3] : memref<7xi8>, vector<4xi8>
    vector.store %v3, %y[%t3] : memref<16xi8>, vector<4xi8>
    gpu.terminator
  }
  return
}

func.func @i8_4_open(%x: memref<8xi8>, %y: memref<16xi8>, %p: memref<1xi32>) {
  %one = arith.constant 1 : index
  %zero = arith.constant 0 : index
  %read = memref.load %p[%zero] : memref<1xi32>
  %open = arith.index_cast %read : i32 to index
  %c0 = arith.constant 0 : index
  %t0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t1 = arith.constant 4 : index
  %c2 = arith.constant 2 : index
  %t2 = arith.constant 8 : index
  %c3 = arith.constant 3 : index
  %t3 = arith.constant 12 : index
  gpu.launch blocks(%bx, %by, %bz) in (%nx = %one, %ny = %one, %nz = %one)
             threads(%tx, %ty, %tz) in (%mx = %one, %my = %one, %mz = %one) {
    %o0 = arith.addi %open, %c0 : index
    %v0 = vector.load %x[%o0] : memref<8xi8>, vector<4xi8>
    vector.store %v0, %y[%t0] : memref<16xi8>, vector<4xi8>
    %o1 = arith.addi %open, %c1 : index
    %v1 = vector.load %x[%o1] : memref<8xi8>, vector<4xi8>
    vector.store %v1, %y[%t1] : memref<16xi8>, vector<4xi8>
    %o2 = arith.addi %open, %c2 : index
    %v2 = vector.load %x[%o2] : memref<8xi8>, vector<4xi8>
    vector.store %v2, %y[%t2] : memref<16xi8>, vector<4xi8>
    %o3 = arith.addi %open, %c3 : index
    %v3 = vector.load %x[%o3] : memref<8xi8>, vector<4xi8>
    vector.store %v3, %y[%t3] : memref<16xi8>, vector<4xi8>
    gpu.terminator
  }
  return
}

func.func @i16_2_known(%x: memref<5xi16>, %y: memref<8xi16>, %p: memref<1xi32>) {
  %one = arith.constant 1 : index
  %zero = arith.constant 0 : index
  %read = memref.load %p[%zero] : memref<1xi32>
  %open = arith.index_cast %read : i32 to index
  %c0 = arith.constant 0 : index
  %t0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t1 = arith.constant 2 : index
  %c2 = arith.constant 2 : index
  %t2 = arith.constant 4 : index
  %c3 = arith.constant 3 : index
  %t3 = arith.constant 6 : index
  gpu.launch blocks(%bx, %by, %bz) in (%nx = %one, %ny = %one, %nz = %one)
             threads(%tx, %ty, %tz) in (%mx = %one, %my = %one, %mz = %one) {
    %v0 = vector.load %x[%c0] : memref<5xi16>, vector<2xi16>
    vector.store %v0, %y[%t0] : memref<8xi16>, vector<2xi16>
    %v1 = vector.load %x[%c1] : memref<5xi16>, vector<2xi16>
    vector.store %v1, %y[%t1] : memref<8xi16>, vector<2xi16>
    %v2 = vector.load %x[%c2] : memref<5xi16>, vector<2xi16>
    vector.store %v2, %y[%t2] : memref<8xi16>, vector<2xi16>
    %v3 = vector.load %x[%c3] : memref<5xi16>, vector<2xi16>
    vector.store %v3, %y[%t3] : memref<8xi16>, vector<2xi16>
    gpu.terminator
  }
  return
}

func.func @i16_2_open(%x: memref<6xi16>, %y: memref<8xi16>, %p: memref<1xi32>) {
  %one = arith.constant 1 : index
  %zero = arith.constant 0 : index
  %read = memref.load %p[%zero] : memref<1xi32>
  %open = arith.index_cast %read : i32 to index
  %c0 = arith.constant 0 : index
  %t0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t1 = arith.constant 2 : index
  %c2 = arith.constant 2 : index
  %t2 = arith.constant 4 : index
  %c3 = arith.constant 3 : index
  %t3 = arith.constant 6 : index
  gpu.launch blocks(%bx, %by, %bz) in (%nx = %one, %ny = %one, %nz = %one)
             threads(%tx, %ty, %tz) in (%mx = %one, %my = %one, %mz = %one) {
    %o0 = arith.addi %open, %c0 : index
    %v0 = vector.load %x[%o0] : memref<6xi16>, vector<2xi16>
    vector.store %v0, %y[%t0] : memref<8xi16>, vector<2xi16>
    %o1 = arith.addi %open, %c1 : index
    %v1 = vector.load %x[%o1] : memref<6xi16>, vector<2xi16>
    vector.store %v1, %y[%t1] : memref<8xi16>, vector<2xi16>
    %o2 = arith.addi %open, %c2 : index
    %v2 = vector.load %x[%o2] : memref<6xi16>, vector<2xi16>
    vector.store %v2, %y[%t2] : memref<8xi16>, vector<2xi16>
    %o3 = arith.addi %open, %c3 : index
    %v3 = vector.load %x[%o3] : memref<6xi16>, vector<2xi16>
    vector.store %v3, %y[%t3] : memref<8xi16>, vector<2xi16>
    gpu.terminator
  }
  return
}

func.func @i16_3_known(%x: memref<6xi16>, %y: memref<12xi16>, %p: memref<1xi32>) {
  %one = arith.constant 1 : index
  %zero = arith.constant 0 : index
  %read = memref.load %p[%zero] : memref<1xi32>
  %open = arith.index_cast %read : i32 to index
  %c0 = arith.constant 0 : index
  %t0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t1 = arith.constant 3 : index
  %c2 = arith.constant 2 : index
  %t2 = arith.constant 6 : index
  %c3 = arith.constant 3 : index
  %t3 = arith.constant 9 : index
  gpu.launch blocks(%bx, %by, %bz) in (%nx = %one, %ny = %one, %nz = %one)
             threads(%tx, %ty, %tz) in (%mx = %one, %my = %one, %mz = %one) {
    %v0 = vector.load %x[%c0] : memref<6xi16>, vector<3xi16>
    vector.store %v0, %y[%t0] : memref<12xi16>, vector<3xi16>
    %v1 = vector.load %x[%c1] : memref<6xi16>, vector<3xi16>
    vector.store %v1, %y[%t1] : memref<12xi16>, vector<3xi16>
    %v2 = vector.load %x[%c2] : memref<6xi16>, vector<3xi16>
    vector.store %v2, %y[%t2] : memref<12xi16>, vector<3xi16>
    %v3 = vector.load %x[%c3] : memref<6xi16>, vector<3xi16>
    vector.store %v3, %y[%t3] : memref<12xi16>, vector<3xi16>
    gpu.terminator
  }
  return
}

func.func @i16_3_open(%x: memref<7xi16>, %y: memref<12xi16>, %p: memref<1xi32>) {
  %one = arith.constant 1 : index
  %zero = arith.constant 0 : index
  %read = memref.load %p[%zero] : memref<1xi32>
  %open = arith.index_cast %read : i32 to index
  %c0 = arith.constant 0 : index
  %t0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t1 = arith.constant 3 : index
  %c2 = arith.constant 2 : index
  %t2 = arith.constant 6 : index
  %c3 = arith.constant 3 : index
  %t3 = arith.constant 9 : index
  gpu.launch blocks(%bx, %by, %bz) in (%nx = %one, %ny = %one, %nz = %one)
             threads(%tx, %ty, %tz) in (%mx = %one, %my = %one, %mz = %one) {
    %o0 = arith.addi %open, %c0 : index
    %v0 = vector.load %x[%o0] : memref<7xi16>, vector<3xi16>
    vector.store %v0, %y[%t0] : memref<12xi16>, vector<3xi16>
    %o1 = arith.addi %open, %c1 : index
    %v1 = vector.load %x[%o1] : memref<7xi16>, vector<3xi16>
    vector.store %v1, %y[%t1] : memref<12xi16>, vector<3xi16>
    %o2 = arith.addi %open, %c2 : index
    %v2 = vector.load %x[%o2] : memref<7xi16>, vector<3xi16>
    vector.store %v2, %y[%t2] : memref<12xi16>, vector<3xi16>
    %o3 = arith.addi %open, %c3 : index
    %v3 = vector.load %x[%o3] : memref<7xi16>, vector<3xi16>
    vector.store %v3, %y[%t3] : memref<12xi16>, vector<3xi16>
    gpu.terminator
  }
  return
}

func.func @i16_4_known(%x: memref<7xi16>, %y: memref<16xi16>, %p: memref<1xi32>) {
  %one = arith.constant 1 : index
  %zero = arith.constant 0 : index
  %read = memref.load %p[%zero] : memref<1xi32>
  %open = arith.index_cast %read : i32 to index
  %c0 = arith.constant 0 : index
  %t0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t1 = arith.constant 4 : index
  %c2 = arith.constant 2 : index
  %t2 = arith.constant 8 : index
  %c3 = arith.constant 3 : index
  %t3 = arith.constant 12 : index
  gpu.launch blocks(%bx, %by, %bz) in (%nx = %one, %ny = %one, %nz = %one)
             threads(%tx, %ty, %tz) in (%mx = %one, %my = %one, %mz = %one) {
    %v0 = vector.load %x[%c0] : memref<7xi16>, vector<4xi16>
    vector.store %v0, %y[%t0] : memref<16xi16>, vector<4xi16>
    %v1 = vector.load %x[%c1] : memref<7xi16>, vector<4xi16>
    vector.store %v1, %y[%t1] : memref<16xi16>, vector<4xi16>
    %v2 = vector.load %x[%c2] : memref<7xi16>, vector<4xi16>
    vector.store %v2, %y[%t2] : memref<16xi16>, vector<4xi16>
    %v3 = vector.load %x[%c3] : memref<7xi16>, vector<4xi16>
    vector.store %v3, %y[%t3] : memref<16xi16>, vector<4xi16>
    gpu.terminator
  }
  return
}

func.func @i16_4_open(%x: memref<8xi16>, %y: memref<16xi16>, %p: memref<1xi32>) {
  %one = arith.constant 1 : index
  %zero = arith.constant 0 : index
  %read = memref.load %p[%zero] : memref<1xi32>
  %open = arith.index_cast %read : i32 to index
  %c0 = arith.constant 0 : index
  %t0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t1 = arith.constant 4 : index
  %c2 = arith.constant 2 : index
  %t2 = arith.constant 8 : index
  %c3 = arith.constant 3 : index
  %t3 = arith.constant 12 : index
  gpu.launch blocks(%bx, %by, %bz) in (%nx = %one, %ny = %one, %nz = %one)
             threads(%tx, %ty, %tz) in (%mx = %one, %my = %one, %mz = %one) {
    %o0 = arith.addi %open, %c0 : index
    %v0 = vector.load %x[%o0] : memref<8xi16>, vector<4xi16>
    vector.store %v0, %y[%t0] : memref<16xi16>, vector<4xi16>
    %o1 = arith.addi %open, %c1 : index
    %v1 = vector.load %x[%o1] : memref<8xi16>, vector<4xi16>
    vector.store %v1, %y[%t1] : memref<16xi16>, vector<4xi16>
    %o2 = arith.addi %open, %c2 : index
    %v2 = vector.load %x[%o2] : memref<8xi16>, vector<4xi16>
    vector.store %v2, %y[%t2] : memref<16xi16>, vector<4xi16>
    %o3 = arith.addi %open, %c3 : index
    %v3 = vector.load %x[%o3] : memref<8xi16>, vector<4xi16>
    vector.store %v3, %y[%t3] : memref<16xi16>, vector<4xi16>
    gpu.terminator
  }
  return
}

func.func @f16_2_known(%x: memref<5xf16>, %y: memref<8xf16>, %p: memref<1xi32>) {
  %one = arith.constant 1 : index
  %zero = arith.constant 0 : index
  %read = memref.load %p[%zero] : memref<1xi32>
  %open = arith.index_cast %read : i32 to index
  %c0 = arith.constant 0 : index
  %t0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t1 = arith.constant 2 : index
  %c2 = arith.constant 2 : index
  %t2 = arith.constant 4 : index
  %c3 = arith.constant 3 : index
  %t3 = arith.constant 6 : index
  gpu.launch blocks(%bx, %by, %bz) in (%nx = %one, %ny = %one, %nz = %one)
             threads(%tx, %ty, %tz) in (%mx = %one, %my = %one, %mz = %one) {
    %v0 = vector.load %x[%c0] : memref<5xf16>, vector<2xf16>
    vector.store %v0, %y[%t0] : memref<8xf16>, vector<2xf16>
    %v1 = vector.load %x[%c1] : memref<5xf16>, vector<2xf16>
    vector.store %v1, %y[%t1] : memref<8xf16>, vector<2xf16>
    %v2 = vector.load %x[%c2] : memref<5xf16>, vector<2xf16>
    vector.store %v2, %y[%t2] : memref<8xf16>, vector<2xf16>
    %v3 = vector.load %x[%c3] : memref<5xf16>, vector<2xf16>
    vector.store %v3, %y[%t3] : memref<8xf16>, vector<2xf16>
    gpu.terminator
  }
  return
}

func.func @f16_2_open(%x: memref<6xf16>, %y: memref<8xf16>, %p: memref<1xi32>) {
  %one = arith.constant 1 : index
  %zero = arith.constant 0 : index
  %read = memref.load %p[%zero] : memref<1xi32>
  %open = arith.index_cast %read : i32 to index
  %c0 = arith.constant 0 : index
  %t0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t1 = arith.constant 2 : index
  %c2 = arith.constant 2 : index
  %t2 = arith.constant 4 : index
  %c3 = arith.constant 3 : index
  %t3 = arith.constant 6 : index
  gpu.launch blocks(%bx, %by, %bz) in (%nx = %one, %ny = %one, %nz = %one)
             threads(%tx, %ty, %tz) in (%mx = %one, %my = %one, %mz = %one) {
    %o0 = arith.addi %open, %c0 : index
    %v0 = vector.load %x[%o0] : memref<6xf16>, vector<2xf16>
    vector.store %v0, %y[%t0] : memref<8xf16>, vector<2xf16>
    %o1 = arith.addi %open, %c1 : index
    %v1 = vector.load %x[%o1] : memref<6xf16>, vector<2xf16>
    vector.store %v1, %y[%t1] : memref<8xf16>, vector<2xf16>
    %o2 = arith.addi %open, %c2 : index
    %v2 = vector.load %x[%o2] : memref<6xf16>, vector<2xf16>
    vector.store %v2, %y[%t2] : memref<8xf16>, vector<2xf16>
    %o3 = arith.addi %open, %c3 : index
    %v3 = vector.load %x[%o3] : memref<6xf16>, vector<2xf16>
    vector.store %v3, %y[%t3] : memref<8xf16>, vector<2xf16>
    gpu.terminator
  }
  return
}

func.func @f16_3_known(%x: memref<6xf16>, %y: memref<12xf16>, %p: memref<1xi32>) {
  %one = arith.constant 1 : index
  %zero = arith.constant 0 : index
  %read = memref.load %p[%zero] : memref<1xi32>
  %open = arith.index_cast %read : i32 to index
  %c0 = arith.constant 0 : index
  %t0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t1 = arith.constant 3 : index
  %c2 = arith.constant 2 : index
  %t2 = arith.constant 6 : index
  %c3 = arith.constant 3 : index
  %t3 = arith.constant 9 : index
  gpu.launch blocks(%bx, %by, %bz) in (%nx = %one, %ny = %one, %nz = %one)
             threads(%tx, %ty, %tz) in (%mx = %one, %my = %one, %mz = %one) {
    %v0 = vector.load %x[%c0] : memref<6xf16>, vector<3xf16>
    vector.store %v0, %y[%t0] : memref<12xf16>, vector<3xf16>
    %v1 = vector.load %x[%c1] : memref<6xf16>, vector<3xf16>
    vector.store %v1, %y[%t1] : memref<12xf16>, vector<3xf16>
    %v2 = vector.load %x[%c2] : memref<6xf16>, vector<3xf16>
    vector.store %v2, %y[%t2] : memref<12xf16>, vector<3xf16>
    %v3 = vector.load %x[%c3] : memref<6xf16>, vector<3xf16>
    vector.store %v3, %y[%t3] : memref<12xf16>, vector<3xf16>
    gpu.terminator
  }
  return
}

func.func @f16_3_open(%x: memref<7xf16>, %y: memref<12xf16>, %p: memref<1xi32>) {
  %one = arith.constant 1 : index
  %zero = arith.constant 0 : index
  %read = memref.load %p[%zero] : memref<1xi32>
  %open = arith.index_cast %read : i32 to index
  %c0 = arith.constant 0 : index
  %t0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t1 = arith.constant 3 : index
  %c2 = arith.constant 2 : index
  %t2 = arith.constant 6 : index
  %c3 = arith.constant 3 : index
  %t3 = arith.constant 9 : index
  gpu.launch blocks(%bx, %by, %bz) in (%nx = %one, %ny = %one, %nz = %one)
             threads(%tx, %ty, %tz) in (%mx = %one, %my = %one, %mz = %one) {
    %o0 = arith.addi %open, %c0 : index
    %v0 = vector.load %x[%o0] : memref<7xf16>, vector<3xf16>
    vector.store %v0, %y[%t0] : memref<12xf16>, vector<3xf16>
    %o1 = arith.addi %open, %c1 : index
    %v1 = vector.load %x[%o1] : memref<7xf16>, vector<3xf16>
    vector.store %v1, %y[%t1] : memref<12xf16>, vector<3xf16>
    %o2 = arith.addi %open, %c2 : index
    %v2 = vector.load %x[%o2] : memref<7xf16>, vector<3xf16>
    vector.store %v2, %y[%t2] : memref<12xf16>, vector<3xf16>
    %o3 = arith.addi %open, %c3 : index
    %v3 = vector.load %x[%o3] : memref<7xf16>, vector<3xf16>
    vector.store %v3, %y[%t3] : memref<12xf16>, vector<3xf16>
    gpu.terminator
  }
  return
}

func.func @f16_4_known(%x: memref<7xf16>, %y: memref<16xf16>, %p: memref<1xi32>) {
  %one = arith.constant 1 : index
  %zero = arith.constant 0 : index
  %read = memref.load %p[%zero] : memref<1xi32>
  %open = arith.index_cast %read : i32 to index
  %c0 = arith.constant 0 : index
  %t0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t1 = arith.constant 4 : index
  %c2 = arith.constant 2 : index
  %t2 = arith.constant 8 : index
  %c3 = arith.constant 3 : index
  %t3 = arith.constant 12 : index
  gpu.launch blocks(%bx, %by, %bz) in (%nx = %one, %ny = %one, %nz = %one)
             threads(%tx, %ty, %tz) in (%mx = %one, %my = %one, %mz = %one) {
    %v0 = vector.load %x[%c0] : memref<7xf16>, vector<4xf16>
    vector.store %v0, %y[%t0] : memref<16xf16>, vector<4xf16>
    %v1 = vector.load %x[%c1] : memref<7xf16>, vector<4xf16>
    vector.store %v1, %y[%t1] : memref<16xf16>, vector<4xf16>
    %v2 = vector.load %x[%c2] : memref<7xf16>, vector<4xf16>
    vector.store %v2, %y[%t2] : memref<16xf16>, vector<4xf16>
    %v3 = vector.load %x[%c3] : memref<7xf16>, vector<4xf16>
    vector.store %v3, %y[%t3] : memref<16xf16>, vector<4xf16>
    gpu.terminator
  }
  return
}

func.func @f16_4_open(%x: memref<8xf16>, %y: memref<16xf16>, %p: memref<1xi32>) {
  %one = arith.constant 1 : index
  %zero = arith.constant 0 : index
  %read = memref.load %p[%zero] : memref<1xi32>
  %open = arith.index_cast %read : i32 to index
  %c0 = arith.constant 0 : index
  %t0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t1 = arith.constant 4 : index
  %c2 = arith.constant 2 : index
  %t2 = arith.constant 8 : index
  %c3 = arith.constant 3 : index
  %t3 = arith.constant 12 : index
  gpu.launch blocks(%bx, %by, %bz) in (%nx = %one, %ny = %one, %nz = %one)
             threads(%tx, %ty, %tz) in (%mx = %one, %my = %one, %mz = %one) {
    %o0 = arith.addi %open, %c0 : index
    %v0 = vector.load %x[%o0] : memref<8xf16>, vector<4xf16>
    vector.store %v0, %y[%t0] : memref<16xf16>, vector<4xf16>
    %o1 = arith.addi %open, %c1 : index
    %v1 = vector.load %x[%o1] : memref<8xf16>, vector<4xf16>
    vector.store %v1, %y[%t1] : memref<16xf16>, vector<4xf16>
    %o2 = arith.addi %open, %c2 : index
    %v2 = vector.load %x[%o2] : memref<8xf16>, vector<4xf16>
    vector.store %v2, %y[%t2] : memref<16xf16>, vector<4xf16>
    %o3 = arith.addi %open, %c3 : index
    %v3 = vector.load %x[%o3] : memref<8xf16>, vector<4xf16>
    vector.store %v3, %y[%t3] : memref<16xf16>, vector<4xf16>
    gpu.terminator
  }
  return
}
