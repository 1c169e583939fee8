//! `gpu.binary`: kernels compiled ahead of time, embedded in the module of the program that
//! launches them.
//!
//! ```text
//! gpu.module @m {                    gpu.binary @m [
//!   gpu.func @k(…) kernel { … }   ⇔    #gpu.object<#spirv.target_env<…>, kernels = <…>, bin = "…">,
//! }                                    #gpu.object<#spirv.target_env<…>, offload = "…">]
//! ```
//!
//! The first object is SPIR-V, for any runtime of Vulkan. The second is the `gpu.module` itself as
//! bytecode, from which [`extract`] restores it: a run proves from it that indices fit 32 bits,
//! compiles variants of a kernel for its device (arguments that share a buffer, a part of a grid),
//! and runs on the host kernels that the device does not support. Words from a file never reach a
//! driver, which invalid words could crash; emitting them again takes about 0.1 ms for each kernel.

mod embed;
mod extract;

pub use embed::embed;
pub use extract::extract;

/// Name of the object property that holds the digest of its bytes.
const DIGEST: &str = "gridloom.fnv1a";

/// Number of the object format `offload`: a form to be compiled further.
const OFFLOAD: i64 = 1;
/// Number of the object format `bin`: machine code of the target.
const BIN: i64 = 3;

/// Digest of an object's bytes, 64 bits of FNV-1a (Fowler, Noll, Vo; RFC 9923), as 16 digits: every
/// step is a bijection of the state, so one byte that differs is always found. It detects damage;
/// it is no signature.
fn digest(bytes: &[u8]) -> String {
    const BASIS: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0000_0100_0000_01b3;
    let step = |state: u64, &byte: &u8| (state ^ u64::from(byte)).wrapping_mul(PRIME);
    format!("{:016x}", bytes.iter().fold(BASIS, step))
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_digest_is_fnv1a() {
        // Test vectors of the RFC's draft, appendix C.
        assert_eq!(super::digest(b""), "cbf29ce484222325");
        assert_eq!(super::digest(b"a"), "af63dc4c8601ec8c");
        assert_eq!(super::digest(b"foobar"), "85944171f73967e8");
    }
}
