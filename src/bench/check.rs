//! Correctness check of one kernel, without timing.

use std::time::Duration;

use super::kernel::Kernel;
use super::measure::Options;
use super::subject::{Subject, fault_text};
use crate::compare::{Tolerance, first_difference};
use crate::spirv::FpMode;
use crate::{RunOptions, Session};

/// Checks a kernel against its reference. In strict mode, the program as written runs on the
/// interpreter, too, where that is fast: no bit may differ, since strict mode regroups nothing.
///
/// # Errors
/// The wrong result, or the reason why the kernel cannot run.
pub fn check(kernel: &Kernel, session: &Session, options: &Options) -> Result<(), String> {
    let ctx = gridloom_dialects::context();
    let subject = Subject::new(&ctx, kernel, options)?;
    let program = subject.compile(&session.offload_options())?;
    let inputs = subject.values(&program)?;
    let (want, _) = subject.reference(Duration::ZERO);
    let mapped = program
        .run(session, &inputs)
        .map_err(|fault| fault_text(&ctx, &fault))?;
    subject.check(&subject.arrays_of(&mapped.arguments), &want)?;
    if session.options().fp != FpMode::Strict || !options.size.is_small() {
        return Ok(());
    }
    let written = program.run_reference(&inputs, &RunOptions::default());
    let written = written.map_err(|fault| fault_text(&ctx, &fault))?;
    match first_difference(&mapped, &written, Tolerance::Exact) {
        Some(difference) => Err(format!(
            "the mapped program differs from the program as written: {difference}"
        )),
        None => Ok(()),
    }
}
