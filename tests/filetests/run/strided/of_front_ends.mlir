// Stages of transforms, sorts and scans as front ends of C leave them: integers of 32 bits, steps that nothing bounds, bounds that
// depend on loops around. The values are those of the same loops in C.
// test: run --entry=walsh --arg=iota[16] --arg=16
// expect: arg 0 = [120, -8, -16, 0, -32, 0, 0, 0, -64, 0, 0, 0, 0, 0, 0, 0]
// test: run --entry=factors --arg=iota[16] --arg=iota[16] --arg=16 --arg=4
// expect: arg 0 = [0, 248, 128, -1016, 32, -488, -256, 1736, 0, -120, -96, 760, -32, 392, 224, -1512]
// test: run --entry=masks --arg=iota[16] --arg=16
// expect: arg 0 = [2880, -1536, -1632, 864, -1824, 960, 1008, -528, -2208, 1152, 1200, -624, 1296, -672, -696, 360]
// test: run --entry=gate --arg=iota[16] --arg=16 --arg=2
// expect: arg 0 = [8, 11, 14, 17, -4, -4, -4, -4, 32, 35, 38, 41, -4, -4, -4, -4]
// test: run --entry=subsets --arg=iota[16] --arg=16 --arg=4
// expect: arg 0 = [0, 1, 2, 6, 4, 10, 12, 28, 8, 18, 20, 44, 24, 52, 56, 120]
// test: run --entry=directions --arg=iota[16] --arg=16 --arg=4
// expect: arg 0 = [15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]
// test: run --entry=merges --arg=iota[13] --arg=zeros[13] --arg=13
// expect: arg 0 = [12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]
// test: run --entry=thirds --arg=iota[15] --arg=15
// expect: arg 0 = [2, 1, 0, 5, 4, 3, 8, 7, 6, 11, 10, 9, 14, 13, 12]

// Blocks in steps of 2 * h, of which nothing says that they are positive; the inner loop begins where its block does.
func.func @walsh(%a: memref<?xi32>, %n: i32) {
  %v1 = arith.index_cast %n : i32 to index
  %v2 = arith.constant 1 : i32
  %v4:1 = scf.while (%wh_2 = %v2) : (i32) -> (i32) {
    %v5 = arith.cmpi slt, %wh_2, %n : i32
    scf.condition(%v5) %wh_2 : i32
  } do {
  ^bb0(%xh_2: i32):
    %v6 = arith.constant 0 : i32
    %v8:1 = scf.while (%wi_6 = %v6) : (i32) -> (i32) {
      %v9 = arith.cmpi slt, %wi_6, %n : i32
      scf.condition(%v9) %wi_6 : i32
    } do {
    ^bb0(%xi_6: i32):
      %v12 = arith.index_cast %xi_6 : i32 to index
      %v13 = arith.addi %xi_6, %xh_2 : i32
      %v14 = arith.index_cast %v13 : i32 to index
      %v15 = arith.constant 1 : index
      scf.for %j9 = %v12 to %v14 step %v15 {
        %v16 = arith.index_cast %j9 : index to i32
        %v17 = memref.load %a[%j9] : memref<?xi32>
        %v18 = arith.addi %v16, %xh_2 : i32
        %v19 = arith.index_cast %v18 : i32 to index
        %v20 = memref.load %a[%v19] : memref<?xi32>
        %v21 = arith.addi %v17, %v20 : i32
        memref.store %v21, %a[%j9] : memref<?xi32>
        %v22 = arith.subi %v17, %v20 : i32
        %v23 = arith.addi %v16, %xh_2 : i32
        %v24 = arith.index_cast %v23 : i32 to index
        memref.store %v22, %a[%v24] : memref<?xi32>
      }
      %v25 = arith.constant 2 : i32
      %v26 = arith.muli %xh_2, %v25 : i32
      %v27 = arith.addi %xi_6, %v26 : i32
      scf.yield %v27 : i32
    }
    %v28 = arith.constant 2 : i32
    %v29 = arith.muli %xh_2, %v28 : i32
    scf.yield %v29 : i32
  }
  return
}

// The place in a block outside, the blocks inside: iterations of the outer loop are one element apart.
func.func @factors(%a: memref<?xi32>, %w: memref<?xi32>, %n: i32, %lg: i32) {
  %v3 = memref.alloca() : memref<i32>
  %v7 = memref.alloca() : memref<i32>
  %v11 = memref.alloca() : memref<i32>
  %v15 = memref.alloca() : memref<i32>
  %v20 = memref.alloca() : memref<i32>
  %v27 = memref.alloca() : memref<i32>
  %v31 = memref.alloca() : memref<i32>
  %v39 = memref.alloca() : memref<i32>
  %v1 = arith.index_cast %n : i32 to index
  %v2 = arith.index_cast %lg : i32 to index
  %v4 = arith.constant 1 : i32
  memref.store %v4, %v3[] : memref<i32>
  cf.br ^b1
^b1:
  %v5 = memref.load %v3[] : memref<i32>
  %v6 = arith.cmpi sle, %v5, %lg : i32
  cf.cond_br %v6, ^b2, ^b3
^b2:
  %v8 = arith.constant 1 : i32
  %v9 = memref.load %v3[] : memref<i32>
  %v10 = arith.shli %v8, %v9 : i32
  memref.store %v10, %v7[] : memref<i32>
  %v12 = memref.load %v7[] : memref<i32>
  %v13 = arith.constant 1 : i32
  %v14 = arith.shrsi %v12, %v13 : i32
  memref.store %v14, %v11[] : memref<i32>
  %v16 = arith.constant 0 : i32
  memref.store %v16, %v15[] : memref<i32>
  cf.br ^b5
^b5:
  %v17 = memref.load %v15[] : memref<i32>
  %v18 = memref.load %v11[] : memref<i32>
  %v19 = arith.cmpi slt, %v17, %v18 : i32
  cf.cond_br %v19, ^b6, ^b7
^b6:
  %v21 = memref.load %v15[] : memref<i32>
  %v22 = memref.load %v3[] : memref<i32>
  %v23 = arith.shrsi %n, %v22 : i32
  %v24 = arith.muli %v21, %v23 : i32
  %v25 = arith.index_cast %v24 : i32 to index
  %v26 = memref.load %w[%v25] : memref<?xi32>
  memref.store %v26, %v20[] : memref<i32>
  %v28 = memref.load %v15[] : memref<i32>
  memref.store %v28, %v27[] : memref<i32>
  cf.br ^b9
^b9:
  %v29 = memref.load %v27[] : memref<i32>
  %v30 = arith.cmpi slt, %v29, %n : i32
  cf.cond_br %v30, ^b10, ^b11
^b10:
  %v32 = memref.load %v27[] : memref<i32>
  %v33 = memref.load %v11[] : memref<i32>
  %v34 = arith.addi %v32, %v33 : i32
  %v35 = arith.index_cast %v34 : i32 to index
  %v36 = memref.load %a[%v35] : memref<?xi32>
  %v37 = memref.load %v20[] : memref<i32>
  %v38 = arith.muli %v36, %v37 : i32
  memref.store %v38, %v31[] : memref<i32>
  %v40 = memref.load %v27[] : memref<i32>
  %v41 = arith.index_cast %v40 : i32 to index
  %v42 = memref.load %a[%v41] : memref<?xi32>
  memref.store %v42, %v39[] : memref<i32>
  %v43 = memref.load %v39[] : memref<i32>
  %v44 = memref.load %v31[] : memref<i32>
  %v45 = arith.addi %v43, %v44 : i32
  %v46 = memref.load %v27[] : memref<i32>
  %v47 = arith.index_cast %v46 : i32 to index
  memref.store %v45, %a[%v47] : memref<?xi32>
  %v48 = memref.load %v39[] : memref<i32>
  %v49 = memref.load %v31[] : memref<i32>
  %v50 = arith.subi %v48, %v49 : i32
  %v51 = memref.load %v27[] : memref<i32>
  %v52 = memref.load %v11[] : memref<i32>
  %v53 = arith.addi %v51, %v52 : i32
  %v54 = arith.index_cast %v53 : i32 to index
  memref.store %v50, %a[%v54] : memref<?xi32>
  cf.br ^b12
^b12:
  %v55 = memref.load %v27[] : memref<i32>
  %v56 = memref.load %v7[] : memref<i32>
  %v57 = arith.addi %v55, %v56 : i32
  memref.store %v57, %v27[] : memref<i32>
  cf.br ^b9
^b11:
  cf.br ^b8
^b8:
  %v58 = memref.load %v15[] : memref<i32>
  %v59 = arith.constant 1 : i32
  %v60 = arith.addi %v58, %v59 : i32
  memref.store %v60, %v15[] : memref<i32>
  cf.br ^b5
^b7:
  cf.br ^b4
^b4:
  %v61 = memref.load %v3[] : memref<i32>
  %v62 = arith.constant 1 : i32
  %v63 = arith.addi %v61, %v62 : i32
  memref.store %v63, %v3[] : memref<i32>
  cf.br ^b1
^b3:
  return
}

// The place in a block by a mask, the partner by its bit.
func.func @masks(%a: memref<?xi32>, %n: i32) {
  %v1 = arith.index_cast %n : i32 to index
  %v2 = arith.constant 1 : i32
  %v4:1 = scf.while (%wh_2 = %v2) : (i32) -> (i32) {
    %v5 = arith.cmpi slt, %wh_2, %n : i32
    scf.condition(%v5) %wh_2 : i32
  } do {
  ^bb0(%xh_2: i32):
    %v8 = arith.constant 0 : index
    %v9 = arith.constant 2 : i32
    %v10 = arith.divsi %n, %v9 : i32
    %v11 = arith.index_cast %v10 : i32 to index
    %v12 = arith.constant 1 : index
    scf.for %t5 = %v8 to %v11 step %v12 {
      %v13 = arith.index_cast %t5 : index to i32
      %v14 = arith.constant 1 : i32
      %v15 = arith.subi %xh_2, %v14 : i32
      %v16 = arith.andi %v13, %v15 : i32
      %v17 = arith.subi %v13, %v16 : i32
      %v18 = arith.constant 1 : i32
      %v19 = arith.shli %v17, %v18 : i32
      %v20 = arith.addi %v19, %v16 : i32
      %v21 = arith.ori %v20, %xh_2 : i32
      %v22 = arith.index_cast %v20 : i32 to index
      %v23 = memref.load %a[%v22] : memref<?xi32>
      %v24 = arith.index_cast %v21 : i32 to index
      %v25 = memref.load %a[%v24] : memref<?xi32>
      %v26 = arith.constant 3 : i32
      %v27 = arith.muli %v25, %v26 : i32
      %v28 = arith.addi %v23, %v27 : i32
      %v29 = arith.index_cast %v20 : i32 to index
      memref.store %v28, %a[%v29] : memref<?xi32>
      %v30 = arith.subi %v23, %v27 : i32
      %v31 = arith.index_cast %v21 : i32 to index
      memref.store %v30, %a[%v31] : memref<?xi32>
    }
    %v32 = arith.constant 1 : i32
    %v33 = arith.shli %xh_2, %v32 : i32
    scf.yield %v33 : i32
  }
  return
}

// A gate on the qubit of bit b of the state: a bit is put between the others.
func.func @gate(%a: memref<?xi32>, %n: i32, %b: i32) {
  %v1 = arith.index_cast %n : i32 to index
  %v2 = arith.index_cast %b : i32 to index
  %v3 = arith.constant 1 : i32
  %v4 = arith.shli %v3, %b : i32
  %v7 = arith.constant 0 : index
  %v8 = arith.constant 2 : i32
  %v9 = arith.divsi %n, %v8 : i32
  %v10 = arith.index_cast %v9 : i32 to index
  %v11 = arith.constant 1 : index
  scf.for %t4 = %v7 to %v10 step %v11 {
    %v12 = arith.index_cast %t4 : index to i32
    %v13 = arith.shrsi %v12, %b : i32
    %v14 = arith.constant 1 : i32
    %v15 = arith.addi %b, %v14 : i32
    %v16 = arith.shli %v13, %v15 : i32
    %v17 = arith.constant 1 : i32
    %v18 = arith.subi %v4, %v17 : i32
    %v19 = arith.andi %v12, %v18 : i32
    %v20 = arith.ori %v16, %v19 : i32
    %v21 = arith.ori %v20, %v4 : i32
    %v22 = arith.index_cast %v20 : i32 to index
    %v23 = memref.load %a[%v22] : memref<?xi32>
    %v24 = arith.index_cast %v21 : i32 to index
    %v25 = memref.load %a[%v24] : memref<?xi32>
    %v26 = arith.constant 2 : i32
    %v27 = arith.muli %v26, %v25 : i32
    %v28 = arith.addi %v23, %v27 : i32
    %v29 = arith.index_cast %v20 : i32 to index
    memref.store %v28, %a[%v29] : memref<?xi32>
    %v30 = arith.subi %v23, %v25 : i32
    %v31 = arith.index_cast %v21 : i32 to index
    memref.store %v30, %a[%v31] : memref<?xi32>
  }
  return
}

// Sums over all subsets: those with the bit read those without it.
func.func @subsets(%f: memref<?xi32>, %n: i32, %lg: i32) {
  %v3 = memref.alloca() : memref<i32>
  %v7 = memref.alloca() : memref<i32>
  %v1 = arith.index_cast %n : i32 to index
  %v2 = arith.index_cast %lg : i32 to index
  %v4 = arith.constant 0 : i32
  memref.store %v4, %v3[] : memref<i32>
  cf.br ^b1
^b1:
  %v5 = memref.load %v3[] : memref<i32>
  %v6 = arith.cmpi slt, %v5, %lg : i32
  cf.cond_br %v6, ^b2, ^b3
^b2:
  %v8 = arith.constant 0 : i32
  memref.store %v8, %v7[] : memref<i32>
  cf.br ^b5
^b5:
  %v9 = memref.load %v7[] : memref<i32>
  %v10 = arith.cmpi slt, %v9, %n : i32
  cf.cond_br %v10, ^b6, ^b7
^b6:
  %v11 = memref.load %v7[] : memref<i32>
  %v12 = arith.constant 1 : i32
  %v13 = memref.load %v3[] : memref<i32>
  %v14 = arith.shli %v12, %v13 : i32
  %v15 = arith.andi %v11, %v14 : i32
  %v16 = arith.constant 0 : i32
  %v17 = arith.cmpi ne, %v15, %v16 : i32
  cf.cond_br %v17, ^b9, ^b10
^b9:
  %v18 = memref.load %v7[] : memref<i32>
  %v19 = arith.index_cast %v18 : i32 to index
  %v20 = memref.load %f[%v19] : memref<?xi32>
  %v21 = memref.load %v7[] : memref<i32>
  %v22 = arith.constant 1 : i32
  %v23 = memref.load %v3[] : memref<i32>
  %v24 = arith.shli %v22, %v23 : i32
  %v25 = arith.xori %v21, %v24 : i32
  %v26 = arith.index_cast %v25 : i32 to index
  %v27 = memref.load %f[%v26] : memref<?xi32>
  %v28 = arith.addi %v20, %v27 : i32
  %v29 = memref.load %v7[] : memref<i32>
  %v30 = arith.index_cast %v29 : i32 to index
  memref.store %v28, %f[%v30] : memref<?xi32>
  cf.br ^b11
^b10:
  cf.br ^b11
^b11:
  cf.br ^b8
^b8:
  %v31 = memref.load %v7[] : memref<i32>
  %v32 = arith.constant 1 : i32
  %v33 = arith.addi %v31, %v32 : i32
  memref.store %v33, %v7[] : memref<i32>
  cf.br ^b5
^b7:
  cf.br ^b4
^b4:
  %v34 = memref.load %v3[] : memref<i32>
  %v35 = arith.constant 1 : i32
  %v36 = arith.addi %v34, %v35 : i32
  memref.store %v36, %v3[] : memref<i32>
  cf.br ^b1
^b3:
  return
}

// A bitonic sort whose choice of the iteration stands in one condition with the comparison of elements.
func.func @directions(%a: memref<?xi32>, %n: i32, %lg: i32) {
  %v1 = arith.index_cast %n : i32 to index
  %v2 = arith.index_cast %lg : i32 to index
  %v5 = arith.constant 0 : index
  %v6 = arith.constant 1 : index
  scf.for %s2 = %v5 to %v2 step %v6 {
    %v7 = arith.index_cast %s2 : index to i32
    %v10 = arith.constant 0 : index
    %v11 = arith.constant 1 : index
    %v12 = arith.addi %s2, %v11 : index
    %v13 = arith.constant 1 : index
    scf.for %p7 = %v10 to %v12 step %v13 {
      %v14 = arith.index_cast %p7 : index to i32
      %v15 = arith.constant 1 : i32
      %v16 = arith.subi %v7, %v14 : i32
      %v17 = arith.shli %v15, %v16 : i32
      %v20 = arith.constant 0 : index
      %v21 = arith.constant 1 : index
      scf.for %i17 = %v20 to %v1 step %v21 {
        %v22 = arith.index_cast %i17 : index to i32
        %v23 = arith.shrsi %v22, %v7 : i32
        %v24 = arith.constant 2 : i32
        %v25 = arith.andi %v23, %v24 : i32
        %v26 = arith.constant 0 : i32
        %v27 = arith.cmpi ne, %v25, %v26 : i32
        %v28 = arith.extui %v27 : i1 to i32
        %v29 = arith.andi %v22, %v17 : i32
        %v30 = arith.constant 0 : i32
        %v31 = arith.cmpi eq, %v29, %v30 : i32
        %v32 = scf.if %v31 -> (i1) {
          %v33 = memref.load %a[%i17] : memref<?xi32>
          %v34 = arith.ori %v22, %v17 : i32
          %v35 = arith.index_cast %v34 : i32 to index
          %v36 = memref.load %a[%v35] : memref<?xi32>
          %v37 = arith.cmpi sgt, %v33, %v36 : i32
          %v38 = arith.extui %v37 : i1 to i32
          %v39 = arith.cmpi eq, %v38, %v28 : i32
          scf.yield %v39 : i1
        } else {
          %v40 = arith.constant false
          scf.yield %v40 : i1
        }
        scf.if %v32 {
          %v42 = memref.load %a[%i17] : memref<?xi32>
          %v43 = arith.ori %v22, %v17 : i32
          %v44 = arith.index_cast %v43 : i32 to index
          %v45 = memref.load %a[%v44] : memref<?xi32>
          memref.store %v45, %a[%i17] : memref<?xi32>
          %v46 = arith.ori %v22, %v17 : i32
          %v47 = arith.index_cast %v46 : i32 to index
          memref.store %v42, %a[%v47] : memref<?xi32>
        }
      }
    }
  }
  return
}

// The merges of a sort from the bottom up: each iteration writes from its own begin to the least of two bounds.
func.func @merges(%a: memref<?xi32>, %b: memref<?xi32>, %n: i32) {
  %v1 = arith.index_cast %n : i32 to index
  %v2 = arith.constant 1 : i32
  %v4:1 = scf.while (%ww_2 = %v2) : (i32) -> (i32) {
    %v5 = arith.cmpi slt, %ww_2, %n : i32
    scf.condition(%v5) %ww_2 : i32
  } do {
  ^bb0(%xw_2: i32):
    %v6 = arith.constant 0 : i32
    %v8:1 = scf.while (%wi_6 = %v6) : (i32) -> (i32) {
      %v9 = arith.cmpi slt, %wi_6, %n : i32
      scf.condition(%v9) %wi_6 : i32
    } do {
    ^bb0(%xi_6: i32):
      %v10 = arith.addi %xi_6, %xw_2 : i32
      %v11 = arith.minsi %v10, %n : i32
      %v12 = arith.constant 2 : i32
      %v13 = arith.muli %v12, %xw_2 : i32
      %v14 = arith.addi %xi_6, %v13 : i32
      %v15 = arith.minsi %v14, %n : i32
      %v19 = arith.index_cast %xi_6 : i32 to index
      %v20 = arith.index_cast %v15 : i32 to index
      %v21 = arith.constant 1 : index
      %v18:2 = scf.for %q15 = %v19 to %v20 step %v21 iter_args(%l_16 = %xi_6, %r_16 = %v11) -> (i32, i32) {
        %v22 = arith.index_cast %q15 : index to i32
        %v23 = arith.cmpi slt, %l_16, %v11 : i32
        %v24 = scf.if %v23 -> (i1) {
          %v25 = arith.cmpi sge, %r_16, %v15 : i32
          %v26 = scf.if %v25 -> (i1) {
            %v27 = arith.constant true
            scf.yield %v27 : i1
          } else {
            %v28 = arith.index_cast %l_16 : i32 to index
            %v29 = memref.load %a[%v28] : memref<?xi32>
            %v30 = arith.index_cast %r_16 : i32 to index
            %v31 = memref.load %a[%v30] : memref<?xi32>
            %v32 = arith.cmpi sge, %v29, %v31 : i32
            scf.yield %v32 : i1
          }
          scf.yield %v26 : i1
        } else {
          %v33 = arith.constant false
          scf.yield %v33 : i1
        }
        %v34:2 = scf.if %v24 -> (i32, i32) {
          %v35 = arith.index_cast %l_16 : i32 to index
          %v36 = memref.load %a[%v35] : memref<?xi32>
          memref.store %v36, %b[%q15] : memref<?xi32>
          %v37 = arith.constant 1 : i32
          %v38 = arith.addi %l_16, %v37 : i32
          scf.yield %v38, %r_16 : i32, i32
        } else {
          %v39 = arith.index_cast %r_16 : i32 to index
          %v40 = memref.load %a[%v39] : memref<?xi32>
          memref.store %v40, %b[%q15] : memref<?xi32>
          %v41 = arith.constant 1 : i32
          %v42 = arith.addi %r_16, %v41 : i32
          scf.yield %l_16, %v42 : i32, i32
        }
        scf.yield %v34#0, %v34#1 : i32, i32
      }
      %v43 = arith.constant 2 : i32
      %v44 = arith.muli %v43, %xw_2 : i32
      %v45 = arith.addi %xi_6, %v44 : i32
      scf.yield %v45 : i32
    }
    %v48 = arith.constant 0 : index
    %v49 = arith.constant 1 : index
    scf.for %i45 = %v48 to %v1 step %v49 {
      %v50 = arith.index_cast %i45 : index to i32
      %v51 = memref.load %b[%i45] : memref<?xi32>
      memref.store %v51, %a[%i45] : memref<?xi32>
    }
    %v52 = arith.constant 2 : i32
    %v53 = arith.muli %v52, %xw_2 : i32
    scf.yield %v53 : i32
  }
  return
}

// Steps of three in integers whose last sum may wrap around.
func.func @thirds(%a: memref<?xi32>, %n: i32) {
  %v2 = memref.alloca() : memref<i32>
  %v6 = memref.alloca() : memref<i32>
  %v1 = arith.index_cast %n : i32 to index
  %v3 = arith.constant 0 : i32
  memref.store %v3, %v2[] : memref<i32>
  cf.br ^b1
^b1:
  %v4 = memref.load %v2[] : memref<i32>
  %v5 = arith.cmpi slt, %v4, %n : i32
  cf.cond_br %v5, ^b2, ^b3
^b2:
  %v7 = memref.load %v2[] : memref<i32>
  %v8 = arith.index_cast %v7 : i32 to index
  %v9 = memref.load %a[%v8] : memref<?xi32>
  memref.store %v9, %v6[] : memref<i32>
  %v10 = memref.load %v2[] : memref<i32>
  %v11 = arith.constant 2 : i32
  %v12 = arith.addi %v10, %v11 : i32
  %v13 = arith.index_cast %v12 : i32 to index
  %v14 = memref.load %a[%v13] : memref<?xi32>
  %v15 = memref.load %v2[] : memref<i32>
  %v16 = arith.index_cast %v15 : i32 to index
  memref.store %v14, %a[%v16] : memref<?xi32>
  %v17 = memref.load %v6[] : memref<i32>
  %v18 = memref.load %v2[] : memref<i32>
  %v19 = arith.constant 2 : i32
  %v20 = arith.addi %v18, %v19 : i32
  %v21 = arith.index_cast %v20 : i32 to index
  memref.store %v17, %a[%v21] : memref<?xi32>
  cf.br ^b4
^b4:
  %v22 = memref.load %v2[] : memref<i32>
  %v23 = arith.constant 3 : i32
  %v24 = arith.addi %v22, %v23 : i32
  memref.store %v24, %v2[] : memref<i32>
  cf.br ^b1
^b3:
  return
}
