//! Tests of whole programs.

mod arrays;
mod bench;
mod binary;
mod circles;
mod cli;
mod examples;
mod explain;
mod foreign;
mod golden;
mod gpu_mapping;
mod layouts;
mod mutants;
mod operations;
mod own_dialect;
mod parallel_loops;
mod polybench;
mod printing;
mod reference;
mod reflection;
mod rule_pages;
mod runner_functions;
mod saved_kernels;
mod sources;
mod specialization;
mod targets;
mod time_limit;
mod tuned_schedules;
mod tuning;
mod two_devices;

use std::fs;
use std::path::{Path, PathBuf};

/// A folder of one test's own, empty, below the build's.
fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    // It may not be there.
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("the folder can be made");
    folder
}
