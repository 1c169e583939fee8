//! Entry point of the gridloom command line.

mod cli;

/// Global allocator. Compilation allocates and frees many small objects on several threads, for
/// which the C library's allocator takes a fifth of its time.
#[cfg(feature = "mimalloc")]
#[global_allocator]
static HEAP: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    cli::main()
}
