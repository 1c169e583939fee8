//! Faults: every way in which a run can fail, with its location.

use gridloom_interp::{FaultKind, Machine, Options, StopFlag, StopReason};

use crate::{STACK_LIMIT, parse, results, run_on};

fn fault(text: &str) -> (FaultKind, String) {
    results(text).expect_err("the program should fail")
}

#[test]
fn an_access_out_of_bounds_names_index_and_place() {
    let text = "func.func @main(%m: memref<4xi32>) {
      %c4 = arith.constant 4 : index
      %v = memref.load %m[%c4] : memref<4xi32>
      return
    }";
    let (kind, shown) = run_on(text, "memref<4xi32>", &[0; 4]).unwrap_err();
    assert_eq!(
        kind,
        FaultKind::OutOfBounds {
            dim: 0,
            index: 4,
            size: 4
        }
    );
    assert!(shown.starts_with("test.mlir:3:"), "{shown}");
}

#[test]
fn reading_what_nothing_wrote_is_a_fault() {
    let text = "func.func @main() {
      %c0 = arith.constant 0 : index
      %m = memref.alloc() : memref<2xi32>
      %v = memref.load %m[%c0] : memref<2xi32>
      return
    }";
    assert_eq!(fault(text).0, FaultKind::Uninitialised);
}

#[test]
fn a_freed_buffer_is_gone() {
    let text = "func.func @main() {
      %c0 = arith.constant 0 : index
      %one = arith.constant 1 : i32
      %m = memref.alloc() : memref<2xi32>
      memref.dealloc %m : memref<2xi32>
      %n = memref.alloc() : memref<2xi32>
      memref.store %one, %m[%c0] : memref<2xi32>
      return
    }";
    assert!(matches!(fault(text).0, FaultKind::UseAfterFree(_)));
    let twice = "func.func @main() {
      %m = memref.alloc() : memref<2xi32>
      memref.dealloc %m : memref<2xi32>
      memref.dealloc %m : memref<2xi32>
      return
    }";
    assert!(matches!(fault(twice).0, FaultKind::BadFree(_)));
}

#[test]
fn stack_memory_ends_with_its_scope() {
    // Each iteration allocates a megabyte; all together would exceed the limit below.
    let text = "func.func @main() {
      affine.for %i = 0 to 100 {
        %m = memref.alloca() : memref<1048576xi8>
      }
      return
    }";
    let ctx = gridloom_dialects::context();
    let module = parse(&ctx, text);
    let options = Options {
        memory_limit: 3 << 20,
        ..Options::default()
    };
    let mut machine = Machine::new(&ctx, &module, "main", None, options).unwrap();
    machine.run(&[]).unwrap();
    assert_eq!(machine.memory().used(), 0);
}

#[test]
fn division_by_zero_is_a_fault() {
    let text = "func.func @main() -> i32 {
      %one = arith.constant 1 : i32
      %zero = arith.constant 0 : i32
      %q = arith.divsi %one, %zero : i32
      return %q : i32
    }";
    assert_eq!(fault(text).0, FaultKind::DivisionByZero);
}

#[test]
fn a_step_of_zero_is_a_fault() {
    let text = "func.func @main() {
      %c0 = arith.constant 0 : index
      %c9 = arith.constant 9 : index
      scf.for %i = %c0 to %c9 step %c0 {
      }
      return
    }";
    assert_eq!(fault(text).0, FaultKind::BadStep(0));
}

#[test]
fn endless_loops_and_recursion_are_stopped() {
    let text = "func.func @main() {
      cf.br ^bb1
    ^bb1:
      cf.br ^bb1
    }";
    assert_eq!(fault(text).0, FaultKind::StepLimit(100_000));
    let text = "func.func @main() {
      call @main() : () -> ()
      return
    }";
    let (kind, shown) = fault(text);
    let FaultKind::StackOverflow { depth, limit } = kind else {
        panic!("{shown}");
    };
    assert_eq!(limit, STACK_LIMIT);
    assert!(depth > 1000, "{shown}");
    assert!(shown.contains("note: called from here"), "{shown}");
}

#[test]
fn buffers_without_elements_are_bounded() {
    let text = "func.func @main() {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %n = arith.constant 100000000 : index
      scf.for %i = %c0 to %n step %c1 {
        %a = memref.alloc() : memref<0xf32>
      }
      return
    }";
    let ctx = gridloom_dialects::context();
    let module = parse(&ctx, text);
    let options = Options {
        memory_limit: 1 << 20,
        ..Options::default()
    };
    let mut machine = Machine::new(&ctx, &module, "main", None, options).unwrap();
    let fault = machine.run(&[]).unwrap_err();
    assert!(
        matches!(fault.kind, FaultKind::OutOfMemory { bytes: 0, .. }),
        "{fault:?}"
    );
}

#[test]
fn threads_that_wait_are_bounded() {
    let text = |barrier: &str| {
        format!(
            "func.func @main() {{
      %c1 = arith.constant 1 : index
      %n = arith.constant 1000000000 : index
      gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
          threads(%tx, %ty, %tz) in (%sx = %n, %sy = %c1, %sz = %c1) {{
        {barrier}
        gpu.terminator
      }}
      return
    }}"
        )
    };
    for wait in [
        "gpu.barrier",
        "%s = gpu.all_reduce add %tx uniform {} : (index) -> index",
    ] {
        let ctx = gridloom_dialects::context();
        let module = parse(&ctx, &text(wait));
        let options = Options {
            memory_limit: 1 << 20,
            ..Options::default()
        };
        let mut machine = Machine::new(&ctx, &module, "main", None, options).unwrap();
        let kind = machine.run(&[]).unwrap_err().kind;
        let shown = kind.to_string();
        assert!(
            matches!(
                kind,
                FaultKind::TooManyThreads {
                    limit: 0x10_0000,
                    ..
                }
            ),
            "{shown}"
        );
        assert!(shown.contains("threads of a workgroup wait"), "{shown}");
    }
}

#[test]
fn recursion_is_as_deep_as_its_values_fit_the_stack() {
    let text = "func.func private @count(%n: index) -> index {
      %zero = arith.constant 0 : index
      %one = arith.constant 1 : index
      %is_end = arith.cmpi eq, %n, %zero : index
      %found = scf.if %is_end -> index {
        scf.yield %zero : index
      } else {
        %rest = arith.subi %n, %one : index
        %below = func.call @count(%rest) : (index) -> index
        %all = arith.addi %below, %one : index
        scf.yield %all : index
      }
      return %found : index
    }
    func.func @main() -> (index, index) {
      %deep = arith.constant 9000 : index
      %first = call @count(%deep) : (index) -> index
      %again = call @count(%deep) : (index) -> index
      return %first, %again : index, index
    }";
    assert_eq!(results(text), Ok(vec![9000, 9000]));
}

#[test]
fn a_negative_size_is_a_fault() {
    let text = "func.func @main() {
      %n = arith.constant -3 : index
      %m = memref.alloc(%n) : memref<?xi32>
      return
    }";
    assert_eq!(fault(text).0, FaultKind::NegativeSize(-3));
}

#[test]
fn a_view_must_lie_in_its_source() {
    let text = "func.func @main() {
      %n = arith.constant 3 : index
      %m = memref.alloc() : memref<4xi32>
      %v = memref.subview %m[%n][2][1] : memref<4xi32> to memref<2xi32, strided<[1], offset: ?>>
      return
    }";
    assert_eq!(fault(text).0, FaultKind::ViewOutOfBounds);
}

#[test]
fn a_cast_must_fit() {
    let text = "func.func @main() {
      %n = arith.constant 3 : index
      %m = memref.alloc(%n) : memref<?xi32>
      %v = memref.cast %m : memref<?xi32> to memref<4xi32>
      return
    }";
    assert!(matches!(fault(text).0, FaultKind::ShapeMismatch(_)));
}

#[test]
fn assertions_and_missing_bodies_speak() {
    let text = "func.func @main() {
      %no = arith.constant false
      cf.assert %no, \"sizes agree\"
      return
    }";
    assert_eq!(
        fault(text).0,
        FaultKind::Assertion("sizes agree".to_owned())
    );
    let text = "func.func private @elsewhere()
    func.func @main() {
      call @elsewhere() : () -> ()
      return
    }";
    assert_eq!(fault(text).0, FaultKind::NoBody("elsewhere".to_owned()));
}

#[test]
fn what_cannot_be_run_is_refused_with_its_place() {
    let text = "func.func @main() -> i128 {
      %big = arith.constant 1 : i128
      return %big : i128
    }";
    let ctx = gridloom_dialects::context();
    let module = parse(&ctx, text);
    let found = Machine::new(&ctx, &module, "main", None, Options::default())
        .err()
        .unwrap();
    assert!(
        found.render(&ctx).contains("up to 64 bits"),
        "{}",
        found.render(&ctx)
    );
    let none = Machine::new(&ctx, &module, "other", None, Options::default())
        .err()
        .unwrap();
    assert!(none.render(&ctx).contains("'@other'"));
}

#[test]
fn affine_division_needs_a_positive_divisor() {
    for (operation, expected) in [
        ("d0 mod -2", FaultKind::NegativeDivisor),
        ("d0 floordiv -3", FaultKind::NegativeDivisor),
        ("d0 ceildiv -1", FaultKind::NegativeDivisor),
        ("d0 mod 0", FaultKind::DivisionByZero),
        ("d0 floordiv 0", FaultKind::DivisionByZero),
        ("d0 ceildiv 0", FaultKind::DivisionByZero),
    ] {
        let text = format!(
            "func.func @main() -> index {{
      %c7 = arith.constant 7 : index
      %r = affine.apply affine_map<(d0) -> ({operation})>(%c7)
      return %r : index
    }}"
        );
        let (kind, shown) = fault(&text);
        assert_eq!(kind, expected, "{operation}");
        assert!(shown.starts_with("test.mlir:3:"), "{shown}");
    }
}

#[test]
fn a_call_is_named_by_its_own_place() {
    let text = "func.func private @divide(%x: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %q = arith.divsi %x, %zero : i32
  return %q : i32
}
func.func private @twice(%x: i32) -> i32 {
  %a = func.call @divide(%x) : (i32) -> i32
  %b = arith.addi %a, %a : i32
  return %b : i32
}
func.func @main() -> i32 {
  %one = arith.constant 1 : i32
  %r = func.call @twice(%one) : (i32) -> i32
  %s = arith.addi %r, %r : i32
  return %s : i32
}";
    let (kind, shown) = fault(text);
    assert_eq!(kind, FaultKind::DivisionByZero);
    let calls = shown
        .lines()
        .filter(|line| line.contains("called from here"));
    let places = Vec::from_iter(calls.map(|line| line.split(": note").next().unwrap_or("")));
    assert_eq!(places, ["test.mlir:7:8", "test.mlir:13:8"], "{shown}");
}

#[test]
fn what_is_copied_unwritten_stays_unwritten() {
    let text = "func.func @main() -> i32 {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %from = memref.alloc() : memref<2xi32>
  %to = memref.alloc() : memref<2xi32>
  memref.store %one, %to[%c0] : memref<2xi32>
  memref.copy %from, %to : memref<2xi32> to memref<2xi32>
  %v = memref.load %to[%c0] : memref<2xi32>
  return %v : i32
}";
    assert_eq!(fault(text).0, FaultKind::Uninitialised);
}

#[test]
fn a_run_stops_when_asked_to() {
    let text = "func.func @main() {
  affine.for %i = 0 to 1000000000000000 {
    %x = arith.addi %i, %i : index
  }
  return
}";
    let ctx = gridloom_dialects::context();
    let module = parse(&ctx, text);
    let mut machine = Machine::new(&ctx, &module, "main", None, Options::default()).unwrap();
    let stop = StopFlag::default();
    machine.set_stop(stop.clone());
    let asking = std::thread::spawn(move || {
        stop.request(StopReason::Cancelled);
        stop.request(StopReason::TimeLimit);
    });
    let fault = machine.run(&[]).unwrap_err();
    assert_eq!(fault.kind, FaultKind::Stopped(StopReason::Cancelled));
    let shown = fault.to_diagnostic().render(&ctx);
    assert!(
        shown.starts_with("test.mlir:2:3: error: stopped here"),
        "{shown}"
    );
    asking.join().unwrap();
}

/// The system commits memory when it is first touched: 4 GiB cost nothing before.
#[cfg(target_os = "linux")]
#[test]
fn memory_is_not_touched_before_the_program_does() {
    let text = "func.func @main() -> i8 {
  %last = arith.constant 4294967295 : index
  %one = arith.constant 1 : i8
  %m = memref.alloc() : memref<4294967296xi8>
  memref.store %one, %m[%last] : memref<4294967296xi8>
  %v = memref.load %m[%last] : memref<4294967296xi8>
  return %v : i8
}";
    assert_eq!(results(text), Ok(vec![1]));
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let peak = peak.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    assert!(peak.unwrap() < 1 << 20, "{peak:?} KiB were touched");
}
