//! Pieces of a sequential loop: strongly connected components of its runs by what has to come before what.

use gridloom_dialects::affine::{self, ForOp};
use gridloom_ir::{Body, OpId};

use super::BlockingDependence;
use crate::analysis::access::Access;
use crate::analysis::dependence::{Dependence, Dependences, Scope};

/// Merges runs that have to come before each other into pieces, and orders these where several have loops: a run whose
/// operations come, in earlier iterations, before those of an earlier run on the same elements stands in front of it, as
/// do the forces `f[j] -= g` of pairs `i < j` of `f[i] += g`. Pieces that nothing ties keep the order of the program. Returns the last
/// dependence of a later run on an earlier one too, if there is one.
pub(super) fn ordered_pieces(
    deps: &mut Dependences,
    op: ForOp,
    runs: Vec<Vec<OpId>>,
    accesses: &[Vec<Access>],
) -> (Vec<Vec<OpId>>, Option<BlockingDependence>) {
    let count = runs.len();
    let order: Vec<OpId> = deps.values.body.ops(op.block(deps.values.body)).collect();
    let mut tests = Tests { deps, op, order };
    let mut is_before = vec![vec![false; count]; count];
    let mut blocking = None;
    for later in 0..count {
        for earlier in 0..later {
            if let Some(found) = tests.first(&accesses[later], &accesses[earlier]) {
                is_before[later][earlier] = true;
                blocking = Some(found);
            }
        }
    }
    if blocking.is_none() {
        return (runs, None);
    }
    let body = tests.deps.values.body;
    let has_loop = |run: &&Vec<OpId>| run.iter().any(|&op| body[op].name == affine::FOR);
    if runs.iter().filter(has_loop).count() < 2 {
        return (intervals(runs, &is_before), blocking);
    }
    for later in 0..count {
        for earlier in 0..later {
            is_before[earlier][later] = uses(body, &runs[later], &runs[earlier])
                || tests.first(&accesses[earlier], &accesses[later]).is_some();
        }
    }
    for via in 0..count {
        for from in 0..count {
            for to in 0..count {
                is_before[from][to] |= is_before[from][via] && is_before[via][to];
            }
        }
    }
    let components = components(&is_before).into_iter();
    let pieces = components.map(|runs_of| runs_of.iter().flat_map(|&k| runs[k].clone()).collect());
    (pieces.collect(), blocking)
}

/// The strongly connected components of a transitive relation, in its order; those that it leaves open by their first members.
fn components(is_before: &[Vec<bool>]) -> Vec<Vec<usize>> {
    let are_tied = |a: usize, b: usize| a == b || is_before[a][b] && is_before[b][a];
    let all = 0..is_before.len();
    let is_first = |&k: &usize| !(0..k).any(|other| are_tied(other, k));
    let firsts = all.clone().filter(is_first);
    let mut open: Vec<Vec<usize>> = firsts
        .map(|first| all.clone().filter(|&k| are_tied(first, k)).collect())
        .collect();
    let mut ordered = Vec::new();
    while !open.is_empty() {
        let is_next = |piece: &Vec<usize>| {
            let mut others = open.iter().filter(|other| other[0] != piece[0]);
            !others.any(|other| is_before[other[0]][piece[0]])
        };
        // Components form no circles, so that one is first.
        let next = open.iter().position(is_next).unwrap_or(0);
        ordered.push(open.remove(next));
    }
    ordered
}

/// Merges each run with those from the first one on that it has to come before. Statements around no more than one loop
/// are one kernel mostly, which loads what they share once.
fn intervals(runs: Vec<Vec<OpId>>, is_before: &[Vec<bool>]) -> Vec<Vec<OpId>> {
    let mut merged: Vec<(usize, Vec<OpId>)> = Vec::new();
    for (last, run) in runs.into_iter().enumerate() {
        let from = (0..last).find(|&first| is_before[last][first]);
        let mut piece = run;
        while merged
            .last()
            .is_some_and(|(end, _)| from.is_some_and(|from| *end >= from))
        {
            if let Some((_, before)) = merged.pop() {
                piece = [before, piece].concat();
            }
        }
        merged.push((last, piece));
    }
    merged.into_iter().map(|(_, piece)| piece).collect()
}

/// Whether statements use a result of others.
fn uses(body: &Body, users: &[OpId], others: &[OpId]) -> bool {
    let mut below = users.iter().flat_map(|&user| body.walk_op(user));
    below.any(|op| {
        let mut operands = body[op].operands.iter();
        operands.any(|&value| {
            body.defining_op(value)
                .is_some_and(|def| others.contains(&def))
        })
    })
}

/// Tests of which accesses of a loop come before others on the same element.
struct Tests<'d, 'a> {
    deps: &'d mut Dependences<'a>,
    op: ForOp,
    /// The statements of the loop.
    order: Vec<OpId>,
}

impl Tests<'_, '_> {
    /// The first dependence from accesses to others, of a later iteration or behind them in the same one.
    fn first(&mut self, from: &[Access], to: &[Access]) -> Option<BlockingDependence> {
        let mut pairs = from.iter().flat_map(|a| to.iter().map(move |b| (a, b)));
        pairs.find_map(|(a, b)| {
            let found = self.dependence(a, b);
            (!found.is_independent()).then(|| ([a.clone(), b.clone()], found))
        })
    }

    fn dependence(&mut self, from: &Access, to: &Access) -> Dependence {
        let found = self.deps.test(Scope::AcrossIterations(self.op.0), from, to);
        // Loads of a later run may precede stores of an earlier one in the program.
        if found.is_independent() && self.place(from) < self.place(to) {
            let block = self.op.block(self.deps.values.body);
            return self.deps.test(Scope::Block(block), from, to);
        }
        found
    }

    /// The number of the statement that an access is in.
    fn place(&self, access: &Access) -> Option<usize> {
        let body = self.deps.values.body;
        let statement = body.ancestor_in_block(access.op, self.op.block(body));
        self.order.iter().position(|&op| Some(op) == statement)
    }
}
