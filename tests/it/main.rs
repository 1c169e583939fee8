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
mod sources;
mod specialization;
mod targets;
mod tuned_schedules;
mod tuning;
mod two_devices;
