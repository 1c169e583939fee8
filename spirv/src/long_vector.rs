//! Vectors that no register holds: of more than four elements, or of another rank than 1.
//!
//! Such a value is a list of scalar registers, one an element in row-major order, as on the interpreter. What
//! only moves elements about makes a new list and emits nothing; element-wise operations of `arith` and `math`
//! are lowered once for each element:
//!
//! ```text
//! %r = arith.addf %a, %b : vector<8xf32>   ⇒   8 × OpFAdd
//! ```
//!
//! While [`Kernel::lane`] is set, the register of a vector type is that of its element, and the word of a value
//! that lane's. Control flow does not carry such vectors, nor do masks and strided slices take them: the kernel is
//! refused by the operation that stands in the way.

use gridloom_dialects::vector::{VectorShape, row_major_strides};
use gridloom_dialects::{arith, inherent, math, vector};
use gridloom_ir::types::DYNAMIC;
use gridloom_ir::{OpId, OpName, Type, Value};
use rspirv::spirv::Word;

use crate::access::Access;
use crate::halves::{self, Stored};
use crate::kernel::{Kernel, Lowered, Lowering};
use crate::{constants, types, vector_memory};

/// The most elements: each is a register, and an operation as many instructions.
const MAX_ELEMENTS: i64 = 256;

/// Lowers an operation on long vectors; says whether it has a lowering here.
pub(crate) fn lower(k: &mut Kernel<'_>, op: OpId, name: OpName) -> Lowering<bool> {
    let data = &k.body[op];
    let mut values = data.operands.iter().copied().chain(data.results());
    if name != math::IPOWI && !values.any(|value| is_long(k, k.body.ty(value))) {
        return Ok(false);
    }
    match name {
        arith::CONSTANT => constant(k, op)?,
        vector::BROADCAST => broadcast(k, op)?,
        vector::SHAPE_CAST | vector::FROM_ELEMENTS => {
            let count = k.body[op].operands.len();
            let parts: Lowering<Vec<_>> = (0..count).map(|n| elements(k, op, n)).collect();
            define(k, op, parts?.concat())?;
        }
        vector::TO_ELEMENTS => {
            let lanes = elements(k, op, 0)?;
            let results: Vec<Value> = k.body[op].results().collect();
            for (result, lane) in results.into_iter().zip(lanes) {
                k.define(result, Lowered::Reg(lane));
            }
        }
        vector::EXTRACT | vector::INSERT => return at_position(k, op, name),
        vector::TRANSPOSE => transpose(k, op)?,
        vector::LOAD => load(k, op)?,
        vector::STORE => store(k, op)?,
        vector::REDUCTION => crate::vector::reduction(k, op)?,
        _ if is_elementwise(name) => return lane_by_lane(k, op, name),
        _ => return Ok(false),
    }
    Ok(true)
}

/// Whether values of this type are lists of elements.
fn is_long(k: &Kernel<'_>, ty: Type) -> bool {
    let shape = VectorShape::of(k.ctx, ty);
    shape.is_some_and(|shape| {
        !shape.is_scalable()
            && shape.num_elements() <= MAX_ELEMENTS
            && !matches!(shape.shape[..], [1..=4])
    })
}

fn is_elementwise(name: OpName) -> bool {
    let dialect = gridloom_dialects::signature(name).and_then(|op| op.name.split('.').next());
    matches!(dialect, Some("arith" | "math")) || name == vector::FMA
}

/// Extents of a vector type; none for a scalar.
fn extents(k: &Kernel<'_>, value: Value) -> Vec<usize> {
    let shape = VectorShape::of(k.ctx, k.body.ty(value));
    let sizes = shape.map_or(Vec::new(), |shape| shape.shape.to_vec());
    sizes.iter().map(|&size| size.max(0) as usize).collect()
}

/// The elements of operand number `index`, of a scalar or a short vector as well.
pub(crate) fn elements(k: &mut Kernel<'_>, op: OpId, index: usize) -> Lowering<Vec<Word>> {
    let value = k.operand(op, index)?;
    match k.lowered(op, value)? {
        Lowered::Lanes(lanes) => return Ok(lanes.clone()),
        Lowered::Packets(packets) => {
            let (packets, count) = (packets.clone(), extents(k, value).iter().product());
            let lanes = (0..count).map(|lane| halves::element(k, &packets, lane));
            let lanes: Option<Vec<Word>> = lanes.collect();
            return lanes.ok_or_else(|| k.malformed(op));
        }
        _ => {}
    }
    let reg = k.reg(op, value)?;
    let word = k.value_word(op, value)?;
    Ok(k.e.lanes(reg, word))
}

/// Defines the only result by its elements.
fn define(k: &mut Kernel<'_>, op: OpId, lanes: Vec<Word>) -> Lowering<()> {
    let result = k.result(op)?;
    if lanes.len() != extents(k, result).iter().product::<usize>() {
        return Err(k.malformed(op));
    }
    if is_long(k, k.body.ty(result)) {
        k.define(result, Lowered::Lanes(lanes));
        return Ok(());
    }
    let reg = k.reg(op, result)?;
    let word = k.e.vector(reg, &lanes);
    k.set(op, word)
}

/// An element-wise operation, once for each element; says whether it has a lowering.
fn lane_by_lane(k: &mut Kernel<'_>, op: OpId, name: OpName) -> Lowering<bool> {
    let result = k.result(op)?;
    if VectorShape::of(k.ctx, k.body.ty(result)).is_none() {
        return Ok(false);
    }
    let count = extents(k, result).iter().product();
    for lane in 0..count {
        k.lane = Some(lane);
        let known = k.family(op, name);
        k.lane = None;
        if !known? {
            return Ok(false);
        }
    }
    let results: Vec<Value> = k.body[op].results().collect();
    for result in results {
        if is_long(k, k.body.ty(result)) {
            continue;
        }
        if let Lowered::Lanes(lanes) = k.lowered(op, result)?.clone() {
            let reg = k.reg(op, result)?;
            let word = k.e.vector(reg, &lanes);
            k.define(result, Lowered::Reg(word));
        }
    }
    Ok(true)
}

fn constant(k: &mut Kernel<'_>, op: OpId) -> Lowering<()> {
    let result = k.result(op)?;
    let ty = k.body.ty(result);
    let Some(shape) = VectorShape::of(k.ctx, ty) else {
        return Err(k.malformed(op));
    };
    let count = extents(k, result).iter().product();
    let reg = k.reg_of_type(op, shape.element)?;
    let lanes = constants::elements(k, op, types::scalar(reg.kind), count)?;
    define(k, op, lanes)
}

/// The place along each dimension of element number `n`.
fn place(n: usize, extents: &[usize]) -> Vec<usize> {
    let strides = row_major_strides(extents);
    let pairs = extents.iter().zip(strides);
    pairs
        .map(|(&extent, stride)| n / stride % extent.max(1))
        .collect()
}

/// Repeats along new leading dimensions, and along those of extent 1.
fn broadcast(k: &mut Kernel<'_>, op: OpId) -> Lowering<()> {
    let (source, result) = (k.operand(op, 0)?, k.result(op)?);
    let (from, to) = (extents(k, source), extents(k, result));
    let lanes = elements(k, op, 0)?;
    let (Some(new), strides) = (to.len().checked_sub(from.len()), row_major_strides(&from)) else {
        return Err(k.malformed(op));
    };
    let count = to.iter().product();
    let chosen = (0..count).map(|n| {
        let at = place(n, &to);
        let parts = at[new..].iter().zip(&from).zip(&strides);
        let from = parts.map(|((&at, &extent), stride)| at.min(extent.saturating_sub(1)) * stride);
        lanes.get(from.sum::<usize>()).copied()
    });
    let chosen: Option<Vec<Word>> = chosen.collect();
    let chosen = chosen.ok_or_else(|| k.malformed(op))?;
    define(k, op, chosen)
}

fn transpose(k: &mut Kernel<'_>, op: OpId) -> Lowering<()> {
    let (source, result) = (k.operand(op, 0)?, k.result(op)?);
    let (from, to) = (extents(k, source), extents(k, result));
    let lanes = elements(k, op, 0)?;
    let order = k.required(op, inherent::TRANSPOSITION)?;
    let strides = row_major_strides(&from);
    let count = to.iter().product();
    let chosen = (0..count).map(|n| {
        let at = place(n, &to).into_iter().zip(&order);
        let parts = at.map(|(at, &dim)| Some(at * strides.get(usize::try_from(dim).ok()?)?));
        let at: Option<usize> = parts.sum();
        lanes.get(at?).copied()
    });
    let chosen: Option<Vec<Word>> = chosen.collect();
    let chosen = chosen.ok_or_else(|| k.malformed(op))?;
    define(k, op, chosen)
}

/// `vector.extract` and `vector.insert` at a constant place, or computed along one dimension.
fn at_position(k: &mut Kernel<'_>, op: OpId, name: OpName) -> Lowering<bool> {
    let vector = usize::from(name == vector::INSERT);
    let whole = k.operand(op, vector)?;
    let extents = extents(k, whole);
    let known = k.required(op, inherent::STATIC_POSITION)?;
    if known.contains(&DYNAMIC) {
        return crate::vector::lower(k, op, name);
    }
    let pairs = known.iter().zip(row_major_strides(&extents));
    let start: usize = pairs.map(|(&at, stride)| at.max(0) as usize * stride).sum();
    let len: usize = extents.get(known.len()..).unwrap_or(&[]).iter().product();
    let mut lanes = elements(k, op, vector)?;
    let part = lanes.get_mut(start..start + len);
    let Some(part) = part else {
        return Err(k.malformed(op));
    };
    if name == vector::EXTRACT {
        let part = part.to_vec();
        define(k, op, part)?;
        return Ok(true);
    }
    let value = elements(k, op, 0)?;
    let part = lanes
        .get_mut(start..start + len)
        .filter(|part| part.len() == value.len());
    match part {
        Some(part) => part.copy_from_slice(&value),
        None => return Err(k.malformed(op)),
    }
    define(k, op, lanes)?;
    Ok(true)
}

/// The number of elements of a vector of one dimension in a memref of scalars.
fn row(k: &Kernel<'_>, op: OpId, value: Value, access: &Access) -> Lowering<u32> {
    match extents(k, value)[..] {
        [count] if access.view.element.lanes == 1 => Ok(count as u32),
        _ => Err(k.refuse(
            op,
            "vectors of several dimensions have no lowering to SPIR-V: access their rows",
        )),
    }
}

fn load(k: &mut Kernel<'_>, op: OpId) -> Lowering<()> {
    let access = Access::of(k, op, 0)?;
    let result = k.result(op)?;
    let count = row(k, op, result, &access)?;
    if halves::is_of_packets(k, &access, count) {
        let packets = guarded_packets(k, op, &access, count);
        k.define(result, Lowered::Packets(packets));
        return Ok(());
    }
    let read = |lane| access.element(k, lane).read_recorded(k, op);
    let lanes = (0..count).map(read).collect();
    define(k, op, lanes)
}

/// Loads packets, 0 where they are out of range.
fn guarded_packets(k: &mut Kernel<'_>, op: OpId, access: &Access, count: u32) -> Vec<Word> {
    let Some(in_range) = vector_memory::all_in_range(k, access, count) else {
        return halves::load_packets(k, access, count);
    };
    let load = |k: &mut Kernel<'_>| halves::load_packets(k, access, count);
    let (packets, [inside, outside]) = vector_memory::recorded(k, op, in_range, load);
    let ty = halves::packet_type(k.e);
    let zero = k.e.u32_const(0);
    let zero = k.e.composite_const(ty, &[zero; 4]);
    let packets = packets.into_iter();
    packets
        .map(|packet| k.e.phi(ty, &[(packet, inside), (zero, outside)]))
        .collect()
}

fn store(k: &mut Kernel<'_>, op: OpId) -> Lowering<()> {
    let access = Access::of(k, op, 1)?;
    let value = k.operand(op, 0)?;
    let count = row(k, op, value, &access)?;
    if halves::is_of_packets(k, &access, count) {
        let stored = match k.lowered(op, value)? {
            Lowered::Packets(packets) => Stored::Packets(packets.clone()),
            _ => Stored::Lanes(elements(k, op, 0)?),
        };
        match vector_memory::all_in_range(k, &access, count) {
            None => halves::store_packets(k, &access, stored),
            Some(in_range) => {
                let store = |k: &mut Kernel<'_>| halves::store_packets(k, &access, stored);
                vector_memory::recorded(k, op, in_range, store);
            }
        }
        return Ok(());
    }
    for (lane, part) in (0..count).zip(elements(k, op, 0)?) {
        access.element(k, lane).write_recorded(k, op, part);
    }
    Ok(())
}

impl Kernel<'_> {
    /// Lane `lane` of a value that a register holds; a scalar is every lane of itself.
    pub(crate) fn lane_of(&mut self, value: Value, word: Word, lane: usize) -> Word {
        match extents(self, value)[..] {
            [1] | [] => word,
            _ => {
                let reg = types::register(self.ctx, self.env.index_width, self.body.ty(value));
                reg.map_or(word, |reg| self.e.lane(reg, word, lane as u32))
            }
        }
    }
}
