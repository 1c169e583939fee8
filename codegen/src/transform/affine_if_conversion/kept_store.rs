//! Conditional stores to one element: turns an element that a branch stores in some iterations into a result of the
//! branch.
//!
//! ```text
//!                                            %k = affine.load %at[0]
//! scf.if %hit {                              %l = scf.if %hit -> index {
//!   affine.store %i, %at[0]           ⇒        scf.yield %i
//! }                                          } else { scf.yield %k }
//!                                            affine.store %l, %at[0]
//! ```
//!
//! `affine-scalrep` makes the element a carried value, and `affine-number-selections` finds the iteration that it comes
//! from: the last one that meets the condition, or the first one where the condition tests an element that is set along
//! with it.
//!
//! Legal where the element is the same in all iterations, is there and holds something whether the condition holds or
//! not, and where nothing else in the branch touches it but loads in front of the store. Done where it is the same in all
//! loops around, where what the loop loads of it is only tested, and where what is stored does not come from memory that
//! the loop writes: a branch that does more stays.

use gridloom_dialects::affine::{self, ForOp};
use gridloom_dialects::{arith, scf};
use gridloom_ir::hash::FxHashMap;
use gridloom_ir::{Body, Builder, Context, OpId, Value};

use super::update::Update;
use super::{Finder, MAX_OPS};
use crate::analysis::access::{Access, Place, accesses_below};
use crate::analysis::alias::Globals;
use crate::analysis::arg_reduction::placeholder;
use crate::analysis::dependence::{Dependences, Scope};
use crate::analysis::load_store::{is_load, is_store};
use crate::analysis::parallel::MAX_ACCESSES;
use crate::transform::element::Element;

/// Conditional store to an element of all iterations.
pub(super) struct KeptStore {
    op: OpId,
    store: OpId,
    /// Number of the branch's region.
    region: usize,
    element: Element,
    /// Loads of the element in the branch, in front of the store.
    loads: Vec<OpId>,
    /// Whether the plan relies on disjoint arguments.
    pub(super) relies_on_arguments: bool,
}

/// Load by a branch of an element that every iteration stores.
pub(super) struct KeptLoad {
    op: OpId,
    load: OpId,
    /// Whether the plan relies on disjoint arguments.
    pub(super) relies_on_arguments: bool,
}

impl Finder<'_> {
    /// Matches a branch that stores to an element of all iterations, and plans its conversion.
    pub(super) fn kept_store(&self, op: OpId, globals: &Globals) -> Option<KeptStore> {
        let stores = self.stores_of(op);
        let loops = self.loops_around(op).filter(|_| !stores.is_empty())?;
        let mut stores = stores.into_iter();
        stores.find_map(|store| self.kept(op, store, &loops, globals))
    }

    /// Whether a branch stores what differs between iterations, by a store that can be converted.
    pub(super) fn keeps_payload(&self, op: OpId, globals: &Globals) -> bool {
        let Some(loops) = self.loops_around(op) else {
            return false;
        };
        let mut stores = self.stores_of(op).into_iter();
        loops.last().is_some_and(|root| {
            stores.any(|(region, store)| {
                let value = self.body[store].operands[0];
                self.body.is_defined_in(value, root.0)
                    && self.kept(op, (region, store), &loops, globals).is_some()
            })
        })
    }

    /// The sequential loops around a branch, innermost first, where the innermost one has few enough accesses to compare
    /// them.
    fn loops_around(&self, op: OpId) -> Option<Vec<ForOp>> {
        let body = self.body;
        let loops = self.loops_beyond_branches(op);
        let below = body.walk_op(loops.first()?.0).into_iter();
        let accesses = below.filter(|&op| is_load(body, op) || is_store(body, op));
        (accesses.count() <= MAX_ACCESSES).then_some(loops)
    }

    /// The stores of a branch itself, each with the number of its region.
    fn stores_of(&self, op: OpId) -> Vec<(usize, OpId)> {
        let body = self.body;
        let regions = (0..2).filter_map(|region| Some((region, body.region_block(op, region)?)));
        let ops = regions.flat_map(|(region, block)| body.ops(block).map(move |op| (region, op)));
        ops.filter(|&(_, op)| body[op].name == affine::STORE)
            .collect()
    }

    /// Plans the conversion of one store of a branch.
    fn kept(
        &self,
        op: OpId,
        (region, store): (usize, OpId),
        loops: &[ForOp],
        globals: &Globals,
    ) -> Option<KeptStore> {
        let (ctx, body) = (self.ctx, self.body);
        let (&l, &root) = (loops.first()?, loops.last()?);
        let (element, value) = (Element::of(ctx, body, store)?, body[store].operands[0]);
        let is_there = placeholder(ctx, body.ty(value)).is_some()
            && self.is_kept(root, &element)
            && self.is_there(l, &element)
            && self.is_only_tested(l, &element)
            && self.is_payload(l, value, &element);
        let relies_on_arguments =
            is_there.then(|| self.is_only_there(op, store, &element, l, globals))??;
        let inside = body.walk_op(op).into_iter();
        let loads = inside.filter(|&load| is_load(body, load) && self.accesses(load, &element));
        Some(KeptStore {
            op,
            store,
            region,
            loads: loads.collect(),
            element,
            relies_on_arguments,
        })
    }

    /// Whether nothing in a loop touches an element but a store, other accesses of the element outside of the store's
    /// branch, and loads in front of it; if so, whether that relies on disjoint arguments.
    fn is_only_there(
        &self,
        branch: OpId,
        store: OpId,
        element: &Element,
        l: ForOp,
        globals: &Globals,
    ) -> Option<bool> {
        let (ctx, body) = (self.ctx, self.body);
        let inside = body.walk_op(branch);
        let place = inside.iter().position(|&op| op == store)?;
        let mut deps = Dependences::new(ctx, body, globals);
        let accesses = accesses_below(&mut deps.values, l.0);
        let own = accesses.iter().find(|access| access.op == store)?;
        let scope = Scope::AnyIterations(l.0);
        let mut is_apart = |access: &Access| {
            if access.op == store {
                return true;
            }
            if self.accesses(access.op, element) {
                let inside = inside.iter().position(|&op| op == access.op);
                return inside.is_none_or(|other| other < place && is_load(body, access.op));
            }
            access.place != Place::Anything && !deps.may_overlap(scope, own, access)
        };
        let is_only = accesses.iter().all(&mut is_apart);
        is_only.then(|| deps.aliases.relied_on_arguments())
    }
}

impl Finder<'_> {
    /// Whether an operation loads or stores an element.
    fn accesses(&self, op: OpId, element: &Element) -> bool {
        let other = Element::of(self.ctx, self.body, op);
        other.is_some_and(|other| other.is_same(self.ctx, self.body, element))
    }

    /// Whether a loop uses what it loads of an element only to test it, or to store it there again.
    fn is_only_tested(&self, l: ForOp, element: &Element) -> bool {
        let body = self.body;
        let below = body.walk_op(l.0);
        // Values that a loop defines have no users outside of it.
        let mut users: FxHashMap<Value, Vec<(OpId, usize)>> = FxHashMap::default();
        for &op in &below {
            for (operand, &value) in body[op].operands.iter().enumerate() {
                users.entry(value).or_default().push((op, operand));
            }
        }
        let loads = below.into_iter();
        let loads = loads.filter(|&load| is_load(body, load) && self.accesses(load, element));
        let mut open: Vec<Value> = loads.map(|load| body[load].result(0)).collect();
        let mut known: Vec<Value> = Vec::new();
        while let Some(value) = open.pop() {
            if known.contains(&value) {
                continue;
            }
            known.push(value);
            for &(op, operand) in users.get(&value).into_iter().flatten() {
                match body[op].name {
                    arith::CMPI | arith::XORI | arith::ANDI | arith::ORI => {}
                    scf::IF | arith::SELECT if operand == 0 => {}
                    arith::SELECT => open.push(body[op].result(0)),
                    scf::YIELD => {
                        let branch = body.parent_op(op).filter(|&op| body[op].name == scf::IF);
                        let Some(branch) = branch else {
                            return false;
                        };
                        open.push(body[branch].result(operand));
                    }
                    affine::STORE if operand == 0 && self.accesses(op, element) => {}
                    _ => return false,
                }
            }
            if known.len() > MAX_ACCESSES {
                return false;
            }
        }
        true
    }

    /// Whether a value that a loop stores to an element is computed from no other memory that the loop stores to.
    fn is_payload(&self, l: ForOp, value: Value, element: &Element) -> bool {
        let body = self.body;
        let stores = body
            .walk_op(l.0)
            .into_iter()
            .filter(|&op| is_store(body, op));
        let written: Vec<Value> = stores
            .filter_map(|op| Some(Element::of(self.ctx, body, op)?.memref))
            .collect();
        let (mut open, mut known) = (vec![value], Vec::new());
        while let Some(value) = open.pop() {
            let op = body.defining_op(value);
            let op = op.filter(|&op| body.is_defined_in(value, l.0) && !self.accesses(op, element));
            let Some(op) = op.filter(|_| !known.contains(&value)) else {
                continue;
            };
            let is_written = || {
                body[op]
                    .operands
                    .iter()
                    .any(|memref| written.contains(memref))
            };
            if known.len() > MAX_OPS || is_load(body, op) && is_written() {
                return false;
            }
            known.push(value);
            // Conditions choose between payloads.
            match body[op].name {
                arith::SELECT => open.extend(body[op].operands[1..].iter().copied()),
                scf::IF => open.extend(given(body, op, value)),
                _ => open.extend(body[op].operands.iter().copied()),
            }
        }
        true
    }

    /// Matches a load by a branch of an element that every iteration stores, and plans to move it in front of the
    /// branch.
    pub(super) fn kept_load(&self, op: OpId, globals: &Globals) -> Option<KeptLoad> {
        let (ctx, body) = (self.ctx, self.body);
        let loops = self.loops_around(op)?;
        let (&l, &root) = (loops.first()?, loops.last()?);
        let blocks = (0..2).filter_map(|region| body.region_block(op, region));
        let mut loads = blocks.flat_map(|block| body.ops(block));
        loads.find_map(|load| {
            let element =
                Element::of(ctx, body, load).filter(|_| body[load].name == affine::LOAD)?;
            let mut own = body.ops(l.block(body));
            let is_stored =
                own.any(|store| is_store(body, store) && self.accesses(store, &element));
            let is_there = is_stored
                && self.is_kept(root, &element)
                && self.is_there(l, &element)
                && self.is_only_tested(l, &element);
            let relies_on_arguments =
                is_there.then(|| self.is_only_loaded(op, load, &element, l, globals))??;
            Some(KeptLoad {
                op,
                load,
                relies_on_arguments,
            })
        })
    }

    /// Whether nothing in a branch touches an element but loads of it; if so, whether that relies on disjoint
    /// arguments.
    fn is_only_loaded(
        &self,
        branch: OpId,
        load: OpId,
        element: &Element,
        l: ForOp,
        globals: &Globals,
    ) -> Option<bool> {
        let mut deps = Dependences::new(self.ctx, self.body, globals);
        let accesses = accesses_below(&mut deps.values, branch);
        let own = accesses.iter().find(|access| access.op == load)?;
        let scope = Scope::AnyIterations(l.0);
        let mut is_apart = |access: &Access| {
            let is_same = is_load(self.body, access.op) && self.accesses(access.op, element);
            is_same || access.place != Place::Anything && !deps.may_overlap(scope, own, access)
        };
        let is_only = accesses.iter().all(&mut is_apart);
        is_only.then(|| deps.aliases.relied_on_arguments())
    }
}

/// The values that the branches of an `scf.if` give for a result.
fn given(body: &Body, branch: OpId, result: Value) -> Vec<Value> {
    let Some(place) = body[branch].results().position(|other| other == result) else {
        return Vec::new();
    };
    let blocks = (0..2).filter_map(|region| body.region_block(branch, region));
    let ends = blocks.filter_map(|block| body[block].last());
    ends.filter_map(|end| body[end].operands.get(place).copied())
        .collect()
}

impl KeptLoad {
    /// Moves the load.
    pub(super) fn apply(&self, body: &mut Body) {
        body.detach(self.load);
        body.insert_before(self.op, self.load);
    }
}

impl KeptStore {
    /// Converts the branch. Returns the one that takes its place.
    pub(super) fn apply(&self, ctx: &Context, body: &mut Body) -> OpId {
        let mut b = Builder::before(ctx, body, self.op);
        let held = self.element.load(&mut b);
        let Some(load) = body.defining_op(held) else {
            return self.op;
        };
        for &load in &self.loads {
            body.replace_uses(body[load].result(0), held);
            body.erase(load);
        }
        let update = Update {
            op: self.op,
            load,
            store: self.store,
            region: self.region,
            relies_on_arguments: self.relies_on_arguments,
        };
        update.apply(ctx, body)
    }
}
