//! The same programs every time, through everything.

use std::time::Duration;

use gridloom_fuzz::campaign::{self, Plan, Tally};
use gridloom_fuzz::device;

fn plan(programs: u64) -> Plan {
    Plan {
        seed: 1,
        programs,
        sequences: 2,
        minimise: true,
        enough: 3,
        // Nothing is timed in a test; what hangs is to end some day.
        patience: Duration::from_secs(900),
        every: false,
        only_schedules: false,
        passes: Vec::new(),
        dependences: true,
    }
}

fn nothing_found(tally: &Tally) {
    let reports: Vec<String> = tally
        .findings
        .values()
        .map(campaign::Finding::report)
        .collect();
    assert!(reports.is_empty(), "{}", reports.join("\n"));
    assert!(
        tally.programs > tally.dropped * 10,
        "too many programs have no meaning: {} of {}",
        tally.dropped,
        tally.programs + tally.dropped
    );
}

#[test]
fn passes_keep_what_programs_compute() {
    let tally = campaign::run(&plan(150), None, &mut |_| {});
    nothing_found(&tally);
    assert!(tally.pairs > 2000);
    assert!(tally.steps.applied > 200, "{:?}", tally.steps);
}

/// A driver by a part of its name.
fn on_driver(name: &str, kernels: u64) {
    let session = device::open(name).unwrap_or_else(|why| {
        panic!("{why}; run under `cargo xtask test`, or set what `cargo xtask env` says")
    });
    let tally = campaign::run(&plan(60), Some(&session), &mut |_| {});
    nothing_found(&tally);
    assert!(tally.launched >= kernels, "{} with kernels", tally.launched);
}

#[test]
fn lavapipe_computes_what_programs_say() {
    on_driver("llvmpipe", 20);
}

#[test]
fn swiftshader_computes_what_programs_say() {
    // It takes neither floats, for strict arithmetic, nor integers of 64 bits.
    on_driver("SwiftShader", 3);
}
