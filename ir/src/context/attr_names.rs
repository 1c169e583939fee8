//! Well-known attribute names: names that every context interns first, so that their ids are
//! constants.
//!
//! Most attributes are looked up by text, which is compared with the few names an operation has.
//! The names here are looked up several times for every operation of a kind, in parser, verifier
//! and printer: comparing ids spares them the text.

use crate::context::{Context, Ident};

/// An attribute name given as text or as an interned identifier.
pub trait AttrName: Copy {
    /// The interned name.
    fn ident(self, ctx: &Context) -> Ident;
    /// Whether this is the attribute name `other`.
    fn is(self, ctx: &Context, other: Ident) -> bool;
}

impl AttrName for &str {
    fn ident(self, ctx: &Context) -> Ident {
        ctx.ident(self)
    }

    fn is(self, ctx: &Context, other: Ident) -> bool {
        ctx.str(other) == self
    }
}

impl<N: AttrName> AttrName for &N {
    fn ident(self, ctx: &Context) -> Ident {
        (*self).ident(ctx)
    }

    fn is(self, ctx: &Context, other: Ident) -> bool {
        (*self).is(ctx, other)
    }
}

impl AttrName for Ident {
    fn ident(self, _: &Context) -> Ident {
        self
    }

    fn is(self, _: &Context, other: Ident) -> bool {
        self == other
    }
}

/// Declares a constant for each well-known name, and the list that a context starts with.
macro_rules! fixed_names {
    ($($name:ident = $text:literal;)*) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        enum Position { $($name),* }
        /// The well-known names in the order of their ids.
        pub(crate) const FIXED: &[&str] = &[$($text),*];
        $(
            #[doc = concat!("`", $text, "`")]
            pub const $name: Ident = Ident(Position::$name as u32);
        )*
    };
}

fixed_names! {
    ARG_ATTRS = "arg_attrs";
    CONDITION = "condition";
    DIMENSION = "dimension";
    FASTMATH = "fastmath";
    FUNCTION_TYPE = "function_type";
    LOWER_BOUND_MAP = "lowerBoundMap";
    MAP = "map";
    OPERAND_SEGMENT_SIZES = "operandSegmentSizes";
    PREDICATE = "predicate";
    RES_ATTRS = "res_attrs";
    RESULT_SEGMENT_SIZES = "resultSegmentSizes";
    STEP = "step";
    SYM_NAME = "sym_name";
    SYM_VISIBILITY = "sym_visibility";
    UPPER_BOUND_MAP = "upperBoundMap";
    VALUE = "value";
}

/// The id of a well-known name.
pub(crate) const fn fixed(name: &str) -> Option<Ident> {
    let mut at = 0;
    while at < FIXED.len() {
        if equal(name.as_bytes(), FIXED[at].as_bytes()) {
            return Some(Ident(at as u32));
        }
        at += 1;
    }
    None
}

/// Whether two names are the same, for constants.
const fn equal(a: &[u8], b: &[u8]) -> bool {
    let mut at = 0;
    while at < a.len() && at < b.len() && a[at] == b[at] {
        at += 1;
    }
    at == a.len() && at == b.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_those_of_a_new_context() {
        let ctx = crate::test_dialect::context();
        for (index, text) in FIXED.iter().enumerate() {
            assert_eq!(ctx.ident(text), Ident(index as u32), "{text}");
            assert_eq!(fixed(text), Some(Ident(index as u32)), "{text}");
        }
        assert_eq!(ctx.str(UPPER_BOUND_MAP), "upperBoundMap");
        assert_eq!((fixed("ma"), fixed("maps"), fixed("")), (None, None, None));
    }
}
