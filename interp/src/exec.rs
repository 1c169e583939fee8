//! Instruction loop: dispatch of register-machine instructions.
//!
//! The dispatch loop of one frame is [`Machine::run_frame`]; instructions that change the stack of
//! frames, or need the whole thread, leave it first ([`Exit`]).

use std::rc::Rc;

use gridloom_dialects::gpu::SUBGROUP_LANES;
use gridloom_ir::Loc;
use smallvec::SmallVec;

use crate::code::{Function, IdKind, Instr, Reg, Span};
use crate::fault::{Fault, FaultKind, Step};
use crate::frame::{Frame, Ids, Stop, Thread};
use crate::machine::Machine;
use crate::print::formatted;
use crate::scalar::{
    Accumulate, ScalarKind, float_compare, float_to_int_power, fused_multiply_add, mask, sext,
};

/// Exit of the instruction loop: an instruction that needs the thread or the machine, beyond its
/// frame. The frame's `pc` still points at it.
enum Exit {
    Call {
        function: u32,
        args: Span,
        results: Span,
    },
    Return {
        values: Span,
    },
    Launch {
        info: u32,
    },
    LaunchFunc {
        info: u32,
    },
    WarnOverlap,
    Barrier,
    Gather {
        whole: bool,
    },
    DmaStart {
        info: u32,
    },
    DmaWait {
        info: u32,
    },
    ThreadEnd,
}

/// Polling interval of the stop flag in units of work: some microseconds.
const STEPS_BETWEEN_LOOKS: u64 = 1 << 10;

impl Machine<'_> {
    /// Runs a thread until it finishes or waits at a barrier.
    pub(crate) fn run_thread(&mut self, thread: &mut Thread) -> Result<Stop, Fault> {
        // A reference beside the machine, so that instructions and their operand lists can be read
        // while memory changes.
        let code = Rc::clone(&self.code);
        loop {
            let Thread { frames, ids, .. } = thread;
            let Some(frame) = frames.last_mut() else {
                return Ok(Stop::Finished);
            };
            let function = &code.functions[frame.function as usize];
            let left = self.run_frame(function, frame, ids);
            let done = left.and_then(|exit| self.take_exit(thread, exit));
            match done {
                Ok(None) => {}
                Ok(Some(stop)) => return Ok(stop),
                Err(kind) => return Err(self.fault(thread, *kind)),
            }
        }
    }

    /// Fault at the current instruction, with the call stack.
    pub(crate) fn fault(&self, thread: &Thread, kind: FaultKind) -> Fault {
        let mut locs = thread.frames.iter().rev().map(|frame| self.loc(frame));
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
        if self.steps.is_multiple_of(STEPS_BETWEEN_LOOKS) {
            self.check_stop()?;
        }
        match self.options.step_limit {
            Some(limit) if self.steps > limit => Err(FaultKind::StepLimit(limit)),
            _ => Ok(()),
        }
    }

    /// Carries out an instruction that needs more than its frame; returns the reason to stop the
    /// thread, if it has to.
    fn take_exit(&mut self, thread: &mut Thread, exit: Exit) -> Step<Option<Stop>> {
        let mut waits = false;
        match exit {
            Exit::Call {
                function,
                args,
                results,
            } => {
                self.call(thread, function, args, results)?;
                return Ok(None);
            }
            Exit::Return { values } => return Ok(self.ret(thread, values)?),
            Exit::ThreadEnd => {
                for frame in std::mem::take(&mut thread.frames) {
                    frame
                        .stack
                        .into_iter()
                        .try_for_each(|id| self.release(id))?;
                }
                return Ok(Some(Stop::Finished));
            }
            Exit::Launch { info } => {
                let after = self.launch(thread, info)?;
                if let Some(frame) = thread.frames.last_mut() {
                    frame.pc = after;
                }
                return Ok(None);
            }
            Exit::LaunchFunc { info } => self.launch_func(thread, info)?,
            Exit::WarnOverlap => self.warn_overlap(&thread.frames),
            Exit::DmaStart { info } => self.dma_start(thread, info)?,
            Exit::DmaWait { info } => waits = self.dma_wait(thread, info)?,
            Exit::Barrier => waits = true,
            // The thread resumes when the group has gathered.
            Exit::Gather { whole } if self.in_kernel => return Ok(Some(Stop::Gather { whole })),
            Exit::Gather { .. } => return Err(FaultKind::OutsideKernel.into()),
        }
        if let Some(frame) = thread.frames.last_mut() {
            frame.pc += 1;
        }
        Ok(waits.then_some(Stop::Barrier))
    }

    /// The dispatch loop: runs instructions of a frame up to one that needs more than the frame.
    ///
    /// What inner loops run stands in one `match`, which becomes one jump table: with the scalar instructions
    /// in a function of their own, always inlined, loops took 1.05 to 1.26 times as long.
    #[rustfmt::skip] // a table
    fn run_frame(&mut self, function: &Function, frame: &mut Frame, ids: &Ids) -> Step<Exit> {
        loop {
            let instr = function.instrs[frame.pc as usize];
            match instr {
                // Registers.
                Instr::Move { dst, src } => frame.set_scalar(dst, frame.get(src)),
                Instr::MoveMem { dst, src } => frame.mems[dst as usize] = frame.mem(src).clone(),
                Instr::Select { dst, cond, a, b } => {
                    let chosen = if frame.get(cond) != 0 { a } else { b };
                    frame.set_scalar(dst, frame.get(chosen));
                }
                // Scalars.
                Instr::Int { op, width, dst, a, b } => {
                    frame.set_scalar(dst, op.eval(frame.get(a), frame.get(b), width)?);
                }
                Instr::IntUnary { op, width, dst, a } => {
                    frame.set_scalar(dst, op.eval(frame.get(a), width));
                }
                Instr::IntCmp { pred, width, dst, a, b } => {
                    frame.set_scalar(dst, pred.eval(frame.get(a), frame.get(b), width).into());
                }
                Instr::Float { op, kind, dst, a, b } => {
                    frame.set_scalar(dst, op.eval(frame.get(a), frame.get(b), kind));
                }
                Instr::FloatUnary { op, kind, dst, a } => {
                    frame.set_scalar(dst, op.eval(frame.get(a), kind));
                }
                Instr::FloatCmp { pred, kind, dst, a, b } => {
                    let (a, b) = (kind.to_f64(frame.get(a)), kind.to_f64(frame.get(b)));
                    frame.set_scalar(dst, float_compare(pred, a, b).into());
                }
                Instr::Fma { kind, dst, a, b, c } => {
                    let fused = fused_multiply_add(frame.get(a), frame.get(b), frame.get(c), kind);
                    frame.set_scalar(dst, fused);
                }
                Instr::Cast { cast, from, to, dst, src } => {
                    frame.set_scalar(dst, cast.eval(frame.get(src), from, to));
                }
                // Memory.
                Instr::Load { kind, dst, mem, index } => {
                    let value = self.load(function, frame, kind, mem, index)?;
                    frame.set_scalar(dst, value);
                }
                Instr::Store { kind, src, mem, index } => {
                    self.store(function, frame, kind, frame.get(src), mem, index)?;
                }
                Instr::Atomic { op, kind, dst, src, mem, index } => {
                    let old = self.load(function, frame, kind, mem, index)?;
                    let new = combine(op, kind, old, frame.get(src))?;
                    self.store(function, frame, kind, new, mem, index)?;
                    frame.set_scalar(dst, old);
                }
                // Control flow.
                Instr::Jump { to } => {
                    if to <= frame.pc {
                        self.tick()?;
                    }
                    frame.pc = to;
                    continue;
                }
                Instr::JumpIfNot { cond, to } => {
                    if frame.get(cond) == 0 {
                        frame.pc = to;
                        continue;
                    }
                }
                Instr::JumpIfEq { a, value, to } => {
                    if frame.get(a) as i64 == value {
                        frame.pc = to;
                        continue;
                    }
                }
                Instr::LoopEnter { iv, ub, step, exit, unsigned } => {
                    let step = frame.get(step) as i64;
                    if step <= 0 && !unsigned || step == 0 {
                        return Err(FaultKind::BadStep(step).into());
                    }
                    if !below(frame.get(iv), frame.get(ub), unsigned) {
                        frame.pc = exit;
                        continue;
                    }
                }
                Instr::LoopNext { iv, ub, step, body, unsigned } => {
                    if let Some(next) = next_below(frame, iv, ub, step, unsigned) {
                        frame.set_scalar(iv, next);
                        self.tick()?;
                        frame.pc = body;
                        continue;
                    }
                }
                Instr::ParallelEnter { info } => {
                    if !self.enter_parallel(function, frame, info)? {
                        frame.pc = function.parallels[info as usize].exit;
                        continue;
                    }
                }
                Instr::ParallelNext { info } => {
                    if self.next_parallel(function, frame, info)? {
                        frame.pc = function.parallels[info as usize].body;
                        continue;
                    }
                }
                other => {
                    if let Some(exit) = self.rare_step(function, frame, ids, other)? {
                        return Ok(exit);
                    }
                }
            }
            frame.pc += 1;
        }
    }

    /// Runs an instruction that is rare in inner loops, or returns the exit that it takes. No such
    /// instruction jumps.
    #[inline(always)] // recursive calls took 1.2 times as long otherwise
    fn rare_step(
        &mut self,
        function: &Function,
        frame: &mut Frame,
        ids: &Ids,
        instr: Instr,
    ) -> Step<Option<Exit>> {
        if let Some(exit) = exit_of(frame, instr) {
            return Ok(Some(exit));
        }
        match instr {
            Instr::Compute {
                compute,
                width,
                dst,
                args,
            } => {
                let args = function.span(args).iter().map(|&reg| frame.get(reg));
                let args: SmallVec<[u64; 4]> = args.collect();
                frame.set_scalar(dst, mask(compute(&args), width));
            }
            Instr::FloatTest { test, kind, dst, a } => {
                frame.set_scalar(dst, test.holds(frame.get(a), kind).into());
            }
            Instr::FloatPowInt {
                kind,
                width,
                dst,
                a,
                b,
            } => {
                let power = sext(frame.get(b), width);
                frame.set_scalar(dst, float_to_int_power(frame.get(a), power, kind));
            }
            Instr::SelectMem { dst, cond, a, b } => {
                let chosen = if frame.get(cond) != 0 { a } else { b };
                frame.mems[dst as usize] = frame.mem(chosen).clone();
            }
            Instr::Id { kind, dim, dst } => frame.set_scalar(dst, id(ids, kind, dim)),
            Instr::Gathered { dst, lane, active } => {
                let lane = frame.get(lane) as usize;
                let value = frame.gathered.get(lane).copied().flatten();
                frame.set_scalar(active, value.is_some().into());
                frame.set_scalar(dst, value.unwrap_or(0));
            }
            Instr::FirstActive { dst } => {
                let first = frame.gathered.iter().position(Option::is_some);
                frame.set_scalar(dst, first.unwrap_or(0) as u64);
            }
            Instr::Pick {
                kind,
                lane,
                valid,
                offset,
                width,
            } => {
                let (offset, width) = (frame.get(offset) as i32, frame.get(width) as i32);
                let (from, is_there) = ids.source_lane(kind, offset, width);
                frame.set_scalar(lane, from as u64);
                frame.set_scalar(valid, is_there.into());
            }
            Instr::Print { format } => {
                let get = |place: usize, reg| (place, frame.get(reg)).1;
                let text = formatted(&function.formats[format as usize].pieces, get);
                self.print(ids, text);
            }
            Instr::Poison => return Err(FaultKind::Poison.into()),
            Instr::Unreachable => return Err(FaultKind::Unreachable.into()),
            Instr::Assert { cond, message } => {
                if frame.get(cond) == 0 {
                    let message = function.messages[message as usize].clone();
                    return Err(FaultKind::Assertion(message).into());
                }
            }
            other => self.memory_step(frame, other)?,
        }
        Ok(None)
    }

    /// The registers of a span.
    pub(crate) fn registers(&self, frame: &Frame, span: Span) -> SmallVec<[Reg; 8]> {
        SmallVec::from_slice(self.code.functions[frame.function as usize].span(span))
    }
}

/// The exit by an instruction that needs more than its frame; `None` for any other.
fn exit_of(frame: &Frame, instr: Instr) -> Option<Exit> {
    Some(match instr {
        Instr::Call {
            function,
            args,
            results,
        } => Exit::Call {
            function,
            args,
            results,
        },
        Instr::CallIndirect {
            callee,
            args,
            results,
        } => {
            let function = frame.get(callee) as u32;
            Exit::Call {
                function,
                args,
                results,
            }
        }
        Instr::Return { values } => Exit::Return { values },
        Instr::Launch { info } => Exit::Launch { info },
        Instr::LaunchFunc { info } => Exit::LaunchFunc { info },
        Instr::WarnOverlap => Exit::WarnOverlap,
        Instr::Barrier => Exit::Barrier,
        Instr::Gather { whole, .. } => Exit::Gather { whole },
        Instr::DmaStart { info } => Exit::DmaStart { info },
        Instr::DmaWait { info } => Exit::DmaWait { info },
        Instr::ThreadEnd => Exit::ThreadEnd,
        _ => return None,
    })
}

/// Next value of a loop counter, while it is below the bound; `None` at the end. A sum that would
/// wrap is beyond every bound.
#[inline]
fn next_below(frame: &Frame, iv: Reg, ub: Reg, step: Reg, unsigned: bool) -> Option<u64> {
    let (at, step) = (frame.get(iv), frame.get(step));
    let next = if unsigned {
        at.checked_add(step)
    } else {
        (at as i64).checked_add(step as i64).map(|next| next as u64)
    };
    next.filter(|&next| below(next, frame.get(ub), unsigned))
}

fn id(ids: &Ids, kind: IdKind, dim: u8) -> u64 {
    let dim = usize::from(dim);
    let value = match kind {
        IdKind::Block => ids.block[dim],
        IdKind::Thread => ids.thread[dim],
        IdKind::GridSize => ids.grid[dim],
        IdKind::BlockSize => ids.size[dim],
        IdKind::Global => ids.block[dim]
            .wrapping_mul(ids.size[dim])
            .wrapping_add(ids.thread[dim]),
        IdKind::Lane => ids.lane(),
        IdKind::Lanes => ids.lanes(),
        IdKind::Subgroup => ids.number() / SUBGROUP_LANES,
        IdKind::Subgroups => {
            ids.threads().div_euclid(SUBGROUP_LANES)
                + i64::from(ids.threads() % SUBGROUP_LANES != 0)
        }
        IdKind::SubgroupSize => SUBGROUP_LANES,
        IdKind::Threads => ids.threads(),
    };
    value as u64
}

#[inline]
fn below(a: u64, b: u64, unsigned: bool) -> bool {
    if unsigned {
        a < b
    } else {
        (a as i64) < (b as i64)
    }
}

fn combine(op: Accumulate, kind: ScalarKind, old: u64, new: u64) -> Step<u64> {
    match (op, kind) {
        (Accumulate::Float(op), _) => Ok(op.eval(old, new, kind)),
        (Accumulate::Int(op), ScalarKind::Int(width)) => Ok(op.eval(old, new, width)?),
        _ => Ok(new),
    }
}
