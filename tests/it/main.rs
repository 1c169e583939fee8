//! Tests of whole programs.

mod examples;
mod reference;
mod sources;
