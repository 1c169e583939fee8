//! Inherent attributes with their type: views of single attributes that hold for any operation.
//!
//! A typed view of an operation (`ForOp`) answers for verified operations only. Code that may meet
//! others reads attributes by [`OpData::get`]: `None` where the attribute is missing or of another
//! kind.

use std::marker::PhantomData;

use smallvec::SmallVec;

use crate::attr::{Attr, AttrKind};
use crate::attr_names::{self, AttrName};
use crate::body::OpData;
use crate::context::{Context, Ident};
use crate::types::Type;
use crate::{AffineMap, IntegerSet};

/// An inherent attribute: its name, and the type of its value.
pub struct Inherent<V> {
    name: &'static str,
    /// Its id, for a [well-known](crate::attr_names) name: looking it up compares ids.
    fixed: Option<Ident>,
    value: PhantomData<V>,
}

impl<V> Inherent<V> {
    /// The attribute of this name.
    pub const fn new(name: &'static str) -> Self {
        Inherent {
            name,
            fixed: attr_names::fixed(name),
            value: PhantomData,
        }
    }

    /// Its name in the dictionary.
    pub const fn name(self) -> &'static str {
        self.name
    }
}

// Without the bounds on `V` that a derived implementation has.
impl<V> Clone for Inherent<V> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<V> Copy for Inherent<V> {}

impl<V> AttrName for Inherent<V> {
    fn ident(self, ctx: &Context) -> Ident {
        match self.fixed {
            Some(id) => id,
            None => self.name.ident(ctx),
        }
    }

    fn is(self, ctx: &Context, other: Ident) -> bool {
        match self.fixed {
            Some(id) => id == other,
            None => self.name.is(ctx, other),
        }
    }
}

impl<V> std::fmt::Debug for Inherent<V> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Inherent({})", self.name)
    }
}

/// Type of an inherent attribute's value.
pub trait AttrValue {
    /// The value, which may lie in the context.
    type In<'c>;

    /// Reads the value; `None` from an attribute of another kind.
    fn read(ctx: &Context, attr: Attr) -> Option<Self::In<'_>>;
}

/// Declares the types of values: a marker, what it reads, and the accessor that reads it.
macro_rules! values {
    ($($(#[$doc:meta])* $name:ident: $value:ty = $read:expr;)*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Copy, Debug)]
            pub enum $name {}

            impl AttrValue for $name {
                type In<'c> = $value;

                fn read(ctx: &Context, attr: Attr) -> Option<Self::In<'_>> {
                    let read: fn(&Context, Attr) -> Option<$value> = $read;
                    read(ctx, attr)
                }
            }
        )*
    };
}

values! {
    /// Any attribute.
    AnyAttr: Attr = |_, attr| Some(attr);
    /// An integer of at most 64 bits.
    IntegerAttr: i64 = |ctx, attr| attr.as_i64(ctx);
    /// `true` or `false`.
    BoolAttr: bool = |ctx, attr| attr.as_bool(ctx);
    /// A flag: present, with any value, or absent.
    UnitAttr: () = |_, _| Some(());
    /// An affine map.
    AffineMapAttr: AffineMap = |ctx, attr| attr.as_map(ctx);
    /// An integer set.
    IntegerSetAttr: IntegerSet = |ctx, attr| attr.as_set(ctx);
    /// `array<i32: …>`
    I32ArrayAttr: SmallVec<[i32; 8]> = |ctx, attr| attr.as_i32_array(ctx);
    /// `array<i64: …>`
    I64ArrayAttr: Vec<i64> = |ctx, attr| attr.as_i64_array(ctx);
    /// A list of integers, as `array<i64: …>` or as `[…]`.
    IntegersAttr: Vec<i64> = |ctx, attr| attr.as_i64_array(ctx).or_else(|| {
        let items = attr.as_array(ctx)?;
        items.iter().map(|item| item.as_i64(ctx)).collect()
    });
    /// A type.
    TypeAttr: Type = |ctx, attr| attr.as_type(ctx);
    /// `@symbol`
    FlatSymbolAttr: Ident = |ctx, attr| attr.as_flat_symbol(ctx);
}

/// `[…]`
#[derive(Clone, Copy, Debug)]
pub enum ArrayAttr {}

impl AttrValue for ArrayAttr {
    type In<'c> = &'c [Attr];

    fn read(ctx: &Context, attr: Attr) -> Option<&[Attr]> {
        attr.as_array(ctx)
    }
}

/// A string.
#[derive(Clone, Copy, Debug)]
pub enum StringAttr {}

impl AttrValue for StringAttr {
    type In<'c> = &'c str;

    fn read(ctx: &Context, attr: Attr) -> Option<&str> {
        attr.as_str(ctx)
    }
}

/// An enumerant that a dialect attribute keeps as text, such as `x` of `#gpu<dim x>` or `#gpu.dim<x>`.
#[derive(Clone, Copy, Debug)]
pub enum EnumerantAttr {}

impl AttrValue for EnumerantAttr {
    type In<'c> = &'c str;

    fn read(ctx: &Context, attr: Attr) -> Option<&str> {
        let AttrKind::Dialect { body, .. } = attr.kind(ctx) else {
            return None;
        };
        let text = ctx.str(*body).trim_end_matches(['>', ' ']);
        text.rsplit([' ', '<']).next()
    }
}

impl OpData {
    /// The value of an inherent attribute, of any operation, verified or not; `None` where it is
    /// missing or not of the attribute's type.
    pub fn get<'c, V: AttrValue>(&self, ctx: &'c Context, attr: Inherent<V>) -> Option<V::In<'c>> {
        V::read(ctx, self.attr(ctx, attr)?)
    }

    /// Whether an inherent attribute is present.
    pub fn has_attr<V>(&self, ctx: &Context, attr: Inherent<V>) -> bool {
        self.attr(ctx, attr).is_some()
    }
}
