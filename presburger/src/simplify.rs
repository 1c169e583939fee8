//! Simplification: redundant constraints removed, the others tightened.

use crate::answer::Answer;
use crate::emptiness::Budget;
use crate::polyhedron::IntegerPolyhedron;
use crate::row::{self, Row};
use crate::solver::normalise::{self, Normalised};
use crate::solver::simplex::{Optimum, Simplex};
use crate::solver::{Meter, Stop, System};
use crate::space::VarKind;

impl IntegerPolyhedron {
    /// Simplifies to fewer and tighter constraints with the same integer points: divides rows by
    /// the common divisor of their coefficients, removes inequalities that follow from the others,
    /// makes opposite ones that meet an equality, drops unused locals.
    ///
    /// A polyhedron recognised as empty on the way becomes [`empty`](Self::empty);
    /// one that needs the full test does not ([`emptiness`](Self::emptiness)).
    #[must_use]
    pub fn simplify(&self) -> Self {
        let mut system = self.system();
        let mut meter = Meter::new(Budget::default().steps);
        if !tighten(&mut system) {
            return Self::empty(self.space().without_locals());
        }
        let tight = Self::from_rows(self.space(), system.equalities, system.inequalities)
            .without_idle_locals();
        let mut system = tight.system();
        // Without the simplex's help the rows are right, only more than needed.
        match drop_redundant(&mut system, tight.defining_inequalities(), &mut meter) {
            Ok(true) | Err(_) => {}
            Ok(false) => return Self::empty(self.space().without_locals()),
        }
        Self::from_rows(tight.space(), system.equalities, system.inequalities)
            .without_unused_locals()
    }

    /// Gist: fewer constraints that mean the same wherever `context` holds, `gist ∩ context = self
    /// ∩ context` ("the gist of `self` given `context`", W. Pugh and D. Wonnacott, 1992).
    ///
    /// # Panics
    /// If the two have different numbers of dims or symbols.
    #[must_use]
    pub fn gist(&self, context: &Self) -> Self {
        let simple = self.simplify();
        // Own locals come first, so that own rows keep their columns.
        let mut kept = simple.clone();
        let count = simple.inequalities().len() + simple.equalities().len();
        let equalities = simple.equalities().len();
        let defining = simple.defining_inequalities();
        for index in (0..count).rev() {
            let needed = index.checked_sub(equalities).map(|index| defining[index]);
            if needed == Some(true) {
                continue;
            }
            let without = kept.without_constraint(index);
            if without.intersect(context).implies(&kept.constraint(index)) == Answer::Yes {
                kept = without;
            }
        }
        kept.without_idle_locals()
    }

    /// Drops the locals that are divisions which no other constraint mentions: a quotient always
    /// exists. Dropping one may make another idle.
    fn without_idle_locals(self) -> Self {
        let mut result = self;
        while let Some((local, rows)) = result.idle_local() {
            let system = result.system();
            let inequalities = (0..).zip(system.inequalities);
            let inequalities = inequalities
                .filter(|(index, _)| !rows.contains(index))
                .map(|(_, row)| row)
                .collect();
            debug_assert!(system.equalities.iter().all(|row| row[local] == 0));
            result = Self::from_rows(result.space(), system.equalities, inequalities);
        }
        result.without_unused_locals()
    }

    /// Finds an idle local: one that occurs in two inequalities only, which leave room for a
    /// multiple of its coefficient at least. Returns it with the numbers of the two.
    fn idle_local(&self) -> Option<(usize, [usize; 2])> {
        self.space().range(VarKind::Local).find_map(|local| {
            if self.equalities().any(|row| row[local] != 0) {
                return None;
            }
            let mut uses = (0..).zip(self.inequalities());
            let mut next = || uses.find(|(_, row)| row[local] != 0);
            let ((first, row), (second, other), None) = (next()?, next()?, next()) else {
                return None;
            };
            let width = i128::from(row::constant(row)) + i128::from(row::constant(other));
            let mut pairs = row::coefficients(row).iter().zip(row::coefficients(other));
            let opposite = pairs.all(|(&x, &y)| x == -y);
            (opposite && width >= i128::from(row[local]).abs() - 1)
                .then_some((local, [first, second]))
        })
    }

    /// Whether a constraint holds at all integer points. Its columns may be those of a polyhedron
    /// that this one was intersected with, since own columns come first.
    fn implies(&self, constraint: &Constraint) -> Answer {
        let outside: Vec<Row> = match constraint {
            Constraint::Inequality(row) => match row::complement(row) {
                Ok(row) => vec![row],
                Err(_) => return Answer::Unknown,
            },
            Constraint::Equality(row) => {
                match (row::complement(row), row::complement(&row::negated(row))) {
                    (Ok(below), Ok(above)) => vec![below, above],
                    _ => return Answer::Unknown,
                }
            }
        };
        outside
            .into_iter()
            .map(|row| {
                let mut slice = self.clone();
                match slice.add_inequality(&crate::Affine::from_row(&row)) {
                    Ok(()) => slice.emptiness().answer(),
                    Err(_) => Answer::Unknown,
                }
            })
            .fold(Answer::Yes, Answer::and)
    }

    /// Returns the constraint of a number: equalities first, then inequalities.
    fn constraint(&self, index: usize) -> Constraint {
        let equalities = self.equalities().len();
        let mut all = self.equalities().chain(self.inequalities());
        let row = all.nth(index).map(<[i64]>::to_vec).unwrap_or_default();
        match index < equalities {
            true => Constraint::Equality(row),
            false => Constraint::Inequality(row),
        }
    }

    /// Removes the constraint of a number.
    fn without_constraint(&self, index: usize) -> Self {
        let system = self.system();
        let (mut equalities, mut inequalities) = (system.equalities, system.inequalities);
        match index.checked_sub(equalities.len()) {
            None => drop(equalities.remove(index)),
            Some(index) => drop(inequalities.remove(index)),
        }
        Self::from_rows(self.space(), equalities, inequalities)
    }
}

/// One constraint, apart from its polyhedron.
enum Constraint {
    Equality(Row),
    Inequality(Row),
}

/// Normalises all rows until nothing changes. Returns false if the system is empty.
fn tighten(system: &mut System) -> bool {
    loop {
        if !row::normalise_all(&mut system.equalities, row::normalise_equality) {
            return false;
        }
        system.equalities.sort_unstable();
        system.equalities.dedup();
        match normalise::normalise(system, &mut Meter::new(u64::MAX)) {
            Ok(Normalised::Empty) => return false,
            Ok(Normalised::NewEqualities) => {}
            Ok(Normalised::Done) | Err(_) => return true,
        }
    }
}

/// Removes inequalities that hold wherever the others do, at integer points: their
/// rational minimum over the others is above -1. Returns false if no rational point
/// satisfies the system. When it stops early, the system is left right. Rows marked
/// `keep` stay.
fn drop_redundant(system: &mut System, keep: Vec<bool>, meter: &mut Meter) -> Result<bool, Stop> {
    for (index, keep) in keep.into_iter().enumerate().rev() {
        if keep {
            continue;
        }
        let row = system.inequalities.remove(index);
        match is_redundant(&row, system, meter) {
            Ok(Redundancy::Redundant) => {}
            Ok(Redundancy::Needed) => system.inequalities.insert(index, row),
            Ok(Redundancy::Empty) => return Ok(false),
            Err(stop) => {
                system.inequalities.insert(index, row);
                return Err(stop);
            }
        }
    }
    Ok(true)
}

/// Verdict on a row beside the others of a system.
enum Redundancy {
    Redundant,
    Needed,
    /// The system is empty without it.
    Empty,
}

fn is_redundant(row: &Row, system: &System, meter: &mut Meter) -> Result<Redundancy, Stop> {
    let mut simplex = Simplex::new(system.vars);
    for other in &system.equalities {
        if !simplex.add_equality(other, meter)? {
            return Ok(Redundancy::Empty);
        }
    }
    for other in &system.inequalities {
        if !simplex.add_inequality(other, meter)? {
            return Ok(Redundancy::Empty);
        }
    }
    Ok(match simplex.minimum(row, meter)? {
        Optimum::Value(numerator, denominator) if numerator > -denominator => Redundancy::Redundant,
        Optimum::Value(..) | Optimum::Unbounded => Redundancy::Needed,
    })
}
