//! The processor that a software driver runs kernels on.

/// The vendor of the processor, as it names itself (`GenuineIntel`, `AuthenticAMD`); empty where it does not.
#[cfg(target_arch = "x86_64")]
pub(crate) fn vendor() -> String {
    let leaf = std::arch::x86_64::__cpuid(0);
    let letters = [leaf.ebx, leaf.edx, leaf.ecx].map(u32::to_le_bytes);
    String::from_utf8_lossy(letters.as_flattened()).into_owned()
}

/// The vendor of the processor: empty, since only x86 processors name themselves to programs.
#[cfg(not(target_arch = "x86_64"))]
pub(crate) fn vendor() -> String {
    String::new()
}
