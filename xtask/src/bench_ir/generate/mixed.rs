//! Generator of functions of `arith`, `scf`, `cf`, `memref` and `vector` with random names, types,
//! constants and attributes.

mod statements;

use super::Functions;
use super::locations::Locations;
use crate::random::Random;

/// Generator of a sequence of such functions.
pub struct Mixed {
    random: Random,
    locations: Option<Locations>,
    /// Earlier functions: name, argument types, result type.
    known: Vec<(String, Vec<String>, String)>,
}

impl Default for Mixed {
    fn default() -> Self {
        Mixed {
            random: Random::new(2),
            locations: None,
            known: Vec::new(),
        }
    }
}

impl Mixed {
    /// Creates a generator that adds locations.
    pub fn located() -> Self {
        Mixed {
            locations: Some(Locations::default()),
            ..Mixed::default()
        }
    }
}

/// Limit of the earlier functions that calls choose from.
const CALLEES: usize = 16;

const INTEGERS: [&str; 5] = ["i8", "i16", "i32", "i64", "index"];
const FLOATS: [&str; 3] = ["f16", "f32", "f64"];

/// Words that names consist of.
const WORDS: [&str; 16] = [
    "acc", "base", "carry", "delta", "elem", "factor", "grid", "hi", "init", "lo", "mask", "norm",
    "offset", "ptr", "row", "tmp",
];

impl Functions for Mixed {
    fn function(&mut self, out: &mut String, number: usize) {
        let mut writer = Writer {
            random: &mut self.random,
            locations: self.locations.as_mut(),
            known: &self.known,
            out,
            values: Vec::new(),
            depth: 1,
            named: 0,
        };
        let signature = writer.function(number);
        self.known.push(signature);
        if self.known.len() > CALLEES {
            self.known.remove(0);
        }
    }

    fn end(&self) -> &str {
        self.locations.as_ref().map_or("", Locations::definitions)
    }
}

/// Writer of one function.
struct Writer<'a> {
    random: &'a mut Random,
    locations: Option<&'a mut Locations>,
    known: &'a [(String, Vec<String>, String)],
    out: &'a mut String,
    /// Visible values with their types.
    values: Vec<(String, String)>,
    /// Nesting depth of regions.
    depth: usize,
    /// Number of names given so far.
    named: usize,
}

impl Writer<'_> {
    fn function(&mut self, number: usize) -> (String, Vec<String>, String) {
        let name = format!(
            "{}_{}{number}",
            self.random.pick(&WORDS),
            self.random.pick(&WORDS)
        );
        let types: Vec<String> = (0..self.random.between(1, 5))
            .map(|_| self.any_type())
            .collect();
        let result = self.scalar_type();
        let mut arguments = Vec::new();
        for ty in &types {
            let argument = self.define(ty);
            let location = self.location();
            arguments.push(format!("{argument}: {ty}{location}"));
        }
        let (list, attributes) = (arguments.join(", "), self.attributes());
        let attributes = match attributes.is_empty() {
            true => attributes,
            false => format!(" attributes{attributes}"),
        };
        self.out.push_str(&format!(
            "func.func private @{name}({list}) -> {result}{attributes} {{\n"
        ));
        for _ in 0..self.random.between(4, 24) {
            self.statement();
        }
        self.blocks(number);
        let value = self.value(&result);
        self.line(&format!("return {value} : {result}"));
        let location = self.location();
        self.out.push_str(&format!("}}{location}\n"));
        (name, types, result)
    }

    fn location(&mut self) -> String {
        match &mut self.locations {
            Some(locations) => locations.suffix(self.random),
            None => String::new(),
        }
    }

    fn open(&mut self, text: &str) {
        let indent = "  ".repeat(self.depth);
        self.out.push_str(&format!("{indent}{text}\n"));
    }

    /// Writes a line that ends an operation.
    fn line(&mut self, text: &str) {
        let location = self.location();
        self.open(&format!("{text}{location}"));
    }

    /// Defines a new name for a value of this type.
    fn define(&mut self, ty: &str) -> String {
        self.named += 1;
        let name = format!("%{}_{}", self.random.pick(&WORDS), self.named);
        self.values.push((name.clone(), ty.to_owned()));
        name
    }

    /// A visible value of a type; a constant where there is none, or at random.
    fn value(&mut self, ty: &str) -> String {
        let fitting = self.values.iter().rev().filter(|value| value.1 == ty);
        let fitting: Vec<&String> = fitting.take(6).map(|value| &value.0).collect();
        if !fitting.is_empty() && !self.random.one_in(10) {
            return fitting[self.random.below(fitting.len())].clone();
        }
        if ty.starts_with("memref") {
            return self.operation(ty, &format!("memref.alloc() : {ty}"));
        }
        let literal = self.literal(ty);
        self.operation(ty, &format!("arith.constant {literal}"))
    }

    /// Writes an operation with a result of this type, in the middle of a line that is not begun
    /// yet.
    fn operation(&mut self, ty: &str, text: &str) -> String {
        self.named += 1;
        let name = format!("%{}_{}", self.random.pick(&WORDS), self.named);
        self.line(&format!("{name} = {text}"));
        self.values.push((name.clone(), ty.to_owned()));
        name
    }

    fn literal(&mut self, ty: &str) -> String {
        if let Some(rest) = ty.strip_prefix("vector<") {
            let (extent, element) = rest.split_once('x').unwrap_or((rest, ""));
            let element = element.trim_end_matches('>');
            let count = if self.random.one_in(2) {
                1
            } else {
                extent.parse().unwrap_or(1)
            };
            let items: Vec<_> = (0..count).map(|_| self.number(element)).collect();
            return match &items[..] {
                [splat] => format!("dense<{splat}> : {ty}"),
                _ => format!("dense<[{}]> : {ty}", items.join(", ")),
            };
        }
        let number = self.number(ty);
        match ty {
            "i1" => number,
            _ => format!("{number} : {ty}"),
        }
    }

    fn number(&mut self, ty: &str) -> String {
        match ty {
            "i1" => self.random.pick(&["true", "false"]).to_owned(),
            "i8" => self.random.below(128).to_string(),
            "i16" => self.random.below(1 << 15).to_string(),
            "f16" => format!("{:.3}", self.random.below(60_000) as f64 / 1e3),
            _ if ty.starts_with('f') => self.random.float(),
            _ => self
                .random
                .between(0, 1 << 31)
                .to_string()
                .replace("2147483648", "7"),
        }
    }

    fn scalar_type(&mut self) -> String {
        match self.random.one_in(2) {
            true => self.random.pick(&INTEGERS).to_owned(),
            false => self.random.pick(&FLOATS).to_owned(),
        }
    }

    fn vector_type(&mut self) -> String {
        let element = self.random.pick(&["f32", "f64", "i32", "i8"]);
        format!("vector<{}x{element}>", self.random.between(2, 32))
    }

    fn memref_type(&mut self) -> String {
        let rank = self.random.between(1, 3);
        let extents = (0..rank).map(|_| format!("{}x", self.random.between(2, 1024)));
        let extents: String = extents.collect();
        format!(
            "memref<{extents}{}>",
            self.random.pick(&["f32", "f64", "i32", "i8"])
        )
    }

    fn any_type(&mut self) -> String {
        match self.random.below(4) {
            0 => self.vector_type(),
            1 => self.memref_type(),
            _ => self.scalar_type(),
        }
    }

    /// The type of a visible value that `fits`, if there is one.
    fn visible(&mut self, fits: impl Fn(&str) -> bool) -> Option<String> {
        let fitting: Vec<&String> = self
            .values
            .iter()
            .rev()
            .map(|value| &value.1)
            .filter(|ty| fits(ty))
            .take(8)
            .collect();
        match fitting.len() {
            0 => None,
            count => Some(fitting[self.random.below(count)].clone()),
        }
    }

    /// Draws attributes without meaning, for one operation in six.
    fn attributes(&mut self) -> String {
        if !self.random.one_in(6) {
            return String::new();
        }
        let mut entries = Vec::new();
        for name in ["cost", "ids", "note", "weight"] {
            let number = self.random.below(100_000);
            entries.push(match name {
                _ if self.random.one_in(2) => continue,
                "cost" => format!("cost = {number} : i64"),
                "ids" => format!("ids = array<i64: {number}, {}>", self.random.below(1 << 20)),
                "note" => format!("note = \"{} {number}\"", self.random.pick(&WORDS)),
                _ => format!("weight = [{}, {number}]", self.random.float()),
            });
        }
        match entries.is_empty() {
            true => String::new(),
            false => format!(" {{{}}}", entries.join(", ")),
        }
    }
}
