//! Register allocation: slots of values, spans in the pool, moves and jumps.

use std::collections::HashSet;

use super::*;
use crate::code::MEM_BIT;

impl FunctionCompiler<'_, '_> {
    pub(super) fn scalar_register(&mut self) -> Reg {
        self.out.scalars.push(0);
        (self.out.scalars.len() - 1) as Reg
    }

    pub(super) fn mem_register(&mut self) -> Reg {
        self.out.mems += 1;
        self.out.mems - 1
    }

    /// A register that always holds `bits`.
    pub(super) fn constant(&mut self, bits: u64) -> Reg {
        if let Some(&reg) = self.constants.get(&bits) {
            return reg;
        }
        let reg = self.scalar_register();
        self.out.scalars[reg as usize] = bits;
        self.constants.insert(bits, reg);
        reg
    }

    pub(super) fn define(&mut self, value: Value) -> Compiled<Slot> {
        // The slot exists after a use in an earlier block, and after the first lane of a vector.
        if let Some(slot) = self.slots[value.index()] {
            return Ok(slot);
        }
        let slot = self.fresh(self.body.ty(value))?;
        self.slots[value.index()] = Some(slot);
        Ok(slot)
    }

    /// The scalar register a result is written to.
    pub(super) fn define_scalar(&mut self, value: Value) -> Compiled<Reg> {
        match self.define(value).map(|slot| self.in_lane(slot))? {
            Slot::Scalar(reg, _) => Ok(reg),
            _ => self.error("a scalar result was expected"),
        }
    }

    pub(super) fn define_mem(&mut self, value: Value) -> Compiled<Reg> {
        match self.define(value)? {
            Slot::Mem(reg, _) => Ok(reg),
            _ => self.error("a memref result was expected"),
        }
    }

    /// The slot of a value. Blocks are compiled in textual order, so a value of a later block that
    /// dominates this use is given its slot here.
    pub(super) fn slot(&mut self, value: Value) -> Compiled<Slot> {
        match self.slots[value.index()] {
            Some(slot) => Ok(slot),
            None => self.define(value),
        }
    }

    pub(super) fn scalar(&mut self, value: Value) -> Compiled<Reg> {
        match self.slot(value).map(|slot| self.in_lane(slot))? {
            Slot::Scalar(reg, _) => Ok(reg),
            _ => self.error("a scalar operand was expected"),
        }
    }

    /// Slot of the lane being compiled, for a vector; a scalar or memref as it is.
    pub(super) fn in_lane(&self, slot: Slot) -> Slot {
        match (slot, self.lane) {
            (Slot::Vector { lanes, kind }, Some(lane)) => match self.out.span(lanes).get(lane) {
                Some(&reg) => Slot::Scalar(reg, kind),
                None => slot,
            },
            _ => slot,
        }
    }

    /// Splits a vector's slot into one slot a lane; any other slot stays whole.
    pub(super) fn split(&self, slot: Slot) -> Vec<Slot> {
        match slot {
            Slot::Vector { lanes, kind } => {
                let regs = self.out.span(lanes).iter();
                regs.map(|&reg| Slot::Scalar(reg, kind)).collect()
            }
            _ => vec![slot],
        }
    }

    pub(super) fn mem(&mut self, value: Value) -> Compiled<(Reg, ScalarKind)> {
        match self.slot(value)? {
            Slot::Mem(reg, kind) => Ok((reg, kind)),
            _ => self.error("a memref operand was expected"),
        }
    }

    pub(super) fn scalars(&mut self, values: &[Value]) -> Compiled<Vec<Reg>> {
        values.iter().map(|&value| self.scalar(value)).collect()
    }

    pub(super) fn slots_of(&mut self, values: &[Value]) -> Compiled<Vec<Slot>> {
        values.iter().map(|&value| self.slot(value)).collect()
    }

    pub(super) fn emit(&mut self, instr: Instr) -> usize {
        self.out.instrs.push(instr);
        self.out.locs.push(self.current.loc);
        self.out.instrs.len() - 1
    }

    pub(super) fn here(&self) -> u32 {
        self.out.instrs.len() as u32
    }

    pub(super) fn span(&mut self, regs: &[Reg]) -> Span {
        let start = self.out.pool.len() as u32;
        self.out.pool.extend_from_slice(regs);
        Span {
            start,
            len: regs.len() as u32,
        }
    }

    /// Slots in the pool: scalars as they are, memrefs with the top bit set.
    pub(super) fn slot_span(&mut self, slots: &[Slot]) -> Span {
        let split = slots.iter().flat_map(|&slot| self.split(slot));
        let regs: Vec<Reg> = split.filter_map(encode_slot).collect();
        self.span(&regs)
    }

    /// Points a jump emitted earlier at the next instruction.
    pub(super) fn patch(&mut self, at: usize) {
        let target = self.here();
        match &mut self.out.instrs[at] {
            Instr::Jump { to }
            | Instr::JumpIfNot { to, .. }
            | Instr::JumpIfEq { to, .. }
            | Instr::LoopEnter { exit: to, .. } => *to = target,
            other => unreachable!("only jumps are patched, not {other:?}"),
        }
    }

    /// Assigns all of `from` to `to` at once.
    pub(super) fn moves(&mut self, from: &[Slot], to: &[Slot]) -> Compiled {
        if from.len() != to.len() {
            return self.error("the number of values passed on does not match");
        }
        let split = |slots: &[Slot]| -> Vec<Slot> {
            let slots = slots.iter();
            slots.flat_map(|&slot| self.split(slot)).collect()
        };
        let pairs = split(from).into_iter().zip(split(to));
        let pairs: Vec<_> = pairs.filter(|(f, t)| f != t).collect();
        let targets: HashSet<Slot> = pairs.iter().map(|&(_, to)| to).collect();
        let conflict = pairs.iter().any(|(from, _)| targets.contains(from));
        let mut ready = pairs;
        if conflict {
            for pair in &mut ready {
                let temporary = match pair.0 {
                    Slot::Scalar(_, kind) => Slot::Scalar(self.scalar_register(), kind),
                    Slot::Mem(_, kind) => Slot::Mem(self.mem_register(), kind),
                    other => other,
                };
                self.one_move(pair.0, temporary);
                pair.0 = temporary;
            }
        }
        for (from, to) in ready {
            self.one_move(from, to);
        }
        Ok(())
    }

    pub(super) fn one_move(&mut self, from: Slot, to: Slot) {
        match (from, to) {
            (Slot::Scalar(src, _), Slot::Scalar(dst, _)) => {
                self.emit(Instr::Move { dst, src });
            }
            (Slot::Mem(src, _), Slot::Mem(dst, _)) => {
                self.emit(Instr::MoveMem { dst, src });
            }
            // Verified programs pass values between equal types.
            _ => {}
        }
    }
}

fn encode_slot(slot: Slot) -> Option<Reg> {
    match slot {
        Slot::Scalar(reg, _) => Some(reg),
        Slot::Mem(reg, _) => Some(reg | MEM_BIT),
        // Vectors are split into their lanes before.
        Slot::Vector { .. } => None,
    }
}
