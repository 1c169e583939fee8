//! Division form: polyhedra in which every local is a quotient of other variables.

use crate::affine::Affine;
use crate::division::Division;
use crate::emptiness::Budget;
use crate::error::Error;
use crate::polyhedron::IntegerPolyhedron;
use crate::row::{self, Row};
use crate::set::Set;
use crate::solver::Meter;
use crate::solver::equations::substitute;
use crate::space::VarKind;

/// Limit of the pieces that one polyhedron is cut into; beyond it the result is unknown.
const MAX_PIECES: usize = 512;

/// Functional polyhedron: each of its locals is a division of outer variables and earlier such
/// locals, so that each point has at most one choice of locals.
///
/// `∃q. C(x, q)` is then `C(x, f(x))`, and its complement `¬C(x, f(x))`, which is
/// `∃q. q = f(x) ∧ ¬C(x, q)`: the quantifier stays outside.
#[derive(Clone, Debug)]
pub(crate) struct Functional {
    polyhedron: IntegerPolyhedron,
    /// Locals by column, each with its division, in an order in which each depends on those before
    /// it only.
    divisions: Vec<(usize, Division)>,
}

impl IntegerPolyhedron {
    /// The same points as a union of polyhedra in which every local is a division: a quotient of
    /// dims, symbols and earlier quotients, as [`floordiv`](Self::floordiv) makes them. A local that
    /// a projection left, `∃e: 5e <= d0 <= 7e`, is eliminated, by its dark shadow and the splinters
    /// beside it where its real shadow holds more than the projection (W. Pugh, 1991).
    ///
    /// The pieces may overlap. `None` if there are too many, or a coefficient overflows.
    ///
    /// ```
    /// use gridloom_presburger::{IntegerPolyhedron, Space};
    ///
    /// // Some d1 has 5*d1 <= d0 <= 7*d1.
    /// let mut pairs = IntegerPolyhedron::universe(Space::new(2, 0));
    /// pairs.add_inequality_row(&[1, -5, 0])?;
    /// pairs.add_inequality_row(&[-1, 7, 0])?;
    /// let gaps = pairs.project_out_dims(1..2).division_form().expect("small");
    /// let missing: Vec<i64> = (0..40).filter(|&x| gaps.contains(&[x]).is_no()).collect();
    /// assert_eq!(missing, [1, 2, 3, 4, 8, 9]);
    /// # Ok::<(), gridloom_presburger::Error>(())
    /// ```
    pub fn division_form(&self) -> Option<Set> {
        let mut union = Set::empty(self.space());
        let mut meter = Meter::new(Budget::default().steps);
        for piece in Functional::pieces_of(self, &mut meter)? {
            union.add(piece.polyhedron);
        }
        Some(union)
    }
}

impl Functional {
    /// Cuts a polyhedron into pieces of this form; `None` if they are too many, or the budget ends.
    pub(crate) fn pieces_of(
        polyhedron: &IntegerPolyhedron,
        meter: &mut Meter,
    ) -> Option<Vec<Self>> {
        let mut done = Vec::new();
        let mut open = vec![polyhedron.simplify()];
        while let Some(mut piece) = open.pop() {
            if done.len() + open.len() > MAX_PIECES {
                return None;
            }
            let rows = piece.equalities().len() + piece.inequalities().len();
            meter.spend(rows * rows).ok()?;
            let divisions = well_founded_divisions(&piece);
            let free = free_locals(&piece, &divisions);
            if free.is_empty() {
                done.push(Self {
                    polyhedron: piece,
                    divisions,
                });
                continue;
            }
            // Rows that defined other locals may have been combined: each change looks again.
            if let Some(simpler) = without_free_locals(&piece, &free) {
                open.push(simpler.simplify());
            } else if let Some((index, local)) = free_local_in_equality(&piece, &free) {
                piece = isolated(&piece, index, local, &free)?;
                open.push(piece);
            } else {
                shadows(&piece, &free, &mut open, meter)?;
            }
        }
        Some(done)
    }

    /// The only piece of a polyhedron that is one; `None` if it has to be cut.
    pub(crate) fn of(polyhedron: &IntegerPolyhedron, meter: &mut Meter) -> Option<Self> {
        let mut pieces = Self::pieces_of(polyhedron, meter)?;
        match pieces.len() {
            1 => pieces.pop(),
            _ => None,
        }
    }

    /// The points, as a polyhedron.
    pub(crate) fn polyhedron(&self) -> &IntegerPolyhedron {
        &self.polyhedron
    }

    /// The rows of all constraints as inequalities: an equality is two.
    pub(crate) fn half_spaces(&self) -> Vec<Row> {
        let equalities = self.polyhedron.equalities();
        let halves = equalities.flat_map(|row| [row.to_vec(), row::negated(row)]);
        let inequalities = self.polyhedron.inequalities().map(<[i64]>::to_vec);
        halves.chain(inequalities).collect()
    }

    /// Extends a polyhedron by the locals of this one, behind its own, defined by their divisions.
    pub(crate) fn extend(&self, piece: &IntegerPolyhedron) -> Result<Extended, Error> {
        let own = self.polyhedron.space();
        let mut extended = Extended {
            first_local: own.range(VarKind::Local).start,
            shift: piece.space().locals(),
            inside: piece.intersect(&IntegerPolyhedron::universe(own)),
        };
        for (column, division) in &self.divisions {
            let numerator = extended.lift(&division.numerator.to_row(own.columns()));
            let divisor = division.divisor;
            let column = column + extended.shift;
            extended
                .inside
                .define(column, &Division { numerator, divisor })?;
        }
        Ok(extended)
    }

    /// Appends `piece` without this polyhedron's points to `difference`, in disjoint parts: the
    /// i-th satisfies the first `i` constraints and violates the next.
    pub(crate) fn cut_from(
        &self,
        piece: &IntegerPolyhedron,
        difference: &mut Vec<IntegerPolyhedron>,
        meter: &mut Meter,
    ) -> Result<(), Error> {
        let mut extended = self.extend(piece)?;
        let mut cut = |extended: &Extended, outside: Row| -> Result<(), Error> {
            let part = extended.with(&outside)?;
            if !part.emptiness_metered(meter).is_empty() {
                difference.push(part.simplify());
            }
            Ok(())
        };
        for row in self.polyhedron.equalities() {
            cut(&extended, row::complement(row)?)?;
            cut(&extended, row::complement(&row::negated(row))?)?;
            let form = extended.lift(row);
            extended.inside.add_equality(&form)?;
        }
        for row in self.polyhedron.inequalities() {
            cut(&extended, row::complement(row)?)?;
            extended.inside = extended.with(row)?;
        }
        Ok(())
    }
}

/// A polyhedron with the locals of a [`Functional`] after its own.
pub(crate) struct Extended {
    pub(crate) inside: IntegerPolyhedron,
    /// The first local's column in rows of the functional polyhedron.
    first_local: usize,
    /// Column shift of the locals: how much further right they stand here.
    shift: usize,
}

impl Extended {
    /// A row of the functional polyhedron as a form over the columns here.
    pub(crate) fn lift(&self, row: &[i64]) -> Affine {
        let (outer, locals) = row::coefficients(row).split_at(self.first_local);
        let mut entries = outer.to_vec();
        entries.resize(self.first_local + self.shift, 0);
        entries.extend(locals);
        Affine::from_parts(entries, row::constant(row))
    }

    /// The polyhedron with `row >= 0` added, a row of the functional one.
    pub(crate) fn with(&self, row: &[i64]) -> Result<IntegerPolyhedron, Error> {
        let mut part = self.inside.clone();
        part.add_inequality(&self.lift(row))?;
        Ok(part)
    }
}

/// Finds the locals that are divisions of outer variables and of each other, without cycles.
fn well_founded_divisions(polyhedron: &IntegerPolyhedron) -> Vec<(usize, Division)> {
    let locals = polyhedron.space().range(VarKind::Local);
    let mut known: Vec<(usize, Division)> = Vec::new();
    loop {
        let is_known = |column: usize| {
            !locals.contains(&column) || known.iter().any(|(other, _)| *other == column)
        };
        let next = locals
            .clone()
            .filter(|&local| !is_known(local))
            .find_map(|local| {
                polyhedron
                    .divisions_of(local)
                    .find(|division| {
                        let entries = division.numerator.coefficients().iter().enumerate();
                        entries
                            .filter(|(_, entry)| **entry != 0)
                            .all(|(column, _)| is_known(column))
                    })
                    .map(|division| (local, division))
            });
        match next {
            Some(found) => known.push(found),
            None => return known,
        }
    }
}

/// The locals that are none of these divisions.
fn free_locals(polyhedron: &IntegerPolyhedron, divisions: &[(usize, Division)]) -> Vec<usize> {
    let locals = polyhedron.space().range(VarKind::Local);
    let is_free = |local: &usize| divisions.iter().all(|(column, _)| column != local);
    locals.filter(is_free).collect()
}

/// Eliminates all free locals, or one of them, where that is exact.
fn without_free_locals(piece: &IntegerPolyhedron, free: &[usize]) -> Option<IntegerPolyhedron> {
    let single = free.chunks(1);
    [free].into_iter().chain(single).find_map(|columns| {
        let projection = piece.eliminate(columns);
        projection.exact.then_some(projection.set)
    })
}

/// The equality that has free locals, by number, and the one with the smallest coefficient in it.
fn free_local_in_equality(piece: &IntegerPolyhedron, free: &[usize]) -> Option<(usize, usize)> {
    piece.equalities().enumerate().find_map(|(index, row)| {
        let used = free.iter().copied().filter(|&local| row[local] != 0);
        let smallest = used.min_by_key(|&local| row[local].unsigned_abs())?;
        Some((index, smallest))
    })
}

/// Changes variables among the free locals, so that an equality has one of them only: then that
/// local is a division of what is known. `a·x + b·y` with `b = a·q + r` is `a·(x + q·y) + r·y`.
fn isolated(
    piece: &IntegerPolyhedron,
    index: usize,
    mut local: usize,
    free: &[usize],
) -> Option<IntegerPolyhedron> {
    let mut system = piece.system();
    loop {
        let equality = &system.equalities[index];
        let pivot = equality[local];
        let mut form = vec![0; equality.len()];
        for &other in free.iter().filter(|&&other| other != local) {
            form[other] = equality[other] / pivot;
        }
        for row in system.equalities.iter_mut().chain(&mut system.inequalities) {
            substitute(row, local, &form).ok()?;
        }
        let equality = &system.equalities[index];
        let others = free.iter().copied().filter(|&other| other != local);
        let rest = others.filter(|&other| equality[other] != 0);
        match rest.min_by_key(|&other| equality[other].unsigned_abs()) {
            // Smaller than the pivot, as every remainder is: this ends.
            Some(smaller) => local = smaller,
            None => break,
        }
    }
    let (equalities, inequalities) = (system.equalities, system.inequalities);
    Some(IntegerPolyhedron::from_rows(
        piece.space(),
        equalities,
        inequalities,
    ))
}

/// Pushes the pieces whose union is the projection of the free local that makes the fewest: the
/// dark shadow, and the splinters in which the local is close above one of its lower bounds. The
/// formulas stand at [`crate::solver::omega`].
fn shadows(
    piece: &IntegerPolyhedron,
    free: &[usize],
    open: &mut Vec<IntegerPolyhedron>,
    meter: &mut Meter,
) -> Option<()> {
    let bounds = |local: usize, sign: i64| {
        let rows = piece.inequalities();
        rows.filter(move |row| row[local].signum() == sign)
    };
    let largest_upper = |local: usize| -> i128 {
        let sizes = bounds(local, -1).map(|row| -i128::from(row[local]));
        sizes.max().unwrap_or(1)
    };
    let last_offset = |lower: &[i64], local: usize| -> i128 {
        let (a, b) = (i128::from(lower[local]), largest_upper(local));
        row::floor_div(a * b - a - b, b)
    };
    let splinters = |local: usize| -> i128 {
        let rows = bounds(local, 1);
        rows.map(|row| last_offset(row, local) + 1).sum()
    };
    let local = free.iter().copied().min_by_key(|&local| splinters(local))?;
    if splinters(local) > MAX_PIECES as i128 {
        return None;
    }
    let system = piece.system();
    let mut dark = system.inequalities.clone();
    dark.retain(|row| row[local] == 0);
    for lower in bounds(local, 1) {
        for upper in bounds(local, -1) {
            let (a, b) = (lower[local], -upper[local]);
            let gap = (i128::from(a) - 1) * (i128::from(b) - 1);
            dark.push(row::combine_with_offset(b, lower, a, upper, -gap).ok()?);
        }
    }
    let mut push = |piece: IntegerPolyhedron| {
        if !piece.emptiness_metered(meter).is_empty() {
            open.push(piece.simplify());
        }
    };
    let dark = IntegerPolyhedron::from_rows(piece.space(), system.equalities, dark);
    push(dark.without_unused_locals());
    for lower in bounds(local, 1) {
        for offset in 0..=last_offset(lower, local) {
            let mut equality = lower.to_vec();
            let constant = i128::from(row::constant(lower)) - offset;
            *equality.last_mut()? = row::narrow(constant).ok()?;
            let mut splinter = piece.clone();
            splinter.add_equality_row(&equality).ok()?;
            push(splinter);
        }
    }
    Some(())
}
