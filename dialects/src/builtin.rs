//! The `builtin` dialect.

use gridloom_ir::body::Value;
use gridloom_ir::constraints::*;
use gridloom_ir::fold::{FoldCx, FoldResult, Folded};
use gridloom_ir::op::{OpDef, RowTraits, Traits};
use gridloom_ir::verify::{Check, Checked};

dialect_ops! {
    after 0;
    /// `builtin.module`: a symbol table; the root of every file.
    MODULE = OpDef::new("builtin.module")
        .default_dialect("builtin")
        .with_row(RowTraits::ROOT)
        .attrs(&[SYMBOL_NAME.optional(), VISIBILITY])
        .regions(1)
        .format("($sym_name^)? attr-dict-with-keyword $bodyRegion")
        .verify(verify_module);
    /// `builtin.unrealized_conversion_cast`: a placeholder conversion between
    /// type systems, which a later pass resolves.
    UNREALIZED_CONVERSION_CAST = OpDef::new("builtin.unrealized_conversion_cast")
        .with(Traits::PURE)
        .operands(&[many("inputs", ANY)])
        .results(&[many("outputs", ANY)])
        .format("($inputs^ `:` type($inputs))? `to` type($outputs) attr-dict")
        .verify_kind(verify_unrealized)
        .fold(fold_unrealized);
}

/// Verifies a module: one block, and only attributes with a dialect prefix.
fn verify_module(check: &Check) -> Checked {
    let ctx = check.ctx();
    check.require_own_block("bodyRegion")?;
    for &(name, _) in check.data().attributes.entries(ctx) {
        let name = ctx.str(name);
        let message =
            format!("can only contain attributes with dialect-prefixed names, found: '{name}'");
        check.ensure(name.contains('.'), message)?;
    }
    Ok(())
}

fn verify_unrealized(check: &Check) -> Checked {
    check.ensure(
        check.data().num_results() > 0,
        "expected at least one result for cast operation",
    )
}

/// `cast(x) : T to T ⇒ x` and `cast(cast(x) : T to U) : U to T ⇒ x`.
fn fold_unrealized(cx: &FoldCx) -> Option<Folded> {
    let inputs = &cx.data().operands;
    let results = cx.data().results().map(|result| cx.ty(result));
    let types = |values: &[Value]| values.iter().map(|&v| cx.ty(v)).collect::<Vec<_>>();
    let values = |values: &[Value]| values.iter().map(|&v| FoldResult::Value(v)).collect();
    let results: Vec<_> = results.collect();
    if types(inputs) == results {
        return Some(values(inputs));
    }
    let before = cx.maker(*inputs.first()?, UNREALIZED_CONVERSION_CAST)?;
    let undone = before.results().eq(inputs.iter().copied());
    (undone && types(&before.operands) == results).then(|| values(&before.operands))
}
