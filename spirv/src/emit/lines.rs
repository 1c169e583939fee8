//! Places in the source: `OpLine` before the instructions of an operation, for debuggers and profilers.

use rspirv::dr::{Instruction, Operand};
use rspirv::spirv::{Op, SourceLanguage, Word};

use super::Emitter;
use super::encode::encode;

/// A file's `OpString`, line and column.
pub(crate) type Line = (Word, u32, u32);

impl Emitter {
    /// The place that instructions of the innermost function have from now on.
    pub(crate) fn set_line(&mut self, line: Option<Line>) {
        if let Some(frame) = self.frames.last_mut() {
            frame.line = line;
        }
    }

    /// The place that instructions have now.
    pub(crate) fn line(&self) -> Option<Line> {
        self.frames.last().and_then(|frame| frame.line)
    }

    /// The `OpString` of a file's name, with an `OpSource` of it.
    pub(crate) fn file(&mut self, name: &str) -> Word {
        if let Some(&id) = self.files.get(name) {
            return id;
        }
        let id = self.id();
        let text = vec![Operand::LiteralString(name.into())];
        let source = vec![
            Operand::SourceLanguage(SourceLanguage::Unknown),
            Operand::LiteralBit32(0),
            Operand::IdRef(id),
        ];
        let strings = &mut self.module.debug_string_source;
        strings.push(Instruction::new(Op::String, None, Some(id), text));
        strings.push(Instruction::new(Op::Source, None, None, source));
        self.files.insert(name.to_owned(), id);
        id
    }

    /// Emits `OpLine` before the next instruction, where its place differs from the block's last. Phis come
    /// first in their block, so a line of theirs would hold for nothing else.
    pub(super) fn note_line(&mut self, next: Op) {
        let Some(frame) = self.frames.last_mut().filter(|_| next != Op::Phi) else {
            return;
        };
        if let Some((file, line, column)) = frame.line.filter(|_| frame.line != frame.last_line) {
            frame.last_line = frame.line;
            let operands = [
                Operand::IdRef(file),
                Operand::LiteralBit32(line),
                Operand::LiteralBit32(column),
            ];
            encode(&mut frame.words, Op::Line, [None; 2], &operands);
        }
    }
}
