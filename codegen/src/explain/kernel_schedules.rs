//! Schedules of the nests that become kernels: a dry run of the mapping.

use gridloom_ir::{Body, Context, Diagnostics, Loc, Module, OpId};

use crate::offload::plans_of;
use crate::offload::reasons::{Reasons, reasons};
use crate::offload::space::{Space, space};
use crate::pass::offload::stages_until;
use crate::target::OffloadOptions;

/// Schedule report on a nest that becomes a kernel.
#[derive(Clone, Debug)]
pub struct NestReport {
    /// Location of the outermost loop, which the launch has, too.
    pub loc: Loc,
    /// The counters of the grid, outermost first: the location of the loop, and the dimension.
    pub loops: Vec<(Loc, char)>,
    /// The schedule and its reasons.
    pub reasons: Reasons,
}

/// The schedules of all nests, functions in order, each with the result of `of` on the nest as it
/// is mapped.
///
/// # Errors
/// The errors of a pass that fails.
pub fn schedules<R: Send>(
    ctx: &Context,
    module: &Module,
    options: &OffloadOptions,
    of: impl Fn(&Body, OpId) -> R + Sync,
) -> Result<Vec<(NestReport, R)>, Diagnostics> {
    let mut module = before_mapping(ctx, module, options)?;
    let found = plans_of(ctx, &mut module, options, |deps, plan| {
        let body = deps.values.body;
        let root = plan.band[0].counter.op;
        let mut loops = Vec::new();
        for (k, l) in plan.band.iter().enumerate() {
            let mut dims = ['x', 'y', 'z'].into_iter().zip(&plan.dims);
            let dim = dims.find(|(_, loops)| loops.contains(&k));
            loops.push((body[l.counter.op].loc, dim.map_or('x', |(name, _)| name)));
        }
        let report = NestReport {
            loc: body[root].loc,
            loops,
            reasons: reasons(deps, plan, options),
        };
        (report, of(body, root))
    });
    Ok(found.into_iter().flat_map(|found| found.nests).collect())
}

/// The search space of each nest's schedules, functions in order.
///
/// # Errors
/// The errors of a pass that fails.
pub fn spaces(
    ctx: &Context,
    module: &Module,
    options: &OffloadOptions,
) -> Result<Vec<Space>, Diagnostics> {
    let mut module = before_mapping(ctx, module, options)?;
    let found = plans_of(ctx, &mut module, options, |deps, plan| {
        space(deps, plan, options)
    });
    Ok(found.into_iter().flat_map(|found| found.nests).collect())
}

/// The program in front of the mapping pass.
fn before_mapping(
    ctx: &Context,
    module: &Module,
    options: &OffloadOptions,
) -> Result<Module, Diagnostics> {
    let mut module = module.clone();
    stages_until("affine-map-to-gpu", options).run(ctx, &mut module, &mut ())?;
    Ok(module)
}
