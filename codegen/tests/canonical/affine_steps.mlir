// test: canonical
func.func private @at(index, index, index)

func.func @aligned(%n: index) {
  affine.for %i = 0 to %n step 24 {
    affine.for %j = 0 to 12 {
      %0 = affine.apply affine_map<(d0) -> (d0 mod 8 + 5)>(%i)
      %1 = affine.apply affine_map<(d0, d1) -> ((d0 + d1) mod 12)>(%i, %j)
      %2 = affine.apply affine_map<(d0, d1) -> ((d1 + d0) floordiv 48)>(%i, %j)
      func.call @at(%0, %1, %2) : (index, index, index) -> ()
      %3 = affine.apply affine_map<(d0, d1) -> ((d0 + d1) floordiv 16)>(%i, %j)
      %4 = affine.apply affine_map<(d0, d1) -> ((d0 + d1) mod 5)>(%i, %j)
      %5 = affine.apply affine_map<(d0) -> ((d0 + 7) floordiv 24)>(%i)
      func.call @at(%3, %4, %5) : (index, index, index) -> ()
    }
  }
  return
}

func.func @starts(%n: index) {
  affine.for %i = 18 to %n step 12 {
    %0 = affine.apply affine_map<(d0) -> (d0 mod 6)>(%i)
    %1 = affine.apply affine_map<(d0) -> (d0 mod 12)>(%i)
    affine.for %j = affine_map<(d0) -> (d0 * 4)>(%i) to %n step 8 {
      %2 = affine.apply affine_map<(d0) -> (d0 mod 4)>(%j)
      func.call @at(%0, %1, %2) : (index, index, index) -> ()
    }
  }
  return
}

func.func @small_anyhow(%n: index, %k: index) {
  %0 = affine.apply affine_map<()[s0] -> ((s0 mod 9) floordiv 9)>()[%k]
  affine.for %i = -20 to %n {
    %1 = affine.apply affine_map<(d0) -> ((d0 mod 9) floordiv 9)>(%i)
    %2 = affine.apply affine_map<(d0) -> ((d0 mod 9) floordiv 8)>(%i)
    func.call @at(%0, %1, %2) : (index, index, index) -> ()
  }
  return
}

func.func @bounds(%n: index) {
  affine.for %i = 0 to 3 {
    affine.for %j = 0 to min affine_map<(d0) -> (40, d0 * -10 + 20)>(%i) step 5 {
      func.call @at(%i, %j, %n) : (index, index, index) -> ()
    }
    affine.for %j = max affine_map<(d0) -> (d0 * 2 + 1, 0)>(%i) to min affine_map<(d0) -> (d0 + 4, 90, d0 * 3 + 3)>(%i) {
      func.call @at(%i, %j, %n) : (index, index, index) -> ()
    }
    affine.for %j = max affine_map<(d0) -> (d0 - 7, -5)>(%i) to min affine_map<(d0)[s0] -> (d0, s0, 2)>(%i)[%n] {
      func.call @at(%i, %j, %n) : (index, index, index) -> ()
    }
    affine.for %j = 0 to min affine_map<(d0) -> (d0 mod 8, 2)>(%i) {
      func.call @at(%i, %j, %n) : (index, index, index) -> ()
    }
  }
  return
}

func.func @one_of_equals(%n: index) {
  affine.for %i = 3 to 9 {
    affine.for %j = 0 to min affine_map<(d0) -> (d0 floordiv 16 + 4, d0 mod 16)>(%i) {
      func.call @at(%i, %j, %n) : (index, index, index) -> ()
    }
    affine.for %j = max affine_map<(d0) -> (d0 floordiv 16, d0 ceildiv 16, d0 mod 3)>(%i) to 7 {
      func.call @at(%i, %j, %n) : (index, index, index) -> ()
    }
  }
  return
}

func.func @rounded(%a: index, %b: index, %c: index) -> (index, index) {
  %0 = affine.apply affine_map<()[s0, s1] -> ((s1 - s1 mod s0) mod s0)>()[%a, %b]
  %1 = affine.apply affine_map<()[s0, s1, s2] -> ((s1 - (s1 + s2) mod s0 + s2) mod s0)>()[%a, %b, %c]
  return %0, %1 : index, index
}

func.func @products(%a: index, %b: index, %k: index) -> (index, index) {
  %0 = affine.apply affine_map<()[s0] -> (s0 * 5)>()[%a]
  %1 = affine.apply affine_map<()[s0] -> (s0 * 4)>()[%b]
  %2 = affine.apply affine_map<()[s0, s1, s2] -> (s0 * s1 + s1 + s2)>()[%0, %1, %k]
  %3 = affine.apply affine_map<()[s0, s1, s2] -> (s2 mod s0 + s0 * s1 + s1)>()[%0, %1, %k]
  return %2, %3 : index, index
}

func.func @nested(%a: index, %b: index, %c: index, %d: index) -> (index, index, index) {
  %0 = affine.min affine_map<()[s0] -> (s0 + 9, s0 * 3)>()[%a]
  %1 = affine.min affine_map<()[s0, s1] -> (s0, s1 - 4)>()[%0, %b]
  %2 = affine.max affine_map<(d0)[s0] -> (d0 - s0, 30)>(%c)[%d]
  %3 = affine.max affine_map<(d0)[s0] -> (s0 * 7, d0)>(%2)[%a]
  %4 = affine.max affine_map<(d0)[s0] -> (s0, 1 - d0)>(%b)[%2]
  return %1, %3, %4 : index, index, index
}
