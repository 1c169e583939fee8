//! Gatherings: collective operations of the threads of a workgroup or a subgroup.
//!
//! A thread that comes to a gathering stops there with a value. When all threads of its group have
//! come to the same one, each is given the values of all, and they go on. Threads of
//! different subgroups pass their gatherings independently of each other. A group of which a
//! thread has ended, or waits elsewhere, never gathers: that is a fault.

use std::rc::Rc;

use gridloom_dialects::gpu::SUBGROUP_LANES;

use crate::code::{Instr, PickKind};
use crate::fault::FaultKind;
use crate::frame::{Ids, Stop, Thread};
use crate::machine::Machine;

/// Limit of the bytes of the threads of a workgroup that wait for each other: devices have some thousand threads, of a
/// few KiB each.
const MOST_WAITING: u64 = 256 << 20;

/// Progress of a workgroup: where each of its threads has stopped.
#[derive(Default)]
pub(crate) struct Phase {
    /// Threads at a barrier, with their numbers.
    pub waiting: Vec<(u64, Thread)>,
    /// Threads at a gathering, and whether it is one of the workgroup.
    gathering: Vec<(u64, Thread, bool)>,
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
            let subgroup = |number: u64| number / SUBGROUP_LANES as u64;
            gathering.sort_unstable_by_key(|(number, _, whole)| (*whole, *number));
            let mut has_gathered = false;
            while let Some(&(first, _, of_workgroup)) = gathering.first() {
                let is_other = |(number, _, whole): &(u64, Thread, bool)| {
                    *whole != of_workgroup || !whole && subgroup(*number) != subgroup(first)
                };
                let count = gathering.iter().position(is_other);
                let count = count.unwrap_or(gathering.len());
                let group: Vec<_> = gathering.drain(..count).collect();
                if !self.is_complete(&group) {
                    phase.gathering.extend(group);
                    continue;
                }
                has_gathered = true;
                self.resume_group(group, phase)?;
            }
            if !has_gathered {
                return Err(FaultKind::GroupDivergence);
            }
        }
        Ok(())
    }

    /// Whether a group is complete: all its threads have reached one operation.
    fn is_complete(&self, group: &[(u64, Thread, bool)]) -> bool {
        let Some((_, first, whole)) = group.first() else {
            return false;
        };
        let size = match whole {
            true => first.ids.threads(),
            false => first.ids.lanes(),
        };
        let place = |thread: &Thread| thread.frames.last().map(|f| (f.function, f.pc));
        size == group.len() as i64
            && group
                .iter()
                .all(|(_, thread, _)| place(thread) == place(first))
    }

    /// Distributes the contributed values to the threads of a group, and runs each to its next
    /// stop.
    fn resume_group(
        &mut self,
        group: Vec<(u64, Thread, bool)>,
        phase: &mut Phase,
    ) -> Result<(), FaultKind> {
        let values: Rc<[u64]> = group
            .iter()
            .map(|(_, thread, _)| self.contribution(thread))
            .collect();
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

    /// The value that a thread contributes to the gathering where it has stopped.
    fn contribution(&self, thread: &Thread) -> u64 {
        let Some(frame) = thread.frames.last() else {
            return 0;
        };
        let function = &self.code.functions[frame.function as usize];
        match function.instrs.get(frame.pc as usize) {
            Some(&Instr::Gather { src, .. }) => frame.get(src),
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
