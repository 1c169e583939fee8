//! Exit unification: gives a loop of blocks with several exits or back edges one of each.
//!
//! ```text
//! ^head: … cf.cond_br %c, ^body, ^done        ^head: … cf.cond_br %c, ^body, ^latch(%false, 0)
//! ^body: … cf.cond_br %d, ^found(%x), ^next   ^body: … cf.cond_br %d, ^latch(%false, 1, %x), ^next
//! ^next: … cf.br ^head                   ⇒    ^next: … cf.br ^latch(%true, 0, poison)
//!                                             ^latch(%again, %which, %y): cf.cond_br %again, ^head, ^exit
//!                                             ^exit: cf.cond_br %which == 1, ^found(%y), ^done
//! ```
//!
//! All exits and back edges lead through a latch, whose arguments are the target, the values to
//! pass there, and the values of the loop that are used behind it. Then no path leaves the loop
//! midway, so that its conditionals become `scf.if`, and the loop a `scf.while` (H. Bahmann, N.
//! Reissmann, M. Jahre, J. C. Meyer, "Perfect reconstructability of control flow from demand
//! dependence graphs", 2015). Always legal for a loop with a single entry; others stay.

use std::collections::{HashMap, HashSet};

use gridloom_dialects::arith::{CmpIOp, CmpIPredicate};
use gridloom_dialects::ub;
use gridloom_ir::{BlockId, Body, Builder, Context, Loc, OpId, RegionId, Type, Value};

use super::branches::{branch, branch_if};
use super::flow::{Edge, End, end_of, successors};

/// Limit of the blocks of a region whose loops are unified: dominance takes quadratic space.
const MAX_BLOCKS: usize = 256;

/// Natural loop: one whose only entry is its head.
struct Loop {
    head: BlockId,
    blocks: HashSet<BlockId>,
    /// Blocks with a branch back to the head or out of the loop, in program order.
    ends: Vec<BlockId>,
}

/// Unifies exits and back edges of one loop of a region, innermost first. Returns whether there was
/// a loop with several.
pub(super) fn unify_exits(ctx: &Context, body: &mut Body, region: RegionId) -> bool {
    let blocks = body[region].blocks.to_vec();
    if blocks.len() > MAX_BLOCKS {
        return false;
    }
    let dominators = Dominators::of(body, &blocks);
    let mut loops: Vec<Loop> = (blocks.iter())
        .filter_map(|&head| Loop::of(ctx, body, &blocks, &dominators, head))
        .collect();
    loops.sort_by_key(|found| found.blocks.len());
    let Some(found) = loops.first() else {
        return false;
    };
    found.unify(ctx, body, region, &dominators);
    true
}

impl Loop {
    /// The natural loop of `head`, if it has several exits or back edges.
    fn of(
        ctx: &Context,
        body: &Body,
        all: &[BlockId],
        dominators: &Dominators,
        head: BlockId,
    ) -> Option<Loop> {
        let leads_to = |block: BlockId, to: BlockId| successors(body, block).contains(&to);
        let back: Vec<BlockId> = (all.iter().copied())
            .filter(|&block| leads_to(block, head) && dominators.dominates(head, block))
            .collect();
        let mut blocks = HashSet::from([head]);
        let mut open: Vec<BlockId> = back.clone();
        while let Some(block) = open.pop() {
            if blocks.insert(block) {
                open.extend(all.iter().copied().filter(|&from| leads_to(from, block)));
            }
        }
        let is_outside = |block: &&BlockId| !blocks.contains(block);
        let ends: Vec<BlockId> = (all.iter().copied())
            .filter(|block| blocks.contains(block))
            .filter(|&block| {
                let mut to = successors(body, block).iter();
                to.any(|to| *to == head || is_outside(&to))
            })
            .collect();
        let is_known = |&block: &BlockId| {
            dominators.dominates(head, block) && end_of(ctx, body, block) != End::Other
        };
        let is_sound = !back.is_empty() && blocks.iter().all(is_known);
        (is_sound && ends.len() > 1).then_some(Loop { head, blocks, ends })
    }

    fn unify(&self, ctx: &Context, body: &mut Body, region: RegionId, dominators: &Dominators) {
        let loc = body[self.head]
            .last()
            .map_or(Loc::UNKNOWN, |last| body[last].loc);
        let targets = self.targets(body);
        let escaping = self.escaping(body, region);
        let passed = Passed::new(ctx, body, self.head, &targets, &escaping);
        let latch = body.add_block(region, &passed.types);
        let exit = body.add_block(region, &passed.types[passed.which..]);
        for &block in &self.ends {
            self.redirect(
                ctx, body, block, latch, &passed, &targets, &escaping, dominators,
            );
        }
        let outside: Vec<OpId> = (body[region].blocks.iter().copied())
            .filter(|block| !self.blocks.contains(block) && ![latch, exit].contains(block))
            .flat_map(|block| body.ops(block).collect::<Vec<_>>())
            .collect();
        let args = body[exit].args.to_vec();
        let behind: HashMap<Value, Value> = (escaping.iter().copied())
            .zip(args[passed.escaping - passed.which..].iter().copied())
            .collect();
        for op in outside {
            body.replace_values_in(op, |value| behind.get(&value).copied().unwrap_or(value));
        }
        let of_latch = body[latch].args.to_vec();
        let mut b = Builder::at_end(ctx, body, latch, loc);
        let again = Edge {
            to: self.head,
            operands: of_latch[passed.head..passed.which].to_vec(),
        };
        let leave = Edge {
            to: exit,
            operands: of_latch[passed.which..].to_vec(),
        };
        branch_if(&mut b, of_latch[0], &[again, leave]);
        dispatch(ctx, body, (region, exit), &targets, &passed, loc);
    }

    /// The exit blocks outside of the loop.
    fn targets(&self, body: &Body) -> Vec<BlockId> {
        let mut targets = Vec::new();
        for &block in &self.ends {
            for &to in successors(body, block) {
                if !self.blocks.contains(&to) && !targets.contains(&to) {
                    targets.push(to);
                }
            }
        }
        targets
    }

    /// Escaping values: those of the loop's blocks that are used behind it.
    fn escaping(&self, body: &Body, region: RegionId) -> Vec<Value> {
        let mut found = Vec::new();
        let mut seen = HashSet::new();
        for &block in &body[region].blocks {
            if self.blocks.contains(&block) {
                continue;
            }
            for op in body.ops(block).flat_map(|op| body.walk_op(op)) {
                for &value in &body[op].operands {
                    let home = body.value_block(value);
                    if home.is_some_and(|home| self.blocks.contains(&home)) && seen.insert(value) {
                        found.push(value);
                    }
                }
            }
        }
        found
    }

    /// Redirects the exits and back edges of a block to the latch.
    #[expect(clippy::too_many_arguments, reason = "the parts of one change")]
    fn redirect(
        &self,
        ctx: &Context,
        body: &mut Body,
        block: BlockId,
        latch: BlockId,
        passed: &Passed,
        targets: &[BlockId],
        escaping: &[Value],
        dominators: &Dominators,
    ) {
        let (end, last) = (end_of(ctx, body, block), body[block].last());
        let Some(last) = last else {
            return;
        };
        let b = &mut Builder::before(ctx, body, last);
        let lead = |b: &mut Builder, edge: Edge| {
            let target = targets.iter().position(|&target| target == edge.to);
            if target.is_none() && edge.to != self.head {
                return edge;
            }
            // An undefined value on this edge is used on no path from here.
            let mut operands: Vec<Option<Value>> = vec![None; passed.types.len()];
            let again = b.constant(ctx.bool_attr(target.is_none()), ctx.bool_type());
            let which = b.index_constant(target.unwrap_or(0) as i64);
            (operands[0], operands[passed.which]) = (Some(again), Some(which));
            let first = target.map_or(passed.head, |target| passed.of_targets[target]);
            for (place, &operand) in operands[first..].iter_mut().zip(&edge.operands) {
                *place = Some(operand);
            }
            let is_left = target.is_some();
            for (place, &value) in operands[passed.escaping..].iter_mut().zip(escaping) {
                let home = b.body.value_block(value);
                let is_known = home.is_some_and(|home| dominators.dominates(home, block));
                *place = (is_left && is_known).then_some(value);
            }
            let operands = operands.into_iter().zip(&passed.types);
            let operands = operands
                .map(|(value, &ty)| value.unwrap_or_else(|| b.unary(ub::POISON, &[], ty)))
                .collect();
            Edge {
                to: latch,
                operands,
            }
        };
        match end {
            End::Branch(edge) => {
                let edge = lead(b, edge);
                branch(b, &edge);
            }
            End::Conditional(condition, edges) => {
                let edges = edges.map(|edge| lead(b, edge));
                branch_if(b, condition, &edges);
            }
            End::Other => return,
        }
        body.erase(last);
    }
}

/// Values passed to the latch: whether to continue, the arguments of the head, the number of the
/// target, the arguments of each target, and the escaping values.
struct Passed {
    types: Vec<Type>,
    head: usize,
    which: usize,
    of_targets: Vec<usize>,
    escaping: usize,
}

impl Passed {
    fn new(
        ctx: &Context,
        body: &Body,
        head: BlockId,
        targets: &[BlockId],
        escaping: &[Value],
    ) -> Passed {
        let of_block = |block: BlockId| body[block].args.iter().map(|&arg| body.ty(arg));
        let mut types = vec![ctx.bool_type()];
        types.extend(of_block(head));
        let which = types.len();
        types.push(ctx.index_type());
        let mut of_targets = Vec::new();
        for &target in targets {
            of_targets.push(types.len());
            types.extend(of_block(target));
        }
        let first_escaping = types.len();
        types.extend(escaping.iter().map(|&value| body.ty(value)));
        Passed {
            types,
            head: 1,
            which,
            of_targets,
            escaping: first_escaping,
        }
    }
}

/// Emits branches from the exit of a loop to its targets, by number.
fn dispatch(
    ctx: &Context,
    body: &mut Body,
    (region, exit): (RegionId, BlockId),
    targets: &[BlockId],
    passed: &Passed,
    loc: Loc,
) {
    let args = body[exit].args.to_vec();
    let edge = |body: &Body, number: usize| {
        let first = passed.of_targets[number] - passed.which;
        Edge {
            to: targets[number],
            operands: args[first..first + body[targets[number]].args.len()].to_vec(),
        }
    };
    let mut from = exit;
    for number in 1..targets.len() {
        let rest = match number + 1 < targets.len() {
            true => Edge {
                to: body.add_block(region, &[]),
                operands: Vec::new(),
            },
            false => edge(body, 0),
        };
        let chosen = edge(body, number);
        let mut b = Builder::at_end(ctx, body, from, loc);
        let wanted = b.index_constant(number as i64);
        let is_it = CmpIOp::create(&mut b, CmpIPredicate::Eq, args[0], wanted);
        from = rest.to;
        branch_if(&mut b, is_it, &[chosen, rest]);
    }
    if targets.len() == 1 {
        let only = edge(body, 0);
        branch(&mut Builder::at_end(ctx, body, exit, loc), &only);
    }
}

/// Dominators of each block: the blocks on every path to it.
struct Dominators(HashMap<BlockId, HashSet<BlockId>>);

impl Dominators {
    /// Computes dominators by iteration: the intersection of those of all predecessors, and the
    /// block itself.
    fn of(body: &Body, blocks: &[BlockId]) -> Dominators {
        let all: HashSet<BlockId> = blocks.iter().copied().collect();
        let mut sets: HashMap<BlockId, HashSet<BlockId>> =
            blocks.iter().map(|&block| (block, all.clone())).collect();
        let Some(&entry) = blocks.first() else {
            return Dominators(sets);
        };
        sets.insert(entry, HashSet::from([entry]));
        let mut before: HashMap<BlockId, Vec<BlockId>> = HashMap::new();
        for &block in blocks {
            for &to in successors(body, block) {
                before.entry(to).or_default().push(block);
            }
        }
        let mut changed = true;
        while changed {
            changed = false;
            for block in blocks.iter().skip(1) {
                let from = before.get(block).map_or(&[][..], |from| from);
                let mut common = from.iter().filter_map(|from| sets.get(from)).cloned();
                let Some(first) = common.next() else {
                    continue;
                };
                let mut common = common.fold(first, |all, set| &all & &set);
                common.insert(*block);
                if sets[block] != common {
                    sets.insert(*block, common);
                    changed = true;
                }
            }
        }
        Dominators(sets)
    }

    fn dominates(&self, block: BlockId, other: BlockId) -> bool {
        self.0.get(&other).is_some_and(|set| set.contains(&block))
    }
}
