//! Frames and threads: the state of a run.

use std::rc::Rc;

use smallvec::SmallVec;

use crate::code::{Function, Reg, Slot};
use crate::device::Argument;
use crate::memory::AllocId;
use crate::memref::MemRef;
use crate::race::Level;

/// The registers of one call.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    pub function: u32,
    pub pc: u32,
    pub scalars: Vec<u64>,
    pub mems: Vec<MemRef>,
    /// Stack allocations, innermost scope last.
    pub stack: Vec<AllocId>,
    /// Lengths of `stack` at the scopes that are open.
    pub scopes: Vec<usize>,
    /// The parallel loops that are being run, innermost last.
    pub parallels: Vec<crate::exec_parallel::Progress>,
    /// Values that the threads of the group contributed to the last group operation; `None` of those that were not active.
    pub gathered: Rc<[Option<u64>]>,
    /// The caller's registers for the results: a span of its pool.
    pub results: crate::code::Span,
}

impl Frame {
    pub fn new(number: u32, function: &Function) -> Self {
        Frame {
            function: number,
            pc: 0,
            scalars: function.scalars.clone(),
            mems: vec![MemRef::none(); function.mems as usize],
            stack: Vec::new(),
            scopes: Vec::new(),
            parallels: Vec::new(),
            gathered: Rc::from([]),
            results: crate::code::Span { start: 0, len: 0 },
        }
    }

    /// Bytes of the frame and its registers.
    pub fn bytes(&self) -> usize {
        size_of::<Frame>() + size_of_val(&*self.scalars) + size_of_val(&*self.mems)
    }

    #[inline]
    pub fn get(&self, reg: Reg) -> u64 {
        self.scalars[reg as usize]
    }

    #[inline]
    pub fn set_scalar(&mut self, reg: Reg, value: u64) {
        self.scalars[reg as usize] = value;
    }

    pub fn mem(&self, reg: Reg) -> &MemRef {
        &self.mems[reg as usize]
    }

    /// Stores an argument in a slot; `false` when its class differs.
    pub fn set(&mut self, slot: Slot, argument: &Argument) -> bool {
        match (slot, argument) {
            (Slot::Scalar(reg, kind), Argument::Scalar(given, bits)) if kind == *given => {
                self.scalars[reg as usize] = *bits;
            }
            (Slot::Mem(reg, kind), Argument::MemRef(given, memref)) if kind == *given => {
                self.mems[reg as usize] = memref.clone();
            }
            _ => return false,
        }
        true
    }

    /// Reads a slot.
    pub fn argument(&self, slot: Slot) -> Option<Argument> {
        match slot {
            Slot::Scalar(reg, kind) => Some(Argument::Scalar(kind, self.get(reg))),
            Slot::Mem(reg, kind) => Some(Argument::MemRef(kind, self.mem(reg).clone())),
            Slot::Vector { .. } => None,
        }
    }
}

/// Ids of a thread: its place in the grid of its launch.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Ids {
    pub block: [i64; 3],
    pub thread: [i64; 3],
    pub grid: [i64; 3],
    pub size: [i64; 3],
}

/// Thread of execution: a stack of frames.
#[derive(Clone, Debug)]
pub(crate) struct Thread {
    pub frames: SmallVec<[Frame; 1]>,
    /// Bytes of the frames that calls have pushed.
    pub stack_bytes: usize,
    pub ids: Ids,
    /// Race-detector levels of a suspended thread: its parallel loops.
    pub levels: Vec<Level>,
    /// The results of the outermost frame.
    pub results: Vec<Argument>,
}

impl Thread {
    pub fn new(frame: Frame) -> Self {
        let frames = SmallVec::from_iter([frame]);
        Thread {
            frames,
            stack_bytes: 0,
            ids: Ids::default(),
            levels: Vec::new(),
            results: Vec::new(),
        }
    }

    /// Bytes of the thread and the registers of its frames.
    pub fn bytes(&self) -> usize {
        let first = self.frames.first().map_or(0, Frame::bytes);
        size_of::<Thread>() + first + self.stack_bytes
    }
}

/// Stop of a thread: its end, a barrier, or a group operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stop {
    Finished,
    Barrier,
    /// Waiting at a collective operation of its workgroup or of its subgroup.
    Gather {
        whole: bool,
    },
}
