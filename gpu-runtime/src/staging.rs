//! Staging ring: large transfers go through a few buffers in turns, so that the host copies one part while the device
//! copies the one before.
//!
//! ```text
//! host    fill 0 | fill 1 | fill 2 | fill 0 …        host            read 0 | read 1 | read 2 | …
//! device         | copy 0 | copy 1 | copy 2 …        device   copy 0 | copy 1 | copy 2 | copy 0 …
//! ```
//!
//! The buffers stay: memory that a device can reach costs as much to allocate as to copy. One core copies slower than a
//! bus of today moves data, so several copy a part together.

use std::collections::VecDeque;
use std::num::NonZero;
use std::sync::Mutex;
use std::thread;

use crate::error::Result;
use crate::gpu::Gpu;
use crate::mapping::Mapping;
use crate::sync::lock;

/// Size of a buffer of the ring, in bytes.
const PART_BYTES: usize = 16 << 20;

/// Number of buffers of the ring in each direction.
const PARTS: usize = 3;

/// Least size of a transfer through the ring, in bytes.
pub(crate) const RING_FROM_BYTES: usize = 4 << 20;

/// Least share of a copy that is worth a thread of its own, in bytes.
const BYTES_A_THREAD: usize = 2 << 20;

/// Limit of the threads that copy a part: four cores copy as fast as memory allows.
const MOST_THREADS: usize = 4;

/// Staging buffers of a device, allocated on first use.
#[derive(Debug, Default)]
pub(crate) struct Staging {
    up: Mutex<Vec<Part>>,
    down: Mutex<Vec<Part>>,
}

/// Buffer of the ring, with the submission that used it last.
#[derive(Debug)]
struct Part {
    buffer: wgpu::Buffer,
    used_by: Option<wgpu::SubmissionIndex>,
}

impl Staging {
    /// Uploads `bytes`, padded to whole words by zeros, after the work already submitted; `offset`
    /// is a multiple of 4. The device may still be at work when this returns.
    pub(crate) fn upload(
        &self,
        gpu: &Gpu,
        buffer: &wgpu::Buffer,
        offset: u64,
        bytes: &[u8],
    ) -> Result<()> {
        let mut parts = lock(&self.up);
        let usage = wgpu::BufferUsages::MAP_WRITE | wgpu::BufferUsages::COPY_SRC;
        let mut at = offset;
        for (number, chunk) in bytes.chunks(PART_BYTES).enumerate() {
            let part = part(gpu, &mut parts, number, usage)?;
            let whole = (chunk.len() as u64).next_multiple_of(4);
            let mapping = Mapping::new(gpu, &part.buffer, 0..whole, wgpu::MapMode::Write)?;
            gpu.wait_for(part.used_by.take())?;
            mapping.fill(gpu, |to, count| {
                // SAFETY: the memory is `count` bytes that are mapped for this call alone, and the two parts of it
                // do not overlap; `count` is the length of the chunk rounded up.
                unsafe {
                    copy_together(chunk, to);
                    to.add(chunk.len()).write_bytes(0, count - chunk.len());
                }
            })?;
            drop(mapping);
            let copy = |encoder: &mut wgpu::CommandEncoder| {
                encoder.copy_buffer_to_buffer(&part.buffer, 0, buffer, at, whole);
            };
            part.used_by = Some(submit(gpu, copy)?);
            at += whole;
        }
        Ok(())
    }

    /// Downloads from a buffer, from `offset` on, a multiple of 4, after the work already
    /// submitted.
    pub(crate) fn download(
        &self,
        gpu: &Gpu,
        buffer: &wgpu::Buffer,
        offset: u64,
        into: &mut [u8],
    ) -> Result<()> {
        let mut parts = lock(&self.down);
        let usage = wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST;
        let bytes = into.len();
        let mut request = |number: usize| {
            let start = number * PART_BYTES;
            let whole = (PART_BYTES.min(bytes - start) as u64).next_multiple_of(4);
            let part = part(gpu, &mut parts, number, usage)?;
            let from = offset + start as u64;
            let copied = submit(gpu, |encoder| {
                encoder.copy_buffer_to_buffer(buffer, from, &part.buffer, 0, whole);
            })?;
            let mapping = Mapping::new(gpu, &part.buffer, 0..whole, wgpu::MapMode::Read)?;
            Ok((mapping, copied))
        };
        let count = bytes.div_ceil(PART_BYTES);
        let first = (0..count.min(PARTS)).map(&mut request);
        let mut pending: VecDeque<_> = first.collect::<Result<_>>()?;
        for (number, chunk) in into.chunks_mut(PART_BYTES).enumerate() {
            let Some((mapping, copied)) = pending.pop_front() else {
                break;
            };
            gpu.wait_for(Some(copied))?;
            mapping.read(gpu, |from| {
                // SAFETY: both are of the chunk's length at least, and the chunk is borrowed for this call.
                unsafe { copy_together(&from[..chunk.len()], chunk.as_mut_ptr()) }
            })?;
            drop(mapping);
            if number + PARTS < count {
                pending.push_back(request(number + PARTS)?);
            }
        }
        Ok(())
    }
}

/// Returns the buffer of the ring for a part, created on first use.
fn part<'p>(
    gpu: &Gpu,
    parts: &'p mut Vec<Part>,
    number: usize,
    usage: wgpu::BufferUsages,
) -> Result<&'p mut Part> {
    let number = number % PARTS;
    while parts.len() <= number {
        let buffer = gpu.scoped("a staging buffer", || {
            gpu.raw.create_buffer(&wgpu::BufferDescriptor {
                label: Some("staging"),
                size: PART_BYTES as u64,
                usage,
                mapped_at_creation: false,
            })
        })?;
        parts.push(Part {
            buffer,
            used_by: None,
        });
    }
    Ok(&mut parts[number])
}

/// Submits a command buffer of what `record` records.
fn submit(
    gpu: &Gpu,
    record: impl FnOnce(&mut wgpu::CommandEncoder),
) -> Result<wgpu::SubmissionIndex> {
    gpu.scoped("a transfer", || {
        let mut encoder = gpu.raw.create_command_encoder(&Default::default());
        record(&mut encoder);
        gpu.queue.submit([encoder.finish()])
    })
}

/// Destination of a copy by several threads.
#[derive(Clone, Copy)]
struct Target(*mut u8);

// SAFETY: each thread writes a range of its own.
unsafe impl Send for Target {}

/// Copies all of `from` to `to`, by several threads where that is faster.
///
/// # Safety
/// `to` points to as many bytes, which nobody else reads or writes and which do not overlap `from`.
unsafe fn copy_together(from: &[u8], to: *mut u8) {
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    let threads = (from.len() / BYTES_A_THREAD).clamp(1, cores.min(MOST_THREADS));
    let share = from.len().div_ceil(threads).max(1);
    let target = Target(to);
    thread::scope(|scope| {
        let mut shares = from.chunks(share).enumerate();
        let own = shares.next();
        for (number, part) in shares {
            scope.spawn(move || {
                let target = target;
                // SAFETY: the range of this share lies in the bytes that `to` points to.
                unsafe {
                    target
                        .0
                        .add(number * share)
                        .copy_from_nonoverlapping(part.as_ptr(), part.len())
                }
            });
        }
        if let Some((_, part)) = own {
            // SAFETY: as above.
            unsafe { to.copy_from_nonoverlapping(part.as_ptr(), part.len()) }
        }
    });
}
