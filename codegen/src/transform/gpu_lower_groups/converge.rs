//! Convergence: takes collective operations out of branches that only some threads enter.
//!
//! ```text
//! scf.if %in {                        %a = scf.if %in -> f32 { …; scf.yield %x : f32 } else { … 0.0 }
//!   %x = …                            %s = gpu.shuffle xor %a, %distance, %width, %in
//!   %s = gpu.shuffle xor %x, …   ⇒    scf.if %in {
//!   … %s …                              … %s …
//! }                                   }
//! ```
//!
//! The last operand, which no verifier sees, is the operation's predicate: whether the thread is active at it. By `uniform`
//! the threads of a group are active together, and those that are not exchange values that nobody reads.
//!
//! A loop that all threads would run the same number of times leaves the branch as a whole first, with the
//! branch around the body of each iteration. Other loops are made uniform ([`make_uniform`]).
//!
//! Legal for branches and loops that hand on numbers alone; others are left as they are.

use std::collections::{HashMap, HashSet};

use gridloom_dialects::scf::{self, ForOp, IfOp};
use gridloom_dialects::{arith, inherent};
use gridloom_ir::op::Traits;
use gridloom_ir::{Attr, BlockId, Body, Builder, Context, OpId, Type, Value};

use super::loops::{any_thread, flag, make_uniform};
use crate::analysis::reduction::zero;
use crate::analysis::uniform::Uniformity;
use crate::transform::loop_invariant_code_motion::is_speculatable;

/// Limit of the branches that are split in a kernel.
const MAX_SPLITS: usize = 256;

/// Collective operations of a kernel.
pub(super) struct Collectives {
    pub ops: Vec<OpId>,
    /// Operations whose last operand is a predicate.
    pub predicated: HashSet<OpId>,
    /// Loops that were made uniform: their first value says whether the thread still runs them.
    loops: HashSet<OpId>,
}

/// Step on the way of a collective operation out of divergent control flow.
enum Step {
    Split(Split),
    Uniform(OpId),
}

/// Takes operations out of the branches and loops that threads may enter divergently, as far as that is legal.
pub(super) fn converge(ctx: &Context, body: &mut Body, all: &mut Collectives) {
    let mut fixed: HashSet<OpId> = HashSet::new();
    for _ in 0..MAX_SPLITS {
        let uniform = Uniformity::of(ctx, body);
        let step = (all.ops.iter()).find_map(|&op| all.step(ctx, body, &uniform, op, &fixed));
        match step {
            None => return,
            Some(Step::Split(split)) => split.apply(ctx, body, all),
            Some(Step::Uniform(op)) => match make_uniform(ctx, body, op) {
                Some(made) => {
                    all.loops.insert(made.op);
                    all.ops.push(made.any);
                }
                None => _ = fixed.insert(op),
            },
        }
    }
}

impl Collectives {
    pub fn new(ops: Vec<OpId>) -> Collectives {
        Collectives {
            ops,
            predicated: HashSet::new(),
            loops: HashSet::new(),
        }
    }

    /// The next step on the way of an operation out of what threads enter divergently. Loops in `fixed` stay as they are.
    fn step(
        &self,
        ctx: &Context,
        body: &Body,
        uniform: &Uniformity,
        op: OpId,
        fixed: &HashSet<OpId>,
    ) -> Option<Step> {
        let around = uniform.divergent_around(op)?;
        let mut inner = op;
        let branch = loop {
            let parent = body.parent_op(inner)?;
            if let Some(branch) = IfOp::cast(body, parent) {
                break branch;
            }
            if parent == around {
                return (!fixed.contains(&parent)).then_some(Step::Uniform(parent));
            }
            inner = parent;
        };
        let split = Split::of(ctx, body, branch, inner)?;
        let leaves = inner == op
            || self.loops.contains(&inner)
            || ForOp::cast(body, inner).is_some_and(|counted| split.can_leave(body, counted));
        match leaves {
            true => Some(Step::Split(split)),
            false => (!fixed.contains(&inner)).then_some(Step::Uniform(inner)),
        }
    }
}

/// Split of a branch around an operation of one of its blocks.
struct Split {
    branch: IfOp,
    block: BlockId,
    /// The operation that leaves the branch: a collective one, or a loop around it.
    inner: OpId,
    /// Operations that may run in front of the branch.
    hoisted: Vec<OpId>,
    /// The others in front of `inner`.
    before: Vec<OpId>,
    /// Values of `before` that `inner` and the operations after it use, each with a placeholder for threads that do
    /// not take the branch.
    handed: Vec<(Value, Attr)>,
}

impl Split {
    /// The split of a branch around an operation of one of its blocks. `None` where it would hand on more than numbers.
    fn of(ctx: &Context, body: &Body, branch: IfOp, inner: OpId) -> Option<Split> {
        let block = body[inner].parent()?;
        let mut hoisted = Vec::new();
        let mut before = Vec::new();
        let mut kept: HashSet<Value> = HashSet::new();
        for other in body.ops(block).take_while(|&other| other != inner) {
            let data = &body[other];
            let may_leave = data.name.has(Traits::PURE)
                && data.inline_regions().is_empty()
                && is_speculatable(ctx, body, other)
                && !data.operands.iter().any(|value| kept.contains(value));
            if may_leave {
                hoisted.push(other);
            } else {
                kept.extend(data.results());
                before.push(other);
            }
        }
        let after = body.ops(block).skip_while(|&other| other != inner);
        let mut used: Vec<Value> = after
            .flat_map(|other| body.walk_op(other))
            .flat_map(|other| body[other].operands.to_vec())
            .filter(|value| kept.contains(value))
            .collect();
        used.sort_unstable();
        used.dedup();
        let handed = used
            .into_iter()
            .map(|value| Some((value, zero(ctx, body.ty(value))?)));
        Some(Split {
            branch,
            block,
            inner,
            hoisted,
            before,
            handed: handed.collect::<Option<_>>()?,
        })
    }

    /// Whether a loop may leave the branch: its bounds hold for threads that do not take the branch, too.
    fn can_leave(&self, body: &Body, counted: ForOp) -> bool {
        let bounds = [counted.lower(body), counted.upper(body), counted.step(body)];
        let is_kept = |bound| {
            let def = body.defining_op(bound);
            def.is_some_and(|def| self.before.contains(&def))
        };
        !bounds.into_iter().any(is_kept)
    }

    fn apply(&self, ctx: &Context, body: &mut Body, all: &mut Collectives) {
        for &op in &self.hoisted {
            body.detach(op);
            body.insert_before(self.branch.0, op);
        }
        let values: Vec<Value> = self.handed.iter().map(|&(value, _)| value).collect();
        if !self.before.is_empty() {
            let mut b = Builder::before(ctx, body, self.branch.0);
            let others = (self.handed.iter()).map(|&(value, zero)| (zero, b.body.ty(value)));
            let others: Vec<(Attr, Type)> = others.collect();
            let others: Vec<Value> = (others.into_iter())
                .map(|(zero, ty)| b.constant(zero, ty))
                .collect();
            let first = self.guarded(&mut b, &self.before, &values, &others);
            let results = body[first.0].results();
            let handed: HashMap<Value, Value> = values.iter().copied().zip(results).collect();
            let after: Vec<OpId> = body.ops(self.block).collect();
            for op in after {
                body.replace_values_in(op, |value| *handed.get(&value).unwrap_or(&value));
            }
        }
        body.detach(self.inner);
        body.insert_before(self.branch.0, self.inner);
        if let Some(counted) = ForOp::cast(body, self.inner) {
            self.guard_iterations(ctx, body, counted);
            self.skip_unless_taken(ctx, body, counted, all);
        } else if all.loops.contains(&self.inner) {
            self.predicate_operand(ctx, body, 0);
        } else if !body[self.inner].has_attr(ctx, inherent::UNIFORM) {
            let last = body[self.inner].operands.len();
            match all.predicated.insert(self.inner) {
                true => self.add_predicate(ctx, body),
                false => self.predicate_operand(ctx, body, last - 1),
            }
        }
    }

    /// Emits whether the thread takes the side of the branch that is split.
    fn taken(&self, b: &mut Builder) -> Value {
        let condition = self.branch.condition(b.body);
        if self.block == self.branch.then_block(b.body) {
            return condition;
        }
        let yes = flag(b, true);
        b.binary(arith::XORI, condition, yes)
    }

    /// Appends the predicate to the operands of the operation.
    fn add_predicate(&self, ctx: &Context, body: &mut Body) {
        let mut b = Builder::before(ctx, body, self.inner);
        let taken = self.taken(&mut b);
        let operands = [&body[self.inner].operands[..], &[taken]].concat();
        body[self.inner].operands = operands.as_slice().into();
    }

    /// Restricts a predicate among the operands to the threads that take the branch.
    fn predicate_operand(&self, ctx: &Context, body: &mut Body, number: usize) {
        let mut b = Builder::before(ctx, body, self.inner);
        let taken = self.taken(&mut b);
        let old = b.body[self.inner].operands[number];
        let both = b.binary(arith::ANDI, old, taken);
        body[self.inner].operands[number] = both;
    }

    /// Has a loop of open bounds that left the branch run no iteration where no thread takes the branch, since there may be
    /// any number of them.
    fn skip_unless_taken(
        &self,
        ctx: &Context,
        body: &mut Body,
        counted: ForOp,
        all: &mut Collectives,
    ) {
        let bounds = [counted.lower(body), counted.upper(body)];
        let is_open = |bound| arith::constant_int(ctx, body, bound).is_none();
        if !bounds.into_iter().any(is_open) {
            return;
        }
        let mut b = Builder::before(ctx, body, self.inner);
        let taken = self.taken(&mut b);
        let (any, is_taken) = any_thread(&mut b, taken);
        let [lower, upper] = bounds;
        let upper = arith::select(&mut b, is_taken, upper, lower);
        body[self.inner].operands[1] = upper;
        all.ops.push(any);
    }

    /// Puts the branch around the body of a loop that left it.
    fn guard_iterations(&self, ctx: &Context, body: &mut Body, counted: ForOp) {
        let block = counted.block(body);
        let ops: Vec<OpId> = body.ops(block).collect();
        let Some((&end, ops)) = ops.split_last() else {
            return;
        };
        let yielded = body[end].operands.to_vec();
        let carried = counted.iter_args(body).to_vec();
        let mut b = Builder::before(ctx, body, end);
        let made = self.guarded(&mut b, ops, &yielded, &carried);
        let results = body[made.0].results().collect::<Vec<_>>();
        body[end].operands = results.as_slice().into();
    }

    /// Emits a branch on the same condition around operations, which yields `values` where it is taken
    /// and `others` elsewhere.
    fn guarded(&self, b: &mut Builder, ops: &[OpId], values: &[Value], others: &[Value]) -> IfOp {
        let is_then = self.block == self.branch.then_block(b.body);
        let condition = self.branch.condition(b.body);
        let types: Vec<Type> = values.iter().map(|&value| b.body.ty(value)).collect();
        let made = IfOp::create(b, condition, &types, !types.is_empty() || !is_then);
        let (then, otherwise) = (made.then_block(b.body), made.else_block(b.body));
        let sides = [Some(then), otherwise];
        for (number, block) in sides.into_iter().enumerate() {
            let Some(block) = block else { continue };
            let is_taken = (number == 0) == is_then;
            if is_taken {
                for &op in ops {
                    b.body.detach(op);
                    b.body.append(block, op);
                }
            }
            scf::yield_values(b, block, if is_taken { values } else { others });
        }
        made
    }
}
