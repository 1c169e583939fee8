//! Time that an argument of 64 MiB takes on the host: from an `.npy` file to what a device is sent,
//! and from what it has written to the file of a result.
//!
//! ```sh
//! cargo run --release --example argument_time -- llvmpipe
//! ```

use std::io::Write;
use std::time::{Duration, Instant};

use gridloom::npy::{self, Dtype};
use gridloom::{DeviceWish, Program, RunOptions, Session, SessionOptions};

/// Doubles what it is given, on the device.
const PROGRAM: &str = "
func.func @double(%x: memref<16777216xf32>) {
  affine.for %i = 0 to 16777216 {
    %v = affine.load %x[%i] : memref<16777216xf32>
    %w = arith.addf %v, %v : f32
    affine.store %w, %x[%i] : memref<16777216xf32>
  }
  return
}";

/// Elements of the argument: 64 MiB of single precision.
const COUNT: usize = 1 << 24;

/// Runs of which the least time counts.
const RUNS: usize = 15;

/// What is timed, in the order of the times.
const STEPS: [&str; 6] = [
    "file to bytes",
    "bytes to argument",
    "argument to memory",
    "upload and run",
    "download and back",
    "result to file",
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let ctx = gridloom::context();
    let module = gridloom::parse(&ctx, "double.mlir", PROGRAM.as_bytes());
    let module = module.map_err(|found| found.render(&ctx))?;
    let name = std::env::args().nth(1);
    let wish = DeviceWish::from(name.as_deref().unwrap_or("auto"));
    let session = Session::open(&wish, SessionOptions::default())?;
    let offload = session.offload_options();
    let program = Program::compile(&ctx, module, None, Some(&offload));
    let program = program.map_err(|found| found.render(&ctx))?;
    let float = Dtype {
        kind: b'f',
        size: 4,
    };
    let folder = std::env::temp_dir();
    let [given, taken] = ["given", "taken"]
        .map(|name| folder.join(format!("gridloom-{name}-{}.npy", std::process::id())));
    let mut file = npy::header(float, &[COUNT as i64]);
    file.extend((0..COUNT).flat_map(|at| (at as f32).to_le_bytes()));
    std::fs::write(&given, file)?;

    let specs = ["@x.npy".parse()?];
    let mut least = [Duration::MAX; STEPS.len()];
    for _ in 0..RUNS {
        let mut times = Vec::new();
        let mut start = Instant::now();
        let mut lap = |times: &mut Vec<Duration>| {
            times.push(start.elapsed());
            start = Instant::now();
        };
        let mut bytes = Some(std::fs::read(&given)?);
        lap(&mut times);
        let inputs = program.inputs(&specs, |_| bytes.take().ok_or_else(String::new))?;
        lap(&mut times);
        let ran = program.with_resident(&session, &inputs, &RunOptions::default(), |resident| {
            lap(&mut times);
            resident.run()?;
            lap(&mut times);
            let left = resident.arguments()?;
            lap(&mut times);
            Ok(left)
        });
        let left = ran.map_err(|fault| fault.to_diagnostic().render(&ctx))?;
        let mut out = std::fs::File::create(&taken)?;
        out.write_all(&left[0].npy_header()?)?;
        out.write_all(left[0].elements.bytes())?;
        lap(&mut times);
        assert_eq!(left[0].show_element(3).as_deref(), Some("6"));
        for (least, time) in least.iter_mut().zip(times) {
            *least = time.min(*least);
        }
    }
    std::fs::remove_file(given)?;
    std::fs::remove_file(taken)?;
    println!(
        "64 MiB on {}, the least of {RUNS} times:",
        session.describe()
    );
    for (step, time) in STEPS.iter().zip(least) {
        println!("{step}: {:.1} ms", time.as_secs_f64() * 1e3);
    }
    Ok(())
}
