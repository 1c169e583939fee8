//! A short run of the whole-road fuzzer, and what its own parts promise.
//! `fuzz/README.md` says how to make it a long one.

mod dependences;
mod oracle;
mod short;
