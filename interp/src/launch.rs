//! Launches: on the device if there is one, else workgroup by workgroup in the machine.
//!
//! The threads of a workgroup take turns. Each runs until it ends or reaches
//! a barrier; when all have, the next phase begins. Without a barrier that is
//! one thread after the other. The order of workgroups, and that of threads in
//! each phase, is the run's [`ThreadOrder`](crate::ThreadOrder).

use gridloom_ir::attr::AttrKind;
use smallvec::SmallVec;

use crate::code::{AllocInfo, LaunchFuncInfo, Reg};
use crate::device::{Argument, Launch, Launched};
use crate::fault::{Fault, FaultKind};
use crate::frame::{Frame, Ids, Stop, Thread};
use crate::group::Phase;
use crate::machine::Machine;
use crate::order::place_of;
use crate::race::Members;

/// State shared by all threads of a launch.
struct Job<'j> {
    /// The frame each thread starts from.
    start: Frame,
    /// Registers for block id, thread id, grid size and block size.
    id_registers: Option<[Reg; 12]>,
    grid: [i64; 3],
    block: [i64; 3],
    workgroup: &'j [(Reg, AllocInfo)],
    private: &'j [(Reg, AllocInfo)],
}

impl Machine<'_> {
    /// Runs a `gpu.launch`; returns the instruction at which the host goes on.
    pub(crate) fn launch(&mut self, thread: &Thread, info: u32) -> Result<u32, FaultKind> {
        let depth = thread.frames.len();
        let frame = &thread.frames[depth - 1];
        let code = &self.code.functions[frame.function as usize];
        let info = code.launches[info as usize].clone();
        let mut start = frame.clone();
        start.pc = info.body;
        start.stack.clear();
        start.scopes.clear();
        start.parallels.clear();
        let job = Job {
            grid: sizes(frame, info.grid),
            block: sizes(frame, info.block),
            start,
            id_registers: Some(info.ids),
            workgroup: &info.workgroup,
            private: &info.private,
        };
        self.run_job(&job)?;
        Ok(info.after)
    }

    pub(crate) fn launch_func(&mut self, thread: &Thread, info: u32) -> Result<(), FaultKind> {
        let depth = thread.frames.len();
        let frame = &thread.frames[depth - 1];
        let loc = self.loc(frame);
        let code = &self.code.functions[frame.function as usize];
        let info: LaunchFuncInfo = code.launch_funcs[info as usize].clone();
        let arguments: Vec<Argument> = info
            .arguments
            .iter()
            .filter_map(|&slot| frame.argument(slot))
            .collect();
        let (grid, block) = (sizes(frame, info.grid), sizes(frame, info.block));
        for size in grid.into_iter().chain(block) {
            if size < 0 {
                return Err(FaultKind::NegativeSize(size));
            }
        }
        for (known, given, what) in [
            (info.known_block, block, "workgroups of {} threads"),
            (info.known_grid, grid, "a grid of {} workgroups"),
        ] {
            if let Some(known) = known.filter(|&known| known != given) {
                let name = match info.kernel.kind(self.ctx) {
                    AttrKind::Symbol { nested, .. } => {
                        nested.last().map_or("", |name| self.ctx.str(*name))
                    }
                    _ => "",
                };
                let what = what.replace("{}", &format!("{known:?}"));
                return Err(FaultKind::ShapeMismatch(format!(
                    "kernel '{name}' is compiled for {what} and launched with {given:?}"
                )));
            }
        }
        self.check_stop()?;
        let count = self.count_launch(info.kernel, loc, grid, block);
        if self.device.is_some() {
            let launch = Launch {
                kernel: info.kernel,
                grid,
                block,
                arguments: &arguments,
                loc,
            };
            if self.launch_on_device(&launch, info.function)? {
                return Ok(());
            }
            self.count_host_launch(count);
        }
        let Some(number) = info.function else {
            return Err(FaultKind::NoBody("the kernel".to_owned()));
        };
        let mut start = self.frame(number);
        let code = &self.code.functions[number as usize];
        if let Some(why) = &code.refused {
            return Err(FaultKind::Unsupported(why.clone()));
        }
        for (slot, argument) in code.params.iter().zip(&arguments) {
            if !start.set(*slot, argument) {
                let what = "a kernel argument has the wrong type".to_owned();
                return Err(FaultKind::ShapeMismatch(what));
            }
        }
        let (workgroup, private) = (code.workgroup.clone(), code.private.clone());
        let (workgroup, private) = (&workgroup[..], &private[..]);
        self.run_job(&Job {
            start,
            id_registers: None,
            grid,
            block,
            workgroup,
            private,
        })
    }

    /// Gives a launch to the device. Returns whether it took it; if not, the reason is reported and the machine runs it.
    fn launch_on_device(
        &mut self,
        launch: &Launch<'_>,
        function: Option<u32>,
    ) -> Result<bool, FaultKind> {
        let Some(device) = &mut self.device else {
            return Ok(false);
        };
        let module = self.for_device.unwrap_or(self.module);
        match device.launch(self.ctx, module, &mut self.memory, launch)? {
            Launched::There => return Ok(true),
            Launched::Printed { records, overflows } => {
                self.print_records(function, records);
                if overflows {
                    let message = "the kernel printed more than the device keeps of a launch; the rest is lost: print \
                                   less, or run with --device cpu";
                    self.warn_once(launch.loc, message);
                }
                return Ok(true);
            }
            Launched::Here(why) => {
                self.report_host_launch(launch.kernel, launch.loc, why, false)?;
            }
            Launched::Refused(why) => self.report_refusal(launch.kernel, launch.loc, why)?,
        }
        Ok(false)
    }

    fn run_job(&mut self, job: &Job<'_>) -> Result<(), FaultKind> {
        // Nested launches would nest run loops without a bound, and no device can run them.
        if std::mem::replace(&mut self.in_kernel, true) {
            return Err(FaultKind::NestedLaunch);
        }
        let before = self.steps;
        let done = self.run_blocks(job);
        self.kernel_steps += self.steps - before;
        self.in_kernel = false;
        self.print_held();
        done
    }

    fn run_blocks(&mut self, job: &Job<'_>) -> Result<(), FaultKind> {
        let count = product(job.grid);
        let order = self.permutation(count);
        self.enter_level(|| Members::Workgroups { grid: job.grid });
        for turn in 0..count {
            let number = order.at(turn);
            self.begin_member(number);
            self.run_block(job, place_of(number, job.grid))?;
        }
        self.exit_level();
        Ok(())
    }

    fn run_block(&mut self, job: &Job<'_>, block: [i64; 3]) -> Result<(), FaultKind> {
        let mut shared = SmallVec::<[_; 2]>::new();
        for (reg, info) in job.workgroup {
            shared.push((*reg, self.allocate_info(info, &job.start.scalars)?));
        }
        let mut phase = Phase::default();
        let count = product(job.block);
        let order = self.permutation(count);
        self.enter_level(|| Members::Threads { block: job.block });
        for turn in 0..count {
            self.tick()?;
            let number = order.at(turn);
            self.begin_member(number);
            let mut thread = self.thread(job, block, place_of(number, job.block))?;
            for (reg, memref) in &shared {
                thread.frames[0].mems[*reg as usize] = memref.clone();
            }
            let stop = self.turn(&mut thread)?;
            phase.note(number, thread, stop, self.waiting_limit())?;
        }
        self.gather(&mut phase)?;
        while !phase.waiting.is_empty() {
            if phase.finished != 0 {
                return Err(FaultKind::BarrierDivergence);
            }
            phase = self.run_phase(phase.waiting)?;
            self.gather(&mut phase)?;
        }
        self.exit_level();
        for (_, memref) in shared {
            self.release(memref.alloc)?;
        }
        Ok(())
    }

    /// Runs a phase: every thread of a workgroup from its barrier to the next one.
    fn run_phase(&mut self, mut threads: Vec<(u64, Thread)>) -> Result<Phase, FaultKind> {
        threads.sort_unstable_by_key(|(number, _)| *number);
        let count = threads.len() as u64;
        let order = self.permutation(count);
        let mut threads: Vec<_> = threads.into_iter().map(Some).collect();
        if let Some(watch) = &mut self.watch {
            watch.barrier();
        }
        let mut phase = Phase::default();
        for turn in 0..count {
            let next = threads[order.at(turn) as usize].take();
            let Some((number, mut thread)) = next else {
                continue;
            };
            self.begin_member(number);
            let stop = self.turn(&mut thread)?;
            phase.note(number, thread, stop, self.waiting_limit())?;
        }
        Ok(phase)
    }

    /// Creates a thread at its first instruction, with its private memory.
    fn thread(
        &mut self,
        job: &Job<'_>,
        block: [i64; 3],
        thread: [i64; 3],
    ) -> Result<Thread, FaultKind> {
        let mut frame = job.start.clone();
        let ids = Ids {
            block,
            thread,
            grid: job.grid,
            size: job.block,
        };
        if let Some(registers) = job.id_registers {
            let values = [ids.block, ids.thread, ids.grid, ids.size].concat();
            for (reg, value) in registers.into_iter().zip(values) {
                frame.scalars[reg as usize] = value as u64;
            }
        }
        for (reg, info) in job.private {
            let memref = self.allocate_info(info, &frame.scalars)?;
            frame.stack.push(memref.alloc);
            frame.mems[*reg as usize] = memref;
        }
        let mut thread = Thread::new(frame);
        thread.ids = ids;
        Ok(thread)
    }

    pub(crate) fn turn(&mut self, thread: &mut Thread) -> Result<Stop, FaultKind> {
        let depth = self.watch.as_ref().map_or(0, |watch| watch.depth());
        if let Some(watch) = &mut self.watch {
            watch.resume(std::mem::take(&mut thread.levels));
        }
        // The location inside of the kernel is the useful one; the caller's own fault adds the
        // launch.
        let stop = self
            .run_thread(thread)
            .map_err(|fault: Fault| FaultKind::InKernel(Box::new(fault)))?;
        if let Some(watch) = &mut self.watch {
            thread.levels = watch.suspend(depth);
        }
        Ok(stop)
    }
}

fn sizes(frame: &Frame, registers: [Reg; 3]) -> [i64; 3] {
    registers.map(|reg| frame.get(reg) as i64)
}

/// Size of a grid or workgroup. Saturates: no run counts beyond 64 bits.
fn product(sizes: [i64; 3]) -> u64 {
    let sizes = sizes.map(|size| size.max(0) as u64);
    sizes.into_iter().fold(1, u64::saturating_mul)
}
