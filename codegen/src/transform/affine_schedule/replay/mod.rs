//! `affine-schedule`: applies the steps of a schedule in order.
//!
//! ```text
//! --affine-schedule='tile(i: 32); reverse(i)'
//! affine.for %i = 0 to %n {              affine.for %i.tile = 0 to %n ceildiv 32 {
//!   S(%i)                         ⇒        affine.for %i = … {        // %i.tile * 32 + 31 first
//! }                                          S(-%i)
//! ```
//!
//! Each step is the transformation of a pass, applied to named loops: the pass's own mechanism
//! decides whether it is legal; this module only finds the loops. A function whose schedule has a
//! step that is refused stays as it was, and the refusal is an error that names the step, the loop
//! and, where a dependence is the cause, its two ends. Labels follow the loops ([`labels`]);
//! docs/schedules.md says how new loops are called.

mod labels;
mod loops;
mod nests;

use std::collections::HashMap;

use gridloom_dialects::affine::ForOp;
use gridloom_dialects::func;
use gridloom_ir::{Body, Context, Diagnostic, Diagnostics, Ident, Loc, Module, OpId, Severity};

use super::text::{PlacedStep, ScheduleText, Step};
use crate::analysis::alias::Globals;
use crate::analysis::loop_kind::is_any_loop;
use crate::analysis::loop_labels::{allocation_labels, loop_labels};
use crate::versions::{change_named_functions, serial_versions};

/// Refusal of a step: a remark whose message begins with the step, with notes.
type StepRefusal = Box<Diagnostic>;

/// Replays a schedule on the host functions of a module. Returns whether anything changed.
///
/// # Errors
/// The first step of each function that is refused, or cannot be found; the module is left as it was.
pub fn replay(
    ctx: &Context,
    module: &mut Module,
    schedule: &ScheduleText,
) -> Result<bool, Diagnostics> {
    let wanted = steps_by_function(ctx, module, schedule)?;
    if wanted.is_empty() {
        return Ok(false);
    }
    let before = module.clone();
    let globals = Globals::of(ctx, module);
    let results = change_named_functions(ctx, module, &globals, |name, body| {
        let Some(steps) = name.and_then(|name| wanted.get(&name)) else {
            return (false, Ok(()));
        };
        match run(ctx, body.edit(), &globals, steps) {
            Ok(relied) => (relied, Ok(())),
            Err(why) => (false, Err(why)),
        }
    });
    let mut errors = Diagnostics::new();
    for (step, mut refused) in results.into_iter().filter_map(Result::err) {
        refused.severity = Severity::Error;
        refused.loc = schedule.loc(ctx, step);
        errors.push(*refused);
    }
    if errors.has_errors() {
        *module = before;
        return Err(errors);
    }
    Ok(true)
}

/// Names of loops and statements that steps may use in a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Names {
    /// The function.
    pub function: String,
    /// Labels of its `affine.for`, in the order of the program.
    pub loops: Vec<String>,
    /// Labels of its allocations.
    pub allocations: Vec<String>,
}

/// Names that steps may use in the host functions that have an `affine.for`.
pub fn names_of(ctx: &Context, module: &Module) -> Vec<Names> {
    let serial = serial_versions(ctx, module);
    let mut found = Vec::new();
    for (_, op) in module.ops() {
        let is_host = op.name == func::FUNC && op.parent() == Some(module.block());
        let (Some(body), Some(name)) = (op.isolated().filter(|_| is_host), op.symbol_name(ctx))
        else {
            continue;
        };
        let labels = loop_labels(ctx, body).into_iter();
        let loops = labels.filter(|&(op, _)| ForOp::cast(body, op).is_some());
        let loops: Vec<String> = loops.map(|(_, label)| label).collect();
        if !loops.is_empty() && !serial.contains(&name) {
            let allocations = allocation_labels(ctx, body).into_iter();
            found.push(Names {
                function: ctx.str(name).to_owned(),
                loops,
                allocations: allocations.map(|(_, label)| label).collect(),
            });
        }
    }
    found
}

/// The steps of each function.
fn steps_by_function<'s>(
    ctx: &Context,
    module: &Module,
    schedule: &'s ScheduleText,
) -> Result<HashMap<Ident, Vec<&'s PlacedStep>>, Diagnostics> {
    let serial = serial_versions(ctx, module);
    let block = module.block();
    // Name of each function, and whether it has loops.
    let mut functions: Vec<(Ident, bool)> = Vec::new();
    for (_, op) in module.ops() {
        let body = op.isolated().filter(|body| body.entry().is_some());
        let (Some(body), Some(name)) = (body, op.symbol_name(ctx)) else {
            continue;
        };
        if op.name == func::FUNC && op.parent() == Some(block) && !serial.contains(&name) {
            let has_loops = body.walk().into_iter().any(|op| is_any_loop(body, op));
            functions.push((name, has_loops));
        }
    }
    let mut found: HashMap<Ident, Vec<&PlacedStep>> = HashMap::new();
    let mut errors = Diagnostics::new();
    for step in &schedule.steps {
        match function_of(ctx, &functions, step) {
            Ok(name) => found.entry(name).or_default().push(step),
            Err(message) => {
                errors.push(Diagnostic::error(schedule.loc(ctx, step), message));
                return Err(errors);
            }
        }
    }
    Ok(found)
}

fn function_of(
    ctx: &Context,
    functions: &[(Ident, bool)],
    placed: &PlacedStep,
) -> Result<Ident, String> {
    let step = &placed.step;
    if let Some(name) = &placed.function {
        let mut known = functions.iter().map(|(name, _)| *name);
        return known.find(|&known| ctx.str(known) == name).ok_or_else(|| {
            format!(
                "step '{step}' is refused: there is no function @{name} on the host with a body \
                 whose loops may change (the version for overlapping arguments keeps their order)"
            )
        });
    }
    let with_loops = functions.iter().filter(|(_, has_loops)| *has_loops);
    let with_loops: Vec<Ident> = with_loops.map(|(name, _)| *name).collect();
    match with_loops[..] {
        [only] => Ok(only),
        [] => Err(format!("step '{step}' is refused: no function has loops")),
        _ => {
            let names = with_loops.iter().take(8).map(|&name| ctx.str(name));
            let names: Vec<String> = names.map(|name| format!("@{name}")).collect();
            Err(format!(
                "step '{step}' is refused: several functions have loops; say which one is meant by \
                 'in @name:' before the step ({})",
                names.join(", ")
            ))
        }
    }
}

/// Runs steps on a body, or leaves it as it is. Returns whether they rely on disjoint arguments.
fn run<'s>(
    ctx: &Context,
    body: &mut Body,
    globals: &Globals,
    steps: &[&'s PlacedStep],
) -> Result<bool, (&'s PlacedStep, StepRefusal)> {
    let before = body.clone();
    labels::attach(ctx, body);
    let mut relied = false;
    for &placed in steps {
        let start = format!("step '{}' is refused", placed.step);
        let target = Target {
            ctx,
            globals,
            start: &start,
        };
        match target.apply(body, &placed.step) {
            Ok(relies) => relied |= relies,
            Err(why) => {
                *body = before;
                return Err((placed, why));
            }
        }
        labels::number_duplicates(ctx, body);
    }
    labels::detach(ctx, body);
    Ok(relied)
}

/// Function under replay, with one of its steps.
struct Target<'a> {
    ctx: &'a Context,
    globals: &'a Globals,
    /// Start of refusal messages: "step 'reverse(i)' is refused".
    start: &'a str,
}

impl Target<'_> {
    /// Applies a step. Returns whether it relies on disjoint arguments.
    fn apply(&self, body: &mut Body, step: &Step) -> Result<bool, StepRefusal> {
        match step {
            Step::Tile(loops) => self.reorder(body, step, loops.iter().map(|(name, _)| name)),
            Step::Interchange(pair) => self.reorder(body, step, pair),
            Step::Permute(loops) => self.reorder(body, step, loops),
            Step::Skew { of, along, .. } => self.reorder(body, step, [of, along]),
            Step::Reverse(of) | Step::Shift { of, .. } => self.reorder(body, step, [of]),
            Step::Fuse([first, second]) => self.fuse(body, [first, second]),
            Step::Distribute(of) => self.distribute(body, of),
            Step::Split { of, at } => self.split(body, of, at),
            Step::Peel { of, count } => self.peel(body, of, *count),
            Step::Unroll { of, factor } => self.unroll(body, of, *factor),
            Step::UnrollJam { of, factor } => self.unroll_jam(body, of, *factor),
            Step::StripMine { of, sizes } => self.strip_mine(body, of, sizes),
            Step::Coalesce(of) => self.coalesce(body, of),
            Step::Normalize(of) => self.normalize(body, of),
            Step::Parallelize(of) => self.parallelize(body, of),
            Step::Privatize { of, inside } => self.privatize(body, of, inside.as_deref()),
        }
    }

    /// A refusal with a reason.
    fn refused(&self, why: impl std::fmt::Display) -> StepRefusal {
        let message = format!("{}: {why}", self.start);
        Box::new(Diagnostic::remark(Loc::UNKNOWN, message))
    }

    /// A refusal with a reason that is about a loop.
    fn refused_at(&self, body: &Body, op: OpId, why: impl std::fmt::Display) -> StepRefusal {
        Box::new(self.refused(why).with_note(body[op].loc, "the loop"))
    }

    /// Finds the loop with a label.
    fn find(&self, body: &Body, label: &str) -> Result<ForOp, StepRefusal> {
        let labelled = labels::labels(self.ctx, body);
        let Some(&(op, _)) = labelled.iter().find(|(_, known)| *known == label) else {
            let names: Vec<&str> = labelled.iter().map(|(_, label)| *label).collect();
            return Err(self.refused(match names[..] {
                [] => "there are no loops".to_owned(),
                _ => format!("there is no loop '{label}'; there are {}", names.join(", ")),
            }));
        };
        ForOp::cast(body, op).ok_or_else(|| {
            let kind = self.ctx.op_name_str(body[op].name);
            let why = format!("'{label}' is a loop of {kind}; steps are for affine.for");
            self.refused_at(body, op, why)
        })
    }

    /// Finds the loops with labels.
    fn find_all<'n>(
        &self,
        body: &Body,
        labels: impl IntoIterator<Item = &'n String>,
    ) -> Result<Vec<ForOp>, StepRefusal> {
        let labels = labels.into_iter();
        labels.map(|label| self.find(body, label)).collect()
    }

    /// The label of a loop that has been found by it.
    fn label(&self, body: &Body, op: ForOp) -> String {
        labels::label_of(self.ctx, body, op.0)
            .unwrap_or("loop")
            .to_owned()
    }
}
