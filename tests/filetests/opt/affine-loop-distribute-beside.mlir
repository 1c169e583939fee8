// Loops that carry values: stores that have nothing to do with these get a loop of their own, where other stores tie the iterations.
//
// test: opt --affine-loop-distribute
// test: run-opt --entry=histogram_beside_a_sum --arg=iota --arg=zeros
// test: run-opt --entry=left_where_the_sum_reads_it --arg=iota --arg=zeros
// test: run-opt --entry=left_with_the_sum --arg=iota --arg=zeros
// test: run-opt --entry=left_short --arg=iota --arg=zeros
// test: run-opt --entry=left_parallel --arg=iota --arg=zeros

func.func @histogram_beside_a_sum(%a: memref<2000xi32>, %h: memref<16xi32>) -> i32 {
  %x, %counts = memref.distinct_objects %a, %h : memref<2000xi32>, memref<16xi32>
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %mask = arith.constant 15 : i32
  %sum = affine.for %i = 0 to 2000 iter_args(%s = %zero) -> i32 {
    %v = affine.load %x[%i] : memref<2000xi32>
    %low = arith.andi %v, %mask : i32
    %k = arith.index_cast %low : i32 to index
    %c = memref.load %counts[%k] : memref<16xi32>
    %d = arith.addi %c, %one : i32
    memref.store %d, %counts[%k] : memref<16xi32>
    %t = arith.addi %s, %v : i32
    affine.yield %t : i32
  }
  return %sum : i32
}

// An iteration sums what an earlier one has counted.
func.func @left_where_the_sum_reads_it(%a: memref<2000xi32>, %h: memref<16xi32>) -> i32 {
  %x, %counts = memref.distinct_objects %a, %h : memref<2000xi32>, memref<16xi32>
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %mask = arith.constant 15 : i32
  %sum = affine.for %i = 0 to 2000 iter_args(%s = %zero) -> i32 {
    %v = affine.load %x[%i] : memref<2000xi32>
    %low = arith.andi %v, %mask : i32
    %k = arith.index_cast %low : i32 to index
    %c = memref.load %counts[%k] : memref<16xi32>
    %d = arith.addi %c, %one : i32
    memref.store %d, %counts[%k] : memref<16xi32>
    %t = arith.addi %s, %c : i32
    affine.yield %t : i32
  }
  return %sum : i32
}

// What is counted depends on the sum.
func.func @left_with_the_sum(%a: memref<2000xi32>, %h: memref<16xi32>) -> i32 {
  %x, %counts = memref.distinct_objects %a, %h : memref<2000xi32>, memref<16xi32>
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %mask = arith.constant 15 : i32
  %sum = affine.for %i = 0 to 2000 iter_args(%s = %zero) -> i32 {
    %v = affine.load %x[%i] : memref<2000xi32>
    %low = arith.andi %s, %mask : i32
    %k = arith.index_cast %low : i32 to index
    %c = memref.load %counts[%k] : memref<16xi32>
    %d = arith.addi %c, %one : i32
    memref.store %d, %counts[%k] : memref<16xi32>
    %t = arith.addi %s, %v : i32
    affine.yield %t : i32
  }
  return %sum : i32
}

func.func @left_short(%a: memref<200xi32>, %h: memref<16xi32>) -> i32 {
  %x, %counts = memref.distinct_objects %a, %h : memref<200xi32>, memref<16xi32>
  %zero = arith.constant 0 : i32
  %mask = arith.constant 15 : i32
  %sum = affine.for %i = 0 to 200 iter_args(%s = %zero) -> i32 {
    %v = affine.load %x[%i] : memref<200xi32>
    %low = arith.andi %v, %mask : i32
    %k = arith.index_cast %low : i32 to index
    memref.store %v, %counts[%k] : memref<16xi32>
    %t = arith.addi %s, %v : i32
    affine.yield %t : i32
  }
  return %sum : i32
}

// A reduction as it stands.
func.func @left_parallel(%a: memref<2000xi32>, %b: memref<2000xi32>) -> i32 {
  %x, %y = memref.distinct_objects %a, %b : memref<2000xi32>, memref<2000xi32>
  %zero = arith.constant 0 : i32
  %sum = affine.for %i = 0 to 2000 iter_args(%s = %zero) -> i32 {
    %v = affine.load %x[%i] : memref<2000xi32>
    affine.store %v, %y[%i] : memref<2000xi32>
    %t = arith.addi %s, %v : i32
    affine.yield %t : i32
  }
  return %sum : i32
}
