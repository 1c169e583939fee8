//! Statements of an imperfect nest: each store with the operations that it needs.

use std::collections::{HashMap, HashSet};

use gridloom_dialects::affine::{self, ForOp, LoadOp, StoreOp};
use gridloom_ir::op::Traits;
use gridloom_ir::{Body, Context, OpId, Value};

use crate::analysis::access::{Access, Place, accesses_below, accesses_of};
use crate::analysis::dependence::{Dependences, Scope};
use crate::analysis::reduction::combined_by;

/// Statement: a store, the loops around it and the operations of its block that it needs.
#[derive(Clone)]
pub(in crate::transform) struct Statement {
    /// From the root of the nest inwards.
    pub loops: Vec<ForOp>,
    /// In the order of the program, the store last.
    pub ops: Vec<OpId>,
    /// Accesses of the operations, each with its place in program order.
    pub accesses: Vec<(usize, Access)>,
    /// The element that the statement accumulates in, if it is a reduction.
    collected: Option<Collected>,
}

/// Accumulated element: one that a statement loads, combines with an independent value, and stores
/// again; instances may be regrouped.
#[derive(Clone, Copy)]
pub(in crate::transform) struct Collected {
    load: OpId,
    pub(in crate::transform) store: OpId,
    /// Whether the operation lacks the flag that lets it be regrouped.
    pub(in crate::transform) keeps_order: bool,
}

impl Collected {
    /// The load and the store.
    pub(in crate::transform) fn halves(&self) -> [OpId; 2] {
        [self.load, self.store]
    }
}

impl Statement {
    /// Whether an access is of the accumulated element, and instances may run in any order.
    pub fn collects_by(&self, access: &Access, reassociate: bool) -> bool {
        self.collected.is_some_and(|collected| {
            let is_half = collected.halves().contains(&access.op);
            is_half && (reassociate || !collected.keeps_order)
        })
    }
}

/// Limit of the statements of a nest, all pairs of which are compared.
const MAX_STATEMENTS: usize = 8;
/// Limit of the accesses of a nest.
const MAX_ACCESSES: usize = 32;

/// The statements of a nest that consists of loops of step 1 and statements, in program order;
/// `None` where values pass between statements other than through memory, or where there is only
/// one.
pub(in crate::transform) fn statements_of(
    deps: &mut Dependences,
    root: ForOp,
) -> Option<Vec<Statement>> {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    let mut statements = Vec::new();
    let mut loaded: HashSet<OpId> = HashSet::new();
    let order: Vec<OpId> = body.walk_op(root.0);
    let positions: HashMap<OpId, usize> =
        order.iter().enumerate().map(|(k, &op)| (op, k)).collect();
    for &op in &order {
        match ForOp::cast(body, op) {
            Some(l) if l.step(ctx, body) == 1 && body[op].num_results() == 0 => continue,
            Some(_) => return None,
            None if is_repeatable(body, op) || body[op].name == affine::YIELD => continue,
            None if body[op].name != affine::STORE => return None,
            None => {}
        }
        if statements.len() == MAX_STATEMENTS {
            return None;
        }
        let ops = needed(body, root, op, &positions)?;
        let mut accesses = Vec::new();
        for &part in &ops {
            let mut found = Vec::new();
            accesses_of(&mut deps.values, part, &mut found);
            if body[part].name == affine::LOAD {
                // If two statements of a block shared a load, the later one would see the store of
                // the earlier one.
                let is_own = body[part].parent() == body[op].parent() && loaded.insert(part);
                let is_kept = is_own || found.iter().all(|load| is_kept(deps, load, op));
                if !is_kept {
                    return None;
                }
            }
            accesses.extend(found.into_iter().map(|access| (positions[&part], access)));
        }
        let up = body.ancestors(op);
        let mut loops: Vec<ForOp> = Vec::new();
        for op in up {
            loops.extend(ForOp::cast(body, op));
            if op == root.0 {
                break;
            }
        }
        loops.reverse();
        statements.push(Statement {
            loops,
            collected: collected(ctx, body, &ops),
            ops,
            accesses,
        });
    }
    let accesses = || statements.iter().flat_map(|s| &s.accesses);
    let is_known = accesses().all(|(_, access)| matches!(access.place, Place::Element { .. }));
    let is_small = accesses().count() <= MAX_ACCESSES;
    (is_known && is_small && statements.len() > 1).then_some(statements)
}

fn is_repeatable(body: &Body, op: OpId) -> bool {
    let is_plain = body[op].num_regions() == 0;
    is_plain && (body[op].name == affine::LOAD || body[op].name.has(Traits::PURE))
}

/// Whether no store between a load and a statement, in one run of the load's block, touches what is
/// loaded: the statement may load it again.
fn is_kept(deps: &mut Dependences, load: &Access, statement: OpId) -> bool {
    let body = deps.values.body;
    let Some(block) = body[load.op].parent() else {
        return false;
    };
    let ops: Vec<OpId> = body.ops(block).collect();
    let place = |op: OpId| {
        let own = body.ancestor_in_block(op, block)?;
        ops.iter().position(|&other| other == own)
    };
    let (Some(from), Some(to)) = (place(load.op), place(statement)) else {
        return false;
    };
    let below = ops[from + 1..=to].iter().flat_map(|&op| body.walk_op(op));
    let stores = below.filter(|&op| body[op].name == affine::STORE && op != statement);
    let own = (to > from && ops[to] != statement).then_some(statement);
    stores.chain(own).all(|op| {
        let stored = accesses_below(&mut deps.values, op);
        let scope = Scope::Block(block);
        stored
            .iter()
            .all(|stored| deps.test(scope, load, stored).is_independent())
    })
}

/// A store and the operations that it uses, of its block and, if they may run again, of blocks
/// around; `None` where it uses other values of the nest than these and counters.
fn needed(
    body: &Body,
    root: ForOp,
    store: OpId,
    positions: &HashMap<OpId, usize>,
) -> Option<Vec<OpId>> {
    let mut needed = vec![store];
    let mut next = 0;
    while let Some(&op) = needed.get(next) {
        next += 1;
        for &operand in &body[op].operands {
            let Some(def) = body.defining_op(operand) else {
                continue;
            };
            if !body.is_ancestor(root.0, def) {
                continue;
            }
            if !is_repeatable(body, def) {
                return None;
            }
            if !needed.contains(&def) {
                needed.push(def);
            }
        }
    }
    needed.sort_by_key(|op| positions.get(op));
    Some(needed)
}

/// Matches the accumulation `store (load op x)` of a statement, where the loaded value has no other
/// use.
pub(in crate::transform) fn collected(
    ctx: &Context,
    body: &Body,
    ops: &[OpId],
) -> Option<Collected> {
    let store = StoreOp::cast(body, *ops.last()?)?;
    let combined = body.defining_op(store.value(body))?;
    let is_only_use = |value: Value| {
        let operands = ops.iter().flat_map(|&op| &body[op].operands);
        operands.filter(|&&operand| operand == value).count() == 1
    };
    let collects = |(operand, &value): (usize, &Value)| {
        let load = LoadOp::cast(body, body.defining_op(value)?)?;
        let is_same = load.memref(body) == store.memref(body)
            && load.map(ctx, body) == store.map(ctx, body)
            && load.operands(body) == store.operands(body);
        let (_, keeps_order) = combined_by(ctx, &body[combined], operand)?;
        (is_same && is_only_use(value)).then_some(Collected {
            load: load.0,
            store: store.0,
            keeps_order,
        })
    };
    let found = body[combined]
        .operands
        .iter()
        .enumerate()
        .find_map(collects)?;
    is_only_use(store.value(body)).then_some(found)
}
