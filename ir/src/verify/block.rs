//! Regions and blocks: terminators, successors, block arguments.

use super::{Check, Checked};
use crate::attr_names;
use crate::body::{BlockId, Body, OpId, RegionId};
use crate::context::Context;
use crate::context::signature::SuccessorOperands;
use crate::context::{OpName, RowTraits, Traits};
use crate::diag::Diagnostic;
use crate::text::{PrintOptions, print_op};

/// Checks the regions and blocks of an operation, and its own position in its
/// block.
pub(super) fn verify_regions(check: &Check) -> Checked {
    verify_place(check)?;
    let data = check.data();
    let (body, regions) = data.regions_in(check.body());
    for (index, &region) in regions.iter().enumerate() {
        verify_region(check, body, index, region)?;
    }
    Ok(())
}

/// Checks that a symbol table has exactly one block.
pub(super) fn verify_symbol_table(check: &Check) -> Checked {
    if !check.has(Traits::SYMBOL_TABLE) {
        return Ok(());
    }
    let (body, regions) = check.data().regions_in(check.body());
    let blocks: usize = regions.iter().map(|&r| body[r].blocks.len()).sum();
    check.ensure(
        blocks == 1,
        "Operations with a 'SymbolTable' must have exactly one block",
    )
}

/// Checks how the blocks in an operation's regions end.
pub(super) fn verify_ends(check: &Check) -> Checked {
    let (body, regions) = check.data().regions_in(check.body());
    let mut blocks = regions.iter().flat_map(|&region| &body[region].blocks);
    blocks.try_for_each(|&block| verify_end(check, body, block))
}

/// Whether a block in an operation's regions is empty though it must not be.
pub(super) fn has_empty_block(check: &Check) -> bool {
    let (body, regions) = check.data().regions_in(check.body());
    let mut blocks = regions.iter().flat_map(|&region| &body[region].blocks);
    blocks.any(|&block| body[block].last().is_none() && verify_end(check, body, block).is_err())
}

/// Whether an operation has a trait; an unknown operation may have any.
fn may_have(ctx: &Context, name: OpName, traits: impl Into<RowTraits> + Copy) -> bool {
    ctx.op_signature(name)
        .is_none_or(|def| def.traits.contains(traits))
}

/// Checks an operation's position: a terminator ends its block, and a branch
/// targets blocks of its own region and passes operands of the types that their
/// arguments have.
pub(super) fn verify_place(check: &Check) -> Checked {
    let data = check.data();
    let last = data.next().is_none();
    if !data.successors().is_empty() && !last {
        let message = "operation with block successors must terminate its parent block";
        return Err(Diagnostic::error(data.loc, message));
    }
    if check.has(Traits::TERMINATOR) && !last {
        return Err(check.error("must be the last operation in the parent block"));
    }
    if data.successors().is_empty() {
        return Ok(());
    }
    let region = |block: BlockId| check.body()[block].parent();
    let own = data.parent().and_then(region);
    if data.successors().iter().any(|&block| region(block) != own) {
        let message = "reference to block defined in another region";
        return Err(Diagnostic::error(data.loc, message));
    }
    for (index, &block) in data.successors().iter().enumerate() {
        verify_successor(check, index, block)?;
    }
    Ok(())
}

/// Checks that a symbol stands in a symbol table. Runs after the operation's
/// own verifier, which may ask for a more specific parent.
pub(super) fn verify_symbol_place(check: &Check) -> Checked {
    let data = check.data();
    if !check.has(Traits::SYMBOL) {
        return Ok(());
    }
    let Some(name) = data.attr(check.ctx(), attr_names::SYM_NAME) else {
        return Ok(());
    };
    // References demand UTF-8 as well.
    check.ensure(
        name.as_str(check.ctx()).is_some(),
        "a symbol's name must be UTF-8",
    )?;
    let fits = |parent: Check| may_have(parent.ctx(), parent.name(), Traits::SYMBOL_TABLE);
    check.ensure(
        check.parent().is_none_or(fits),
        "symbol's parent must have the SymbolTable trait",
    )
}

/// The operands passed to successor `index` of a branch; `None` if its layout is unknown.
fn passed(check: &Check, index: usize) -> Option<std::ops::Range<usize>> {
    let data = check.data();
    let group = |group: usize| {
        let groups = check.def()?.operand_groups(check.ctx(), data)?;
        groups.get(group).cloned()
    };
    match (check.def()?.successor_operands, index) {
        (SuccessorOperands::Unknown, _) => None,
        (SuccessorOperands::Groups(first), _) => group(first + index),
        (SuccessorOperands::Segments { first, .. }, 0) => group(first),
        (SuccessorOperands::Segments { first, sizes }, _) => {
            let cases = group(first + 1)?;
            let sizes = data.attr(check.ctx(), sizes)?;
            let sizes = sizes.as_i32_array(check.ctx())?;
            // The operation's own verifier reports sizes that do not add up.
            let total: i64 = sizes.iter().map(|&size| i64::from(size)).sum();
            if total != cases.len() as i64 {
                return None;
            }
            let before = sizes
                .get(..index - 1)?
                .iter()
                .map(|&size| size.max(0) as usize);
            let start = cases.start + before.sum::<usize>();
            let end = start + usize::try_from(*sizes.get(index - 1)?).ok()?;
            (end <= cases.end).then_some(start..end)
        }
    }
}

fn verify_successor(check: &Check, index: usize, block: BlockId) -> Checked {
    let Some(range) = passed(check, index) else {
        return Ok(());
    };
    let args = &check.body()[block].args;
    if range.len() != args.len() {
        return Err(Diagnostic::error(
            check.data().loc,
            format!(
                "branch has {} operands for successor #{index}, but target block has {}",
                range.len(),
                args.len()
            ),
        ));
    }
    for (number, (operand, &arg)) in range.zip(args).enumerate() {
        if check.operand_type(operand) != check.body().ty(arg) {
            let message = format!("type mismatch for bb argument #{number} of successor #{index}");
            return Err(Diagnostic::error(check.data().loc, message));
        }
    }
    Ok(())
}

fn verify_region(check: &Check, body: &Body, index: usize, region: RegionId) -> Checked {
    let blocks = &body[region].blocks;
    if check.has(RowTraits::SINGLE_BLOCK) && blocks.len() > 1 {
        return Err(check.error(format!("expects region #{index} to have 0 or 1 blocks")));
    }
    if check.has(Traits::GRAPH_REGION) && blocks.len() > 1 {
        return Err(check.error(format!(
            "expects graph region #{index} to have 0 or 1 blocks"
        )));
    }
    if check.has(RowTraits::NO_REGION_ARGUMENTS)
        && let Some(entry) = body[region].entry()
        && !body[entry].args.is_empty()
    {
        let single = check.data().inline_regions().len() <= 1;
        return Err(match single {
            true => check.error("region should have no arguments"),
            false => check.error(format!("region #{index} should have no arguments")),
        });
    }
    let leads_to = |block: BlockId, target: BlockId| {
        let last = body[block].last();
        last.is_some_and(|last| body[last].successors().contains(&target))
    };
    if let Some(entry) = body[region].entry()
        && blocks.iter().any(|&block| leads_to(block, entry))
    {
        let message = "entry block of region may not have predecessors";
        return Err(Diagnostic::error(check.data().loc, message));
    }
    Ok(())
}

/// Checks that a block ends in a terminator, unless its region needs none.
fn verify_end(check: &Check, body: &Body, block: BlockId) -> Checked {
    let owner = check.data();
    let region = body[block].parent();
    let alone = region.is_none_or(|region| body[region].blocks.len() == 1);
    let Some(last) = body[block].last() else {
        if alone && may_have(check.ctx(), owner.name, RowTraits::NO_TERMINATOR) {
            return Ok(());
        }
        if check.has(RowTraits::SINGLE_BLOCK) {
            return Err(check.error("expects a non-empty block"));
        }
        let message = "empty block: expect at least a terminator";
        return Err(Diagnostic::error(owner.loc, message));
    };
    if check.has(RowTraits::NO_TERMINATOR) {
        return Ok(());
    }
    if let Some(expected) = check.def().and_then(|def| def.terminator) {
        let found = check.ctx().op_name_str(body[last].name);
        if found != expected {
            let message = format!("expects regions to end with '{expected}', found '{found}'");
            let note =
                format!("in custom textual format, the absence of terminator implies '{expected}'");
            return Err(check.error(message).with_note(owner.loc, note));
        }
        return Ok(());
    }
    let needs_none = alone && check.def().is_none();
    if !needs_none && !may_have(check.ctx(), body[last].name, Traits::TERMINATOR) {
        return Err(no_terminator(check, body, last));
    }
    Ok(())
}

fn no_terminator(check: &Check, body: &Body, last: OpId) -> Diagnostic {
    let options = PrintOptions {
        generic: true,
        local_scope: true,
        ..PrintOptions::default()
    };
    let shown = print_op(check.ctx(), body, last, &options);
    let message = format!("block with no terminator, has {shown}");
    Diagnostic::error(body[last].loc, message)
}
