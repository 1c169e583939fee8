//! Generator of inputs that grow in one way each.

use std::fmt::Write;

use crate::random::Random;

/// Way in which an input grows.
pub struct Kind {
    /// Name of the growing part.
    pub name: &'static str,
    /// Number of such parts in the smaller input.
    pub size: usize,
    /// Writes the module with a given number of them.
    pub make: fn(usize) -> String,
}

/// All kinds.
pub const KINDS: [Kind; 7] = [
    Kind {
        name: "functions",
        size: 100,
        make: functions,
    },
    Kind {
        name: "nests of one function",
        size: 100,
        make: nests,
    },
    Kind {
        name: "loops in one nest",
        size: 20,
        make: depth,
    },
    Kind {
        name: "accesses of one nest",
        size: 200,
        make: accesses,
    },
    Kind {
        name: "statements of one function",
        size: 1000,
        make: statements,
    },
    Kind {
        name: "applies in a row",
        size: 100,
        make: applies,
    },
    Kind {
        name: "statements in eight loops",
        size: 5,
        make: crossed,
    },
];

/// A matrix product and a stencil, of symbolic extents.
const NESTS: &str = "\
    affine.for %i = 0 to %n {
      affine.for %j = 0 to %n {
        affine.for %k = 0 to %n {
          %x = affine.load %a[%i, %k] : memref<?x?xf32>
          %y = affine.load %b[%k, %j] : memref<?x?xf32>
          %p = arith.mulf %x, %y : f32
          %z = affine.load %c[%i, %j] : memref<?x?xf32>
          %s = arith.addf %z, %p : f32
          affine.store %s, %c[%i, %j] : memref<?x?xf32>
        }
      }
    }
    affine.for %i = 1 to %n {
      %x = affine.load %a[%i - 1, 0] : memref<?x?xf32>
      %y = affine.load %a[%i, 1] : memref<?x?xf32>
      %s = arith.addf %x, %y : f32
      affine.store %s, %b[%i, 0] : memref<?x?xf32>
    }
";

const PARAMETERS: &str = "%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>, %n: index";

fn functions(count: usize) -> String {
    (0..count)
        .map(|k| format!("func.func @f{k}({PARAMETERS}) {{\n{NESTS}  return\n}}\n"))
        .collect()
}

fn nests(count: usize) -> String {
    let nests = NESTS.repeat(count);
    format!("func.func @f({PARAMETERS}) {{\n{nests}  return\n}}\n")
}

/// Nested loops, each bounded by the counter of the one around it. The parser accepts a nesting
/// depth of about 250.
fn depth(count: usize) -> String {
    let mut text = format!("func.func @f({PARAMETERS}) {{\naffine.for %i0 = 0 to %n {{\n");
    for k in 1..count {
        let outer = k - 1;
        let _ = writeln!(
            text,
            "affine.for %i{k} = 0 to affine_map<(d0) -> (d0 + 1)>(%i{outer}) {{"
        );
    }
    let last = count - 1;
    let _ = writeln!(
        text,
        "%x = affine.load %a[%i{last}, 0] : memref<?x?xf32>\naffine.store %x, %a[%i0, 0] : memref<?x?xf32>"
    );
    text + &"}\n".repeat(count) + "return\n}\n"
}

fn accesses(count: usize) -> String {
    let mut text = format!(
        "func.func @f({PARAMETERS}) {{\naffine.for %i = 0 to %n {{\naffine.for %j = 0 to %n {{\n"
    );
    for k in 0..count / 2 {
        let _ = writeln!(
            text,
            "%x{k} = affine.load %b[%i, %j + {k}] : memref<?x?xf32>\naffine.store %x{k}, %c[%i + {k}, %j] : memref<?x?xf32>"
        );
    }
    text + "}\n}\nreturn\n}\n"
}

fn statements(count: usize) -> String {
    let mut text =
        format!("func.func @f({PARAMETERS}) {{\n%v0 = affine.load %a[0, 0] : memref<?x?xf32>\n");
    for k in 1..count {
        let before = k - 1;
        let _ = writeln!(
            text,
            "%v{k} = arith.addf %v{before}, %v{before} : f32\naffine.store %v{k}, %b[{k}, 0] : memref<?x?xf32>"
        );
    }
    text + "return\n}\n"
}

/// A chain of applications, each of which uses its operand twice.
fn applies(count: usize) -> String {
    let mut text = format!("func.func @f({PARAMETERS}) {{\naffine.for %v0 = 0 to 1000 {{\n");
    for k in 1..count {
        let (before, by) = (k - 1, k % 7 + 2);
        let _ = writeln!(
            text,
            "%v{k} = affine.apply affine_map<(d0, d1) -> ((d0 + d1) mod {by} + d0 floordiv 2)>(%v{before}, %v{before})"
        );
    }
    let last = count - 1;
    let _ = writeln!(
        text,
        "%x = memref.load %a[%v{last}, %v0] : memref<?x?xf32>\nmemref.store %x, %b[%v0, %v0] : memref<?x?xf32>"
    );
    text + "}\nreturn\n}\n"
}

/// Statements in a nest of eight loops that read and write eight arrays, the counters in a random
/// order in each subscript list: the most that pairs of accesses can differ in.
fn crossed(count: usize) -> String {
    const RANK: usize = 8;
    const TYPE: &str = "memref<8x8x8x8x8x8x8x8xf32>";
    let arrays: Vec<String> = (0..RANK).map(|k| format!("%a{k}: {TYPE}")).collect();
    let mut text = format!("func.func @f({}) {{\n", arrays.join(", "));
    for k in 0..RANK {
        let _ = writeln!(text, "affine.for %i{k} = 1 to 7 {{");
    }
    let mut random = Random::new(1);
    for k in 0..count {
        let mut element = || {
            let mut counters: Vec<String> = (0..RANK).map(|k| format!("%i{k}")).collect();
            for last in (1..RANK).rev() {
                counters.swap(last, random.below(last + 1));
            }
            format!("%a{}[{}] : {TYPE}", random.below(RANK), counters.join(", "))
        };
        let [x, y, z] = [(); 3].map(|()| element());
        let _ = writeln!(
            text,
            "%x{k} = affine.load {x}\n%y{k} = affine.load {y}\n%z{k} = arith.addf %x{k}, %y{k} : f32\naffine.store %z{k}, {z}"
        );
    }
    text + &"}\n".repeat(RANK) + "return\n}\n"
}
