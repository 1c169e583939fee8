//! Windows of large buffers: splits a launch that accesses more of a buffer than a kernel can bind
//! into launches of parts of its grid, each of which accesses a window that fits.
//!
//! ```text
//! launch @k grid 1024, %a: 256 MiB     ⇒     launch @k blocks    0 to 511, %a: bytes 0 to 128 Mi
//!                                            launch @k blocks 512 to 1023, %a: bytes 128 Mi to 256 Mi
//! ```
//!
//! The offset of the kernel's memref gives the distance of the window from the buffer's beginning.
//! Legal where every use of the memref is an access of elements, in range whenever it runs (proved
//! or guarded), whose indices interval analysis bounds for a part of the grid: workgroups run in
//! any order. Else the launch stays on the host.

use gridloom_dialects::integer_range::Interval;
use gridloom_dialects::vector::VectorShape;
use gridloom_dialects::{gridloom, memref, vector};
use gridloom_interp::{Argument, Launch, MemRef};
use gridloom_ir::attr::AttrKind;
use gridloom_ir::body::{Body, OpId, Value};
use gridloom_ir::types::{DYNAMIC, MemRefType, TypeKind};
use gridloom_ir::{Context, Type};

use super::index_width::{LaunchConfig, Ranges};
use super::variant::Part;

/// Limit of the launches that one is split into.
const MAX_PARTS: usize = 1024;

/// Limit of the elements of one access; windows keep the alignment of such accesses.
const MAX_LANES: u64 = 4;

/// Wide argument: a memref whose buffer exceeds a kernel's binding limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wide {
    /// Argument number.
    pub arg: u32,
    /// Bytes of an element on the device.
    pub bytes: u64,
    /// Number of elements of the buffer.
    pub elements: u64,
}

/// Window of a buffer, in elements from its beginning.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Seen {
    /// Argument number.
    pub arg: u32,
    pub first: u64,
    pub count: u64,
}

/// Part of a grid, with the windows that it accesses.
pub type WindowedPart = (Part, Vec<Seen>);

/// Limits of windows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WindowLimits {
    /// Limit of the bytes.
    pub bytes: u64,
    /// Alignment of the first byte.
    pub alignment: u64,
    /// Whether accesses that are not proved in range are guarded.
    pub guarded: bool,
}

/// Splits parts of a launch's grid until each accesses windows within the limits; `None` where that
/// is not proved, or takes too many parts.
pub fn windowed(
    ctx: &Context,
    kernel: &Body,
    launch: &Launch<'_>,
    wide: &[Wide],
    limits: WindowLimits,
    parts: Vec<Part>,
) -> Option<Vec<WindowedPart>> {
    let cut = Cut {
        ctx,
        kernel,
        launch,
        wide,
        limits,
    };
    if !wide.iter().all(|wide| cut.is_alone(wide.arg)) {
        return None;
    }
    let mut found = Vec::new();
    // A stack, with the first part of the grid on top.
    let mut left: Vec<Part> = parts.into_iter().rev().collect();
    while let Some(part) = left.pop() {
        if found.len() + left.len() >= MAX_PARTS {
            return None;
        }
        let seen = cut.seen(part)?;
        if cut.largest(&seen) <= limits.bytes {
            found.push((part, seen));
            continue;
        }
        let halves = cut.halves(part, cut.largest(&seen))?;
        left.extend(halves.into_iter().rev());
    }
    Some(found)
}

/// The memref type with a dynamic offset; `None` for a layout without strides.
pub fn with_open_offset(ctx: &Context, ty: Type) -> Option<Type> {
    let memref = ty.memref(ctx)?;
    let (_, strides) = memref.strided_form(ctx)?;
    let layout = ctx.intern_attr(AttrKind::Strided {
        offset: DYNAMIC,
        strides: strides.into(),
    });
    Some(ctx.intern_type(TypeKind::MemRef(MemRefType {
        layout: Some(layout),
        ..memref.clone()
    })))
}

/// The arguments of a part: memref offsets count from the windows' beginnings.
pub fn shifted(arguments: &[Argument], seen: &[Seen]) -> Vec<Argument> {
    let mut arguments = arguments.to_vec();
    for window in seen {
        if let Some(Argument::MemRef(_, view)) = arguments.get_mut(window.arg as usize) {
            // A window begins inside of a buffer, whose elements an i64 counts.
            view.offset -= window.first as i64;
        }
    }
    arguments
}

struct Cut<'a> {
    ctx: &'a Context,
    kernel: &'a Body,
    launch: &'a Launch<'a>,
    wide: &'a [Wide],
    limits: WindowLimits,
}

impl Cut<'_> {
    fn view(&self, arg: u32) -> Option<&MemRef> {
        match self.launch.arguments.get(arg as usize)? {
            Argument::MemRef(_, view) => Some(view),
            Argument::Scalar(..) => None,
        }
    }

    /// Whether no other argument is in the same buffer, which is bound once.
    fn is_alone(&self, arg: u32) -> bool {
        let own = self.view(arg).map(|view| view.alloc);
        let same =
            self.launch.arguments.iter().filter(
                |other| matches!(other, Argument::MemRef(_, view) if Some(view.alloc) == own),
            );
        same.count() == 1
    }

    /// The bytes of the largest window.
    fn largest(&self, seen: &[Seen]) -> u64 {
        let bytes = |(seen, wide): (&Seen, &Wide)| seen.count.saturating_mul(wide.bytes);
        seen.iter().zip(self.wide).map(bytes).max().unwrap_or(0)
    }

    /// Splits a part in half along the dimension where the halves access least, if that is less
    /// than `now` bytes.
    fn halves(&self, part: Part, now: u64) -> Option<[Part; 2]> {
        let mut best: Option<(u64, [Part; 2])> = None;
        for dim in (0..3).filter(|&dim| part.size[dim] > 1) {
            let mut halves = [part; 2];
            let half = part.size[dim] / 2;
            halves[0].size[dim] = half;
            halves[1].size[dim] -= half;
            halves[1].origin[dim] += half;
            let touched = halves.map(|half| self.seen(half).map(|seen| self.largest(&seen)));
            let most = touched[0]?.max(touched[1]?);
            if most < best.map_or(now, |(bytes, _)| bytes) {
                best = Some((most, halves));
            }
        }
        best.map(|(_, halves)| halves)
    }

    /// The window that a part of the grid accesses of each wide argument.
    fn seen(&self, part: Part) -> Option<Vec<Seen>> {
        let launch = LaunchConfig {
            grid: self.launch.grid,
            part: Some(part),
            block: self.launch.block,
            arguments: self.launch.arguments,
        };
        // Intervals of values passed through regions rely on all values fitting 32 bits.
        let ranges = Ranges::of_narrow(self.ctx, self.kernel, &launch)?;
        let entry = self.kernel.entry()?;
        let args = &self.kernel[entry].args;
        let places: Vec<Value> = (self.wide.iter())
            .map(|wide| args.get(wide.arg as usize).copied())
            .collect::<Option<_>>()?;
        let mut touched: Vec<Option<Interval>> = vec![None; self.wide.len()];
        for op in self.kernel.walk() {
            for (number, &value) in self.kernel[op].operands.iter().enumerate() {
                let Some(place) = places.iter().position(|&arg| arg == value) else {
                    continue;
                };
                if self.kernel[op].name == memref::DIM {
                    continue;
                }
                let view = self.view(self.wide[place].arg)?;
                let (low, high) = self.elements(&ranges, op, number, view)?;
                let all = touched[place].get_or_insert((low, high));
                *all = (all.0.min(low), all.1.max(high));
            }
        }
        let seen = self.wide.iter().zip(touched);
        seen.map(|(wide, touched)| self.aligned(wide, touched))
            .collect()
    }

    /// The interval of buffer elements that an access may touch.
    fn elements(
        &self,
        ranges: &Ranges<'_>,
        op: OpId,
        memref: usize,
        view: &MemRef,
    ) -> Option<Interval> {
        let data = &self.kernel[op];
        // The value of a store precedes the memref.
        let (value, lanes) = match (data.name, memref) {
            (memref::LOAD, 0) | (memref::STORE, 1) => (None, 1),
            (vector::LOAD, 0) => (Some(data.result(0)), 0),
            (vector::STORE, 1) => (data.operands.first().copied(), 0),
            _ => return None,
        };
        let lanes = match value {
            Some(value) => match VectorShape::of(self.ctx, self.kernel.ty(value))?.shape[..] {
                [lanes] => lanes,
                _ => return None,
            },
            None => lanes,
        };
        if !self.limits.guarded && !gridloom::is_in_bounds(self.ctx, data) {
            return None;
        }
        let indices = data.operands.get(memref + 1..)?;
        if indices.len() != view.sizes.len() || view.strides.len() != view.sizes.len() {
            return None;
        }
        let last = indices.len().checked_sub(1);
        let (mut low, mut high) = (i128::from(view.offset), i128::from(view.offset));
        for (dim, &index) in indices.iter().enumerate() {
            let (from, to) = ranges.of(index)?;
            let to = if Some(dim) == last {
                to + i128::from(lanes) - 1
            } else {
                to
            };
            // An access that runs is in range.
            let most = i128::from(view.sizes[dim] - 1).max(0);
            let ends = [from, to].map(|index| index.clamp(0, most) * i128::from(view.strides[dim]));
            low += ends[0].min(ends[1]);
            high += ends[0].max(ends[1]);
        }
        Some((low, high))
    }

    /// The window of the elements, aligned at its beginning.
    fn aligned(&self, wide: &Wide, touched: Option<Interval>) -> Option<Seen> {
        let (low, high) = touched.unwrap_or((0, 0));
        let elements = i128::from(wide.elements);
        if low < 0 || high >= elements {
            return None;
        }
        let unit = i128::from((self.limits.alignment / wide.bytes).max(MAX_LANES));
        let first = low / unit * unit;
        // Vector accesses touch whole units.
        let end = ((high / unit + 1) * unit).min(elements);
        Some(Seen {
            arg: wide.arg,
            first: u64::try_from(first).ok()?,
            count: u64::try_from(end - first).ok()?,
        })
    }
}
