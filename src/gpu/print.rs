//! Printing kernels: they append records to a buffer, which the host formats.
//!
//! ```text
//!                                       %room = memref.atomic_rmw ori %0, %records[0]
//!                                       scf.if %room <= LAST {
//!                                         %at = memref.atomic_rmw addi %n, %records[0]
//!   gpu.printf "%d\n", %x : i32    ⇒     scf.if %at <= LAST {
//!                                           %records[%at + 1 …] = SITE, block, thread, %x
//!                                         }
//!                                       }
//! ```
//!
//! The first element counts the requested elements; threads stop raising it once the buffer is
//! full, so that it never wraps around. One thread's updates of one element keep their order, so
//! its records are in program order; the machine sorts those of different threads by thread.

use gridloom_dialects::arith::{CmpIOp, CmpIPredicate};
use gridloom_dialects::gpu::{self, Dimension, IdOp};
use gridloom_dialects::vector::{self, VectorShape};
use gridloom_dialects::{arith, gridloom, inherent, memref, scf};
use gridloom_interp::{
    Argument, Device, FaultKind, Launch, Launched, MemRef, Memory, Printed, ScalarKind,
};
use gridloom_ir::op::AttrSyntax;
use gridloom_ir::scalar::FloatFormat;
use gridloom_ir::text::store_case;
use gridloom_ir::types::TypeKind;
use gridloom_ir::{
    Attr, Body, Builder, Context, Diagnostic, Ident, InsertPoint, Loc, Module, OpId, OpName,
    SymbolTable, Type, Value,
};

use super::Gpu;
use super::lack::Stop;

/// Capacity of the record buffer, in elements: 4 MiB.
const CAPACITY: i64 = 1 << 20;
/// Elements of a record before its values: site, workgroup, thread.
const HEAD: usize = 3;

/// Print site: an operation that prints, and the layout of its values in a record.
#[derive(Clone, Debug)]
pub struct Site {
    op: OpId,
    values: Vec<Stored>,
}

/// Layout of a value in a record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stored {
    /// One element.
    Word,
    /// One element, with the lower half of a sign-extended number.
    Short,
    /// Two elements, the lower half first.
    Wide,
}

/// Whether a kernel prints.
pub fn prints(kernel: &Body) -> bool {
    kernel.walk().into_iter().any(|op| is_print(kernel, op))
}

fn is_print(kernel: &Body, op: OpId) -> bool {
    matches!(kernel[op].name, gpu::PRINTF | vector::PRINT)
}

/// The record buffer of a launch, as the last argument of the kernel.
fn records(memory: &mut Memory) -> Result<(Argument, MemRef), FaultKind> {
    let kind = ScalarKind::Int(32);
    let view = MemRef {
        alloc: memory.allocate(CAPACITY as u64, kind)?,
        base: 0,
        offset: 0,
        sizes: [CAPACITY].into_iter().collect(),
        strides: [1].into_iter().collect(),
    };
    Ok((Argument::MemRef(kind, view.clone()), view))
}

/// Rewrites a kernel to append records instead of printing.
///
/// # Errors
///
/// At a value whose type a record cannot hold.
fn record(
    ctx: &Context,
    outer: &mut Body,
    function: OpId,
    wide: bool,
) -> Result<Vec<Site>, Box<Diagnostic>> {
    let ty = ctx.memref_type(&[CAPACITY], ctx.int_type(32));
    let place = outer[function].loc;
    let broken = || Box::new(Diagnostic::remark(place, "malformed kernel"));
    let added = super::variant::add_arguments(ctx, outer, function, &[ty]);
    let [buffer] = added.ok_or_else(broken)?[..] else {
        return Err(broken());
    };
    let body = outer[function].isolated_mut().ok_or_else(broken)?;
    let found = body.walk().into_iter().filter(|&op| is_print(body, op));
    let found: Vec<OpId> = found.collect();
    let mut sites = Vec::with_capacity(found.len());
    for op in found {
        let mut w = Writer {
            b: Builder::before(ctx, body, op),
            wide,
        };
        let words = w.values(op)?;
        // Site numbers start from 1: a record never begins with 0, which marks the end.
        w.append(buffer, sites.len() as i64 + 1, &words);
        let values = words.iter().map(|(stored, _)| *stored).collect();
        body.erase(op);
        sites.push(Site { op, values });
    }
    Ok(sites)
}

struct Writer<'a> {
    b: Builder<'a>,
    /// Whether `index` has 64 bits.
    wide: bool,
}

impl Writer<'_> {
    /// The values that an operation prints, as `i32` values.
    fn values(&mut self, op: OpId) -> Result<Vec<(Stored, Vec<Value>)>, Box<Diagnostic>> {
        let mut words = Vec::new();
        let printed: Vec<Value> = self.b.body[op].operands.to_vec();
        for value in printed {
            let ty = self.b.body.ty(value);
            let Some(shape) = VectorShape::of(self.b.ctx, ty) else {
                words.push(self.words(op, value)?);
                continue;
            };
            let lanes = shape.shape.iter().product::<i64>();
            for lane in 0..lanes {
                let mut position = vec![0; shape.shape.len()];
                let mut rest = lane;
                for (place, &extent) in position.iter_mut().zip(shape.shape).rev() {
                    (*place, rest) = (rest % extent, rest / extent);
                }
                let position = self.b.ctx.i64_array_attr(&position);
                let state = self
                    .b
                    .state(vector::EXTRACT)
                    .operands(&[value])
                    .results(&[shape.element])
                    .property(self.b.ctx, inherent::STATIC_POSITION, position);
                let extracted = self.b.create(state);
                let element = self.b.body[extracted].result(0);
                words.push(self.words(op, element)?);
            }
        }
        Ok(words)
    }

    /// The bits of a scalar, as `i32` values.
    fn words(&mut self, op: OpId, value: Value) -> Result<(Stored, Vec<Value>), Box<Diagnostic>> {
        let ctx = self.b.ctx;
        let ty = self.b.body.ty(value);
        let refuse = |w: &Self| {
            let message = "a kernel prints no value of this type: run with --device cpu";
            Err(Box::new(Diagnostic::remark(w.b.body[op].loc, message)))
        };
        let int = |width| ctx.int_type(width);
        match *ty.kind(ctx) {
            TypeKind::Index if !self.wide => {
                let word = self.b.unary(arith::INDEX_CAST, &[value], int(32));
                Ok((Stored::Short, vec![word]))
            }
            TypeKind::Index => {
                let bits = self.b.unary(arith::INDEX_CAST, &[value], int(64));
                Ok(self.halves(bits))
            }
            TypeKind::Integer { width, .. } => match width {
                32 => Ok((Stored::Word, vec![value])),
                1..32 => {
                    let word = self.b.unary(arith::EXTUI, &[value], int(32));
                    Ok((Stored::Word, vec![word]))
                }
                64 => Ok(self.halves(value)),
                33..64 => {
                    let bits = self.b.unary(arith::EXTUI, &[value], int(64));
                    Ok(self.halves(bits))
                }
                _ => refuse(self),
            },
            TypeKind::Float(kind) => {
                let Some(format) = FloatFormat::of(kind) else {
                    return refuse(self);
                };
                let bits = self.b.unary(arith::BITCAST, &[value], int(format.bits()));
                self.words(op, bits)
            }
            _ => refuse(self),
        }
    }

    fn halves(&mut self, bits: Value) -> (Stored, Vec<Value>) {
        let (word, wide) = (self.b.ctx.int_type(32), self.b.ctx.int_type(64));
        let low = self.b.unary(arith::TRUNCI, &[bits], word);
        let half = self.int(wide, 32);
        let high = self.b.binary(arith::SHRUI, bits, half);
        let high = self.b.unary(arith::TRUNCI, &[high], word);
        (Stored::Wide, vec![low, high])
    }

    /// Emits code that appends a record, if there is room for it.
    fn append(&mut self, buffer: Value, site: i64, values: &[(Stored, Vec<Value>)]) {
        let word = self.b.ctx.int_type(32);
        let mut words = vec![self.int(word, site)];
        words.extend([gpu::BLOCK_ID, gpu::THREAD_ID].map(|id| self.linear(id)));
        words.extend(values.iter().flat_map(|(_, words)| words.iter().copied()));
        let count = words.len() as i64;
        let zero = self.int(word, 0);
        let asked = self.update("ori", zero, buffer);
        let last = self.int(word, CAPACITY - 1 - count);
        let has_room = self.is_at_most(asked, last);
        self.inside(has_room, |w| {
            let count = w.int(word, count);
            let at = w.update("addi", count, buffer);
            let fits = w.is_at_most(at, last);
            w.inside(fits, |w| {
                let index = w.b.ctx.index_type();
                let at = w.b.unary(arith::INDEX_CAST, &[at], index);
                for (place, &value) in (1..).zip(&words) {
                    let offset = w.b.index_constant(place);
                    let to = w.b.binary(arith::ADDI, at, offset);
                    let store = w.b.state(memref::STORE).operands(&[value, buffer, to]);
                    let store = w.b.create(store);
                    let ctx = w.b.ctx;
                    // `at` is at most LAST, and not negative, since the counter was below LAST
                    // before.
                    gridloom::set_in_bounds(ctx, &mut w.b.body[store], true);
                }
            });
        });
    }

    /// Emits the linear id of the workgroup, or of the thread in it.
    fn linear(&mut self, id: OpName) -> Value {
        let size = match id {
            gpu::BLOCK_ID => gpu::GRID_DIM,
            _ => gpu::BLOCK_DIM,
        };
        let [x, y, z] = [Dimension::X, Dimension::Y, Dimension::Z];
        let at = |w: &mut Self, name, dimension| {
            let value = IdOp::create(&mut w.b, name, dimension);
            let word = w.b.ctx.int_type(32);
            w.b.unary(arith::INDEX_CAST, &[value], word)
        };
        let mut number = at(self, id, z);
        for dimension in [y, x] {
            let size = at(self, size, dimension);
            let here = at(self, id, dimension);
            number = arith::linearize(&mut self.b, number, &[(size, here)]);
        }
        number
    }

    fn int(&mut self, ty: Type, value: i64) -> Value {
        let value = self.b.ctx.int_attr(ty, value);
        self.b.constant(value, ty)
    }

    /// Emits the unsigned comparison `a <= b`.
    fn is_at_most(&mut self, a: Value, b: Value) -> Value {
        CmpIOp::create(&mut self.b, CmpIPredicate::Ule, a, b)
    }

    /// Emits an atomic update of the buffer's first element. Returns the old value.
    fn update(&mut self, kind: &str, value: Value, buffer: Value) -> Value {
        let ctx = self.b.ctx;
        let first = self.b.index_constant(0);
        let state = self
            .b
            .state(memref::ATOMIC_RMW)
            .operands(&[value, buffer, first])
            .results(&[self.b.body.ty(value)])
            .property(
                ctx,
                inherent::RMW_KIND,
                case(ctx, memref::ATOMIC_RMW, "kind", kind),
            );
        let op = self.b.create(state);
        self.b.body[op].result(0)
    }

    /// Emits code inside of an `scf.if`.
    fn inside(&mut self, condition: Value, emit: impl FnOnce(&mut Self)) {
        let state = self.b.state(scf::IF).operands(&[condition]);
        let behind = self.b.point();
        let op = self.b.create(state);
        let region = self.b.body.add_region(op);
        let block = self.b.body.add_block(region, &[]);
        self.b.body.add_region(op);
        self.b.set(InsertPoint::End(block));
        emit(self);
        let yields = self.b.state(scf::YIELD);
        self.b.create(yields);
        self.b.set(behind);
    }
}

/// The attribute of an enumeration case with a given name.
fn case(ctx: &Context, op: OpName, attr: &str, name: &str) -> Attr {
    let row = ctx.op_signature(op);
    let def = row.and_then(|row| row.attrs.iter().find(|def| def.name == attr));
    let attr = match def.map(|def| def.syntax) {
        Some(AttrSyntax::Enum(cases)) => {
            let value = cases.cases.iter().find(|case| case.0 == name);
            value.and_then(|value| store_case(ctx, cases, value.1))
        }
        _ => None,
    };
    attr.unwrap_or_else(|| ctx.unit_attr())
}

/// Reads the records of a buffer, in order; and whether some did not fit.
fn read(sites: &[Site], bytes: &[u8]) -> (Vec<Printed>, bool) {
    let words = bytes
        .chunks_exact(4)
        .map(|w| u32::from_le_bytes([w[0], w[1], w[2], w[3]]));
    let words: Vec<u32> = words.collect();
    let asked = words.first().map_or(0, |&asked| asked as usize);
    let last = CAPACITY as usize - 1;
    let mut left = words.get(1..).unwrap_or_default();
    left = &left[..asked.min(left.len())];
    let mut records = Vec::new();
    while let [site, block, thread, rest @ ..] = left {
        let site = (*site as usize)
            .checked_sub(1)
            .and_then(|site| sites.get(site));
        let Some(site) = site else { break };
        let mut words = rest.iter().copied();
        let mut values = Vec::with_capacity(site.values.len());
        for stored in &site.values {
            let low = words.next();
            let high = match stored {
                Stored::Wide => words.next(),
                Stored::Word => Some(0),
                Stored::Short => low.map(|low| if (low as i32) < 0 { u32::MAX } else { 0 }),
            };
            values.extend(
                low.zip(high)
                    .map(|(low, high)| u64::from(high) << 32 | u64::from(low)),
            );
        }
        let words_of = |stored: &Stored| 1 + usize::from(*stored == Stored::Wide);
        let size = HEAD + site.values.iter().map(words_of).sum::<usize>();
        if values.len() < site.values.len() || size > left.len() {
            break;
        }
        records.push(Printed {
            thread: [u64::from(*block), u64::from(*thread)],
            op: site.op,
            values,
        });
        left = &left[size..];
    }
    (records, asked > last)
}

/// Copies the program, with the kernel rewritten to record its output. Returns it with the print
/// sites.
pub fn recording(
    ctx: &Context,
    mut module: Module,
    (container, name): (Ident, Ident),
    wide: bool,
) -> Result<(Module, Vec<Site>), Box<Diagnostic>> {
    let missing = || Box::new(Diagnostic::remark(Loc::UNKNOWN, "there is no such kernel"));
    let container = module.symbols(ctx).get(container).ok_or_else(missing)?;
    let outer = module.body_mut()[container]
        .isolated_mut()
        .ok_or_else(missing)?;
    let function = SymbolTable::of(ctx, outer).get(name).ok_or_else(missing)?;
    let sites = record(ctx, outer, function, wide)?;
    Ok((module, sites))
}

impl Gpu<'_> {
    /// Launches a printing kernel, and reads its records.
    pub(super) fn launch_printing(
        &mut self,
        ctx: &Context,
        module: &Module,
        memory: &mut Memory,
        launch: &Launch<'_>,
    ) -> Result<Launched, FaultKind> {
        let (argument, view) = records(memory)?;
        let arguments: Vec<Argument> = launch.arguments.iter().cloned().chain([argument]).collect();
        let launch = Launch {
            arguments: &arguments,
            ..launch.clone()
        };
        let done = self.launch_whole(ctx, module, memory, &launch);
        let launched = match done {
            Ok(()) => {
                self.fetch(memory, view.alloc)?;
                let bytes = memory.get(view.alloc)?.bytes();
                let (records, overflows) = read(&self.printing, bytes);
                Launched::Printed { records, overflows }
            }
            Err(Stop::Lack(why)) => Launched::Refused(why),
            Err(Stop::Fault(kind)) => return Err(kind),
        };
        self.freed(view.alloc);
        memory.free(view.alloc)?;
        Ok(launched)
    }
}
