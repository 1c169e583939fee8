//! Statements of random functions, by dialect.

use super::{WORDS, Writer};

impl Writer<'_> {
    /// Writes a random statement.
    pub(super) fn statement(&mut self) {
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
        // Not reused: its type has a layout.
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

    /// Writes the statements of a region. Returns the value to yield.
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

    /// Writes branches at the end of a function.
    pub(super) fn blocks(&mut self, number: usize) {
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
