//! Time from the kernels of a module in memory to the words of one SPIR-V module, per kernel.
//!
//! ```sh
//! cargo xtask bench-kernels     # leaves target/bench-kernels/mapped-6000.mlir
//! cargo run --release --example emission_time target/bench-kernels/mapped-*.mlir
//! ```

use gridloom::spirv::{self, TargetEnv};
use std::time::{Duration, Instant};

/// Runs of which the least time counts.
const RUNS: usize = 5;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let env = TargetEnv::default();
    for file in std::env::args().skip(1) {
        let ctx = gridloom::context();
        let text = std::fs::read(&file)?;
        let module = gridloom::parse(&ctx, &file, &text).map_err(|found| found.render(&ctx))?;
        let mut least = Duration::MAX;
        let (mut kernels, mut words) = (0, 0);
        for _ in 0..RUNS {
            let start = Instant::now();
            let compiled = spirv::compile_all(&ctx, &module, &env);
            least = least.min(start.elapsed());
            let compiled = compiled.map_err(|found| found.render(&ctx))?;
            (kernels, words) = (compiled.entries.len(), compiled.words.len());
        }
        let [whole, each] = [1e3, 1e6 / kernels.max(1) as f64].map(|by| least.as_secs_f64() * by);
        println!(
            "{file}: {kernels} kernels, {:.1} MB of SPIR-V in {whole:.0} ms, {each:.0} µs a kernel",
            words as f64 * 4e-6
        );
    }
    Ok(())
}
