//! Launches: checks of their arguments, bind groups, and the split of grids into dispatches.

use std::collections::HashMap;
use std::num::NonZeroU64;
use std::ops::Range;

use crate::buffer::Window;
use crate::error::{Error, Result};
use crate::gpu::Gpu;
use crate::kernel::{Access, Kernel, ParamClass};

/// Cache of bind groups, for launches that repeat with the same buffers.
#[derive(Debug, Default)]
pub(crate) struct BindGroups {
    /// Bind groups by kernel, and the buffer, offset and size of each window.
    known: HashMap<(u64, Vec<[u64; 3]>), wgpu::BindGroup>,
}

impl BindGroups {
    /// Limit of the cache: more than programs need in one loop body, little enough to hold.
    const CAPACITY: usize = 512;

    /// The bind group of `kernel` with `windows`; `uniforms` holds its parameter block, if it has
    /// a uniform one.
    pub(crate) fn get(
        &mut self,
        gpu: &Gpu,
        kernel: &Kernel,
        windows: &[Window<'_>],
        uniforms: &wgpu::Buffer,
    ) -> Result<wgpu::BindGroup> {
        // A bind group keeps its buffers' memory: once any is released, all groups are.
        if gpu.spares.take_released() || self.known.len() >= Self::CAPACITY {
            self.known.clear();
        }
        let bound = |window: &Window<'_>| [window.buffer.id(), window.offset, window.bytes];
        let key = (kernel.inner.id, windows.iter().map(bound).collect());
        if let Some(group) = self.known.get(&key) {
            return Ok(group.clone());
        }
        let group = gpu.scoped("binding buffers", || create(gpu, kernel, windows, uniforms))?;
        self.known.insert(key, group.clone());
        Ok(group)
    }

    /// Drops the cached bind groups, which keep the memory of dropped buffers.
    pub(crate) fn clear(&mut self) {
        self.known.clear();
    }
}

fn create(
    gpu: &Gpu,
    kernel: &Kernel,
    windows: &[Window<'_>],
    uniforms: &wgpu::Buffer,
) -> wgpu::BindGroup {
    let source = &kernel.inner.source;
    let mut bound: Vec<_> = (0..)
        .zip(windows)
        .map(|(i, window)| {
            let raw = window.buffer.raw().clone();
            // A whole buffer is bound with its padding, which vector accesses may touch.
            let bytes = window.bytes.next_multiple_of(4);
            let bytes = NonZeroU64::new(bytes).filter(|_| !window.is_whole());
            (i, raw, window.offset, bytes)
        })
        .collect();
    if let ParamClass::Uniform { binding } = source.params.class {
        let span = NonZeroU64::new(source.params.uniform_span());
        bound.push((binding, uniforms.clone(), 0, span));
    }
    if let (Some(binding), Some(fault)) = (source.fault, &kernel.inner.fault) {
        bound.push((binding, fault.clone(), 0, None));
    }
    let entries: Vec<_> = bound
        .iter()
        .map(
            |&(binding, ref buffer, offset, size)| wgpu::BindGroupEntry {
                binding,
                resource: wgpu::BindingResource::Buffer(wgpu::BufferBinding {
                    buffer,
                    offset,
                    size,
                }),
            },
        )
        .collect();
    gpu.raw.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some(kernel.name()),
        layout: &kernel.inner.layout,
        entries: &entries,
    })
}

/// Checks windows and parameters of a launch against its kernel.
pub(crate) fn check(
    gpu: &Gpu,
    kernel: &Kernel,
    windows: &[Window<'_>],
    params: &[u8],
) -> Result<()> {
    let source = &kernel.inner.source;
    let bad = |cause: String| {
        Err(Error::BadLaunch {
            kernel: source.name.clone(),
            cause,
        })
    };
    if kernel.inner.device != gpu.id {
        return bad("the kernel was compiled for another device".to_owned());
    }
    if windows.len() != source.bindings.len() {
        let (takes, given) = (source.bindings.len(), windows.len());
        return bad(format!("it takes {takes} buffers, {given} are given"));
    }
    if params.len() as u64 != u64::from(source.params.size) {
        let (takes, given) = (source.params.size, params.len());
        return bad(format!(
            "it takes {takes} bytes of parameters, {given} are given"
        ));
    }
    for (i, (window, binding)) in windows.iter().zip(&source.bindings).enumerate() {
        if window.buffer.device() != gpu.id {
            return bad(format!("buffer {i} belongs to another device"));
        }
        if window.bytes < binding.min_size {
            let (size, needs) = (window.bytes, binding.min_size);
            return bad(format!(
                "buffer {i} has {size} bytes, the kernel needs {needs}"
            ));
        }
        if let Some(cause) = misplaced(gpu, window) {
            return bad(format!("the window of buffer {i} {cause}"));
        }
        gpu.check_limit(
            || {
                let name = &source.name;
                format!("launch of kernel '{name}': the binding of buffer {i}, in bytes,")
            },
            window.bytes,
            gpu.info.limits.storage_binding_size,
            "maxStorageBufferRange",
            "split the array or choose another device",
        )?;
    }
    check_aliases(kernel, windows)
}

/// Error in the offset or the length of a window, if there is one.
fn misplaced(gpu: &Gpu, window: &Window<'_>) -> Option<String> {
    let Window {
        buffer,
        offset,
        bytes,
    } = window;
    let unit = gpu.info.limits.storage_alignment;
    let end = offset.checked_add(*bytes);
    if end.is_none_or(|end| end > buffer.size()) {
        let size = buffer.size();
        return Some(format!(
            "has {bytes} bytes from byte {offset} on, and the buffer {size}"
        ));
    }
    if !offset.is_multiple_of(unit.max(1)) {
        return Some(format!(
            "begins at byte {offset}, which is no multiple of {unit}"
        ));
    }
    (*bytes == 0 && !window.is_whole()).then(|| "is empty".to_owned())
}

/// Refuses one buffer at two bindings, unless both only read.
///
/// wgpu 30 itself lets the same buffer be bound twice as read-write (its usage tracker only
/// refuses a mix of reading and writing), but no barrier orders the two views and SPIR-V lets
/// drivers assume that they do not overlap, so the outcome would be undefined.
fn check_aliases(kernel: &Kernel, windows: &[Window<'_>]) -> Result<()> {
    let buffers = || windows.iter().map(|window| window.buffer);
    let bound = || (0..).zip(buffers().zip(&kernel.inner.source.bindings));
    for (second, (b, b_use)) in bound() {
        for (first, (a, a_use)) in bound().take_while(|&(first, _)| first < second) {
            let written = [a_use.access, b_use.access].contains(&Access::ReadWrite);
            if a.id() == b.id() && written {
                return Err(Error::Aliased {
                    kernel: kernel.name().to_owned(),
                    first,
                    second,
                });
            }
        }
    }
    Ok(())
}

/// One dispatch of a launch: where it begins and how far it goes, in workgroups.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Tile {
    pub(crate) origin: [u32; 3],
    pub(crate) size: [u32; 3],
}

/// Cuts `grid` into dispatches that the device allows: one, unless the kernel can be split.
/// An empty grid gives none.
pub(crate) fn tiles(gpu: &Gpu, kernel: &Kernel, grid: [u32; 3]) -> Result<Vec<Tile>> {
    let limit = gpu.info.limits.workgroups_per_dimension;
    if kernel.inner.source.params.grid_origin.is_none() {
        for (axis, &asked) in ["x", "y", "z"].iter().zip(&grid) {
            gpu.check_limit(
                || {
                    format!(
                        "launch of kernel '{}': workgroups along {axis}",
                        kernel.name()
                    )
                },
                asked.into(),
                limit.into(),
                "maxComputeWorkgroupCount",
                "use larger workgroups, more work per thread, or a kernel with a grid origin",
            )?;
        }
    }
    Ok(cut(grid, limit))
}

/// Cuts a grid into tiles of at most `limit` workgroups along each dimension.
fn cut(grid: [u32; 3], limit: u32) -> Vec<Tile> {
    let [xs, ys, zs] = grid.map(|extent| intervals(extent, limit));
    let mut tiles = Vec::new();
    for z in &zs {
        for y in &ys {
            for x in &xs {
                tiles.push(Tile {
                    origin: [x.start, y.start, z.start],
                    size: [x, y, z].map(|range| range.end - range.start),
                });
            }
        }
    }
    tiles
}

/// Intervals of at most `limit` that `0..extent` consists of.
fn intervals(extent: u32, limit: u32) -> Vec<Range<u32>> {
    (0..extent)
        .step_by(limit.max(1) as usize)
        .map(|start| start..start.saturating_add(limit).min(extent))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_cover_the_grid_once() {
        let grid = [7, 3, 2];
        let mut seen = std::collections::HashSet::new();
        for tile in cut(grid, 2) {
            for z in 0..tile.size[2] {
                for y in 0..tile.size[1] {
                    for x in 0..tile.size[0] {
                        let [ox, oy, oz] = tile.origin;
                        assert!(seen.insert([ox + x, oy + y, oz + z]));
                    }
                }
            }
            assert!(tile.size.iter().all(|&n| n <= 2));
        }
        assert_eq!(seen.len(), 7 * 3 * 2);
        assert!(seen.iter().all(|p| p.iter().zip(&grid).all(|(a, b)| a < b)));
    }

    #[test]
    fn an_empty_grid_has_no_tiles_and_a_huge_one_does_not_wrap() {
        assert_eq!(cut([4, 0, 1], 8), []);
        let tiles = cut([u32::MAX, 1, 1], u32::MAX - 1);
        assert_eq!(tiles.len(), 2);
        assert_eq!(tiles[1].size, [1, 1, 1]);
    }
}
