//! Vectorization legality: how each statement of a nest is vectorized.

use std::collections::HashMap;

use gridloom_dialects::affine::{self, Access, Bound, ForOp};
use gridloom_ir::op::Traits;
use gridloom_ir::{AffineExpr, OpId, Value};

use super::{Refusal, VectorizeOptions};
use crate::analysis::reduction::{Reduction, zero};
use crate::analysis::values::{AffineValues, Atom};
use crate::transform::joint_bounds::JointBounds;

/// Lane shape of a value: uniform, or one value for each lane.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A uniform value: the same in all lanes.
    Uniform,
    /// The first lane's index, usable in subscripts only.
    First,
    /// Varying: a value for each lane.
    Lanes,
}

/// Vectorization of a statement.
pub(super) enum Treatment {
    /// Uniform: cloned, once for all lanes.
    Copied,
    /// Vectorized element by element.
    Elementwise,
    /// Memory access along these dimensions; `None` for a loop along which all lanes read one
    /// element.
    Access(Vec<Option<usize>>),
    /// Inner loop, whose carried values have lanes.
    Loop,
}

/// Vectorization plan for a nest.
pub(super) struct Plan {
    pub(super) nest: Vec<ForOp>,
    pub(super) sizes: Vec<i64>,
    pub(super) treatments: HashMap<OpId, Treatment>,
    pub(super) reductions: Vec<Reduction>,
    pub(super) remainder: Remainder,
}

/// Remainder: iterations that fill no vector.
pub(super) enum Remainder {
    /// Every iteration is in a vector.
    None,
    /// Remainder loop from this bound on, where the vectorized loop ends.
    From(AffineExpr),
}

/// Legality analysis of a nest's statements.
pub(super) struct Judge<'v, 'a> {
    values: &'v mut AffineValues<'a>,
    nest: Vec<ForOp>,
    options: VectorizeOptions,
    kinds: HashMap<Value, Kind>,
    treatments: HashMap<OpId, Treatment>,
}

impl<'v, 'a> Judge<'v, 'a> {
    pub(super) fn new(
        values: &'v mut AffineValues<'a>,
        nest: &[ForOp],
        options: &VectorizeOptions,
    ) -> Self {
        let body = values.body;
        let counters = nest.iter().map(|l| (l.induction_var(body), Kind::First));
        Judge {
            kinds: counters.collect(),
            values,
            nest: nest.to_vec(),
            options: options.clone(),
            treatments: HashMap::new(),
        }
    }

    fn kind(&self, value: Value) -> Kind {
        self.kinds.get(&value).copied().unwrap_or(Kind::Uniform)
    }

    /// Analyses the statements of a loop of the nest.
    pub(super) fn statements(&mut self, l: ForOp, reductions: &[Reduction]) -> Result<(), Refusal> {
        let body = self.values.body;
        for (&value, reduction) in l.iter_args(body).iter().zip(reductions) {
            if !reduction.ty.is_vector_element(self.values.ctx) {
                return Err((
                    None,
                    "it carries a value whose type cannot be a vector element".to_owned(),
                ));
            }
            self.kinds.insert(value, Kind::Lanes);
        }
        let ops: Vec<OpId> = body.ops(l.block(body)).collect();
        for op in ops {
            match ForOp::cast(body, op) {
                Some(inner) if self.nest.contains(&inner) => self.statements(inner, &[])?,
                _ => self.statement(op)?,
            }
        }
        Ok(())
    }

    fn statement(&mut self, op: OpId) -> Result<(), Refusal> {
        let (ctx, body) = (self.values.ctx, self.values.body);
        let data = &body[op];
        let refused = |why: &str| Err((Some(op), why.to_owned()));
        let kinds: Vec<Kind> = data
            .operands
            .iter()
            .map(|&value| self.kind(value))
            .collect();
        let (treatment, result) = match data.name {
            affine::YIELD => return Ok(()),
            affine::LOAD | affine::STORE => {
                // A verified operation of these names has a map.
                let access = Access {
                    op,
                    is_store: data.name == affine::STORE,
                };
                self.access(access)?
            }
            affine::FOR => return self.inner_loop(ForOp(op)),
            name if !name.has(Traits::PURE) || !data.inline_regions().is_empty() => {
                return refused("it is no operation that works on vectors");
            }
            name if kinds.contains(&Kind::Lanes) => {
                let types = data.operands.iter().copied().chain(data.results());
                let fits = types
                    .map(|value| body.ty(value))
                    .all(|ty| ty.is_vector_element(ctx));
                if !name.has(Traits::ELEMENTWISE) || !fits {
                    return refused("it does not work element by element");
                }
                if kinds.contains(&Kind::First) {
                    return refused("it uses the loop counter as a value");
                }
                (Treatment::Elementwise, Kind::Lanes)
            }
            affine::APPLY if kinds.contains(&Kind::First) => (Treatment::Copied, Kind::First),
            _ if kinds.contains(&Kind::First) => {
                return refused("it uses the loop counter as a value");
            }
            _ => (Treatment::Copied, Kind::Uniform),
        };
        self.treatments.insert(op, treatment);
        for value in data.results() {
            self.kinds.insert(value, result);
        }
        Ok(())
    }

    /// Analyses an inner loop, whose bounds all lanes have to share.
    fn inner_loop(&mut self, l: ForOp) -> Result<(), Refusal> {
        let (ctx, body) = (self.values.ctx, self.values.body);
        let refused = |why: &str| Err((Some(l.0), why.to_owned()));
        let bounds = [l.lower(ctx, body), l.upper(ctx, body)];
        let mut operands = bounds.iter().flat_map(|bound| bound.operands);
        if operands.any(|&value| self.kind(value) != Kind::Uniform) {
            return refused("the bounds of a loop inside differ from lane to lane");
        }
        for &value in l.iter_args(body) {
            if !body.ty(value).is_vector_element(ctx) {
                return refused(
                    "a loop in it carries a value whose type cannot be a vector element",
                );
            }
            self.kinds.insert(value, Kind::Lanes);
        }
        for op in body.ops(l.block(body)) {
            self.statement(op)?;
        }
        let handed = l.inits(ctx, body).iter().chain(l.yielded(body));
        if { handed }.any(|&value| self.kind(value) == Kind::First) {
            return refused("it uses the loop counter as a value");
        }
        for value in body[l.0].results() {
            self.kinds.insert(value, Kind::Lanes);
        }
        self.treatments.insert(l.0, Treatment::Loop);
        Ok(())
    }

    /// Analyses an access: an element for each lane, or one for all.
    fn access(&mut self, access: Access) -> Result<(Treatment, Kind), Refusal> {
        let (ctx, body) = (self.values.ctx, self.values.body);
        let refused = |why: &str| Err((Some(access.op), why.to_owned()));
        let memref = access.memref(body);
        let rank = body.ty(memref).memref(ctx).map_or(0, |ty| ty.rank());
        let exprs = self
            .values
            .map_exprs(access.op, access.map(ctx, body), access.operands(body));
        let mut lanes: Vec<Option<usize>> = Vec::new();
        for (number, l) in self.nest.clone().into_iter().enumerate() {
            let atom = self.values.atom_number(Atom::Value(l.induction_var(body)));
            let mut along = None;
            for (dim, expr) in exprs.iter().enumerate() {
                let factor = expr.and_then(|expr| self.values.coefficient(expr, atom));
                match factor {
                    Some(0) => {}
                    Some(1) if along.is_none() && !lanes.contains(&Some(dim)) => along = Some(dim),
                    Some(_) => return refused("the elements of its lanes are not contiguous"),
                    None => {
                        return refused("its subscripts are not affine in the counter");
                    }
                }
            }
            if let Some(dim) = along
                && !self.varies_along(number, rank - 1 - dim)
            {
                return refused("its lanes do not lie along the dimension of the memory asked for");
            }
            lanes.push(along);
        }
        if access.is_store {
            let value = body[access.op].operands[0];
            let is_index = self.kind(value) == Kind::First;
            if is_index || !body.ty(value).is_vector_element(ctx) {
                return refused(
                    "it stores the loop counter, or a value whose type cannot be a \
                     vector element",
                );
            }
            if lanes.contains(&None) {
                return refused("several lanes store to one element");
            }
            return Ok((Treatment::Access(lanes), Kind::Lanes));
        }
        if lanes.iter().all(Option::is_none) {
            return Ok((Treatment::Copied, Kind::Uniform));
        }
        let loaded = body.ty(body[access.op].result(0));
        if !loaded.is_vector_element(ctx) || zero(ctx, loaded).is_none() {
            return refused("it loads a value whose type cannot be a vector element");
        }
        Ok((Treatment::Access(lanes), Kind::Lanes))
    }

    /// Whether lanes of a vector dimension may go along a memory dimension, counted from the last.
    fn varies_along(&self, number: usize, from_last: usize) -> bool {
        match &self.options.varying {
            Some(varying) => varying
                .get(number)
                .is_none_or(|&asked| i64::try_from(from_last) == Ok(asked)),
            None => from_last == 0 || self.nest.len() > 1,
        }
    }

    /// Finishes the plan, if the trip counts permit it.
    pub(super) fn finish(
        self,
        root: ForOp,
        nest: &[ForOp],
        reductions: Vec<Reduction>,
    ) -> Result<Plan, Refusal> {
        let body = self.values.body;
        let refused = |why: &str| (None, why.to_owned());
        for (&value, kind) in root
            .yielded(body)
            .iter()
            .zip(std::iter::repeat(Kind::First))
        {
            if self.kind(value) == kind {
                return Err(refused("it yields its own counter"));
            }
        }
        let does_something =
            (self.treatments.values()).any(|treatment| matches!(treatment, Treatment::Access(_)));
        if !does_something {
            return Err(refused("none of its accesses would become a vector access"));
        }
        let remainder = match nest {
            [l] => remainder_of(self.values, *l, self.options.sizes[0])?,
            _ => {
                for (l, &size) in nest.iter().zip(&self.options.sizes) {
                    let trips = l.constant_trip_count(self.values.ctx, body);
                    let trips = trips.and_then(|trips| i64::try_from(trips).ok());
                    if trips.is_none_or(|trips| trips % size != 0) {
                        return Err(refused(
                            "its number of iterations is no multiple of the size",
                        ));
                    }
                }
                Remainder::None
            }
        };
        Ok(Plan {
            nest: nest.to_vec(),
            sizes: self.options.sizes,
            treatments: self.treatments,
            reductions,
            remainder,
        })
    }
}

/// The remainder of a loop; its bound is over the operands of both loop bounds.
fn remainder_of(values: &mut AffineValues, l: ForOp, size: i64) -> Result<Remainder, Refusal> {
    use gridloom_ir::affine::AffineOp;
    let (ctx, body) = (values.ctx, values.body);
    let refused = |why: &str| (None, why.to_owned());
    let trips = l.constant_trip_count(ctx, body).map(i64::try_from);
    let trips = trips.and_then(Result::ok);
    if let Some(trips) = trips.filter(|&trips| trips < size) {
        return Err(refused(&format!(
            "its {trips} iterations are fewer than the {size} lanes of a vector"
        )));
    }
    if trips.is_some_and(|trips| trips % size == 0) {
        return Ok(Remainder::None);
    }
    let (lower, upper) = (l.lower(ctx, body), l.upper(ctx, body));
    let joint = JointBounds::of(ctx, &[lower, upper]);
    let (&[lower_expr], &[upper_expr]) = (&joint.exprs[0][..], &joint.exprs[1][..]) else {
        return Err(refused("its bounds are a minimum or a maximum"));
    };
    if !has_exact_distance(values, l, [lower, upper]) {
        return Err(refused("its trip count may overflow 64 bits"));
    }
    let distance = joint.difference(ctx, upper_expr, lower_expr);
    let size = ctx.affine_const(size);
    let vectors = ctx.affine_binary(AffineOp::FloorDiv, distance, size);
    let end = ctx.affine_add(ctx.affine_mul(vectors, size), lower_expr);
    Ok(Remainder::From(end))
}

/// Whether the distance between the bounds fits 64 bits, so that the machine computes it exactly.
fn has_exact_distance(values: &mut AffineValues, l: ForOp, bounds: [Bound; 2]) -> bool {
    let env = values.environment_at(l.0);
    let ends = bounds.map(|bound| {
        let exprs = values.map_exprs(l.0, bound.map, bound.operands);
        exprs.first().copied().flatten()
    });
    let [Some(lower), Some(upper)] = ends else {
        return false;
    };
    let distance = values.ctx.affine_sub(upper, lower);
    [lower, upper, distance]
        .iter()
        .all(|&expr| values.fits(expr, env))
}
