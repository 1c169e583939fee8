//! Strided copies by the host: on drivers that compute on the CPU, whose buffers the host maps, its own
//! loops are several times as fast as a shader.
//!
//! A copy walks lines where the densest dimension is the same on both sides. Where it is not, as in a
//! transpose, it goes through tiles: a tile reads whole lines of the cache from the source and writes
//! whole ones to the target, which the dimensions by themselves would touch element by element.

use super::Dimension;
use crate::copiers::Unit;

/// Cost threshold in bytes: a larger copy is worth the wait for the device that a mapping needs.
pub(crate) const LEAST_BYTES: u64 = 1 << 20;

/// Bytes of a tile along both of its dimensions: several lines of the cache in a row, on both sides.
const TILE_BYTES: usize = 256;

/// The most elements of a tile along a dimension: all of it stays in the nearest cache.
const TILE_SIDE: usize = 128;

/// Elements that go through registers together, along both dimensions.
const BLOCK: usize = 4;

/// One dimension of a copy, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Line {
    size: usize,
    from: isize,
    to: isize,
}

/// A box of elements that are contiguous on both sides; no element of the target is another's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct HostCopy {
    /// Bytes of an element.
    element: usize,
    /// Dimensions, the densest of the target last.
    lines: Vec<Line>,
}

/// Offset of the box on each side.
#[derive(Clone, Copy)]
struct Ends {
    from: *const u8,
    to: *mut u8,
}

// SAFETY: the two sides are distinct buffers, and threads write distinct elements.
unsafe impl Send for Ends {}

impl HostCopy {
    /// The copy of a box in units. `None` where strides do not fit the host's addresses, and where
    /// elements go to several places: a fill, which needs no such help.
    pub(crate) fn of(unit: Unit, dimensions: &[Dimension]) -> Option<HostCopy> {
        if dimensions.iter().any(|d| d.from == 0) {
            return None;
        }
        let bytes = unit.bytes() as i64;
        let line = |d: &Dimension| {
            Some(Line {
                size: usize::try_from(d.size).ok()?,
                from: isize::try_from(d.from.checked_mul(bytes)?).ok()?,
                to: isize::try_from(d.to.checked_mul(bytes)?).ok()?,
            })
        };
        let mut lines: Vec<Line> = dimensions.iter().map(line).collect::<Option<_>>()?;
        let mut element = unit.bytes() as usize;
        let step = element as isize;
        if let Some(last) = lines.pop_if(|last| (last.from, last.to) == (step, step)) {
            element *= last.size;
        }
        Some(HostCopy { element, lines })
    }

    /// The bytes before and behind the first element that the box reaches on each side.
    pub(crate) fn reach(&self) -> [[u64; 2]; 2] {
        let side = |stride: fn(&Line) -> isize| {
            self.lines
                .iter()
                .fold([0, self.element as u64], |[before, behind], line| {
                    let reach = stride(line).unsigned_abs() as u64 * (line.size as u64 - 1);
                    match stride(line) < 0 {
                        true => [before + reach, behind],
                        false => [before, behind + reach],
                    }
                })
        };
        [side(|line| line.from), side(|line| line.to)]
    }

    /// Copies the box; `starts` are the places of the first element in each slice.
    ///
    /// # Safety
    /// `to` points to `to_bytes` bytes that nobody else reads or writes.
    pub(crate) unsafe fn run(&self, from: &[u8], to: *mut u8, to_bytes: usize, starts: [usize; 2]) {
        let fits = |[before, behind]: [u64; 2], start: usize, bytes: usize| {
            before <= start as u64 && start as u64 + behind <= bytes as u64
        };
        let [source, target] = self.reach();
        assert!(
            fits(source, starts[0], from.len()) && fits(target, starts[1], to_bytes),
            "a box lies inside of what was mapped for it"
        );
        // SAFETY: both places lie inside of their slices, as do all elements.
        let ends = unsafe {
            Ends {
                from: from.as_ptr().add(starts[0]),
                to: to.add(starts[1]),
            }
        };
        let parts = self.parts();
        let Some(&outer) = self.lines.first().filter(|_| parts > 1) else {
            return self.part(ends);
        };
        std::thread::scope(|scope| {
            for number in 0..parts {
                let range = outer.size * number / parts..outer.size * (number + 1) / parts;
                let mut copy = self.clone();
                copy.lines[0].size = range.len();
                let ends = ends.moved(&outer, range.start);
                scope.spawn(move || copy.part(ends));
            }
        });
    }

    /// Number of threads that share the outermost dimension: one unless its steps lie apart in the
    /// target.
    fn parts(&self) -> usize {
        let Some((outer, inner)) = self.lines.split_first() else {
            return 1;
        };
        let span: usize = (inner.iter())
            .map(|line| line.to.unsigned_abs() * (line.size - 1))
            .sum();
        if outer.to.unsigned_abs() < span + self.element {
            return 1;
        }
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        threads.min(outer.size)
    }

    /// Copies the box by elements of a size that registers have, or by whole rows.
    fn part(&self, ends: Ends) {
        match self.element {
            1 => self.elements::<u8>(ends),
            2 => self.elements::<u16>(ends),
            4 => self.elements::<u32>(ends),
            8 => self.elements::<u64>(ends),
            16 => self.elements::<u128>(ends),
            _ => walk(&self.lines, ends, &mut |ends| {
                // SAFETY: an element of the box on both sides, which are distinct buffers.
                unsafe { std::ptr::copy_nonoverlapping(ends.from, ends.to, self.element) }
            }),
        }
    }

    fn elements<T: Copy>(&self, ends: Ends) {
        let Some((&across, outer)) = self.lines.split_last() else {
            return ends.copy::<T>();
        };
        let densest = (0..self.lines.len()).min_by_key(|&at| self.lines[at].from.unsigned_abs());
        match densest.filter(|&at| at < outer.len() && across.from != size_of::<T>() as isize) {
            Some(at) => {
                let mut others = outer.to_vec();
                let along = others.remove(at);
                walk(&others, ends, &mut |ends| tiles::<T>(ends, across, along));
            }
            None => walk(outer, ends, &mut |ends| line::<T>(ends, across)),
        }
    }
}

impl Ends {
    /// Moves both ends by `steps` elements along a dimension.
    fn moved(self, line: &Line, steps: usize) -> Ends {
        let steps = steps as isize;
        // Offsets inside of both slices; wrapping, since the last step of a walk may leave them.
        Ends {
            from: self.from.wrapping_offset(line.from.wrapping_mul(steps)),
            to: self.to.wrapping_offset(line.to.wrapping_mul(steps)),
        }
    }

    /// Copies the element.
    fn copy<T: Copy>(self) {
        // SAFETY: an element of the box on both sides, which are distinct buffers.
        unsafe { self.to.cast::<T>().write_unaligned(self.read()) }
    }

    /// The element of the source.
    ///
    /// # Safety
    /// It is an element of the box, or several in a row.
    unsafe fn read<T: Copy>(self) -> T {
        // SAFETY: as above.
        unsafe { self.from.cast::<T>().read_unaligned() }
    }
}

/// Calls `each` at every position of some dimensions.
fn walk(lines: &[Line], ends: Ends, each: &mut impl FnMut(Ends)) {
    let Some((line, inner)) = lines.split_first() else {
        return each(ends);
    };
    for step in 0..line.size {
        walk(inner, ends.moved(line, step), each);
    }
}

/// Copies the elements of one dimension.
fn line<T: Copy>(ends: Ends, line: Line) {
    let mut at = ends;
    for _ in 0..line.size {
        at.copy::<T>();
        at = at.moved(&line, 1);
    }
}

/// Copies the elements of two dimensions tile by tile: `across` is dense in the target, `along` in the
/// source.
fn tiles<T: Copy>(ends: Ends, across: Line, along: Line) {
    let side = (TILE_BYTES / size_of::<T>()).min(TILE_SIDE);
    let [width, height] = [across, along].map(|line| side.min(line.size));
    // SAFETY: no dimension of a box is empty.
    let mut tile = vec![unsafe { ends.read::<T>() }; width * height];
    for top in (0..along.size).step_by(height) {
        let rows = height.min(along.size - top);
        for left in (0..across.size).step_by(width) {
            let columns = width.min(across.size - left);
            let corner = ends.moved(&along, top).moved(&across, left);
            for column in (0..columns).step_by(BLOCK) {
                let ends = corner.moved(&across, column);
                let into = &mut tile[column..];
                gather(ends, [across, along], into, width, [columns - column, rows]);
            }
            for row in 0..rows {
                let from = &tile[row * width..row * width + columns];
                scatter(corner.moved(&along, row), across, from);
            }
        }
    }
}

/// Writes a row of a tile.
fn scatter<T: Copy>(ends: Ends, across: Line, row: &[T]) {
    if across.to == size_of::<T>() as isize {
        // SAFETY: elements of the box in the target, in a row, where the tile is not.
        return unsafe {
            let bytes = size_of_val(row);
            std::ptr::copy_nonoverlapping(row.as_ptr().cast(), ends.to, bytes);
        };
    }
    let mut at = ends;
    for &value in row {
        // SAFETY: an element of the box in the target.
        unsafe { at.to.cast::<T>().write_unaligned(value) };
        at = at.moved(&across, 1);
    }
}

/// Reads up to [`BLOCK`] columns of a tile, of which so many columns and rows are left.
fn gather<T: Copy>(
    ends: Ends,
    [across, along]: [Line; 2],
    tile: &mut [T],
    width: usize,
    [columns, rows]: [usize; 2],
) {
    let is_dense = along.from == size_of::<T>() as isize;
    let in_blocks = match is_dense && columns >= BLOCK {
        true => rows - rows % BLOCK,
        false => 0,
    };
    for row in (0..in_blocks).step_by(BLOCK) {
        let at = ends.moved(&along, row);
        // SAFETY: elements of the box in the source, a block's in a row.
        let read: [[T; BLOCK]; BLOCK] =
            std::array::from_fn(|column| unsafe { at.moved(&across, column).read() });
        for inner in 0..BLOCK {
            let start = (row + inner) * width;
            tile[start..start + BLOCK].copy_from_slice(&read.map(|column| column[inner]));
        }
    }
    for row in in_blocks..rows {
        for column in 0..columns.min(BLOCK) {
            let at = ends.moved(&along, row).moved(&across, column);
            // SAFETY: an element of the box in the source.
            tile[row * width + column] = unsafe { at.read() };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The copy element by element, in units.
    fn plain(unit: Unit, all: &[Dimension], from: &[u8], to: &mut [u8], starts: [usize; 2]) {
        let bytes = unit.bytes() as i64;
        let count: u64 = all.iter().map(|d| d.size).product();
        for number in 0..count {
            let (mut rest, mut at) = (number, starts.map(|start| start as i64));
            for d in all {
                let step = (rest % d.size) as i64;
                rest /= d.size;
                at = [at[0] + step * d.from * bytes, at[1] + step * d.to * bytes];
            }
            let [source, target] = at.map(|at| at as usize..(at + bytes) as usize);
            to[target].copy_from_slice(&from[source]);
        }
    }

    #[test]
    fn boxes_are_copied_as_element_by_element() {
        let d = |size, from, to| Dimension { size, from, to };
        let boxes: [&[Dimension]; 9] = [
            &[],
            &[d(7, 3, 1)],
            &[d(5, 1, 40), d(33, 7, 1)],
            &[d(90, 1, 130), d(130, 90, 1)],
            &[d(3, 400, 500), d(20, 2, 20), d(10, 40, 2)],
            &[d(20, -25, 50), d(25, -1, 2)],
            &[d(40, 20, 60), d(13, 1, 1)],
            &[d(6, 700, 2000), d(17, 1, 80), d(20, 20, 4), d(4, 500, 1)],
            &[d(9, 1, 3), d(3, 9, 1), d(1, 5, 5)],
        ];
        for unit in [Unit::Byte, Unit::Word] {
            for dimensions in boxes {
                let copy = HostCopy::of(unit, dimensions).unwrap();
                let [[before, behind], [to_before, to_behind]] = copy.reach();
                let starts = [before as usize + 3, to_before as usize + 1];
                let source: Vec<u8> = (0..before + behind + 3)
                    .map(|n| (n * 31 % 251) as u8)
                    .collect();
                let mut wanted = vec![0xee; (to_before + to_behind) as usize + 1];
                let mut seen = wanted.clone();
                plain(unit, dimensions, &source, &mut wanted, starts);
                // SAFETY: a slice of our own.
                unsafe { copy.run(&source, seen.as_mut_ptr(), seen.len(), starts) };
                assert!(seen == wanted, "{unit:?} {dimensions:?}");
            }
        }
    }

    #[test]
    fn interleaved_targets_keep_one_thread() {
        let d = |size, from, to| Dimension { size, from, to };
        let copy = HostCopy::of(Unit::Word, &[d(8, 1, 3), d(4, 8, 2)]).unwrap();
        assert_eq!(copy.parts(), 1);
    }
}
