//! Decodes types of the builtin dialect, with the same checks as text.

use super::decode::{Cursor, Read, fail};
use super::format::type_code as code;
use super::tables::Tables;
use crate::attr::{Attr, AttrKind};
use crate::context::Context;
use crate::types::{DYNAMIC, MemRefType, Signedness, Type, TypeKind};

/// The bound on the width of an integer type.
const MAX_WIDTH: u64 = (1 << 24) - 1;

/// The bound on the rank of a shape, as in text.
const MAX_RANK: usize = 4096;

impl<'a> Tables<'a> {
    /// Decodes a type in the builtin dialect's encoding.
    pub(super) fn builtin_type(&mut self, data: &mut Cursor<'a>) -> Read<Type> {
        let place = data.offset();
        let kind = match data.varint()? {
            code::INTEGER => integer(data)?,
            code::INDEX => TypeKind::Index,
            code::FUNCTION => TypeKind::Function {
                inputs: self.type_list(data)?,
                results: self.type_list(data)?,
            },
            float @ code::FIRST_FLOAT..=code::LAST_FLOAT => {
                TypeKind::Float(code::FLOATS[(float - code::FIRST_FLOAT) as usize])
            }
            code::COMPLEX => TypeKind::Complex(self.element(data, is_part)?),
            code::MEMREF => self.memref(data, None)?,
            code::MEMREF_IN_SPACE => {
                let space = self.attr(data)?;
                self.memref(data, Some(space))?
            }
            code::NONE => TypeKind::None,
            code::TENSOR => self.tensor(data, None)?,
            code::TENSOR_WITH_ENCODING => {
                let encoding = self.attr(data)?;
                self.tensor(data, Some(encoding))?
            }
            code::TUPLE => TypeKind::Tuple(self.type_list(data)?),
            code::UNRANKED_MEMREF => TypeKind::UnrankedMemRef {
                element: self.element(data, Type::is_memref_element)?,
                space: None,
            },
            code::UNRANKED_MEMREF_IN_SPACE => {
                let space = self.attr(data)?;
                TypeKind::UnrankedMemRef {
                    space: self.memory_space(place, space)?,
                    element: self.element(data, Type::is_memref_element)?,
                }
            }
            code::UNRANKED_TENSOR => TypeKind::UnrankedTensor {
                element: self.element(data, Type::is_tensor_element)?,
            },
            code::VECTOR => self.vector(data, None)?,
            code::SCALABLE_VECTOR => {
                let count = data.count("dimensions")?;
                let scalable = data.bytes(count as u64)?;
                self.vector(data, Some(scalable))?
            }
            kind => return fail(place, format!("unknown kind {kind} of builtin type")),
        };
        Ok(self.ctx.intern_type(kind))
    }

    fn type_list(&mut self, data: &mut Cursor<'a>) -> Read<Box<[Type]>> {
        let count = data.count("types")?;
        (0..count).map(|_| self.ty(data)).collect()
    }

    /// Decodes an element type that satisfies `allowed`.
    fn element(
        &mut self,
        data: &mut Cursor<'a>,
        allowed: fn(Type, &Context) -> bool,
    ) -> Read<Type> {
        let place = data.offset();
        let element = self.ty(data)?;
        if !allowed(element, self.ctx) {
            return fail(place, "this element type is not allowed here");
        }
        Ok(element)
    }

    fn vector(&mut self, data: &mut Cursor<'a>, scalable: Option<&[u8]>) -> Read<TypeKind> {
        let place = data.offset();
        let shape = shape(data)?;
        if shape.iter().any(|&extent| extent <= 0) {
            return fail(place, "the extents of a vector must be positive");
        }
        let scalable: Box<[bool]> = match scalable {
            Some(flags) => flags.iter().map(|&flag| flag != 0).collect(),
            None => vec![false; shape.len()].into(),
        };
        if scalable.len() != shape.len() {
            return fail(place, "a scalable vector needs a flag for each extent");
        }
        Ok(TypeKind::Vector {
            shape: shape.into(),
            scalable,
            element: self.element(data, Type::is_vector_element)?,
        })
    }

    fn tensor(&mut self, data: &mut Cursor<'a>, encoding: Option<Attr>) -> Read<TypeKind> {
        Ok(TypeKind::RankedTensor {
            shape: shape_or_dynamic(data)?.into(),
            element: self.element(data, Type::is_tensor_element)?,
            encoding,
        })
    }

    fn memref(&mut self, data: &mut Cursor<'a>, space: Option<Attr>) -> Read<TypeKind> {
        let shape = shape_or_dynamic(data)?;
        let element = self.element(data, Type::is_memref_element)?;
        let place = data.offset();
        let layout = self.attr(data)?;
        let inputs = match layout.kind(self.ctx) {
            AttrKind::Map(map) => map.num_dims(self.ctx),
            AttrKind::Strided { strides, .. } => strides.len(),
            _ => return fail(place, "a memref's layout is a map or strides"),
        };
        if inputs != shape.len() {
            let rank = shape.len();
            let message =
                format!("the layout is for rank {inputs}, but the memref has rank {rank}");
            return fail(place, message);
        }
        let space = match space {
            Some(space) => self.memory_space(place, space)?,
            None => None,
        };
        let identity = layout
            .as_map(self.ctx)
            .is_some_and(|map| map.num_symbols(self.ctx) == 0 && map.is_identity(self.ctx));
        Ok(TypeKind::MemRef(MemRefType {
            shape: shape.into(),
            element,
            layout: (!identity).then_some(layout),
            space,
        }))
    }

    /// The memory space; `None` for the default one.
    fn memory_space(&self, place: usize, space: Attr) -> Read<Option<Attr>> {
        if !space.is_memory_space(self.ctx) {
            return fail(place, "unsupported memory space Attribute");
        }
        Ok((!space.is_default_memory_space(self.ctx)).then_some(space))
    }
}

fn integer(data: &mut Cursor<'_>) -> Read<TypeKind> {
    let place = data.offset();
    let value = data.varint()?;
    let signedness = match value & 3 {
        0 => Signedness::Signless,
        1 => Signedness::Signed,
        2 => Signedness::Unsigned,
        _ => return fail(place, "an integer type is signless, signed or unsigned"),
    };
    if value >> 2 > MAX_WIDTH {
        return fail(
            place,
            format!("an integer type has at most {MAX_WIDTH} bits"),
        );
    }
    let width = (value >> 2) as u32;
    Ok(TypeKind::Integer { width, signedness })
}

fn shape(data: &mut Cursor<'_>) -> Read<Vec<i64>> {
    let place = data.offset();
    let rank = data.count("extents")?;
    if rank > MAX_RANK {
        return fail(place, format!("a shape has at most {MAX_RANK} extents"));
    }
    (0..rank).map(|_| data.signed()).collect()
}

fn shape_or_dynamic(data: &mut Cursor<'_>) -> Read<Vec<i64>> {
    let place = data.offset();
    let shape = shape(data)?;
    if shape.iter().any(|&extent| extent < 0 && extent != DYNAMIC) {
        return fail(place, "an extent cannot be negative");
    }
    Ok(shape)
}

fn is_part(ty: Type, ctx: &Context) -> bool {
    matches!(ty.kind(ctx), TypeKind::Integer { .. } | TypeKind::Float(_))
}
