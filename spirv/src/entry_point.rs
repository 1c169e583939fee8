//! Entry point of a kernel: the form that a function has to have, its declaration, and the limits of
//! the target.

use gridloom_dialects::inherent;
use gridloom_ir::body::OpData;
use gridloom_ir::diag::Diagnostic;
use gridloom_ir::{BlockId, Body, Context};
use rspirv::spirv::Word;

use crate::kernel::{Lowering, Shared};
use crate::platform::Limits;
use crate::target::{FpMode, Profile};
use crate::{EntryPoint, float_controls};

/// Returns the body of a kernel and its only block.
pub(crate) fn only_block(func: &OpData) -> Result<(&Body, BlockId), &'static str> {
    let body = func.isolated();
    let (body, entry) = body
        .and_then(|body| Some((body, body.entry()?)))
        .ok_or("a kernel needs a body")?;
    let region = body.regions().first();
    match region.is_some_and(|&region| body[region].blocks.len() > 1) {
        true => {
            Err("a kernel of several blocks cannot be lowered: use structured control flow (scf)")
        }
        false => Ok((body, entry)),
    }
}

/// Ends a function and makes it an entry point, with the float modes that it computes in.
pub(crate) fn declare_entry(
    shared: &mut Shared<'_>,
    function: Word,
    entry: &EntryPoint,
    inputs: &[Word],
) -> Result<(), String> {
    let floats = shared.e.floats;
    let (e, env) = (&mut shared.e, shared.env);
    e.ret();
    e.end_function();
    e.name(function, &entry.name);
    e.entry_point(function, &entry.name, inputs, entry.workgroup_size);
    if env.fp == FpMode::Strict {
        float_controls::declare(e, function, floats, &env.float_controls)?;
    } else if env.keep_specials && env.profile == Profile::Native {
        float_controls::declare_specials(e, function, floats, &env.float_controls);
    }
    Ok(())
}

/// Checks a kernel against the limits of its target.
pub(crate) fn within_limits(entry: &EntryPoint, limits: &Limits) -> Result<(), String> {
    let beyond = |what: String, most: u64| {
        Err(format!(
            "the kernel has {what}, and the target guarantees {most} only"
        ))
    };
    let more_threads = |what: String, most: u32| {
        Err(format!(
            "the kernel has {what}, and the target guarantees {most} only: launch more workgroups of fewer threads"
        ))
    };
    let size = entry.workgroup_size;
    let along = size.iter().zip(limits.workgroup_size).zip(["x", "y", "z"]);
    for ((&size, most), name) in along {
        if size > most {
            return more_threads(format!("{size} threads along {name}"), most);
        }
    }
    let threads = threads_of(size);
    if threads > u64::from(limits.threads) {
        return more_threads(format!("{threads} threads in a workgroup"), limits.threads);
    }
    if entry.workgroup_bytes > u64::from(limits.workgroup_bytes) {
        let bytes = entry.workgroup_bytes;
        return beyond(
            format!("{bytes} bytes of workgroup memory"),
            limits.workgroup_bytes.into(),
        );
    }
    let faults = usize::from(entry.abi.fault_binding.is_some());
    let buffers = entry.abi.buffers.len() + faults;
    if buffers as u64 > u64::from(limits.storage_buffers) {
        let what = match faults {
            0 => format!("{buffers} storage buffers"),
            _ => format!("{buffers} storage buffers, one of which records faults"),
        };
        return beyond(what, limits.storage_buffers.into());
    }
    Ok(())
}

/// The number of threads of a workgroup; the greatest number where it is beyond 64 bits.
pub(crate) fn threads_of(workgroup_size: [u32; 3]) -> u64 {
    let sizes = workgroup_size.map(u64::from);
    sizes.into_iter().fold(1, u64::saturating_mul)
}

/// The workgroup size that `known_block_size` promises.
pub(crate) fn workgroup_size(ctx: &Context, func: &OpData) -> Lowering<[u32; 3]> {
    let sizes = inherent::known_block_size(ctx, func)
        .filter(|sizes| sizes.iter().all(|&size| size >= 1))
        .map(|sizes| sizes.map(|size| size as u32));
    sizes.ok_or_else(|| {
        Box::new(Diagnostic::error(
            func.loc,
            "the workgroup size of a kernel must be known when it is compiled: \
             give it `known_block_size = array<i32: x, y, z>`, each at least 1",
        ))
    })
}
