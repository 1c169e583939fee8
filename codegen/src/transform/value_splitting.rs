//! Value splitting: values that become several, complex numbers as parts, vectors as elements.
//!
//! ```text
//! %z = scf.for … iter_args(%a = %init) -> complex<f32>
//!   ⇒  %x, %y = scf.for … iter_args(%b = %real, %c = %imaginary) -> (f32, f32)
//! ```
//!
//! Operations that pass values on are recreated with an operand, result and block argument for each
//! part. The caller lowers operations that compute with values.

use std::collections::HashMap;

use gridloom_dialects::{affine, cf, func, gpu, inherent, memref, scf, ub};
use gridloom_ir::body::OpData;
use gridloom_ir::op::{I32ArrayAttr, Inherent, Traits};
use gridloom_ir::{
    Attr, BlockId, Body, Context, Diagnostic, Loc, OpId, OpName, OpState, Type, Value,
};

/// Structured control flow and branches, which pass on values of any type.
pub(super) const PASSING: &[OpName] = &[
    affine::FOR,
    affine::IF,
    affine::YIELD,
    cf::BR,
    cf::COND_BR,
    cf::SWITCH,
    memref::ALLOCA_SCOPE,
    memref::ALLOCA_SCOPE_RETURN,
    scf::CONDITION,
    scf::EXECUTE_REGION,
    scf::FOR,
    scf::IF,
    scf::INDEX_SWITCH,
    scf::WHILE,
    scf::YIELD,
];

/// Operations that pass values between functions.
pub(super) const CALLS: &[OpName] = &[
    func::CALL,
    func::CALL_INDIRECT,
    func::RETURN,
    gpu::LAUNCH_FUNC,
    gpu::RETURN,
];

/// Scheduled replacements of values, applied once all operations are lowered.
#[derive(Default)]
pub(super) struct Replacements(HashMap<Value, Value>);

impl Replacements {
    /// Schedules the replacement of `value` by `new`; until then uses name `value`.
    pub(super) fn replace(&mut self, value: Value, new: Value) {
        self.0.insert(value, new);
    }

    /// Adds the replacements of another set.
    pub(super) fn append(&mut self, others: Replacements) {
        self.0.extend(others.0);
    }

    /// Applies all replacements.
    ///
    /// # Errors
    /// A value in unreachable code is defined by itself.
    pub(super) fn carry_out(&self, body: &mut Body) -> Result<(), Diagnostic> {
        let replaced = &self.0;
        let mut circular = false;
        body.replace_values(|value| {
            let chain = std::iter::successors(Some(value), |value| replaced.get(value).copied());
            let mut chain = chain.take(replaced.len() + 2);
            let (steps, last) = chain.by_ref().enumerate().last().unwrap_or((0, value));
            circular |= steps > replaced.len();
            last
        });
        if !circular {
            return Ok(());
        }
        let loc = body.walk().first().map_or(Loc::UNKNOWN, |&op| body[op].loc);
        let message = "unreachable code has a value that is defined by itself";
        Err(Diagnostic::error(loc, message).with_help("remove that code, as canonicalize does"))
    }
}

/// Parts of the split values of a body.
pub(super) struct ValueParts<'c> {
    ctx: &'c Context,
    /// The types of the parts of a value; `None` for a type whose values stay.
    split: fn(&Context, Type) -> Option<Vec<Type>>,
    parts: HashMap<Value, Vec<Value>>,
    /// Placeholders of values used before their definition was reached.
    early: HashMap<Value, Vec<Value>>,
    pub(super) replaced: Replacements,
}

impl<'c> ValueParts<'c> {
    pub(super) fn new(ctx: &'c Context, split: fn(&Context, Type) -> Option<Vec<Type>>) -> Self {
        ValueParts {
            ctx,
            split,
            parts: HashMap::new(),
            early: HashMap::new(),
            replaced: Replacements::default(),
        }
    }

    pub(super) fn ctx(&self) -> &'c Context {
        self.ctx
    }

    /// Whether values of a type are split.
    pub(super) fn splits(&self, ty: Type) -> bool {
        (self.split)(self.ctx, ty).is_some()
    }

    /// The parts of a value; `None` for a value that is not split. Blocks need not be in execution
    /// order, so the definition may come later: then placeholders are returned, which
    /// [`Replacements::carry_out`] replaces.
    pub(super) fn parts_of(&mut self, body: &mut Body, value: Value) -> Option<Vec<Value>> {
        if let Some(parts) = self.parts.get(&value) {
            return Some(parts.clone());
        }
        let types = (self.split)(self.ctx, body.ty(value))?;
        let parts = self.early.entry(value).or_insert_with(|| {
            let stand_in = |ty: Type| {
                // The placeholder is never inserted into a block.
                let op = body.create_op(OpState::new(ub::POISON, Loc::UNKNOWN).results(&[ty]));
                body[op].result(0)
            };
            types.into_iter().map(stand_in).collect()
        });
        Some(parts.clone())
    }

    /// Defines the parts of a value.
    pub(super) fn define(&mut self, value: Value, parts: Vec<Value>) {
        let early = self.early.remove(&value).into_iter().flatten();
        for (early, &part) in early.zip(&parts) {
            self.replaced.replace(early, part);
        }
        self.parts.insert(value, parts);
    }

    /// The number of parts for each of a list of types.
    pub(super) fn counts(&self, types: impl Iterator<Item = Type>) -> Vec<usize> {
        let count = |ty| (self.split)(self.ctx, ty).map_or(1, |parts| parts.len());
        types.map(count).collect()
    }

    /// Adds a block argument for each part. Other arguments are recreated as well, to keep the
    /// order.
    pub(super) fn expand_arguments(&mut self, body: &mut Body, block: BlockId) {
        let old: Vec<Value> = body[block].args.to_vec();
        if !old.iter().any(|&arg| self.splits(body.ty(arg))) {
            return;
        }
        for &arg in &old {
            let (ty, loc) = (body.ty(arg), body[arg].loc);
            match (self.split)(self.ctx, ty) {
                Some(types) => {
                    let argument = |ty| body.add_argument(block, ty, loc);
                    let parts = types.into_iter().map(argument).collect();
                    self.define(arg, parts);
                }
                None => {
                    let new = body.add_argument(block, ty, loc);
                    self.replaced.replace(arg, new);
                }
            }
        }
        body.retain_arguments(block, |at| at >= old.len());
    }

    /// Recreates an operation with an operand or a result for each part.
    pub(super) fn pass_on(&mut self, body: &mut Body, op: OpId) {
        let ctx = self.ctx;
        let data = body[op].clone();
        let inputs = self.counts(data.operands.iter().map(|&operand| body.ty(operand)));
        let outputs = self.counts(data.results().map(|result| body.ty(result)));
        let mut operands = Vec::new();
        for &operand in &data.operands {
            match self.parts_of(body, operand) {
                Some(parts) => operands.extend(parts),
                None => operands.push(operand),
            }
        }
        let mut results: Vec<Type> = Vec::new();
        for result in data.results() {
            let ty = body.ty(result);
            results.extend((self.split)(ctx, ty).unwrap_or_else(|| vec![ty]));
        }
        let new = body.create_op(OpState {
            name: data.name,
            loc: data.loc,
            properties: data.properties,
            attributes: data.attributes,
            operands: operands.into(),
            results: results.into(),
            successors: data.successors().into(),
        });
        set_segments(ctx, &mut body[new], &data, &inputs);
        repeat_attrs(ctx, &mut body[new], "arg_attrs", &inputs);
        repeat_attrs(ctx, &mut body[new], "res_attrs", &outputs);
        move_regions(body, op, new);
        body.insert_before(op, new);
        let made: Vec<Value> = body[new].results().collect();
        let mut made = made.into_iter();
        for result in data.results() {
            match (self.split)(ctx, body.ty(result)) {
                Some(types) => {
                    let parts = made.by_ref().take(types.len()).collect();
                    self.define(result, parts);
                }
                None => {
                    if let Some(new) = made.next() {
                        self.replaced.replace(result, new);
                    }
                }
            }
        }
        body.erase(op);
    }
}

/// Moves the blocks of `op` to regions of `new`.
fn move_regions(body: &mut Body, op: OpId, new: OpId) {
    for region in body[op].inline_regions().to_vec() {
        let target = body.add_region(new);
        let blocks = body[region].blocks.to_vec();
        for (at, &block) in blocks.iter().enumerate() {
            body.move_block(block, target, at);
        }
    }
}

/// Sets the sizes of operand segments: `sizes` gives the number of parts of each old operand.
fn set_segments(ctx: &Context, new: &mut OpData, old: &OpData, sizes: &[usize]) {
    let is_sized = old.name.has(Traits::ATTR_SIZED_OPERANDS);
    if is_sized && let Some(segments) = resized(ctx, old, inherent::OPERAND_SEGMENT_SIZES, sizes) {
        new.set_property(ctx, inherent::OPERAND_SEGMENT_SIZES, segments);
    }
    if old.name == cf::SWITCH {
        let default = old.operand_segment(ctx, 1).len();
        let cases = sizes.get(1 + default..).unwrap_or(&[]);
        if let Some(segments) = resized(ctx, old, inherent::CASE_OPERAND_SEGMENTS, cases) {
            new.set_property(ctx, inherent::CASE_OPERAND_SEGMENTS, segments);
        }
    }
}

fn resized(
    ctx: &Context,
    old: &OpData,
    list: Inherent<I32ArrayAttr>,
    sizes: &[usize],
) -> Option<Attr> {
    let segments = old.get(ctx, list)?;
    let mut rest = sizes.iter();
    let segments: Vec<i32> = (segments.iter())
        .map(|&count| rest.by_ref().take(count.max(0) as usize).sum::<usize>() as i32)
        .collect();
    Some(ctx.i32_array_attr(&segments))
}

/// Repeats the attribute dictionary of an argument or result for each of its parts; `counts` gives
/// the number of parts.
pub(super) fn repeat_attrs(ctx: &Context, op: &mut OpData, name: &str, counts: &[usize]) {
    let Some(attrs) = op.attr(ctx, name).and_then(|attrs| attrs.as_array(ctx)) else {
        return;
    };
    let all: Vec<Attr> = (attrs.iter().zip(counts))
        .flat_map(|(&attr, &count)| std::iter::repeat_n(attr, count))
        .collect();
    op.set_property(ctx, name, ctx.array_attr(&all));
}
