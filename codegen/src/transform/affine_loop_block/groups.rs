//! Groups of pieces: those that depend on each other in one block stay together.

use std::cmp::Ordering;

use gridloom_ir::AffineExpr;

use super::pieces::{Block, Part, Piece};
use super::{Dependences, Statement};
use crate::analysis::dependence::Compared;
use crate::analysis::values::Atom;
use crate::transform::affine_imperfect_interchange::edges::Edge;

/// Group of pieces that run in one loop over the block.
pub(super) struct Group {
    /// In the order in which they run in an iteration.
    pub pieces: Vec<usize>,
    /// The loop of each piece that becomes the common outermost, parallel one; `None` for a group
    /// that does not leave the block.
    pub parallel: Option<Vec<usize>>,
}

/// Dependence between instances of two pieces in one block.
pub(super) struct PieceEdge {
    from: usize,
    to: usize,
    /// Position among the dependences of statements.
    edge: usize,
    /// Comparisons of the counters of both instances.
    compared: Vec<Compared>,
}

/// The nest whose pieces are grouped.
pub(super) struct Grouping<'g, 'a> {
    pub deps: &'g mut Dependences<'a>,
    pub block: &'g Block,
    pub statements: &'g [Statement],
    pub edges: &'g [Edge],
}

/// The groups in an order that keeps all dependences; `None` where one has no loop for its
/// outermost.
pub(super) fn groups_of(nest: &mut Grouping, pieces: &[Piece]) -> Option<Vec<Group>> {
    let edges = nest.piece_edges(pieces);
    let reaches = reachability(pieces.len(), &edges);
    let is_with = |a: usize, b: usize| a == b || (reaches[a][b] && reaches[b][a]);
    let mut left: Vec<Vec<usize>> = Vec::new();
    for piece in 0..pieces.len() {
        match left.iter_mut().find(|group| is_with(group[0], piece)) {
            Some(group) => group.push(piece),
            None => left.push(vec![piece]),
        }
    }
    let stays = |group: &[usize]| group.iter().all(|&k| pieces[k].outside().next().is_none());
    let mut groups: Vec<Group> = Vec::new();
    while !left.is_empty() {
        let is_ready = |group: &[usize]| {
            let rest = left.iter().filter(|other| other[0] != group[0]);
            !rest.into_iter().any(|other| reaches[other[0]][group[0]])
        };
        let ready = (0..left.len()).filter(|&k| is_ready(&left[k]));
        // The pieces in the block first, so that they are one loop.
        let next = ready.min_by_key(|&k| (!stays(&left[k]), left[k][0]))?;
        let own = left.remove(next);
        if stays(&own) {
            match groups.last_mut().filter(|last| last.parallel.is_none()) {
                Some(last) => last.pieces.extend(own),
                None => groups.push(Group {
                    pieces: own,
                    parallel: None,
                }),
            }
            continue;
        }
        let parallel = nest.parallel_loops(pieces, &own, &edges)?;
        groups.push(Group {
            pieces: own,
            parallel: Some(parallel),
        });
    }
    for group in &mut groups {
        group.pieces.sort_unstable();
    }
    let keeps = |group: &Group| nest.keeps_order_in(pieces, group, &edges);
    groups.iter().all(keeps).then_some(groups)
}

/// Whether some dependences lead from one piece to another, as a table.
fn reachability(count: usize, edges: &[PieceEdge]) -> Vec<Vec<bool>> {
    let mut reaches = vec![vec![false; count]; count];
    for edge in edges {
        reaches[edge.from][edge.to] = true;
    }
    for via in 0..count {
        let further = reaches[via].clone();
        for row in reaches.iter_mut().filter(|row| row[via]) {
            row.iter_mut()
                .zip(&further)
                .for_each(|(to, &also)| *to |= also);
        }
    }
    reaches
}

impl Grouping<'_, '_> {
    /// The dependences between pieces in one block.
    pub fn piece_edges(&mut self, pieces: &[Piece]) -> Vec<PieceEdge> {
        let mut found = Vec::new();
        for edge in 0..self.edges.len() {
            let [first, second] = self.edges[edge].statements;
            let of = |statement: usize| {
                let pieces = pieces.iter().enumerate();
                pieces.filter(move |(_, piece)| piece.statement == statement)
            };
            for (from, earlier) in of(first) {
                for (to, later) in of(second) {
                    let mut compared = self.edges[edge].compared.clone();
                    compared.extend(self.placed(earlier));
                    compared.extend(self.placed(later).into_iter().map(turned));
                    if self.is_possible(edge, &compared) {
                        found.push(PieceEdge {
                            from,
                            to,
                            edge,
                            compared,
                        });
                    }
                }
            }
        }
        found
    }

    /// The positions of a piece's counters, as comparisons of the first instance with the block.
    fn placed(&mut self, piece: &Piece) -> Vec<Compared> {
        let ctx = self.deps.values.ctx;
        let first = ctx.affine_dim(self.block.first);
        let last_before = ctx.affine_add(first, ctx.affine_const(-1));
        let end = ctx.affine_add(first, ctx.affine_const(self.block.size));
        let last = ctx.affine_add(end, ctx.affine_const(-1));
        let mut compared = Vec::new();
        for (k, part) in piece.parts.iter().enumerate() {
            let counter = self.counter(piece, k + 1);
            match part {
                Part::Before => compared.push((counter, Ordering::Less, first)),
                Part::In => {
                    compared.push((counter, Ordering::Greater, last_before));
                    compared.push((counter, Ordering::Less, end));
                }
                Part::Beyond => compared.push((counter, Ordering::Greater, last)),
                Part::All => {}
            }
        }
        compared
    }

    /// The counter of a loop of a piece.
    fn counter(&mut self, piece: &Piece, position: usize) -> AffineExpr {
        let l = self.statements[piece.statement].loops[position];
        let values = &mut self.deps.values;
        values.atom_expr(Atom::Value(l.induction_var(values.body)))
    }

    fn is_possible(&mut self, edge: usize, compared: &[Compared]) -> bool {
        let Edge {
            accesses: [first, second],
            ..
        } = &self.edges[edge];
        let root = self.block.root.0;
        let found = self.deps.test_compared(root, [first, second], compared);
        !found.is_independent()
    }

    /// A loop outside of the block for each piece of a group, such that instances that depend on
    /// each other have the same counter.
    pub fn parallel_loops(
        &mut self,
        pieces: &[Piece],
        group: &[usize],
        edges: &[PieceEdge],
    ) -> Option<Vec<usize>> {
        self.extend(pieces, group, edges, &mut Vec::new())
    }

    /// Chooses loops for the pieces that have none yet.
    fn extend(
        &mut self,
        pieces: &[Piece],
        group: &[usize],
        edges: &[PieceEdge],
        chosen: &mut Vec<usize>,
    ) -> Option<Vec<usize>> {
        let Some(&next) = group.get(chosen.len()) else {
            return Some(chosen.clone());
        };
        for position in pieces[next].outside() {
            chosen.push(position);
            let begun = &group[..chosen.len()];
            let concerns = |edge: &&PieceEdge| {
                let ends = [edge.from, edge.to];
                ends.contains(&next) && ends.iter().all(|end| begun.contains(end))
            };
            let of = |piece: usize| begun.iter().position(|&k| k == piece);
            let mut asked = edges.iter().filter(concerns);
            let is_right = asked.all(|edge| {
                let (Some(from), Some(to)) = (of(edge.from), of(edge.to)) else {
                    return false;
                };
                let first = self.counter(&pieces[edge.from], chosen[from]);
                let second = self.counter(&pieces[edge.to], chosen[to]);
                [Ordering::Less, Ordering::Greater].iter().all(|&order| {
                    let compared = [edge.compared.as_slice(), &[(first, order, second)]].concat();
                    !self.is_possible(edge.edge, &compared)
                })
            });
            if is_right && let Some(found) = self.extend(pieces, group, edges, chosen) {
                return Some(found);
            }
            chosen.pop();
        }
        None
    }

    /// Whether, in one iteration of the block's loop, no piece depends on one that comes later in
    /// its group.
    fn keeps_order_in(&mut self, pieces: &[Piece], group: &Group, edges: &[PieceEdge]) -> bool {
        let is_back = |edge: &&PieceEdge| {
            edge.to < edge.from
                && group.pieces.contains(&edge.from)
                && group.pieces.contains(&edge.to)
        };
        edges.iter().filter(is_back).all(|edge| {
            let first = self.counter(&pieces[edge.from], 0);
            let at_once = [(first, Ordering::Equal, first)];
            let compared = [edge.compared.as_slice(), &at_once].concat();
            !self.is_possible(edge.edge, &compared)
        })
    }
}

/// The comparison with the instances exchanged.
fn turned((a, order, b): Compared) -> Compared {
    (b, order.reverse(), a)
}
