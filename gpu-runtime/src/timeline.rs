//! Timeline: start and duration of the work of device and host, by the clock of each.

use std::time::{Duration, Instant};

use crate::command::Command;
use crate::error::Result;
use crate::features::FeatureSet;
use crate::gpu::Gpu;
use crate::mapping::{Mapping, readable};

/// Measurements since profiling began or the last timeline was taken.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Timeline {
    /// Times of all dispatches, copies and fills, in order.
    pub commands: Vec<CommandTime>,
    /// Work of the host meanwhile, in the order of its ends.
    pub host: Vec<HostTime>,
    /// Command buffers handed to the device.
    pub submissions: u64,
    /// Host time from the first submission after a wait to the end of the next wait, summed. The
    /// first launch of a kernel includes its compilation on most drivers.
    pub wall: Duration,
}

/// A stretch of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// From the beginning of profiling. The device's clock is taken to show the same as the host's
    /// at the first submission.
    pub start: Duration,
    /// From start to end.
    pub time: Duration,
}

/// A command of the device.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandTime {
    /// The kind of the command.
    pub command: Timed,
    /// Time span on the device; `None` where its clock cannot be read:
    /// [`FeatureSet::TIMESTAMPS`], and for copies and fills [`FeatureSet::COPY_TIMESTAMPS`].
    pub span: Option<Span>,
}

/// Kinds of timed commands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Timed {
    /// Runs a kernel.
    Launch {
        /// The kernel's name.
        kernel: String,
        /// Workgroups along x, y and z.
        grid: [u32; 3],
    },
    /// Copies this many bytes between buffers.
    Copy(u64),
    /// Zeroes this many bytes.
    Fill(u64),
}

/// Timed work of the host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostTime {
    /// The kind of the work.
    pub work: HostWork,
    /// Time span on the host.
    pub span: Span,
}

/// Work of the host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HostWork {
    /// Copies this many bytes of a strided box between mapped buffers.
    Copy(u64),
    /// Compiles the kernel of this name.
    Compile(String),
    /// Writes this many bytes to a buffer.
    Upload(u64),
    /// Reads this many bytes of a buffer, after a wait for what was recorded.
    Download(u64),
    /// Waits for the device.
    Wait,
}

/// Bytes of one timestamp.
const STAMP_BYTES: u64 = 8;

/// Collects a [`Timeline`]. Off at first: timing takes a pass for every launch.
#[derive(Debug, Default)]
pub(crate) struct Profiler {
    /// Start of profiling; `None` where it is off.
    epoch: Option<Instant>,
    timeline: Timeline,
    busy_since: Option<Instant>,
    /// Timestamp queries of the submission being encoded.
    queries: Option<wgpu::QuerySet>,
    /// Places in the timeline of the timed commands of that submission.
    places: Vec<usize>,
    /// Timestamps of submissions that nobody has waited for.
    unread: Vec<Stamps<wgpu::Buffer>>,
    mapped: Vec<Stamps<Mapping>>,
    /// Origin of the device's clock: one of its timestamps, and the time since the epoch when the
    /// host submitted the work.
    origin: Option<(u64, Duration)>,
}

/// Timestamps of a submission.
#[derive(Debug)]
struct Stamps<M> {
    /// Places in the timeline of the timed commands, two timestamps each.
    places: Vec<usize>,
    /// Time of submission since the epoch.
    submitted: Duration,
    memory: M,
}

impl Profiler {
    pub(crate) fn enable(&mut self, enabled: bool) {
        self.epoch = enabled.then(|| self.epoch.unwrap_or_else(Instant::now));
    }

    /// Whether a timeline is collected.
    pub(crate) fn is_on(&self) -> bool {
        self.epoch.is_some()
    }

    /// Whether the submission being encoded is timed.
    pub(crate) fn is_timing(&self) -> bool {
        self.queries.is_some()
    }

    /// Notes what the host did from `start` until now.
    pub(crate) fn note(&mut self, work: HostWork, start: Instant) {
        let Some(epoch) = self.epoch else { return };
        let span = Span {
            start: start.saturating_duration_since(epoch),
            time: start.elapsed(),
        };
        self.timeline.host.push(HostTime { work, span });
    }

    /// Begins a submission of `commands`. Called inside of an error scope.
    pub(crate) fn begin(&mut self, gpu: &Gpu, commands: &[Command]) {
        if !self.is_on() {
            return;
        }
        self.timeline.submissions += 1;
        self.busy_since.get_or_insert_with(Instant::now);
        let timed = commands.iter().map(|command| CommandTime {
            command: match command {
                Command::Launch(launch) => Timed::Launch {
                    kernel: launch.kernel.name().to_owned(),
                    grid: launch.grid,
                },
                Command::Copy { bytes, .. } => Timed::Copy(*bytes),
                Command::Clear { bytes, .. } => Timed::Fill(*bytes),
            },
            span: None,
        });
        let first = self.timeline.commands.len();
        self.timeline.commands.extend(timed);
        let timed = (first..)
            .zip(commands)
            .filter(|(_, command)| is_timed(gpu, command));
        self.places = timed.map(|(place, _)| place).collect();
        if !self.places.is_empty() {
            self.queries = Some(gpu.raw.create_query_set(&wgpu::QuerySetDescriptor {
                label: Some("command times"),
                ty: wgpu::QueryType::Timestamp,
                // At most twice the length of the command list.
                count: 2 * self.places.len() as u32,
            }));
        }
    }

    /// Timestamp writes around launch number `command` of the timed commands.
    pub(crate) fn writes(&self, command: u32) -> Option<wgpu::ComputePassTimestampWrites<'_>> {
        let query_set = self.queries.as_ref()?;
        Some(wgpu::ComputePassTimestampWrites {
            query_set,
            beginning_of_pass_write_index: Some(2 * command),
            end_of_pass_write_index: Some(2 * command + 1),
        })
    }

    /// Writes a timestamp before or after the copy that is number `command` of the timed commands.
    pub(crate) fn stamp(
        &self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        command: u32,
        is_end: bool,
    ) {
        if let Some(queries) = &self.queries
            && gpu.has(FeatureSet::COPY_TIMESTAMPS)
        {
            encoder.write_timestamp(queries, 2 * command + u32::from(is_end));
        }
    }

    /// Ends the submission: its timestamps become readable. Called inside of an error scope.
    pub(crate) fn end(&mut self, gpu: &Gpu, encoder: &mut wgpu::CommandEncoder) -> Result<()> {
        let (Some(queries), Some(epoch)) = (self.queries.take(), self.epoch) else {
            return Ok(());
        };
        let bytes = u64::from(queries.count()) * STAMP_BYTES;
        let resolved = gpu.raw.create_buffer(&wgpu::BufferDescriptor {
            label: Some("command times"),
            size: bytes,
            usage: wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC,
            mapped_at_creation: false,
        });
        let staging = readable(gpu, bytes)?;
        encoder.resolve_query_set(&queries, 0..queries.count(), &resolved, 0);
        encoder.copy_buffer_to_buffer(&resolved, 0, &staging, 0, bytes);
        self.unread.push(Stamps {
            places: std::mem::take(&mut self.places),
            submitted: epoch.elapsed(),
            memory: staging,
        });
        Ok(())
    }

    /// Requests the timestamps of all submitted commands; the next wait delivers them.
    pub(crate) fn map(&mut self, gpu: &Gpu) -> Result<()> {
        for stamps in self.unread.drain(..) {
            self.mapped.push(Stamps {
                places: stamps.places,
                submitted: stamps.submitted,
                memory: Mapping::whole(gpu, &stamps.memory)?,
            });
        }
        Ok(())
    }

    /// Reads the timestamps that [`Profiler::map`] requested, after a wait.
    pub(crate) fn collect(&mut self, gpu: &Gpu) -> Result<()> {
        if let Some(start) = self.busy_since.take() {
            self.timeline.wall += start.elapsed();
        }
        let period = f64::from(gpu.queue.get_timestamp_period());
        for stamps in self.mapped.drain(..) {
            let (commands, origin) = (&mut self.timeline.commands, &mut self.origin);
            stamps.memory.read(gpu, |bytes| {
                let (pairs, _) = bytes.as_chunks::<{ 2 * STAMP_BYTES as usize }>();
                for (place, pair) in stamps.places.into_iter().zip(pairs) {
                    let [start, end] = ticks(pair);
                    let (first, at) = *origin.get_or_insert((start, stamps.submitted));
                    // A timeline taken in the meantime no longer has this place.
                    if let Some(command) = commands.get_mut(place) {
                        command.span = Some(Span {
                            start: at + elapsed(first, start, period),
                            time: elapsed(start, end, period),
                        });
                    }
                }
            })?;
        }
        Ok(())
    }

    /// Moves the measurements out.
    pub(crate) fn take(&mut self) -> Timeline {
        std::mem::take(&mut self.timeline)
    }
}

/// Whether a command has timestamps around it.
pub(crate) fn is_timed(gpu: &Gpu, command: &Command) -> bool {
    gpu.has(match command {
        Command::Launch(_) => FeatureSet::TIMESTAMPS,
        _ => FeatureSet::TIMESTAMPS | FeatureSet::COPY_TIMESTAMPS,
    })
}

/// The two timestamps of a command.
fn ticks(pair: &[u8; 2 * STAMP_BYTES as usize]) -> [u64; 2] {
    let (start, end) = pair.split_at(STAMP_BYTES as usize);
    [start, end].map(|bytes| {
        let bytes = bytes.iter().rev();
        bytes.fold(0, |n: u64, &b| n << 8 | u64::from(b))
    })
}

/// The time between two timestamps that tick every `period` nanoseconds.
fn elapsed(start: u64, end: u64, period: f64) -> Duration {
    let ticks = end.saturating_sub(start);
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
        let [start, end] = ticks(&pair);
        assert_eq!(elapsed(start, end, 2.0), Duration::from_nanos(1_000));
    }

    #[test]
    fn a_clock_that_runs_backwards_gives_zero() {
        assert_eq!(elapsed(9, 3, 1.0), Duration::ZERO);
    }
}
