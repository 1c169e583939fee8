//! Constants as numbers: a scalar, or the elements of a vector or tensor.

use crate::attr::{Attr, AttrKind, DenseData, Int};
use crate::context::Context;
use crate::elements::element_bytes;
use crate::scalar::{ScalarKind, mask, scalar_kind, sext};
use crate::types::{DYNAMIC, Signedness, Type, TypeKind};

use super::FoldResult;

/// A constant of a type that the scalar semantics cover: integers of 1 to 64
/// bits, `index`, and the floats of [`ScalarKind`].
#[derive(Clone, Copy, Debug)]
pub struct Constant<'a> {
    /// The kind of each element.
    pub kind: ScalarKind,
    lanes: Lanes<'a>,
}

#[derive(Clone, Copy, Debug)]
enum Lanes<'a> {
    /// A scalar, or one value in all elements.
    Splat(u64),
    /// Little-endian elements with this number of bytes each.
    Each(&'a [u8], usize),
}

/// The result of an elementwise operation on constants.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Elements {
    /// A scalar, or one value in all elements.
    Splat(u64),
    /// All elements, in row-major order.
    Each(Vec<u64>),
}

impl<'a> Constant<'a> {
    /// Decodes an integer, float or dense attribute.
    pub fn of(ctx: &'a Context, attr: Attr) -> Option<Self> {
        let (kind, lanes) = match attr.kind(ctx) {
            AttrKind::Integer {
                ty,
                value: Int::Small(value),
            } => {
                let kind = scalar_kind(ctx, *ty)?;
                (kind, Lanes::Splat(in_register(kind, *value as u64)))
            }
            AttrKind::Float { ty, bits } => {
                let kind = scalar_kind(ctx, *ty)?;
                (kind, Lanes::Splat(u64::try_from(*bits).ok()?))
            }
            AttrKind::Dense { ty, data } => {
                let element = ty.element(ctx)?;
                let (kind, size) = (scalar_kind(ctx, element)?, element_bytes(ctx, element)?);
                let lanes = match data {
                    DenseData::Splat(bytes) => Lanes::Splat(word(kind, bytes)),
                    DenseData::Raw(bytes) => Lanes::Each(bytes, size),
                    DenseData::Strings(_) => return None,
                };
                (kind, lanes)
            }
            _ => return None,
        };
        Some(Constant { kind, lanes })
    }

    /// The bits of the scalar, or of all elements of a splat.
    pub fn splat(&self) -> Option<u64> {
        match self.lanes {
            Lanes::Splat(bits) => Some(bits),
            Lanes::Each(..) => None,
        }
    }

    /// Applies `f` to every element; `None` if it fails on one.
    pub fn map(&self, f: impl Fn(u64) -> Option<u64>) -> Option<Elements> {
        match self.lanes {
            Lanes::Splat(bits) => f(bits).map(Elements::Splat),
            Lanes::Each(..) => self
                .iter()
                .map(f)
                .collect::<Option<_>>()
                .map(Elements::Each),
        }
    }

    /// Applies `f` to every pair of elements; `None` if it fails on one.
    pub fn zip(&self, other: &Constant, f: impl Fn(u64, u64) -> Option<u64>) -> Option<Elements> {
        match (self.lanes, other.lanes) {
            (_, Lanes::Splat(b)) => self.map(|a| f(a, b)),
            (Lanes::Splat(a), _) => other.map(|b| f(a, b)),
            (Lanes::Each(..), Lanes::Each(..)) => {
                let pairs = self.iter().zip(other.iter());
                let results = pairs.map(|(a, b)| f(a, b)).collect::<Option<_>>();
                results.map(Elements::Each)
            }
        }
    }

    /// Selects elements of `yes` where this mask is set, else of `no`; the
    /// three have one shape.
    pub fn choose(&self, yes: &Constant, no: &Constant) -> Option<Elements> {
        let Lanes::Each(bytes, size) = self.lanes else {
            return Some(if self.splat()? != 0 { yes } else { no }.elements());
        };
        let count = bytes.len().checked_div(size)?;
        let pick = |index| if self.element(index)? != 0 { yes } else { no }.element(index);
        (0..count)
            .map(pick)
            .collect::<Option<_>>()
            .map(Elements::Each)
    }

    /// Element number `index` in row-major order.
    pub fn element(&self, index: usize) -> Option<u64> {
        match self.lanes {
            Lanes::Splat(bits) => Some(bits),
            Lanes::Each(bytes, size) => {
                let start = index.checked_mul(size)?;
                Some(word(self.kind, bytes.get(start..start.checked_add(size)?)?))
            }
        }
    }

    /// The stored elements: a splat has one.
    fn iter(&self) -> impl Iterator<Item = u64> + use<'a> {
        let kind = self.kind;
        let (splat, bytes, size) = match self.lanes {
            Lanes::Splat(bits) => (Some(bits), &[][..], 1),
            Lanes::Each(bytes, size) => (None, bytes, size),
        };
        let each = bytes.chunks_exact(size).map(move |chunk| word(kind, chunk));
        splat.into_iter().chain(each)
    }

    /// The stored elements as a result.
    pub fn elements(&self) -> Elements {
        match self.lanes {
            Lanes::Splat(bits) => Elements::Splat(bits),
            Lanes::Each(..) => Elements::Each(self.iter().collect()),
        }
    }
}

impl Elements {
    /// A constant of this type; `None` for types without constants.
    pub fn into_result(self, ctx: &Context, ty: Type) -> Option<FoldResult> {
        Some(FoldResult::Constant(self.into_attr(ctx, ty)?, ty))
    }

    /// The attribute of a constant of this type; `None` for types without constants.
    pub fn into_attr(self, ctx: &Context, ty: Type) -> Option<Attr> {
        match ty.kind(ctx) {
            TypeKind::Vector { shape, element, .. }
            | TypeKind::RankedTensor { shape, element, .. } => {
                // A constant needs static extents.
                if shape.contains(&DYNAMIC) {
                    return None;
                }
                let data = self.into_data(ctx, *element)?;
                Some(ctx.intern_attr(AttrKind::Dense { ty, data }))
            }
            _ => scalar_attr(ctx, ty, self.single()?),
        }
    }

    fn single(&self) -> Option<u64> {
        match self {
            Elements::Splat(bits) => Some(*bits),
            Elements::Each(_) => None,
        }
    }

    fn into_data(self, ctx: &Context, element: Type) -> Option<DenseData> {
        let (kind, size) = (scalar_kind(ctx, element)?, element_bytes(ctx, element)?);
        let bytes = |bits: u64| stored(kind, bits).to_le_bytes()[..size].to_vec();
        Some(match self {
            Elements::Splat(bits) => DenseData::Splat(bytes(bits).into()),
            Elements::Each(all) => match &all[..] {
                [first, rest @ ..] if rest.iter().all(|bits| bits == first) => {
                    DenseData::Splat(bytes(*first).into())
                }
                all => DenseData::Raw(all.iter().flat_map(|&bits| bytes(bits)).collect()),
            },
        })
    }
}

/// A scalar constant of the low bits of `bits`.
pub fn scalar_attr(ctx: &Context, ty: Type, bits: u64) -> Option<Attr> {
    let kind = scalar_kind(ctx, ty)?;
    let ScalarKind::Int(width) = kind else {
        let bits = bits.into();
        return Some(ctx.intern_attr(AttrKind::Float { ty, bits }));
    };
    // Integer attributes hold `i1` and unsigned values zero-extended, all
    // others sign-extended.
    let unsigned = matches!(
        ty.kind(ctx),
        TypeKind::Integer {
            signedness: Signedness::Unsigned,
            ..
        }
    );
    let value = match width == 1 || unsigned {
        true => i128::from(mask(bits, width)),
        false => i128::from(sext(bits, width)),
    };
    let value = Int::Small(value);
    Some(ctx.intern_attr(AttrKind::Integer { ty, value }))
}

/// Zero-extends an integer, as registers hold it.
fn in_register(kind: ScalarKind, bits: u64) -> u64 {
    match kind {
        ScalarKind::Int(width) => mask(bits, width),
        _ => bits,
    }
}

fn word(kind: ScalarKind, bytes: &[u8]) -> u64 {
    let bits = bytes
        .iter()
        .rev()
        .fold(0, |bits, &byte| bits << 8 | u64::from(byte));
    in_register(kind, bits)
}

/// Sign-extends an integer, `i1` excepted, as dense attributes store it.
fn stored(kind: ScalarKind, bits: u64) -> u64 {
    match kind {
        ScalarKind::Int(width) if width > 1 => sext(bits, width) as u64,
        _ => bits,
    }
}
