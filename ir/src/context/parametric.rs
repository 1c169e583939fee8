//! Parameters of the types and attributes that dialects define.

use super::attr::Attr;
use super::types::Type;
use super::{Context, Ident};

/// The payload of a parametric type or attribute; its definition gives the
/// parameters their meaning.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Parametric {
    /// The dialect.
    pub dialect: Ident,
    /// The name in the dialect, such as `mma_matrix`.
    pub name: Ident,
    /// Types, numbers, names …, in the definition's order.
    pub params: Box<[Attr]>,
}

impl Parametric {
    /// Extents and element type, if `ty`, which this is the payload of, has elements.
    pub(crate) fn shape(&self, ctx: &Context, ty: Type) -> Option<(Vec<i64>, Type)> {
        let of = ctx.registry();
        let of = of.shape_of(ctx.str(self.dialect), ctx.str(self.name))?;
        of(ctx, ty)
    }

    /// The parameters, if this is `dialect.name`.
    pub fn params_of(&self, ctx: &Context, dialect: &str, name: &str) -> Option<&[Attr]> {
        let same = ctx.str(self.name) == name && ctx.str(self.dialect) == dialect;
        same.then_some(&self.params)
    }
}
