//! Thread positions: the number of a thread among all, or its group and its lane.

use crate::transform::map_inputs::Inputs;
use gridloom_ir::affine::AffineOp;
use gridloom_ir::{AffineExpr, Value};

/// Position of a thread.
#[derive(Clone, Copy)]
pub(super) enum Place {
    /// The number of a thread among those of all groups.
    Number(Value),
    /// A workgroup, and the number of a thread in it.
    InWorkgroup {
        group: Value,
        thread: Value,
        threads: i64,
    },
}

impl Place {
    /// The group and the lane of the thread, in groups of `lanes` threads: those of a workgroup, or
    /// those of all workgroups together as one group.
    pub(super) fn in_groups_of(self, inputs: &mut Inputs, lanes: i64) -> (AffineExpr, AffineExpr) {
        match self {
            Place::Number(number) => {
                let number = inputs.dim(number);
                let group = inputs.by(AffineOp::FloorDiv, number, lanes);
                (group, inputs.by(AffineOp::Mod, number, lanes))
            }
            Place::InWorkgroup {
                group,
                thread,
                threads,
            } => {
                let (group, thread) = (inputs.dim(group), inputs.dim(thread));
                match lanes == threads {
                    true => (group, thread),
                    false => {
                        let before = inputs.times(group, threads);
                        (
                            inputs.ctx.affine_const(0),
                            inputs.ctx.affine_add(before, thread),
                        )
                    }
                }
            }
        }
    }
}
