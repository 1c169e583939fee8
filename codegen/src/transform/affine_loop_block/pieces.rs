//! Pieces of statements: the instances whose counters are in a block, beyond it, or before it.

use gridloom_dialects::affine::ForOp;

use super::Statement;
use crate::analysis::values::{AffineValues, Atom};
use crate::transform::elimination::{Elimination, LinearForm};
use crate::transform::loop_bounds::{Projection, domain, project};

/// A block of iterations of a loop.
pub(super) struct Block {
    /// The loop over the iterations of the block.
    pub root: ForOp,
    /// Atom of the first of these iterations.
    pub first: u32,
    /// The number of iterations, without those past the end of the loop.
    pub size: i64,
}

/// Position of a counter of a piece, compared with the iterations of the block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Part {
    /// Below the first iteration of the block.
    Before,
    /// Among the iterations of the block.
    In,
    /// Past the last iteration of the block.
    Beyond,
    /// Anywhere: the counter has nothing to do with the block.
    All,
}

/// Piece of a statement.
pub(super) struct Piece {
    /// Position of the statement.
    pub statement: usize,
    /// The part of each loop inside of the loop over the block.
    pub parts: Vec<Part>,
    /// Domain: forms that are not negative in any instance.
    pub rows: Vec<LinearForm>,
}

/// Limit of the pieces of a nest.
const MAX_PIECES: usize = 24;

impl Piece {
    /// The statements, each as one piece.
    pub fn wholes(statements: &[Statement]) -> Vec<Piece> {
        let whole = |(k, statement): (usize, &Statement)| Piece {
            statement: k,
            parts: vec![Part::All; statement.loops.len() - 1],
            rows: Vec::new(),
        };
        statements.iter().enumerate().map(whole).collect()
    }

    /// Positions of the loops that leave the block, among those of the statement.
    pub fn outside(&self) -> impl Iterator<Item = usize> {
        let parts = self.parts.iter().enumerate();
        parts.filter_map(|(k, &part)| (part != Part::In).then_some(k + 1))
    }
}

/// The numbers of the counters of a statement.
pub(super) fn counters(values: &mut AffineValues, statement: &Statement) -> Vec<u32> {
    let loops = statement.loops.iter();
    loops
        .map(|l| values.atom_number(Atom::Value(l.induction_var(values.body))))
        .collect()
}

/// The pieces of all statements that have instances, in the order of the program.
pub(super) fn pieces_of(
    values: &mut AffineValues,
    block: &Block,
    statements: &[Statement],
) -> Option<Vec<Piece>> {
    let mut pieces = Vec::new();
    for (k, statement) in statements.iter().enumerate() {
        let counters = counters(values, statement);
        let order: Vec<usize> = (0..counters.len()).collect();
        let rows = domain(values, block.root.0, &statement.loops, &counters, &order)?;
        let known = Elimination::from_forms(values, block.root.0, rows.clone());
        let mut begun: Vec<Piece> = vec![Piece {
            statement: k,
            parts: Vec::new(),
            rows,
        }];
        for &counter in &counters[1..] {
            let parts = parts_of(values, &known, counters[0], counter)?;
            let mut split = Vec::new();
            for piece in &begun {
                for &part in parts {
                    split.push(piece.restricted(block, counter, part)?);
                }
            }
            begun = split;
        }
        for piece in begun {
            match project(piece.rows.clone(), &counters) {
                Projection::Empty => {}
                Projection::Inexact => return None,
                Projection::Exact(_) => pieces.push(piece),
            }
        }
        if pieces.len() > MAX_PIECES {
            return None;
        }
    }
    Some(pieces)
}

/// The parts that a counter may be in, by how it compares with that of the block's loop.
fn parts_of(
    values: &AffineValues,
    known: &Elimination,
    own: u32,
    counter: u32,
) -> Option<&'static [Part]> {
    let ahead = LinearForm::atom(counter).minus(&LinearForm::atom(own))?;
    if known.proves(values, &ahead) {
        return Some(&[Part::In, Part::Beyond]);
    }
    if known.proves(values, &ahead.scaled(-1)?) {
        return Some(&[Part::Before, Part::In]);
    }
    Some(&[Part::All])
}

impl Piece {
    /// The piece of these instances with one counter more in some part.
    fn restricted(&self, block: &Block, counter: u32, part: Part) -> Option<Piece> {
        let ahead = LinearForm::atom(counter).minus(&LinearForm::atom(block.first))?;
        let before_end = ahead
            .scaled(-1)?
            .plus_constant(block.size.checked_sub(1)?)?;
        let more = match part {
            Part::Before => vec![ahead.scaled(-1)?.plus_constant(-1)?],
            Part::In => vec![ahead, before_end],
            Part::Beyond => vec![ahead.plus_constant(block.size.checked_neg()?)?],
            Part::All => Vec::new(),
        };
        let mut parts = self.parts.clone();
        parts.push(part);
        Some(Piece {
            statement: self.statement,
            parts,
            rows: self.rows.iter().cloned().chain(more).collect(),
        })
    }
}
