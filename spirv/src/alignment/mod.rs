//! Alignment: powers of two that integers are known to be multiples of.
//!
//! A residue of a word holds modulo any power of two that it divides, so wrapping around,
//! truncation and extension keep it. Words without an entry are multiples of 1.

use gridloom_dialects::arith;
use gridloom_ir::scalar::residue::{Residue, UNIT};
use gridloom_ir::{OpId, OpName};
use rspirv::spirv::Word;

use crate::abi::ElementKind;
use crate::emit::Emitter;
use crate::kernel::{Kernel, Lowered};

mod residue;

/// Cap of the lattice of multiples: no access needs more elements.
pub(crate) const MAX_MULTIPLE: u32 = 16;

impl Emitter {
    /// A power of two, [`MAX_MULTIPLE`] at most, that the integer `word` is a multiple of.
    pub(crate) fn multiple(&self, word: Word) -> u32 {
        match self.constant_value(word) {
            Some(value) => 1 << value.trailing_zeros().min(MAX_MULTIPLE.ilog2()),
            None => self.known_multiple(word),
        }
    }

    /// Returns the recorded multiple of a word that is no constant.
    fn known_multiple(&self, word: Word) -> u32 {
        self.multiples.get(&word).copied().unwrap_or(1)
    }

    /// Notes that `word` is a multiple of a power of two, once that is proved.
    pub(crate) fn note_multiple(&mut self, word: Word, multiple: u32) {
        let known = multiple.clamp(1, MAX_MULTIPLE);
        if known > self.multiple(word) {
            self.multiples.insert(word, known);
        }
    }
}

/// Alignment of the operation just lowered: notes the power of two that divides its result, and its
/// residue.
pub(crate) fn note(k: &mut Kernel<'_>, op: OpId, name: OpName) {
    let Some(multiple) = of_result(k, op, name) else {
        return;
    };
    let Some(result) = k.body[op].results().next() else {
        return;
    };
    if let Ok(&Lowered::Reg(word)) = k.lowered(op, result) {
        k.e.note_multiple(word, multiple);
        if k.e.constant_value(word).is_none()
            && let Some(residue) = residue_of_result(k, op, name)
        {
            k.e.note_residue(word, residue);
        }
    }
}

/// Residue of an operation's result, where it follows from the residues of its operands. Asked only
/// of results with a known multiple.
fn residue_of_result(k: &mut Kernel<'_>, op: OpId, name: OpName) -> Option<Residue> {
    let a = k.word(op, 0).ok()?;
    let of_a = k.e.residue(a);
    match name {
        arith::INDEX_CAST | arith::INDEX_CASTUI | arith::EXTSI | arith::EXTUI | arith::TRUNCI => {
            return Some(of_a);
        }
        _ => {}
    }
    let b = k.word(op, 1).ok()?;
    let of_b = k.e.residue(b);
    match name {
        arith::ADDI => Some(of_a.plus(1, &of_b)),
        arith::SUBI => Some(of_a.plus(-1, &of_b)),
        arith::MULI => k.e.residue_of_product(a, b),
        // a mod (n · UNIT) = a - q · (n · UNIT), so it keeps the residue of a.
        arith::REMSI | arith::REMUI => {
            let divisor = k.e.constant_value(b)?;
            (divisor != 0 && divisor % UNIT == 0).then_some(of_a)
        }
        arith::MINSI | arith::MINUI | arith::MAXSI | arith::MAXUI => {
            Some(of_b).filter(|of_b| of_a == *of_b)
        }
        arith::SELECT => {
            let other = k.word(op, 2).ok()?;
            Some(of_b).filter(|of_b| k.e.residue(other) == *of_b)
        }
        _ => None,
    }
}

/// Alignment of an operation's result, where it follows from that of its operands.
fn of_result(k: &mut Kernel<'_>, op: OpId, name: OpName) -> Option<u32> {
    let first = match name {
        arith::SELECT => 1,
        arith::ADDI
        | arith::SUBI
        | arith::MULI
        | arith::SHLI
        | arith::ANDI
        | arith::ORI
        | arith::XORI
        | arith::MINSI
        | arith::MINUI
        | arith::MAXSI
        | arith::MAXUI
        | arith::REMSI
        | arith::REMUI
        | arith::INDEX_CAST
        | arith::INDEX_CASTUI
        | arith::EXTSI
        | arith::EXTUI
        | arith::TRUNCI => 0,
        _ => return None,
    };
    let mut of = |index: usize| {
        let value = k.operand(op, index).ok()?;
        let reg = k.reg(op, value).ok()?;
        let word = k.value_word(op, value).ok()?;
        (reg.lanes == 1 && matches!(reg.kind, ElementKind::Int(2..))).then(|| k.e.multiple(word))
    };
    let a = of(first)?;
    Some(match name {
        arith::INDEX_CAST | arith::INDEX_CASTUI | arith::EXTSI | arith::EXTUI | arith::TRUNCI => a,
        arith::MULI => a * of(1)?,
        arith::ANDI => a.max(of(1)?),
        arith::SHLI => {
            let amount = k.word(op, 1).ok()?;
            let amount = k.e.constant_value(amount)?;
            a << amount.clamp(0, 8)
        }
        _ => a.min(of(first + 1)?),
    })
}

/// Notes the alignment of a loop counter: the smaller of those of its lower bound and its step.
/// Where the step is a multiple of [`UNIT`], the counter has the residue of the lower bound.
pub(crate) fn note_counter(e: &mut Emitter, counter: Word, lower: Word, step: Word) {
    let multiple = e.multiple(lower).min(e.multiple(step));
    e.note_multiple(counter, multiple);
    if i64::from(e.multiple(step)) >= UNIT {
        let residue = e.residue(lower);
        e.note_residue(counter, residue);
    }
}
