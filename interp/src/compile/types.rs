//! Register classes of types, and layouts of memref types.

use gridloom_dialects::vector::VectorShape;
use gridloom_ir::affine::{AffineExprKind, AffineOp};
use gridloom_ir::attr::AttrKind;
use gridloom_ir::types::{DYNAMIC, MemRefType};
use gridloom_ir::{AffineExpr, AffineMap, Context, Type, TypeKind, Value};

use super::{Compiled, FunctionCompiler};
use crate::code::{AllocInfo, Extent, Layout, Slot};
use crate::scalar::{FloatFormat, ScalarKind, scalar_kind};

/// The layout of a fresh buffer of this type, or why there is none.
pub(crate) fn layout_of(ctx: &Context, memref: &MemRefType) -> Result<Layout, &'static str> {
    let Some(layout) = memref.layout else {
        return Ok(Layout::RowMajor);
    };
    match layout.kind(ctx) {
        AttrKind::Strided { offset, strides } => {
            if *offset == DYNAMIC || strides.contains(&DYNAMIC) {
                return Err("a buffer cannot be allocated with unknown strides or offset");
            }
            Ok(Layout::Strided {
                offset: *offset,
                strides: strides.to_vec(),
            })
        }
        AttrKind::Map(map) => linear_layout(ctx, *map),
        _ => Err("the interpreter does not know this layout attribute"),
    }
}

fn linear_layout(ctx: &Context, map: AffineMap) -> Result<Layout, &'static str> {
    if map.num_symbols(ctx) != 0 {
        return Err("the interpreter does not allocate layout maps with symbols");
    }
    let mut layout = (Vec::new(), Vec::new());
    for &result in map.results(ctx) {
        let mut coefficients = vec![0; map.num_dims(ctx)];
        let constant = linear_form(ctx, result, 1, &mut coefficients)
            .filter(|&constant| constant >= 0 && coefficients.iter().all(|&c| c >= 0))
            .ok_or(
                "the interpreter takes layout maps that are linear with non-negative factors; \
                    run --normalize-memrefs first",
            )?;
        layout.0.push(coefficients);
        layout.1.push(constant);
    }
    Ok(Layout::Linear {
        coefficients: layout.0,
        constants: layout.1,
    })
}

/// Adds `scale * expr` to the coefficients and returns its constant.
fn linear_form(
    ctx: &Context,
    expr: AffineExpr,
    scale: i64,
    coefficients: &mut [i64],
) -> Option<i64> {
    match expr.kind(ctx) {
        AffineExprKind::Dim(dim) => {
            let coefficient = coefficients.get_mut(dim as usize)?;
            *coefficient = coefficient.checked_add(scale)?;
            Some(0)
        }
        AffineExprKind::Constant(value) => value.checked_mul(scale),
        AffineExprKind::Binary(AffineOp::Add, l, r) => {
            let left = linear_form(ctx, l, scale, coefficients)?;
            left.checked_add(linear_form(ctx, r, scale, coefficients)?)
        }
        AffineExprKind::Binary(AffineOp::Mul, l, r) => {
            let factor = r.as_constant(ctx)?.checked_mul(scale)?;
            linear_form(ctx, l, factor, coefficients)
        }
        _ => None,
    }
}

/// The scalars that registers hold, as a message lists them.
fn scalars() -> String {
    format!(
        "integers up to 64 bits (up to 128 behind 'arith-emulate-wide-int'), index, {}",
        FloatFormat::names()
    )
}

impl FunctionCompiler<'_, '_> {
    /// A register for a value of this type.
    pub(super) fn fresh(&mut self, ty: Type) -> Compiled<Slot> {
        if let Some(kind) = scalar_kind(self.ctx, ty) {
            return Ok(Slot::Scalar(self.scalar_register(), kind));
        }
        match ty.kind(self.ctx) {
            TypeKind::Vector { .. } => self.fresh_vector(ty),
            TypeKind::MemRef(_) | TypeKind::UnrankedMemRef { .. } => {
                let kind = self.element_kind(ty)?;
                Ok(Slot::Mem(self.mem_register(), kind))
            }
            // A function value is the number of the function.
            TypeKind::Function { .. } => {
                Ok(Slot::Scalar(self.scalar_register(), ScalarKind::Int(64)))
            }
            TypeKind::Dialect { dialect, body }
                if self.ctx.str(*dialect) == "gpu" && self.ctx.str(*body).starts_with(".async") =>
            {
                // A token is the number of a copy in flight, or 0.
                Ok(Slot::Scalar(self.scalar_register(), ScalarKind::Int(64)))
            }
            _ => self.error(format!(
                "the interpreter cannot hold values of this type; it runs {}, \
                 and vectors and memrefs of them",
                scalars()
            )),
        }
    }

    pub(super) fn kind_of(&mut self, value: Value) -> Compiled<ScalarKind> {
        let mut ty = self.body.ty(value);
        if let (Some(_), Some(vector)) = (self.lane, VectorShape::of(self.ctx, ty)) {
            ty = vector.element;
        }
        match scalar_kind(self.ctx, ty) {
            Some(kind) => Ok(kind),
            None => self.error(format!(
                "the interpreter cannot compute with values of this type; it computes with \
                 {}",
                scalars()
            )),
        }
    }

    /// The width of an integer or index value.
    pub(super) fn width_of(&mut self, value: Value) -> Compiled<u8> {
        match self.kind_of(value)? {
            ScalarKind::Int(width) => Ok(width),
            _ => self.error("an integer operand was expected"),
        }
    }

    pub(super) fn element_kind(&mut self, memref: Type) -> Compiled<ScalarKind> {
        match memref
            .element(self.ctx)
            .and_then(|element| scalar_kind(self.ctx, element))
        {
            Some(kind) => Ok(kind),
            None => self.error(format!(
                "the interpreter has no memory for elements of this type; it knows {}",
                scalars()
            )),
        }
    }

    /// Describes the allocation of a memref of this type; `dynamic` are the sizes
    /// for its `?`s.
    pub(super) fn alloc_info(
        &mut self,
        ty: Type,
        dynamic: &[Value],
        stack: bool,
    ) -> Compiled<AllocInfo> {
        let Some(memref) = ty.memref(self.ctx) else {
            return self.error("only ranked memrefs can be allocated");
        };
        let kind = self.element_kind(ty)?;
        let mut registers = self.scalars(dynamic)?.into_iter();
        let mut sizes = Vec::new();
        for &size in &memref.shape {
            sizes.push(match size {
                DYNAMIC => match registers.next() {
                    Some(reg) => Extent::Reg(reg),
                    None => return self.error("a size is missing for a '?' of the type"),
                },
                known => Extent::Known(known),
            });
        }
        match layout_of(self.ctx, memref) {
            Ok(layout) => Ok(AllocInfo {
                kind,
                sizes,
                layout,
                stack,
                space: self.unit.spaces.number_of(self.ctx, ty),
            }),
            Err(why) => self.error(why),
        }
    }
}
