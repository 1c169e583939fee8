//! Schedule search: finds a time for each statement.

use std::cmp::Ordering;
use std::collections::HashMap;

use gridloom_dialects::affine::ForOp;
use gridloom_ir::{AffineExpr, Value};

use super::edges::Edge;
use super::statement::Statement;
use super::time::{Time, aligned_times};
use crate::analysis::access::Access;
use crate::analysis::dependence::{Compared, Dependences};
use crate::analysis::parallel::verdict;
use crate::analysis::values::Atom;

/// Schedule: the time of each statement, and their order at one time.
pub(super) struct Schedule {
    pub times: Vec<Time>,
    pub order: Vec<usize>,
}

/// Limit of the complete schedules that are tried.
const MAX_TRIES: usize = 64;

/// The legal schedule with the most parallel loops, statement by statement;
/// `None` if a statement would be in none.
///
/// Schedules whose times are counters, and that keep the order of reductions, are preferred.
pub(super) fn find_schedule(
    deps: &mut Dependences,
    root: ForOp,
    statements: &[Statement],
    edges: Vec<Edge>,
) -> Option<Schedule> {
    let mut search = Search {
        deps,
        root,
        statements,
        edges,
        choices: counters(statements),
        regroups: false,
        known: HashMap::new(),
        tries: 0,
    };
    let may_regroup = search.edges.iter().any(|edge| edge.is_regrouped);
    for aligns in [false, true] {
        if aligns && !search.add_aligned_times() {
            break;
        }
        for regroups in [false, true] {
            search.regroups = regroups;
            if regroups && !may_regroup {
                continue;
            }
            let found = search.find();
            if found.is_some() {
                return found;
            }
        }
    }
    None
}

/// Candidate times: each counter of each statement.
fn counters(statements: &[Statement]) -> Vec<Vec<Time>> {
    let of = |statement: &Statement| (0..statement.loops.len()).map(Time::counter).collect();
    statements.iter().map(of).collect()
}

/// Whether some statement of two loops or more is in no parallel loop.
pub(super) fn has_serial_statement(deps: &mut Dependences, statements: &[Statement]) -> bool {
    let mut deep = statements.iter().filter(|s| s.loops.len() > 1);
    deep.any(|s| !s.loops.iter().any(|l| verdict(deps, l.0).is_parallel()))
}

/// Positions among the candidate times of two statements.
type Choices = [usize; 2];

struct Search<'s, 'a> {
    deps: &'s mut Dependences<'a>,
    root: ForOp,
    statements: &'s [Statement],
    edges: Vec<Edge>,
    /// Candidate times of each statement.
    choices: Vec<Vec<Time>>,
    /// Whether reductions may be regrouped.
    regroups: bool,
    /// Memo of answers by edge, times and order.
    known: HashMap<(usize, Choices, Ordering), bool>,
    tries: usize,
}

impl Search<'_, '_> {
    /// Adds candidate times that are no counters. Returns whether there are some.
    fn add_aligned_times(&mut self) -> bool {
        let mut added = false;
        for (k, statement) in self.statements.iter().enumerate() {
            let pairs = self.edges.iter().filter_map(|edge| {
                let [first, second] = edge.accesses.each_ref();
                match edge.statements {
                    [a, b] if a == b => None,
                    [a, _] if a == k => Some([first.clone(), second.clone()]),
                    [_, b] if b == k => Some([second.clone(), first.clone()]),
                    _ => None,
                }
            });
            let pairs: Vec<[Access; 2]> = pairs.collect();
            let values = &mut self.deps.values;
            let times = aligned_times(values, self.root.0, statement, &pairs);
            added |= !times.is_empty();
            self.choices[k].extend(times);
        }
        added
    }

    fn find(&mut self) -> Option<Schedule> {
        self.tries = 0;
        let mut candidates = Vec::new();
        for k in 0..self.statements.len() {
            candidates.push(self.candidates(k));
        }
        self.extend(&candidates, &mut Vec::new())
    }

    fn counter(&mut self, statement: usize, position: usize) -> AffineExpr {
        let counter: Value =
            self.statements[statement].loops[position].induction_var(self.deps.values.body);
        self.deps.values.atom_expr(Atom::Value(counter))
    }

    /// The time of a statement as an expression; `None` where it exceeds 64 bits.
    fn time(&mut self, statement: usize, choice: usize) -> Option<AffineExpr> {
        let time = &self.choices[statement][choice];
        time.expr(&mut self.deps.values, &self.statements[statement].loops)
    }

    /// Whether some instances of an edge have times in this order.
    fn is_possible(&mut self, edge: usize, times: Choices, order: Ordering) -> bool {
        if let Some(&known) = self.known.get(&(edge, times, order)) {
            return known;
        }
        let Edge {
            statements: [a, b], ..
        } = self.edges[edge];
        let answer = match (self.time(a, times[0]), self.time(b, times[1])) {
            (Some(first), Some(second)) => self.asked(edge, &[(first, order, second)]),
            _ => true,
        };
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

    /// Whether a dependence fixes the order of its instances.
    fn keeps_order(&self, edge: usize) -> bool {
        !(self.regroups && self.edges[edge].is_regrouped)
    }

    /// Candidate times of a statement that are legal for it alone: those that leave the most
    /// parallel loops come first.
    fn candidates(&mut self, statement: usize) -> Vec<usize> {
        let depth = self.statements[statement].loops.len();
        let mut found: Vec<(usize, usize)> = Vec::new();
        for choice in 0..self.choices[statement].len() {
            let own = self.own_edges(statement);
            let is_turned = |edge: usize| {
                self.keeps_order(edge) && self.is_possible(edge, [choice; 2], Ordering::Greater)
            };
            if own.into_iter().any(is_turned) {
                continue;
            }
            let position = self.choices[statement][choice].position;
            let rest = (0..depth).filter(|&l| l != position);
            let free = rest
                .filter(|&l| self.is_free(statement, position, l))
                .count();
            if free > 0 || depth == 1 {
                found.push((free, choice));
            }
        }
        found.sort_by_key(|&(free, _)| std::cmp::Reverse(free));
        found.into_iter().map(|(_, choice)| choice).collect()
    }

    fn own_edges(&self, statement: usize) -> Vec<usize> {
        let edges = self.edges.iter().enumerate();
        let own = edges.filter(|(_, edge)| edge.statements == [statement; 2]);
        own.map(|(k, _)| k).collect()
    }

    /// Whether instances of a statement with the same time that differ in the loop `by` are
    /// independent. Instances have the same time if they agree in the counter at `position`.
    fn is_free(&mut self, statement: usize, position: usize, by: usize) -> bool {
        let time = self.counter(statement, position);
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
            let chosen = times.iter().zip(&self.choices);
            let times = chosen
                .map(|(&choice, choices)| choices[choice].clone())
                .collect();
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
                || !self.keeps_order(k)
                || !self.is_possible(k, [times[a], times[b]], Ordering::Greater)
        })
    }

    /// The order of the statements at one time that keeps all dependences; the program's order
    /// where either is right.
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
