//! Pools of related types and attributes for one function, so that random
//! combinations often satisfy the rows.

use std::collections::HashMap;

use super::Generator;
use gridloom_ir::affine::AffineExpr;
use gridloom_ir::attr::{Attr, AttrKind};
use gridloom_ir::op::{AttrConstraint, TypeConstraint};
use gridloom_ir::symbols::Form;
use gridloom_ir::text::{ParseOptions, parse_attr_fragment, parse_type_fragment, store_case};
use gridloom_ir::types::Type;

/// The kind of function around an operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Side {
    /// Any function.
    Host,
    /// A function of `spirv`.
    Spirv,
}

/// Types and attributes to draw from, built around one shape.
#[derive(Debug)]
pub(super) struct Pool {
    types: Vec<Type>,
    attrs: Vec<Attr>,
    shape: Vec<i64>,
    /// Caches: the members that satisfy each constraint asked for so far. The
    /// key is the address of the constraint's function: equal addresses mean
    /// equal answers.
    fitting_types: HashMap<usize, Vec<Type>>,
    fitting_attrs: HashMap<usize, Vec<Attr>>,
}

/// Templates of types. `$e` and `$f` are element types, `$s` is the shape's
/// extents, `$d` the extents with some `?`, `$t` all but the first, `$l` the
/// last, `$n` the number of elements.
const TYPES: [&str; 58] = [
    "$e",
    "$f",
    "index",
    "i1",
    "i8",
    "i32",
    "i64",
    "f32",
    "vector<$s$e>",
    "vector<$si1>",
    "vector<$s$f>",
    "vector<$sindex>",
    "vector<$si32>",
    "vector<$t$e>",
    "vector<$ti1>",
    "vector<$l$e>",
    "vector<$n$e>",
    "vector<1x$s$e>",
    "vector<[4]x$e>",
    "vector<[4]xi1>",
    "vector<$e>",
    "vector<4x$e>",
    "vector<2x$e>",
    "vector<2x$s$e>",
    "tensor<$s$e>",
    "tensor<$d$e>",
    "tensor<$s$f>",
    "tensor<$sindex>",
    "tensor<$si1>",
    "tensor<$t$e>",
    "tensor<*x$e>",
    "tensor<$n$e>",
    "tensor<1x$s$e>",
    "tensor<?xindex>",
    "tensor<$s$e, #foreign.enc>",
    "memref<$s$e>",
    "memref<$d$e>",
    "memref<$s$f>",
    "memref<$t$e>",
    "memref<$t$e, strided<[$r], offset: ?>>",
    "memref<$n$e>",
    "memref<1x$s$e>",
    "memref<$e>",
    "memref<*x$e>",
    "memref<?xi8>",
    "memref<1xi32>",
    "memref<?xindex>",
    "memref<$s$e, 1>",
    "memref<$s$e, #gpu.address_space<workgroup>>",
    "memref<$svector<4x$e>>",
    "complex<f32>",
    "vector<$scomplex<f32>>",
    "tensor<$scomplex<f32>>",
    "($e, index) -> $f",
    "tuple<$e, $f>",
    "!gpu.async.token",
    "!gpu.mma_matrix<16x16xf16, \"AOp\">",
    "!t.odd<[a]>",
];

/// Templates of `spirv` types.
const SPIRV_TYPES: [&str; 30] = [
    "$e",
    "$f",
    "i1",
    "i32",
    "f32",
    "i64",
    "vector<4x$e>",
    "vector<2x$e>",
    "vector<4x$f>",
    "vector<4xi1>",
    "vector<4xi32>",
    "vector<4xf32>",
    "vector<2xf16>",
    "!spirv.ptr<$e, Function>",
    "!spirv.ptr<$e, StorageBuffer>",
    "!spirv.ptr<vector<4x$e>, Function>",
    "!spirv.ptr<!spirv.array<4 x $e>, Workgroup>",
    "!spirv.ptr<!spirv.struct<($e, $f)>, StorageBuffer>",
    "!spirv.ptr<!spirv.struct<(!spirv.rtarray<$e, stride=4> [0])>, StorageBuffer>",
    "!spirv.array<4 x $e>",
    "!spirv.array<2 x !spirv.array<4 x $e>>",
    "!spirv.struct<($e, $f)>",
    "!spirv.struct<($e, $e)>",
    "!spirv.matrix<4 x vector<4xf32>>",
    "!spirv.matrix<4 x vector<2xf32>>",
    "!spirv.matrix<2 x vector<4xf32>>",
    "!spirv.coopmatrix<16x16xf32, Subgroup, MatrixA>",
    "!spirv.coopmatrix<16x16xf32, Subgroup, MatrixAcc>",
    "!spirv.sampled_image<!spirv.image<f32, Dim2D, NoDepth, NonArrayed, SingleSampled, NeedSampler, Unknown>>",
    "!spirv.image<f32, Dim2D, NoDepth, NonArrayed, SingleSampled, NeedSampler, Unknown>",
];

/// Templates of attributes. In addition to those of types, `$k` is a number,
/// `$i` a list of numbers (as many as the shape has extents, or another small
/// number), `$p` a permutation of the dimensions, `$b` a list of booleans.
const ATTRS: [&str; 58] = [
    "$k : i64",
    "0 : i64",
    "1 : i64",
    "$k : i32",
    "0 : i32",
    "1 : i32",
    "16 : i64",
    "$k : i8",
    "$k : index",
    "1 : index",
    "-1 : index",
    "1.5 : f32",
    "true",
    "false",
    "unit",
    "\"some text\"",
    "\"\"",
    "$e",
    "memref<$s$e>",
    "($e) -> $f",
    "array<i64: $i>",
    "array<i64: $i>",
    "array<i64: $s>",
    "array<i64: $p>",
    "array<i64: 0>",
    "array<i64>",
    "array<i32: $i>",
    "array<i32>",
    "array<i32: 1, 1, 1>",
    "array<i1: $b>",
    "[$i]",
    "[$i]",
    "[$p]",
    "[]",
    "[$k]",
    "[0 : i32, 1 : i32]",
    "[0 : i32]",
    "[1.0 : f32]",
    "[$b]",
    "[$b]",
    "[[$p]]",
    "[[0, 1], [2]]",
    "[[0], [1]]",
    "[[0], [1, 2]]",
    "dense<1> : tensor<$s$e>",
    "dense<1.5> : vector<$s$f>",
    "dense<true> : vector<$si1>",
    "dense<0> : vector<$s$e>",
    "dense<2.0> : tensor<$s$e>",
    "dense<[1, 2]> : tensor<2xi64>",
    "dense<[1, 0]> : vector<2xi32>",
    "@f1",
    "@root::@\"odd leaf\"",
    "{}",
    "[{t.a = 1}, {}]",
    "[\"a\", \"b c\"]",
    "[#vector.iterator_type<parallel>, #vector.iterator_type<reduction>]",
    "[affine_map<(d0) -> (d0)>]",
];

/// The dialects whose enumerations enter the pool.
const ENUMERATED: [&str; 4] = ["arith", "gpu", "spirv", "vector"];

impl Pool {
    /// A pool for one function.
    pub(super) fn new(g: &mut Generator, side: Side) -> Pool {
        let rank = [0, 1, 1, 2, 2, 3][g.below(6)];
        let shape: Vec<i64> = (0..rank).map(|_| g.pick(&[1, 2, 3, 4, 8])).collect();
        let elements: &[&str] = match side {
            Side::Host => &[
                "f32", "f32", "f64", "i32", "i64", "i8", "index", "i1", "bf16", "f16", "si8",
                "f8E4M3FN", "i65",
            ],
            Side::Spirv => &["f32", "f32", "i32", "i32", "f16", "i64", "ui8", "si32"],
        };
        let substitutions = Substitutions {
            elements: [g.pick(elements), g.pick(elements)],
            shape: &shape,
        };
        let options = ParseOptions {
            allow_unregistered: true,
        };
        let templates: &[&str] = match side {
            Side::Host => &TYPES,
            Side::Spirv => &SPIRV_TYPES,
        };
        let ctx = g.ctx;
        let ty = |text: &&str| {
            let text = substitutions.fill(g, text);
            parse_type_fragment(ctx, text.as_bytes(), &options).ok()
        };
        let types: Vec<Type> = templates.iter().filter_map(ty).collect();
        let attr = |text: &&str| {
            let text = substitutions.fill(g, text);
            parse_attr_fragment(ctx, text.as_bytes(), &options).ok()
        };
        let mut attrs: Vec<Attr> = ATTRS.iter().filter_map(attr).collect();
        g.more_attrs(rank, &types, &mut attrs);
        Pool {
            types,
            attrs,
            shape,
            fitting_types: HashMap::default(),
            fitting_attrs: HashMap::default(),
        }
    }

    /// A random type that satisfies a constraint.
    pub(super) fn ty(&mut self, g: &mut Generator, constraint: &TypeConstraint) -> Option<Type> {
        let all = self.fitting_types.entry(constraint.check as usize);
        let all = all.or_insert_with(|| {
            let fits = |ty: &Type| (constraint.check)(g.ctx, *ty);
            self.types.iter().copied().filter(fits).collect()
        });
        (!all.is_empty()).then(|| g.pick(all))
    }

    /// A random attribute that satisfies a constraint.
    pub(super) fn attr(&mut self, g: &mut Generator, constraint: &AttrConstraint) -> Option<Attr> {
        let all = self.fitting_attrs.entry(constraint.check as usize);
        let all = all.or_insert_with(|| {
            let fits = |attr: &Attr| (constraint.check)(g.ctx, *attr);
            self.attrs.iter().copied().filter(fits).collect()
        });
        (!all.is_empty()).then(|| g.pick(all))
    }

    /// The length of a variadic group: often the rank of the shape.
    pub(super) fn count(&self, g: &mut Generator) -> usize {
        match g.below(4) {
            0 => g.below(4),
            1 => 0,
            _ => self.shape.len(),
        }
    }
}

/// The substitutions for templates.
struct Substitutions<'a> {
    elements: [&'a str; 2],
    shape: &'a [i64],
}

impl Substitutions<'_> {
    fn fill(&self, g: &mut Generator, template: &str) -> String {
        let mut out = String::new();
        let mut parts = template.split('$');
        out.push_str(parts.next().unwrap_or_default());
        for part in parts {
            let mut rest = part.chars();
            let word = rest.next().unwrap_or_default();
            // Extents end in `x` before what follows, the numbers of a list do
            // not.
            let list = template.starts_with("array");
            out.push_str(&self.substitute(g, word, list));
            out.push_str(rest.as_str());
        }
        out
    }

    fn substitute(&self, g: &mut Generator, word: char, list: bool) -> String {
        let extents = |all: &[i64]| all.iter().map(|n| format!("{n}x")).collect::<String>();
        let shape = self.shape;
        match word {
            'e' => self.elements[0].to_owned(),
            'f' => self.elements[1].to_owned(),
            's' if list => join(shape),
            's' => extents(shape),
            'd' => {
                let extent = |n: &i64| match g.one_in(2) {
                    true => "?x".to_owned(),
                    false => format!("{n}x"),
                };
                shape.iter().map(extent).collect()
            }
            't' => extents(shape.get(1..).unwrap_or(&[])),
            'l' => extents(shape.get(shape.len().saturating_sub(1)..).unwrap_or(&[])),
            'n' => format!("{}x", shape.iter().product::<i64>()),
            'r' => {
                let strides: Vec<&str> = shape.iter().skip(1).map(|_| "?").collect();
                strides.join(", ")
            }
            'k' => g.below(5).to_string(),
            'i' => {
                let count = match g.one_in(3) {
                    true => g.below(4),
                    false => shape.len(),
                };
                let number = |g: &mut Generator| g.pick(&[0, 1, 1, 2, 4, i64::MIN]);
                join(&(0..count).map(|_| number(g)).collect::<Vec<_>>())
            }
            'p' => join(&g.permutation(shape.len())),
            _ => {
                let values: Vec<&str> = shape.iter().map(|_| g.pick(&["true", "false"])).collect();
                values.join(", ")
            }
        }
    }
}

fn join(numbers: &[i64]) -> String {
    let texts: Vec<String> = numbers.iter().map(i64::to_string).collect();
    texts.join(", ")
}

impl Generator<'_> {
    fn permutation(&mut self, count: usize) -> Vec<i64> {
        let mut order: Vec<i64> = (0..count as i64).collect();
        if self.one_in(2) {
            (0..count).for_each(|at| order.swap(at, self.below(count)));
        }
        order
    }

    /// Adds maps and sets over the shape's dimensions, enumerations, types, and
    /// random attributes of any kind.
    fn more_attrs(&mut self, rank: usize, types: &[Type], attrs: &mut Vec<Attr>) {
        let ctx = self.ctx;
        attrs.push(ctx.map_attr(ctx.identity_map(rank as u32)));
        attrs.push(ctx.map_attr(ctx.constant_map(0)));
        let order = self.permutation(rank);
        let dims: Vec<AffineExpr> = order.iter().map(|&d| ctx.affine_dim(d as u32)).collect();
        let swap = ctx.affine_map(rank as u32, 0, &dims);
        attrs.push(ctx.map_attr(swap));
        attrs.push(ctx.array_attr(&[ctx.map_attr(swap); 3]));
        for _ in 0..6 {
            let (dims, symbols) = match self.one_in(2) {
                true => (rank, 0),
                false => (self.below(3), self.below(2)),
            };
            let results = [1, 1, rank, 2][self.below(4)];
            attrs.push(self.map_of(dims, symbols, results));
            attrs.push(self.set_of(dims, symbols));
        }
        for dialect in ENUMERATED
            .into_iter()
            .filter_map(|name| ctx.registry().symbols(name))
        {
            for def in dialect.attrs {
                if let Form::Enum(cases) = def.form {
                    let value = self.pick(cases.cases).1;
                    attrs.extend(store_case(ctx, cases, value));
                }
            }
        }
        attrs.extend(types.iter().map(|&ty| ctx.type_attr(ty)));
        for _ in 0..20 {
            let attr = self.attr(2);
            // Custom forms leave the type of a string out.
            if !matches!(attr.kind(ctx), AttrKind::String { ty: Some(_), .. }) {
                attrs.push(attr);
            }
        }
    }
}
