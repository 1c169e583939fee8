//! Encoder of instructions: appends the words of each to those of the function under construction.
//!
//! Functions are nearly all of a module, so their instructions become words at once: as
//! `rspirv::dr` has them, each takes memory of its own, ten times that of its words.

use rspirv::binary::Assemble;
use rspirv::dr::Operand;
use rspirv::spirv::{Op, Word};

/// Appends an instruction to words.
pub(super) fn encode(
    words: &mut Vec<Word>,
    op: Op,
    [ty, id]: [Option<Word>; 2],
    operands: &[Operand],
) {
    let start = words.len();
    words.push(op as Word);
    words.extend(ty.into_iter().chain(id));
    for operand in operands {
        match operand {
            Operand::IdRef(id) => words.push(*id),
            other => other.assemble_into(words),
        }
    }
    set_length(words, start);
}

/// Appends an instruction whose operands are all ids.
pub(super) fn encode_ids(words: &mut Vec<Word>, op: Op, [ty, id]: [Word; 2], operands: &[Word]) {
    let start = words.len();
    words.extend([op as Word, ty, id]);
    words.extend_from_slice(operands);
    set_length(words, start);
}

/// The length of an instruction stands in the upper half of its first word.
fn set_length(words: &mut [Word], start: usize) {
    words[start] |= ((words.len() - start) as Word) << 16;
}
