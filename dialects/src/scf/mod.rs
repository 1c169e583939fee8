//! The `scf` dialect: structured control flow.

use gridloom_ir::constraints::*;
use gridloom_ir::op::no_region_arguments;
use gridloom_ir::op::{OpDef, RowTraits, Traits};

mod branch;
mod forall;
mod form;
mod form_parallel;
mod loops;

pub use branch::{IfOp, IndexSwitchOp};
pub use loops::{ForOp, ParallelOp, WhileOp, condition, yield_values};

const LOOP: Traits = Traits::AUTOMATIC_ALLOCATION_SCOPE.with(Traits::RECURSIVE_EFFECTS);

dialect_ops! {
    after super::cf::END;
    /// `scf.condition`: terminates the first region of an `scf.while`.
    CONDITION = OpDef::new("scf.condition")
        .with(Traits::PURE)
        .with(Traits::TERMINATOR)
        .operands(&[one("condition", I1), many("args", ANY)])
        .parents(&["scf.while"])
        .format("`(` $condition `)` attr-dict ($args^ `:` type($args))?");
    /// `scf.execute_region`: runs a region with any number of blocks once.
    EXECUTE_REGION = OpDef::new("scf.execute_region")
        .with(Traits::RECURSIVE_EFFECTS)
        .results(&[many("results", ANY)])
        .attrs(&[flag("no_inline")])
        .regions(1)
        .custom(form::parse_execute_region, form::print_execute_region)
        .verify(branch::verify_execute_region);
    /// `scf.for`: a counted loop, upper bound excluded.
    FOR = OpDef::new("scf.for")
        .with(LOOP)
        .operands(&[
            one("lowerBound", INT_OR_INDEX),
            one("upperBound", INT_OR_INDEX),
            one("step", INT_OR_INDEX),
            many("initArgs", ANY),
        ])
        .results(&[many("results", ANY)])
        .attrs(&[flag("unsignedCmp")])
        .infer(&[same(
            &["lowerBound", "upperBound", "step"],
            "all of {lowerBound, upperBound, step} have same type",
        )])
        .regions(1)
        .terminator("scf.yield")
        .custom(form::parse_for, form::print_for)
        .verify(loops::verify_for)
        .fold(loops::fold_for);
    /// `scf.forall`: an unordered loop nest with shared tensor outputs.
    FORALL = OpDef::new("scf.forall")
        .with(LOOP)
        .with(Traits::ATTR_SIZED_OPERANDS)
        .operands(&[
            many("dynamicLowerBound", INDEX),
            many("dynamicUpperBound", INDEX),
            many("dynamicStep", INDEX),
            many("outputs", RANKED_TENSOR),
        ])
        .results(&[many("results", ANY)])
        .attrs(&[
            attr("staticLowerBound", I64_ARRAY),
            attr("staticUpperBound", I64_ARRAY),
            attr("staticStep", I64_ARRAY),
            attr("mapping", forall::MAPPING).optional(),
        ])
        .regions(1)
        .terminator("scf.forall.in_parallel")
        .custom(form_parallel::parse_forall, form_parallel::print_forall)
        .verify(forall::verify_forall);
    /// `scf.forall.in_parallel`: terminates an `scf.forall`; holds its
    /// insertions.
    FORALL_IN_PARALLEL = OpDef::new("scf.forall.in_parallel")
        .with(Traits::GRAPH_REGION)
        .with_row(RowTraits::NO_TERMINATOR)
        .with(Traits::PURE)
        .with_row(RowTraits::SINGLE_BLOCK)
        .with(Traits::TERMINATOR)
        .parents(&["scf.forall"])
        .regions(1)
        .custom(form_parallel::parse_in_parallel, form_parallel::print_in_parallel)
        .printed_if(no_region_arguments)
        .verify(forall::verify_in_parallel);
    /// `scf.if`: a conditional.
    IF = OpDef::new("scf.if")
        .with(Traits::RECURSIVE_EFFECTS)
        .with_row(RowTraits::NO_REGION_ARGUMENTS)
        .operands(&[one("condition", I1)])
        .results(&[many("results", ANY)])
        .regions(2)
        .terminator("scf.yield")
        .custom(form::parse_if, form::print_if)
        .verify(branch::verify_if);
    /// `scf.index_switch`: a switch on an index.
    INDEX_SWITCH = OpDef::new("scf.index_switch")
        .with(Traits::RECURSIVE_EFFECTS)
        .operands(&[one("arg", INDEX)])
        .results(&[many("results", ANY)])
        .attrs(&[attr("cases", I64_ARRAY)])
        .any_regions()
        .terminator("scf.yield")
        .custom(form::parse_index_switch, form::print_index_switch)
        .printed_if(no_region_arguments)
        .verify(branch::verify_index_switch);
    /// `scf.parallel`: an unordered loop nest with reductions.
    PARALLEL = OpDef::new("scf.parallel")
        .with(LOOP)
        .with(Traits::ATTR_SIZED_OPERANDS)
        .operands(&[
            many("lowerBound", INDEX),
            many("upperBound", INDEX),
            many("step", INDEX),
            many("initVals", ANY),
        ])
        .results(&[many("results", ANY)])
        .regions(1)
        .terminator("scf.reduce")
        .printed_if(form_parallel::parallel_form_is_lossless)
        .custom(form_parallel::parse_parallel, form_parallel::print_parallel)
        .verify(loops::verify_parallel);
    /// `scf.reduce`: terminates an `scf.parallel`; its regions combine results.
    REDUCE = OpDef::new("scf.reduce")
        .with(Traits::RECURSIVE_EFFECTS)
        .with(Traits::TERMINATOR)
        .operands(&[many("operands", ANY)])
        .parents(&["scf.parallel"])
        .any_regions()
        .format("(`(` $operands^ `:` type($operands) `)`)? $reductions attr-dict")
        .printed_if(form_parallel::reduce_form_is_unambiguous)
        .verify(loops::verify_reduce);
    /// `scf.reduce.return`: terminates a region of an `scf.reduce`.
    REDUCE_RETURN = OpDef::new("scf.reduce.return")
        .with(Traits::PURE)
        .with(Traits::TERMINATOR)
        .operands(&[one("result", ANY)])
        .parents(&["scf.reduce"])
        .format("$result attr-dict `:` type($result)");
    /// `scf.while`: a loop with a condition region and a body region.
    WHILE = OpDef::new("scf.while")
        .with(Traits::RECURSIVE_EFFECTS)
        .with_row(RowTraits::SINGLE_BLOCK)
        .operands(&[many("inits", ANY)])
        .results(&[many("results", ANY)])
        .regions(2)
        .custom(form::parse_while, form::print_while)
        .verify(loops::verify_while);
    /// `scf.yield`: terminates a region with its results.
    YIELD = OpDef::new("scf.yield")
        .with(Traits::PURE)
        .with(Traits::RETURN_LIKE)
        .with(Traits::TERMINATOR)
        .operands(&[many("results", ANY)])
        .parents(&["scf.execute_region", "scf.for", "scf.if", "scf.index_switch", "scf.while"])
        .format("attr-dict ($results^ `:` type($results))?");
}
