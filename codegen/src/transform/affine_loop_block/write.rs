//! The blocked nest: bounds of the loops of each group, and their emission.

use std::collections::HashMap;

use gridloom_dialects::affine::{ForOp, yield_values};
use gridloom_ir::{Body, Builder, Context, InsertPoint, IrMapping, OpId, Value};

use super::Statement;
use super::groups::Group;
use super::pieces::{Block, Piece, counters};
use crate::analysis::values::{AffineValues, Atom};
use crate::transform::elimination::{Elimination, LinearForm};
use crate::transform::loop_bounds::{
    Inner, MapOfAtoms, Projection, Space, bounds, domain, project, tightest,
};
use crate::transform::statement_nest::{counters_of, loop_between, statement_nest, values_outside};

/// The nest in its blocked form, to replace the loop over the block.
pub(super) struct BlockedNest {
    root: ForOp,
    statements: Vec<Statement>,
    /// Bounds of the loop over the block.
    within: [MapOfAtoms; 2],
    groups: Vec<GroupNest>,
}

/// Loops of one group.
struct GroupNest {
    /// Bounds of the parallel loop around that over the block.
    parallel: Option<[MapOfAtoms; 2]>,
    pieces: Vec<PieceNest>,
}

/// Loops of a piece inside of those of its group.
struct PieceNest {
    statement: usize,
    /// The loop of the statement that is the group's parallel one.
    parallel: Option<usize>,
    inner: Vec<Inner>,
}

/// Lower and upper bounds of a counter, as forms that are not negative.
type Sides = [Vec<LinearForm>; 2];

impl BlockedNest {
    /// Finds the bounds of all loops; `None` where some are not exact, or may exceed 64 bits.
    pub fn of(
        values: &mut AffineValues,
        block: &Block,
        statements: Vec<Statement>,
        pieces: Vec<Piece>,
        groups: Vec<Group>,
    ) -> Option<BlockedNest> {
        let root = block.root;
        let own = values.atom_number(Atom::Value(root.induction_var(values.body)));
        let rows = domain(values, root.0, &[root], &[own], &[0])?;
        let side = |sign| {
            let rows = rows.iter().filter(|row| row.factor(own) == sign);
            rows.cloned().collect()
        };
        let sides: Sides = [side(1), side(-1)];
        let within = maps(&mut Space::new(values, root.0), own, &sides)?;
        let mut bounded = Bounded {
            values,
            root: root.0,
            statements: &statements,
            pieces: &pieces,
            own: (own, sides),
        };
        let nests = groups.iter().map(|group| bounded.group(group));
        let nests = nests.collect::<Option<_>>()?;
        Some(BlockedNest {
            root,
            statements,
            within,
            groups: nests,
        })
    }

    /// Replaces the loop over the block by the loops of the groups.
    pub fn write(&self, ctx: &Context, body: &mut Body) {
        let counters = counters_of(body, self.statements.iter());
        let mut b = Builder::before(ctx, body, self.root.0);
        let known = values_outside(&mut b, &counters, self.maps());
        for group in &self.groups {
            b.set(InsertPoint::Before(self.root.0));
            self.write_group(&mut b, group, &known);
        }
        body.erase(self.root.0);
    }

    /// All maps of bounds.
    fn maps(&self) -> impl Iterator<Item = &MapOfAtoms> {
        let groups = self.groups.iter();
        let parallel = groups
            .clone()
            .flat_map(|group| group.parallel.iter().flatten());
        let inner = groups
            .flat_map(|group| &group.pieces)
            .flat_map(|piece| &piece.inner)
            .flat_map(|inner| [&inner.lower, &inner.upper]);
        self.within.iter().chain(parallel).chain(inner)
    }

    fn write_group(&self, b: &mut Builder, group: &GroupNest, known: &HashMap<Atom, Value>) {
        let own_loc = b.body[self.root.0].loc;
        let first = group.pieces.first().and_then(|piece| {
            let l = self.statements[piece.statement].loops[piece.parallel?];
            Some(b.body[l.0].loc)
        });
        b.loc = first.unwrap_or(own_loc);
        let parallel = group.parallel.as_ref().map(|range| {
            let l = loop_between(b, range.each_ref(), known);
            let block = l.block(b.body);
            yield_values(b, block, &[]);
            b.set(InsertPoint::Start(block));
            l.induction_var(b.body)
        });
        b.loc = own_loc;
        let strip = loop_between(b, self.within.each_ref(), known);
        let block = strip.block(b.body);
        let own = strip.induction_var(b.body);
        for piece in &group.pieces {
            b.set(InsertPoint::End(block));
            let statement = &self.statements[piece.statement];
            let (mut known, mut map) = (known.clone(), IrMapping::new());
            let outer = piece.parallel.zip(parallel);
            for (position, counter) in outer.into_iter().chain([(0, own)]) {
                let before = statement.loops[position].induction_var(b.body);
                known.insert(Atom::Value(before), counter);
                map.map(before, counter);
            }
            statement_nest(b, statement, &piece.inner, known, map);
        }
        yield_values(b, block, &[]);
    }
}

/// Search of the bounds of a blocked nest.
struct Bounded<'b, 'a> {
    values: &'b mut AffineValues<'a>,
    root: OpId,
    statements: &'b [Statement],
    pieces: &'b [Piece],
    /// Counter of the loop over the block, and its bounds.
    own: (u32, Sides),
}

impl Bounded<'_, '_> {
    fn group(&mut self, group: &Group) -> Option<GroupNest> {
        let Some(positions) = &group.parallel else {
            let nests = group.pieces.iter().map(|&piece| self.piece(piece, None));
            return Some(GroupNest {
                parallel: None,
                pieces: nests.collect::<Option<_>>()?,
            });
        };
        let pieces = || group.pieces.iter().copied().zip(positions.iter().copied());
        let (first, position) = pieces().next()?;
        let (counter, range) = self.parallel_range(first, position)?;
        let mut nests = Vec::new();
        for (piece, position) in pieces() {
            let own = self.counters(piece)[position];
            let range = [0, 1].map(|side| renamed(&range[side], counter, own));
            let [Some(lower), Some(upper)] = range else {
                return None;
            };
            let range = [lower, upper];
            // The loop has all instances of the piece; what it has too much, the inner bounds lack.
            let known =
                Elimination::from_forms(self.values, self.root, self.pieces[piece].rows.clone());
            let mut rows = range.iter().flatten();
            if !rows.all(|row| known.proves(self.values, row)) {
                return None;
            }
            nests.push(self.piece(piece, Some((position, range)))?);
        }
        let mut space = Space::new(self.values, self.root);
        Some(GroupNest {
            parallel: Some(maps(&mut space, counter, &range)?),
            pieces: nests,
        })
    }

    /// The counters of a piece, in the order of its statement.
    fn counters(&mut self, piece: usize) -> Vec<u32> {
        counters(self.values, &self.statements[self.pieces[piece].statement])
    }

    /// The range of a counter over all instances of a piece.
    fn parallel_range(&mut self, piece: usize, position: usize) -> Option<(u32, Sides)> {
        let all = self.counters(piece);
        let counter = all[position];
        let rest = all.iter().copied().filter(|&other| other != counter);
        let order: Vec<u32> = std::iter::once(counter).chain(rest).collect();
        let Projection::Exact(bounding) = project(self.pieces[piece].rows.clone(), &order) else {
            return None;
        };
        let none = Elimination::from_forms(self.values, self.root, Vec::new());
        let side = |sign| tightest(self.values, &bounding[0], counter, sign, &none);
        Some((counter, [side(1), side(-1)]))
    }

    /// The loops of a piece inside of the parallel one, whose position and range are given, and of that
    /// over the block.
    fn piece(&mut self, piece: usize, parallel: Option<(usize, Sides)>) -> Option<PieceNest> {
        let all = self.counters(piece);
        let outer = parallel
            .iter()
            .map(|(position, range)| (all[*position], range));
        let outer: Vec<(u32, &Sides)> = outer.chain([(self.own.0, &self.own.1)]).collect();
        let mut known: Vec<LinearForm> = Vec::new();
        let mut space = Space::new(self.values, self.root);
        let mut open: Vec<u32> = Vec::new();
        for (counter, sides) in outer {
            let [lower, upper] = sides;
            space.add_counter(
                counter,
                &bounds(lower, counter, -1)?,
                &bounds(upper, counter, 1)?,
            )?;
            known.extend(sides.iter().flatten().cloned());
            open.push(counter);
        }
        let rows = &self.pieces[piece].rows;
        let is_open = |open: &[u32], row: &LinearForm| {
            let mut counters = row.atoms().filter(|atom| all.contains(atom));
            counters.all(|counter| open.contains(&counter))
        };
        // What bounds only these counters becomes no condition: it has to hold in their loops
        // wherever the inner loops are not empty.
        let (bounding, within): (Vec<LinearForm>, Vec<LinearForm>) =
            rows.iter().cloned().partition(|row| is_open(&open, row));
        let instances = [known.as_slice(), &within].concat();
        let instances = Elimination::from_forms(space.values, self.root, instances);
        let mut bounding = bounding.iter();
        if !bounding.all(|row| instances.proves(space.values, row)) {
            return None;
        }
        let mut inner = Vec::new();
        for (position, &counter) in all.iter().enumerate() {
            if open.contains(&counter) {
                continue;
            }
            let before = open.clone();
            open.push(counter);
            let own: Vec<LinearForm> = (rows.iter())
                .filter(|row| is_open(&open, row) && !is_open(&before, row))
                .cloned()
                .collect();
            if own.iter().any(|row| row.factor(counter).abs() != 1) {
                return None;
            }
            let outer = Elimination::from_forms(space.values, self.root, known.clone());
            let sides = [1, -1].map(|sign| tightest(space.values, &own, counter, sign, &outer));
            let [lower, upper] = maps(&mut space, counter, &sides)?;
            known.extend(sides.into_iter().flatten());
            inner.push(Inner {
                position,
                lower,
                upper,
            });
        }
        Some(PieceNest {
            statement: self.pieces[piece].statement,
            parallel: parallel.map(|(position, _)| position),
            inner,
        })
    }
}

/// Maps of the bounds of a counter, which becomes known to `space`.
fn maps(space: &mut Space, counter: u32, [lower, upper]: &Sides) -> Option<[MapOfAtoms; 2]> {
    let (firsts, lasts) = (bounds(lower, counter, -1)?, bounds(upper, counter, 1)?);
    space.add_counter(counter, &firsts, &lasts)?;
    Some([space.map(&firsts, 0)?, space.map(&lasts, 1)?])
}

/// Forms with another atom in the place of one.
fn renamed(forms: &[LinearForm], from: u32, to: u32) -> Option<Vec<LinearForm>> {
    let one = LinearForm::atom(to).minus(&LinearForm::atom(from))?;
    let forms = forms.iter();
    forms
        .map(|form| form.clone().plus(&one.scaled(form.factor(from))?))
        .collect()
}
