//! Bounds of a statement's loops in another order, by Fourier–Motzkin
//! elimination.
//!
//! A domain is a set of forms in counters and in numbers from outside the nest, none of which is
//! negative in any iteration. A counter whose factors are 1 and -1 is eliminated exactly over the
//! integers; other factors are refused. [`Elimination`] decides which of several bounds is the
//! tightest, so that bounds may contain values known at run time only.

use gridloom_dialects::affine::{Bound, ForOp};
use gridloom_ir::{AffineExpr, AffineMap, OpId};

use super::time::Time;
use crate::analysis::interval::Interval;
use crate::analysis::values::{AffineValues, Atom};
use crate::transform::affine_scope::{is_dim, is_top_level};
use crate::transform::elimination::{Elimination, LinearForm};

/// Range of a statement's times, as forms over values from outside the nest.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Range {
    /// Lower bounds: the greatest of these is the first time.
    pub firsts: Vec<LinearForm>,
    /// Upper bounds: the least of these is the last time.
    pub lasts: Vec<LinearForm>,
}

impl Range {
    /// The hull of two ranges; `None` where only a run-time value decides which begins or ends it.
    pub fn hull(self, other: &Range) -> Option<Range> {
        Some(Range {
            firsts: outer_end(self.firsts, &other.firsts, -1)?,
            lasts: outer_end(self.lasts, &other.lasts, 1)?,
        })
    }

    /// Bound maps of the loop over these times; `None` where one may exceed 64 bits.
    pub fn maps(&self, values: &mut AffineValues, root: OpId) -> Option<[MapOfAtoms; 2]> {
        let mut space = Space::new(values, root);
        Some([space.map(&self.firsts, 0)?, space.map(&self.lasts, 1)?])
    }
}

/// The outer of two ends: the greater one where `sign` is 1, the lesser one where it is -1.
fn outer_end(own: Vec<LinearForm>, other: &[LinearForm], sign: i64) -> Option<Vec<LinearForm>> {
    if own == other {
        return Some(own);
    }
    let beyond = only(other)?.clone().minus(only(&own)?)?.as_constant()?;
    Some(match beyond.signum() == sign {
        true => other.to_vec(),
        false => own,
    })
}

/// Scan of one statement's iterations: its loops, that of its time outermost.
pub(super) struct Scan {
    /// Position of the time loop among those of the statement.
    pub time_loop: usize,
    /// The counter of that loop as a map of the time, where the two differ.
    pub inverse: Option<MapOfAtoms>,
    pub time: Range,
    pub inner: Vec<Inner>,
    /// Atom of the time's counter.
    counter: u32,
    /// Lower and upper bounds of the outermost inner loop, as rows.
    outermost: [Vec<LinearForm>; 2],
}

/// Loop inside of the time loop.
pub(super) struct Inner {
    /// Position among the loops of the statement.
    pub position: usize,
    pub lower: MapOfAtoms,
    pub upper: MapOfAtoms,
}

/// Affine map with the atoms of its dimensions: counters of the nest, and values from outside that
/// may be dimensions.
pub(super) struct MapOfAtoms {
    pub map: AffineMap,
    pub atoms: Vec<Atom>,
}

/// Limit of the rows of a system: elimination may square their number.
const MAX_ROWS: usize = 64;

impl Scan {
    /// The loops of a statement of the nest `root` with that of its time outermost, the others in
    /// their order; `None` where bounds are not of the form that is projected exactly.
    ///
    /// The time goes by the atom of its counter.
    pub fn of(values: &mut AffineValues, root: OpId, loops: &[ForOp], at: &Time) -> Option<Scan> {
        let time_loop = at.position;
        let rest = (0..loops.len()).filter(|&l| l != time_loop);
        let order: Vec<usize> = std::iter::once(time_loop).chain(rest).collect();
        let counters: Vec<u32> = (order.iter())
            .map(|&l| values.atom_number(Atom::Value(loops[l].induction_var(values.body))))
            .collect();
        let rows = domain(values, root, loops, &counters, &order)?;
        let rows = rows.iter().map(|row| at.substituted(row, counters[0]));
        let bounding = project(rows.collect::<Option<_>>()?, &counters)?;
        let inverse = match at.is_counter() {
            true => None,
            false => Some(at.inverse(values, counters[0])?),
        };
        let mut space = Space::new(values, root);
        let mut sides: Vec<[Vec<LinearForm>; 2]> = Vec::new();
        for (rows, &counter) in bounding.iter().zip(&counters) {
            let outer: Vec<LinearForm> = sides.iter().flatten().flatten().cloned().collect();
            let known = Elimination::from_forms(space.values, root, outer);
            sides.push([1, -1].map(|sign| tightest(space.values, rows, counter, sign, &known)));
        }
        let mut inner = Vec::new();
        let mut time = None;
        for (column, [lower, upper]) in sides.iter().enumerate() {
            let firsts = bounds(lower, counters[column], -1)?;
            let lasts = bounds(upper, counters[column], 1)?;
            space.add_counter(counters[column], &firsts, &lasts)?;
            match column {
                0 => time = Some(Range { firsts, lasts }),
                _ => inner.push(Inner {
                    position: order[column],
                    lower: space.map(&firsts, 0)?,
                    upper: space.map(&lasts, 1)?,
                }),
            }
        }
        Some(Scan {
            time_loop,
            inverse,
            time: time?,
            inner,
            counter: counters[0],
            outermost: sides.into_iter().nth(1).unwrap_or_default(),
        })
    }

    /// The maps of the inner loops and of the counter of the time.
    pub fn maps(&self) -> impl Iterator<Item = &MapOfAtoms> {
        let inner = self.inner.iter();
        let inner = inner.flat_map(|inner| [&inner.lower, &inner.upper]);
        inner.chain(&self.inverse)
    }

    /// Whether running the statement at all times of `all` adds no iterations: at times that are
    /// not its own, the outermost inner loop has a lower bound above an upper one.
    pub fn fits_into(&self, values: &AffineValues, root: OpId, all: &Range) -> bool {
        let [lower, upper] = &self.outermost;
        let is_empty_at = |times: [LinearForm; 2]| {
            let known = Elimination::from_forms(values, root, times.to_vec());
            let mut pairs = lower.iter().flat_map(|l| upper.iter().map(move |u| (l, u)));
            pairs.any(|(lower, upper)| {
                let room = lower.clone().plus(upper);
                let lack = room.and_then(|room| room.scaled(-1)?.plus_constant(-1));
                lack.is_some_and(|lack| holds(values, &known, &lack))
            })
        };
        let beyond = self.times_beyond(all);
        beyond.is_some_and(|beyond| beyond.into_iter().all(is_empty_at))
    }

    /// The times of `all` before and after the statement's own, each as two forms that are not
    /// negative there.
    fn times_beyond(&self, all: &Range) -> Option<Vec<[LinearForm; 2]>> {
        let time = LinearForm::atom(self.counter);
        // `more > less`, over integers.
        let above =
            |more: &LinearForm, less: &LinearForm| more.clone().minus(less)?.plus_constant(-1);
        let mut beyond = Vec::new();
        if self.time.firsts != all.firsts {
            let (own, first) = (only(&self.time.firsts)?, only(&all.firsts)?);
            beyond.push([time.clone().minus(first)?, above(own, &time)?]);
        }
        if self.time.lasts != all.lasts {
            let (own, last) = (only(&self.time.lasts)?, only(&all.lasts)?);
            beyond.push([last.clone().minus(&time)?, above(&time, own)?]);
        }
        Some(beyond)
    }
}

/// The only form of a slice.
fn only(forms: &[LinearForm]) -> Option<&LinearForm> {
    match forms {
        [form] => Some(form),
        _ => None,
    }
}

/// Iteration domain of the loops: forms that are not negative, of each counter one for each result of its
/// bounds.
fn domain(
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

/// Projects the rows onto each counter and those before it; `None` where the projection is not
/// exact, or where the domain is empty.
fn project(mut rows: Vec<LinearForm>, counters: &[u32]) -> Option<Vec<Vec<LinearForm>>> {
    let mut bounding: Vec<Vec<LinearForm>> = vec![Vec::new(); counters.len()];
    for (column, &counter) in counters.iter().enumerate().rev() {
        let (with, without): (Vec<LinearForm>, Vec<LinearForm>) =
            rows.into_iter().partition(|row| row.factor(counter) != 0);
        if with.iter().any(|row| row.factor(counter).abs() != 1) {
            return None;
        }
        rows = without;
        let side = |sign: i64| with.iter().filter(move |row| row.factor(counter) == sign);
        for lower in side(1) {
            for upper in side(-1) {
                let sum = lower.clone().plus(upper)?;
                if !rows.contains(&sum) {
                    rows.push(sum);
                }
            }
        }
        if rows.len() > MAX_ROWS {
            return None;
        }
        bounding[column] = with;
    }
    // Bounds of an empty domain are useless.
    let is_empty = |row: &LinearForm| row.as_constant().is_some_and(|constant| constant < 0);
    (!rows.iter().any(is_empty)).then_some(bounding)
}

/// Whether a form is proved non-negative under known constraints.
fn holds(values: &AffineValues, known: &Elimination, form: &LinearForm) -> bool {
    let bound = known.bound(form);
    bound.is_some_and(|bound| bound.is_never_negative(values))
}

/// The tightest rows that bound a counter from one side: those that others imply go.
fn tightest(
    values: &AffineValues,
    rows: &[LinearForm],
    counter: u32,
    sign: i64,
    outer: &Elimination,
) -> Vec<LinearForm> {
    let implies = |strong: &LinearForm, weak: &LinearForm| {
        let difference = weak.clone().minus(strong);
        difference.is_some_and(|difference| holds(values, outer, &difference))
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
fn bounds(rows: &[LinearForm], counter: u32, sign: i64) -> Option<Vec<LinearForm>> {
    let bound = |row: &LinearForm| {
        let own = LinearForm::atom(counter).scaled(-row.factor(counter))?;
        row.clone().plus(&own)?.scaled(sign)
    };
    let found: Vec<LinearForm> = rows.iter().map(bound).collect::<Option<_>>()?;
    (!found.is_empty()).then_some(found)
}

/// Atoms with their intervals in the new nest.
struct Space<'s, 'a> {
    values: &'s mut AffineValues<'a>,
    root: OpId,
    counters: Vec<(u32, Interval)>,
}

impl<'s, 'a> Space<'s, 'a> {
    fn new(values: &'s mut AffineValues<'a>, root: OpId) -> Self {
        Space {
            values,
            root,
            counters: Vec::new(),
        }
    }

    /// Adds a counter between the greatest of `firsts` and the least of `lasts`.
    fn add_counter(
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
    fn map(&mut self, forms: &[LinearForm], offset: i64) -> Option<MapOfAtoms> {
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
