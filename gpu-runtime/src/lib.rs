//! Devices, buffers, copies, kernel cache and launches through wgpu.
