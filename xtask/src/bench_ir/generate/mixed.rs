//! Functions of `arith`, `scf`, `cf`, `memref` and `vector` whose names, types, constants and attributes are random.

use super::Functions;
use super::locations::Locations;
use super::random::Random;

/// The sequence of such functions.
pub struct Mixed {
    random: Random,
    locations: Option<Locations>,
    /// The functions before: name, types of arguments, type of the result.
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
    /// The sequence with locations.
    pub fn located() -> Self {
        Mixed {
            locations: Some(Locations::default()),
            ..Mixed::default()
        }
    }
}

/// Functions that calls choose from.
const CALLEES: usize = 16;

const INTEGERS: [&str; 5] = ["i8", "i16", "i32", "i64", "index"];
const FLOATS: [&str; 3] = ["f16", "f32", "f64"];

/// What names are made of.
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

/// One function being written.
struct Writer<'a> {
    random: &'a mut Random,
    locations: Option<&'a mut Locations>,
    known: &'a [(String, Vec<String>, String)],
    out: &'a mut String,
    /// Visible values with their types.
    values: Vec<(String, String)>,
    /// Regions around.
    depth: usize,
    /// Names given so far.
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

    /// A line that ends an operation.
    fn line(&mut self, text: &str) {
        let location = self.location();
        self.open(&format!("{text}{location}"));
    }

    /// A new name for a value of this type.
    fn define(&mut self, ty: &str) -> String {
        self.named += 1;
        let name = format!("%{}_{}", self.random.pick(&WORDS), self.named);
        self.values.push((name.clone(), ty.to_owned()));
        name
    }

    /// A visible value of a type; a constant where there is none or by chance.
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

    /// An operation that gives a value of this type, in the middle of a line that is not begun yet.
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

    /// Attributes that say nothing to anybody, on one operation in six.
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

    fn statement(&mut self) {
        match self.random.below(16) {
            0..=3 => self.arithmetic(),
            4 => self.compare(),
            5 => self.cast(),
            6..=8 => self.memory(),
            9..=11 => self.vector(),
            12 => self.call(),
            13 => {
                let ty = self.any_type();
                self.value(&ty);
            }
            _ if self.depth > 4 => self.arithmetic(),
            14 => self.repeat(),
            _ => self.choose(),
        }
    }

    fn arithmetic(&mut self) {
        let ty = match self.random.one_in(3) {
            true => self.vector_type(),
            false => self.scalar_type(),
        };
        let (lhs, rhs) = (self.value(&ty), self.value(&ty));
        let float = ty.ends_with(['6', '2', '4', '>']) && ty.contains('f');
        let text = match float {
            true => {
                let name = self
                    .random
                    .pick(&["addf", "subf", "mulf", "divf", "minimumf"]);
                let flags = self.random.pick(&[
                    "",
                    "",
                    " fastmath<fast>",
                    " fastmath<contract>",
                    " fastmath<nnan,ninf>",
                    " fastmath<reassoc,nsz,arcp>",
                ]);
                format!("{name} {lhs}, {rhs}{flags}")
            }
            false => {
                let name = self.random.pick(&["addi", "subi", "muli", "shli"]);
                let flags = self
                    .random
                    .pick(&["", "", " overflow<nsw>", " overflow<nsw, nuw>"]);
                format!("{name} {lhs}, {rhs}{flags}")
            }
        };
        let attributes = self.attributes();
        self.operation(&ty, &format!("arith.{text}{attributes} : {ty}"));
    }

    fn compare(&mut self) {
        let ty = self.scalar_type();
        let (lhs, rhs) = (self.value(&ty), self.value(&ty));
        let (name, predicate) = match ty.starts_with('f') {
            true => (
                "cmpf",
                self.random.pick(&["oeq", "olt", "ult", "une", "ord"]),
            ),
            false => ("cmpi", self.random.pick(&["eq", "slt", "uge", "ne", "sgt"])),
        };
        let less = self.operation(
            "i1",
            &format!("arith.{name} {predicate}, {lhs}, {rhs} : {ty}"),
        );
        self.operation(&ty, &format!("arith.select {less}, {lhs}, {rhs} : {ty}"));
    }

    fn cast(&mut self) {
        let (from, name, to) = self.random.pick(&[
            ("i8", "extsi", "i32"),
            ("i16", "extui", "i64"),
            ("i64", "trunci", "i16"),
            ("i32", "sitofp", "f32"),
            ("f64", "truncf", "f32"),
            ("f16", "extf", "f64"),
            ("f32", "bitcast", "i32"),
            ("index", "index_cast", "i64"),
            ("i32", "index_castui", "index"),
        ]);
        let value = self.value(from);
        self.operation(to, &format!("arith.{name} {value} : {from} to {to}"));
    }

    /// The extents and the element of a memref.
    fn parts(ty: &str) -> (Vec<usize>, String) {
        let inside = ty.trim_start_matches("memref<").trim_end_matches('>');
        let mut parts: Vec<&str> = inside.split('x').collect();
        let element = parts.pop().unwrap_or("f32").to_owned();
        (
            parts
                .iter()
                .filter_map(|extent| extent.parse().ok())
                .collect(),
            element,
        )
    }

    fn buffer(&mut self) -> (String, String) {
        let ty = self
            .visible(|ty| ty.starts_with("memref"))
            .filter(|_| !self.random.one_in(5));
        let ty = match ty {
            Some(ty) => ty,
            None => self.memref_type(),
        };
        (self.value(&ty), ty)
    }

    fn memory(&mut self) {
        let (buffer, ty) = self.buffer();
        let (extents, element) = Self::parts(&ty);
        let at: Vec<String> = extents.iter().map(|_| self.value("index")).collect();
        let at = at.join(", ");
        match self.random.below(4) {
            0 => {
                let value = self.value(&element);
                self.line(&format!("memref.store {value}, {buffer}[{at}] : {ty}"));
            }
            1 => self.slice(&buffer, &ty, &extents, &element),
            _ => {
                let attributes = self.attributes();
                let text = format!("memref.load {buffer}[{at}]{attributes} : {ty}");
                self.operation(&element, &text);
            }
        }
    }

    fn slice(&mut self, buffer: &str, ty: &str, extents: &[usize], element: &str) {
        let offsets: Vec<usize> = extents.iter().map(|&n| self.random.below(n)).collect();
        let sizes: Vec<usize> = std::iter::zip(extents, &offsets)
            .map(|(n, offset)| self.random.between(1, n - offset))
            .collect();
        let mut strides = vec![1; extents.len()];
        for dim in (1..extents.len()).rev() {
            strides[dim - 1] = strides[dim] * extents[dim];
        }
        let offset: usize = std::iter::zip(&offsets, &strides).map(|(a, b)| a * b).sum();
        let ones = vec![1; extents.len()];
        let shape: String = sizes.iter().map(|n| format!("{n}x")).collect();
        let [offsets, sizes, ones, strides] = [&offsets, &sizes, &ones, &strides].map(|all| {
            let all: Vec<String> = all.iter().map(usize::to_string).collect();
            all.join(", ")
        });
        let result = match offset {
            0 => format!("memref<{shape}{element}, strided<[{strides}]>>"),
            _ => format!("memref<{shape}{element}, strided<[{strides}], offset: {offset}>>"),
        };
        // Not drawn again: its type is no plain one.
        let name = self.define("view");
        self.line(&format!(
            "{name} = memref.subview {buffer}[{offsets}] [{sizes}] [{ones}] : {ty} to {result}"
        ));
    }

    fn vector(&mut self) {
        let ty = self.vector_type();
        let inside = ty.trim_start_matches("vector<").trim_end_matches('>');
        let (extent, element) = inside.split_once('x').unwrap_or((inside, "f32"));
        let (count, value) = (extent.parse().unwrap_or(1), self.value(&ty));
        match self.random.below(5) {
            0 => {
                let scalar = self.value(element);
                self.operation(
                    &ty,
                    &format!("vector.broadcast {scalar} : {element} to {ty}"),
                );
            }
            1 => {
                let at = self.random.below(count);
                self.operation(
                    element,
                    &format!("vector.extract {value}[{at}] : {element} from {ty}"),
                );
            }
            2 => {
                let (at, scalar) = (self.random.below(count), self.value(element));
                let text = format!("vector.insert {scalar}, {value} [{at}] : {element} into {ty}");
                self.operation(&ty, &text);
            }
            3 => {
                let mask: Vec<_> = (0..count)
                    .map(|_| self.random.below(2 * count).to_string())
                    .collect();
                let text = format!(
                    "vector.shuffle {value}, {value} [{}] : {ty}, {ty}",
                    mask.join(", ")
                );
                self.operation(&ty, &text);
            }
            _ => {
                let buffer_type = format!("memref<{}x{element}>", self.random.between(32, 4096));
                let (buffer, at) = (self.value(&buffer_type), self.value("index"));
                let (padding, bounds) = (self.value(element), self.random.pick(&["true", "false"]));
                self.operation(&ty, &format!(
                    "vector.transfer_read {buffer}[{at}], {padding} {{in_bounds = [{bounds}]}} : {buffer_type}, {ty}"
                ));
            }
        }
    }

    fn call(&mut self) {
        if self.known.is_empty() {
            return self.arithmetic();
        }
        let (name, types, result) = &self.known[self.random.below(self.known.len())];
        let arguments: Vec<String> = types.iter().map(|ty| self.value(ty)).collect();
        let (arguments, types) = (arguments.join(", "), types.join(", "));
        self.operation(
            result,
            &format!("func.call @{name}({arguments}) : ({types}) -> {result}"),
        );
    }

    /// Statements of a region, and the value that it gives.
    fn region(&mut self, ty: &str) {
        let visible = self.values.len();
        self.depth += 1;
        for _ in 0..self.random.between(1, 6) {
            self.statement();
        }
        let value = self.value(ty);
        self.line(&format!("scf.yield {value} : {ty}"));
        self.depth -= 1;
        self.values.truncate(visible);
    }

    fn repeat(&mut self) {
        let (low, high, step) = (
            self.value("index"),
            self.value("index"),
            self.value("index"),
        );
        let ty = self.scalar_type();
        let start = self.value(&ty);
        self.named += 1;
        let (result, visible) = (format!("%loop_{}", self.named), self.values.len());
        let (counter, carried) = (self.define("index"), self.define(&ty));
        self.open(&format!(
            "{result} = scf.for {counter} = {low} to {high} step {step} iter_args({carried} = {start}) -> ({ty}) {{"
        ));
        self.region(&ty);
        self.values.truncate(visible);
        self.values.push((result, ty));
        let attributes = self.attributes();
        self.line(&format!("}}{attributes}"));
    }

    fn choose(&mut self) {
        let (condition, ty) = (self.value("i1"), self.scalar_type());
        self.named += 1;
        let result = format!("%either_{}", self.named);
        self.open(&format!("{result} = scf.if {condition} -> ({ty}) {{"));
        self.region(&ty);
        self.open("} else {");
        self.region(&ty);
        self.values.push((result, ty));
        self.line("}");
    }

    /// Branches at the end of a function.
    fn blocks(&mut self, number: usize) {
        for block in 0..self.random.below(4) {
            let ty = self.scalar_type();
            let (condition, first) = (self.value("i1"), self.value(&ty));
            let second = self.value(&ty);
            let message = format!("{} {number}.{block} is sound", self.random.pick(&WORDS));
            self.line(&format!("cf.assert {condition}, \"{message}\""));
            self.line(&format!(
                "cf.cond_br {condition}, ^then{block}({first} : {ty}), ^next{block}({second} : {ty})"
            ));
            for label in ["then", "next"] {
                let visible = self.values.len();
                let (argument, location) = (self.define(&ty), self.location());
                self.out
                    .push_str(&format!("^{label}{block}({argument}: {ty}{location}):\n"));
                for _ in 0..self.random.between(1, 5) {
                    self.statement();
                }
                if label == "then" {
                    let value = self.value(&ty);
                    self.line(&format!("cf.br ^next{block}({value} : {ty})"));
                    self.values.truncate(visible);
                }
            }
        }
    }
}
