//! Tests of whole programs.

mod examples;
mod mutants;
mod reference;
mod sources;
