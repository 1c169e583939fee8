//! Faults of transfers between memory spaces.

use gridloom_ir::Loc;

/// Kinds of misuse of a transfer, its tag or its memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DmaError {
    /// A start whose tag has a transfer in flight.
    TagInUse,
    /// A wait for a tag that no transfer was started with.
    NotStarted,
    /// A wait for a transfer that an earlier wait completed.
    WaitedTwice,
    /// A wait for another number of elements than were started.
    WrongCount {
        /// Number of elements in the wait.
        waited: i64,
        /// Elements of the transfer.
        started: i64,
    },
    /// A read of the destination before the wait.
    ReadsTarget,
    /// A write of the destination before the wait.
    WritesTarget,
    /// A write of the source before the wait.
    WritesSource,
    /// The source or the destination is freed before the wait.
    Freed,
    /// Another transfer in flight shares memory with this one.
    Overlaps,
    /// Source and destination share memory.
    OverlapsItself,
    /// Elements outside of the memref.
    OutOfMemRef {
        /// Whether the element is the source's.
        source: bool,
    },
    /// A number of elements, or of elements per stride, that makes no sense.
    BadCount(i64),
    /// Threads of a workgroup disagree about a transfer of all of them.
    NotUniform,
}

impl std::fmt::Display for DmaError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            DmaError::TagInUse => {
                "the tag is still in use: its last transfer has not been waited for"
            }
            DmaError::NotStarted => "no transfer was started with this tag",
            DmaError::WaitedTwice => "the transfer of this tag has been waited for already",
            DmaError::WrongCount { waited, started } => {
                return write!(
                    f,
                    "a wait for {waited} elements, where the transfer has {started}"
                );
            }
            DmaError::ReadsTarget => {
                "this reads the destination of a transfer that has not been waited for"
            }
            DmaError::WritesTarget => {
                "this writes to the destination of a transfer that has not been waited for"
            }
            DmaError::WritesSource => {
                "this writes to the source of a transfer that has not been waited for"
            }
            DmaError::Freed => "this frees memory of a transfer that has not been waited for",
            DmaError::Overlaps => {
                "the transfer shares memory with one that has not been waited for"
            }
            DmaError::OverlapsItself => "source and destination of the transfer share memory",
            DmaError::OutOfMemRef { source: true } => {
                "the transfer reads elements outside of its source"
            }
            DmaError::OutOfMemRef { source: false } => {
                "the transfer writes elements outside of its destination"
            }
            DmaError::BadCount(count) => {
                return write!(
                    f,
                    "{count} is not a number of elements (at least 0), or of \
                     elements per stride (at least 1)"
                );
            }
            DmaError::NotUniform => {
                "threads of the workgroup start different transfers here, but all of them have to \
                 start one together"
            }
        })
    }
}

impl DmaError {
    /// The note at the other place.
    pub(crate) fn note(self) -> &'static str {
        match self {
            DmaError::WaitedTwice => "waited for here",
            _ => "started here",
        }
    }
}

/// Fault of a transfer: its kind, and the other operation involved.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DmaFault {
    /// The kind of misuse.
    pub error: DmaError,
    /// The start, or the earlier wait.
    pub other: Option<Loc>,
}
