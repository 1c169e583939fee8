use gridloom_ir::Body;

use super::*;

/// Loops over two intervals around one operation.
fn kernel(op: &str, [a, b]: [(i64, i64); 2]) -> String {
    let constants = [a.0, a.1 + 1, b.0, b.1 + 1];
    let constants: String = (constants.iter().enumerate())
        .map(|(k, value)| format!("%e{k} = arith.constant {value} : index\n"))
        .collect();
    format!(
        "gpu.module @m {{ gpu.func @k() kernel {{
          {constants}
          %c1 = arith.constant 1 : index
          scf.for %a = %e0 to %e1 step %c1 {{
            scf.for %b = %e2 to %e3 step %c1 {{
              %r = arith.{op} %a, %b : index
            }}
          }}
          gpu.return
        }} }}"
    )
}

/// The interval of the operation; `None` where it may not fit 32 bits.
fn interval(op: &str, operands: [(i64, i64); 2]) -> Option<Interval> {
    let ctx = crate::context();
    let module = crate::parse(&ctx, "kernel.mlir", kernel(op, operands).as_bytes());
    let module = module.expect("it parses");
    let inner = |body: &Body| {
        let op = body.walk().into_iter().next().expect("one operation");
        body[op].isolated().expect("with a body").clone()
    };
    let kernel = inner(&inner(module.body()));
    let launch = LaunchConfig {
        grid: [1; 3],
        part: None,
        block: [1; 3],
        arguments: &[],
    };
    let name = format!("arith.{op}");
    let mut ops = kernel.walk().into_iter();
    let op = ops.find(|&op| ctx.op_name_str(kernel[op].name) == name);
    let result = kernel[op.expect("it is there")].result(0);
    Ranges::of_narrow(&ctx, &kernel, &launch)?.of(result)
}

/// What an operation computes of 64-bit numbers, of which floats hold those of the tests; `None` where it has no meaning.
fn compute(op: &str, a: i64, b: i64) -> Option<i64> {
    let (x, y) = (a as u64, b as u64);
    Some(match op {
        "addi" => a.wrapping_add(b),
        "subi" => a.wrapping_sub(b),
        "muli" => a.wrapping_mul(b),
        "divsi" => a.checked_div(b)?,
        "remsi" => a.checked_rem(b)?,
        "floordivsi" | "ceildivsi" if b == 0 => return None,
        "floordivsi" => (a as f64 / b as f64).floor() as i64,
        "ceildivsi" => (a as f64 / b as f64).ceil() as i64,
        "divui" => x.checked_div(y)? as i64,
        "remui" => x.checked_rem(y)? as i64,
        "minsi" => a.min(b),
        "maxsi" => a.max(b),
        "minui" => x.min(y) as i64,
        "maxui" => x.max(y) as i64,
        "shli" => a.checked_shl(u32::try_from(b).ok()?)?,
        "shrsi" => a.checked_shr(u32::try_from(b).ok()?)?,
        "shrui" => x.checked_shr(u32::try_from(b).ok()?)? as i64,
        "ori" => a | b,
        "xori" => a ^ b,
        "andi" => a & b,
        "ceildivui" => x.checked_div(y).map(|q| q + u64::from(q * y != x))? as i64,
        _ => return None,
    })
}

#[test]
fn an_interval_holds_all_that_its_operation_computes() {
    let intervals = [
        (0, 0),
        (0, 6),
        (3, 9),
        (31, 33),
        (-5, -2),
        (-4, 7),
        (100, 130),
    ];
    let ops = [
        "addi",
        "subi",
        "muli",
        "divsi",
        "remsi",
        "floordivsi",
        "ceildivsi",
        "divui",
        "remui",
        "minsi",
        "maxsi",
        "minui",
        "maxui",
        "shli",
        "shrsi",
        "shrui",
        "ori",
        "xori",
        "andi",
        "ceildivui",
    ];
    for op in ops {
        let mut narrow = 0;
        for a in intervals {
            for b in intervals {
                let Some((least, most)) = interval(op, [a, b]) else {
                    continue;
                };
                narrow += 1;
                for x in a.0..=a.1 {
                    let results = (b.0..=b.1).filter_map(|y| compute(op, x, y));
                    for result in results.map(i128::from) {
                        assert!(
                            (least..=most).contains(&result),
                            "{op} of {a:?} and {b:?} gives {result}, not in {least} to {most}"
                        );
                    }
                }
            }
        }
        assert!(narrow >= 8, "{op} is bounded in {narrow} cases only");
    }
}

#[test]
fn quotients_and_remainders_are_as_tight_as_their_ends() {
    assert_eq!(interval("divsi", [(64, 120), (64, 64)]), Some((1, 1)));
    assert_eq!(interval("floordivsi", [(-9, -1), (5, 5)]), Some((-2, -1)));
    assert_eq!(interval("ceildivsi", [(-9, 9), (5, 5)]), Some((-1, 2)));
    assert_eq!(interval("divui", [(7, 20), (2, 3)]), Some((2, 10)));
    assert_eq!(interval("remsi", [(-3, 9), (100, 100)]), Some((-3, 9)));
    assert_eq!(interval("remui", [(0, 9), (4, 6)]), Some((0, 5)));
}

#[test]
fn keys_are_clamped_from_above() {
    let keys = (i64::from(i32::MIN), i64::from(i32::MAX) - 1);
    assert_eq!(interval("minui", [keys, (256, 256)]), Some((0, 256)));
}

#[test]
fn a_shift_that_no_register_has_is_wide() {
    assert_eq!(interval("shrui", [(0, 100), (0, 40)]), None);
    assert_eq!(interval("shli", [(1, 1), (0, 31)]), None);
    assert_eq!(interval("shli", [(1, 1), (0, 30)]), Some((1, 1 << 30)));
}
