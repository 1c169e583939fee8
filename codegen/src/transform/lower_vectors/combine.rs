//! Lowering of reductions, contractions and scans, element by element in order.

use gridloom_dialects::vector::{self, VectorShape, row_major_strides};
use gridloom_dialects::{arith, inherent, math};
use gridloom_ir::affine::AffineExprKind;
use gridloom_ir::fold::scalar_attr;
use gridloom_ir::scalar::{Accumulate, FloatOp, IntOp, scalar_kind};
use gridloom_ir::{AffineMap, Attr, Builder, Context, OpId, OpName, Type, Value};

use super::moves::select;
use super::{Lowering, Results, each_index, extents};

/// Limit of the products of a contraction that is lowered.
const MAX_PRODUCTS: usize = 1 << 11;

/// The element type of a vector, or the type of a scalar.
pub(super) fn element(ctx: &Context, ty: Type) -> Type {
    VectorShape::of(ctx, ty).map_or(ty, |shape| shape.element)
}

/// Combining function of elements.
#[derive(Clone, Copy)]
struct Combining {
    kind: Accumulate,
    op: OpName,
    /// Fast-math flags of each step.
    fastmath: Option<Attr>,
}

impl Combining {
    /// The combining function of an operation on elements of a type; addition where the operation
    /// names none.
    fn of(b: &Builder, op: OpId, ty: Type) -> Option<Combining> {
        let data = &b.body[op];
        let word = match data.get(b.ctx, inherent::COMBINING_KIND) {
            Some(kind) => vector::combining_kind(b.ctx, kind)?,
            None => "add",
        };
        let kind = Accumulate::from_keyword(word, ty.float_kind(b.ctx).is_some())?;
        Some(Combining {
            kind,
            op: arith::combining_op(kind)?,
            fastmath: data.get(b.ctx, inherent::FASTMATH),
        })
    }

    /// Emits `before` combined with `value`; just `before` where a mask is not set.
    fn step(self, b: &mut Builder, before: Value, value: Value, mask: Option<Value>) -> Value {
        let after = self.create(b, self.op, &[before, value]);
        masked(b, mask, after, before)
    }

    /// Emits `before` combined with `x * y`; a sum of floats is a fused multiply-add, as MLIR
    /// lowers it.
    fn product_step(
        self,
        b: &mut Builder,
        before: Value,
        [x, y]: [Value; 2],
        mask: Option<Value>,
    ) -> Value {
        if self.kind == Accumulate::Float(FloatOp::Add) {
            let after = self.create(b, math::FMA, &[x, y, before]);
            return masked(b, mask, after, before);
        }
        let product = self.product(b, x, y);
        self.step(b, before, product, mask)
    }

    fn product(self, b: &mut Builder, x: Value, y: Value) -> Value {
        let times = match self.kind {
            Accumulate::Float(_) => Accumulate::Float(FloatOp::Mul),
            _ => Accumulate::Int(IntOp::Mul),
        };
        let op = arith::combining_op(times).unwrap_or(arith::MULI);
        self.create(b, op, &[x, y])
    }

    fn create(self, b: &mut Builder, name: OpName, operands: &[Value]) -> Value {
        let ty = b.body.ty(operands[0]);
        let mut state = b.state(name).operands(operands).results(&[ty]);
        if let (Some(flags), true) = (self.fastmath, matches!(self.kind, Accumulate::Float(_))) {
            state = state.property(b.ctx, inherent::FASTMATH, flags);
        }
        let op = b.create(state);
        b.body[op].result(0)
    }
}

fn masked(b: &mut Builder, mask: Option<Value>, yes: Value, no: Value) -> Value {
    match mask {
        Some(mask) => select(b, mask, yes, no),
        None => yes,
    }
}

impl Lowering<'_> {
    /// Lowers a reduction, contraction or scan, over the elements set in `mask`; `None` for another
    /// operation.
    pub(super) fn combined(
        &mut self,
        b: &mut Builder,
        op: OpId,
        mask: Option<&[Value]>,
    ) -> Option<Results> {
        match b.body[op].name {
            vector::REDUCTION => self.reduction(b, op, mask),
            vector::MULTI_REDUCTION => self.multi_reduction(b, op, mask),
            vector::CONTRACT => self.contract(b, op, mask),
            vector::OUTERPRODUCT => self.outerproduct(b, op, mask),
            vector::SCAN if mask.is_none() => self.scan(b, op),
            _ => None,
        }
    }

    /// Lowers a reduction over all elements from first to last, after the initial value if there is
    /// one.
    fn reduction(&mut self, b: &mut Builder, op: OpId, mask: Option<&[Value]>) -> Option<Results> {
        let (ctx, operands) = (b.ctx, b.body[op].operands.to_vec());
        let ty = element(ctx, b.body.ty(operands[0]));
        let combining = Combining::of(b, op, ty)?;
        let elements = self.elements(b, operands[0]);
        let mut rest = elements.into_iter().enumerate();
        let mut sum = match (operands.get(1), mask) {
            (Some(&initial), _) => initial,
            (None, None) => rest.next()?.1,
            (None, Some(_)) => {
                let identity = combining.kind.identity(scalar_kind(ctx, ty)?);
                let identity = scalar_attr(ctx, ty, identity)?;
                b.constant(identity, ty)
            }
        };
        for (at, element) in rest {
            let mask = mask.map(|mask| mask[at]);
            sum = combining.step(b, sum, element, mask);
        }
        Some(vec![vec![sum]])
    }

    fn multi_reduction(
        &mut self,
        b: &mut Builder,
        op: OpId,
        mask: Option<&[Value]>,
    ) -> Option<Results> {
        let [source, initial] = [0, 1].map(|at| b.body[op].operands[at]);
        let ty = b.body.ty(source);
        let combining = Combining::of(b, op, element(b.ctx, ty))?;
        let shape = extents(b.ctx, ty);
        let reduced = b.body[op].get(b.ctx, inherent::REDUCTION_DIMS)?;
        let kept: Vec<usize> = (0..shape.len())
            .filter(|&dim| !reduced.contains(&(dim as i64)))
            .collect();
        let sums: Vec<usize> = kept.iter().map(|&dim| shape[dim]).collect();
        let (elements, mut result) = (self.elements(b, source), self.elements(b, initial));
        for (at, index) in each_index(&shape).into_iter().enumerate() {
            let sum = place(&kept, &sums, &index);
            let mask = mask.map(|mask| mask[at]);
            result[sum] = combining.step(b, *result.get(sum)?, elements[at], mask);
        }
        Some(vec![result])
    }

    fn outerproduct(
        &mut self,
        b: &mut Builder,
        op: OpId,
        mask: Option<&[Value]>,
    ) -> Option<Results> {
        let operands = b.body[op].operands.to_vec();
        let combining = Combining::of(b, op, element(b.ctx, b.body.ty(operands[0])))?;
        let (rows, columns) = (self.elements(b, operands[0]), self.elements(b, operands[1]));
        let sums = operands.get(2).map(|&sums| self.elements(b, sums));
        let mut result = Vec::new();
        for &x in &rows {
            for &y in &columns {
                let at = result.len();
                let mask = mask.map(|mask| mask[at]);
                result.push(match &sums {
                    Some(sums) => combining.product_step(b, *sums.get(at)?, [x, y], mask),
                    // Without an initial value, a masked reduction has no result for unset
                    // elements.
                    None if mask.is_some() => return None,
                    None => combining.product(b, x, y),
                });
            }
        }
        Some(vec![result])
    }

    /// Lowers a contraction: all products in the order of the iteration space, the last dimension
    /// fastest.
    fn contract(&mut self, b: &mut Builder, op: OpId, mask: Option<&[Value]>) -> Option<Results> {
        let ctx = b.ctx;
        let operands: [Value; 3] = b.body[op].operands[..].try_into().ok()?;
        let types = operands.map(|operand| b.body.ty(operand));
        let shapes = types.map(|ty| extents(ctx, ty));
        let ty = element(ctx, types[2]);
        let combining = Combining::of(b, op, ty)?;
        let maps = b.body[op].get(ctx, inherent::INDEXING_MAPS)?;
        let maps: Option<Vec<AffineMap>> = maps.iter().map(|map| map.as_map(ctx)).collect();
        let maps: [AffineMap; 3] = maps?.try_into().ok()?;
        let dims: Option<Vec<Vec<usize>>> = maps.iter().map(|&map| dims_of(ctx, map)).collect();
        let dims: [Vec<usize>; 3] = dims?.try_into().ok()?;
        let mut space = vec![1; maps[0].num_dims(ctx)];
        for (dims, shape) in dims.iter().zip(&shapes) {
            for (&dim, &size) in dims.iter().zip(shape) {
                *space.get_mut(dim)? = size;
            }
        }
        let products = (space.iter()).try_fold(1_usize, |all, &size| all.checked_mul(size))?;
        if products > MAX_PRODUCTS {
            return None;
        }
        let [lhs, rhs, sums] = operands.map(|operand| self.elements(b, operand));
        let (lhs, rhs) = (extended(b, lhs, ty)?, extended(b, rhs, ty)?);
        let mut result = sums;
        for (at, point) in each_index(&space).into_iter().enumerate() {
            let [x, y, sum] =
                [0, 1, 2].map(|operand| place(&dims[operand], &shapes[operand], &point));
            let mask = mask.map(|mask| mask[at]);
            let factors = [*lhs.get(x)?, *rhs.get(y)?];
            result[sum] = combining.product_step(b, *result.get(sum)?, factors, mask);
        }
        Some(vec![result])
    }

    /// Lowers a scan: the running combination along one dimension. An inclusive scan begins with
    /// the first element, an exclusive one with the initial value; the second result is the final
    /// combination.
    fn scan(&mut self, b: &mut Builder, op: OpId) -> Option<Results> {
        let ctx = b.ctx;
        let [source, initial] = [0, 1].map(|at| b.body[op].operands[at]);
        let shape = extents(ctx, b.body.ty(source));
        let combining = Combining::of(b, op, element(ctx, b.body.ty(source)))?;
        let along = b.body[op].get(ctx, inherent::REDUCTION_DIM)?;
        let along = usize::try_from(along)
            .ok()
            .filter(|&dim| dim < shape.len())?;
        let is_inclusive = b.body[op].get(ctx, inherent::INCLUSIVE)?;
        let others: Vec<usize> = (0..shape.len()).filter(|&dim| dim != along).collect();
        let rows: Vec<usize> = others.iter().map(|&dim| shape[dim]).collect();
        let stride = row_major_strides(&shape)[along];
        let (elements, mut last) = (self.elements(b, source), self.elements(b, initial));
        let mut result = Vec::new();
        for (at, index) in each_index(&shape).into_iter().enumerate() {
            let row = place(&others, &rows, &index);
            let value = match (index[along], is_inclusive) {
                (0, true) => elements[at],
                (0, false) => *last.get(row)?,
                (_, true) => combining.step(b, result[at - stride], elements[at], None),
                (_, false) => combining.step(b, result[at - stride], elements[at - stride], None),
            };
            result.push(value);
            *last.get_mut(row)? = value;
        }
        Some(vec![result, last])
    }
}

/// Linear position of a point in an array over some of its dimensions.
fn place(dims: &[usize], shape: &[usize], point: &[usize]) -> usize {
    let parts = dims.iter().zip(row_major_strides(shape));
    parts.map(|(&dim, stride)| point[dim] * stride).sum()
}

/// The dimension that each result of a map names.
fn dims_of(ctx: &Context, map: AffineMap) -> Option<Vec<usize>> {
    let results = map.results(ctx).iter();
    results
        .map(|expr| match expr.kind(ctx) {
            AffineExprKind::Dim(dim) => Some(dim as usize),
            _ => None,
        })
        .collect()
}

/// Extends factors to the type of the sums: floats, and integers as signed.
fn extended(b: &mut Builder, elements: Vec<Value>, ty: Type) -> Option<Vec<Value>> {
    let ctx = b.ctx;
    let extend = |b: &mut Builder, value: Value| {
        let from = b.body.ty(value);
        if from == ty {
            return Some(value);
        }
        let bits = |ty: Type| {
            let float = ty.float_kind(ctx).map(|kind| (true, kind.width()));
            float.or_else(|| Some((false, ty.signless_width(ctx)?)))
        };
        let (from, to) = (bits(from)?, bits(ty)?);
        if from.0 != to.0 || from.1 >= to.1 {
            return None;
        }
        let extension = if to.0 { arith::EXTF } else { arith::EXTSI };
        Some(b.unary(extension, &[value], ty))
    };
    elements.into_iter().map(|value| extend(b, value)).collect()
}
