//! Tests of the analyses and transformations on whole programs.

mod dependence;
mod files;
mod folding;
mod machine;
mod mapping;
mod nests;
mod programs;
