//! The text form and the verifier against the outside: files of the
//! repository and `mlir-opt`.

mod errors;
mod mlir_opt;
mod roundtrip;
mod verify;
