//! Lowering of gpu.module to SPIR-V, kernel ABI, target environments and validation.
