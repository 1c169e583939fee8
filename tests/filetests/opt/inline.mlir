// test: opt --inline
// test: run-opt --entry=entry --arg=1.5 --arg=0

func.func private @twice(%x: f32) -> f32 {
  %y = arith.addf %x, %x : f32
  return %y : f32
}

func.func private @four_times(%x: f32) -> f32 {
  %y = func.call @twice(%x) : (f32) -> f32
  %z = func.call @twice(%y) : (f32) -> f32
  return %z : f32
}

// Private functions go when their last call has been inlined; recursive ones
// stay, and so do their calls.
func.func @entry(%x: f32, %p: i1) -> f32 {
  %y = func.call @four_times(%x) : (f32) -> f32
  %z = func.call @forever(%y, %p) : (f32, i1) -> f32
  return %z : f32
}

func.func private @forever(%x: f32, %p: i1) -> f32 {
  %r = scf.if %p -> f32 {
    %y = func.call @forever(%x, %p) : (f32, i1) -> f32
    scf.yield %y : f32
  } else {
    scf.yield %x : f32
  }
  return %r : f32
}
