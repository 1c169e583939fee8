//! Value numbering at a branch: the loads and computations that are available there.

use gridloom_ir::hash::FxHashMap;
use gridloom_ir::op::Traits;
use gridloom_ir::{Body, Context, OpId, Value};

use crate::analysis::load_store::is_load;
use crate::transform::element::Element;

/// Available values in front of a branch: loaded elements and computed results.
pub(in crate::transform) struct AvailableValues<'a> {
    ctx: &'a Context,
    body: &'a Body,
    /// Loaded elements that have not been written since.
    loaded: Vec<(Element, Value)>,
    /// All elements that were loaded, also those written since: they are in bounds.
    pub(in crate::transform) anyway: Vec<Element>,
    /// Available pure operations.
    computed: Vec<OpId>,
    /// Value numbering: earlier values that equal values of the branch.
    same: FxHashMap<Value, Value>,
}

impl<'a> AvailableValues<'a> {
    /// Collects the values available in front of an operation of a block.
    pub(in crate::transform) fn before(
        ctx: &'a Context,
        body: &'a Body,
        op: OpId,
    ) -> Option<AvailableValues<'a>> {
        let mut known = AvailableValues {
            ctx,
            body,
            loaded: Vec::new(),
            anyway: Vec::new(),
            computed: Vec::new(),
            same: FxHashMap::default(),
        };
        let block = body[op].parent()?;
        for before in body.ops(block).take_while(|&before| before != op) {
            if is_load(body, before) {
                let element = Element::of(ctx, body, before)?;
                known.anyway.push(element.clone());
                known.loaded.push((element, body[before].result(0)));
            } else if is_computation(body, before) {
                known.computed.push(before);
            } else if !body[before].name.has(Traits::PURE) {
                known.forget_loads();
            }
        }
        Some(known)
    }

    /// Invalidates loaded elements after a write.
    pub(in crate::transform) fn forget_loads(&mut self) {
        self.loaded.clear();
    }

    /// Whether an element is known to hold a value.
    pub(in crate::transform) fn holds(&self, element: &Element, value: Value) -> bool {
        let mut loaded = self.loaded.iter();
        loaded.any(|(known, held)| *held == value && known == element)
    }

    /// The available value that a load or pure operation of a branch equals.
    pub(in crate::transform) fn same_as(&mut self, op: OpId) -> Option<Value> {
        let body = self.body;
        let found = if is_load(body, op) {
            let element = self.element(op)?;
            let same = self.loaded.iter().find(|(known, _)| *known == element);
            same.map(|&(_, value)| value)
        } else {
            let known = self.computed.iter().find(|&&known| self.is_same(known, op));
            known.map(|&known| body[known].result(0))
        };
        if let Some(value) = found {
            self.same.insert(body[op].result(0), value);
        }
        found
    }

    /// The available value that equals a value of the branch, or else the value itself.
    pub(in crate::transform) fn resolve(&self, value: Value) -> Value {
        self.same.get(&value).copied().unwrap_or(value)
    }

    /// The element of an access of the branch, with available values as subscripts where possible.
    pub(in crate::transform) fn element(&self, op: OpId) -> Option<Element> {
        let mut element = Element::of(self.ctx, self.body, op)?;
        element.memref = self.resolve(element.memref);
        for operand in &mut element.operands {
            *operand = self.resolve(*operand);
        }
        Some(element)
    }

    /// Whether an operation of the branch computes the same as an earlier one.
    fn is_same(&self, known: OpId, op: OpId) -> bool {
        let (first, second) = (&self.body[known], &self.body[op]);
        let mut pairs = first.operands.iter().zip(&second.operands);
        are_alike(self.body, known, op)
            && pairs.all(|(&first, &second)| first == self.resolve(second))
    }
}

/// Whether two operations compute the same result from the same operands.
pub(in crate::transform) fn are_alike(body: &Body, first: OpId, second: OpId) -> bool {
    let (first, second) = (&body[first], &body[second]);
    first.name == second.name
        && first.properties == second.properties
        && first.attributes == second.attributes
        && first.operands.len() == second.operands.len()
        && first.num_results() == 1
        && second.num_results() == 1
        && body.ty(first.result(0)) == body.ty(second.result(0))
}

/// Whether an operation is pure and has one result.
fn is_computation(body: &Body, op: OpId) -> bool {
    let data = &body[op];
    data.num_results() == 1 && data.inline_regions().is_empty() && data.name.has(Traits::PURE)
}
