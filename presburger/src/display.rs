//! Display of sets, relations and forms as text for people.

use std::fmt::{self, Display, Formatter, Write};

use crate::affine::Affine;
use crate::polyhedron::IntegerPolyhedron;
use crate::relation::Relation;
use crate::row;
use crate::set::Set;
use crate::space::{Space, VarKind};

/// Prints `(d0, d1)[s0] : (d0 - 2*d1 >= 0, d0 + s0 = 0)`; locals appear as `exists e0 :` before the
/// constraints.
impl Display for IntegerPolyhedron {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let space = self.space();
        write!(f, "{} : ", SpaceHeader(&space))?;
        write_constraints(f, self)
    }
}

/// Prints `(d0, d1) -> (d2)[s0] : (d0 - d2 = 0)`: the range's dims are numbered on from the
/// domain's, as in the columns.
impl Display for Relation {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (domain, dims) = (self.domain_dims(), self.pairs().space().dims());
        f.write_char('(')?;
        write_list(f, "d", 0..domain)?;
        f.write_str(") -> (")?;
        write_list(f, "d", domain..dims)?;
        f.write_char(')')?;
        write_symbols(f, &self.pairs().space())?;
        f.write_str(" : ")?;
        write_constraints(f, self.pairs())
    }
}

/// Prints the disjuncts with `or` between them; `(d0) : none` for a set without any.
impl Display for Set {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} : ", SpaceHeader(&self.space()))?;
        for (index, disjunct) in self.disjuncts().iter().enumerate() {
            if index > 0 {
                f.write_str(" or ")?;
            }
            write_constraints(f, disjunct)?;
        }
        match self.disjuncts().is_empty() {
            true => f.write_str("none"),
            false => Ok(()),
        }
    }
}

/// Writes `exists e0 : (..)`, or only `(..)` without locals.
pub(crate) fn write_constraints(f: &mut Formatter<'_>, set: &IntegerPolyhedron) -> fmt::Result {
    let space = set.space();
    if space.locals() > 0 {
        f.write_str("exists ")?;
        write_list(f, "e", 0..space.locals())?;
        f.write_str(" : ")?;
    }
    f.write_char('(')?;
    let equalities = set.equalities().map(|row| (row, "="));
    let inequalities = set.inequalities().map(|row| (row, ">="));
    for (index, (row, relation)) in equalities.chain(inequalities).enumerate() {
        if index > 0 {
            f.write_str(", ")?;
        }
        write_form(f, &space, row)?;
        write!(f, " {relation} 0")?;
    }
    f.write_char(')')
}

/// Header of a set: prints the variables of a space, `(d0, d1)[s0]`.
pub(crate) struct SpaceHeader<'a>(pub(crate) &'a Space);

impl Display for SpaceHeader<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_char('(')?;
        write_list(f, "d", 0..self.0.dims())?;
        f.write_char(')')?;
        write_symbols(f, self.0)
    }
}

/// `[s0, s1]`, or nothing if there are no symbols.
pub(crate) fn write_symbols(f: &mut Formatter<'_>, space: &Space) -> fmt::Result {
    if space.symbols() == 0 {
        return Ok(());
    }
    f.write_char('[')?;
    write_list(f, "s", 0..space.symbols())?;
    f.write_char(']')
}

/// `d0, d1, d2`.
pub(crate) fn write_list(
    f: &mut Formatter<'_>,
    letter: &str,
    numbers: std::ops::Range<usize>,
) -> fmt::Result {
    let first = numbers.start;
    for number in numbers {
        let comma = if number == first { "" } else { ", " };
        write!(f, "{comma}{letter}{number}")?;
    }
    Ok(())
}

/// An affine form with the names of a space: `d0 - 2*d1 + s0 - 1`.
pub(crate) fn write_form(f: &mut Formatter<'_>, space: &Space, row: &[i64]) -> fmt::Result {
    let mut first = true;
    for (column, &entry) in row::coefficients(row).iter().enumerate() {
        if entry == 0 {
            continue;
        }
        match (first, entry < 0) {
            (true, true) => f.write_char('-')?,
            (true, false) => {}
            (false, true) => f.write_str(" - ")?,
            (false, false) => f.write_str(" + ")?,
        }
        first = false;
        if entry.unsigned_abs() != 1 {
            write!(f, "{}*", entry.unsigned_abs())?;
        }
        match space.variable(column) {
            Some((VarKind::Dim, index)) => write!(f, "d{index}")?,
            Some((VarKind::Symbol, index)) => write!(f, "s{index}")?,
            Some((VarKind::Local, index)) => write!(f, "e{index}")?,
            None => write!(f, "x{column}")?,
        }
    }
    let constant = row::constant(row);
    match (first, constant) {
        (true, _) => write!(f, "{constant}"),
        (false, 0) => Ok(()),
        (false, _) if constant < 0 => write!(f, " - {}", constant.unsigned_abs()),
        (false, _) => write!(f, " + {constant}"),
    }
}

impl Affine {
    /// The form with the names of a space, such as `d0 - 2*s0 + 1`.
    pub fn display_in(&self, space: Space) -> impl Display {
        struct Shown(Affine, Space);
        impl Display for Shown {
            fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
                let columns = self.1.columns().max(self.0.coefficients().len() + 1);
                write_form(f, &self.1, &self.0.to_row(columns))
            }
        }
        Shown(self.clone(), space)
    }
}
