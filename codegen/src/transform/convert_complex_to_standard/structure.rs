//! Control flow, calls and signatures: each complex value among theirs becomes two.

use gridloom_ir::body::OpData;
use gridloom_ir::dialect::{affine, cf, func, gpu, memref, scf, ub};
use gridloom_ir::op::Traits;
use gridloom_ir::{Attr, BlockId, Body, Context, OpId, OpName, OpState, Type, Value};

use super::Lowering;
use crate::transform::compound_elements::{Compound, part};

/// Operations that pass values on, whatever their types.
pub(super) const PASSING: &[OpName] = &[
    affine::FOR,
    affine::IF,
    affine::YIELD,
    cf::BR,
    cf::COND_BR,
    cf::SWITCH,
    func::CALL,
    func::CALL_INDIRECT,
    func::RETURN,
    gpu::LAUNCH_FUNC,
    gpu::RETURN,
    memref::ALLOCA_SCOPE,
    memref::ALLOCA_SCOPE_RETURN,
    scf::CONDITION,
    scf::EXECUTE_REGION,
    scf::FOR,
    scf::IF,
    scf::INDEX_SWITCH,
    scf::WHILE,
    scf::YIELD,
    ub::POISON,
];

impl Lowering<'_> {
    /// Makes two arguments of each complex one. The others are made anew as well, to keep the order.
    pub(super) fn expand_arguments(&mut self, body: &mut Body, block: BlockId) {
        let old: Vec<Value> = body[block].args.to_vec();
        if !old
            .iter()
            .any(|&arg| part(self.ctx, body.ty(arg)).is_some())
        {
            return;
        }
        for &arg in &old {
            let (ty, loc) = (body.ty(arg), body[arg].loc);
            match part(self.ctx, ty) {
                Some(part) => {
                    let parts = [0, 1].map(|_| body.add_argument(block, part, loc));
                    self.define(arg, parts);
                }
                None => {
                    let new = body.add_argument(block, ty, loc);
                    self.memrefs.replace(arg, new);
                }
            }
        }
        body.retain_arguments(block, |at| at >= old.len());
    }

    /// Makes the operation anew, with two operands or results for each complex one.
    pub(super) fn pass_on(&mut self, body: &mut Body, op: OpId) {
        let ctx = self.ctx;
        let data = body[op].clone();
        let sizes: Vec<usize> = (data.operands.iter())
            .map(|&operand| 1 + usize::from(part(ctx, body.ty(operand)).is_some()))
            .collect();
        let mut operands = Vec::new();
        for &operand in &data.operands {
            match self.parts_of(body, operand) {
                Some(parts) => operands.extend(parts),
                None => operands.push(operand),
            }
        }
        let mut results: Vec<Type> = Vec::new();
        for result in data.results() {
            match part(ctx, body.ty(result)) {
                Some(part) => results.extend([part, part]),
                None => results.push(body.ty(result)),
            }
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
        set_segments(ctx, &mut body[new], &data, &sizes);
        let inputs: Vec<Type> = data.operands.iter().map(|&v| body.ty(v)).collect();
        let outputs: Vec<Type> = data.results().map(|v| body.ty(v)).collect();
        expand_attrs(ctx, &mut body[new], "arg_attrs", &inputs);
        expand_attrs(ctx, &mut body[new], "res_attrs", &outputs);
        move_regions(body, op, new);
        body.insert_before(op, new);
        let mut made = body[new].results();
        for result in data.results() {
            let first = made.next();
            match (part(ctx, body.ty(result)), first) {
                (Some(_), Some(real)) => {
                    if let Some(imaginary) = made.next() {
                        self.define(result, [real, imaginary]);
                    }
                }
                (None, Some(new)) => self.memrefs.replace(result, new),
                (_, None) => {}
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

/// Sets the sizes of operand groups: `sizes` says how many operands stand for each old one.
fn set_segments(ctx: &Context, new: &mut OpData, old: &OpData, sizes: &[usize]) {
    let is_sized =
        (old.name.def()).is_some_and(|def| def.traits.contains(Traits::ATTR_SIZED_OPERANDS));
    if is_sized && let Some(segments) = resized(ctx, old, "operandSegmentSizes", sizes) {
        new.set_property(ctx, "operandSegmentSizes", segments);
    }
    if old.name == cf::SWITCH {
        let default = old.operand_segment(ctx, 1).len();
        let cases = sizes.get(1 + default..).unwrap_or(&[]);
        if let Some(segments) = resized(ctx, old, "case_operand_segments", cases) {
            new.set_property(ctx, "case_operand_segments", segments);
        }
    }
}

fn resized(ctx: &Context, old: &OpData, name: &str, sizes: &[usize]) -> Option<Attr> {
    let segments = old.attr(ctx, name)?.as_i32_array(ctx)?;
    let mut rest = sizes.iter();
    let segments: Vec<i32> = (segments.iter())
        .map(|&count| rest.by_ref().take(count.max(0) as usize).sum::<usize>() as i32)
        .collect();
    Some(ctx.i32_array_attr(&segments))
}

/// Gives each part the dictionary of the argument or result it belongs to.
fn expand_attrs(ctx: &Context, op: &mut OpData, name: &str, types: &[Type]) {
    let Some(attrs) = op.attr(ctx, name).and_then(|attrs| attrs.as_array(ctx)) else {
        return;
    };
    let mut all = Vec::new();
    for (&attr, &ty) in attrs.iter().zip(types) {
        all.push(attr);
        all.extend(part(ctx, ty).map(|_| attr));
    }
    op.set_property(ctx, name, ctx.array_attr(&all));
}

/// Gives a function the signature of parts; `false` where a type has no counterpart.
pub(super) fn expand_signature(ctx: &Context, op: &mut OpData) -> bool {
    let ty = op.attr(ctx, "function_type").and_then(|ty| ty.as_type(ctx));
    let Some((inputs, results)) = ty.and_then(|ty| ty.function(ctx)) else {
        return true;
    };
    let Some(ty) = ty.and_then(|ty| Compound::Complex.expanded(ctx, ty)) else {
        return false;
    };
    op.set_property(ctx, "function_type", ctx.type_attr(ty));
    expand_attrs(ctx, op, "arg_attrs", inputs);
    expand_attrs(ctx, op, "res_attrs", results);
    true
}
