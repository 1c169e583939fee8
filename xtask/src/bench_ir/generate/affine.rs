//! Generator of affine functions with random extents, steps, maps, sets and constants.

use super::Functions;
use crate::random::Random;

/// Generator of a sequence of such functions.
pub struct Affine {
    random: Random,
}

impl Default for Affine {
    fn default() -> Self {
        let random = Random::new(1);
        Affine { random }
    }
}

/// Types of elements.
const ELEMENTS: [&str; 4] = ["f32", "f64", "i32", "i64"];

impl Functions for Affine {
    fn function(&mut self, out: &mut String, number: usize) {
        let random = &mut self.random;
        let element = random.pick(&ELEMENTS);
        let buffer = |random: &mut Random| {
            let rank = random.between(1, 3);
            let extents = (0..rank).map(|_| format!("{}x", random.between(2, 4096)));
            (
                rank,
                format!("memref<{}{element}>", extents.collect::<String>()),
            )
        };
        let buffers: Vec<_> = (0..3).map(|_| buffer(random)).collect();
        let mut writer = Writer {
            random,
            out,
            element,
            buffers: &buffers,
            values: vec!["%x".to_owned()],
            loops: Vec::new(),
            named: 0,
        };
        writer.line(&format!(
            "func.func @random{number}(%a: {}, %b: {}, %c: {}, %n: index, %m: index, %x: {element}) {{",
            buffers[0].1, buffers[1].1, buffers[2].1
        ));
        for _ in 0..writer.random.between(1, 3) {
            writer.nest(0);
        }
        out.push_str("  return\n}\n");
    }
}

/// Writer of one function.
struct Writer<'a> {
    random: &'a mut Random,
    out: &'a mut String,
    element: &'static str,
    /// Rank and type of `%a`, `%b` and `%c`.
    buffers: &'a [(usize, String)],
    /// Visible values of the element type.
    values: Vec<String>,
    /// Counters of the enclosing loops, outermost first.
    loops: Vec<String>,
    /// Number of names given so far.
    named: usize,
}

impl Writer<'_> {
    fn line(&mut self, text: &str) {
        for _ in 0..self.loops.len() {
            self.out.push_str("  ");
        }
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn name(&mut self, word: &str) -> String {
        self.named += 1;
        format!("%{word}{}", self.named)
    }

    /// Writes a loop with its body, at nesting depth `depth`.
    fn nest(&mut self, depth: usize) {
        let counter = self.name("i");
        let (lower, upper) = (self.lower(), self.upper());
        let step = match self.random.one_in(3) {
            true => format!(" step {}", self.random.between(2, 64)),
            false => String::new(),
        };
        self.loops.push(counter.clone());
        let visible = self.values.len();
        self.line(&format!(
            "affine.for {counter} = {lower} to {upper}{step} {{"
        ));
        for _ in 0..self.random.between(1, 4) {
            self.statement();
        }
        if depth < 3 && !self.random.one_in(3) {
            self.nest(depth + 1);
        }
        if self.random.one_in(3) {
            self.condition();
        }
        self.store();
        self.line("}");
        self.values.truncate(visible);
        self.loops.pop();
    }

    fn lower(&mut self) -> String {
        match self.loops.is_empty() || self.random.one_in(2) {
            true => self.random.below(64).to_string(),
            false => format!("max {}", self.map(2)),
        }
    }

    fn upper(&mut self) -> String {
        match self.random.below(3) {
            0 => self.random.between(64, 4096).to_string(),
            1 => "%n".to_owned(),
            _ => format!("min {}", self.map(2)),
        }
    }

    /// Draws a map with its operands.
    fn map(&mut self, results: usize) -> String {
        let dims: Vec<String> = (0..self.loops.len()).map(|n| format!("d{n}")).collect();
        let exprs: Vec<String> = (0..results).map(|_| self.expr(&dims, "s0", 2)).collect();
        format!(
            "affine_map<({})[s0] -> ({})>({})[%n]",
            dims.join(", "),
            exprs.join(", "),
            self.loops.join(", ")
        )
    }

    /// Draws an expression of these dimensions and this symbol.
    fn expr(&mut self, dims: &[String], symbol: &str, depth: usize) -> String {
        let leaf = match dims {
            [] => symbol.to_owned(),
            _ => dims[self.random.below(dims.len())].clone(),
        };
        let number = self.random.between(2, 999);
        match self.random.below(if depth == 0 { 3 } else { 8 }) {
            0 => leaf,
            1 => format!("{leaf} + {number}"),
            2 => format!("{leaf} * {number}"),
            3 => format!("{leaf} mod {number}"),
            4 => format!("{leaf} floordiv {number} + {symbol}"),
            5 => format!("({}) ceildiv {number}", self.expr(dims, symbol, depth - 1)),
            6 => format!("{} - {number}", self.expr(dims, symbol, depth - 1)),
            _ => format!("{leaf} * {number} + {}", self.expr(dims, symbol, depth - 1)),
        }
    }

    /// Draws a buffer with subscripts, and its type.
    fn element_of(&mut self) -> (String, String) {
        let index = self.random.below(self.buffers.len());
        let (rank, ty) = self.buffers[index].clone();
        let loops = self.loops.clone();
        let subscripts: Vec<_> = (0..rank)
            .map(|_| self.expr(&loops, "symbol(%m)", 1))
            .collect();
        let buffer = ["%a", "%b", "%c"][index];
        (format!("{buffer}[{}]", subscripts.join(", ")), ty)
    }

    fn value(&mut self) -> String {
        let index = self.random.below(self.values.len());
        self.values[index].clone()
    }

    fn statement(&mut self) {
        let element = self.element;
        let float = element.starts_with('f');
        match self.random.below(6) {
            0 | 1 => {
                let (place, ty) = self.element_of();
                let name = self.name("v");
                self.line(&format!("  {name} = affine.load {place} : {ty}"));
                self.values.push(name);
            }
            2 => {
                let name = self.name("k");
                let value = match float {
                    true => self.random.float(),
                    false => self.random.between(0, 1 << 30).to_string(),
                };
                self.line(&format!("  {name} = arith.constant {value} : {element}"));
                self.values.push(name);
            }
            3 => {
                let (map, name) = (self.map(1), self.name("at"));
                self.line(&format!("  {name} = affine.apply {map}"));
            }
            _ => {
                let name = self.name("w");
                let (lhs, rhs) = (self.value(), self.value());
                let operation = match float {
                    true => self
                        .random
                        .pick(&["addf", "mulf", "subf", "divf", "maximumf"]),
                    false => self.random.pick(&["addi", "muli", "subi", "andi", "maxsi"]),
                };
                self.line(&format!(
                    "  {name} = arith.{operation} {lhs}, {rhs} : {element}"
                ));
                self.values.push(name);
            }
        }
    }

    fn condition(&mut self) {
        let dims: Vec<String> = (0..self.loops.len()).map(|n| format!("d{n}")).collect();
        let (first, second) = (self.expr(&dims, "s0", 1), self.expr(&dims, "s0", 2));
        self.line(&format!(
            "  affine.if affine_set<({})[s0] : ({first} >= 0, {second} == 0)>({})[%n] {{",
            dims.join(", "),
            self.loops.join(", ")
        ));
        self.store();
        self.line("  }");
    }

    fn store(&mut self) {
        let (value, (place, ty)) = (self.value(), self.element_of());
        self.line(&format!("  affine.store {value}, {place} : {ty}"));
    }
}
