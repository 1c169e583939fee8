//! Value numbering of what an iteration has loaded and computed when it comes to a branch.

use gridloom_dialects::affine;
use gridloom_dialects::memref;
use gridloom_ir::hash::FxHashMap;
use gridloom_ir::op::Traits;
use gridloom_ir::{Body, Context, OpId, Value};

use crate::transform::element::Element;

/// Available values: what an iteration has loaded and computed.
pub(in crate::transform) struct Known<'a> {
    ctx: &'a Context,
    body: &'a Body,
    /// Loaded elements without a write since.
    loaded: Vec<(Element, Value)>,
    /// The elements that were loaded, whatever was written since: they are there.
    pub(in crate::transform) anyway: Vec<Element>,
    /// Operations without effects.
    computed: Vec<OpId>,
    /// The earlier values that values of the branch are equal to.
    same: FxHashMap<Value, Value>,
}

impl<'a> Known<'a> {
    /// What the block of an operation has loaded and computed before it.
    pub(in crate::transform) fn before(
        ctx: &'a Context,
        body: &'a Body,
        op: OpId,
    ) -> Option<Known<'a>> {
        let mut known = Known {
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

    /// Forgets what was loaded: something is written.
    pub(in crate::transform) fn forget_loads(&mut self) {
        self.loaded.clear();
    }

    /// Whether a value is what an element holds.
    pub(in crate::transform) fn holds(&self, element: &Element, value: Value) -> bool {
        let mut loaded = self.loaded.iter();
        loaded.any(|(known, held)| *held == value && known == element)
    }

    /// The earlier value that a load or a computation of a branch is equal to.
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

    /// The value that a value of the branch is equal to, or the value.
    pub(in crate::transform) fn resolve(&self, value: Value) -> Value {
        self.same.get(&value).copied().unwrap_or(value)
    }

    /// The element of an access of the branch, in words from before it where there are any.
    pub(in crate::transform) fn element(&self, op: OpId) -> Option<Element> {
        let mut element = Element::of(self.ctx, self.body, op)?;
        element.memref = self.resolve(element.memref);
        for operand in &mut element.operands {
            *operand = self.resolve(*operand);
        }
        Some(element)
    }

    /// Whether an operation of the branch computes what an earlier one has computed.
    fn is_same(&self, known: OpId, op: OpId) -> bool {
        let (first, second) = (&self.body[known], &self.body[op]);
        let is_alike = first.name == second.name
            && first.properties == second.properties
            && first.attributes == second.attributes
            && first.operands.len() == second.operands.len()
            && second.num_results() == 1;
        let mut pairs = first.operands.iter().zip(&second.operands);
        is_alike
            && self.body.ty(first.result(0)) == self.body.ty(second.result(0))
            && pairs.all(|(&first, &second)| first == self.resolve(second))
    }
}

/// Whether an operation loads one element.
pub(in crate::transform) fn is_load(body: &Body, op: OpId) -> bool {
    matches!(body[op].name, affine::LOAD | memref::LOAD)
}

/// Whether an operation stores one element.
pub(in crate::transform) fn is_store(body: &Body, op: OpId) -> bool {
    matches!(body[op].name, affine::STORE | memref::STORE)
}

/// Whether an operation computes one value and does nothing else.
fn is_computation(body: &Body, op: OpId) -> bool {
    let data = &body[op];
    data.num_results() == 1 && data.inline_regions().is_empty() && data.name.has(Traits::PURE)
}
