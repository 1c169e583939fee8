//! Instructions that MLIR has no operation for, by operations of the same meaning.

use gridloom_dialects::inherent;
use gridloom_ir::{BlockId, OpState, Type, TypeKind, Value};
use rspirv::dr::{self, Operand};
use rspirv::spirv::{Decoration, Op, Word};

use super::constants::scalar;
use super::function::FunctionReader;
use super::{Reading, id_at};

impl FunctionReader<'_, '_> {
    /// Reads an instruction of `GLSL.std.450` as operations that compute the same; `false` where
    /// none do.
    pub(super) fn equivalent(
        &mut self,
        block: BlockId,
        inst: &dr::Instruction,
        opname: &str,
        operands: &[Operand],
    ) -> Reading<bool> {
        let mut values = Vec::with_capacity(operands.len());
        for operand in operands {
            values.push(self.value(inst, operand.id_ref_any().unwrap_or(0))?);
        }
        let result = match (opname, &values[..]) {
            ("Trunc", &[x]) => self.truncation(block, x),
            ("Atan2", &[y, x]) if self.is_f32(y) => self.atan2(block, y, x),
            _ => return Ok(false),
        };
        self.values.insert(self.r.result_id(inst)?, result);
        Ok(true)
    }

    /// `trunc(x)` is `ceil(x)` below zero, which keeps the sign of a result of zero, and `floor(x)` else.
    fn truncation(&mut self, block: BlockId, x: Value) -> Value {
        let ty = self.body.ty(x);
        let zero = self.float(ty, 0.0);
        let is_below = self.test(block, "FOrdLessThan", &[x, zero]);
        let [ceil, floor] = ["GL.Ceil", "GL.Floor"].map(|name| self.op(block, name, &[x], ty));
        self.op(block, "Select", &[is_below, ceil, floor], ty)
    }

    /// The angle of `(x, y)`, by the arctangent of the smaller distance over the larger one.
    fn atan2(&mut self, block: BlockId, y: Value, x: Value) -> Value {
        use std::f64::consts::{FRAC_PI_2, PI};
        let ty = self.body.ty(x);
        let [wide, high] = [x, y].map(|value| self.op(block, "GL.FAbs", &[value], ty));
        let least = self.op(block, "GL.FMin", &[wide, high], ty);
        let most = self.op(block, "GL.FMax", &[wide, high], ty);
        let (zero, one) = (self.float(ty, 0.0), self.float(ty, 1.0));
        let quotient = self.op(block, "FDiv", &[least, most], ty);
        // The angle of 0/0 is 0, and the quotient of two infinities is the diagonal's.
        let is_origin = self.test(block, "FOrdEqual", &[most, zero]);
        let is_equal = self.test(block, "FOrdEqual", &[least, most]);
        let quotient = self.op(block, "Select", &[is_equal, one, quotient], ty);
        let quotient = self.op(block, "Select", &[is_origin, zero, quotient], ty);
        let angle = self.op(block, "GL.Atan", &[quotient], ty);
        let is_steep = self.test(block, "FOrdGreaterThan", &[high, wide]);
        let quarter = self.float(ty, FRAC_PI_2);
        let steep = self.op(block, "FSub", &[quarter, angle], ty);
        let angle = self.op(block, "Select", &[is_steep, steep, angle], ty);
        // Zeros have signs as well, so they are tested as bits.
        let [is_left, is_low] = [x, y].map(|value| self.is_negative(block, value));
        let half = self.float(ty, PI);
        let left = self.op(block, "FSub", &[half, angle], ty);
        let angle = self.op(block, "Select", &[is_left, left, angle], ty);
        let below = self.op(block, "FNegate", &[angle], ty);
        let angle = self.op(block, "Select", &[is_low, below, angle], ty);
        // Comparisons and minima pass over a NaN, a sum does not.
        let sum = self.op(block, "FAdd", &[x, y], ty);
        let is_nan = [x, y].map(|value| self.test(block, "FUnordNotEqual", &[value, value]));
        let bools = self.body.ty(is_nan[0]);
        let is_nan = self.op(block, "LogicalOr", &is_nan, bools);
        self.op(block, "Select", &[is_nan, sum, angle], ty)
    }

    fn is_negative(&mut self, block: BlockId, value: Value) -> Value {
        let ctx = self.r.ctx;
        let ty = self.body.ty(value);
        let int = self.like(ty, ctx.int_type(32));
        let bits = self.op(block, "Bitcast", &[value], int);
        let zero = self.zero(int);
        self.test(block, "SLessThan", &[bits, zero])
    }

    /// An atomic load is an atomic update that changes nothing, an atomic store an exchange whose result nobody uses.
    pub(super) fn atomic(&mut self, block: BlockId, inst: &dr::Instruction) -> Reading<()> {
        let pointer = id_at(inst, 0).unwrap_or(0);
        let (name, value) = match inst.class.opcode {
            Op::AtomicLoad => {
                let ty = self.r.result_type(inst)?;
                let is_int = matches!(ty.kind(self.r.ctx), TypeKind::Integer { .. });
                if !is_int || self.is_read_only(pointer) {
                    let why = "the dialect has no atomic loads of floats or of memory that is \
                               read only";
                    return Err(self.refuse(inst, why));
                }
                ("AtomicOr", self.zero(ty))
            }
            _ => {
                let value = self.value(inst, id_at(inst, 3).unwrap_or(0))?;
                ("AtomicExchange", value)
            }
        };
        let ctx = self.r.ctx;
        let (name, row) = self.r.row(name);
        let scope = self.r.constant(inst, id_at(inst, 1).unwrap_or(0))?;
        let semantics = self.r.constant(inst, id_at(inst, 2).unwrap_or(0))?;
        let pointer = self.value(inst, pointer)?;
        let state = OpState::new(name, self.loc)
            .operands(&[pointer, value])
            .results(&[self.body.ty(value)])
            .property(
                ctx,
                inherent::MEMORY_SCOPE,
                self.r.case(row, "memory_scope", scope, inst)?,
            )
            .property(
                ctx,
                inherent::MEMORY_SEMANTICS,
                self.r.case(row, "semantics", semantics, inst)?,
            );
        let op = self.body.create_op(state);
        self.body.append(block, op);
        if let Some(id) = inst.result_id {
            self.values.insert(id, self.body[op].result(0));
        }
        Ok(())
    }

    /// Whether a pointer leads into a read-only variable; also where the variable is unknown.
    fn is_read_only(&self, pointer: Word) -> bool {
        let mut id = pointer;
        while let Some(inst) = self.instruction_of(id) {
            match (inst.class.opcode, id_at(inst, 0)) {
                (Op::AccessChain | Op::InBoundsAccessChain | Op::CopyObject, Some(base)) => {
                    id = base
                }
                _ => return inst.class.opcode != Op::Variable,
            }
        }
        const NON_WRITABLE: u32 = Decoration::NonWritable as u32;
        let decorations = self.r.decorations.get(&id).map_or(&[][..], Vec::as_slice);
        !self.r.globals.contains_key(&id) || decorations.iter().any(|d| d.0 == NON_WRITABLE)
    }

    fn is_f32(&self, value: Value) -> bool {
        let ctx = self.r.ctx;
        let ty = self.body.ty(value);
        let element = ty.element(ctx).unwrap_or(ty);
        element.float_kind(ctx) == Some(gridloom_ir::types::FloatKind::F32)
    }

    /// `scalar`, or a vector of it as long as `ty`.
    fn like(&self, ty: Type, scalar: Type) -> Type {
        match ty.kind(self.r.ctx) {
            TypeKind::Vector { shape, .. } => self.r.ctx.vector_type(shape, scalar),
            _ => scalar,
        }
    }

    fn test(&mut self, block: BlockId, name: &str, operands: &[Value]) -> Value {
        let ty = operands.first().map(|&value| self.body.ty(value));
        let bool = self.r.ctx.bool_type();
        let ty = ty.map_or(bool, |ty| self.like(ty, bool));
        self.op(block, name, operands, ty)
    }

    fn op(&mut self, block: BlockId, name: &str, operands: &[Value], ty: Type) -> Value {
        let state = OpState::new(self.r.row(name).0, self.loc)
            .operands(operands)
            .results(&[ty]);
        let op = self.body.create_op(state);
        self.body.append(block, op);
        self.body[op].result(0)
    }

    fn zero(&mut self, ty: Type) -> Value {
        self.number(ty, 0)
    }

    /// A number of an `f32` or a vector of them.
    fn float(&mut self, ty: Type, value: f64) -> Value {
        self.number(ty, u64::from((value as f32).to_bits()))
    }

    /// A constant whose every element has these bits.
    fn number(&mut self, ty: Type, bits: u64) -> Value {
        use gridloom_ir::attr::{AttrKind, DenseData};
        use gridloom_ir::elements::element_bytes;
        let ctx = self.r.ctx;
        let attr = match ty.kind(ctx) {
            TypeKind::Vector { element, .. } => {
                let size = element_bytes(ctx, *element).unwrap_or(4).min(8);
                let data = DenseData::Splat(bits.to_le_bytes()[..size].into());
                ctx.intern_attr(AttrKind::Dense { ty, data })
            }
            _ => scalar(ctx, ty, bits).unwrap_or_else(|| ctx.unit_attr()),
        };
        let state = OpState::new(self.r.row("Constant").0, self.r.loc)
            .results(&[ty])
            .property(ctx, inherent::VALUE, attr);
        self.first(state)
    }
}
