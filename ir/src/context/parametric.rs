//! Parameters of the types and attributes that dialects define.

use super::Ident;
use super::attr::Attr;

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
