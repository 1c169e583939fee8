//! Generator of affine functions whose nests become one kernel each.

use std::fmt::Write;

use crate::random::Random;

/// Default number of nests in a function.
pub const NESTS: usize = 4;

/// Random choices that distinguish kernels of one kind.
struct Draw<'a> {
    random: &'a mut Random,
    /// The type of the function's matrices `%a`, `%b` and `%c`.
    matrix: &'a str,
    /// The type of the function's vector `%v`, a column of those.
    vector: &'a str,
    /// The upper bounds of loops over rows and columns.
    extents: [&'a str; 2],
}

/// A kind of nest: appends its text to the function's body.
type Kind = fn(&mut Draw, &mut String);

const KINDS: [Kind; 6] = [
    elementwise,
    stencil,
    row_sums,
    product,
    scaled_rows,
    bordered,
];

/// Writes a module of `count` nests, each of which becomes one kernel.
pub fn module(count: usize) -> String {
    let mut text = String::new();
    let mut random = Random::new(2);
    for function in 0..count.div_ceil(NESTS) {
        let nests = NESTS.min(count - function * NESTS);
        let is_open = random.one_in(3);
        self::function(&mut text, &mut random, function, nests, is_open);
    }
    text
}

/// Writes a module of at least `bytes` bytes with `nests` nests in each function, over arrays of
/// static extents: `mlir-opt` makes no SPIR-V of others.
pub fn module_of_size(bytes: usize, nests: usize) -> String {
    let mut text = String::new();
    let mut random = Random::new(2);
    for function in 0.. {
        if text.len() >= bytes {
            break;
        }
        self::function(&mut text, &mut random, function, nests, false);
    }
    text
}

/// Writes a function of `nests` nests; its extents are arguments where it `is_open`.
fn function(text: &mut String, random: &mut Random, number: usize, nests: usize, is_open: bool) {
    let (rows, columns) = (32 + random.below(4000), 32 + random.below(4000));
    let (rows, columns) = (rows.to_string(), columns.to_string());
    let extents = match is_open {
        true => ["%n", "%m"],
        false => [&rows[..], &columns[..]],
    };
    let [height, width] = match is_open {
        true => ["?"; 2],
        false => extents,
    };
    let vector = format!("memref<{height}xf32>");
    let matrix = format!("memref<{height}x{width}xf32>");
    let _ = writeln!(
        text,
        "func.func @f{number}(%a: {matrix}, %b: {matrix}, %c: {matrix}, %v: {vector}, \
         %n: index, %m: index, %x: f32) {{"
    );
    for _ in 0..nests {
        let kind = random.pick(&KINDS);
        let mut draw = Draw {
            random,
            matrix: &matrix,
            vector: &vector,
            extents,
        };
        kind(&mut draw, text);
    }
    text.push_str("  return\n}\n");
}

impl Draw<'_> {
    /// A binary operation of floats.
    fn op(&mut self) -> &'static str {
        self.random.pick(&["addf", "subf", "mulf", "maximumf"])
    }

    /// Writes loops over rows, from `low` to `high` less than their number, and likewise over
    /// columns.
    fn loops(&self, text: &mut String, low: usize, high: usize) {
        let [n, m] = self.extents.map(|extent| match (high, extent) {
            (0, _) => extent.to_owned(),
            (_, extent) if extent.starts_with('%') => {
                format!("affine_map<()[s] -> (s - {high})>()[{extent}]")
            }
            (_, extent) => extent
                .parse::<usize>()
                .map_or_else(|_| extent.to_owned(), |extent| (extent - high).to_string()),
        });
        let _ = writeln!(
            text,
            "  affine.for %i = {low} to {n} {{\n    affine.for %j = {low} to {m} {{"
        );
    }

    fn load(&self, text: &mut String, name: &str, from: &str, at: &str) {
        let matrix = self.matrix;
        let _ = writeln!(text, "      {name} = affine.load {from}[{at}] : {matrix}");
    }

    fn store(&self, text: &mut String, name: &str, to: &str, at: &str) {
        let matrix = self.matrix;
        let _ = writeln!(text, "      affine.store {name}, {to}[{at}] : {matrix}");
    }
}

/// Kernel `c[i][j] = a[i][j] op b[i][j] op constant …`.
fn elementwise(draw: &mut Draw, text: &mut String) {
    draw.loops(text, 0, 0);
    draw.load(text, "%p", "%a", "%i, %j");
    draw.load(text, "%q", "%b", "%i, %j");
    let (first, constant) = (draw.op(), draw.random.below(1000));
    let _ = writeln!(text, "      %k = arith.constant {constant}.5 : f32");
    let _ = writeln!(text, "      %r0 = arith.{first} %p, %q : f32");
    let steps = draw.random.between(1, 4);
    for step in 1..=steps {
        let (op, before) = (draw.op(), step - 1);
        let other = draw.random.pick(&["%k", "%x", "%p"]);
        let _ = writeln!(
            text,
            "      %r{step} = arith.{op} %r{before}, {other} : f32"
        );
    }
    draw.store(text, &format!("%r{steps}"), "%c", "%i, %j");
    text.push_str("    }\n  }\n");
}

/// Kernel of a weighted sum of neighbours in `a`.
fn stencil(draw: &mut Draw, text: &mut String) {
    let reach = draw.random.between(1, 3);
    draw.loops(text, reach, reach);
    draw.load(text, "%p", "%a", "%i, %j");
    draw.load(text, "%q", "%a", &format!("%i - {reach}, %j"));
    draw.load(text, "%r", "%a", &format!("%i + {reach}, %j"));
    draw.load(text, "%s", "%a", &format!("%i, %j - {reach}"));
    draw.load(text, "%t", "%a", &format!("%i, %j + {reach}"));
    text.push_str(
        "      %u = arith.addf %p, %q : f32\n      %w = arith.addf %u, %r : f32\n      \
         %y = arith.addf %w, %s : f32\n      %z = arith.addf %y, %t : f32\n",
    );
    let weight = draw.random.between(1, 99);
    let _ = writeln!(
        text,
        "      %k = arith.constant 0.{weight:02} : f32\n      %o = arith.mulf %z, %k : f32"
    );
    draw.store(text, "%o", "%b", "%i, %j");
    text.push_str("    }\n  }\n");
}

/// Kernel of row sums `v[i]`, carried by the inner loop.
fn row_sums(draw: &mut Draw, text: &mut String) {
    let [n, m] = draw.extents;
    let step = draw.random.between(1, 4);
    let _ = writeln!(
        text,
        "  affine.for %i = 0 to {n} {{\n    %zero = arith.constant 0.0 : f32\n    \
         %sum = affine.for %j = 0 to {m} step {step} iter_args(%part = %zero) -> (f32) {{"
    );
    draw.load(text, "%p", "%a", "%i, %j");
    let _ = writeln!(
        text,
        "      %next = arith.addf %part, %p : f32\n      affine.yield %next : f32\n    }}\n    \
         affine.store %sum, %v[%i] : {}\n  }}",
        draw.vector
    );
}

/// Kernel `c[i][j] += a[i][k] * b[k][j]`, for `k` in a range.
fn product(draw: &mut Draw, text: &mut String) {
    let most = 8 + draw.random.below(24);
    draw.loops(text, 0, 0);
    let _ = writeln!(text, "      affine.for %k = 0 to {most} {{");
    draw.load(text, "%p", "%a", "%i, %k");
    draw.load(text, "%q", "%b", "%k, %j");
    draw.load(text, "%r", "%c", "%i, %j");
    text.push_str("      %s = arith.mulf %p, %q : f32\n      %t = arith.addf %r, %s : f32\n");
    draw.store(text, "%t", "%c", "%i, %j");
    text.push_str("      }\n    }\n  }\n");
}

/// Imperfect nest: a row's sum, then the row scaled by it.
fn scaled_rows(draw: &mut Draw, text: &mut String) {
    let [n, m] = draw.extents;
    let _ = writeln!(
        text,
        "  affine.for %i = 0 to {n} {{\n    %zero = arith.constant 0.0 : f32\n    \
         %sum = affine.for %j = 0 to {m} iter_args(%part = %zero) -> (f32) {{"
    );
    draw.load(text, "%p", "%b", "%i, %j");
    let weight = draw.random.between(1, 9);
    let _ = writeln!(
        text,
        "      %k = arith.constant {weight}.0 : f32\n      %w = arith.mulf %p, %k : f32"
    );
    let _ = writeln!(
        text,
        "      %next = arith.addf %part, %w : f32\n      affine.yield %next : f32\n    }}\n    \
         affine.for %j = 0 to {m} {{"
    );
    draw.load(text, "%p", "%b", "%i, %j");
    text.push_str("      %q = arith.divf %p, %sum : f32\n");
    draw.store(text, "%q", "%c", "%i, %j");
    text.push_str("    }\n  }\n");
}

/// Kernel that transposes the part below a diagonal, under `affine.if`.
fn bordered(draw: &mut Draw, text: &mut String) {
    let width = draw.random.between(1, 9);
    let _ = writeln!(
        text,
        "  affine.for %i = 0 to 32 {{\n    affine.for %j = 0 to 32 {{\n      \
         affine.if affine_set<(d0, d1) : (d0 - d1 - {width} >= 0)>(%i, %j) {{"
    );
    draw.load(text, "%p", "%a", "%j, %i");
    draw.store(text, "%p", "%b", "%i, %j");
    text.push_str("      }\n    }\n  }\n");
}
