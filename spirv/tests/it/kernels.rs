//! Whole kernels: control flow, views, scratch memory, barriers, guards.
use gridloom_spirv::{Bounds, IndexWidth, Profile};

use crate::device::{Arg, Target, bytes, compile, launch, module, on_each_target, run, words};

/// Text of a kernel `@m::@k` of 32 threads a workgroup with these arguments and body.
fn kernel(args: &str, body: &str) -> String {
    format!(
        "module attributes {{gpu.container_module}} {{ gpu.module @m {{\n\
         gpu.func @k({args}) kernel attributes {{known_block_size = array<i32: 32, 1, 1>}} {{\n\
         %i = gpu.global_id x\n{body}\n gpu.return }} }} }}\n"
    )
}

/// Runs a kernel of one workgroup on `input`; returns as many results.
fn apply(target: &Target, body: &str, input: &[i32]) -> Vec<i32> {
    let count = input.len();
    let args = format!("%x: memref<{count}xi32>, %out: memref<{count}xi32>");
    let text = kernel(&args, body);
    let (input, out) = (bytes(input), bytes(&vec![-77; count]));
    let args = [Arg::Memory(&input, &[]), Arg::Memory(&out, &[])];
    let outcome = run(target, &text, [1, 1, 1], &args);
    assert!(outcome.faults.is_empty(), "{:?}", outcome.faults);
    words(&outcome.memory[1])
}

fn numbers() -> Vec<i32> {
    (0..32).map(|n| (n * 7919) % 97).collect()
}

/// Counts the steps of the Collatz sequence from `n + 1`, in a `while`.
#[test]
fn while_loops_carry_values() {
    let body = "
      %zero = arith.constant 0 : i32
      %one = arith.constant 1 : i32
      %two = arith.constant 2 : i32
      %three = arith.constant 3 : i32
      %x0 = memref.load %x[%i] : memref<32xi32>
      %start = arith.addi %x0, %one : i32
      %end, %steps = scf.while (%n = %start, %s = %zero) : (i32, i32) -> (i32, i32) {
        %go = arith.cmpi ne, %n, %one : i32
        scf.condition(%go) %n, %s : i32, i32
      } do {
      ^bb0(%n: i32, %s: i32):
        %r = arith.remui %n, %two : i32
        %odd = arith.cmpi ne, %r, %zero : i32
        %next = scf.if %odd -> i32 {
          %t = arith.muli %n, %three : i32
          %u = arith.addi %t, %one : i32
          scf.yield %u : i32
        } else {
          %h = arith.divui %n, %two : i32
          scf.yield %h : i32
        }
        %s1 = arith.addi %s, %one : i32
        scf.yield %next, %s1 : i32, i32
      }
      memref.store %steps, %out[%i] : memref<32xi32>";
    let collatz = |start: i32| {
        let (mut n, mut steps) = (start, 0);
        while n != 1 {
            n = if n % 2 == 1 { 3 * n + 1 } else { n / 2 };
            steps += 1;
        }
        steps
    };
    let expected: Vec<i32> = numbers().iter().map(|n| collatz(n + 1)).collect();
    on_each_target(|target| assert_eq!(apply(target, body, &numbers()), expected));
}

/// Two loops, one in the other, that swap their loop-carried values.
#[test]
fn nested_loops_swap_values() {
    let body = "
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %x0 = memref.load %x[%i] : memref<32xi32>
      %n = arith.index_cast %x0 : i32 to index
      %zero = arith.constant 0 : i32
      %one = arith.constant 1 : i32
      %a, %b = scf.for %j = %c0 to %n step %c3 iter_args(%p = %zero, %q = %one) -> (i32, i32) {
        %p1, %q1 = scf.for %l = %c0 to %j step %c1 iter_args(%u = %p, %v = %q) -> (i32, i32) {
          %w = arith.addi %u, %v : i32
          scf.yield %v, %w : i32, i32
        }
        scf.yield %q1, %p1 : i32, i32
      }
      %r = arith.subi %a, %b : i32
      memref.store %r, %out[%i] : memref<32xi32>";
    let fold = |n: i32| {
        let (mut p, mut q) = (0i32, 1i32);
        for j in (0..n).step_by(3) {
            for _ in 0..j {
                (p, q) = (q, p.wrapping_add(q));
            }
            (p, q) = (q, p);
        }
        p.wrapping_sub(q)
    };
    let expected: Vec<i32> = numbers().iter().map(|&n| fold(n)).collect();
    on_each_target(|target| assert_eq!(apply(target, body, &numbers()), expected));
}

/// Loops whose counters come next to the largest integer end: counters do not wrap around.
#[test]
fn counters_do_not_wrap() {
    let body = "
      %x0 = memref.load %x[%i] : memref<32xi32>
      %lower = arith.constant 2147483600 : i32
      %upper = arith.constant 2147483647 : i32
      %zero = arith.constant 0 : i32
      %one = arith.constant 1 : i32
      %step = arith.addi %x0, %one : i32
      %n = scf.for %j = %lower to %upper step %step iter_args(%s = %zero) -> (i32) : i32 {
        %t = arith.addi %s, %one : i32
        scf.yield %t : i32
      }
      memref.store %n, %out[%i] : memref<32xi32>";
    let expected: Vec<i32> = numbers().iter().map(|n| (47 + n) / (n + 1)).collect();
    on_each_target(|target| assert_eq!(apply(target, body, &numbers()), expected));
}

#[test]
fn switches_choose_one_case() {
    let body = "
      %x0 = memref.load %x[%i] : memref<32xi32>
      %five = arith.constant 5 : i32
      %m = arith.remui %x0, %five : i32
      %n = arith.index_cast %m : i32 to index
      %r = scf.index_switch %n -> i32
      case 0 { %c = arith.constant 10 : i32 scf.yield %c : i32 }
      case 3 { %c = arith.constant 30 : i32 scf.yield %c : i32 }
      default { scf.yield %m : i32 }
      memref.store %r, %out[%i] : memref<32xi32>";
    let choose = |n: &i32| match n % 5 {
        0 => 10,
        3 => 30,
        m => m,
    };
    let expected: Vec<i32> = numbers().iter().map(choose).collect();
    on_each_target(|target| assert_eq!(apply(target, body, &numbers()), expected));
}

/// Views of views of a matrix: what a subview of a reinterpreted buffer reads.
#[test]
fn views_compose() {
    let body = "
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %matrix = memref.reinterpret_cast %x to offset: [0], sizes: [4, 8], strides: [8, 1]
          : memref<32xi32> to memref<4x8xi32, strided<[8, 1]>>
      %part = memref.subview %matrix[1, %c2] [2, 3] [2, 2]
          : memref<4x8xi32, strided<[8, 1]>> to memref<2x3xi32, strided<[16, 2], offset: ?>>
      %row = memref.subview %part[1, 0] [1, 3] [1, 1]
          : memref<2x3xi32, strided<[16, 2], offset: ?>> to memref<3xi32, strided<[2], offset: ?>>
      %dynamic = memref.cast %row
          : memref<3xi32, strided<[2], offset: ?>> to memref<?xi32, strided<[2], offset: ?>>
      %size = memref.dim %dynamic, %c0 : memref<?xi32, strided<[2], offset: ?>>
      %in = arith.cmpi slt, %i, %size : index
      scf.if %in {
        %v = memref.load %dynamic[%i] : memref<?xi32, strided<[2], offset: ?>>
        memref.store %v, %out[%i] : memref<32xi32>
      }";
    let input = numbers();
    let mut expected = vec![-77; 32];
    for (place, slot) in expected.iter_mut().take(3).enumerate() {
        *slot = input[(1 + 2) * 8 + 2 + 2 * place];
    }
    on_each_target(|target| assert_eq!(apply(target, body, &input), expected));
}

/// A workgroup reverses its elements through workgroup memory; a thread adds up the elements that
/// it wrote to its private memory.
#[test]
fn scratch_memory_and_barriers() {
    let text = "module attributes {gpu.container_module} { gpu.module @m {
      gpu.func @k(%x: memref<64xi32>, %out: memref<64xi32>)
          workgroup(%shared: memref<32xi32, #gpu.address_space<workgroup>>)
          private(%own: memref<4xi32, #gpu.address_space<private>>)
          kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
        %i = gpu.global_id x
        %t = gpu.thread_id x
        %d = gpu.block_dim x
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c4 = arith.constant 4 : index
        %v = memref.load %x[%i] : memref<64xi32>
        memref.store %v, %shared[%t] : memref<32xi32, #gpu.address_space<workgroup>>
        gpu.barrier
        %last = arith.subi %d, %c1 : index
        %from = arith.subi %last, %t : index
        %w = memref.load %shared[%from] : memref<32xi32, #gpu.address_space<workgroup>>
        scf.for %j = %c0 to %c4 step %c1 {
          %n = arith.index_cast %j : index to i32
          %p = arith.muli %n, %w : i32
          memref.store %p, %own[%j] : memref<4xi32, #gpu.address_space<private>>
        }
        %zero = arith.constant 0 : i32
        %sum = scf.for %j = %c0 to %c4 step %c1 iter_args(%s = %zero) -> i32 {
          %p = memref.load %own[%j] : memref<4xi32, #gpu.address_space<private>>
          %u = arith.addi %s, %p : i32
          scf.yield %u : i32
        }
        memref.store %sum, %out[%i] : memref<64xi32>
        gpu.return } } }";
    let input: Vec<i32> = (0..64).map(|n| n * n - 5).collect();
    let expected: Vec<i32> = (0..64)
        .map(|i| 6 * input[(i / 32) * 32 + 31 - i % 32])
        .collect();
    on_each_target(|target| {
        let (x, out) = (bytes(&input), bytes(&[0; 64]));
        let args = [Arg::Memory(&x, &[]), Arg::Memory(&out, &[])];
        let outcome = run(target, text, [2, 1, 1], &args);
        assert_eq!(words(&outcome.memory[1]), expected);
    });
}

/// Accesses out of range give 0 or are dropped, and are reported; accesses marked as proved are not
/// checked.
#[test]
fn guards_report_faults() {
    let body = "
      %zero = arith.constant 0 : index
      %eight = arith.constant 8 : index
      %back = arith.subi %i, %eight : index
      %v = memref.load %x[%back] : memref<?xi32>
      %one = arith.constant 1 : i32
      %w = arith.addi %v, %one : i32
      memref.store %w, %out[%i] {gridloom.inbounds} : memref<32xi32>
      %far = arith.addi %i, %eight : index
      memref.store %offset, %x[%far] : memref<?xi32>";
    let text = kernel(
        "%x: memref<?xi32>, %offset: i32, %out: memref<32xi32>",
        body,
    );
    on_each_target(|target| {
        for width in [IndexWidth::Bits32, IndexWidth::Bits64] {
            let mut env = target.env;
            env.index_width = width;
            if width == IndexWidth::Bits64 && !env.features.i64 {
                continue;
            }
            let ctx = gridloom_dialects::context();
            let module = module(&ctx, &text);
            let compiled = compile(&ctx, &module, &env);
            assert_eq!(compiled.entry.abi.fault_sites.len(), 2);
            assert_eq!(compiled.required.i64, width == IndexWidth::Bits64);
            let x: Vec<i32> = (100..120).collect();
            let (x, out) = (bytes(&x), bytes(&[0; 32]));
            let args = [
                Arg::Memory(&x, &[20]),
                Arg::Word(-3i32 as u32),
                Arg::Memory(&out, &[]),
            ];
            let outcome = launch(target, &compiled, [1, 1, 1], &args);
            // x[i - 8] for 8 <= i < 28 has not been overwritten by a thread
            // below it: x[8..20] may hold -3 already.
            let results = words(&outcome.memory[1]);
            for (i, &got) in results.iter().enumerate() {
                let expected = match i {
                    8..16 => vec![100 + i as i32 - 8 + 1],
                    16..28 => vec![100 + i as i32 - 8 + 1, -2],
                    _ => vec![1],
                };
                assert!(expected.contains(&got), "{i}: {got}");
            }
            let memory = words(&outcome.memory[0]);
            assert_eq!(memory[..8], (100..108).collect::<Vec<_>>());
            assert_eq!(memory[8..], [-3; 12]);
            let [(site, count)] = outcome.faults[..] else {
                panic!("{:?}", outcome.faults);
            };
            assert!(site < 2);
            // 8 + 4 loads and 20 stores.
            assert_eq!(count, 32);
        }
    });
}

/// Of an access that is proved in range along some dimensions, the other indices alone are checked.
#[test]
fn guards_check_the_dimensions_that_are_not_proved() {
    let body = "
      %two = arith.constant 2 : index
      %row = arith.subi %i, %two : index
      %four = arith.constant 4 : index
      %col = arith.remui %i, %four : index
      %v = memref.load %x[%row, %col] {gridloom.inbounds = array<i1: false, true>} : memref<10x4xi32>
      memref.store %v, %out[%i] {gridloom.inbounds} : memref<32xi32>";
    let text = kernel("%x: memref<10x4xi32>, %out: memref<32xi32>", body);
    let ctx = gridloom_dialects::context();
    let module = module(&ctx, &text);
    let compiled = compile(&ctx, &module, &gridloom_spirv::TargetEnv::default());
    let assembly = gridloom_spirv::disassemble(&compiled.words).expect("a module we made");
    assert_eq!(assembly.matches("OpULessThan").count(), 1, "{assembly}");
    let (x, out) = (bytes(&(0..40).collect::<Vec<i32>>()), bytes(&[7; 32]));
    on_each_target(|target| {
        let args = [Arg::Memory(&x, &[]), Arg::Memory(&out, &[])];
        let outcome = run(target, &text, [1, 1, 1], &args);
        let expected: Vec<i32> = (0..32)
            .map(|i| {
                if (2..12).contains(&i) {
                    (i - 2) * 4 + i % 4
                } else {
                    0
                }
            })
            .collect();
        assert_eq!(words(&outcome.memory[1]), expected);
        // Rows -2, -1 and 10 to 29.
        assert_eq!(outcome.faults, [(0, 22)]);
    });
}

#[test]
fn unguarded_kernels_have_no_fault_buffer() {
    let text = kernel(
        "%x: memref<?xi32>",
        "%v = memref.load %x[%i] : memref<?xi32>\nmemref.store %v, %x[%i] : memref<?xi32>",
    );
    let ctx = gridloom_dialects::context();
    let module = module(&ctx, &text);
    for profile in [Profile::Native, Profile::Portable] {
        let env = gridloom_spirv::TargetEnv {
            profile,
            bounds: Bounds::Off,
            ..Default::default()
        };
        let compiled = compile(&ctx, &module, &env);
        assert_eq!(compiled.entry.abi.fault_binding, None);
        assert!(compiled.entry.abi.fault_sites.is_empty());
    }
}

/// Contraction may change a value in its last place, and so the result of a comparison: kernels
/// that compare floats are not contracted.
#[test]
fn kernels_that_decide_by_floats_are_not_contracted() {
    let contracts = |decision: &str| {
        let body = format!(
            "%v = memref.load %x[%i] : memref<32xf32>
             %p = arith.mulf %v, %v : f32
             %s = arith.addf %p, %v : f32
             {decision}
             memref.store %r, %x[%i] : memref<32xf32>"
        );
        let ctx = gridloom_dialects::context();
        let module = module(&ctx, &kernel("%x: memref<32xf32>", &body));
        let compiled = compile(&ctx, &module, &gridloom_spirv::TargetEnv::default());
        let text = gridloom_spirv::disassemble(&compiled.words).expect("a module we made");
        !text.contains("NoContraction")
    };
    assert!(contracts("%r = arith.addf %s, %v : f32"));
    let compared = "%c = arith.cmpf olt, %s, %v : f32
             %r = arith.select %c, %s, %v : f32";
    assert!(!contracts(compared));
}
