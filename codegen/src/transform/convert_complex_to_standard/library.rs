//! Library of complex functions, written as MLIR text and cloned where they are used.

use std::collections::HashMap;

use gridloom_dialects::{arith, func, inherent};
use gridloom_ir::scalar::FloatFormat;
use gridloom_ir::text::{ParseOptions, parse_module};
use gridloom_ir::types::FloatKind;
use gridloom_ir::{
    Attr, Body, Builder, Context, IrMapping, Module, OpId, SymbolTable, Type, Value,
};

const TEXT: &str = concat!(
    include_str!("functions/algebra.mlir"),
    include_str!("functions/waves.mlir")
);

/// Constants of a float format in [`TEXT`]: powers of two, given by their exponents, and other
/// numbers.
struct Format {
    name: &'static str,
    infinities: [&'static str; 2],
    /// Exponent from which squares overflow or underflow.
    big: i32,
    small: i32,
    /// Exponent of the even power that scales larger numbers back.
    down: i32,
    up: i32,
    /// Exponents of half the greatest number; of the least number times `2 / epsilon`; of
    /// `2 / epsilon^2`.
    huge: i32,
    tiny: i32,
    lift: i32,
    /// Argument from which `tanh` rounds to 1 in the format.
    flat: &'static str,
}

const SINGLE: Format = Format {
    name: "f32",
    infinities: ["0x7F800000", "0xFF800000"],
    big: 60,
    small: -40,
    down: -70,
    up: 100,
    huge: 126,
    tiny: -102,
    lift: 47,
    flat: "10.0",
};

const DOUBLE: Format = Format {
    name: "f64",
    infinities: ["0x7FF0000000000000", "0xFFF0000000000000"],
    big: 500,
    small: -450,
    down: -600,
    up: 600,
    huge: 1022,
    tiny: -968,
    lift: 105,
    flat: "20.0",
};

/// Cache of libraries by float format and width of integer exponents, parsed on first use.
#[derive(Default)]
pub(super) struct Library {
    modules: HashMap<(bool, u32), Module>,
}

impl Library {
    /// Clones the body of `name` for numbers of `kind`, `f32` or `f64`, at the builder's position.
    /// `width` is that of an integer exponent, and `fastmath` gives the flags of the clones.
    /// Returns the results.
    pub(super) fn expand(
        &mut self,
        b: &mut Builder,
        (name, kind, width): (&str, FloatKind, u32),
        operands: &[Value],
        fastmath: Option<Attr>,
    ) -> Vec<Value> {
        let key = (kind == FloatKind::F64, width);
        let module = (self.modules.entry(key)).or_insert_with(|| parse(b.ctx, key));
        let symbols = module.symbols(b.ctx);
        let copy = Copy {
            body: module.body(),
            symbols,
            fastmath,
        };
        copy.function(b, name, operands)
    }

    /// Checks that a variant parses, verifies, and has a function for every operation that needs
    /// one.
    #[cfg(test)]
    pub(super) fn check(&self, ctx: &Context, kind: FloatKind, width: u32) {
        let module = parse(ctx, (kind == FloatKind::F64, width));
        let found = gridloom_ir::verify::verify(ctx, &module);
        assert!(!found.has_errors(), "{}", found.render(ctx));
        let symbols = module.symbols(ctx);
        for name in super::numbers::FUNCTIONS {
            assert!(symbols.contains(ctx.ident(name)), "{name}");
        }
    }
}

/// Parses the library for a format and a width.
fn parse(ctx: &Context, (is_double, width): (bool, u32)) -> Module {
    let format = if is_double { &DOUBLE } else { &SINGLE };
    // Powers of two are exact in both formats.
    let power = |exponent: i32| format!("{:e}", 2f64.powi(exponent));
    let power = |exponent: i32| match power(exponent) {
        text if text.contains('.') => text,
        text => text.replace('e', ".0e"),
    };
    let log = |exponent: i32| format!("{:?}", f64::from(exponent) * std::f64::consts::LN_2);
    let numbers = [
        ("$MINUS_INF", format.infinities[1].to_owned()),
        ("$INF", format.infinities[0].to_owned()),
        ("$LOG_DOWN", log(format.down)),
        ("$LOG_UP", log(format.up)),
        ("$ROOT_DOWN", power(format.down / 2)),
        ("$ROOT_UP", power(format.up / 2)),
        ("$DOWN", power(format.down)),
        ("$UP", power(format.up)),
        ("$BIG", power(format.big)),
        ("$SMALL", power(format.small)),
        ("$HUGE", power(format.huge)),
        ("$TINY", power(format.tiny)),
        ("$LIFT", power(format.lift)),
        ("$FLAT", format.flat.to_owned()),
        ("$WIDTH", width.to_string()),
        ("$T", format.name.to_owned()),
        ("$I", format!("i{width}")),
    ];
    let text = (numbers.iter()).fold(TEXT.to_owned(), |text, (name, number)| {
        text.replace(name, number)
    });
    let module = parse_module(
        ctx,
        "complex.mlir",
        text.as_bytes(),
        &ParseOptions::default(),
    );
    // The text is ours and differs by numbers only; a test parses each variant.
    module.expect("the library of complex functions parses")
}

/// Clone of a library function, all of whose operations get the same flags.
struct Copy<'l> {
    body: &'l Body,
    symbols: SymbolTable,
    fastmath: Option<Attr>,
}

impl Copy<'_> {
    fn function(&self, b: &mut Builder, name: &str, operands: &[Value]) -> Vec<Value> {
        let source = (self.symbols.get(b.ctx.ident(name)))
            .and_then(|op| self.body[op].isolated())
            .expect("callers name functions of the library");
        let mut map = IrMapping::new();
        let entry = source
            .entry()
            .expect("functions of the library have bodies");
        for (&from, &to) in source[entry].args.iter().zip(operands) {
            map.map(from, to);
        }
        for op in source.ops(entry) {
            let data = &source[op];
            let given: Vec<Value> = data.operands.iter().map(|&v| map.value(v)).collect();
            if data.name == func::RETURN {
                return given;
            }
            if data.name == func::CALL {
                let callee = func::CallOp(op).callee_name(b.ctx, source);
                let results = self.function(b, b.ctx.str(callee), &given);
                for (from, to) in data.results().zip(results) {
                    map.map(from, to);
                }
                continue;
            }
            let copy = b.body.clone_op_from(source, op, &mut map);
            b.insert(copy);
            self.finish(b, copy);
        }
        Vec::new()
    }

    /// Sets location and flags of the cloned operations to those of the operation they replace.
    fn finish(&self, b: &mut Builder, copy: OpId) {
        for op in b.body.walk_op(copy) {
            let takes_flags = b
                .ctx
                .op_signature(b.body[op].name)
                .is_some_and(|def| def.attrs.iter().any(|attr| attr.name == "fastmath"));
            b.body[op].loc = b.loc;
            if let (Some(flags), true) = (self.fastmath, takes_flags) {
                b.body[op].set_property(b.ctx, inherent::FASTMATH, flags);
            }
        }
    }
}

/// The format in which numbers of `kind` are computed: narrow ones in `f32`; `None` for kinds
/// without a [`FloatFormat`].
pub(super) fn wide_kind(kind: FloatKind) -> Option<FloatKind> {
    let format = FloatFormat::of(kind)?;
    let is_narrow = format.is_narrow();
    Some(if is_narrow { FloatKind::F32 } else { kind })
}

/// Converts `value` to the wider or narrower float type `ty`.
pub(super) fn resize(b: &mut Builder, value: Value, ty: Type) -> Value {
    let from = b.body.ty(value);
    let width = |ty: Type| ty.float_kind(b.ctx).map_or(0, FloatKind::width);
    match width(from).cmp(&width(ty)) {
        std::cmp::Ordering::Less => b.unary(arith::EXTF, &[value], ty),
        std::cmp::Ordering::Equal => value,
        std::cmp::Ordering::Greater => b.unary(arith::TRUNCF, &[value], ty),
    }
}
