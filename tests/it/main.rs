//! Tests of whole programs.

mod cli;
mod examples;
mod mutants;
mod reference;
mod sources;
