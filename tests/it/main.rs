//! Tests of whole programs.

mod bench;
mod cli;
mod examples;
mod explain;
mod foreign;
mod mutants;
mod own_dialect;
mod polybench;
mod operations;
mod reference;
mod sources;
