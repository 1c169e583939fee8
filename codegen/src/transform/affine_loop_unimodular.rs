//! `affine-loop-unimodular`: transforms perfect nests by one unimodular matrix: interchange,
//! reversal, skewing and shifts.
//!
//! ```text
//! --affine-loop-unimodular="matrix=1,1;1,0"
//! affine.for %i = 1 to 8 {                       affine.for %w = 2 to 15 {
//!   affine.for %j = 1 to 8 {               ⇒       affine.for %i = max(1, %w - 7) to min(8, %w) {
//!     %a[%i, %j] = f(%a[%i - 1, %j], …)              %a[%i, %w - %i] = f(%a[%i - 1, %w - %i], …)
//! ```
//!
//! Each row of the matrix gives a new counter as a combination of the old ones (for a loop whose
//! step is not 1, the number of steps from its lower bound); `shift` is added. Legal where
//! [`affine_schedule`](super::affine_schedule) can show it; other nests of so many loops stay, with
//! a remark that names the dependence.

use std::str::FromStr;

use std::collections::HashSet;

use gridloom_dialects::affine::ForOp;
use gridloom_ir::{Body, Context, Diagnostic, Diagnostics, Module, OpId};

use super::affine_schedule::{Nest, Refusal, Rescheduled, Schedule, reschedule};
use super::plans::{Plans, change_with_remarks, is_inside};
use crate::analysis::alias::Globals;
use crate::analysis::dependence::Dependences;

/// Limit of the loops of a nest that are transformed.
const MAX_DEPTH: usize = 6;

/// Parses the schedule from the text of a matrix, rows divided by `;` and entries by `,`, and from
/// a row of shifts.
///
/// # Errors
/// The reason why the text is no schedule.
pub fn read_schedule(matrix: &str, shift: Option<&str>) -> Result<Schedule, String> {
    let rows: Vec<Vec<i64>> = matrix
        .split(';')
        .map(numbers)
        .collect::<Result<_, String>>()?;
    if rows.len() > MAX_DEPTH {
        return Err(format!(
            "the matrix has {} rows; nests of up to {MAX_DEPTH} loops are transformed",
            rows.len()
        ));
    }
    let shifts = shift.map_or(Ok(Vec::new()), numbers)?;
    Schedule::unimodular(&rows, &shifts).ok_or_else(|| {
        format!(
            "the matrix '{matrix}' is not unimodular: it has to be square, of small integers, and \
             its determinant 1 or -1"
        )
    })
}

/// The integers of a list divided by commas.
pub(super) fn numbers<T: FromStr>(text: &str) -> Result<Vec<T>, String> {
    let number = |part: &str| {
        let part = part.trim();
        (part.parse()).map_err(|_| format!("'{part}' is not a number in the range of this option"))
    };
    text.split(',').map(number).collect()
}

/// Transforms the nests of the host functions of a module that have as many loops as the schedule. Returns whether anything changed, and why
/// nests stay.
pub fn transform_module(
    ctx: &Context,
    module: &mut Module,
    schedule: &Schedule,
) -> (bool, Diagnostics) {
    let plan = |deps: &mut Dependences, root| {
        let nest = Nest::new(deps, root, schedule.depth());
        let plan = nest.and_then(|nest| reschedule(deps, nest, schedule));
        Planned::of(deps, root, plan)
    };
    reschedule_module(ctx, module, plan, |_, _| {})
}

/// Plan for the nest at a loop.
pub(super) enum Planned {
    /// The nest is replaced by a rescheduled one.
    Replace(Box<Rescheduled>, Option<Diagnostic>),
    /// The nest stays, with all nests in it.
    Done(Option<Diagnostic>),
    /// The walk goes on to the loops inside. The remark is left out where it was made of a nest around.
    GoInside(Option<Diagnostic>),
}

impl Planned {
    /// Turns a plan or refusal into the next step: a nest that is too shallow, or carries values,
    /// may contain another one; every other refusal becomes a remark.
    pub(super) fn of(
        deps: &Dependences,
        root: ForOp,
        plan: Result<Rescheduled, Refusal>,
    ) -> Planned {
        let body = deps.values.body;
        match plan {
            Ok(plan) => Planned::Replace(Box::new(plan), None),
            Err(Refusal::Shallow(_) | Refusal::Carries) => Planned::GoInside(None),
            Err(why) => {
                let start = "this loop nest keeps its order";
                Planned::Done(Some(why.remark(body, body[root.0].loc, start)))
            }
        }
    }
}

/// Replaces the nests for which `plan` returns a plan, outer loops first, and passes the new loops
/// to `finish`. Returns whether anything changed, and the remarks.
pub(super) fn reschedule_module(
    ctx: &Context,
    module: &mut Module,
    plan: impl Fn(&mut Dependences, ForOp) -> Planned + Sync,
    finish: impl Fn(&mut Body, &[ForOp]) + Sync,
) -> (bool, Diagnostics) {
    change_with_remarks(
        ctx,
        module,
        1,
        |body, globals| plan_body(ctx, body, globals, &plan),
        |plan, body| {
            let loops = plan.apply(ctx, body);
            finish(body, &loops);
        },
    )
}

fn plan_body(
    ctx: &Context,
    body: &Body,
    globals: &Globals,
    plan: impl Fn(&mut Dependences, ForOp) -> Planned,
) -> (Plans<Rescheduled>, Diagnostics) {
    let mut deps = Dependences::new(ctx, body, globals);
    let mut plans: Vec<Rescheduled> = Vec::new();
    let mut remarks = Diagnostics::new();
    let [mut done, mut told]: [HashSet<OpId>; 2] = Default::default();
    for op in body.walk() {
        let Some(root) = ForOp::cast(body, op) else {
            continue;
        };
        if is_inside(body, op, &done) {
            continue;
        }
        let (plan, remark) = match plan(&mut deps, root) {
            Planned::Replace(plan, remark) => (Some(*plan), remark),
            Planned::Done(remark) => (None, remark),
            Planned::GoInside(remark) => {
                if let Some(remark) = remark.filter(|_| !is_inside(body, op, &told)) {
                    remarks.push(remark);
                    told.insert(op);
                }
                continue;
            }
        };
        done.insert(op);
        plans.extend(plan);
        if let Some(remark) = remark {
            remarks.push(remark);
        }
    }
    let relied = deps.aliases.relied_on_arguments();
    ((plans, relied), remarks)
}
