//! Calls and returns: pushes and pops frames.

use crate::code::MEM_BIT;
use crate::code::{Slot, Span};
use crate::device::Argument;
use crate::fault::FaultKind;
use crate::frame::{Frame, Stop, Thread};
use crate::machine::Machine;
use crate::runner_functions::Returned;

impl Machine<'_> {
    /// Pushes the frame of a callee.
    pub(crate) fn call(
        &mut self,
        thread: &mut Thread,
        function: u32,
        args: Span,
        results: Span,
    ) -> Result<(), FaultKind> {
        self.tick()?;
        let Some(caller) = thread.frames.last() else {
            return Ok(());
        };
        let given = self.registers(caller, args);
        let code = &self.code.functions[function as usize];
        if let Some(name) = code.external {
            let (ctx, params) = (self.ctx, code.params.clone());
            let name = ctx.str(name);
            let targets = self.registers(caller, results);
            let returned = self.runner_function(name, &params, caller, &given)?;
            let Some(caller) = thread.frames.last_mut() else {
                return Ok(());
            };
            match (returned, &targets[..]) {
                (Returned::Unknown, _) => return Err(FaultKind::NoBody(name.to_owned())),
                (Returned::Value(bits), &[target]) => caller.scalars[target as usize] = bits,
                (Returned::Value(_) | Returned::Nothing, _) => {}
            }
            caller.pc += 1;
            return Ok(());
        }
        let mut frame = Frame::new(function, code);
        frame.results = results;
        for (slot, &reg) in code.params.iter().zip(&given) {
            match *slot {
                Slot::Scalar(dst, _) => frame.scalars[dst as usize] = caller.get(reg),
                Slot::Mem(dst, _) => {
                    frame.mems[dst as usize] = caller.mem(reg & !MEM_BIT).clone();
                }
                Slot::Vector { .. } => {}
            }
        }
        thread.stack_bytes += frame.bytes();
        if thread.stack_bytes > self.options.stack_limit {
            return Err(FaultKind::StackOverflow {
                depth: thread.frames.len(),
                limit: self.options.stack_limit,
            });
        }
        // The caller's `pc` stays at the call until it returns: faults point there.
        thread.frames.push(frame);
        Ok(())
    }

    /// Pops the top frame: passes its results to the caller, or out of the thread.
    pub(crate) fn ret(
        &mut self,
        thread: &mut Thread,
        values: Span,
    ) -> Result<Option<Stop>, FaultKind> {
        let Some(mut frame) = thread.frames.pop() else {
            return Ok(Some(Stop::Finished));
        };
        thread.stack_bytes = thread.stack_bytes.saturating_sub(frame.bytes());
        let registers = self.registers(&frame, values);
        for id in std::mem::take(&mut frame.stack) {
            self.release(id)?;
        }
        let Some(caller) = thread.frames.last_mut() else {
            let function = &self.code.functions[frame.function as usize];
            let slots = function.results.iter().zip(&registers);
            thread.results = slots
                .filter_map(|(slot, &reg)| match *slot {
                    Slot::Scalar(_, kind) => Some(Argument::Scalar(kind, frame.get(reg))),
                    Slot::Mem(_, kind) => {
                        Some(Argument::MemRef(kind, frame.mem(reg & !MEM_BIT).clone()))
                    }
                    Slot::Vector { .. } => None,
                })
                .collect();
            return Ok(Some(Stop::Finished));
        };
        let targets = {
            let pool = &self.code.functions[caller.function as usize].pool;
            let span = frame.results;
            &pool[span.start as usize..(span.start + span.len) as usize]
        };
        for (&target, &source) in targets.iter().zip(&registers) {
            if target & MEM_BIT == 0 {
                caller.scalars[target as usize] = frame.get(source);
            } else {
                caller.mems[(target & !MEM_BIT) as usize] = frame.mem(source & !MEM_BIT).clone();
            }
        }
        caller.pc += 1;
        Ok(None)
    }
}
