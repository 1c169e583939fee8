//! Printer of programs as MLIR text.

mod control;
mod launch;
mod masked;
mod transfers;
mod vectors;

use std::fmt::Write;

use crate::affine::Expr;
use crate::program::{At, Bin, Block, Cast, Function, Global, Mixed, Op, Program, Stmt, Var};
use crate::scalar;
use crate::types::Scalar;

/// Prints the program as text.
pub fn print(program: &Program) -> String {
    let mut printer = Printer {
        program,
        text: String::new(),
        labels: 0,
        indent: 0,
    };
    for (number, global) in program.globals.iter().enumerate() {
        printer.global(number, global);
    }
    for function in &program.functions {
        printer.function(function);
    }
    printer.text
}

/// Prints a scalar as an attribute of its type; special floats by their bits.
pub fn literal(bits: u64, ty: Scalar) -> String {
    match ty {
        Scalar::I1 => (bits != 0).to_string(),
        _ if ty.is_float() => {
            let digits = ty.bytes() * 2;
            format!("0x{bits:0digits$X}")
        }
        _ => scalar::signed(bits, ty).to_string(),
    }
}

struct Printer<'a> {
    program: &'a Program,
    text: String,
    labels: usize,
    indent: usize,
}

/// Value names of an expression's operands, as dimensions and symbols of a map.
#[derive(Default)]
struct Operands {
    dims: Vec<Var>,
    symbols: Vec<Var>,
}

impl Operands {
    fn number(list: &mut Vec<Var>, var: Var) -> usize {
        match list.iter().position(|&known| known == var) {
            Some(number) => number,
            None => {
                list.push(var);
                list.len() - 1
            }
        }
    }

    fn expr(&mut self, expr: &Expr) -> String {
        binary(expr, &mut |leaf| match leaf {
            Expr::Dim(var) => format!("d{}", Self::number(&mut self.dims, *var)),
            Expr::Sym(var) => format!("s{}", Self::number(&mut self.symbols, *var)),
            _ => String::new(),
        })
    }

    fn heads(&self) -> (String, String) {
        let dims: Vec<String> = (0..self.dims.len()).map(|k| format!("d{k}")).collect();
        let symbols: Vec<String> = (0..self.symbols.len()).map(|k| format!("s{k}")).collect();
        (dims.join(", "), symbols.join(", "))
    }

    fn actual(&self) -> String {
        match self.symbols[..] {
            [] => format!("({})", names(&self.dims)),
            _ => format!("({})[{}]", names(&self.dims), names(&self.symbols)),
        }
    }
}

/// Prints an expression, with values printed by `leaf`.
fn binary(expr: &Expr, leaf: &mut dyn FnMut(&Expr) -> String) -> String {
    let (a, op, b) = match expr {
        // The sign and the number are separate tokens, and the number alone would not fit.
        Expr::Const(i64::MIN) => return format!("({} - 1)", i64::MIN + 1),
        Expr::Const(value) => return value.to_string(),
        Expr::Dim(_) | Expr::Sym(_) => return leaf(expr),
        Expr::Add(a, b) => (a, "+", b),
        Expr::Mul(a, b) => (a, "*", b),
        Expr::Mod(a, b) => (a, "mod", b),
        Expr::FloorDiv(a, b) => (a, "floordiv", b),
        Expr::CeilDiv(a, b) => (a, "ceildiv", b),
    };
    let (a, b) = (binary(a, leaf), binary(b, leaf));
    format!("({a} {op} {b})")
}

fn name(var: Var) -> String {
    format!("%v{}", var.0)
}

fn names(vars: &[Var]) -> String {
    let names: Vec<String> = vars.iter().map(|&var| name(var)).collect();
    names.join(", ")
}

fn inline(exprs: &[Expr]) -> String {
    let texts: Vec<String> = exprs
        .iter()
        .map(|expr| {
            binary(expr, &mut |leaf| match leaf {
                Expr::Dim(var) => name(*var),
                Expr::Sym(var) => format!("symbol({})", name(*var)),
                _ => String::new(),
            })
        })
        .collect();
    texts.join(", ")
}

fn map_of(exprs: &[Expr]) -> String {
    let mut operands = Operands::default();
    let results: Vec<String> = exprs.iter().map(|expr| operands.expr(expr)).collect();
    let (dims, symbols) = operands.heads();
    let symbols = if symbols.is_empty() {
        symbols
    } else {
        format!("[{symbols}]")
    };
    let actual = operands.actual();
    format!(
        "affine_map<({dims}){symbols} -> ({})>{actual}",
        results.join(", ")
    )
}

fn mixed(list: &[Mixed]) -> String {
    let texts: Vec<String> = list
        .iter()
        .map(|mixed| match mixed {
            Mixed::Known(value) => value.to_string(),
            Mixed::Value(var) => name(*var),
        })
        .collect();
    texts.join(", ")
}

fn groups_text(groups: &[Vec<usize>]) -> String {
    let texts: Vec<String> = groups.iter().map(|group| format!("{group:?}")).collect();
    texts.join(", ")
}

impl Printer<'_> {
    fn line(&mut self, text: &str) {
        let indent = "  ".repeat(self.indent);
        let _ = writeln!(self.text, "{indent}{text}");
    }

    fn ty(&self, var: Var) -> String {
        self.program.ty(var).to_string()
    }

    fn types(&self, vars: &[Var]) -> String {
        let types: Vec<String> = vars.iter().map(|&var| self.ty(var)).collect();
        types.join(", ")
    }

    fn typed(&self, vars: &[Var]) -> String {
        let typed: Vec<String> = vars
            .iter()
            .map(|&var| format!("{}: {}", name(var), self.ty(var)))
            .collect();
        typed.join(", ")
    }

    fn global(&mut self, number: usize, global: &Global) {
        let constant = if global.constant { "constant " } else { "" };
        let sizes = global.ty.known_sizes().unwrap_or_default();
        let element = global.ty.element;
        let values = nested(
            &sizes,
            &mut global.elements.iter().map(|&bits| literal(bits, element)),
        );
        self.line(&format!(
            "memref.global \"private\" {constant}@g{number} : {} = dense<{values}>",
            global.ty
        ));
    }

    fn function(&mut self, function: &Function) {
        let visibility = if function.public { "" } else { "private " };
        let results = match &function.body.yields[..] {
            [] => String::new(),
            yields => format!(" -> ({})", self.types(yields)),
        };
        self.line(&format!(
            "func.func {visibility}@{}({}){results} {{",
            function.name,
            self.typed(&function.params)
        ));
        self.indent += 1;
        self.stmts(&function.body);
        let yields = &function.body.yields;
        self.line(
            match yields[..] {
                [] => "return".to_owned(),
                _ => format!("return {} : {}", names(yields), self.types(yields)),
            }
            .as_str(),
        );
        self.indent -= 1;
        self.line("}");
    }

    fn stmts(&mut self, block: &Block) {
        for stmt in &block.stmts {
            self.stmt(stmt);
        }
    }

    /// Prints a region's operations and its terminator.
    fn region(&mut self, block: &Block, dialect: &str) {
        self.indent += 1;
        self.stmts(block);
        if !block.yields.is_empty() {
            let yields = &block.yields;
            self.line(&format!(
                "{dialect}.yield {} : {}",
                names(yields),
                self.types(yields)
            ));
        }
        self.indent -= 1;
    }

    fn label(&mut self) -> usize {
        self.labels += 1;
        self.labels
    }

    fn stmt(&mut self, stmt: &Stmt) {
        let results = &stmt.results;
        let given = match results[..] {
            [] => String::new(),
            _ => format!("{} = ", names(results)),
        };
        let ty = results.first().map(|&var| self.ty(var)).unwrap_or_default();
        match &stmt.op {
            Op::For { .. } | Op::Parallel { .. } => self.counted_loop(stmt, &given),
            Op::If {
                cond,
                then,
                otherwise,
            } => self.conditional(cond, then, otherwise.as_ref(), &given, results),
            Op::While { .. } => self.while_loop(stmt, &given),
            Op::Branch { .. } | Op::Cycle { .. } => self.branches(stmt),
            Op::VectorFold(fold) => self.vector_fold(stmt.id, fold, &given),
            Op::MaskedMove(masked) => self.masked_move(stmt.id, masked),
            Op::Launch(launch) => self.launch(launch),
            Op::Barrier => self.line("gpu.barrier"),
            Op::AllReduce(kind, value) => self.all_reduce(*kind, *value, results[0]),
            Op::Atomic(update) => self.atomic(stmt.id, update),
            op => {
                let text = self.simple(op, &ty, results);
                self.line(&format!("{given}{text}"));
            }
        }
    }

    /// Prints an operation without regions.
    fn simple(&self, op: &Op, ty: &str, results: &[Var]) -> String {
        let first = |var: &Var| self.ty(*var);
        match op {
            Op::Const(bits) => {
                let scalar = self.program.scalar(results[0]);
                match scalar {
                    Scalar::I1 => format!("arith.constant {}", literal(*bits, scalar)),
                    _ => format!("arith.constant {} : {ty}", literal(*bits, scalar)),
                }
            }
            Op::Bin(bin, a, b) => {
                format!("arith.{} {}, {} : {ty}", bin_name(*bin), name(*a), name(*b))
            }
            Op::NegF(a) => format!("arith.negf {} : {ty}", name(*a)),
            Op::CmpI(pred, a, b) => {
                let pred = format!("{pred:?}").to_lowercase();
                format!(
                    "arith.cmpi {pred}, {}, {} : {}",
                    name(*a),
                    name(*b),
                    first(a)
                )
            }
            Op::CmpF(pred, a, b) => {
                let pred = format!("{pred:?}").to_lowercase();
                format!(
                    "arith.cmpf {pred}, {}, {} : {}",
                    name(*a),
                    name(*b),
                    first(a)
                )
            }
            Op::Select(c, a, b) => format!(
                "arith.select {}, {}, {} : {ty}",
                name(*c),
                name(*a),
                name(*b)
            ),
            Op::Cast(cast, a) => format!(
                "arith.{} {} : {} to {ty}",
                cast_name(*cast),
                name(*a),
                first(a)
            ),
            Op::Apply(expr) => format!("affine.apply {}", map_of(std::slice::from_ref(expr))),
            Op::Extremum { max, exprs } => {
                let which = if *max { "max" } else { "min" };
                format!("affine.{which} {}", map_of(exprs))
            }
            Op::Load { mem, at } => match at {
                At::Affine(exprs) => format!(
                    "affine.load {}[{}] : {}",
                    name(*mem),
                    inline(exprs),
                    first(mem)
                ),
                At::Plain(vars) => format!(
                    "memref.load {}[{}] : {}",
                    name(*mem),
                    names(vars),
                    first(mem)
                ),
            },
            Op::Store { value, mem, at } => match at {
                At::Affine(exprs) => format!(
                    "affine.store {}, {}[{}] : {}",
                    name(*value),
                    name(*mem),
                    inline(exprs),
                    first(mem)
                ),
                At::Plain(vars) => format!(
                    "memref.store {}, {}[{}] : {}",
                    name(*value),
                    name(*mem),
                    names(vars),
                    first(mem)
                ),
            },
            Op::DmaStart(transfer) => self.start(transfer),
            Op::DmaWait { tag, count } => self.wait(tag, *count),
            Op::Call { callee, args } => format!(
                "func.call @{}({}) : ({}) -> ({})",
                self.program.functions[*callee].name,
                names(args),
                self.types(args),
                self.types(results)
            ),
            _ => self.memory(op, ty),
        }
    }

    fn memory(&self, op: &Op, ty: &str) -> String {
        let first = |var: &Var| self.ty(*var);
        match op {
            Op::Alloc { sizes, stack } => {
                let which = if *stack { "alloca" } else { "alloc" };
                format!("memref.{which}({}) : {ty}", names(sizes))
            }
            Op::Dealloc(mem) => format!("memref.dealloc {} : {}", name(*mem), first(mem)),
            Op::GetGlobal(number) => format!("memref.get_global @g{number} : {ty}"),
            Op::Dim { mem, dim } => {
                format!("memref.dim {}, {} : {}", name(*mem), name(*dim), first(mem))
            }
            Op::Copy { from, to } => format!(
                "memref.copy {}, {} : {} to {}",
                name(*from),
                name(*to),
                first(from),
                first(to)
            ),
            Op::MemCast(mem) => format!("memref.cast {} : {} to {ty}", name(*mem), first(mem)),
            Op::SubView {
                mem,
                offsets,
                sizes,
                strides,
                ..
            } => format!(
                "memref.subview {}[{}] [{}] [{}] : {} to {ty}",
                name(*mem),
                mixed(offsets),
                mixed(sizes),
                mixed(strides),
                first(mem)
            ),
            Op::Reinterpret {
                mem,
                offset,
                sizes,
                strides,
            } => format!(
                "memref.reinterpret_cast {} to offset: [{}], sizes: [{}], strides: [{}] : {} to {ty}",
                name(*mem),
                mixed(std::slice::from_ref(offset)),
                mixed(sizes),
                mixed(strides),
                first(mem)
            ),
            Op::Transpose { mem, order } => {
                let dims: Vec<String> = (0..order.len()).map(|k| format!("d{k}")).collect();
                let results: Vec<String> = order.iter().map(|k| format!("d{k}")).collect();
                format!(
                    "memref.transpose {} ({}) -> ({}) : {} to {ty}",
                    name(*mem),
                    dims.join(", "),
                    results.join(", "),
                    first(mem)
                )
            }
            Op::Collapse { mem, groups } => format!(
                "memref.collapse_shape {} [{}] : {} into {ty}",
                name(*mem),
                groups_text(groups),
                first(mem)
            ),
            Op::Expand { mem, groups, sizes } => format!(
                "memref.expand_shape {} [{}] output_shape {sizes:?} : {} into {ty}",
                name(*mem),
                groups_text(groups),
                first(mem)
            ),
            Op::ByteView { mem, shift, sizes } => format!(
                "memref.view {}[{}][{}] : {} to {ty}",
                name(*mem),
                name(*shift),
                names(sizes),
                first(mem)
            ),
            _ => String::new(),
        }
    }
}

/// Prints nested lists in brackets; the single element for no dimensions.
fn nested(sizes: &[i64], elements: &mut dyn Iterator<Item = String>) -> String {
    match sizes {
        [] => elements.next().unwrap_or_default(),
        [size, rest @ ..] => {
            let parts: Vec<String> = (0..*size).map(|_| nested(rest, elements)).collect();
            format!("[{}]", parts.join(", "))
        }
    }
}

/// The name of an operation after `arith.`.
fn bin_name(bin: Bin) -> String {
    format!("{bin:?}").to_lowercase()
}

/// The name of a conversion after `arith.`.
fn cast_name(cast: Cast) -> &'static str {
    match cast {
        Cast::ExtSI => "extsi",
        Cast::ExtUI => "extui",
        Cast::TruncI => "trunci",
        Cast::IndexCast => "index_cast",
        Cast::IndexCastUI => "index_castui",
        Cast::SIToFP => "sitofp",
        Cast::UIToFP => "uitofp",
        Cast::FPToSI => "fptosi",
        Cast::FPToUI => "fptoui",
        Cast::ExtF => "extf",
        Cast::TruncF => "truncf",
    }
}
