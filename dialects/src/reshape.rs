//! Shared verifier parts of `expand_shape` and `collapse_shape`, on memrefs and tensors.

use crate::verified::required_i64s;
use gridloom_ir::attr::Attr;
use gridloom_ir::diag::Diagnostic;
use gridloom_ir::fold::FoldCx;
use gridloom_ir::types::DYNAMIC;
use gridloom_ir::verify::Check;

/// The groups of the `reassociation` attribute.
pub(crate) fn groups(check: &Check) -> Vec<Vec<i64>> {
    let ctx = check.ctx();
    let groups = check.data().attr(ctx, "reassociation");
    let groups = groups
        .and_then(|groups| groups.as_array(ctx))
        .unwrap_or(&[]);
    let dims = |group: &Attr| {
        let dims = group.as_array(ctx).unwrap_or(&[]).iter();
        dims.filter_map(|dim| dim.as_i64(ctx)).collect()
    };
    groups.iter().map(dims).collect()
}

/// The entries of `static_output_shape`, checked against the result's rank
/// (`what` names the entries in the diagnostic) and the number of operands.
pub(crate) fn output_extents(
    check: &Check,
    rank: usize,
    what: &str,
) -> Result<Vec<i64>, Diagnostic> {
    let extents = required_i64s(check.ctx(), check.data(), "static_output_shape");
    check.ensure(
        extents.len() == rank,
        format_args!(
            "expected number of static shape {what} to be equal to the output rank ({rank}) \
             but found {} inputs instead",
            extents.len()
        ),
    )?;
    let holes = extents.iter().filter(|&&extent| extent == DYNAMIC).count();
    let given = check.data().operands.len() - 1;
    check.ensure(
        holes == given,
        format_args!(
            "mismatch in dynamic dims in output_shape and static_output_shape: \
             static_output_shape has {holes} dynamic dims while output_shape has {given} values"
        ),
    )?;
    Ok(extents)
}

/// Whether each group has at most one dynamic extent and the static ones
/// determine it.
pub(crate) fn extents_follow(cx: &FoldCx, extents: &[i64], groups: Attr) -> bool {
    let follows = |group: &Attr| {
        let dims = group.as_array(cx.ctx)?.iter();
        let dims = dims.map(|dim| extents.get(usize::try_from(dim.as_i64(cx.ctx)?).ok()?));
        let dims: Vec<i64> = dims.map(|extent| extent.copied()).collect::<Option<_>>()?;
        let unknown = dims.iter().filter(|&&extent| extent == DYNAMIC).count();
        (unknown == 0 || (unknown == 1 && !dims.contains(&0))).then_some(())
    };
    let groups = groups.as_array(cx.ctx).unwrap_or(&[]);
    groups.iter().all(|group| follows(group).is_some())
}
