//! Verifiers of `scf.forall` and `scf.forall.in_parallel`.

use crate::slice::plain;
use crate::tensor;
use crate::verified::required_i64s;
use gridloom_ir::attr::{Attr, AttrKind};
use gridloom_ir::context::Context;
use gridloom_ir::diag::Diagnostic;
use gridloom_ir::op::{AttrConstraint, Storage};
use gridloom_ir::types::DYNAMIC;
use gridloom_ir::verify::{Check, Checked};

/// The kind of a mapping entry.
#[derive(PartialEq, Eq)]
enum Mapping {
    /// The processor dimension that a loop maps to.
    Processors,
    /// A mask of active processors.
    Mask,
}

fn mapping(ctx: &Context, attr: Attr) -> Option<Mapping> {
    let (dialect, name) = match attr.kind(ctx) {
        AttrKind::Dialect { dialect, body, .. } => {
            let name = ctx.str(*body).trim_start_matches(['.', '<']);
            let end = name.find(|c: char| !c.is_ascii_lowercase() && c != '_');
            (*dialect, &name[..end.unwrap_or(name.len())])
        }
        AttrKind::Parametric { def, .. } => (def.dialect, ctx.str(def.name)),
        _ => return None,
    };
    if ctx.str(dialect) != "gpu" {
        return None;
    }
    match name {
        "block" | "lane" | "memory_space" | "thread" | "warp" | "warpgroup" => {
            Some(Mapping::Processors)
        }
        "mask" => Some(Mapping::Mask),
        _ => None,
    }
}

/// The attribute `mapping`: a processor dimension for each loop.
pub(super) const MAPPING: AttrConstraint = AttrConstraint {
    summary: "Device Mapping array attribute",
    storage: Storage::Array,
    check: |c, a| {
        let entries = a.as_array(c);
        entries.is_some_and(|entries| entries.iter().all(|&entry| mapping(c, entry).is_some()))
    },
};

pub(super) fn verify_forall(check: &Check) -> Checked {
    let (ctx, data) = (check.ctx(), check.data());
    let outputs = data.operand_segment(ctx, 3);
    let results = data.num_results();
    check.ensure(
        results == outputs.len(),
        format_args!(
            "produces {results} results, but has only {} outputs",
            outputs.len()
        ),
    )?;
    let lists = ["staticLowerBound", "staticUpperBound", "staticStep"];
    let lists = lists.map(|name| required_i64s(ctx, data, name));
    let loops = lists[0].len();
    verify_arguments(check, loops, outputs)?;
    verify_mapping(check, loops)?;
    let names = ["lower bound", "upper bound", "step"];
    for (index, (list, name)) in lists.iter().zip(names).enumerate() {
        if list.len() != loops {
            let message = format!("expected {loops} {name} values, got {}", list.len());
            return Err(plain(check, message));
        }
        let holes = list.iter().filter(|&&value| value == DYNAMIC).count();
        if data.operand_segment(ctx, index).len() != holes {
            let message = format!("expected {holes} dynamic {name} values");
            return Err(plain(check, message));
        }
    }
    let first = data.operands.len() - outputs.len();
    let types = check.types_of(outputs).zip(check.result_types());
    for (index, (output, result)) in types.enumerate() {
        if output != result {
            return Err(check.error(format!(
                "expected type of operand #{} ('{}') to match type of corresponding result ('{}')",
                first + index,
                check.show(output),
                check.show(result)
            )));
        }
    }
    Ok(())
}

fn verify_arguments(check: &Check, loops: usize, outputs: &[gridloom_ir::body::Value]) -> Checked {
    let block = check.require_block(0, "region")?;
    let args = &check.body()[block].args;
    check.ensure(
        args.len() == loops + outputs.len(),
        format_args!("region expects {loops} arguments"),
    )?;
    let (indices, shared) = args.split_at(loops);
    let is_index = |ty: gridloom_ir::types::Type| ty.is_index(check.ctx());
    if let Some(at) = check.types_of(indices).position(|ty| !is_index(ty)) {
        return Err(check.error(format!("expects {at}-th block argument to be an index")));
    }
    let mut pairs = check.types_of(shared).zip(check.types_of(outputs));
    match pairs.position(|(arg, output)| arg != output) {
        Some(at) => Err(check.error(format!(
            "type mismatch between {at}-th output and corresponding block argument"
        ))),
        None => Ok(()),
    }
}

fn verify_mapping(check: &Check, loops: usize) -> Checked {
    let ctx = check.ctx();
    let entries = check.data().attr(ctx, "mapping");
    let entries = entries
        .and_then(|entries| entries.as_array(ctx))
        .unwrap_or(&[]);
    if entries.is_empty() {
        return Ok(());
    }
    let count = |kind: Mapping| {
        let found = entries.iter().filter_map(|&entry| mapping(ctx, entry));
        found.filter(|found| *found == kind).count()
    };
    check.ensure(
        count(Mapping::Processors) == loops,
        "mapping attribute size must match op rank",
    )?;
    check.ensure(
        count(Mapping::Mask) <= 1,
        "\"mapping\" supports at most one device masking attribute",
    )
}

pub(super) fn verify_in_parallel(check: &Check) -> Checked {
    let block = check.require_block(0, "region")?;
    let parent = check.parent();
    let shared = parent.and_then(|parent| {
        let outputs = parent.data().operand_segment(check.ctx(), 3).len();
        let region = parent.data().inline_regions().first()?;
        let args = &check.body()[*check.body()[*region].blocks.first()?].args;
        args.get(args.len().checked_sub(outputs)?..)
    });
    for op in check.body().ops(block) {
        let data = &check.body()[op];
        check.ensure(
            data.name == tensor::PARALLEL_INSERT_SLICE,
            "expected only ParallelCombiningOpInterface ops",
        )?;
        let target = data.operands.get(1);
        if !target.is_some_and(|target| shared.unwrap_or(&[]).contains(target)) {
            let name = check.ctx().op_name_str(data.name);
            let message = format!("'{name}' op may only insert into an output block argument");
            return Err(Diagnostic::error(data.loc, message));
        }
    }
    Ok(())
}
