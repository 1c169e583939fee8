// test: run --entry f --arg=iota --arg=ones
// expect: arg 1 = [1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 1]
// expect: result 0 = 55

// Vectors of scalable length, as `transform.structured.vectorize … vector_sizes [[4]]` makes them: a loop that
// is masked at its end, by the length of a vector, and a sum of lanes with a part of a longer vector.

func.func @f(%x: memref<10xf32>, %y: memref<11xf32>) -> f32 {
  %scratch = memref.alloc() : memref<2xvector<[4]xf32>>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c10 = arith.constant 10 : index
  %zero = arith.constant 0.0 : f32
  %twos = arith.constant dense<2.0> : vector<[4]xf32>
  %vscale = vector.vscale
  %step = arith.muli %vscale, %c4 : index
  scf.for %i = %c0 to %c10 step %step {
    %left = arith.subi %c10, %i : index
    %mask = vector.create_mask %left : vector<[4]xi1>
    %a = vector.maskedload %x[%i], %mask, %twos : memref<10xf32>, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
    %b = vector.maskedload %y[%i], %mask, %twos : memref<11xf32>, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
    %p = vector.fma %a, %twos, %b : vector<[4]xf32>
    vector.maskedstore %y[%i], %mask, %p : memref<11xf32>, vector<[4]xi1>, vector<[4]xf32>
  }
  %zeros = vector.broadcast %zero : f32 to vector<[4]xf32>
  %r = scf.for %i = %c0 to %c10 step %step iter_args(%acc = %zeros) -> (vector<[4]xf32>) {
    %left = arith.subi %c10, %i : index
    %mask = vector.create_mask %left : vector<[4]xi1>
    %ones = func.call @ones() : () -> vector<[4]xf32>
    %a = vector.maskedload %x[%i], %mask, %zeros : memref<10xf32>, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
    %b = arith.addf %a, %ones : vector<[4]xf32>
    %c = arith.select %mask, %b, %zeros : vector<[4]xi1>, vector<[4]xf32>
    %n = arith.addf %acc, %c : vector<[4]xf32>
    scf.yield %n : vector<[4]xf32>
  }
  memref.store %r, %scratch[%c1] : memref<2xvector<[4]xf32>>
  %s = memref.load %scratch[%c1] : memref<2xvector<[4]xf32>>
  %low = vector.scalable.extract %s[0] : vector<2xf32> from vector<[4]xf32>
  %high = vector.scalable.extract %s[2] : vector<2xf32> from vector<[4]xf32>
  %halves = arith.addf %low, %high : vector<2xf32>
  %in = vector.scalable.insert %halves, %zeros[2] : vector<2xf32> into vector<[4]xf32>
  %sum = vector.reduction <add>, %in : vector<[4]xf32> into f32
  memref.dealloc %scratch : memref<2xvector<[4]xf32>>
  return %sum : f32
}

func.func private @ones() -> vector<[4]xf32> {
  %ones = arith.constant dense<1.0> : vector<[4]xf32>
  return %ones : vector<[4]xf32>
}
