//! How long launches took, by the device's clock and the host's.

use std::time::{Duration, Instant};

use crate::error::Result;
use crate::features::FeatureSet;
use crate::gpu::Gpu;
use crate::mapping::{Mapping, readable};
use crate::recorder::Command;

/// What was measured since profiling began or the last profile was taken.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Profile {
    /// Every dispatch, in order.
    pub launches: Vec<LaunchTime>,
    /// Command buffers handed to the device.
    pub submissions: u64,
    /// Host time from the first submission after a wait to the end of the next wait, summed. The
    /// first launch of a kernel includes its compilation on most drivers.
    pub wall: Duration,
}

/// One dispatch of a profile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LaunchTime {
    /// The kernel's name.
    pub kernel: String,
    /// Workgroups along x, y and z.
    pub grid: [u32; 3],
    /// Time on the device; `None` without [`FeatureSet::TIMESTAMPS`].
    pub device_time: Option<Duration>,
}

/// Bytes of one timestamp.
const STAMP_BYTES: u64 = 8;

/// Collects a [`Profile`]. Off at first: timing takes a pass for every launch.
#[derive(Debug, Default)]
pub(crate) struct Profiler {
    enabled: bool,
    profile: Profile,
    busy_since: Option<Instant>,
    /// The submission being encoded.
    queries: Option<wgpu::QuerySet>,
    /// Stamps of submissions that were not waited for, with the place of their first launch in
    /// the profile.
    unread: Vec<(usize, wgpu::Buffer)>,
    mapped: Vec<(usize, Mapping)>,
}

impl Profiler {
    pub(crate) fn enable(&mut self, enabled: bool) {
        self.enabled = enabled;
    }

    /// Whether the submission being encoded is timed.
    pub(crate) fn is_timing(&self) -> bool {
        self.queries.is_some()
    }

    /// Begins a submission of `commands`. Called inside of an error scope.
    pub(crate) fn begin(&mut self, gpu: &Gpu, commands: &[Command]) {
        if !self.enabled {
            return;
        }
        self.profile.submissions += 1;
        self.busy_since.get_or_insert_with(Instant::now);
        let before = self.profile.launches.len();
        self.profile
            .launches
            .extend(commands.iter().filter_map(|command| {
                let Command::Launch(launch) = command else {
                    return None;
                };
                Some(LaunchTime {
                    kernel: launch.kernel.name().to_owned(),
                    grid: launch.grid,
                    device_time: None,
                })
            }));
        // At most twice the length of the command list.
        let stamps = 2 * (self.profile.launches.len() - before) as u32;
        if stamps > 0 && gpu.has(FeatureSet::TIMESTAMPS) {
            self.queries = Some(gpu.raw.create_query_set(&wgpu::QuerySetDescriptor {
                label: Some("launch times"),
                ty: wgpu::QueryType::Timestamp,
                count: stamps,
            }));
        }
    }

    /// The stamps around launch number `launch` of the submission.
    pub(crate) fn writes(&self, launch: u32) -> Option<wgpu::ComputePassTimestampWrites<'_>> {
        let query_set = self.queries.as_ref()?;
        Some(wgpu::ComputePassTimestampWrites {
            query_set,
            beginning_of_pass_write_index: Some(2 * launch),
            end_of_pass_write_index: Some(2 * launch + 1),
        })
    }

    /// Ends the submission: its stamps become readable. Called inside of an error scope.
    pub(crate) fn end(&mut self, gpu: &Gpu, encoder: &mut wgpu::CommandEncoder) -> Result<()> {
        let Some(queries) = self.queries.take() else {
            return Ok(());
        };
        let bytes = u64::from(queries.count()) * STAMP_BYTES;
        let resolved = gpu.raw.create_buffer(&wgpu::BufferDescriptor {
            label: Some("launch times"),
            size: bytes,
            usage: wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC,
            mapped_at_creation: false,
        });
        let staging = readable(gpu, bytes)?;
        encoder.resolve_query_set(&queries, 0..queries.count(), &resolved, 0);
        encoder.copy_buffer_to_buffer(&resolved, 0, &staging, 0, bytes);
        let first = self.profile.launches.len() - queries.count() as usize / 2;
        self.unread.push((first, staging));
        Ok(())
    }

    /// Asks for the stamps of everything submitted; they are there after the next wait.
    pub(crate) fn map(&mut self, gpu: &Gpu) -> Result<()> {
        for (first, staging) in self.unread.drain(..) {
            self.mapped.push((first, Mapping::whole(gpu, &staging)?));
        }
        Ok(())
    }

    /// Reads what [`Profiler::map`] asked for, after a wait.
    pub(crate) fn collect(&mut self, gpu: &Gpu) -> Result<()> {
        if let Some(start) = self.busy_since.take() {
            self.profile.wall += start.elapsed();
        }
        let period = f64::from(gpu.queue.get_timestamp_period());
        for (first, mapping) in self.mapped.drain(..) {
            let launches = self.profile.launches.iter_mut().skip(first);
            mapping.read(gpu, |stamps| {
                let (stamps, _) = stamps.as_chunks::<{ 2 * STAMP_BYTES as usize }>();
                for (launch, pair) in launches.zip(stamps) {
                    launch.device_time = Some(elapsed(pair, period));
                }
            })?;
        }
        Ok(())
    }

    /// What was measured.
    pub(crate) fn take(&mut self) -> Profile {
        std::mem::take(&mut self.profile)
    }
}

/// The time between two stamps that tick every `period` nanoseconds.
fn elapsed(pair: &[u8; 16], period: f64) -> Duration {
    let stamp = |bytes: &[u8]| {
        bytes
            .iter()
            .rev()
            .fold(0, |n: u64, &b| n << 8 | u64::from(b))
    };
    let (start, end) = pair.split_at(STAMP_BYTES as usize);
    let ticks = stamp(end).saturating_sub(stamp(start));
    Duration::from_nanos((ticks as f64 * period) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stamps_become_durations() {
        let mut pair = [0; 16];
        pair[..8].copy_from_slice(&1_000u64.to_le_bytes());
        pair[8..].copy_from_slice(&1_500u64.to_le_bytes());
        assert_eq!(elapsed(&pair, 2.0), Duration::from_nanos(1_000));
    }

    #[test]
    fn a_clock_that_runs_backwards_gives_zero() {
        let mut pair = [0; 16];
        pair[..8].copy_from_slice(&9u64.to_le_bytes());
        assert_eq!(elapsed(&pair, 1.0), Duration::ZERO);
    }
}
