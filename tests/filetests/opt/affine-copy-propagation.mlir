// Copies of tiles that a loop makes for itself: read where the array lies, or computed there.
// test: opt --affine-copy-propagation
// test: run-opt --entry=placed_later --arg=iota --arg=zeros --arg=iota
// expect: arg 1 = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0]
// test: run-opt --entry=made_later --arg=iota
// expect: result 0 = [0, 32, 64, 96, 128]
// test: run-opt --entry=read --arg=iota --arg=zeros
// expect: arg 1 = [0, 3, 6, 9, 12, 15, 18, 21, 24, 27, 30, 33]
// test: run-opt --entry=turned --arg=iota --arg=zeros
// expect: arg 1 = [0, 3, 6, 9, 1, 4, 7, 10, 2, 5, 8, 11]
// test: run-opt --entry=clipped --arg=iota --arg=zeros
// expect: arg 1 = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
// test: run-opt --entry=updated --arg=iota
// expect: arg 0 = [0, 4, 8, 12, 16, 20, 24, 28]
// test: run-opt --entry=written --arg=iota --arg=zeros
// expect: arg 1 = [1, 5, 9, 13]
// test: run-opt --entry=chained --arg=iota --arg=zeros
// expect: arg 1 = [0, 1, 2, 3, 4, 5, 6, 7]
// test: run-opt --entry=changed --arg=iota --arg=zeros
// expect: arg 0 = [100, 100, 100, 100]
// expect: arg 1 = [0, 1, 2, 3]
// test: run-opt --entry=short --arg=iota --arg=zeros
// expect: arg 1 = [0, 1, 2, 0, 4, 5, 6, 0]
// test: run-opt --entry=moved --arg=iota --arg=zeros
// expect: arg 0 = [0, 1, 2, 3, 4, 5, 6, 7]
// expect: arg 1 = [0, 2, 4, 6, 8, 10, 12, 14]
// test: run-opt --entry=looked_at --arg=iota --arg=zeros
// expect: arg 0 = [10, 11, 12, 13]
// expect: arg 1 = [0, 1, 2, 3]
// test: run-opt --entry=ahead --arg=iota --arg=zeros
// expect: arg 1 = [0, 1, 2, 3, 4, 5]
// test: run-opt --entry=folded --arg=iota --arg=zeros
// expect: arg 1 = [6, 7]
// test: run-opt --entry=kept_in_part --arg=iota
// expect: arg 0 = [0, 2, 2, 3, 4, 10, 6, 7]

// Read: the product of what was copied.
func.func @read(%a: memref<12xi32>, %r: memref<12xi32>) {
  %three = arith.constant 3 : i32
  affine.for %t = 0 to 12 step 4 {
    %b = memref.alloc() : memref<4xi32, 2>
    affine.for %i = affine_map<(d0) -> (d0)>(%t) to affine_map<(d0) -> (d0 + 4)>(%t) {
      %v = affine.load %a[%i] : memref<12xi32>
      affine.store %v, %b[%i - %t] : memref<4xi32, 2>
    }
    affine.for %j = 0 to 4 {
      %v = affine.load %b[%j] : memref<4xi32, 2>
      %w = arith.muli %v, %three : i32
      affine.store %w, %r[%t + %j] : memref<12xi32>
    }
    memref.dealloc %b : memref<4xi32, 2>
  }
  return
}

// Rows and columns change places on the way to the buffer, which is allocated outside of the loop.
func.func @turned(%a: memref<4x3xi32>, %r: memref<3x4xi32>) {
  %b = memref.alloc() : memref<3x2xi32>
  affine.for %t = 0 to 4 step 2 {
    affine.for %i = 0 to 2 {
      affine.for %j = 0 to 3 {
        %v = affine.load %a[%t + %i, %j] : memref<4x3xi32>
        affine.store %v, %b[%j, %i] : memref<3x2xi32>
      }
    }
    affine.for %j = 0 to 3 {
      affine.for %i = 0 to 2 {
        %v = affine.load %b[%j, %i] : memref<3x2xi32>
        affine.store %v, %r[%j, %t + %i] : memref<3x4xi32>
      }
    }
  }
  memref.dealloc %b : memref<3x2xi32>
  return
}

// The last tile has two of four elements.
func.func @clipped(%a: memref<10xi32>, %r: memref<10xi32>) {
  affine.for %t = 0 to 10 step 4 {
    %b = memref.alloc() : memref<4xi32>
    affine.for %i = affine_map<(d0) -> (d0)>(%t) to min affine_map<(d0) -> (d0 + 4, 10)>(%t) {
      %v = affine.load %a[%i] : memref<10xi32>
      affine.store %v, %b[%i - %t] : memref<4xi32>
    }
    affine.for %i = affine_map<(d0) -> (d0)>(%t) to min affine_map<(d0) -> (d0 + 4, 10)>(%t) {
      %v = affine.load %b[%i - %t] : memref<4xi32>
      affine.store %v, %r[%i] : memref<10xi32>
    }
    memref.dealloc %b : memref<4xi32>
  }
  return
}

// A tile that is copied in, doubled twice, and copied back.
func.func @updated(%a: memref<8xi32>) {
  affine.for %t = 0 to 8 step 4 {
    %b = memref.alloc() : memref<4xi32>
    affine.for %i = 0 to 4 {
      %v = affine.load %a[%t + %i] : memref<8xi32>
      affine.store %v, %b[%i] : memref<4xi32>
    }
    affine.for %n = 0 to 2 {
      affine.for %i = 0 to 4 {
        %v = affine.load %b[%i] : memref<4xi32>
        %w = arith.addi %v, %v : i32
        affine.store %w, %b[%i] : memref<4xi32>
      }
    }
    affine.for %i = 0 to 4 {
      %v = affine.load %b[%i] : memref<4xi32>
      affine.store %v, %a[%t + %i] : memref<8xi32>
    }
    memref.dealloc %b : memref<4xi32>
  }
  return
}

// A tile that is begun with 0 and copied out: sums of pairs.
func.func @written(%a: memref<8xi32>, %r: memref<4xi32>) {
  %zero = arith.constant 0 : i32
  affine.for %t = 0 to 4 step 2 {
    %b = memref.alloc() : memref<2xi32>
    affine.for %i = 0 to 2 {
      affine.store %zero, %b[%i] : memref<2xi32>
    }
    affine.for %k = 0 to 2 {
      affine.for %i = 0 to 2 {
        %v = affine.load %b[%i] : memref<2xi32>
        %x = affine.load %a[%t * 2 + %i * 2 + %k] : memref<8xi32>
        %w = arith.addi %v, %x : i32
        affine.store %w, %b[%i] : memref<2xi32>
      }
    }
    affine.for %i = 0 to 2 {
      %v = affine.load %b[%i] : memref<2xi32>
      affine.store %v, %r[%t + %i] : memref<4xi32>
    }
    memref.dealloc %b : memref<2xi32>
  }
  return
}

// A copy of a copy.
func.func @chained(%a: memref<8xi32>, %r: memref<8xi32>) {
  affine.for %t = 0 to 8 step 4 {
    %b = memref.alloc() : memref<4xi32>
    %c = memref.alloc() : memref<4xi32>
    affine.for %i = 0 to 4 {
      %v = affine.load %a[%t + %i] : memref<8xi32>
      affine.store %v, %b[%i] : memref<4xi32>
    }
    affine.for %i = 0 to 4 {
      %v = affine.load %b[%i] : memref<4xi32>
      affine.store %v, %c[%i] : memref<4xi32>
    }
    affine.for %i = 0 to 4 {
      %v = affine.load %c[%i] : memref<4xi32>
      affine.store %v, %r[%t + %i] : memref<8xi32>
    }
    memref.dealloc %c : memref<4xi32>
    memref.dealloc %b : memref<4xi32>
  }
  return
}

// Stays: the array is written before the copy is read.
func.func @changed(%a: memref<4xi32>, %r: memref<4xi32>) {
  %c100 = arith.constant 100 : i32
  affine.for %t = 0 to 4 step 2 {
    %b = memref.alloc() : memref<2xi32>
    affine.for %i = 0 to 2 {
      %v = affine.load %a[%t + %i] : memref<4xi32>
      affine.store %v, %b[%i] : memref<2xi32>
    }
    affine.for %i = 0 to 2 {
      affine.store %c100, %a[%t + %i] : memref<4xi32>
    }
    affine.for %i = 0 to 2 {
      %v = affine.load %b[%i] : memref<2xi32>
      affine.store %v, %r[%t + %i] : memref<4xi32>
    }
    memref.dealloc %b : memref<2xi32>
  }
  return
}

// Stays: one element of the buffer holds what was there before the loop.
func.func @short(%a: memref<8xi32>, %r: memref<8xi32>) {
  %zero = arith.constant 0 : i32
  %b = memref.alloc() : memref<4xi32>
  affine.for %i = 0 to 4 {
    affine.store %zero, %b[%i] : memref<4xi32>
  }
  affine.for %t = 0 to 8 step 4 {
    affine.for %i = 0 to 3 {
      %v = affine.load %a[%t + %i] : memref<8xi32>
      affine.store %v, %b[%i] : memref<4xi32>
    }
    affine.for %i = 0 to 4 {
      %v = affine.load %b[%i] : memref<4xi32>
      affine.store %v, %r[%t + %i] : memref<8xi32>
    }
  }
  memref.dealloc %b : memref<4xi32>
  return
}

// Stays: what is copied in is not where it is copied out.
func.func @moved(%a: memref<8xi32>, %r: memref<8xi32>) {
  affine.for %t = 0 to 8 step 4 {
    %b = memref.alloc() : memref<4xi32>
    affine.for %i = 0 to 4 {
      %v = affine.load %a[%t + %i] : memref<8xi32>
      affine.store %v, %b[%i] : memref<4xi32>
    }
    affine.for %i = 0 to 4 {
      %v = affine.load %b[%i] : memref<4xi32>
      %w = arith.addi %v, %v : i32
      affine.store %w, %b[%i] : memref<4xi32>
    }
    affine.for %i = 0 to 4 {
      %v = affine.load %b[%i] : memref<4xi32>
      affine.store %v, %r[%t + %i] : memref<8xi32>
    }
    memref.dealloc %b : memref<4xi32>
  }
  return
}

// Stays: the array is read while the buffer holds other values.
func.func @looked_at(%a: memref<4xi32>, %r: memref<4xi32>) {
  %ten = arith.constant 10 : i32
  affine.for %t = 0 to 4 step 2 {
    %b = memref.alloc() : memref<2xi32>
    affine.for %i = 0 to 2 {
      %v = affine.load %a[%t + %i] : memref<4xi32>
      affine.store %v, %b[%i] : memref<2xi32>
    }
    affine.for %i = 0 to 2 {
      %v = affine.load %b[%i] : memref<2xi32>
      %w = arith.addi %v, %ten : i32
      affine.store %w, %b[%i] : memref<2xi32>
    }
    affine.for %i = 0 to 2 {
      %v = affine.load %a[%t + %i] : memref<4xi32>
      affine.store %v, %r[%t + %i] : memref<4xi32>
    }
    affine.for %i = 0 to 2 {
      %v = affine.load %b[%i] : memref<2xi32>
      affine.store %v, %a[%t + %i] : memref<4xi32>
    }
    memref.dealloc %b : memref<2xi32>
  }
  return
}

// Stays: an iteration reads what the one before it has copied.
func.func @ahead(%a: memref<6xi32>, %r: memref<6xi32>) {
  %b = memref.alloc() : memref<2x2xi32>
  affine.for %i = 0 to 2 {
    %v = affine.load %a[%i] : memref<6xi32>
    affine.store %v, %b[0, %i] : memref<2x2xi32>
  }
  affine.for %t = 0 to 3 {
    affine.for %i = 0 to min affine_map<(d0) -> (2, 4 - d0 * 2)>(%t) {
      %v = affine.load %a[%t * 2 + %i + 2] : memref<6xi32>
      affine.store %v, %b[(%t + 1) mod 2, %i] : memref<2x2xi32>
    }
    affine.for %i = 0 to 2 {
      %v = affine.load %b[%t mod 2, %i] : memref<2x2xi32>
      affine.store %v, %r[%t * 2 + %i] : memref<6xi32>
    }
  }
  memref.dealloc %b : memref<2x2xi32>
  return
}

// Stays: several elements of the buffer go to one of the array, of which the last remains.
func.func @folded(%a: memref<8xi32>, %r: memref<2xi32>) {
  affine.for %t = 0 to 2 {
    %b = memref.alloc() : memref<4xi32>
    affine.for %i = 0 to 4 {
      %v = affine.load %a[%t + %i * 2] : memref<8xi32>
      affine.store %v, %b[%i] : memref<4xi32>
    }
    affine.for %i = 0 to 4 {
      %v = affine.load %b[%i] : memref<4xi32>
      %w = arith.addi %v, %v : i32
      affine.store %w, %b[3 - %i] : memref<4xi32>
    }
    affine.for %i = 0 to 4 {
      %v = affine.load %a[%t + %i * 2] : memref<8xi32>
      affine.store %v, %b[%i] : memref<4xi32>
    }
    affine.for %i = 0 to 4 {
      %v = affine.load %b[%i] : memref<4xi32>
      affine.store %v, %r[%t] : memref<2xi32>
    }
    memref.dealloc %b : memref<4xi32>
  }
  return
}

// Stays: of what is stored, only the second element of each tile is copied back.
func.func @kept_in_part(%a: memref<8xi32>) {
  affine.for %t = 0 to 8 step 4 {
    %b = memref.alloc() : memref<4xi32>
    affine.for %i = 0 to 4 {
      %v = affine.load %a[%t + %i] : memref<8xi32>
      affine.store %v, %b[%i] : memref<4xi32>
    }
    affine.for %i = 0 to 4 {
      %v = affine.load %b[%i] : memref<4xi32>
      %w = arith.addi %v, %v : i32
      affine.store %w, %b[%i] : memref<4xi32>
    }
    affine.for %i = 1 to 2 {
      %v = affine.load %b[%i] : memref<4xi32>
      affine.store %v, %a[%t + %i] : memref<8xi32>
    }
    memref.dealloc %b : memref<4xi32>
  }
  return
}

// Stays: where the copy goes is loaded behind the stores to the buffer.
func.func @placed_later(%a: memref<8xi32>, %b: memref<12xi32>, %places: memref<3xindex>) {
  %t = memref.alloc() : memref<8xi32>
  affine.for %k = 0 to 3 {
    %n = arith.index_cast %k : index to i32
    affine.for %i = 0 to 8 {
      %v = affine.load %a[%i] : memref<8xi32>
      %w = arith.addi %v, %n : i32
      affine.store %w, %t[%i] : memref<8xi32>
    }
    %place = affine.load %places[%k] : memref<3xindex>
    %part = memref.subview %b[%place] [8] [1] : memref<12xi32> to memref<8xi32, strided<[1], offset: ?>>
    affine.for %i = 0 to 8 {
      %v = affine.load %t[%i] : memref<8xi32>
      affine.store %v, %part[%i] : memref<8xi32, strided<[1], offset: ?>>
    }
  }
  return
}

// Stays: what the copy goes to is allocated behind the stores to the buffer.
func.func @made_later(%a: memref<5xi32>) -> memref<5xi32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %five = arith.constant 5 : index
  %t = memref.alloc() : memref<5xi32>
  %last = scf.for %k = %zero to %five step %one iter_args(%now = %a) -> (memref<5xi32>) {
    affine.for %i = 0 to 5 {
      %v = affine.load %now[%i] : memref<5xi32>
      %w = arith.addi %v, %v : i32
      affine.store %w, %t[%i] : memref<5xi32>
    }
    %new = memref.alloc() : memref<5xi32>
    affine.for %i = 0 to 5 {
      %v = affine.load %t[%i] : memref<5xi32>
      affine.store %v, %new[%i] : memref<5xi32>
    }
    scf.yield %new : memref<5xi32>
  }
  return %last : memref<5xi32>
}
