//! The `ub` dialect: undefined behaviour made explicit.

use gridloom_ir::attr::{Attr, AttrKind};
use gridloom_ir::constraints::*;
use gridloom_ir::context::Context;
use gridloom_ir::op::{AttrConstraint, OpDef, Storage, Traits};
use gridloom_ir::symbols::{SymbolDef, Symbols};

fn is_poison(ctx: &Context, attr: Attr) -> bool {
    match attr.kind(ctx) {
        AttrKind::Dialect { dialect, body, .. } => {
            ctx.str(*dialect) == "ub" && ctx.str(*body) == ".poison"
        }
        _ => false,
    }
}

/// The attribute of `ub.poison`.
pub fn poison_attr(ctx: &Context) -> Attr {
    ctx.dialect_attr("ub", ".poison")
}

const POISON_ATTR: AttrConstraint = AttrConstraint {
    summary: "PoisonAttrInterface instance",
    storage: Storage::Exact,
    check: is_poison,
};

/// The attributes of the dialect.
pub(crate) static SYMBOLS: Symbols = Symbols {
    dialect: "ub",
    types: &[],
    attrs: &[SymbolDef::plain("poison")],
};

dialect_ops! {
    after super::index::END;
    /// `ub.poison`: a value whose use is undefined.
    POISON = OpDef::new("ub.poison")
        .with(Traits::PURE)
        .with(Traits::CONSTANT_LIKE)
        .results(&[one("result", ANY)])
        .attrs(&[attr("value", POISON_ATTR).or("#ub.poison")])
        .format("attr-dict (`<` $value^ `>`)? `:` type($result)");
    /// `ub.unreachable`: marks a point that is never reached.
    UNREACHABLE = OpDef::new("ub.unreachable")
        .with(Traits::TERMINATOR)
        .format("attr-dict");
}
