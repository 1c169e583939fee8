//! Time that an argument of 64 MiB takes on the host: from the bytes of an `.npy` file to the
//! memory of a run, from where a device is sent them as they are, and back.
//!
//! ```sh
//! cargo run --release --example argument_time
//! ```

use std::time::{Duration, Instant};

use gridloom::npy::{self, Dtype};
use gridloom::{DeviceWish, Program, RunOptions, Session, SessionOptions};

const PROGRAM: &str = "func.func @nothing(%x: memref<16777216xf32>) { return }";

/// Elements of the argument: 64 MiB of single precision.
const COUNT: usize = 1 << 24;

/// Runs of which the least time counts.
const RUNS: usize = 15;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let ctx = gridloom::context();
    let module = gridloom::parse(&ctx, "nothing.mlir", PROGRAM.as_bytes());
    let module = module.map_err(|found| found.render(&ctx))?;
    let program = Program::compile(&ctx, module, None, None);
    let program = program.map_err(|found| found.render(&ctx))?;
    let session = Session::open(&DeviceWish::Cpu, SessionOptions::default())?;
    let float = Dtype {
        kind: b'f',
        size: 4,
    };
    let mut file = npy::header(float, &[COUNT as i64]);
    file.extend((0..COUNT).flat_map(|at| (at as f32).to_le_bytes()));

    let specs = ["@x.npy".parse()?];
    let mut least = [Duration::MAX; 3];
    for _ in 0..RUNS {
        let mut bytes = Some(file.clone());
        let start = Instant::now();
        let inputs = program.inputs(&specs, |_| bytes.take().ok_or_else(String::new))?;
        let read = start.elapsed();
        let start = Instant::now();
        let times = program.with_resident(&session, &inputs, &RunOptions::default(), |resident| {
            let place = start.elapsed();
            let start = Instant::now();
            let left = resident.arguments()?;
            let take = start.elapsed();
            assert_eq!(left, inputs, "nothing changes them");
            Ok([place, take])
        });
        let [place, take] = times.map_err(|fault| fault.to_diagnostic().render(&ctx))?;
        for (least, time) in least.iter_mut().zip([read, place, take]) {
            *least = time.min(*least);
        }
    }
    let [read, place, take] = least.map(|time| time.as_secs_f64() * 1e3);
    println!("64 MiB: file to argument {read:.1} ms, to memory {place:.1} ms, back {take:.1} ms");
    Ok(())
}
