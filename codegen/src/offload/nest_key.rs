//! Key of a nest in a tuning database: the hash of its canonical text, and the sizes that the text
//! leaves out.
//!
//! ```text
//! affine.for %i = 0 to 1024 {                      0 affine.for () -> () {…} ^(v0: index)
//!   %x = affine.load %a[%i] : memref<1024xf32>  ⇒  1 affine.load (v1: memref<# x f32>, v0) …
//! ```
//!
//! Values are numbered by their first use, so that nests that differ in names only have one text.
//! Extents of memrefs and constant bounds of loops are sizes: the text has `#` for them. Strides,
//! maps of subscripts and other constants stay.

use std::collections::HashMap;
use std::fmt::Write as _;

use gridloom_dialects::affine;
use gridloom_ir::affine::AffineExprKind;
use gridloom_ir::text::{attr_string, type_string};
use gridloom_ir::types::DYNAMIC;
use gridloom_ir::{AffineExpr, AffineMap, Attr, Body, Context, OpId, Type, Value};

use crate::target::tuning::NestKey;

/// The key of the nest whose outermost loop is `root`.
pub fn nest_key(ctx: &Context, body: &Body, root: OpId) -> NestKey {
    let mut text = Canonical {
        ctx,
        body,
        numbers: HashMap::new(),
        out: String::new(),
        shapes: Vec::new(),
    };
    for op in body.walk_op(root) {
        text.op(op, root);
    }
    NestKey {
        structure: fnv(text.out.as_bytes()),
        shapes: text.shapes,
    }
}

/// 64-bit FNV-1a, which stays the same from one version of the compiler to the next.
fn fnv(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

struct Canonical<'a> {
    ctx: &'a Context,
    body: &'a Body,
    numbers: HashMap<Value, usize>,
    out: String,
    shapes: Vec<Option<i64>>,
}

// Writing to a String cannot fail.

impl Canonical<'_> {
    fn op(&mut self, op: OpId, root: OpId) {
        let (ctx, body) = (self.ctx, self.body);
        let data = &body[op];
        let parents = std::iter::successors(Some(op), |&op| body.parent_op(op));
        let depth = parents.take_while(|&op| op != root).count();
        let name = ctx.op_name_str(data.name);
        let _ = write!(self.out, "{depth} {name} (");
        for &operand in &data.operands {
            self.value(operand);
        }
        self.out.push_str(") -> (");
        for result in data.results() {
            self.value(result);
        }
        self.out.push_str(") {");
        let is_bounded = matches!(data.name, affine::FOR | affine::PARALLEL);
        for (dict, is_own) in [(data.properties, true), (data.attributes, false)] {
            for &(name, attr) in dict.entries(ctx) {
                let name = ctx.str(name);
                let _ = write!(self.out, "{name}=");
                let is_bound = is_own && is_bounded && name.to_ascii_lowercase().contains("bound");
                self.attr(attr, is_bound);
                self.out.push(' ');
            }
        }
        self.out.push('}');
        for &region in data.inline_regions() {
            for &block in &body[region].blocks {
                self.out.push_str(" ^(");
                for &argument in &body[block].args {
                    self.value(argument);
                }
                self.out.push(')');
            }
        }
        self.out.push('\n');
    }

    /// Writes the number of a value, and at its first use its type.
    fn value(&mut self, value: Value) {
        let next = self.numbers.len();
        let number = *self.numbers.entry(value).or_insert(next);
        let _ = write!(self.out, "v{number}");
        if number == next {
            self.out.push_str(": ");
            self.ty(self.body.ty(value));
        }
        self.out.push(' ');
    }

    fn ty(&mut self, ty: Type) {
        let Some(memref) = ty.memref(self.ctx) else {
            self.out += &type_string(self.ctx, ty);
            return;
        };
        self.out.push_str("memref<");
        for &size in memref.shape.iter() {
            self.out
                .push_str(if size == DYNAMIC { "? x " } else { "# x " });
            self.size((size != DYNAMIC).then_some(size));
        }
        self.out += &type_string(self.ctx, memref.element);
        // Strides of a layout are structure, so its sizes are part of the text.
        if memref.layout.is_some() {
            self.out += &type_string(self.ctx, ty);
        }
        if let Some(space) = memref.space {
            let _ = write!(self.out, ", {}", attr_string(self.ctx, space));
        }
        self.out.push('>');
    }

    fn size(&mut self, size: Option<i64>) {
        self.shapes.push(size);
    }

    fn attr(&mut self, attr: Attr, is_bound: bool) {
        match attr.as_map(self.ctx).filter(|_| is_bound) {
            Some(map) => self.bound(map),
            // The attribute names a global.
            None if attr.as_flat_symbol(self.ctx).is_some() => self.out.push('@'),
            None => self.out += &attr_string(self.ctx, attr),
        }
    }

    /// Writes a bound map; its constant results are sizes.
    fn bound(&mut self, map: AffineMap) {
        let constant = |expr: AffineExpr| match expr.kind(self.ctx) {
            AffineExprKind::Constant(value) => Some(value),
            _ => None,
        };
        let results = map.results(self.ctx);
        let constants: Option<Vec<i64>> = results.iter().map(|&expr| constant(expr)).collect();
        match constants {
            Some(constants) => {
                for constant in constants {
                    self.out.push('#');
                    self.size(Some(constant));
                }
            }
            None => self.out += &attr_string(self.ctx, self.ctx.map_attr(map)),
        }
    }
}
