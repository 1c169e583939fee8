// test: opt --affine-loop-distribute
// test: run-opt --entry=both_products --arg=random:1 --arg=random:1 --arg=random:1
// test: run-opt --entry=tied --arg=random:1 --arg=random:1 --arg=random:1
// test: run-opt --entry=load_first --arg=random:1 --arg=random:1 --arg=random:1 --arg=1.5
// test: stages --affine-loop-distribute --affine-loop-permute

// Neither loop is parallel; by itself, the sum of columns is so in j and the sum
// of rows in i.
func.func @both_products(%a: memref<20x30xf32>, %s: memref<30xf32>, %q: memref<20xf32>) {
  affine.for %i = 0 to 20 {
    affine.for %j = 0 to 30 {
      %x = affine.load %a[%i, %j] : memref<20x30xf32>
      %s0 = affine.load %s[%j] : memref<30xf32>
      %s1 = arith.addf %s0, %x : f32
      affine.store %s1, %s[%j] : memref<30xf32>
      %q0 = affine.load %q[%i] : memref<20xf32>
      %q1 = arith.addf %q0, %x : f32
      affine.store %q1, %q[%i] : memref<20xf32>
    }
  }
  return
}

// What the second statement writes the first one reads an iteration later: they
// stay together, the third leaves them.
func.func @tied(%a: memref<40xf32>, %b: memref<40xf32>, %c: memref<40xf32>) {
  affine.for %i = 1 to 40 {
    %x = affine.load %a[%i - 1] : memref<40xf32>
    affine.store %x, %b[%i] : memref<40xf32>
    %y = affine.load %b[%i] : memref<40xf32>
    %z = arith.addf %y, %y : f32
    affine.store %z, %a[%i] : memref<40xf32>
    %v = affine.load %b[%i] : memref<40xf32>
    affine.store %v, %c[%i] : memref<40xf32>
  }
  return
}

// The load of the second statement stands before the store of the first one,
// which must not come before it.
func.func @load_first(%a: memref<40xf32>, %s: memref<40xf32>, %c: memref<40xf32>, %z: f32) {
  affine.for %i = 0 to 40 {
    %x = affine.load %a[%i] : memref<40xf32>
    affine.store %z, %a[%i] : memref<40xf32>
    %t = affine.load %s[0] : memref<40xf32>
    %u = arith.addf %t, %x : f32
    affine.store %u, %s[0] : memref<40xf32>
    affine.store %z, %c[%i] : memref<40xf32>
  }
  return
}
