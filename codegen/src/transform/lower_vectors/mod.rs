//! `lower-vectors`: scalarizes vectors that are too long for a register of a device.
//!
//! ```text
//! %v = vector.load %a[%i]                        %x = memref.load %a[%i]
//!        : memref<?xf32>, vector<8xf32>   ⇒      %y = memref.load %a[%i + 1] …
//! %w = arith.addf %v, %v : vector<8xf32>         %p = arith.addf %x, %x : f32
//!                                                %q = arith.addf %y, %y : f32 …
//! %t = vector.contract … %s, %r, %acc            %n = math.fma %s0, %r0, %acc …
//! ```
//!
//! A vector of more than [`REGISTER_LANES`] elements, or of another rank than one, becomes the list
//! of its elements, in loops that carry it and in branches as well. Operations that only move
//! elements about need no code. Operations that kernels do not support on any vector, such as
//! contractions, transfers and gathers, are scalarized whatever the length. So analyses see plain
//! accesses and plain arithmetic; `merge-adjacent-accesses` finds the runs of neighbours again.
//!
//! Sums of floats keep their order: the elements of a vector from first to last, after the initial
//! value. Vectors longer than [`MAX_ELEMENTS`] and scalable ones stay, and calls, which take whole
//! vectors, get them rebuilt from their elements.

mod bitcast;
mod combine;
mod mask;
mod memory;
mod moves;
mod transfer;

use std::collections::HashSet;

use gridloom_dialects::vector::{self, VectorShape};
use gridloom_dialects::{affine, arith, cf, inherent, math, memref, scf, ub};
use gridloom_ir::fold::{Constant, scalar_attr};
use gridloom_ir::op::Traits;
use gridloom_ir::{
    Attr, BlockId, Body, Builder, Context, InsertPoint, OpId, OpName, OpState, Type, TypeKind,
    Value,
};

use super::compound_elements::{Compound, blocks};
use super::value_splitting::{PASSING, ValueParts};
use super::vector_elements::to_elements;

/// Limit of the elements of a vector in a register of a device.
const REGISTER_LANES: i64 = 4;

/// Limit of the elements of a vector that is scalarized: each one is a register, and each operation
/// on the vector becomes as many.
const MAX_ELEMENTS: i64 = 256;

/// Limit of the elements of all scalarized vectors of a function; a function with more is not
/// changed.
const MAX_TOTAL: usize = 1 << 16;

/// Scalarized results: the elements of each result of an operation.
type Results = Vec<Vec<Value>>;

/// Scope of the lowering: which operations to scalarize.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Operations that kernels do not support, and those on vectors longer than a register.
    Device,
    /// Operations that the interpreter does not support, on vectors that stay.
    Host,
    /// Operations on vectors of integers of more than 64 bits.
    WideIntegers,
}

/// Lowers the vectors of a function. Returns whether anything changed.
pub fn lower_vectors(ctx: &Context, body: &mut Body, scope: Scope) -> bool {
    let ops = body.walk();
    let split: fn(&Context, Type) -> Option<Vec<Type>> = match scope {
        Scope::Device => types_of_elements,
        Scope::Host => |_, _| None,
        Scope::WideIntegers => types_of_wide_elements,
    };
    let mut lowering = Lowering {
        ctx,
        scope,
        values: ValueParts::new(ctx, split),
        wholes: HashSet::new(),
    };
    if !lowering.has_work(body, &ops) {
        return false;
    }
    let mut lowered = body.clone();
    lowering.run(&mut lowered, ops);
    // In unreachable code a value may define itself: such a body stays as it is.
    let is_sound = lowering.values.replaced.carry_out(&mut lowered).is_ok();
    if is_sound {
        *body = lowered;
    }
    is_sound
}

/// The types of the elements of a scalarized vector; `None` for another type.
fn types_of_elements(ctx: &Context, ty: Type) -> Option<Vec<Type>> {
    let shape = known_shape(ctx, ty)?;
    let count = shape.num_elements();
    let fits_register = shape.rank() == 1 && count <= REGISTER_LANES;
    (!fits_register).then(|| vec![shape.element; count as usize])
}

/// The types of the elements of a vector of integers of more than 64 bits; `None` for another type.
fn types_of_wide_elements(ctx: &Context, ty: Type) -> Option<Vec<Type>> {
    let shape = known_shape(ctx, ty)?;
    Compound::WideInteger.parts(ctx, shape.element)?;
    Some(vec![shape.element; shape.num_elements() as usize])
}

/// The shape of a vector of fixed and bounded length with scalar elements.
fn known_shape(ctx: &Context, ty: Type) -> Option<VectorShape<'_>> {
    let shape = VectorShape::of(ctx, ty)?;
    let is_scalar = matches!(
        shape.element.kind(ctx),
        TypeKind::Integer { .. } | TypeKind::Index | TypeKind::Float(_)
    );
    let count = || (shape.shape.iter()).try_fold(1_i64, |count, &dim| count.checked_mul(dim));
    let is_bounded = || count().is_some_and(|count| (1..=MAX_ELEMENTS).contains(&count));
    (is_scalar && !shape.is_scalable() && is_bounded()).then_some(shape)
}

/// The extents of a vector; empty for a scalar.
fn extents(ctx: &Context, ty: Type) -> Vec<usize> {
    let shape = VectorShape::of(ctx, ty);
    shape.map_or_else(Vec::new, |shape| {
        shape.shape.iter().map(|&dim| dim.max(0) as usize).collect()
    })
}

/// The indices of all elements of a shape, the last dimension fastest.
fn each_index(shape: &[usize]) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for &dim in shape {
        let next = |index: &Vec<usize>| {
            let index = index.clone();
            (0..dim).map(move |at| [&index[..], &[at]].concat())
        };
        all = all.iter().flat_map(next).collect();
    }
    all
}

/// Whether an operation is scalarized on vectors of any length.
fn is_lowered(ctx: &Context, scope: Scope, body: &Body, op: OpId) -> bool {
    let name = body[op].name;
    match scope {
        Scope::Device => matches!(
            name,
            vector::CONTRACT
                | vector::OUTERPRODUCT
                | vector::MULTI_REDUCTION
                | vector::SCAN
                | vector::MASK
                | vector::GATHER
                | vector::SCATTER
                | vector::MASKEDLOAD
                | vector::MASKEDSTORE
                | vector::EXPANDLOAD
                | vector::COMPRESSSTORE
                | vector::DEINTERLEAVE
                | vector::TRANSFER_READ
                | vector::TRANSFER_WRITE
        ),
        Scope::Host => match name {
            vector::CONTRACT => {
                let [lhs, _, acc] = [0, 1, 2].map(|at| body.ty(body[op].operands[at]));
                combine::element(ctx, lhs) != combine::element(ctx, acc)
            }
            vector::BITCAST | vector::SCAN | vector::MASK => true,
            _ => false,
        },
        Scope::WideIntegers => false,
    }
}

/// Function being scalarized.
struct Lowering<'c> {
    ctx: &'c Context,
    scope: Scope,
    values: ValueParts<'c>,
    /// Vectors whose definition stays although their elements are known.
    wholes: HashSet<Value>,
}

impl Lowering<'_> {
    /// Whether a function has vectors to scalarize, and no more elements than the limit.
    fn has_work(&self, body: &Body, ops: &[OpId]) -> bool {
        let args = (blocks(body, ops).into_iter()).flat_map(|block| body[block].args.iter());
        let results = ops.iter().flat_map(|&op| body[op].results());
        let values = results.chain(args.copied()).map(|value| body.ty(value));
        let total: usize = (self.values.counts(values).into_iter())
            .filter(|&count| count > 1)
            .sum();
        let branches_are_known = |&op: &OpId| {
            body[op].successors().is_empty()
                || matches!(body[op].name, cf::BR | cf::COND_BR | cf::SWITCH)
        };
        let is_lowered = |&op: &OpId| is_lowered(self.ctx, self.scope, body, op);
        (total > 0 || ops.iter().any(is_lowered))
            && total <= MAX_TOTAL
            && ops.iter().all(branches_are_known)
    }

    fn run(&mut self, body: &mut Body, ops: Vec<OpId>) {
        for block in blocks(body, &ops) {
            match is_passed_to(body, block) {
                true => self.values.expand_arguments(body, block),
                false => self.unpack_arguments(body, block),
            }
        }
        for op in ops {
            // A masked operation is lowered with its mask.
            let parent = body.parent_op(op);
            if parent.is_none_or(|parent| body[parent].name != vector::MASK) {
                self.lower(body, op);
            }
        }
    }

    /// Extracts the elements of block arguments that keep their vector types.
    fn unpack_arguments(&mut self, body: &mut Body, block: BlockId) {
        let args = body[block].args.to_vec();
        for arg in args {
            if self.values.splits(body.ty(arg)) {
                let loc = body[arg].loc;
                let mut b = Builder::new(self.ctx, body, InsertPoint::Start(block), loc);
                let elements = to_elements(&mut b, arg);
                self.values.define(arg, elements);
                self.wholes.insert(arg);
            }
        }
    }

    fn lower(&mut self, body: &mut Body, op: OpId) {
        let data = &body[op];
        let mut values = data.results().chain(data.operands.iter().copied());
        let has_split = values.any(|value| self.values.splits(body.ty(value)));
        if has_split && passes_on(body, op) {
            return self.values.pass_on(body, op);
        }
        if !has_split && !is_lowered(self.ctx, self.scope, body, op) {
            return;
        }
        let results: Vec<Value> = data.results().collect();
        let lowered = match self.takes(body, op) {
            true => self.elements_of_results(&mut Builder::before(self.ctx, body, op), op),
            false => None,
        };
        let Some(lowered) = lowered else {
            return self.keep(body, op);
        };
        for (result, elements) in results.into_iter().zip(lowered) {
            self.define(&mut Builder::before(self.ctx, body, op), result, elements);
        }
        body.erase(op);
    }

    /// Whether all vectors of an operation can be scalarized.
    fn takes(&self, body: &Body, op: OpId) -> bool {
        let data = &body[op];
        let mut values = data.results().chain(data.operands.iter().copied());
        values.all(|value| {
            let ty = body.ty(value);
            VectorShape::of(self.ctx, ty).is_none() || known_shape(self.ctx, ty).is_some()
        })
    }

    /// Lowers an operation element by element, in front of it. `None` where it has no scalar form;
    /// then nothing was emitted.
    fn elements_of_results(&mut self, b: &mut Builder, op: OpId) -> Option<Results> {
        let name = b.body[op].name;
        let is_elementwise =
            name.has(Traits::ELEMENTWISE) || matches!(name, ub::POISON | vector::FMA);
        match name {
            arith::CONSTANT => constants(b, op).map(|elements| vec![elements]),
            vector::MASK => self.masked(b, op),
            affine::VECTOR_LOAD | affine::VECTOR_STORE => self.affine_access(b, op),
            _ if is_elementwise => self.elementwise(b, op),
            _ => self
                .moved(b, op)
                .or_else(|| self.combined(b, op, None))
                .or_else(|| self.accessed(b, op))
                .or_else(|| self.transferred(b, op, None)),
        }
    }

    /// Defines a result by its elements: scalarized, as a vector of a register, or as a scalar.
    fn define(&mut self, b: &mut Builder, result: Value, elements: Vec<Value>) {
        let ty = b.body.ty(result);
        if self.values.splits(ty) {
            self.values.define(result, elements);
        } else if VectorShape::of(self.ctx, ty).is_some() {
            let whole = b.unary(vector::FROM_ELEMENTS, &elements, ty);
            self.values.replaced.replace(result, whole);
        } else if let [scalar] = elements[..] {
            self.values.replaced.replace(result, scalar);
        }
    }

    /// The elements of a value; one for a scalar.
    fn elements(&mut self, b: &mut Builder, value: Value) -> Vec<Value> {
        if let Some(parts) = self.values.parts_of(b.body, value) {
            return parts;
        }
        match VectorShape::of(self.ctx, b.body.ty(value)) {
            Some(_) => to_elements(b, value),
            None => vec![value],
        }
    }

    /// Rebuilds the vector operands of a remaining operation from their elements, and splits its
    /// results.
    fn keep(&mut self, body: &mut Body, op: OpId) {
        self.make_whole(body, op, op);
        if body[op].name == vector::MASK {
            self.keep_mask(body, op);
        }
        let results: Vec<Value> = body[op].results().collect();
        for result in results {
            if self.values.splits(body.ty(result)) {
                let mut b = Builder::before(self.ctx, body, op);
                let elements = to_elements(&mut b, result);
                if let Some(maker) = elements.first().and_then(|&value| body.defining_op(value)) {
                    body.detach(maker);
                    body.insert_after(op, maker);
                }
                self.values.define(result, elements);
                self.wholes.insert(result);
            }
        }
    }

    /// Reassembles the operands of `op` from their elements, before `at`.
    fn make_whole(&mut self, body: &mut Body, op: OpId, at: OpId) {
        for index in 0..body[op].operands.len() {
            let value = body[op].operands[index];
            if self.wholes.contains(&value) {
                continue;
            }
            if let Some(parts) = self.values.parts_of(body, value) {
                let ty = body.ty(value);
                let mut b = Builder::before(self.ctx, body, at);
                let whole = b.unary(vector::FROM_ELEMENTS, &parts, ty);
                b.body[op].operands[index] = whole;
            }
        }
    }

    /// Clones an operation for each element of its results.
    fn elementwise(&mut self, b: &mut Builder, op: OpId) -> Option<Results> {
        let ctx = self.ctx;
        let data = b.body[op].clone();
        let types: Vec<Type> = data.results().map(|result| b.body.ty(result)).collect();
        let shape = known_shape(ctx, *types.first()?)?;
        let name = match data.name {
            vector::FMA => math::FMA,
            name => name,
        };
        let mut operands = Vec::new();
        for &operand in &data.operands {
            let is_vector = VectorShape::of(ctx, b.body.ty(operand)).is_some();
            operands.push((is_vector, self.elements(b, operand)));
        }
        let elements: Option<Vec<Type>> = types.iter().map(|ty| ty.element(ctx)).collect();
        let elements = elements?;
        let mut results = vec![Vec::new(); types.len()];
        for lane in 0..shape.num_elements() as usize {
            let of_lane: Option<Vec<Value>> = (operands.iter())
                .map(|(is_vector, all)| all.get(if *is_vector { lane } else { 0 }).copied())
                .collect();
            let clone = b.create(OpState {
                name,
                loc: data.loc,
                properties: data.properties,
                attributes: data.attributes,
                operands: of_lane?.into(),
                results: elements.clone().into(),
                successors: Vec::new().into(),
            });
            for (all, result) in results.iter_mut().zip(b.body[clone].results()) {
                all.push(result);
            }
        }
        Some(results)
    }
}

/// Whether the arguments of a block come from an operation that passes values on, unlike those of
/// functions and of other operations with regions.
fn is_passed_to(body: &Body, block: BlockId) -> bool {
    let Some(region) = body[block].parent() else {
        return false;
    };
    let is_first = body[region].blocks.first() == Some(&block);
    let owner = body[region].parent();
    !is_first || owner.is_some_and(|owner| PASSING.contains(&body[owner].name))
}

/// Whether an operation passes values on; a terminator does if its parent does.
fn passes_on(body: &Body, op: OpId) -> bool {
    let is_control = |name: OpName| PASSING.contains(&name);
    let ends = matches!(
        body[op].name,
        affine::YIELD | scf::YIELD | scf::CONDITION | memref::ALLOCA_SCOPE_RETURN
    );
    let parent = || body.parent_op(op).map(|parent| body[parent].name);
    is_control(body[op].name) && (!ends || parent().is_some_and(is_control))
}

/// The elements of a constant vector.
fn constants(b: &mut Builder, op: OpId) -> Option<Vec<Value>> {
    let ctx = b.ctx;
    let shape = known_shape(ctx, b.body.ty(b.body[op].result(0)))?;
    let value = b.body[op].get(ctx, inherent::VALUE)?;
    let count = shape.num_elements() as usize;
    let attrs = match Constant::of(ctx, value) {
        Some(constant) => (0..count)
            .map(|at| scalar_attr(ctx, shape.element, constant.element(at)?))
            .collect::<Option<Vec<Attr>>>()?,
        // Folding knows no numbers of more than 64 bits.
        None => match value.stored_elements(ctx) {
            stored if stored.len() == count => stored,
            stored => vec![*stored.first().filter(|_| stored.len() == 1)?; count],
        },
    };
    let attrs = attrs.into_iter();
    Some(attrs.map(|attr| b.constant(attr, shape.element)).collect())
}
