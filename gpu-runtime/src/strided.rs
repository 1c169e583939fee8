//! Strided copies: boxes of elements between buffers, for `memref.copy` between views and for DMA
//! operations with strides.

mod by_host;
mod rows;

use std::cmp::Reverse;

use crate::buffer::Buffer;
use crate::command::Command;
use crate::copiers::{Unit, WORKGROUP};
use crate::device::Device;
use crate::error::{Error, Result};
use crate::features::FeatureSet;
use crate::gpu::Gpu;
use crate::mapping::Mapping;
use crate::timeline::HostWork;
use by_host::HostCopy;
use rows::Rows;

/// One side of a strided copy: element `(i, j, …)` lies at `offset + i*strides[0] +
/// j*strides[1] + …`, counted in elements from the beginning of the buffer.
#[derive(Debug, Clone, Copy)]
pub struct Strided<'a> {
    /// The memory.
    pub buffer: &'a Buffer,
    /// The place of the element with all indices 0.
    pub offset: u64,
    /// The distance of neighbours along each dimension; negative runs backwards.
    pub strides: &'a [i64],
}

/// Dimensions that one dispatch of the copy shaders walks.
const SHADER_DIMENSIONS: usize = 4;

/// Units that one thread copies in a row on a software driver.
const SOFTWARE_RUN: u64 = 16;

/// Units one dispatch copies at most, so that thread numbers fit 32 bits.
const MAX_UNITS: u64 = 1 << 31;

/// One dimension of a copy, in units.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Dimension {
    pub(crate) size: u64,
    pub(crate) from: i64,
    pub(crate) to: i64,
}

impl Device {
    /// Copies the box of `sizes` elements of `element` bytes each from one side to the other. The
    /// sides may share a buffer and overlap: the copy is as if through a third one.
    ///
    /// Elements of multiples of 4 bytes go word by word, others byte by byte and much slower,
    /// except where both sides are contiguous.
    ///
    /// # Errors
    ///
    /// [`Error::BadTransfer`] when the ranks differ, an element of the box leaves its buffer, or a
    /// destination stride is 0 along more than one element.
    pub fn copy_strided(
        &self,
        element: u32,
        sizes: &[u64],
        from: Strided<'_>,
        to: Strided<'_>,
    ) -> Result<()> {
        let gpu = self.gpu();
        let count = checked_count(element, sizes)?;
        from.check(gpu, element, sizes)?;
        to.check(gpu, element, sizes)?;
        if count == 0 {
            return gpu.health.check();
        }
        if sizes
            .iter()
            .zip(to.strides)
            .any(|(&size, &stride)| size > 1 && stride == 0)
        {
            return Err(bad("elements of the destination overlap"));
        }
        if from.buffer.id() == to.buffer.id() {
            return self.copy_through(element, sizes, from, to, count);
        }
        let unit = if element.is_multiple_of(4) {
            Unit::Word
        } else {
            Unit::Byte
        };
        let dimensions = simplify(dimensions(element, sizes, from.strides, to.strides, unit));
        // Both products are byte offsets inside of the buffers, which was just checked.
        let offsets = [from, to].map(|side| side.offset * u64::from(element));
        if let [
            Dimension {
                size,
                from: 1,
                to: 1,
            },
        ] = dimensions[..]
        {
            let bytes = size * unit.bytes();
            return self.copy(from.buffer, offsets[0], to.buffer, offsets[1], bytes);
        }
        let bytes = count * u64::from(element);
        if gpu.info.is_software()
            && gpu.has(FeatureSet::MAPPABLE)
            && bytes >= by_host::LEAST_BYTES
            && let Some(copy) = HostCopy::of(unit, &dimensions)
        {
            let buffers = [from.buffer, to.buffer];
            return self.timed(HostWork::Copy(bytes), || {
                self.copy_by_host(&copy, buffers, offsets)
            });
        }
        if gpu.info.is_software()
            && let Some(rows) = Rows::of(unit, offsets, &dimensions)
        {
            return self.copy_rows(&rows, from.buffer, to.buffer);
        }
        let offsets = offsets.map(|offset| offset / unit.bytes());
        self.copy_box(unit, from.buffer, to.buffer, offsets, &dimensions)
    }

    /// Copies a box between buffers that the host maps, when all that is recorded is done.
    fn copy_by_host(
        &self,
        copy: &HostCopy,
        buffers: [&Buffer; 2],
        offsets: [u64; 2],
    ) -> Result<()> {
        let gpu = self.gpu();
        let modes = [wgpu::MapMode::Read, wgpu::MapMode::Write];
        let reach = copy.reach();
        // Mappings begin at multiples of 8, and buffers are allocated in whole words.
        let [source, target] = [0, 1].map(|side| {
            let [before, behind] = reach[side];
            let start = (offsets[side] - before) & !7;
            start..(offsets[side] + behind).next_multiple_of(4)
        });
        let starts = [&source, &target].map(|range| range.start);
        let starts = [0, 1].map(|side| (offsets[side] - starts[side]) as usize);
        // As for uploads, the lock outlives the mappings.
        let mut recorder = self.recorder();
        let [from, to] = recorder.finish(gpu, |gpu| {
            let map =
                |side: usize, range| Mapping::new(gpu, buffers[side].raw(), range, modes[side]);
            Ok([map(0, source)?, map(1, target)?])
        })?;
        from.read(gpu, |from| {
            to.fill(gpu, |to, bytes| {
                // SAFETY: the mapping of the target, another buffer, is this call's alone.
                unsafe { copy.run(from, to, bytes, starts) }
            })
        })?
    }

    /// Copies rows by the queue, one command each.
    fn copy_rows(&self, rows: &Rows<'_>, from: &Buffer, to: &Buffer) -> Result<()> {
        let gpu = self.gpu();
        let mut recorder = self.recorder();
        for step in steps(rows.outer) {
            // Elements of the box, which lie inside of their buffers.
            let at = |side: usize| {
                let distance = step[side].wrapping_mul(rows.unit_bytes);
                rows.offsets[side].wrapping_add_signed(distance)
            };
            let copy = Command::Copy {
                from: from.raw().clone(),
                from_offset: at(0),
                to: to.raw().clone(),
                to_offset: at(1),
                bytes: rows.bytes,
            };
            recorder.push(gpu, copy)?;
        }
        Ok(())
    }

    /// Copies between views of one buffer through a packed copy of the box.
    fn copy_through(
        &self,
        element: u32,
        sizes: &[u64],
        from: Strided<'_>,
        to: Strided<'_>,
        count: u64,
    ) -> Result<()> {
        let between = self.buffer(count * u64::from(element))?;
        let mut strides = vec![1; sizes.len()];
        for i in (1..sizes.len()).rev() {
            // Products of some of the sizes, whose whole product was counted.
            strides[i - 1] = strides[i] * sizes[i] as i64;
        }
        let packed = Strided {
            buffer: &between,
            offset: 0,
            strides: &strides,
        };
        self.copy_strided(element, sizes, from, packed)?;
        self.copy_strided(element, sizes, packed, to)
    }

    /// Writes `pattern` `count` times, one behind the other; `pattern` has 1, 2 or a multiple of
    /// 4 bytes.
    pub(crate) fn broadcast(
        &self,
        pattern: &[u8],
        to: &Buffer,
        offset: u64,
        count: u64,
    ) -> Result<()> {
        let source = self.buffer_with(pattern)?;
        let element = pattern.len() as u64;
        // Checked by the caller against the size of a buffer, far below 2^32 bytes a side.
        let from = Strided {
            buffer: &source,
            offset: 0,
            strides: &[0],
        };
        let to = Strided {
            buffer: to,
            offset: offset / element,
            strides: &[1],
        };
        self.copy_strided(element as u32, &[count], from, to)
    }

    /// Copies contiguous bytes at any alignment between distinct buffers.
    pub(crate) fn copy_bytes(
        &self,
        from: &Buffer,
        from_offset: u64,
        to: &Buffer,
        to_offset: u64,
        bytes: u64,
    ) -> Result<()> {
        let line = [Dimension {
            size: bytes,
            from: 1,
            to: 1,
        }];
        self.copy_box(Unit::Byte, from, to, [from_offset, to_offset], &line)
    }

    /// Dispatches the copy shader over the inner dimensions, once for every step of the outer
    /// ones. Offsets and strides are in units.
    fn copy_box(
        &self,
        unit: Unit,
        from: &Buffer,
        to: &Buffer,
        offsets: [u64; 2],
        dimensions: &[Dimension],
    ) -> Result<()> {
        let gpu = self.gpu();
        for buffer in [from, to] {
            gpu.check_limit(
                || "a strided copy: bytes of a buffer".to_owned(),
                buffer.size(),
                u64::from(u32::MAX) * unit.bytes(),
                "32-bit offsets of the copy shader",
                "split the array",
            )?;
        }
        let inner = inner_dimensions(dimensions);
        let (outer, inner) = dimensions.split_at(dimensions.len() - inner);
        let units: u64 = inner.iter().map(|d| d.size).product();
        if units > MAX_UNITS {
            return Err(bad("one dimension is longer than 2^31 elements"));
        }
        let kernel = self.copiers().get(gpu, unit)?;
        let run = if gpu.info.is_software() {
            SOFTWARE_RUN
        } else {
            1
        };
        let runs = inner.last().map_or(1, |d| d.size.div_ceil(run));
        let rows: u64 = inner.iter().rev().skip(1).map(|d| d.size).product();
        // Below 2^31 by MAX_UNITS, and so is everything computed from it.
        let threads = (rows * runs) as u32;
        let groups = threads.div_ceil(WORKGROUP);
        let wide = groups.min(gpu.info.limits.workgroups_per_dimension);
        let grid = [wide, groups.div_ceil(wide), 1];
        let mut recorder = self.recorder();
        for step in steps(outer) {
            let at = |offset: u64, side: i64| offset.wrapping_add_signed(side) as u32;
            let [from_step, to_step] = step;
            let starts = [at(offsets[0], from_step), at(offsets[1], to_step)];
            let params = params(inner, starts, [threads, wide * WORKGROUP, run as u32]);
            recorder.launch(gpu, &kernel, grid, &[from.whole(), to.whole()], &params)?;
        }
        Ok(())
    }
}

impl Strided<'_> {
    /// Fails unless the box lies inside of the buffer.
    fn check(&self, gpu: &Gpu, element: u32, sizes: &[u64]) -> Result<()> {
        self.buffer.check(gpu, "strided copy", 0, 0)?;
        if self.strides.len() != sizes.len() {
            let (sizes, strides) = (sizes.len(), self.strides.len());
            return Err(bad(format!(
                "{strides} strides are given for {sizes} sizes"
            )));
        }
        if sizes.contains(&0) {
            return Ok(());
        }
        // Each term is below 2^127, and ranks are far too small for the sum to overflow; it
        // saturates in case they are not.
        let (mut least, mut most) = (i128::from(self.offset), i128::from(self.offset));
        for (&size, &stride) in sizes.iter().zip(self.strides) {
            let reach = i128::from(size - 1).saturating_mul(stride.into());
            least = least.saturating_add(reach.min(0));
            most = most.saturating_add(reach.max(0));
        }
        let holds = i128::from(self.buffer.size() / u64::from(element));
        if least < 0 || most >= holds {
            return Err(bad(format!(
                "elements {least} to {most} reach beyond a buffer of {holds} elements"
            )));
        }
        Ok(())
    }
}

fn bad(cause: impl Into<String>) -> Error {
    Error::BadTransfer {
        what: "strided copy",
        cause: cause.into(),
    }
}

/// The number of elements; its product with the element size is checked too.
fn checked_count(element: u32, sizes: &[u64]) -> Result<u64> {
    if element == 0 {
        return Err(bad("the element size is 0"));
    }
    if sizes.contains(&0) {
        return Ok(0);
    }
    let count = sizes
        .iter()
        .try_fold(1, |n: u64, &size| n.checked_mul(size));
    count
        .filter(|&n| {
            n.checked_mul(element.into())
                .is_some_and(|n| i64::try_from(n).is_ok())
        })
        .ok_or_else(|| bad("the number of bytes does not fit 63 bits"))
}

/// The dimensions of a copy in units; a further one runs through the units of an element.
fn dimensions(element: u32, sizes: &[u64], from: &[i64], to: &[i64], unit: Unit) -> Vec<Dimension> {
    let units = u64::from(element) / unit.bytes();
    // Strides along which there is more than one element lie inside of a buffer; the others are
    // dropped by `simplify` and may wrap.
    let scaled = |stride: &i64| stride.wrapping_mul(units as i64);
    sizes
        .iter()
        .zip(from.iter().zip(to))
        .map(|(&size, (from, to))| Dimension {
            size,
            from: scaled(from),
            to: scaled(to),
        })
        .chain([Dimension {
            size: units,
            from: 1,
            to: 1,
        }])
        .collect()
}

/// Simplifies a copy to the fewest dimensions: those of one element dropped, those that continue
/// each other on both sides merged, and the densest of the destination last. The order of a copy is
/// free, for no two elements share a destination.
fn simplify(mut dimensions: Vec<Dimension>) -> Vec<Dimension> {
    dimensions.retain(|d| d.size > 1);
    dimensions.sort_by_key(|d| Reverse(d.to.unsigned_abs()));
    let mut merged: Vec<Dimension> = Vec::with_capacity(dimensions.len());
    for inner in dimensions {
        let spans = |stride: i64| stride.checked_mul(inner.size as i64);
        match merged.last_mut() {
            Some(outer)
                if Some(outer.from) == spans(inner.from) && Some(outer.to) == spans(inner.to) =>
            {
                *outer = Dimension {
                    size: outer.size * inner.size,
                    ..inner
                };
            }
            _ => merged.push(inner),
        }
    }
    if merged.is_empty() {
        merged.push(Dimension {
            size: 1,
            from: 1,
            to: 1,
        });
    }
    merged
}

/// The number of last dimensions that one dispatch takes.
fn inner_dimensions(dimensions: &[Dimension]) -> usize {
    let mut units = 1u64;
    let fits = |d: &&Dimension| {
        units = units.saturating_mul(d.size);
        units <= MAX_UNITS
    };
    let fitting = dimensions
        .iter()
        .rev()
        .take(SHADER_DIMENSIONS)
        .take_while(fits);
    fitting.count().max(1)
}

/// Offsets of the dispatches on both sides, one for every position in the `outer` dimensions.
fn steps(outer: &[Dimension]) -> impl Iterator<Item = [i64; 2]> {
    let count: u64 = outer.iter().map(|d| d.size).product();
    (0..count).map(|number| {
        let mut rest = number;
        outer.iter().rev().fold([0, 0], |[from, to], d| {
            let position = (rest % d.size) as i64;
            rest /= d.size;
            [from + position * d.from, to + position * d.to]
        })
    })
}

/// Builds the parameter block of the copy shaders; `threads` holds their number, their number in a
/// row of the grid, and the units that each copies.
fn params(inner: &[Dimension], starts: [u32; 2], threads: [u32; 3]) -> Vec<u8> {
    let unused = SHADER_DIMENSIONS - inner.len();
    let column = |of: fn(&Dimension) -> u32, fill: u32| {
        std::iter::repeat_n(fill, unused).chain(inner.iter().map(of))
    };
    // Truncation to 32 bits is the shader's arithmetic.
    column(|d| d.size as u32, 1)
        .chain(column(|d| d.from as u32, 0))
        .chain(column(|d| d.to as u32, 0))
        .chain(starts)
        .chain(threads)
        .flat_map(u32::to_ne_bytes)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dimension(size: u64, from: i64, to: i64) -> Dimension {
        Dimension { size, from, to }
    }

    #[test]
    fn contiguous_dimensions_merge_into_one() {
        let all = dimensions(8, &[3, 4, 5], &[20, 5, 1], &[20, 5, 1], Unit::Word);
        assert_eq!(simplify(all), [dimension(120, 1, 1)]);
    }

    #[test]
    fn a_transpose_keeps_its_dimensions_with_the_dense_destination_last() {
        let all = dimensions(4, &[3, 4], &[4, 1], &[1, 3], Unit::Word);
        assert_eq!(simplify(all), [dimension(4, 1, 3), dimension(3, 4, 1)]);
    }

    #[test]
    fn dimensions_of_one_element_vanish() {
        let all = dimensions(4, &[1, 7, 1], &[i64::MAX, 2, -9], &[5, 3, 0], Unit::Word);
        assert_eq!(simplify(all), [dimension(7, 2, 3)]);
        let single = dimensions(4, &[], &[], &[], Unit::Word);
        assert_eq!(simplify(single), [dimension(1, 1, 1)]);
    }

    #[test]
    fn steps_walk_the_outer_box() {
        let outer = [dimension(2, 100, 7), dimension(3, -10, 1)];
        let walked: Vec<_> = steps(&outer).collect();
        assert_eq!(
            walked,
            [[0, 0], [-10, 1], [-20, 2], [100, 7], [90, 8], [80, 9]]
        );
        assert_eq!(steps(&[]).collect::<Vec<_>>(), [[0, 0]]);
    }

    #[test]
    fn dispatches_take_what_fits_32_bits() {
        let long = dimension(1 << 20, 1, 1);
        assert_eq!(inner_dimensions(&[long, long, long]), 1);
        assert_eq!(inner_dimensions(&[dimension(2, 1, 1); 6]), 4);
    }
}
