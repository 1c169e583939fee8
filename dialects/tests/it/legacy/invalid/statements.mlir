// Statements and functions misused.

func @f(%n: index) {
  // expected-error@+1 {{a step is at least 1}}
  for %i = 0 to %n step -1 {
  }
  return
}

// -----

#two = (d0) -> (d0, d0 + 1)
func @f(%n: index) {
  // expected-error@+1 {{lower loop bound affine map with multiple results requires 'max' prefix}}
  for %i = #two(%n) to 10 {
  }
  return
}

// -----

func @f(%n: index) {
  // expected-error@+1 {{expected 'to', found `until`}}
  for %i = 0 until %n {
  }
  return
}

// -----

#map = (d0) -> (d0)
func @f(%n: index) {
  // expected-error@+1 {{expected an integer set}}
  if #map(%n) {
  }
  return
}

// -----

func @f(%n: index) {
  // expected-error@+1 {{1 dimension(s) and 1 symbol(s) are needed, but 2 and 0 are given}}
  if (d0)[s0] : (d0 - s0 >= 0) (%n, %n) {
  }
  return
}

// -----

func @f(%n: index) {
  %r = for %i = 0 to %n with
    // expected-error@+1 {{the type of `%late` is not spelled here, so it must be defined before}}
    %a(%late) {
    yield %a
  }
  %late = constant 1 : i32
  return
}

// -----

func @f(%n: index, %x: i32, %y: f32) {
  %r = if (d0) : (d0 >= 0) (%n) {
    yield %x
  // expected-error@+1 {{this yields other types than the region before `else`}}
  } else {
    yield %y
  }
  return
}

// -----

// expected-error@+1 {{the arguments of the first block are not the function's parameters}}
func @f(i32, i64) {
^bb0(%a: i32):
  return
}

// -----

// expected-error@+1 {{the body of a function has at least one operation}}
func @f() {
}

// -----

func @f(%a: i32) {
  br ^bb1
^bb1:
  br ^bb2
^bb2:
  // expected-error@+1 {{custom op 'brr' is unknown}}
  brr ^bb1
}

// -----

func @f() {
^entry:
  // expected-error@+1 {{a branch cannot lead to the first block of its region}}
  br ^entry
}

// -----

func @f(%a: i32) {
  // expected-error@+1 {{only branches pass operands to their successors}}
  "some.jump"()[^bb1(%a : i32)] : () -> ()
^bb1:
  return
}

// -----

func @f(%a: i32) {
  // expected-error@+1 {{as many types as operands must follow `:`}}
  "br"()[^bb1(%a, %a : i32)] : () -> ()
^bb1:
  return
}

// -----

func @f() {
  // expected-error@+1 {{the arguments of the first block are not those of the region}}
  "some.region"() ((i32) -> i32 {
    "some.end"() : () -> ()
  }) : () -> ()
  return
}

// -----

// era: 2020

func @f() {
  // expected-error@+1 {{this operation has 2 result(s), but 1 are named}}
  %x = "some.pair"() : () -> (i32, i32)
  return
}
