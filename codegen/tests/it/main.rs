//! Tests of the analyses and transformations on whole programs.

mod dependence;
mod nests;
mod programs;
