//! The gridloom command line.

mod cli;

/// The heap. Compilation makes and drops many small objects on several threads, for which the
/// allocator of the C library takes a fifth of its time.
#[cfg(feature = "mimalloc")]
#[global_allocator]
static HEAP: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    cli::main()
}
