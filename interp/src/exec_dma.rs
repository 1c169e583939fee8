//! DMA instructions: `dma_start`, `dma_wait`, and the checks of accesses beside transfers in
//! flight.

use smallvec::{SmallVec, smallvec};

use crate::code::{DmaInfo, DmaPlace};
use crate::dma::{DmaError, DmaFault, Group, Side, Tag, Transfer, token_tag};
use crate::exec_access::position;
use crate::fault::{FaultKind, Step};
use crate::frame::{Frame, Thread};
use crate::machine::Machine;
use crate::memory::{AccessError, AllocId, byte_position};
use crate::memref::{MemRef, row_major_strides};
use crate::race::AccessKind;
use crate::scalar::ScalarKind;

impl Machine<'_> {
    /// Starts a transfer, or joins the one that the threads of the workgroup
    /// start together.
    pub(crate) fn dma_start(&mut self, thread: &Thread, info: u32) -> Result<(), FaultKind> {
        let Some(frame) = thread.frames.last() else {
            return Ok(());
        };
        let code = std::rc::Rc::clone(&self.code);
        let info = &code.functions[frame.function as usize].dmas[info as usize];
        let tag = self.tag(frame, &info.tag)?;
        if let Some(number) = self.transfers.find(tag)
            && !self.joins(number, thread)
        {
            let other = Some(self.transfers.get_mut(number).loc);
            return Err(fault(DmaError::TagInUse, other));
        }
        let (source, target) = self.sides(frame, info)?;
        let loc = self.loc(frame);
        let member = member(thread);
        if info.group
            && let Some(number) = self.transfers.find_group(loc, member)
        {
            let transfer = self.transfers.get_mut(number);
            if (&transfer.source, &transfer.target) != (&source, &target) {
                return Err(fault(DmaError::NotUniform, Some(transfer.loc)));
            }
            if !transfer.tags.contains(&tag) {
                transfer.tags.push(tag);
            }
            if let Some(group) = &mut transfer.group {
                group.started.insert(member);
            }
            return Ok(());
        }
        let group = info.group.then(|| Group {
            size: members(thread),
            started: std::iter::once(member).collect(),
            ..Group::default()
        });
        let transfer = Transfer {
            count: source.count,
            source,
            target,
            kind: info.kind,
            loc,
            tags: smallvec![tag],
            group,
        };
        let started = self.transfers.start(transfer);
        started.map_err(|fault| FaultKind::Dma(Box::new(fault)))
    }

    /// Whether a transfer is a collective one of the workgroup that this thread has not started yet.
    fn joins(&mut self, number: usize, thread: &Thread) -> bool {
        let group = &self.transfers.get_mut(number).group;
        group
            .as_ref()
            .is_some_and(|group| !group.started.contains(&member(thread)))
    }

    /// Completes the transfer of a tag: moves its elements. Returns whether the thread
    /// has to wait for the others of its workgroup.
    pub(crate) fn dma_wait(&mut self, thread: &Thread, info: u32) -> Result<bool, FaultKind> {
        let Some(frame) = thread.frames.last() else {
            return Ok(false);
        };
        let (place, count) = self.code.functions[frame.function as usize].dma_waits[info as usize];
        let tag = self.tag(frame, &place)?;
        let Some(number) = self.transfers.find(tag) else {
            return Err(FaultKind::Dma(Box::new(self.transfers.missing(tag))));
        };
        let waited = frame.get(count) as i64;
        let transfer = self.transfers.get_mut(number);
        let started = transfer.count;
        if waited != started {
            let error = DmaError::WrongCount { waited, started };
            return Err(fault(error, Some(transfer.loc)));
        }
        if let Some(group) = &mut transfer.group {
            if !group.waiting.insert(member(thread)) {
                return Err(fault(DmaError::WaitedTwice, Some(transfer.loc)));
            }
            if (group.waiting.len() as u64) < group.size {
                return Ok(true);
            }
        }
        let loc = self.loc(frame);
        let transfer = self.transfers.finish(number, loc);
        self.move_elements(frame, &transfer)?;
        Ok(transfer.group.is_some())
    }

    /// Starts a `gpu.memcpy async` and returns its token, or 0 where the copy is made at once
    /// (one between elements that are not contiguous).
    pub(crate) fn copy_async(
        &mut self,
        frame: &Frame,
        source: &MemRef,
        target: &MemRef,
        kind: ScalarKind,
    ) -> Result<u64, FaultKind> {
        let whole = |view: &MemRef| whole_side(view, kind);
        let same = source.sizes == target.sizes;
        let (Some(from), Some(to), true) = (whole(source), whole(target), same) else {
            self.watched_copy(frame, source, target, kind)?;
            return Ok(0);
        };
        self.memory.get(source.alloc)?;
        self.memory.get(target.alloc)?;
        let tag = self.transfers.token();
        let transfer = Transfer {
            count: from.count,
            source: from,
            target: to,
            kind,
            loc: self.loc(frame),
            tags: smallvec![tag],
            group: None,
        };
        let started = self.transfers.start(transfer);
        started.map_err(|fault| FaultKind::Dma(Box::new(fault)))?;
        Ok(tag.1 as u64)
    }

    /// Ends the copy of a token, if it has one that has not ended.
    pub(crate) fn await_token(&mut self, frame: &Frame, token: u64) -> Result<(), FaultKind> {
        match self.transfers.find(token_tag(token)) {
            Some(number) => self.complete(frame, number),
            None => Ok(()),
        }
    }

    /// Ends the copies of all tokens.
    pub(crate) fn await_all(&mut self, frame: &Frame) -> Result<(), FaultKind> {
        while let Some(number) = self.transfers.first_of_tokens() {
            self.complete(frame, number)?;
        }
        Ok(())
    }

    fn complete(&mut self, frame: &Frame, number: usize) -> Result<(), FaultKind> {
        let loc = self.loc(frame);
        let transfer = self.transfers.finish(number, loc);
        self.move_elements(frame, &transfer)
    }

    fn move_elements(&mut self, frame: &Frame, transfer: &Transfer) -> Result<(), FaultKind> {
        for (source, target) in transfer.views() {
            self.watch_all(frame, &source, transfer.kind, AccessKind::Read)?;
            self.watch_all(frame, &target, transfer.kind, AccessKind::Write)?;
            self.copy(&source, &target, transfer.kind)?;
        }
        Ok(())
    }

    fn tag(&self, frame: &Frame, place: &DmaPlace) -> Result<Tag, FaultKind> {
        let view = frame.mem(place.mem);
        let registers = self.registers(frame, place.index);
        let position = position(view, frame, &registers).map_err(|kind| *kind)?;
        let byte = byte_position(view.base, position, place.kind.size());
        self.memory.get(view.alloc)?;
        Ok((view.alloc, byte.ok_or(AccessError::OutOfBuffer)?))
    }

    /// The two sides of a transfer; a fault where one leaves its memref.
    fn sides(&self, frame: &Frame, info: &DmaInfo) -> Result<(Side, Side), FaultKind> {
        let count = frame.get(info.count) as i64;
        if count < 0 {
            return Err(fault(DmaError::BadCount(count), None));
        }
        let stride = match info.stride {
            Some((stride, chunk)) => {
                let [stride, chunk] = [stride, chunk].map(|reg| frame.get(reg) as i64);
                if chunk <= 0 {
                    return Err(fault(DmaError::BadCount(chunk), None));
                }
                // A single chunk of all elements needs no stride.
                (chunk < count).then_some((stride, chunk))
            }
            None => None,
        };
        let side = |place: &DmaPlace, strided: bool, is_source: bool| {
            let stride = stride.filter(|_| strided);
            let error = DmaError::OutOfMemRef { source: is_source };
            let side = self.side(frame, place, count, stride)?;
            side.ok_or_else(|| fault(error, None))
        };
        let source = side(&info.source, info.source_strided, true)?;
        let target = side(&info.target, !info.source_strided, false)?;
        Ok((source, target))
    }

    /// One side; `None` when it reaches outside of its memref.
    fn side(
        &self,
        frame: &Frame,
        place: &DmaPlace,
        count: i64,
        stride: Option<(i64, i64)>,
    ) -> Result<Option<Side>, FaultKind> {
        let view = frame.mem(place.mem);
        self.memory.get(view.alloc)?;
        let registers = self.registers(frame, place.index);
        let first = match count {
            // An empty transfer may have indices past the end.
            0 => view.offset,
            _ => position(view, frame, &registers).map_err(|kind| *kind)?,
        };
        let (stride, chunk) = stride.unwrap_or((count, count.max(1)));
        let side = Side {
            alloc: view.alloc,
            base: view.base,
            first,
            chunk,
            stride,
            count,
            size: place.kind.size() as i64,
        };
        let inside = match (side.extent(), view.extent()) {
            (None, _) => true,
            (Some((from, to)), Some((low, high))) => low <= from && to <= high + 1,
            (Some(_), None) => false,
        };
        Ok(inside.then_some(side))
    }

    /// Checks an access of an element against the transfers in flight.
    #[inline]
    pub(crate) fn beside_transfers(
        &self,
        view: &MemRef,
        position: i64,
        kind: ScalarKind,
        writes: bool,
    ) -> Step {
        if self.transfers.is_empty() {
            return Ok(());
        }
        // An access outside of the buffer is a fault by itself.
        let Some(at) = byte_position(view.base, position, kind.size()) else {
            return Ok(());
        };
        let end = at.saturating_add(kind.size());
        let checked = self.transfers.check(view.alloc, at, end, writes);
        checked.map_err(|fault| Box::new(FaultKind::Dma(Box::new(fault))))
    }

    /// Checks an access of all elements of a view against the transfers in flight.
    pub(crate) fn all_beside_transfers(
        &self,
        view: &MemRef,
        kind: ScalarKind,
        writes: bool,
    ) -> Result<(), FaultKind> {
        if self.transfers.is_empty() {
            return Ok(());
        }
        view.for_each_position(|position| {
            self.beside_transfers(view, position, kind, writes)
                .map_err(|kind| *kind)
        })
    }

    /// Checks that a buffer may be freed beside the transfers in flight.
    pub(crate) fn free_beside_transfers(&self, id: AllocId) -> Result<(), FaultKind> {
        let checked = self.transfers.check_free(id);
        checked.map_err(|fault| FaultKind::Dma(Box::new(fault)))
    }

    /// Warns of transfers of a freed buffer that no wait completed.
    pub(crate) fn end_transfers_of(&mut self, id: AllocId) {
        for loc in self.transfers.drop_buffer(id) {
            self.warn_once(loc, NEVER_WAITED);
        }
    }

    /// Ends a run: warns of transfers that no wait completed, and makes the copies with a token,
    /// since a finished program has done everything.
    pub(crate) fn end_transfers(&mut self) -> Result<(), FaultKind> {
        while let Some(number) = self.transfers.first_of_tokens() {
            let loc = self.transfers.get_mut(number).loc;
            let transfer = self.transfers.finish(number, loc);
            for (source, target) in transfer.views() {
                self.copy(&source, &target, transfer.kind)?;
            }
            self.warn_once(loc, "nothing waits for this copy before the program ends");
        }
        for loc in self.transfers.drop_all() {
            self.warn_once(loc, NEVER_WAITED);
        }
        Ok(())
    }
}

const NEVER_WAITED: &str =
    "this transfer is never waited for, so its destination keeps what it had";

fn fault(error: DmaError, other: Option<gridloom_ir::Loc>) -> FaultKind {
    FaultKind::Dma(Box::new(DmaFault { error, other }))
}

/// The elements of a view as one side of a transfer, where they follow each other in memory.
fn whole_side(view: &MemRef, kind: ScalarKind) -> Option<Side> {
    let order = row_major_strides(&view.sizes);
    let mut dims = view.sizes.iter().zip(view.strides.iter().zip(&order));
    let count = i64::try_from(view.num_elements()).ok()?;
    let in_order = dims.all(|(&size, (have, want))| size == 1 || have == want);
    (count > 0 && in_order).then_some(Side {
        alloc: view.alloc,
        base: view.base,
        first: view.offset,
        chunk: count,
        stride: count,
        count,
        size: kind.size() as i64,
    })
}

/// The number of a thread in its workgroup.
fn member(thread: &Thread) -> u64 {
    let ([x, y, z], [width, height, _]) = (thread.ids.thread, thread.ids.size);
    let row = z.wrapping_mul(height).wrapping_add(y);
    row.wrapping_mul(width).wrapping_add(x) as u64
}

/// The threads of its workgroup.
fn members(thread: &Thread) -> u64 {
    let sizes: SmallVec<[u64; 3]> = thread
        .ids
        .size
        .iter()
        .map(|&size| size.max(1) as u64)
        .collect();
    sizes.into_iter().fold(1, u64::saturating_mul)
}
