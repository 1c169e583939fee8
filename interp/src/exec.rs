//! The instruction loop.

use gridloom_ir::Loc;
use smallvec::SmallVec;

use crate::code::{FloatTest, IdKind, Instr, Reg, Slot, Span};
use crate::compile::MEM_BIT;
use crate::device::Argument;
use crate::fault::{Fault, FaultKind};
use crate::frame::{Frame, Stop, Thread};
use crate::machine::Machine;
use crate::memory::{AllocId, MemRef};
use crate::scalar::{Accumulate, ScalarKind, float_compare, fused_multiply_add, sext};

/// What the loop does after an instruction.
pub(crate) enum Flow {
    Next,
    Jump(u32),
    Stop(Stop),
    /// The frame on top has changed.
    Switch,
}

impl Machine<'_> {
    /// Runs a thread until it finishes or waits at a barrier.
    pub(crate) fn run_thread(&mut self, thread: &mut Thread) -> Result<Stop, Fault> {
        loop {
            let Some(frame) = thread.frames.last() else {
                return Ok(Stop::Finished);
            };
            let (function, pc) = (frame.function as usize, frame.pc as usize);
            let instr = self.code.functions[function].instrs[pc];
            match self.step(thread, instr) {
                Ok(Flow::Next) => {
                    if let Some(frame) = thread.frames.last_mut() {
                        frame.pc += 1;
                    }
                }
                Ok(Flow::Jump(to)) => {
                    if let Some(frame) = thread.frames.last_mut() {
                        frame.pc = to;
                    }
                }
                Ok(Flow::Switch) => {}
                Ok(Flow::Stop(stop)) => return Ok(stop),
                Err(kind) => return Err(self.fault(thread, kind)),
            }
        }
    }

    /// A fault at the current instruction, with the calls that led there.
    fn fault(&self, thread: &Thread, kind: FaultKind) -> Fault {
        let at = |frame: &Frame| self.loc(frame);
        let mut locs = thread.frames.iter().rev().map(at);
        Fault {
            kind,
            loc: locs.next().unwrap_or(Loc::UNKNOWN),
            calls: locs.collect(),
        }
    }

    pub(crate) fn loc(&self, frame: &Frame) -> Loc {
        let function = &self.code.functions[frame.function as usize];
        function
            .locs
            .get(frame.pc as usize)
            .copied()
            .unwrap_or(Loc::UNKNOWN)
    }

    /// Counts one unit of work against the limit.
    pub(crate) fn tick(&mut self) -> Result<(), FaultKind> {
        self.steps += 1;
        match self.options.step_limit {
            Some(limit) if self.steps > limit => Err(FaultKind::StepLimit(limit)),
            _ => Ok(()),
        }
    }

    fn step(&mut self, thread: &mut Thread, instr: Instr) -> Result<Flow, FaultKind> {
        let depth = thread.frames.len();
        let frame = &mut thread.frames[depth - 1];
        match instr {
            Instr::Move { dst, src } => frame.scalars[dst as usize] = frame.get(src),
            Instr::MoveMem { dst, src } => frame.mems[dst as usize] = frame.mem(src).clone(),
            Instr::Int {
                op,
                width,
                dst,
                a,
                b,
            } => {
                frame.scalars[dst as usize] = op.eval(frame.get(a), frame.get(b), width)?;
            }
            Instr::IntUnary { op, width, dst, a } => {
                frame.scalars[dst as usize] = op.eval(frame.get(a), width);
            }
            Instr::IntCmp {
                pred,
                width,
                dst,
                a,
                b,
            } => {
                frame.scalars[dst as usize] =
                    u64::from(pred.eval(frame.get(a), frame.get(b), width));
            }
            Instr::Float {
                op,
                kind,
                dst,
                a,
                b,
            } => {
                frame.scalars[dst as usize] = op.eval(frame.get(a), frame.get(b), kind);
            }
            Instr::FloatUnary { op, kind, dst, a } => {
                frame.scalars[dst as usize] = op.eval(frame.get(a), kind);
            }
            Instr::FloatCmp {
                pred,
                kind,
                dst,
                a,
                b,
            } => {
                let (a, b) = (kind.to_f64(frame.get(a)), kind.to_f64(frame.get(b)));
                frame.scalars[dst as usize] = u64::from(float_compare(pred, a, b));
            }
            Instr::FloatTest { test, kind, dst, a } => {
                frame.scalars[dst as usize] = u64::from(float_test(test, kind, frame.get(a)));
            }
            Instr::Fma { kind, dst, a, b, c } => {
                frame.scalars[dst as usize] =
                    fused_multiply_add(frame.get(a), frame.get(b), frame.get(c), kind);
            }
            Instr::FloatPowInt {
                kind,
                width,
                dst,
                a,
                b,
            } => {
                let power = sext(frame.get(b), width) as f64;
                let result = libm::pow(kind.to_f64(frame.get(a)), power);
                frame.scalars[dst as usize] = kind.from_f64(result);
            }
            Instr::Cast {
                cast,
                from,
                to,
                dst,
                src,
            } => {
                frame.scalars[dst as usize] = cast.eval(frame.get(src), from, to);
            }
            Instr::Select { dst, cond, a, b } => {
                let chosen = if frame.get(cond) != 0 { a } else { b };
                frame.scalars[dst as usize] = frame.get(chosen);
            }
            Instr::SelectMem { dst, cond, a, b } => {
                let chosen = if frame.get(cond) != 0 { a } else { b };
                frame.mems[dst as usize] = frame.mem(chosen).clone();
            }
            Instr::Jump { to } => {
                if to <= frame.pc {
                    self.tick()?;
                }
                return Ok(Flow::Jump(to));
            }
            Instr::JumpIfNot { cond, to } => {
                if frame.get(cond) == 0 {
                    return Ok(Flow::Jump(to));
                }
            }
            Instr::JumpIfEq { a, value, to } => {
                if frame.get(a) as i64 == value {
                    return Ok(Flow::Jump(to));
                }
            }
            Instr::LoopEnter {
                iv,
                ub,
                step,
                exit,
                unsigned,
            } => {
                let step = frame.get(step) as i64;
                if step <= 0 && !unsigned || step == 0 {
                    return Err(FaultKind::BadStep(step));
                }
                if !below(frame.get(iv), frame.get(ub), unsigned) {
                    return Ok(Flow::Jump(exit));
                }
            }
            Instr::LoopNext {
                iv,
                ub,
                step,
                body,
                unsigned,
            } => {
                let (at, step) = (frame.get(iv), frame.get(step));
                // A counter that would wrap has passed every bound.
                let next = if unsigned {
                    at.checked_add(step)
                } else {
                    (at as i64).checked_add(step as i64).map(|next| next as u64)
                };
                if let Some(next) = next
                    && below(next, frame.get(ub), unsigned)
                {
                    frame.scalars[iv as usize] = next;
                    self.tick()?;
                    return Ok(Flow::Jump(body));
                }
            }
            Instr::Load {
                kind,
                dst,
                mem,
                index,
            } => {
                let value = self.load(frame, kind, mem, index)?;
                frame.scalars[dst as usize] = value;
            }
            Instr::Store {
                kind,
                src,
                mem,
                index,
            } => {
                self.store(frame, kind, frame.get(src), mem, index)?;
            }
            Instr::Atomic {
                op,
                kind,
                dst,
                src,
                mem,
                index,
            } => {
                let old = self.load(frame, kind, mem, index)?;
                let new = combine(op, kind, old, frame.get(src))?;
                self.store(frame, kind, new, mem, index)?;
                frame.scalars[dst as usize] = old;
            }
            Instr::Id { kind, dim, dst } => {
                let (ids, dim) = (&thread.ids, usize::from(dim));
                let value = match kind {
                    IdKind::Block => ids.block[dim],
                    IdKind::Thread => ids.thread[dim],
                    IdKind::GridSize => ids.grid[dim],
                    IdKind::BlockSize => ids.size[dim],
                    IdKind::Global => ids.block[dim] * ids.size[dim] + ids.thread[dim],
                };
                frame.scalars[dst as usize] = value as u64;
            }
            Instr::Assert { cond, message } => {
                if frame.get(cond) == 0 {
                    let function = &self.code.functions[frame.function as usize];
                    let message = function.messages[message as usize].clone();
                    return Err(FaultKind::Assertion(message));
                }
            }
            Instr::Barrier => {
                frame.pc += 1;
                return Ok(Flow::Stop(Stop::Barrier));
            }
            Instr::ThreadEnd => {
                let stack = std::mem::take(&mut frame.stack);
                thread.frames.clear();
                stack.into_iter().try_for_each(|id| self.release(id))?;
                return Ok(Flow::Stop(Stop::Finished));
            }
            Instr::Call {
                function,
                args,
                results,
            } => {
                return self.call(thread, function, args, results);
            }
            Instr::CallIndirect {
                callee,
                args,
                results,
            } => {
                let callee = frame.get(callee) as u32;
                return self.call(thread, callee, args, results);
            }
            Instr::Return { values } => return self.ret(thread, values),
            Instr::Launch { info } => return self.launch(thread, info),
            Instr::LaunchFunc { info } => self.launch_func(thread, info)?,
            other => self.memory_step(frame, other)?,
        }
        Ok(Flow::Next)
    }

    /// The registers of a span, looked up one at a time: the pool is part of
    /// the code, which must not stay borrowed while memory changes.
    fn pool(&self, frame: &Frame, span: Span) -> &[Reg] {
        let pool = &self.code.functions[frame.function as usize].pool;
        &pool[span.start as usize..(span.start + span.len) as usize]
    }

    pub(crate) fn registers(&self, frame: &Frame, span: Span) -> SmallVec<[Reg; 8]> {
        SmallVec::from_slice(self.pool(frame, span))
    }

    /// The linear position an index leads to.
    fn position(&self, frame: &Frame, mem: Reg, index: Span) -> Result<i64, FaultKind> {
        let view = frame.mem(mem);
        let registers = self.pool(frame, index);
        let mut linear = view.offset;
        if registers.len() != view.sizes.len() {
            let what = "the number of indices differs from the rank".to_owned();
            return Err(FaultKind::ShapeMismatch(what));
        }
        for (dim, &reg) in registers.iter().enumerate() {
            let (index, size) = (frame.get(reg) as i64, view.sizes[dim]);
            if index < 0 || index >= size {
                return Err(FaultKind::OutOfBounds { dim, index, size });
            }
            linear = linear.wrapping_add(index.wrapping_mul(view.strides[dim]));
        }
        Ok(linear)
    }

    fn load(
        &mut self,
        frame: &Frame,
        kind: ScalarKind,
        mem: Reg,
        index: Span,
    ) -> Result<u64, FaultKind> {
        let position = self.position(frame, mem, index)?;
        let view = frame.mem(mem);
        self.make_current(view.alloc)?;
        self.memory.read(view, position, kind)
    }

    fn store(
        &mut self,
        frame: &Frame,
        kind: ScalarKind,
        value: u64,
        mem: Reg,
        index: Span,
    ) -> Result<(), FaultKind> {
        let position = self.position(frame, mem, index)?;
        let view = frame.mem(mem);
        self.make_current(view.alloc)?;
        self.memory.write(view, position, kind, value)
    }

    /// Brings the host copy up to date before the host touches it.
    pub(crate) fn make_current(&mut self, id: AllocId) -> Result<(), FaultKind> {
        if self.device.is_none() {
            Ok(())
        } else {
            self.fetch(id)
        }
    }

    fn call(
        &mut self,
        thread: &mut Thread,
        function: u32,
        args: Span,
        results: Span,
    ) -> Result<Flow, FaultKind> {
        self.tick()?;
        if thread.frames.len() >= self.options.call_depth {
            return Err(FaultKind::CallDepth(self.options.call_depth));
        }
        let Some(caller) = thread.frames.last() else {
            return Ok(Flow::Switch);
        };
        let given = self.registers(caller, args);
        let memrefs: SmallVec<[&MemRef; 8]> = given
            .iter()
            .filter(|&&reg| reg & MEM_BIT != 0)
            .map(|&reg| caller.mem(reg & !MEM_BIT))
            .collect();
        let loc = self.loc(caller);
        let function = self.serial_if_overlapping(function, &memrefs, loc);
        drop(memrefs);
        let code = &self.code.functions[function as usize];
        if let Some(name) = code.external {
            return Err(FaultKind::NoBody(self.ctx.str(name).to_owned()));
        }
        let mut frame = Frame::new(function, code);
        frame.results = results;
        let params = code.params.iter().filter(|slot| **slot != Slot::Unit);
        for (slot, &reg) in params.zip(&given) {
            match *slot {
                Slot::Scalar(dst, _) => frame.scalars[dst as usize] = caller.get(reg),
                Slot::Mem(dst, _) => {
                    frame.mems[dst as usize] = caller.mem(reg & !MEM_BIT).clone();
                }
                Slot::Unit => {}
            }
        }
        if let Some(caller) = thread.frames.last_mut() {
            caller.pc += 1;
        }
        thread.frames.push(frame);
        Ok(Flow::Switch)
    }

    fn ret(&mut self, thread: &mut Thread, values: Span) -> Result<Flow, FaultKind> {
        let Some(mut frame) = thread.frames.pop() else {
            return Ok(Flow::Stop(Stop::Finished));
        };
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
                    Slot::Unit => None,
                })
                .collect();
            return Ok(Flow::Stop(Stop::Finished));
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
        Ok(Flow::Switch)
    }
}

fn below(a: u64, b: u64, unsigned: bool) -> bool {
    if unsigned {
        a < b
    } else {
        (a as i64) < (b as i64)
    }
}

fn float_test(test: FloatTest, kind: ScalarKind, bits: u64) -> bool {
    let value = kind.to_f64(bits);
    match test {
        FloatTest::Finite => value.is_finite(),
        FloatTest::Infinite => value.is_infinite(),
        FloatTest::Nan => value.is_nan(),
        // Normal in its own format, which f64 does not show.
        FloatTest::Normal => {
            let least = match kind {
                ScalarKind::F16 => 2f64.powi(-14),
                ScalarKind::BF16 | ScalarKind::F32 => 2f64.powi(-126),
                ScalarKind::F64 | ScalarKind::Int(_) => f64::MIN_POSITIVE,
            };
            value.is_finite() && value.abs() >= least
        }
    }
}

fn combine(op: Accumulate, kind: ScalarKind, old: u64, new: u64) -> Result<u64, FaultKind> {
    match (op, kind) {
        (Accumulate::Float(op), _) => Ok(op.eval(old, new, kind)),
        (Accumulate::Int(op), ScalarKind::Int(width)) => op.eval(old, new, width),
        _ => Ok(new),
    }
}
