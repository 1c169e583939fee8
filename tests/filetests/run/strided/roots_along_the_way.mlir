// An FFT in integers that computes the powers of each stage's root along the way, as textbooks do: they are computed once in front of the
// blocks, which are a kernel then. The values are those of the same loops in C.
// test: run --entry=structured --arg=iota[16] --arg=iota[16] --arg=16
// expect: arg 0 = [120, -30, -40, 54, -32, 10, 24, -42, -64, 0, 0, 0, 0, 0, 0, 0]
// test: run --entry=branches --arg=iota[16] --arg=iota[16] --arg=16
// expect: arg 0 = [120, -30, -40, 54, -32, 10, 24, -42, -64, 0, 0, 0, 0, 0, 0, 0]

func.func @structured(%a: memref<?xi32>, %roots: memref<?xi32>, %n: i32) {
  %v1 = arith.index_cast %n : i32 to index
  %v2 = arith.constant 2 : i32
  %v4:1 = scf.while (%wlen_2 = %v2) : (i32) -> (i32) {
    %v5 = arith.cmpi sle, %wlen_2, %n : i32
    scf.condition(%v5) %wlen_2 : i32
  } do {
  ^bb0(%xlen_2: i32):
    %v6 = arith.divsi %n, %xlen_2 : i32
    %v7 = arith.index_cast %v6 : i32 to index
    %v8 = memref.load %roots[%v7] : memref<?xi32>
    %v9 = arith.constant 0 : i32
    %v11:1 = scf.while (%wi_9 = %v9) : (i32) -> (i32) {
      %v12 = arith.cmpi slt, %wi_9, %n : i32
      scf.condition(%v12) %wi_9 : i32
    } do {
    ^bb0(%xi_9: i32):
      %v13 = arith.constant 1 : i32
      %v17 = arith.constant 0 : index
      %v18 = arith.constant 2 : i32
      %v19 = arith.divsi %xlen_2, %v18 : i32
      %v20 = arith.index_cast %v19 : i32 to index
      %v21 = arith.constant 1 : index
      %v16:1 = scf.for %j13 = %v17 to %v20 step %v21 iter_args(%w_14 = %v13) -> (i32) {
        %v22 = arith.index_cast %j13 : index to i32
        %v23 = arith.addi %xi_9, %v22 : i32
        %v24 = arith.index_cast %v23 : i32 to index
        %v25 = memref.load %a[%v24] : memref<?xi32>
        %v26 = arith.addi %xi_9, %v22 : i32
        %v27 = arith.constant 2 : i32
        %v28 = arith.divsi %xlen_2, %v27 : i32
        %v29 = arith.addi %v26, %v28 : i32
        %v30 = arith.index_cast %v29 : i32 to index
        %v31 = memref.load %a[%v30] : memref<?xi32>
        %v32 = arith.muli %v31, %w_14 : i32
        %v33 = arith.addi %v25, %v32 : i32
        %v34 = arith.addi %xi_9, %v22 : i32
        %v35 = arith.index_cast %v34 : i32 to index
        memref.store %v33, %a[%v35] : memref<?xi32>
        %v36 = arith.subi %v25, %v32 : i32
        %v37 = arith.addi %xi_9, %v22 : i32
        %v38 = arith.constant 2 : i32
        %v39 = arith.divsi %xlen_2, %v38 : i32
        %v40 = arith.addi %v37, %v39 : i32
        %v41 = arith.index_cast %v40 : i32 to index
        memref.store %v36, %a[%v41] : memref<?xi32>
        %v42 = arith.muli %w_14, %v8 : i32
        scf.yield %v42 : i32
      }
      %v43 = arith.addi %xi_9, %xlen_2 : i32
      scf.yield %v43 : i32
    }
    %v44 = arith.constant 1 : i32
    %v45 = arith.shli %xlen_2, %v44 : i32
    scf.yield %v45 : i32
  }
  return
}

func.func @branches(%a: memref<?xi32>, %roots: memref<?xi32>, %n: i32) {
  %v2 = memref.alloca() : memref<i32>
  %v6 = memref.alloca() : memref<i32>
  %v11 = memref.alloca() : memref<i32>
  %v15 = memref.alloca() : memref<i32>
  %v17 = memref.alloca() : memref<i32>
  %v24 = memref.alloca() : memref<i32>
  %v30 = memref.alloca() : memref<i32>
  %v1 = arith.index_cast %n : i32 to index
  %v3 = arith.constant 2 : i32
  memref.store %v3, %v2[] : memref<i32>
  cf.br ^b1
^b1:
  %v4 = memref.load %v2[] : memref<i32>
  %v5 = arith.cmpi sle, %v4, %n : i32
  cf.cond_br %v5, ^b2, ^b3
^b2:
  %v7 = memref.load %v2[] : memref<i32>
  %v8 = arith.divsi %n, %v7 : i32
  %v9 = arith.index_cast %v8 : i32 to index
  %v10 = memref.load %roots[%v9] : memref<?xi32>
  memref.store %v10, %v6[] : memref<i32>
  %v12 = arith.constant 0 : i32
  memref.store %v12, %v11[] : memref<i32>
  cf.br ^b5
^b5:
  %v13 = memref.load %v11[] : memref<i32>
  %v14 = arith.cmpi slt, %v13, %n : i32
  cf.cond_br %v14, ^b6, ^b7
^b6:
  %v16 = arith.constant 1 : i32
  memref.store %v16, %v15[] : memref<i32>
  %v18 = arith.constant 0 : i32
  memref.store %v18, %v17[] : memref<i32>
  cf.br ^b9
^b9:
  %v19 = memref.load %v17[] : memref<i32>
  %v20 = memref.load %v2[] : memref<i32>
  %v21 = arith.constant 2 : i32
  %v22 = arith.divsi %v20, %v21 : i32
  %v23 = arith.cmpi slt, %v19, %v22 : i32
  cf.cond_br %v23, ^b10, ^b11
^b10:
  %v25 = memref.load %v11[] : memref<i32>
  %v26 = memref.load %v17[] : memref<i32>
  %v27 = arith.addi %v25, %v26 : i32
  %v28 = arith.index_cast %v27 : i32 to index
  %v29 = memref.load %a[%v28] : memref<?xi32>
  memref.store %v29, %v24[] : memref<i32>
  %v31 = memref.load %v11[] : memref<i32>
  %v32 = memref.load %v17[] : memref<i32>
  %v33 = arith.addi %v31, %v32 : i32
  %v34 = memref.load %v2[] : memref<i32>
  %v35 = arith.constant 2 : i32
  %v36 = arith.divsi %v34, %v35 : i32
  %v37 = arith.addi %v33, %v36 : i32
  %v38 = arith.index_cast %v37 : i32 to index
  %v39 = memref.load %a[%v38] : memref<?xi32>
  %v40 = memref.load %v15[] : memref<i32>
  %v41 = arith.muli %v39, %v40 : i32
  memref.store %v41, %v30[] : memref<i32>
  %v42 = memref.load %v24[] : memref<i32>
  %v43 = memref.load %v30[] : memref<i32>
  %v44 = arith.addi %v42, %v43 : i32
  %v45 = memref.load %v11[] : memref<i32>
  %v46 = memref.load %v17[] : memref<i32>
  %v47 = arith.addi %v45, %v46 : i32
  %v48 = arith.index_cast %v47 : i32 to index
  memref.store %v44, %a[%v48] : memref<?xi32>
  %v49 = memref.load %v24[] : memref<i32>
  %v50 = memref.load %v30[] : memref<i32>
  %v51 = arith.subi %v49, %v50 : i32
  %v52 = memref.load %v11[] : memref<i32>
  %v53 = memref.load %v17[] : memref<i32>
  %v54 = arith.addi %v52, %v53 : i32
  %v55 = memref.load %v2[] : memref<i32>
  %v56 = arith.constant 2 : i32
  %v57 = arith.divsi %v55, %v56 : i32
  %v58 = arith.addi %v54, %v57 : i32
  %v59 = arith.index_cast %v58 : i32 to index
  memref.store %v51, %a[%v59] : memref<?xi32>
  %v60 = memref.load %v15[] : memref<i32>
  %v61 = memref.load %v6[] : memref<i32>
  %v62 = arith.muli %v60, %v61 : i32
  memref.store %v62, %v15[] : memref<i32>
  cf.br ^b12
^b12:
  %v63 = memref.load %v17[] : memref<i32>
  %v64 = arith.constant 1 : i32
  %v65 = arith.addi %v63, %v64 : i32
  memref.store %v65, %v17[] : memref<i32>
  cf.br ^b9
^b11:
  cf.br ^b8
^b8:
  %v66 = memref.load %v11[] : memref<i32>
  %v67 = memref.load %v2[] : memref<i32>
  %v68 = arith.addi %v66, %v67 : i32
  memref.store %v68, %v11[] : memref<i32>
  cf.br ^b5
^b7:
  cf.br ^b4
^b4:
  %v69 = memref.load %v2[] : memref<i32>
  %v70 = arith.constant 1 : i32
  %v71 = arith.shli %v69, %v70 : i32
  memref.store %v71, %v2[] : memref<i32>
  cf.br ^b1
^b3:
  return
}
