//! The `spirv` dialect of MLIR and the binary form of SPIR-V, each made of the other.
//!
//! [`deserialize`] reads words into a `spirv.module`, [`serialize`] writes one as words, and [`convert`] puts a
//! `spirv.module` beside each `gpu.module` of a program, made of what [`crate::compile_module`] emits.
//!
//! An instruction and its operation have the same operands in the same order, so one mechanism translates most of them:
//! names follow from a rule (`names`), what is an operand, what an attribute from the grammar of SPIR-V, the names and
//! classes of the attributes from the operation's row. What differs has code of its own: types, constants and
//! variables (of the module in SPIR-V, operations of each function here), decorations, and control flow.
//!
//! ```text
//! OpSelectionMerge %m None                    %r = spirv.mlir.selection -> i32 {
//! OpBranchConditional %c %t %m                  spirv.BranchConditional %c, ^t, ^m(%a : i32)
//! %t = OpLabel                                ^t:
//!      OpBranch %m                        ⇔     spirv.Branch ^m(%b : i32)
//! %m = OpLabel                                ^m(%x: i32):
//! %r = OpPhi %int %a %before %b %t              spirv.mlir.merge %x : i32
//!                                             }
//! ```
//!
//! Both directions refuse what the other side has no form for, with the instruction or the operation and what to do.

mod convert;
mod opcodes;
mod read;
mod write;

pub use convert::{convert, prefixed};
pub use read::deserialize;
pub use write::serialize;

/// The most constructs that may be nested: what a stack of 2 MiB surely holds.
const MAX_DEPTH: u32 = 128;
