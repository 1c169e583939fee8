//! Bounds of loops in another order, by Fourier–Motzkin elimination.
//!
//! A domain is a set of forms in counters and in numbers from outside the nest, none of which is
//! negative in any iteration. A counter whose factors are 1 and -1 is eliminated exactly over the
//! integers; other factors are refused. [`Elimination`] decides which of several bounds is the
//! tightest, so that bounds may contain values known at run time only.

use std::collections::HashMap;

use gridloom_dialects::affine::{Bound, ForOp};
use gridloom_ir::{AffineExpr, AffineMap, OpId, Value};

use super::affine_scope::{is_dim, is_top_level};
use super::elimination::{Elimination, LinearForm};
use crate::analysis::interval::Interval;
use crate::analysis::values::{AffineValues, Atom};

/// Affine map with the atoms of its dimensions: counters of the nest, and values from outside that
/// may be dimensions.
pub(super) struct MapOfAtoms {
    pub map: AffineMap,
    pub atoms: Vec<Atom>,
}

impl MapOfAtoms {
    /// The values of the dimensions.
    pub fn operands(&self, known: &HashMap<Atom, Value>) -> Vec<Value> {
        // Bounds mention outer counters and values from outside, all of which have values here.
        let atoms = self.atoms.iter();
        atoms.filter_map(|atom| known.get(atom).copied()).collect()
    }
}

/// A loop of a statement in its new place.
pub(super) struct Inner {
    /// Position among the loops of the statement.
    pub position: usize,
    pub lower: MapOfAtoms,
    pub upper: MapOfAtoms,
}

/// Limit of the rows of a system: elimination may square their number.
const MAX_ROWS: usize = 64;

/// Iteration domain of the loops: forms that are not negative, of each counter one for each result of its
/// bounds.
pub(super) fn domain(
    values: &mut AffineValues,
    root: OpId,
    loops: &[ForOp],
    counters: &[u32],
    order: &[usize],
) -> Option<Vec<LinearForm>> {
    let ctx = values.ctx;
    let mut rows = Vec::new();
    for (&l, &counter) in order.iter().zip(counters) {
        let (nest, body) = (loops[l], values.body);
        let env = values.environment_at(nest.0);
        let sides = [(nest.lower(ctx, body), 1), (nest.upper(ctx, body), -1)];
        for (Bound { map, operands }, sign) in sides {
            for result in values.map_exprs(nest.0, map, operands) {
                let result = result.filter(|&result| values.fits(result, env))?;
                // counter - lower >= 0, upper - counter - 1 >= 0
                let bound = LinearForm::of(values, result)?.scaled(-sign)?;
                let row = bound.plus(&LinearForm::atom(counter).scaled(sign)?)?;
                let row = row.plus_constant(if sign < 0 { -1 } else { 0 })?;
                let is_counter = |atom: u32| counters.contains(&atom);
                if !(row.atoms()).all(|atom| is_counter(atom) || is_outside(values, root, atom)) {
                    return None;
                }
                rows.push(row);
            }
        }
    }
    (rows.len() <= MAX_ROWS).then_some(rows)
}

/// Whether an atom is a value from outside the nest that a bound may use.
pub(super) fn is_outside(values: &AffineValues, root: OpId, atom: u32) -> bool {
    let body = values.body;
    match values.atom(atom) {
        Atom::Value(value) => {
            !values.block_is_inside(body.value_block(value), root) && is_dim(body, value)
        }
        Atom::Extent(memref, _) => is_top_level(body, memref),
        Atom::Fresh(_) | Atom::Touched(..) | Atom::Lane(..) => false,
    }
}

/// Projection of a domain.
pub(super) enum Projection {
    /// The rows that bound each counter by those before it.
    Exact(Vec<Vec<LinearForm>>),
    /// The domain has no point, whatever the values from outside are.
    Empty,
    /// Factors are not 1 or -1, or there are too many rows.
    Inexact,
}

/// Projects the rows onto each counter and those before it.
pub(super) fn project(mut rows: Vec<LinearForm>, counters: &[u32]) -> Projection {
    let mut bounding: Vec<Vec<LinearForm>> = vec![Vec::new(); counters.len()];
    for (column, &counter) in counters.iter().enumerate().rev() {
        let (with, without): (Vec<LinearForm>, Vec<LinearForm>) =
            rows.into_iter().partition(|row| row.factor(counter) != 0);
        if with.iter().any(|row| row.factor(counter).abs() != 1) {
            return Projection::Inexact;
        }
        rows = without;
        let side = |sign: i64| with.iter().filter(move |row| row.factor(counter) == sign);
        for lower in side(1) {
            for upper in side(-1) {
                let Some(sum) = lower.clone().plus(upper) else {
                    return Projection::Inexact;
                };
                if !rows.contains(&sum) {
                    rows.push(sum);
                }
            }
        }
        if rows.len() > MAX_ROWS {
            return Projection::Inexact;
        }
        bounding[column] = with;
    }
    let is_empty = |row: &LinearForm| row.as_constant().is_some_and(|constant| constant < 0);
    match rows.iter().any(is_empty) {
        true => Projection::Empty,
        false => Projection::Exact(bounding),
    }
}

/// The tightest rows that bound a counter from one side: those that others imply go.
pub(super) fn tightest(
    values: &AffineValues,
    rows: &[LinearForm],
    counter: u32,
    sign: i64,
    outer: &Elimination,
) -> Vec<LinearForm> {
    let implies = |strong: &LinearForm, weak: &LinearForm| {
        let difference = weak.clone().minus(strong);
        difference.is_some_and(|difference| outer.proves(values, &difference))
    };
    let mut kept: Vec<LinearForm> = Vec::new();
    for row in rows.iter().filter(|row| row.factor(counter) == sign) {
        if kept.iter().any(|other| implies(other, row)) {
            continue;
        }
        kept.retain(|other| !implies(row, other));
        kept.push(row.clone());
    }
    kept
}

/// The bounds of a counter that rows state: `sign` times each row without its term of the counter.
pub(super) fn bounds(rows: &[LinearForm], counter: u32, sign: i64) -> Option<Vec<LinearForm>> {
    let bound = |row: &LinearForm| {
        let own = LinearForm::atom(counter).scaled(-row.factor(counter))?;
        row.clone().plus(&own)?.scaled(sign)
    };
    let found: Vec<LinearForm> = rows.iter().map(bound).collect::<Option<_>>()?;
    (!found.is_empty()).then_some(found)
}

/// Atoms with their intervals in the new nest.
pub(super) struct Space<'s, 'a> {
    pub values: &'s mut AffineValues<'a>,
    root: OpId,
    counters: Vec<(u32, Interval)>,
}

impl<'s, 'a> Space<'s, 'a> {
    pub fn new(values: &'s mut AffineValues<'a>, root: OpId) -> Self {
        Space {
            values,
            root,
            counters: Vec::new(),
        }
    }

    /// Adds a counter between the greatest of `firsts` and the least of `lasts`.
    pub fn add_counter(
        &mut self,
        counter: u32,
        firsts: &[LinearForm],
        lasts: &[LinearForm],
    ) -> Option<()> {
        let ends = |space: &mut Self, forms: &[LinearForm]| -> Option<Vec<Interval>> {
            forms.iter().map(|form| space.interval(form)).collect()
        };
        let least = ends(self, firsts)?.iter().map(|first| first.least).max()?;
        let most = ends(self, lasts)?.iter().map(|last| last.most).min()?;
        self.counters.push((counter, Interval { least, most }));
        Some(())
    }

    fn interval(&mut self, form: &LinearForm) -> Option<Interval> {
        let env = self.values.environment_at(self.root);
        let mut sum = Interval::point(form.constant.into());
        for atom in form.atoms() {
            let known = self.counters.iter().find(|(counter, _)| *counter == atom);
            let interval = match known {
                Some(&(_, interval)) => interval,
                None => self.values.atom_interval(atom, env),
            };
            let factor = Interval::point(form.factor(atom).into());
            sum = sum.plus(interval.times(factor)?)?;
        }
        Some(sum)
    }

    /// The map of these bounds plus an offset; `None` where one may exceed 64 bits.
    pub fn map(&mut self, forms: &[LinearForm], offset: i64) -> Option<MapOfAtoms> {
        let mut exprs: Vec<AffineExpr> = Vec::new();
        for form in forms {
            let form = form.clone().plus_constant(offset)?;
            if !self.interval(&form)?.is_within(Interval::MACHINE) {
                return None;
            }
            exprs.push(form.expr(self.values.ctx));
        }
        let (results, atoms) = self.values.compact(&exprs);
        let dims = u32::try_from(atoms.len()).ok()?;
        Some(MapOfAtoms {
            map: self.values.ctx.affine_map(dims, 0, &results),
            atoms,
        })
    }
}
