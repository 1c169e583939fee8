//! Assertions: `cf.assert` as a fault of the launch.

use gridloom_dialects::{cf, gpu, inherent};
use gridloom_ir::{OpId, OpName};

use crate::abi::FaultSite;
use crate::kernel::{Kernel, Lowering};

/// Lowers `cf.assert`, whether accesses are guarded or not.
///
/// ```text
/// cf.assert %c, "why"; rest  ⇒  if %c { rest } else { record the site; return }
/// ```
///
/// The thread ends there, so that what the assertion kept from happening, such as a loop without
/// end, does not happen. Where threads wait for each other, one that ends leaves others waiting:
/// such kernels are refused.
pub(crate) fn lower(k: &mut Kernel<'_>, op: OpId, name: OpName) -> Lowering<bool> {
    if name != cf::ASSERT {
        return Ok(false);
    }
    let waits = |&op: &OpId| k.body[op].name == gpu::BARRIER;
    if k.body.walk().iter().any(waits) {
        return Err(k.refuse(
            op,
            "'cf.assert' has no lowering to SPIR-V in a kernel with barriers, since a thread that \
             ends leaves others waiting: run it on the host, or assert before the launch",
        ));
    }
    let message = k.body[op].get(k.ctx, inherent::MSG);
    let site = FaultSite {
        loc: k.body[op].loc,
        assertion: Some(message.unwrap_or_default().to_owned()),
    };
    let condition = k.word(op, 0)?;
    let [failed, merge] = [(); 2].map(|()| k.e.id());
    k.e.selection_merge(merge);
    k.e.branch_if(condition, merge, failed);
    k.e.begin_block(failed);
    k.record_fault(site);
    k.report_faults();
    k.e.ret();
    k.e.begin_block(merge);
    Ok(true)
}
