//! Buffers of the evaluator, and views of them.

use std::ops::Range;

use super::transfers::{InFlight, Side};
use super::{Access, Undefined};
use crate::program::{Mixed, Var};
use crate::scalar;
use crate::types::{Layout, MemType, Scalar};

/// Limit of a buffer's elements; the generator stays far below it.
const MAX_ELEMENTS: i64 = 1 << 14;

/// Reason of a program that accesses an array out of bounds.
pub const OUT_OF_RANGE: &str = "access out of range";

/// Buffer: memory of one allocation.
#[derive(Clone, Debug)]
pub struct Buffer {
    bytes: Vec<u8>,
    /// Whether each byte has been written.
    written: Vec<bool>,
    element: Scalar,
    freed: bool,
}

/// Run-time memref: a view of a buffer.
#[derive(Clone, PartialEq, Debug)]
pub struct View {
    /// Number of the buffer.
    pub buffer: usize,
    /// Bytes before element 0 of the view's offset.
    base: usize,
    offset: i64,
    /// Elements in each dimension.
    pub sizes: Vec<i64>,
    strides: Vec<i64>,
    element: Scalar,
}

/// All buffers of a run.
#[derive(Default, Debug)]
pub struct Memory {
    buffers: Vec<Buffer>,
    /// Transfers that are under way.
    pub(super) transfers: Vec<InFlight>,
}

/// Strides of a row-major array.
fn row_major(sizes: &[i64]) -> Vec<i64> {
    let mut strides = vec![1; sizes.len()];
    for dim in (1..sizes.len()).rev() {
        strides[dim - 1] = strides[dim] * sizes[dim];
    }
    strides
}

/// All subscripts of an array, the last one running fastest.
pub fn subscripts(sizes: &[i64]) -> Vec<Vec<i64>> {
    let mut all = vec![Vec::new()];
    for &size in sizes {
        all = all
            .iter()
            .flat_map(|head: &Vec<i64>| (0..size).map(move |i| [&head[..], &[i]].concat()))
            .collect();
    }
    all
}

impl Memory {
    /// Allocates a buffer for a memref of this type and these sizes.
    pub fn allocate(&mut self, ty: &MemType, sizes: Vec<i64>) -> Result<View, &'static str> {
        let count = sizes
            .iter()
            .try_fold(1i64, |n, &size| (size >= 0).then_some(n.checked_mul(size)?));
        if count.is_none_or(|count| count > MAX_ELEMENTS) {
            return Err("a size that cannot be allocated");
        }
        let (offset, strides) = match &ty.layout {
            Layout::Identity => (0, row_major(&sizes)),
            Layout::Strided { offset, strides } => (
                offset.ok_or("an allocation with an open layout")?,
                strides
                    .iter()
                    .map(|stride| stride.ok_or("an allocation with an open layout"))
                    .collect::<Result<_, _>>()?,
            ),
            Layout::Map(results) => placed(results, &sizes),
        };
        let mut view = View {
            buffer: self.buffers.len(),
            base: 0,
            offset,
            sizes,
            strides,
            element: ty.element,
        };
        let length = view
            .positions()
            .into_iter()
            .max()
            .map_or(0, |last| last + 1);
        let bytes = length as usize * ty.element.bytes();
        self.buffers.push(Buffer {
            bytes: vec![0; bytes],
            written: vec![false; bytes],
            element: ty.element,
            freed: false,
        });
        view.buffer = self.buffers.len() - 1;
        Ok(view)
    }

    /// The number of buffers so far; they are numbered from 0.
    pub fn count(&self) -> usize {
        self.buffers.len()
    }

    /// Whether all bytes of an element have been written.
    pub fn is_written(&self, place: std::ops::Range<usize>, view: &View) -> bool {
        self.buffers[view.buffer].written[place]
            .iter()
            .all(|&written| written)
    }

    /// Frees a buffer.
    pub fn free(&mut self, view: &View) -> Result<(), &'static str> {
        if self
            .transfers
            .iter()
            .any(|transfer| transfer.is_of(view.buffer))
        {
            return Err("freed beside a transfer");
        }
        let buffer = &mut self.buffers[view.buffer];
        if buffer.freed {
            return Err("freed twice");
        }
        buffer.freed = true;
        Ok(())
    }

    /// The byte range of an element.
    pub fn place(&self, view: &View, at: &[i64]) -> Result<std::ops::Range<usize>, &'static str> {
        let inside = at
            .iter()
            .zip(&view.sizes)
            .all(|(i, size)| (0..*size).contains(i));
        if !inside || at.len() != view.sizes.len() {
            return Err(OUT_OF_RANGE);
        }
        let size = view.element.bytes();
        let start = view.base as i64 + view.position(at) * size as i64;
        let buffer = &self.buffers[view.buffer];
        if buffer.freed {
            return Err("access after free");
        }
        match usize::try_from(start) {
            Ok(start) if start + size <= buffer.bytes.len() => Ok(start..start + size),
            _ => Err("access outside of the buffer"),
        }
    }

    /// Reads an element.
    pub fn read(&self, view: &View, at: &[i64]) -> Result<u64, &'static str> {
        let place = self.place(view, at)?;
        self.beside_transfers(view.buffer, &place, Access::Read)?;
        let buffer = &self.buffers[view.buffer];
        if !buffer.written[place.clone()].iter().all(|&written| written) {
            return Err("read of what nothing has written");
        }
        let mut word = [0; 8];
        word[..place.len()].copy_from_slice(&buffer.bytes[place]);
        Ok(u64::from_le_bytes(word))
    }

    /// Writes an element.
    pub fn write(&mut self, view: &View, at: &[i64], bits: u64) -> Result<(), &'static str> {
        let place = self.place(view, at)?;
        self.beside_transfers(view.buffer, &place, Access::Write)?;
        let buffer = &mut self.buffers[view.buffer];
        let is_nan = view.element.is_float() && scalar::to_f64(bits, view.element).is_nan();
        if is_nan && buffer.element != view.element {
            return Err("the payload of a NaN could be seen");
        }
        buffer.written[place.clone()].fill(true);
        let length = place.len();
        buffer.bytes[place].copy_from_slice(&bits.to_le_bytes()[..length]);
        Ok(())
    }

    /// Checks that an access does not tell when the elements of transfers move.
    fn beside_transfers(
        &self,
        buffer: usize,
        bytes: &Range<usize>,
        access: Access,
    ) -> Result<(), &'static str> {
        let is_beside = |transfer: &InFlight| transfer.is_beside(buffer, bytes, access);
        match self.transfers.iter().any(is_beside) {
            true => Err("access beside a transfer"),
            false => Ok(()),
        }
    }

    /// Moves the bytes of a transfer.
    pub(super) fn move_bytes(&mut self, from: &Side, to: &Side) -> Result<(), &'static str> {
        let source = &self.buffers[from.buffer];
        if source.freed || self.buffers[to.buffer].freed {
            return Err("transfer after free");
        }
        if source.element != self.buffers[to.buffer].element {
            return Err("a transfer between elements of other types");
        }
        if !from.bytes().all(|byte| source.written[byte]) {
            return Err("transfer of what nothing has written");
        }
        let bytes: Vec<u8> = from.bytes().map(|byte| source.bytes[byte]).collect();
        let target = &mut self.buffers[to.buffer];
        for (place, byte) in to.bytes().zip(bytes) {
            target.written[place] = true;
            target.bytes[place] = byte;
        }
        Ok(())
    }

    /// Whether every element of the view lies in its buffer.
    fn contains(&self, view: &View) -> bool {
        let size = view.element.bytes() as i64;
        let end = self.buffers[view.buffer].bytes.len() as i64;
        view.positions().into_iter().all(|position| {
            let start = view.base as i64 + position * size;
            start >= 0 && start + size <= end
        })
    }

    /// Returns the view if it lies in its buffer.
    pub fn checked(&self, view: View) -> Result<View, &'static str> {
        if self.buffers[view.buffer].freed {
            return Err("view after free");
        }
        if view
            .sizes
            .iter()
            .any(|&size| !(0..=MAX_ELEMENTS).contains(&size))
        {
            return Err("a view of a negative size");
        }
        match self.contains(&view) {
            true => Ok(view),
            false => Err("a view beyond its buffer"),
        }
    }

    /// Evaluates `memref.view`: the bytes from `shift` on as elements of another type.
    pub fn as_elements(
        &self,
        view: &View,
        shift: i64,
        ty: &MemType,
        sizes: Vec<i64>,
    ) -> Result<View, &'static str> {
        let size = ty.element.bytes();
        let base = view.base as i64 + view.offset + shift;
        // Misaligned elements are outside of what a GPU compiler has to support.
        if shift < 0 || base < 0 || !(base as usize).is_multiple_of(size) {
            return Err("a misaligned view");
        }
        self.checked(View {
            buffer: view.buffer,
            base: base as usize,
            offset: 0,
            strides: row_major(&sizes),
            sizes,
            element: ty.element,
        })
    }
}

/// Offset and strides of a layout map, whose results index a row-major array that is just large
/// enough.
fn placed(results: &[(Vec<i64>, i64)], sizes: &[i64]) -> (i64, Vec<i64>) {
    let value = |result: &(Vec<i64>, i64), at: &[i64]| {
        result.1 + result.0.iter().zip(at).map(|(f, i)| f * i).sum::<i64>()
    };
    let all = subscripts(sizes);
    let extents: Vec<i64> = results
        .iter()
        .map(|result| {
            all.iter()
                .map(|at| value(result, at) + 1)
                .max()
                .unwrap_or(0)
        })
        .collect();
    let outer = row_major(&extents);
    let linear = |at: &[i64]| -> i64 {
        results
            .iter()
            .zip(&outer)
            .map(|(result, stride)| value(result, at) * stride)
            .sum()
    };
    let origin = linear(&vec![0; sizes.len()]);
    let stride = |dim: usize| {
        let mut unit = vec![0; sizes.len()];
        unit[dim] = 1;
        linear(&unit) - origin
    };
    (origin, (0..sizes.len()).map(stride).collect())
}

impl View {
    /// Offset and strides in elements.
    pub fn layout(&self) -> (i64, Vec<i64>) {
        (self.offset, self.strides.clone())
    }

    /// Address of the view's base; buffers lie far from each other.
    pub fn address(&self) -> u64 {
        ((self.buffer as u64 + 1) << 32) + self.base as u64
    }

    /// The position of an element in the buffer, in elements.
    pub fn position(&self, at: &[i64]) -> i64 {
        self.offset
            + at.iter()
                .zip(&self.strides)
                .map(|(i, stride)| i * stride)
                .sum::<i64>()
    }

    /// Positions of all elements in the buffer.
    fn positions(&self) -> Vec<i64> {
        subscripts(&self.sizes)
            .iter()
            .map(|at| self.position(at))
            .collect()
    }

    /// Whether the view matches its type.
    pub fn fits(&self, ty: &MemType) -> bool {
        let Some(shape) = &ty.shape else {
            return true;
        };
        let agrees = |known: &Option<i64>, real: &i64| known.is_none_or(|known| known == *real);
        if shape.len() != self.sizes.len()
            || !shape.iter().zip(&self.sizes).all(|(a, b)| agrees(a, b))
        {
            return false;
        }
        match &ty.layout {
            Layout::Identity => self.offset == 0 && self.strides == row_major(&self.sizes),
            Layout::Strided { offset, strides } => {
                agrees(offset, &self.offset)
                    && strides.iter().zip(&self.strides).all(|(a, b)| agrees(a, b))
            }
            Layout::Map(_) => true,
        }
    }

    /// Evaluates `memref.subview`.
    pub fn sub(
        &self,
        offsets: &[i64],
        sizes: &[i64],
        strides: &[i64],
        kept: &[bool],
    ) -> Result<View, Undefined> {
        for (dim, &size) in self.sizes.iter().enumerate() {
            let last = offsets[dim] + (sizes[dim] - 1).max(0) * strides[dim];
            if offsets[dim] < 0 || sizes[dim] < 0 || strides[dim] < 1 || last >= size.max(1) {
                return Err(Undefined::new("a view beyond its source"));
            }
        }
        let only = |list: Vec<i64>| -> Vec<i64> {
            list.into_iter()
                .zip(kept)
                .filter(|(_, kept)| **kept)
                .map(|(value, _)| value)
                .collect()
        };
        let by = self
            .strides
            .iter()
            .zip(strides)
            .map(|(a, b)| a * b)
            .collect();
        Ok(View {
            offset: self.position(offsets),
            sizes: only(sizes.to_vec()),
            strides: only(by),
            ..self.clone()
        })
    }

    /// Evaluates `memref.reinterpret_cast`.
    pub fn reinterpreted(&self, offset: i64, sizes: Vec<i64>, strides: Vec<i64>) -> View {
        View {
            offset,
            sizes,
            strides,
            ..self.clone()
        }
    }

    /// Evaluates `memref.transpose`.
    pub fn transposed(&self, order: &[usize]) -> View {
        View {
            sizes: order.iter().map(|&dim| self.sizes[dim]).collect(),
            strides: order.iter().map(|&dim| self.strides[dim]).collect(),
            ..self.clone()
        }
    }

    /// Evaluates `memref.collapse_shape`, for groups of contiguous dimensions.
    pub fn collapsed(&self, groups: &[Vec<usize>]) -> Result<View, &'static str> {
        let (mut sizes, mut strides) = (Vec::new(), Vec::new());
        for group in groups {
            let dims = &group[..];
            for pair in dims.windows(2) {
                if self.strides[pair[0]] != self.strides[pair[1]] * self.sizes[pair[1]] {
                    return Err("collapse of what has gaps");
                }
            }
            sizes.push(dims.iter().map(|&dim| self.sizes[dim]).product());
            strides.push(self.strides[dims[dims.len() - 1]]);
        }
        Ok(View {
            sizes,
            strides,
            ..self.clone()
        })
    }

    /// Evaluates `memref.expand_shape`.
    pub fn expanded(&self, groups: &[Vec<usize>], sizes: &[i64]) -> Result<View, &'static str> {
        let mut strides = vec![0; sizes.len()];
        for (dim, group) in groups.iter().enumerate() {
            let mut stride = self.strides[dim];
            for &part in group.iter().rev() {
                strides[part] = stride;
                stride *= sizes[part];
            }
            if group.iter().map(|&part| sizes[part]).product::<i64>() != self.sizes[dim] {
                return Err("expansion to another size");
            }
        }
        Ok(View {
            sizes: sizes.to_vec(),
            strides,
            ..self.clone()
        })
    }
}

/// The numbers of a list of offsets, sizes or strides.
pub fn numbers(
    list: &[Mixed],
    value: &dyn Fn(Var) -> Result<i64, Undefined>,
) -> Result<Vec<i64>, Undefined> {
    list.iter()
        .map(|mixed| match mixed {
            Mixed::Known(number) => Ok(*number),
            Mixed::Value(var) => value(*var),
        })
        .collect()
}
