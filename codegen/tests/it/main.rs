//! Tests of the analyses and transformations on whole programs.

mod callee;
mod canonical;
mod dependence;
mod files;
mod folding;
mod inlining;
mod machine;
mod mapping;
mod nests;
mod programs;
mod raising;
mod rewriting;
mod threads;
mod tuning;
mod wrapping;
