//! Race detection: the hooks of instructions that access memory or fork.

use crate::code::{Reg, Span};
use crate::exec_access::position;
use crate::fault::{FaultKind, Step};
use crate::frame::Frame;
use crate::machine::Machine;
use crate::memory::{AccessError, AllocId, byte_position};
use crate::memref::MemRef;
use crate::race::{Access, AccessKind, Members, Race};
use crate::scalar::ScalarKind;

impl Machine<'_> {
    /// Enters a level of concurrency, if the race detector is on.
    pub(crate) fn enter_level(&mut self, members: impl FnOnce() -> Members) {
        if let Some(watch) = &mut self.watch {
            watch.enter(members());
        }
    }

    /// Advances a level to its next thread, workgroup or iteration.
    #[inline]
    pub(crate) fn begin_member(&mut self, number: u64) {
        if let Some(watch) = &mut self.watch {
            watch.begin(number);
        }
    }

    pub(crate) fn exit_level(&mut self) {
        if let Some(watch) = &mut self.watch {
            watch.exit();
        }
    }

    /// Watches the access of one element.
    pub(crate) fn watch(
        &mut self,
        frame: &Frame,
        kind: AccessKind,
        element: ScalarKind,
        mem: Reg,
        index: Span,
    ) -> Result<(), FaultKind> {
        let view = frame.mem(mem);
        let registers = self.registers(frame, index);
        let position = position(view, frame, &registers).map_err(|kind| *kind)?;
        self.touch(frame, view, position, element, kind)
            .map_err(|kind| match *kind {
                FaultKind::Race(race) => {
                    let index = registers.iter().map(|&reg| frame.get(reg) as i64);
                    with_index(race, index.collect())
                }
                other => other,
            })
    }

    /// Watches the access of all elements of a view.
    pub(crate) fn watch_all(
        &mut self,
        frame: &Frame,
        view: &MemRef,
        element: ScalarKind,
        kind: AccessKind,
    ) -> Result<(), FaultKind> {
        if self.watch.is_none() {
            return Ok(());
        }
        let mut number = 0;
        view.for_each_position(|position| {
            self.touch(frame, view, position, element, kind)
                .map_err(|kind| match *kind {
                    FaultKind::Race(race) => with_index(race, index_of(number, &view.sizes)),
                    other => other,
                })?;
            number += 1;
            Ok(())
        })
    }

    /// Checks a deallocation as a write of all elements: no concurrent access may remain.
    pub(crate) fn watch_free(&mut self, frame: &Frame, id: AllocId) -> Result<(), FaultKind> {
        let loc = self.loc(frame);
        let Some(watch) = &self.watch else {
            return Ok(());
        };
        let freed = match self.memory.get_mut(id) {
            Ok(allocation) => allocation.shadow().free(watch, loc),
            // The deallocation itself reports a stale buffer.
            Err(_) => Ok(()),
        };
        freed.map_err(FaultKind::Race)
    }

    fn touch(
        &mut self,
        frame: &Frame,
        view: &MemRef,
        position: i64,
        element: ScalarKind,
        kind: AccessKind,
    ) -> Step {
        let loc = self.loc(frame);
        let Some(watch) = &self.watch else {
            return Ok(());
        };
        let size = element.size();
        let at = byte_position(view.base, position, size).ok_or(AccessError::OutOfBuffer)?;
        let allocation = self.memory.get_mut(view.alloc)?;
        // An access beyond the buffer faults by itself.
        if at.saturating_add(size) > allocation.size() {
            return Ok(());
        }
        let access = Access {
            at,
            size,
            kind,
            loc,
        };
        allocation
            .shadow()
            .touch(watch, access)
            .map_err(|race| Box::new(FaultKind::Race(race)))
    }
}

fn with_index(mut race: Box<Race>, index: Vec<i64>) -> FaultKind {
    race.index = Some(index);
    FaultKind::Race(race)
}

/// The index of an element by its number in row-major order.
fn index_of(mut number: i64, sizes: &[i64]) -> Vec<i64> {
    let mut index = vec![0; sizes.len()];
    for (at, &size) in index.iter_mut().zip(sizes).rev() {
        *at = number % size.max(1);
        number /= size.max(1);
    }
    index
}
