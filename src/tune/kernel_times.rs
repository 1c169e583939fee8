//! Kernel times of a run, measured by the device's clock.

use gridloom_dialects::func;
use gridloom_dialects::gpu::{self, LaunchFuncOp};
use gridloom_gpu_runtime::{Device, Timed};
use gridloom_interp::Fault;
use gridloom_ir::{Attr, AttrKind, Context, Loc, Module};

use super::Failure;
use crate::Outcome;

/// Kernel of a run, with the total device time of its launches.
#[derive(Clone, PartialEq, Debug)]
pub struct KernelTime {
    /// Name of the kernel.
    pub name: String,
    /// Location of the nest that the kernel was made from.
    pub loc: Loc,
    /// Number of launches, and number of timed ones.
    pub launches: [u64; 2],
    /// Seconds of the timed launches.
    pub seconds: f64,
}

/// Measures the kernels of a run, in the order of their first launches. Times are missing where the
/// device has no readable clock.
///
/// # Errors
/// The run failed.
pub fn seconds_of_kernels(
    ctx: &Context,
    device: &Device,
    run: impl FnOnce() -> Result<Outcome, Fault>,
) -> Result<Vec<KernelTime>, Failure> {
    let failed = |e: gridloom_gpu_runtime::Error| Failure::Device(e.to_string());
    device.warm_up().map_err(failed)?;
    device.set_profiling(true);
    let outcome = run();
    let profile = device.take_timeline();
    device.set_profiling(false);
    let (outcome, profile) = (outcome?, profile.map_err(failed)?);
    let mut kernels: Vec<KernelTime> = (outcome.launches.iter())
        .map(|launch| KernelTime {
            name: kernel_name(ctx, launch.kernel).to_owned(),
            loc: launch.loc,
            launches: [launch.count, 0],
            seconds: 0.0,
        })
        .collect();
    for command in &profile.commands {
        let (Timed::Launch { kernel, .. }, Some(span)) = (&command.command, command.span) else {
            continue;
        };
        if let Some(known) = kernels.iter_mut().find(|known| known.name == *kernel) {
            known.launches[1] += 1;
            known.seconds += span.time.as_secs_f64();
        }
    }
    Ok(kernels)
}

/// Sorts the kernels of a run in module order, and adds those that the run did not launch.
pub fn in_order_of_module(
    ctx: &Context,
    module: &Module,
    mut timed: Vec<KernelTime>,
) -> Vec<KernelTime> {
    let mut all: Vec<KernelTime> = Vec::new();
    for (_, function) in module.ops().filter(|(_, op)| op.name == func::FUNC) {
        let Some(body) = function.isolated() else {
            continue;
        };
        for op in body.walk() {
            if body[op].name != gpu::LAUNCH_FUNC {
                continue;
            }
            let name = kernel_name(ctx, LaunchFuncOp(op).kernel(ctx, body));
            if all.iter().any(|known| known.name == name) {
                continue;
            }
            let launched = timed.iter().position(|kernel| kernel.name == name);
            all.push(match launched {
                Some(place) => timed.remove(place),
                None => KernelTime {
                    name: name.to_owned(),
                    loc: body[op].loc,
                    launches: [0, 0],
                    seconds: 0.0,
                },
            });
        }
    }
    all.extend(timed);
    all
}

/// Last component of a kernel's symbol.
pub fn kernel_name(ctx: &Context, kernel: Attr) -> &str {
    match kernel.kind(ctx) {
        AttrKind::Symbol { root, nested } => ctx.str(*nested.last().unwrap_or(root)),
        _ => "?",
    }
}
