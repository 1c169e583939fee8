//! Roofline: the greatest arithmetic and copy rates of a device, measured.

use std::time::{Duration, Instant};

use gridloom_gpu_runtime::Device;

use super::{launch, stream};
use crate::bench::kernel::{Fill, Tolerance};
use crate::bench::peer::{Loaded, Peer, Plan};
use crate::bench::report::{Costs, Roofline};
use crate::bench::sample::{Times, interleaved, sampled};

/// Multiply-adds of each thread.
const STEPS: u32 = 4096;

/// Number of floats that multiply-adds begin from, on drivers that run kernels on the CPU and on
/// GPUs, which take more threads.
const COUNT: usize = 1 << 16;
const COUNT_ON_GPU: usize = 1 << 20;

/// Number of floats that are copied, likewise; the caches of GPUs would hold a smaller array.
const LENGTH: usize = 1 << 24;
const LENGTH_ON_GPU: usize = 1 << 27;

/// Multiply-adds in registers, on drivers that run kernels on the CPU and on GPUs.
const FMA: Peer = Peer {
    shader: include_str!("../../../shaders/bench/peak_fma.wgsl"),
    plan: fma_by::<8>,
};
const FMA_ON_GPU: Peer = Peer {
    plan: fma_by::<256>,
    ..FMA
};

/// Plan of multiply-adds in workgroups of `LANES` threads.
fn fma_by<const LANES: u32>(shapes: &[Vec<u32>]) -> Plan {
    let groups = shapes[0][0] / 4 / LANES;
    Plan {
        constants: vec![("STEPS", STEPS), ("LANES", LANES)],
        launches: vec![launch("main", [groups, 1, 1], &[0])],
        ..Plan::default()
    }
}

/// Measures the peaks of a device, within `budget` for each.
///
/// # Errors
/// The device failed, or computed wrong results.
pub fn roofline(device: &Device, budget: Duration) -> Result<Roofline, String> {
    let (fma, copy, count, length) = match device.info().is_software() {
        true => (&FMA, &stream::COPY_BY_HAND, COUNT, LENGTH),
        false => (
            &FMA_ON_GPU,
            &stream::COPY_ON_GPU,
            COUNT_ON_GPU,
            LENGTH_ON_GPU,
        ),
    };
    let mut values = [Fill::Random.array(vec![count], 1)];
    let loaded = Loaded::new(device, "peak_fma", fma, &values)?;
    let mut run = sampled(|count| loaded.run_in_a_row(count));
    device.warm_up().map_err(|error| error.to_string())?;
    let times = interleaved(&mut [&mut run], budget)?;
    loaded.read(&mut values)?;
    let [result] = &values;
    let mut want = result.clone();
    want.floats_mut().fill(2.0);
    if let Some(difference) = Tolerance::relative(1e-6).difference(result, &want) {
        return Err(format!("peak of multiply-adds: wrong result: {difference}"));
    }
    // Each thread has a vector of four, eight times in registers, with two operations each.
    let flops = (count as f64 / 4.0) * f64::from(STEPS) * 8.0 * 4.0 * 2.0;
    let best = |times: &[Times]| times.first().map_or(f64::NAN, |t| t.best);
    let flops = flops / best(&times);

    let mut arrays = [Fill::Random, Fill::Zeros].map(|fill| fill.array(vec![length], 1));
    let loaded = Loaded::new(device, "copy", copy, &arrays)?;
    let mut run = sampled(|count| loaded.run_in_a_row(count));
    device.warm_up().map_err(|error| error.to_string())?;
    let times = interleaved(&mut [&mut run], budget)?;
    loaded.read(&mut arrays)?;
    let [from, to] = &arrays;
    if let Some(difference) = Tolerance::relative(0.0).difference(to, from) {
        return Err(format!("peak of copying: wrong result: {difference}"));
    }
    Ok(Roofline {
        flops,
        bytes: (length * 8) as f64 / best(&times),
        costs: Some(costs(device, budget)?),
    })
}

/// Number of launches in a row.
const LAUNCHES: usize = 256;

/// Measures launches and transfers, within `budget` for each.
fn costs(device: &Device, budget: Duration) -> Result<Costs, String> {
    let arrays = [Fill::Random, Fill::Zeros].map(|fill| fill.array(vec![32], 1));
    let loaded = Loaded::new(device, "copy", &stream::COPY_BY_HAND, &arrays)?;
    let mut one = || loaded.run();
    let mut many = || loaded.run_in_a_row(LAUNCHES);
    let times = interleaved(&mut [&mut one, &mut many], budget)?;
    let best = |times: &[Times], at: usize| times.get(at).map_or(f64::NAN, |t| t.best);
    let launches = [best(&times, 0), best(&times, 1) / LAUNCHES as f64];

    let words = |error: gridloom_gpu_runtime::Error| error.to_string();
    let sent = Fill::Random.array(vec![LENGTH], 1).bytes();
    let mut got = vec![0; sent.len()];
    let buffer = device.buffer(sent.len() as u64).map_err(words)?;
    let mut up = || {
        let start = Instant::now();
        device.upload(&buffer, 0, &sent).map_err(words)?;
        device.wait().map_err(words)?;
        Ok(start.elapsed())
    };
    let mut down = || {
        let start = Instant::now();
        device.download(&buffer, 0, &mut got).map_err(words)?;
        Ok(start.elapsed())
    };
    let times = interleaved(&mut [&mut up, &mut down], budget)?;
    if got != sent {
        return Err("the downloaded bytes differ from the uploaded ones".to_owned());
    }
    Ok(Costs {
        launch: launches[0],
        launch_in_a_row: launches[1],
        upload: sent.len() as f64 / best(&times, 0),
        download: sent.len() as f64 / best(&times, 1),
    })
}
