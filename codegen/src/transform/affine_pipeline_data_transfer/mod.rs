//! `affine-pipeline-data-transfer`: software-pipelines a loop that waits for a transfer: it starts
//! the transfer of its next iteration before it computes, in a second buffer.
//!
//! ```text
//! for %i = 0 to 8 {                          start %a[0] → %f[0]
//!   start %a[%i] → %f                        for %i = 0 to 7 {
//!   wait                                       start %a[%i + 1] → %f[(%i + 1) mod 2]
//!   S(%i, %f)                          ⇒       wait
//! }                                            S(%i, %f[%i mod 2])
//!                                            }
//!                                            wait
//!                                            S(7, %f[1])
//! ```
//!
//! Legal where the number of iterations is constant and above 1; the transfer fills a buffer of this
//! function, which the iteration uses behind the wait only and nobody uses outside of the loop; its tag is used by
//! start and wait alone; nothing in the loop may write what is transferred; and the operands of the start
//! follow from the counter without effects. Loops inside come first. A transfer that stays where the
//! loop waits for it gets a remark.

mod apply;
mod legality;

use std::collections::HashSet;

use gridloom_dialects::affine::{self, ForOp};
use gridloom_ir::{Body, Context, Diagnostic, Diagnostics, Module, OpId};

use self::apply::pipeline;
use self::legality::{Pipelined, judge, trips};
pub(super) use self::legality::{is_before, slice};
use super::plans::{Plans, change_with_remarks};
use crate::analysis::alias::Globals;
use crate::analysis::dependence::Dependences;

/// Limit of the nested loops whose transfers are pipelined.
const MAX_ROUNDS: usize = 16;

/// Pipelining plan: the transfers of a loop that start an iteration ahead.
pub(super) struct Plan {
    l: ForOp,
    /// Trip count of the loop.
    trips: u64,
    transfers: Vec<Pipelined>,
}

/// Pipelines the transfers of the host functions of a module. Returns whether there were any, and which
/// stay.
pub fn pipeline_transfers(ctx: &Context, module: &mut Module) -> (bool, Diagnostics) {
    change_with_remarks(
        ctx,
        module,
        MAX_ROUNDS,
        |body, globals| plan_body(ctx, body, globals),
        |plan, body| pipeline(ctx, body, plan),
    )
}

fn plan_body(ctx: &Context, body: &Body, globals: &Globals) -> (Plans<Plan>, Diagnostics) {
    let mut deps = Dependences::new(ctx, body, globals);
    let mut plans = Vec::new();
    let mut refusals = Vec::new();
    let mut around: HashSet<OpId> = HashSet::new();
    // Inner loops first; a loop around a changed one waits for the next round.
    for op in body.walk().into_iter().rev() {
        let Some(l) = ForOp::cast(body, op).filter(|l| !around.contains(&l.0)) else {
            continue;
        };
        let block = l.block(body);
        let starts: Vec<OpId> = (body.ops(block))
            .filter(|&op| body[op].name == affine::DMA_START)
            .collect();
        let mut transfers = Vec::new();
        for start in starts {
            match judge(&mut deps, l, start) {
                Ok(found) => transfers.extend(found),
                Err(why) => {
                    let message = format!("this transfer is not started an iteration ahead: {why}");
                    refusals.push(Diagnostic::remark(body[start].loc, message));
                }
            }
        }
        if !transfers.is_empty() {
            around.extend(body.ancestors(op));
            let trips = trips(&mut deps.values, l).unwrap_or(0);
            plans.push(Plan {
                l,
                trips,
                transfers,
            });
        }
    }
    let mut remarks = Diagnostics::new();
    // Remarks are in program order.
    refusals
        .into_iter()
        .rev()
        .for_each(|remark| remarks.push(remark));
    let relied = deps.aliases.relied_on_arguments();
    ((plans, relied), remarks)
}
