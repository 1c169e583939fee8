//! Roofline: the greatest arithmetic and copy rates of a device, measured.

use std::time::Duration;

use gridloom_gpu_runtime::Device;

use super::{launch, stream};
use crate::bench::kernel::{Fill, Tolerance};
use crate::bench::peer::{Loaded, Peer, Plan};
use crate::bench::report::Roofline;
use crate::bench::sample::{Times, interleaved};

/// Steps of each thread.
const STEPS: u32 = 4096;

/// Floats that multiply-adds begin from.
const COUNT: usize = 1 << 16;

/// Floats that are copied.
const LENGTH: usize = 1 << 24;

/// Multiply-adds in registers.
const FMA: Peer = Peer {
    shader: include_str!("../../../shaders/bench/peak_fma.wgsl"),
    plan: |shapes| Plan {
        constants: vec![("STEPS", STEPS)],
        launches: vec![launch("main", [shapes[0][0] / 32, 1, 1], &[0])],
        ..Plan::default()
    },
};

/// Measures the peaks of a device, within `budget` for each.
///
/// # Errors
/// The device failed, or computed wrong results.
pub fn roofline(device: &Device, budget: Duration) -> Result<Roofline, String> {
    let mut values = [Fill::Random.array(vec![COUNT], 1)];
    let loaded = Loaded::new(device, "peak_fma", &FMA, &values)?;
    let mut run = || loaded.run();
    let times = interleaved(&mut [&mut run], budget)?;
    loaded.read(&mut values)?;
    let [result] = &values;
    let mut want = result.clone();
    want.floats_mut().fill(2.0);
    if let Some(difference) = Tolerance::relative(1e-6).difference(result, &want) {
        return Err(format!("peak of multiply-adds: wrong result: {difference}"));
    }
    // A vector of four a thread, eight of them in registers, two operations each.
    let flops = (COUNT as f64 / 4.0) * f64::from(STEPS) * 8.0 * 4.0 * 2.0;
    let best = |times: &[Times]| times.first().map_or(f64::NAN, |t| t.best);
    let flops = flops / best(&times);

    let mut arrays = [Fill::Random, Fill::Zeros].map(|fill| fill.array(vec![LENGTH], 1));
    let loaded = Loaded::new(device, "copy", &stream::COPY.peer, &arrays)?;
    let mut run = || loaded.run();
    let times = interleaved(&mut [&mut run], budget)?;
    loaded.read(&mut arrays)?;
    let [from, to] = &arrays;
    if let Some(difference) = Tolerance::relative(0.0).difference(to, from) {
        return Err(format!("peak of copying: wrong result: {difference}"));
    }
    Ok(Roofline {
        flops,
        bytes: (LENGTH * 8) as f64 / best(&times),
    })
}
