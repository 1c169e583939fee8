//! The text form and the verifier against the outside: files of the
//! repository and `mlir-opt`.

mod mlir_opt;
mod roundtrip;
mod verify;
