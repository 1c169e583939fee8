//! Scans of a statement: its loops with that of its time outermost.

use gridloom_dialects::affine::ForOp;
use gridloom_ir::OpId;

use super::time::Time;
use crate::analysis::values::{AffineValues, Atom};
use crate::transform::elimination::{Elimination, LinearForm};
use crate::transform::loop_bounds::{
    Inner, MapOfAtoms, Projection, Space, bounds, domain, project, tightest,
};

/// Range of a statement's times, as forms over values from outside the nest.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Times {
    /// Lower bounds: the greatest of these is the first time.
    pub firsts: Vec<LinearForm>,
    /// Upper bounds: the least of these is the last time.
    pub lasts: Vec<LinearForm>,
}

impl Times {
    /// The hull of two ranges; `None` where only a run-time value decides which begins or ends it.
    pub fn hull(self, other: &Times) -> Option<Times> {
        Some(Times {
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
    pub time: Times,
    pub inner: Vec<Inner>,
    /// Atom of the time's counter.
    counter: u32,
    /// Lower and upper bounds of the outermost inner loop, as rows.
    outermost: [Vec<LinearForm>; 2],
}

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
        // Bounds of an empty domain are useless.
        let Projection::Exact(bounding) = project(rows.collect::<Option<_>>()?, &counters) else {
            return None;
        };
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
                0 => time = Some(Times { firsts, lasts }),
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
    pub fn fits_into(&self, values: &AffineValues, root: OpId, all: &Times) -> bool {
        let [lower, upper] = &self.outermost;
        let is_empty_at = |times: [LinearForm; 2]| {
            let known = Elimination::from_forms(values, root, times.to_vec());
            let mut pairs = lower.iter().flat_map(|l| upper.iter().map(move |u| (l, u)));
            pairs.any(|(lower, upper)| {
                let room = lower.clone().plus(upper);
                let lack = room.and_then(|room| room.scaled(-1)?.plus_constant(-1));
                lack.is_some_and(|lack| known.proves(values, &lack))
            })
        };
        let beyond = self.times_beyond(all);
        beyond.is_some_and(|beyond| beyond.into_iter().all(is_empty_at))
    }

    /// The times of `all` before and after the statement's own, each as two forms that are not
    /// negative there.
    fn times_beyond(&self, all: &Times) -> Option<Vec<[LinearForm; 2]>> {
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
