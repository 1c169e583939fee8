//! The search for a time of each statement.

use std::cmp::Ordering;
use std::collections::HashMap;

use gridloom_dialects::affine::ForOp;
use gridloom_ir::Value;

use super::orders;
use super::statement::Statement;
use crate::analysis::access::Access;
use crate::analysis::dependence::{Compared, Dependences};
use crate::analysis::parallel::verdict;

/// Schedule: the loop of each statement that counts its time, and their order at one time.
pub(super) struct Schedule {
    pub times: Vec<usize>,
    pub order: Vec<usize>,
}

/// A dependence as the program has it: instances that compare so, the first of
/// which runs first.
struct Edge {
    statements: [usize; 2],
    accesses: [Access; 2],
    compared: Vec<Compared>,
}

/// Complete choices that are tried.
const MAX_TRIES: usize = 64;

/// The legal schedule with the most parallel loops, statement by statement;
/// `None` if each statement is in a parallel loop already, or one would be in none.
pub(super) fn find_schedule(
    deps: &mut Dependences,
    root: ForOp,
    statements: &[Statement],
) -> Option<Schedule> {
    let is_deep = statements.iter().any(|s| s.loops.len() > 1);
    if !is_deep || !has_serial_statement(deps, statements) {
        return None;
    }
    let edges = edges_of(deps, root, statements);
    let mut search = Search {
        deps,
        root,
        statements,
        edges,
        known: HashMap::new(),
        tries: 0,
    };
    let mut candidates = Vec::new();
    for k in 0..statements.len() {
        candidates.push(search.candidates(k));
    }
    let mut times = Vec::new();
    search.extend(&candidates, &mut times)
}

/// Whether a statement of two loops or more is in no parallel one.
fn has_serial_statement(deps: &mut Dependences, statements: &[Statement]) -> bool {
    let mut deep = statements.iter().filter(|s| s.loops.len() > 1);
    deep.any(|s| !s.loops.iter().any(|l| verdict(deps, l.0).is_parallel()))
}

fn edges_of(deps: &mut Dependences, root: ForOp, statements: &[Statement]) -> Vec<Edge> {
    let body = deps.values.body;
    let mut edges = Vec::new();
    for (a, from) in statements.iter().enumerate() {
        for (b, to) in statements.iter().enumerate() {
            let pairs = from.loops.iter().zip(&to.loops);
            let count = pairs.take_while(|(x, y)| x.0 == y.0).count();
            for (first_at, first) in &from.accesses {
                for (second_at, second) in &to.accesses {
                    for compared in orders(body, &from.loops[..count], first_at < second_at) {
                        let accesses = [first, second];
                        let found = deps.test_compared(root.0, accesses, &compared);
                        if !found.is_independent() {
                            edges.push(Edge {
                                statements: [a, b],
                                accesses: accesses.map(Clone::clone),
                                compared,
                            });
                        }
                    }
                }
            }
        }
    }
    edges
}

struct Search<'s, 'a> {
    deps: &'s mut Dependences<'a>,
    root: ForOp,
    statements: &'s [Statement],
    edges: Vec<Edge>,
    /// Answers by edge, loops and order.
    known: HashMap<(usize, [usize; 2], Ordering), bool>,
    tries: usize,
}

impl Search<'_, '_> {
    fn counter(&self, statement: usize, position: usize) -> Value {
        self.statements[statement].loops[position].induction_var(self.deps.values.body)
    }

    /// Whether instances of an edge have times that compare so.
    fn is_possible(&mut self, edge: usize, times: [usize; 2], order: Ordering) -> bool {
        if let Some(&known) = self.known.get(&(edge, times, order)) {
            return known;
        }
        let Edge {
            statements: [a, b], ..
        } = self.edges[edge];
        let (first, second) = (self.counter(a, times[0]), self.counter(b, times[1]));
        let answer = self.asked(edge, &[(first, order, second)]);
        self.known.insert((edge, times, order), answer);
        answer
    }

    fn asked(&mut self, edge: usize, more: &[Compared]) -> bool {
        let Edge {
            accesses: [first, second],
            compared,
            ..
        } = &self.edges[edge];
        let compared = [compared, more].concat();
        let found = self
            .deps
            .test_compared(self.root.0, [first, second], &compared);
        !found.is_independent()
    }

    /// The loops that can be the time of a statement by itself: those that leave
    /// the most parallel loops first.
    fn candidates(&mut self, statement: usize) -> Vec<usize> {
        let depth = self.statements[statement].loops.len();
        let mut found: Vec<(usize, usize)> = Vec::new();
        for time in 0..depth {
            let own: Vec<usize> = self.own_edges(statement);
            let mut own = own.into_iter();
            if own.any(|edge| self.is_possible(edge, [time, time], Ordering::Greater)) {
                continue;
            }
            let rest = (0..depth).filter(|&l| l != time);
            let free = rest.filter(|&l| self.is_free(statement, time, l)).count();
            if free > 0 || depth == 1 {
                found.push((free, time));
            }
        }
        found.sort_by_key(|&(free, _)| std::cmp::Reverse(free));
        found.into_iter().map(|(_, time)| time).collect()
    }

    fn own_edges(&self, statement: usize) -> Vec<usize> {
        let edges = self.edges.iter().enumerate();
        let own = edges.filter(|(_, edge)| edge.statements == [statement; 2]);
        own.map(|(k, _)| k).collect()
    }

    /// Whether no instances of a statement of one time depend on each other that
    /// differ in a loop.
    fn is_free(&mut self, statement: usize, time: usize, by: usize) -> bool {
        let time = self.counter(statement, time);
        let by = self.counter(statement, by);
        let at_once = (time, Ordering::Equal, time);
        self.own_edges(statement).into_iter().all(|edge| {
            [Ordering::Less, Ordering::Greater]
                .into_iter()
                .all(|order| !self.asked(edge, &[at_once, (by, order, by)]))
        })
    }

    /// Chooses times for the statements that have none yet.
    fn extend(&mut self, candidates: &[Vec<usize>], times: &mut Vec<usize>) -> Option<Schedule> {
        let next = times.len();
        if next == self.statements.len() {
            self.tries += 1;
            let order = self.order(times)?;
            let times = times.clone();
            return Some(Schedule { times, order });
        }
        for &time in &candidates[next] {
            if self.tries >= MAX_TRIES {
                return None;
            }
            times.push(time);
            if self.is_legal_so_far(times)
                && let Some(found) = self.extend(candidates, times)
            {
                return Some(found);
            }
            times.pop();
        }
        None
    }

    fn is_legal_so_far(&mut self, times: &[usize]) -> bool {
        let last = times.len() - 1;
        let is_asked = |edge: &Edge| {
            edge.statements.contains(&last) && edge.statements.iter().all(|&s| s <= last)
        };
        (0..self.edges.len()).all(|k| {
            let [a, b] = self.edges[k].statements;
            !is_asked(&self.edges[k])
                || !self.is_possible(k, [times[a], times[b]], Ordering::Greater)
        })
    }

    /// The order of the statements at one time that keeps all dependences, the
    /// program's where either is right.
    fn order(&mut self, times: &[usize]) -> Option<Vec<usize>> {
        let count = times.len();
        let mut comes_before: Vec<Vec<usize>> = vec![Vec::new(); count];
        for k in 0..self.edges.len() {
            let [a, b] = self.edges[k].statements;
            if a != b && self.is_possible(k, [times[a], times[b]], Ordering::Equal) {
                comes_before[b].push(a);
            }
        }
        let mut order: Vec<usize> = Vec::new();
        while order.len() < count {
            let is_next = |&s: &usize| {
                !order.contains(&s) && comes_before[s].iter().all(|before| order.contains(before))
            };
            let next = (0..count).find(is_next)?;
            order.push(next);
        }
        Some(order)
    }
}
