//! Element accesses: loads and stores.

use crate::code::{Function, Reg, Span};

use crate::fault::{FaultKind, Step};
use crate::frame::Frame;
use crate::machine::Machine;
use crate::memory::{AllocId, element};
use crate::memref::MemRef;
use crate::scalar::ScalarKind;

impl Machine<'_> {
    pub(crate) fn load(
        &mut self,
        function: &Function,
        frame: &Frame,
        kind: ScalarKind,
        mem: Reg,
        index: Span,
    ) -> Step<u64> {
        let view = frame.mem(mem);
        let position = position(view, frame, function.span(index))?;
        self.beside_transfers(view, position, kind, false)?;
        if self.device.is_some() && !self.memory.get(view.alloc)?.host_current() {
            if let Some(bits) = self.peek(view, position, kind)? {
                return Ok(bits);
            }
            self.fetch(view.alloc)?;
        }
        Ok(self.memory.read(view, position, kind)?)
    }

    /// Reads an element of a large buffer that the device has changed, of which only the elements behind it are downloaded, too; `None`
    /// where the whole buffer is to be, after some such reads.
    #[cold]
    fn peek(
        &mut self,
        view: &MemRef,
        position: i64,
        kind: ScalarKind,
    ) -> Result<Option<u64>, FaultKind> {
        let Ok(at) = self.memory.bytes_of(view, position, kind) else {
            return Ok(None);
        };
        let allocation = self.memory.get_mut(view.alloc)?;
        if allocation.peeked(&at).is_none()
            && let Some(window) = allocation.window_from(at.start, kind.size())
            && let Some(device) = &mut self.device
            && let Some(bytes) = device.peek(view.alloc, window)?
        {
            self.memory.get_mut(view.alloc)?.note_peek(at.start, bytes);
        }
        let peeked = self.memory.get(view.alloc)?.peeked(&at);
        Ok(peeked.map(|bytes| element(bytes, kind)))
    }

    pub(crate) fn store(
        &mut self,
        function: &Function,
        frame: &Frame,
        kind: ScalarKind,
        value: u64,
        mem: Reg,
        index: Span,
    ) -> Step {
        let view = frame.mem(mem);
        let position = position(view, frame, function.span(index))?;
        self.beside_transfers(view, position, kind, true)?;
        self.make_current(view.alloc)?;
        Ok(self.memory.write(view, position, kind, value)?)
    }

    /// Downloads a buffer that the device has changed, before the host accesses it.
    #[inline]
    pub(crate) fn make_current(&mut self, id: AllocId) -> Result<(), FaultKind> {
        if self.device.is_none() {
            Ok(())
        } else {
            self.fetch(id)
        }
    }
}

/// The linear position of an index.
#[inline]
pub(crate) fn position(view: &MemRef, frame: &Frame, registers: &[Reg]) -> Step<i64> {
    let mut linear = view.offset;
    if registers.len() != view.sizes.len() {
        let what = "the number of indices differs from the rank".to_owned();
        return Err(FaultKind::ShapeMismatch(what).into());
    }
    let dims = view.sizes.iter().zip(&view.strides);
    for ((dim, &reg), (&size, &stride)) in registers.iter().enumerate().zip(dims) {
        let index = frame.get(reg) as i64;
        if index < 0 || index >= size {
            return Err(FaultKind::OutOfBounds { dim, index, size }.into());
        }
        linear = linear.wrapping_add(index.wrapping_mul(stride));
    }
    Ok(linear)
}
