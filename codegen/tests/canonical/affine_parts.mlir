// test: canonical
// promises: @together_again: sizes are positive
func.func @together_again(%a: index, %m: index, %n: index) -> (index, index, index) {
  %0:3 = affine.delinearize_index %a into (%m, 6, %n) : index, index, index
  %1 = affine.linearize_index [%0#0, %0#1, %0#2] by (6, %n) : index
  %2:3 = affine.delinearize_index %a into (6, %n) : index, index, index
  %3 = affine.linearize_index [%2#0, %2#1, %2#2] by (%m, 6, %n) : index
  %4 = affine.linearize_index [%2#0, %2#1, %2#2] by (9, 6, %n) : index
  return %1, %3, %4 : index, index, index
}

func.func @heads(%a: index, %b: index) -> (index, index, index, index) {
  %0:3 = affine.delinearize_index %a into (5, 3, 7) : index, index, index
  %1:3 = affine.delinearize_index %a into (3, 7) : index, index, index
  %2 = affine.linearize_index [%0#0, %0#1, %b] by (5, 3, 11) : index
  %3 = affine.linearize_index [%0#0, %0#1, %b] by (3, 11) : index
  %4 = affine.linearize_index [%1#0, %1#1, %b] by (5, 3, 11) : index
  %5 = affine.linearize_index [%1#0, %1#1, %b] by (3, 11) : index
  return %2, %3, %4, %5 : index, index, index, index
}

func.func @tails_and_others(%a: index, %b: index) -> (index, index, index, index) {
  %0:3 = affine.delinearize_index %a into (5, 3, 7) : index, index, index
  %1 = affine.linearize_index [%b, %0#1, %0#2] by (2, 3, 7) : index
  %2 = affine.linearize_index [%0#0, %0#2, %0#1] by (5, 7, 3) : index
  %3 = affine.linearize_index [%b, %0#2, %0#0, %b] by (2, 7, 5, 8) : index
  %4 = affine.linearize_index [%0#1, %0#2, %b, %0#0, %0#1] by (3, 7, 4, 5, 3) : index
  return %1, %2, %3, %4 : index, index, index, index
}

func.func @two_at_once(%a: index, %b: index, %c: index) -> (index, index) {
  %0:2 = affine.delinearize_index %a into (6, 4) : index, index
  %1:3 = affine.delinearize_index %b into (9, 2, 10) : index, index, index
  %2 = affine.linearize_index [%c, %0#0, %0#1, %1#1, %1#2] by (3, 6, 4, 2, 10) : index
  %3 = affine.linearize_index [%1#0, %1#1, %c, %0#0, %0#1] by (9, 2, 5, 6, 4) : index
  return %2, %3 : index, index
}

// promises: @unbounded_inside: parts are below their sizes
func.func @unbounded_inside(%a: index, %b: index, %c: index) -> (index, index) {
  %0:3 = affine.delinearize_index %a into (4, 6) : index, index, index
  %1 = affine.linearize_index disjoint [%b, %0#0, %0#1, %c] by (2, 3, 4, 5) : index
  %2 = affine.linearize_index [%b, %0#0, %0#1, %c] by (2, 3, 4, 5) : index
  return %1, %2 : index, index
}

// promises: @sizes_multiplied: sizes are positive
func.func @sizes_multiplied(%a: index, %b: index, %m: index, %n: index) -> (index, index) {
  %0:4 = affine.delinearize_index %a into (%m, 5, %n, 2) : index, index, index, index
  %1 = affine.linearize_index [%b, %0#2, %0#3] by (3, %n, 2) : index
  %2 = affine.linearize_index [%b, %0#0, %0#1, %0#2, %0#3, %b] by (3, %m, 5, %n, 2, 4) : index
  return %1, %2 : index, index
}

// promises: @split: parts are below their sizes
func.func @split(%a: index, %b: index, %c: index)
    -> (index, index, index, index, index, index, index, index, index, index) {
  %0 = affine.linearize_index disjoint [%a, %b, %c] by (3, 5, 24) : index
  %1:4 = affine.delinearize_index %0 into (3, 4, 6) : index, index, index, index
  %2:4 = affine.delinearize_index %0 into (3, 5, 2, 12) : index, index, index, index
  %3:2 = affine.delinearize_index %0 into (30, 12) : index, index
  return %1#0, %1#1, %1#2, %1#3, %2#0, %2#1, %2#2, %2#3, %3#0, %3#1
      : index, index, index, index, index, index, index, index, index, index
}

// promises: @nothing_above: parts are below their sizes
func.func @nothing_above(%a: index, %b: index) -> (index, index, index, index) {
  %0 = affine.linearize_index disjoint [%a, %b] by (5, 8) : index
  %1:4 = affine.delinearize_index %0 into (3, 2, 5, 8) : index, index, index, index
  return %1#0, %1#1, %1#2, %1#3 : index, index, index, index
}
