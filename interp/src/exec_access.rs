//! Element accesses: loads and stores.

use crate::code::{Function, Reg, Span};

use crate::fault::{FaultKind, Step};
use crate::frame::Frame;
use crate::machine::Machine;
use crate::memory::AllocId;
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
        self.make_current(view.alloc)?;
        Ok(self.memory.read(view, position, kind)?)
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
