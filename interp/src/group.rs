//! Gatherings: collective operations of the threads of a workgroup or a subgroup.
//!
//! A thread that comes to a gathering stops there with a value. When all threads of its group have stopped, those that
//! are at one dynamic instance of an operation, the same operation in the same iterations of the loops around it, are
//! the active ones: each is given the values of all of them, and they go on. Of several instances, the first one in the
//! order of the program comes first: the threads at it may still come to the others. Threads of
//! different subgroups pass their gatherings independently of each other.

use std::cmp::Ordering;
use std::rc::Rc;

use gridloom_dialects::gpu::SUBGROUP_LANES;
use smallvec::SmallVec;

use crate::code::{Instr, Nest, PickKind};
use crate::fault::{Divergence, FaultKind};
use crate::frame::{Frame, Ids, Stop, Thread};
use crate::machine::Machine;

/// Limit of the bytes of the threads of a workgroup that wait for each other: devices have some thousand threads, of a
/// few KiB each.
const MOST_WAITING: u64 = 256 << 20;

/// Thread at a gathering, with its number, and whether the gathering is one of the workgroup.
type Gathering = (u64, Thread, bool);

/// Progress of a workgroup: where each of its threads has stopped.
#[derive(Default)]
pub(crate) struct Phase {
    /// Threads at a barrier, with their numbers.
    pub waiting: Vec<(u64, Thread)>,
    /// Threads at a gathering.
    gathering: Vec<Gathering>,
    /// The number of threads that have ended.
    pub finished: u64,
    /// Bytes of the other threads.
    bytes: usize,
}

impl Phase {
    /// Notes at which stop a thread is. Fails where the threads that wait take more than `limit` bytes.
    pub fn note(
        &mut self,
        number: u64,
        thread: Thread,
        stop: Stop,
        limit: u64,
    ) -> Result<(), FaultKind> {
        if stop != Stop::Finished {
            self.bytes += thread.bytes();
        }
        match stop {
            Stop::Finished => self.finished += 1,
            Stop::Barrier => self.waiting.push((number, thread)),
            Stop::Gather { whole } => self.gathering.push((number, thread, whole)),
        }
        if self.bytes as u64 > limit {
            return Err(FaultKind::TooManyThreads {
                waiting: self.waiting.len() + self.gathering.len(),
                limit,
            });
        }
        Ok(())
    }
}

impl Machine<'_> {
    /// Limit of the bytes of threads that wait for each other.
    pub(crate) fn waiting_limit(&self) -> u64 {
        self.options.memory_limit.min(MOST_WAITING)
    }

    /// Runs group operations until all threads have ended or wait at a barrier.
    pub(crate) fn gather(&mut self, phase: &mut Phase) -> Result<(), FaultKind> {
        while !phase.gathering.is_empty() {
            let mut gathering = std::mem::take(&mut phase.gathering);
            gathering.sort_unstable_by_key(|(number, ..)| *number);
            let mut subgroups: Vec<Vec<Gathering>> = Vec::new();
            for thread in gathering {
                let subgroup = |(number, ..): &Gathering| number / SUBGROUP_LANES as u64;
                let last = subgroups.last_mut();
                match last.filter(|last| last.first().map(subgroup) == Some(subgroup(&thread))) {
                    Some(last) => last.push(thread),
                    None => subgroups.push(vec![thread]),
                }
            }
            let mut ready = Vec::new();
            for subgroup in subgroups {
                let (first, others) = self.first_instance(subgroup);
                phase.gathering.extend(others);
                match first.first() {
                    Some((_, _, true)) => phase.gathering.extend(first),
                    _ => ready.push(first),
                }
            }
            if ready.is_empty() {
                // The first instance of all is one of the workgroup, or its subgroup would have been ready.
                let waiting = std::mem::take(&mut phase.gathering);
                let (first, others) = self.first_instance(waiting);
                phase.gathering = others;
                ready.push(first);
            }
            for group in ready {
                self.check_active(&group)?;
                self.resume_group(group, phase)?;
            }
        }
        Ok(())
    }

    /// Parts the threads at the dynamic instance that comes first in the order of the program from the others.
    fn first_instance(&self, threads: Vec<Gathering>) -> (Vec<Gathering>, Vec<Gathering>) {
        let (mut first, mut others): (Vec<Gathering>, Vec<Gathering>) = Default::default();
        for thread in threads {
            let least = first.first();
            match least.map_or(Ordering::Equal, |least| self.order(&thread.1, &least.1)) {
                Ordering::Less => {
                    others.append(&mut first);
                    first.push(thread);
                }
                Ordering::Equal => first.push(thread),
                Ordering::Greater => others.push(thread),
            }
        }
        (first, others)
    }

    /// Orders the dynamic instances at which two threads have stopped, as one thread would come to them.
    fn order(&self, a: &Thread, b: &Thread) -> Ordering {
        let instance = |thread: &Thread| {
            let frames = thread.frames.iter();
            let place = |frame: &Frame| {
                let loops = self.nest(frame).map_or(&[][..], |nest| &nest.loops);
                let loops = loops
                    .iter()
                    .flat_map(|around| [around.start.into(), frame.get(around.iteration)]);
                let place: SmallVec<[u64; 8]> = loops.chain([frame.pc.into()]).collect();
                (frame.function, place)
            };
            frames.map(place).collect::<SmallVec<[_; 2]>>()
        };
        let first = |thread: &Thread| Some(thread.frames.first().map(|f| (f.function, f.pc)));
        let is_flat = |thread: &Thread| {
            thread.frames.len() == 1 && thread.frames.iter().all(|frame| self.nest(frame).is_none())
        };
        match is_flat(a) && is_flat(b) {
            true => first(a).cmp(&first(b)),
            false => instance(a).cmp(&instance(b)),
        }
    }

    /// Loops around the instruction at which a frame is.
    fn nest(&self, frame: &Frame) -> Option<&Nest> {
        let nests = &self.code.functions[frame.function as usize].nests;
        let found = nests.binary_search_by_key(&frame.pc, |(at, _)| *at);
        found.ok().map(|at| &nests[at].1)
    }

    /// Checks that the active threads of a group are all of its threads where they must be.
    fn check_active(&self, group: &[Gathering]) -> Result<(), FaultKind> {
        let Some((_, first, whole)) = group.first() else {
            return Ok(());
        };
        let threads = match whole {
            true => first.ids.threads(),
            false => first.ids.lanes(),
        };
        let uniform = matches!(
            self.instruction(first),
            Some(Instr::Gather { uniform: true, .. })
        );
        let nests = first.frames.iter().filter_map(|frame| self.nest(frame));
        let is_unstructured = nests.into_iter().any(|nest| nest.is_unstructured);
        if threads == group.len() as i64 || !uniform && !is_unstructured {
            return Ok(());
        }
        let kind = FaultKind::GroupDivergence(Divergence {
            active: group.len(),
            threads,
            whole: *whole,
            uniform,
        });
        Err(FaultKind::InKernel(Box::new(self.fault(first, kind))))
    }

    /// Distributes the contributed values to the active threads of a group, and runs each to its next
    /// stop.
    fn resume_group(&mut self, group: Vec<Gathering>, phase: &mut Phase) -> Result<(), FaultKind> {
        let mut values = Vec::new();
        for (number, thread, whole) in &group {
            let place = match whole {
                true => *number,
                false => number % SUBGROUP_LANES as u64,
            } as usize;
            values.resize(values.len().max(place + 1), None);
            values[place] = Some(self.contribution(thread));
        }
        let values: Rc<[Option<u64>]> = values.into();
        let order = self.permutation(group.len() as u64);
        let mut group: Vec<_> = group.into_iter().map(Some).collect();
        for turn in 0..group.len() as u64 {
            let next = group[order.at(turn) as usize].take();
            let Some((number, mut thread, _)) = next else {
                continue;
            };
            phase.bytes -= thread.bytes();
            if let Some(frame) = thread.frames.last_mut() {
                frame.gathered = Rc::clone(&values);
                frame.pc += 1;
            }
            self.tick()?;
            self.begin_member(number);
            let stop = self.turn(&mut thread)?;
            phase.note(number, thread, stop, self.waiting_limit())?;
        }
        Ok(())
    }

    /// Instruction at which a thread has stopped.
    fn instruction(&self, thread: &Thread) -> Option<Instr> {
        let frame = thread.frames.last()?;
        let function = &self.code.functions[frame.function as usize];
        function.instrs.get(frame.pc as usize).copied()
    }

    /// The value that a thread contributes to the gathering where it has stopped.
    fn contribution(&self, thread: &Thread) -> u64 {
        match (thread.frames.last(), self.instruction(thread)) {
            (Some(frame), Some(Instr::Gather { src, .. })) => frame.get(src),
            _ => 0,
        }
    }
}

impl Ids {
    /// The number of the thread in its workgroup.
    pub fn number(&self) -> i64 {
        let row = self.thread[2].wrapping_mul(self.size[1]);
        let row = row.wrapping_add(self.thread[1]);
        row.wrapping_mul(self.size[0]).wrapping_add(self.thread[0])
    }

    /// Threads of the workgroup.
    pub fn threads(&self) -> i64 {
        self.size
            .iter()
            .fold(1, |all, &size| all.wrapping_mul(size))
    }

    /// The number of the thread in its subgroup.
    pub fn lane(&self) -> i64 {
        self.number() % SUBGROUP_LANES
    }

    /// Number of threads in the subgroup: fewer at the end of the workgroup.
    pub fn lanes(&self) -> i64 {
        let before = self.number() - self.lane();
        (self.threads() - before).min(SUBGROUP_LANES)
    }

    /// Source lane of a shuffle, and whether it exists; the thread's own lane where it does not.
    ///
    /// Each `width` neighbouring lanes shuffle among themselves, as in CUDA and MLIR's lowering to
    /// it. MLIR defines the value for the first `width` lanes only.
    pub fn source_lane(&self, kind: PickKind, offset: i32, width: i32) -> (i64, bool) {
        let (lane, offset, width) = (self.lane(), i64::from(offset), i64::from(width));
        let first = match kind {
            PickKind::Rotate => 0,
            _ => lane - lane % width.max(1),
        };
        let from = match kind {
            PickKind::Xor => lane ^ offset,
            PickKind::Up => lane - offset,
            PickKind::Down => lane + offset,
            PickKind::Idx => first + offset,
            PickKind::Rotate if lane < width => (lane + offset).rem_euclid(width),
            PickKind::Rotate => -1,
        };
        match (first..(first + width).min(self.lanes())).contains(&from) {
            true => (from, true),
            false => (lane, false),
        }
    }
}
