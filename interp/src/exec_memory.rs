//! Buffer instructions: allocations, views, copies and deallocations.

use smallvec::SmallVec;

use crate::code::{AllocInfo, Extent, Instr, Layout, Reg, ShapeInfo, Span, ViewInfo};
use crate::fault::FaultKind;
use crate::frame::Frame;
use crate::layout::extent;
use crate::machine::Machine;
use crate::memory::AllocId;
use crate::memref::{MemRef, row_major_strides};
use crate::race::AccessKind;
use crate::scalar::ScalarKind;

impl Machine<'_> {
    pub(crate) fn memory_step(&mut self, frame: &mut Frame, instr: Instr) -> Result<(), FaultKind> {
        let function = frame.function as usize;
        match instr {
            Instr::Watch {
                access,
                kind,
                mem,
                index,
            } => self.watch(frame, access, kind, mem, index)?,
            Instr::Alloc { dst, info } => {
                let info = self.code.functions[function].allocs[info as usize].clone();
                let memref = self.allocate_info(&info, &frame.scalars)?;
                let loc = self.loc(frame);
                self.memory.note_made(memref.alloc, loc, !info.stack);
                if info.stack {
                    frame.stack.push(memref.alloc);
                }
                frame.mems[dst as usize] = memref;
            }
            Instr::Free { mem } => {
                let id = frame.mem(mem).alloc;
                self.watch_free(frame, id)?;
                self.free_beside_transfers(id)?;
                if frame.stack.contains(&id) {
                    return Err(FaultKind::BadFree(self.memory.places(id)));
                }
                self.release(id)?;
                let loc = self.loc(frame);
                self.memory.note_freed(id, loc);
            }
            Instr::ScopeEnter => frame.scopes.push(frame.stack.len()),
            Instr::ScopeExit => {
                let keep = frame.scopes.pop().unwrap_or(0);
                for id in frame.stack.split_off(keep.min(frame.stack.len())) {
                    self.release(id)?;
                }
            }
            Instr::Dim { dst, mem, index } => {
                let (index, sizes) = (frame.get(index) as i64, &frame.mem(mem).sizes);
                let size = usize::try_from(index)
                    .ok()
                    .and_then(|index| sizes.get(index));
                let rank = sizes.len() as i64;
                let Some(&size) = size else {
                    let what = format!("dimension {index} of a memref of rank {rank}");
                    return Err(FaultKind::ShapeMismatch(what));
                };
                frame.scalars[dst as usize] = size as u64;
            }
            Instr::Rank { dst, mem } => {
                frame.scalars[dst as usize] = frame.mem(mem).sizes.len() as u64;
            }
            Instr::Address { dst, src } => {
                let source = frame.mem(src);
                let start = self.memory.get(source.alloc)?.address();
                frame.scalars[dst as usize] = start.wrapping_add(source.base as u64);
            }
            Instr::Copy { src, dst, kind } => {
                let (source, target) = (frame.mem(src).clone(), frame.mem(dst).clone());
                self.watched_copy(frame, &source, &target, kind)?;
            }
            Instr::CopyAsync {
                src,
                dst,
                kind,
                token,
            } => {
                let (source, target) = (frame.mem(src).clone(), frame.mem(dst).clone());
                frame.scalars[token as usize] = self.copy_async(frame, &source, &target, kind)?;
            }
            Instr::Await { tokens } => {
                for reg in self.registers(frame, tokens) {
                    self.await_token(frame, frame.get(reg))?;
                }
            }
            Instr::AwaitAll => self.await_all(frame)?,
            Instr::CopyFront { src, dst, kind } => {
                let (mut source, mut target) = (frame.mem(src).clone(), frame.mem(dst).clone());
                for (from, to) in source.sizes.iter_mut().zip(&mut target.sizes) {
                    (*from, *to) = ((*from).min(*to), (*from).min(*to));
                }
                self.watched_copy(frame, &source, &target, kind)?;
            }
            Instr::Fill { dst, value, kind } => {
                let (target, value) = (frame.mem(dst).clone(), frame.get(value));
                self.fill_memory(frame, &target, kind, value)?;
            }
            Instr::Global { dst, global } => frame.mems[dst as usize] = self.global(global)?,
            other => {
                let (dst, view) = self.view(frame, other)?;
                frame.mems[dst as usize] = view;
            }
        }
        Ok(())
    }

    /// Sets all elements of a view.
    pub(crate) fn fill_memory(
        &mut self,
        frame: &Frame,
        target: &MemRef,
        kind: ScalarKind,
        value: u64,
    ) -> Result<(), FaultKind> {
        self.watch_all(frame, target, kind, AccessKind::Write)?;
        self.all_beside_transfers(target, kind, true)?;
        self.make_current_but_for(target, kind)?;
        self.memory.fill(target, kind, value)
    }

    pub(crate) fn watched_copy(
        &mut self,
        frame: &Frame,
        source: &MemRef,
        target: &MemRef,
        kind: ScalarKind,
    ) -> Result<(), FaultKind> {
        self.watch_all(frame, source, kind, AccessKind::Read)?;
        self.watch_all(frame, target, kind, AccessKind::Write)?;
        self.all_beside_transfers(source, kind, false)?;
        self.all_beside_transfers(target, kind, true)?;
        self.copy(source, target, kind)
    }

    /// Frees a buffer here and on the device.
    pub(crate) fn release(&mut self, id: AllocId) -> Result<(), FaultKind> {
        self.memory.free(id)?;
        self.space_usage.release(id);
        self.end_transfers_of(id);
        if let Some(device) = &mut self.device {
            device.freed(id);
        }
        Ok(())
    }

    pub(crate) fn copy(
        &mut self,
        from: &MemRef,
        to: &MemRef,
        kind: ScalarKind,
    ) -> Result<(), FaultKind> {
        if from.sizes != to.sizes {
            let what = format!("a copy from shape {:?} to shape {:?}", from.sizes, to.sizes);
            return Err(FaultKind::ShapeMismatch(what));
        }
        if let Some(device) = &mut self.device
            && device.copy(&mut self.memory, from, to, kind)?
        {
            return Ok(());
        }
        // Lent contents are copied from where they lie.
        if from.alloc == to.alloc || !self.memory.get(from.alloc)?.is_lent() {
            self.make_current(from.alloc)?;
        }
        self.make_current_but_for(to, kind)?;
        self.memory.copy(from, to, kind)
    }

    /// Downloads a buffer before the host writes a view of it, unless nothing of the buffer is left then.
    fn make_current_but_for(&mut self, view: &MemRef, kind: ScalarKind) -> Result<(), FaultKind> {
        if self.memory.is_whole(view, kind)? {
            self.memory.get_mut(view.alloc)?.begin_anew();
            return Ok(());
        }
        self.make_current(view.alloc)
    }

    /// Runs an instruction whose result is another view of a buffer.
    fn view(&mut self, frame: &mut Frame, instr: Instr) -> Result<(u32, MemRef), FaultKind> {
        let code = &self.code.functions[frame.function as usize];
        let scalars = &frame.scalars;
        Ok(match instr {
            Instr::SubView { dst, src, info } => {
                let info = &code.views[info as usize];
                (dst, subview(frame.mem(src), info, scalars)?)
            }
            Instr::Reinterpret { dst, src, info } => {
                let info = &code.views[info as usize];
                (dst, reinterpret(frame.mem(src).clone(), info, scalars)?)
            }
            Instr::ByteView {
                dst,
                src,
                shift,
                info,
            } => {
                let (info, source) = (&code.allocs[info as usize], frame.mem(src).clone());
                let length = self.memory.get(source.alloc)?.size();
                let shift = frame.get(shift) as i64;
                (dst, byte_view(source, shift, info, scalars, length)?)
            }
            Instr::CheckShape { dst, src, info } => {
                let view = frame.mem(src).clone();
                check_shape(&view, &code.shapes[info as usize])?;
                (dst, view)
            }
            Instr::Transpose { dst, src, dims } => {
                let source = frame.mem(src);
                let mut view = source.clone();
                for (to, &from) in self.registers(frame, dims).iter().enumerate() {
                    view.sizes[to] = source.sizes[from as usize];
                    view.strides[to] = source.strides[from as usize];
                }
                (dst, view)
            }
            Instr::Collapse { dst, src, info } => {
                let groups = &code.regroups[info as usize].groups;
                (dst, collapse(frame.mem(src), groups)?)
            }
            Instr::Expand { dst, src, info } => {
                let info = &code.regroups[info as usize];
                let sizes = extents(&info.sizes, scalars);
                (dst, expand(frame.mem(src), &info.groups, sizes)?)
            }
            Instr::Reshape {
                dst,
                src,
                shape,
                shape_kind,
            } => {
                let (source, shape) = (frame.mem(src).clone(), frame.mem(shape).clone());
                let sizes = self.elements_of_shape(frame, &shape, shape_kind)?;
                (dst, reshape(source, sizes)?)
            }
            Instr::Metadata { base, src, outs } => (base, self.metadata(frame, src, outs)),
            other => unreachable!("every other instruction is handled before: {other:?}"),
        })
    }

    /// Reads a shape: the sizes that the elements of a memref of integers are.
    fn elements_of_shape(
        &mut self,
        frame: &Frame,
        shape: &MemRef,
        kind: ScalarKind,
    ) -> Result<SmallVec<[i64; 4]>, FaultKind> {
        self.make_current(shape.alloc)?;
        self.watch_all(frame, shape, kind, AccessKind::Read)?;
        self.all_beside_transfers(shape, kind, false)?;
        let mut sizes = SmallVec::new();
        shape.for_each_position(|position| {
            sizes.push(self.memory.read(shape, position, kind)? as i64);
            Ok(())
        })?;
        Ok(sizes)
    }

    /// Writes offset, sizes and strides of a memref to registers; gives its base buffer, a memref
    /// of rank 0 in the same memory.
    fn metadata(&self, frame: &mut Frame, src: Reg, outs: Span) -> MemRef {
        let outs = self.registers(frame, outs);
        let source = frame.mem(src).clone();
        let values = [source.offset].into_iter();
        let values = values.chain(source.sizes.iter().copied());
        let values: Vec<i64> = values.chain(source.strides.iter().copied()).collect();
        for (&out, value) in outs.iter().zip(values) {
            frame.scalars[out as usize] = value as u64;
        }
        MemRef {
            offset: 0,
            sizes: SmallVec::new(),
            strides: SmallVec::new(),
            ..source
        }
    }
}

fn extents(extents: &[Extent], scalars: &[u64]) -> SmallVec<[i64; 4]> {
    extents.iter().map(|&size| extent(size, scalars)).collect()
}

/// Sizes, none of them negative.
fn sizes_of(sizes: &[Extent], scalars: &[u64]) -> Result<SmallVec<[i64; 4]>, FaultKind> {
    let sizes = extents(sizes, scalars);
    match sizes.iter().find(|&&size| size < 0) {
        Some(&size) => Err(FaultKind::NegativeSize(size)),
        None => Ok(sizes),
    }
}

/// Subview of `source`, whose elements have to lie in it. One without elements may begin anywhere: the last tiles of a
/// loop over a fixed number of tiles do, where there is nothing left for them.
fn subview(source: &MemRef, info: &ViewInfo, scalars: &[u64]) -> Result<MemRef, FaultKind> {
    let mut view = source.clone();
    (view.sizes, view.strides) = (SmallVec::new(), SmallVec::new());
    let sizes = sizes_of(&info.sizes, scalars)?;
    let is_empty = sizes.contains(&0);
    for (dim, &offset) in info.offsets.iter().enumerate() {
        let (offset, size) = (extent(offset, scalars), sizes[dim]);
        let step = extent(info.strides[dim], scalars);
        if !is_empty && !are_within(source.sizes[dim], offset, size, step) {
            return Err(FaultKind::ViewOutOfBounds);
        }
        let places = offset.wrapping_mul(source.strides[dim]);
        view.offset = view.offset.wrapping_add(places);
        if info.kept.contains(&dim) {
            view.sizes.push(size);
            view.strides.push(source.strides[dim].wrapping_mul(step));
        }
    }
    Ok(view)
}

fn reinterpret(mut view: MemRef, info: &ViewInfo, scalars: &[u64]) -> Result<MemRef, FaultKind> {
    let offset = info.offsets.first();
    view.offset = offset.map_or(0, |&offset| extent(offset, scalars));
    view.sizes = sizes_of(&info.sizes, scalars)?;
    view.strides = extents(&info.strides, scalars);
    Ok(view)
}

/// Typed view of memory of bytes, `shift` bytes behind the start of `view`, whose buffer has
/// `length` bytes.
fn byte_view(
    mut view: MemRef,
    shift: i64,
    info: &AllocInfo,
    scalars: &[u64],
    length: usize,
) -> Result<MemRef, FaultKind> {
    let place = |bytes: i64| usize::try_from(bytes).map_err(|_| FaultKind::ViewOutOfBounds);
    let (shift, start) = (place(shift)?, place(view.offset)?);
    view.base = view.base.saturating_add(start).saturating_add(shift);
    view.sizes = sizes_of(&info.sizes, scalars)?;
    view.offset = 0;
    view.strides = match &info.layout {
        Layout::RowMajor => row_major_strides(&view.sizes),
        _ => return Err(FaultKind::ViewOutOfBounds),
    };
    let bytes = view.num_elements().saturating_mul(info.kind.size() as u64);
    if (view.base as u64).saturating_add(bytes) > length as u64 {
        return Err(FaultKind::ViewOutOfBounds);
    }
    Ok(view)
}

/// Whether `size` elements, at least one, from `offset` by `step` lie below `limit`.
fn are_within(limit: i64, offset: i64, size: i64, step: i64) -> bool {
    let last = i128::from(offset) + i128::from(size - 1) * i128::from(step);
    let inside = |at: i128| (0..i128::from(limit)).contains(&at);
    inside(offset.into()) && inside(last)
}

/// Whether the elements of a view, if any, lie in row-major order from its base
/// on. Strides of dimensions with one index do not matter.
fn is_row_major(view: &MemRef) -> bool {
    let order = row_major_strides(&view.sizes);
    let mut dims = view.sizes.iter().zip(view.strides.iter().zip(&order));
    let in_order = view.offset == 0 && dims.all(|(&size, (have, want))| size == 1 || have == want);
    in_order || view.sizes.contains(&0)
}

fn check_shape(view: &MemRef, wanted: &ShapeInfo) -> Result<(), FaultKind> {
    let agree = |have: &[i64], want: &[Option<i64>]| {
        have.len() == want.len()
            && have
                .iter()
                .zip(want)
                .all(|(have, want)| want.is_none_or(|want| want == *have))
    };
    let strides = wanted
        .strides
        .as_ref()
        .is_none_or(|want| agree(&view.strides, want));
    if agree(&view.sizes, &wanted.sizes)
        && strides
        && (!wanted.row_major || is_row_major(view))
        && wanted.offset.is_none_or(|offset| offset == view.offset)
    {
        return Ok(());
    }
    Err(FaultKind::ShapeMismatch(format!(
        "the memref of shape {:?}, strides {:?} and offset {} does not fit the type it is cast to",
        view.sizes, view.strides, view.offset
    )))
}

fn collapse(source: &MemRef, groups: &[Vec<usize>]) -> Result<MemRef, FaultKind> {
    let mut view = source.clone();
    (view.sizes, view.strides) = (SmallVec::new(), SmallVec::new());
    for group in groups {
        let size = group
            .iter()
            .fold(1i64, |n, &dim| n.saturating_mul(source.sizes[dim]));
        // Unit dimensions have no stride of their own.
        let wide: Vec<usize> = group
            .iter()
            .copied()
            .filter(|&dim| source.sizes[dim] != 1)
            .collect();
        for pair in wide.windows(2) {
            let inner = source.strides[pair[1]].wrapping_mul(source.sizes[pair[1]]);
            if size != 0 && source.strides[pair[0]] != inner {
                let what = "the collapsed dimensions are not contiguous".to_owned();
                return Err(FaultKind::ShapeMismatch(what));
            }
        }
        let last = wide.last().or(group.last());
        view.sizes.push(size);
        view.strides
            .push(last.map_or(1, |&dim| source.strides[dim]));
    }
    Ok(view)
}

fn expand(
    source: &MemRef,
    groups: &[Vec<usize>],
    sizes: SmallVec<[i64; 4]>,
) -> Result<MemRef, FaultKind> {
    let mut view = source.clone();
    view.strides = sizes.iter().map(|_| 1).collect();
    for (dim, group) in groups.iter().enumerate() {
        let product = group.iter().fold(1i64, |n, &d| n.saturating_mul(sizes[d]));
        if source.sizes.get(dim) != Some(&product) {
            let what = format!("dimension {dim} does not expand to sizes of product {product}");
            return Err(FaultKind::ShapeMismatch(what));
        }
        let mut stride = source.strides[dim];
        for &d in group.iter().rev() {
            view.strides[d] = stride;
            stride = stride.wrapping_mul(sizes[d]);
        }
    }
    view.sizes = sizes;
    Ok(view)
}

fn reshape(source: MemRef, sizes: SmallVec<[i64; 4]>) -> Result<MemRef, FaultKind> {
    if let Some(&size) = sizes.iter().find(|&&size| size < 0) {
        return Err(FaultKind::NegativeSize(size));
    }
    let contiguous = source.strides == row_major_strides(&source.sizes);
    let strides = row_major_strides(&sizes);
    let count = source.num_elements();
    let view = MemRef {
        sizes,
        strides,
        ..source
    };
    if !contiguous || view.num_elements() != count {
        let what = "a reshape needs a contiguous source with as many elements".to_owned();
        return Err(FaultKind::ShapeMismatch(what));
    }
    Ok(view)
}
