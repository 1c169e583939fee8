//! Structural equality: whether two modules are the same program.

mod parts;

use crate::body::{BlockId, Body, OpId, RegionId, Regions, Value};
use crate::context::Context;
use crate::hash::FxHashMap;
use crate::module::Module;

use parts::Parts;

/// Whether two modules of one context are structurally equal: operations, blocks and regions in the
/// same order with the same names, attributes, types and uses. Locations count where `locations`
/// says so, the numbers of distinct attributes only as far as they tell them apart.
pub fn same_module(ctx: &Context, a: &Module, b: &Module, locations: bool) -> bool {
    let ((a, op), (b, other)) = (a.root(), b.root());
    let mut pending = Vec::new();
    let mut parts = Parts::new(ctx);
    let mut pair = Pair::new(a, b, locations, &mut parts);
    if !pair.op(op, other, &mut pending) || !pair.uses_agree() {
        return false;
    }
    while let Some((a, b)) = pending.pop() {
        if !Pair::new(a, b, locations, &mut parts).bodies(&mut pending) {
            return false;
        }
    }
    true
}

/// Work list: isolated bodies that have yet to be compared.
type Pending<'a> = Vec<(&'a Body, &'a Body)>;

/// Correspondence between two bodies: which value and block of one stands for which of the other.
struct Pair<'a, 'p> {
    a: &'a Body,
    b: &'a Body,
    locations: bool,
    parts: &'p mut Parts<'a>,
    values: FxHashMap<Value, Value>,
    blocks: FxHashMap<BlockId, BlockId>,
    /// Pairs of uses, checked at the end: a use may come before the definition.
    uses: Vec<(Value, Value)>,
    successors: Vec<(BlockId, BlockId)>,
}

impl<'a, 'p> Pair<'a, 'p> {
    fn new(a: &'a Body, b: &'a Body, locations: bool, parts: &'p mut Parts<'a>) -> Self {
        Pair {
            a,
            b,
            locations,
            parts,
            values: FxHashMap::default(),
            blocks: FxHashMap::default(),
            uses: Vec::new(),
            successors: Vec::new(),
        }
    }

    fn bodies(mut self, pending: &mut Pending<'a>) -> bool {
        let (a, b) = (self.a.regions(), self.b.regions());
        self.regions(a, b, pending) && self.uses_agree()
    }

    /// Whether every recorded pair of uses and successors agrees with the correspondence of
    /// definitions.
    fn uses_agree(&self) -> bool {
        let values = self.uses.iter();
        let blocks = self.successors.iter();
        values
            .into_iter()
            .all(|(a, b)| self.values.get(a) == Some(b))
            && blocks
                .into_iter()
                .all(|(a, b)| self.blocks.get(a) == Some(b))
    }

    fn regions(&mut self, a: &[RegionId], b: &[RegionId], pending: &mut Pending<'a>) -> bool {
        let mut open: Vec<(RegionId, RegionId)> = Vec::new();
        if a.len() != b.len() {
            return false;
        }
        open.extend(a.iter().copied().zip(b.iter().copied()));
        // A work list instead of recursion: the input decides how deep regions nest.
        while let Some((a, b)) = open.pop() {
            let (left, right) = (&self.a[a].blocks, &self.b[b].blocks);
            if left.len() != right.len() {
                return false;
            }
            for (&x, &y) in left.iter().zip(right.iter()) {
                if !self.block(x, y, &mut open, pending) {
                    return false;
                }
            }
        }
        true
    }

    fn block(
        &mut self,
        a: BlockId,
        b: BlockId,
        open: &mut Vec<(RegionId, RegionId)>,
        pending: &mut Pending<'a>,
    ) -> bool {
        let (left, right) = (&self.a[a].args, &self.b[b].args);
        if left.len() != right.len() {
            return false;
        }
        self.blocks.insert(a, b);
        for (&x, &y) in left.iter().zip(right.iter()) {
            let (p, q) = (&self.a[x], &self.b[y]);
            let same = self.parts.ty(p.ty, q.ty);
            if !same || self.locations && !self.parts.loc(p.loc, q.loc) {
                return false;
            }
            self.values.insert(x, y);
        }
        let (mut xs, mut ys) = (self.a.ops(a), self.b.ops(b));
        loop {
            match (xs.next(), ys.next()) {
                (None, None) => return true,
                (Some(x), Some(y)) if self.op(x, y, pending) => {
                    let inner = (self.a[x].inline_regions(), self.b[y].inline_regions());
                    open.extend(inner.0.iter().copied().zip(inner.1.iter().copied()));
                }
                _ => return false,
            }
        }
    }

    /// Whether two operations are equal up to their inline regions, which the caller compares.
    fn op(&mut self, a: OpId, b: OpId, pending: &mut Pending<'a>) -> bool {
        let (p, q) = (&self.a[a], &self.b[b]);
        let types = |body: &Body, op: OpId| -> Vec<_> {
            body[op].results().map(|value| body.ty(value)).collect()
        };
        let same = p.name == q.name
            && self.parts.dict(p.properties, q.properties)
            && self.parts.dict(p.attributes, q.attributes)
            && p.operands.len() == q.operands.len()
            && p.successors().len() == q.successors().len()
            && (!self.locations || self.parts.loc(p.loc, q.loc))
            && self.parts.types(&types(self.a, a), &types(self.b, b));
        if !same {
            return false;
        }
        self.values.extend(p.results().zip(q.results()));
        self.uses
            .extend(p.operands.iter().copied().zip(q.operands.iter().copied()));
        let (from, to) = (p.successors().iter(), q.successors().iter());
        self.successors.extend(from.copied().zip(to.copied()));
        match (p.regions(), q.regions()) {
            (Regions::Isolated(x), Regions::Isolated(y)) => {
                pending.push((x, y));
                true
            }
            (Regions::Isolated(_), _) | (_, Regions::Isolated(_)) => false,
            _ => p.inline_regions().len() == q.inline_regions().len(),
        }
    }
}
