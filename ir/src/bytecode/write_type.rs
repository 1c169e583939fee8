//! Encodes types.

use super::encode::Encoder;
use super::format::type_code as code;
use super::numbers::Numbers;
use crate::context::Context;
use crate::text::type_string;
use crate::types::{FloatKind, Signedness, Type, TypeKind};

/// Encodes a type. Returns whether it is in the builtin dialect's binary
/// encoding rather than text.
pub(super) fn write_type(numbers: &mut Numbers<'_>, out: &mut Encoder, ty: Type) -> bool {
    match ty.kind(numbers.ctx) {
        TypeKind::Integer { width, signedness } => {
            out.varint(code::INTEGER);
            let signedness = match signedness {
                Signedness::Signless => 0,
                Signedness::Signed => 1,
                Signedness::Unsigned => 2,
            };
            out.index(width << 2 | signedness);
        }
        TypeKind::Index => out.varint(code::INDEX),
        TypeKind::None => out.varint(code::NONE),
        TypeKind::Float(kind) => match float_code(*kind) {
            Some(code) => out.varint(code),
            None => return write_text(numbers, out, ty),
        },
        TypeKind::Function { inputs, results } => {
            out.varint(code::FUNCTION);
            write_list(numbers, out, inputs);
            write_list(numbers, out, results);
        }
        TypeKind::Tuple(types) => {
            out.varint(code::TUPLE);
            write_list(numbers, out, types);
        }
        TypeKind::Complex(element) => {
            out.varint(code::COMPLEX);
            out.index(numbers.ty(*element));
        }
        TypeKind::UnrankedTensor { element } => {
            out.varint(code::UNRANKED_TENSOR);
            out.index(numbers.ty(*element));
        }
        TypeKind::UnrankedMemRef { element, space } => {
            match space {
                None => out.varint(code::UNRANKED_MEMREF),
                Some(space) => {
                    out.varint(code::UNRANKED_MEMREF_IN_SPACE);
                    out.index(numbers.attr(*space));
                }
            }
            out.index(numbers.ty(*element));
        }
        TypeKind::Dialect { .. } | TypeKind::Parametric(_) => return write_text(numbers, out, ty),
        TypeKind::Vector { .. } | TypeKind::RankedTensor { .. } | TypeKind::MemRef(_) => {
            write_shaped(numbers, out, ty);
        }
    }
    true
}

fn write_shaped(numbers: &mut Numbers<'_>, out: &mut Encoder, ty: Type) {
    match ty.kind(numbers.ctx) {
        TypeKind::Vector {
            shape,
            scalable,
            element,
        } => {
            if scalable.contains(&true) {
                out.varint(code::SCALABLE_VECTOR);
                out.count(scalable.len());
                out.bytes
                    .extend(scalable.iter().map(|&flag| u8::from(flag)));
            } else {
                out.varint(code::VECTOR);
            }
            write_shape(out, shape);
            out.index(numbers.ty(*element));
        }
        TypeKind::RankedTensor {
            shape,
            element,
            encoding,
        } => {
            match encoding {
                None => out.varint(code::TENSOR),
                Some(encoding) => {
                    out.varint(code::TENSOR_WITH_ENCODING);
                    out.index(numbers.attr(*encoding));
                }
            }
            write_shape(out, shape);
            out.index(numbers.ty(*element));
        }
        TypeKind::MemRef(memref) => {
            match memref.space {
                None => out.varint(code::MEMREF),
                Some(space) => {
                    out.varint(code::MEMREF_IN_SPACE);
                    out.index(numbers.attr(space));
                }
            }
            write_shape(out, &memref.shape);
            out.index(numbers.ty(memref.element));
            // The format requires a layout.
            let ctx = numbers.ctx;
            let identity = || ctx.map_attr(ctx.identity_map(memref.shape.len() as u32));
            out.index(numbers.attr(memref.layout.unwrap_or_else(identity)));
        }
        _ => {}
    }
}

fn write_text(numbers: &Numbers<'_>, out: &mut Encoder, ty: Type) -> bool {
    out.raw(type_string(numbers.ctx, ty).as_bytes());
    out.byte(0);
    false
}

fn write_list(numbers: &mut Numbers<'_>, out: &mut Encoder, types: &[Type]) {
    out.count(types.len());
    for &ty in types {
        out.index(numbers.ty(ty));
    }
}

fn write_shape(out: &mut Encoder, shape: &[i64]) {
    out.count(shape.len());
    for &extent in shape {
        out.signed(extent);
    }
}

fn float_code(kind: FloatKind) -> Option<u64> {
    let place = code::FLOATS.iter().position(|&float| float == kind)?;
    Some(code::FIRST_FLOAT + place as u64)
}

/// The dialect of a type.
pub(super) fn type_dialect(ctx: &Context, ty: Type) -> &str {
    match ty.kind(ctx) {
        TypeKind::Dialect { dialect, .. } => ctx.str(*dialect),
        TypeKind::Parametric(def) => ctx.str(def.dialect),
        _ => "builtin",
    }
}
