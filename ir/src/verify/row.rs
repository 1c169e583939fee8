//! Checks generated from an operation's row: counts, constraints, attributes,
//! type relations, traits.

use std::ops::Range;

use super::{Check, Checked};
use crate::body::Groups;
use crate::constraints::attr_type;
use crate::context::signature::{Arity, InferFn, Known, OpSignature, TypeRule, ValueDef};
use crate::context::{RowTraits, Traits};
use crate::diag::Diagnostic;
use crate::text::op_syntax;
use crate::types::Type;

/// Checks an operation against its row. An unknown operation has none and
/// passes.
pub(super) fn verify(check: &Check) -> Checked {
    let Some(def) = check.def() else {
        return Ok(());
    };
    verify_counts(check, def)?;
    verify_attributes(check, def)?;
    let operands = verify_operands(check, def)?;
    let results = verify_results(check, def)?;
    for rule in def.infer {
        verify_rule(check, def, rule, &operands, &results)?;
    }
    for relation in check.row().map_or(&[][..], |row| row.relations) {
        verify_holds(check, (relation.holds)(check), relation.summary)?;
    }
    verify_parent(check, def)?;
    super::traits::verify(check, def.traits)
}

/// The minimum of a count, and whether more are allowed.
fn bounds(defs: &[ValueDef]) -> (usize, bool) {
    let least = defs.iter().filter(|d| d.arity == Arity::One).count();
    (least, least != defs.len())
}

fn verify_counts(check: &Check, def: &OpSignature) -> Checked {
    let data = check.data();
    let regions = data.num_regions();
    if let Some(expected) = def.regions
        && regions != expected
    {
        return Err(check.error(match expected {
            0 => "requires zero regions".to_owned(),
            1 => "requires one region".to_owned(),
            n => format!("expected {n} regions"),
        }));
    }
    let (least, open) = bounds(def.results);
    let results = data.num_results();
    if results < least || results != least && !open {
        return Err(check.error(match (least, open) {
            (n, true) => format!("expected {n} or more results"),
            (0, false) => "requires zero results".to_owned(),
            (1, false) => "requires one result".to_owned(),
            (n, false) => format!("expected {n} results"),
        }));
    }
    let successors = data.successors().len();
    if let Some(expected) = def.successors {
        let plural = if expected == 1 { "" } else { "s" };
        let message = format_args!("requires {expected} successor{plural} but found {successors}");
        check.ensure(successors == expected, message)?;
    }
    let (least, open) = bounds(def.operands);
    let operands = data.operands.len();
    if operands < least || operands != least && !open {
        return Err(check.error(match (least, open) {
            (n, true) => format!("expected {n} or more operands, but found {operands}"),
            (0, false) => "requires zero operands".to_owned(),
            (1, false) => "requires a single operand".to_owned(),
            (n, false) => format!("expected {n} operands, but found {operands}"),
        }));
    }
    Ok(())
}

fn verify_attributes(check: &Check, def: &'static OpSignature) -> Checked {
    let ctx = check.ctx();
    let names = &op_syntax::of(ctx, check.name(), def).inherent;
    let mut missing: Option<&str> = None;
    for (attr, &name) in def.attrs.iter().zip(names) {
        let Some(value) = check.data().attr_named(ctx, name) else {
            // A default replaces an absent attribute.
            if !attr.optional && attr.default.is_none() {
                // The first missing name is reported, as in mlir-opt.
                missing = Some(missing.map_or(attr.name, |other| other.min(attr.name)));
            }
            continue;
        };
        if !(attr.constraint.check)(ctx, value) {
            return Err(check.error(attr.refusal()));
        }
    }
    match missing {
        None => Ok(()),
        Some(name) => Err(check.error(format!("requires attribute '{name}'"))),
    }
}

/// The ranges of the operand or result groups.
enum Split {
    /// One value in each group, by far the most frequent case.
    Single,
    Groups(Groups),
}

impl Split {
    fn group(&self, index: usize) -> Range<usize> {
        match self {
            Split::Single => index..index + 1,
            Split::Groups(groups) => groups[index].clone(),
        }
    }

    /// Whether the number of values alone determines the groups.
    fn is_single(defs: &[ValueDef], count: usize) -> bool {
        count == defs.len() && defs.iter().all(|def| def.arity == Arity::One)
    }
}

fn verify_operands(check: &Check, def: &OpSignature) -> Result<Split, Diagnostic> {
    let segmented = def.traits.contains(Traits::ATTR_SIZED_OPERANDS);
    let split = if !segmented && Split::is_single(def.operands, check.data().operands.len()) {
        Split::Single
    } else {
        let groups = def.operand_groups(check.ctx(), check.data());
        Split::Groups(groups.ok_or_else(|| segment_error(check, def))?)
    };
    for (group, def) in def.operands.iter().enumerate() {
        let range = split.group(group);
        let start = range.start;
        if def.arity == Arity::Optional && range.len() > 1 {
            return Err(check.error(format!(
                "operand group starting at #{start} requires 0 or 1 element, but found {}",
                range.len()
            )));
        }
        if def.arity == Arity::One && range.len() != 1 {
            return Err(check.error(format!(
                "operand group starting at #{start} requires 1 element, but found {}",
                range.len()
            )));
        }
        for index in range {
            verify_type(check, def, "operand", index, check.operand_type(index))?;
        }
    }
    Ok(split)
}

fn segment_error(check: &Check, def: &OpSignature) -> Diagnostic {
    let name = "operandSegmentSizes";
    let operands = check.data().operands.len();
    let sizes = check.data().attr(check.ctx(), name);
    let Some(sizes) = sizes.and_then(|sizes| sizes.as_i32_array(check.ctx())) else {
        return check.error(format!("requires dense i32 array attribute '{name}'"));
    };
    if sizes.iter().any(|&size| size < 0) {
        return check.error(format!("'{name}' attribute cannot have negative elements"));
    }
    if sizes.len() != def.operands.len() {
        return check.error(format!(
            "'{name}' attribute for specifying operand segments must have {} elements, but got {}",
            def.operands.len(),
            sizes.len()
        ));
    }
    let total: i64 = sizes.iter().map(|&size| i64::from(size)).sum();
    check.error(format!(
        "operand count ({operands}) does not match with the total size ({total}) \
         specified in attribute '{name}'"
    ))
}

fn verify_results(check: &Check, def: &OpSignature) -> Result<Split, Diagnostic> {
    let segmented = def.traits.contains(RowTraits::ATTR_SIZED_RESULTS);
    let count = check.data().num_results();
    let split = if !segmented && Split::is_single(def.results, count) {
        Split::Single
    } else {
        let unshared = || {
            check.error(format!(
                "has {count} results, which do not divide among its result groups"
            ))
        };
        let groups = def.result_groups(check.ctx(), check.data());
        Split::Groups(groups.ok_or_else(unshared)?)
    };
    for (group, def) in def.results.iter().enumerate() {
        let range = split.group(group);
        if def.arity == Arity::Optional && range.len() > 1 {
            return Err(check.error(format!(
                "result group starting at #{} requires 0 or 1 element, but found {}",
                range.start,
                range.len()
            )));
        }
        for index in range {
            verify_type(check, def, "result", index, check.result_type(index))?;
        }
    }
    Ok(split)
}

fn verify_type(check: &Check, def: &ValueDef, what: &str, index: usize, ty: Type) -> Checked {
    if (def.constraint.check)(check.ctx(), ty) {
        return Ok(());
    }
    let variadic = if def.arity == Arity::Variadic {
        "variadic of "
    } else {
        ""
    };
    Err(check.error(format!(
        "{what} #{index} must be {variadic}{}, but got '{}'",
        def.constraint.summary,
        check.show(ty)
    )))
}

/// The types of the operand or result group `name`.
fn types_of<'a>(
    check: &Check<'a>,
    def: &OpSignature,
    operands: &Split,
    results: &Split,
    name: &str,
) -> impl Iterator<Item = Type> + use<'a> {
    let check = *check;
    let group = |defs: &[ValueDef]| defs.iter().position(|d| d.name == name);
    let operands = group(def.operands).map(|index| operands.group(index));
    let results = match operands {
        Some(_) => None,
        None => group(def.results).map(|index| results.group(index)),
    };
    let operands = operands.into_iter().flatten();
    let results = results.into_iter().flatten();
    let operands = operands.map(move |index| check.operand_type(index));
    operands.chain(results.map(move |index| check.result_type(index)))
}

fn verify_rule(
    check: &Check,
    def: &OpSignature,
    rule: &TypeRule,
    operands: &Split,
    results: &Split,
) -> Checked {
    let ctx = check.ctx();
    let types = |name: &str| types_of(check, def, operands, results, name);
    let (holds, summary) = match *rule {
        TypeRule::Same { groups, summary } => {
            let mut all = groups.iter().flat_map(|group| types(group));
            let first = all.next();
            (first.is_none_or(|first| all.all(|ty| ty == first)), summary)
        }
        TypeRule::From {
            target,
            source,
            rule,
            summary,
        } => {
            let source = types(source).next();
            let expected = source.and_then(|ty| rule(ctx, ty));
            let holds = source.is_none() || types(target).all(|ty| Some(ty) == expected);
            (holds, summary)
        }
        TypeRule::ListFrom {
            target,
            source,
            rule,
            summary,
        } => {
            let expected = types(source).next().and_then(|ty| rule(ctx, ty));
            let holds = expected.is_some_and(|expected| types(target).eq(expected));
            (holds, summary)
        }
        TypeRule::Infer(_) => return Ok(()),
        TypeRule::OfAttr { target, attr } => {
            let value = check.data().attr(ctx, attr);
            let expected = value.and_then(|value| attr_type(ctx, value));
            if types(target).all(|ty| Some(ty) == expected) {
                return Ok(());
            }
            return Err(check.error(format!(
                "failed to verify that all of {{{attr}, {target}}} have same type"
            )));
        }
    };
    verify_holds(check, holds, summary)
}

/// Fails unless a relation holds.
fn verify_holds(check: &Check, holds: bool, summary: &str) -> Checked {
    check.ensure(holds, format_args!("failed to verify that {summary}"))
}

/// Checks that the result types are those that inference gives. Runs last, when
/// all that inference relies on is known to hold.
pub(super) fn verify_inferred_results(check: &Check) -> Checked {
    let Some(def) = check.def() else {
        return Ok(());
    };
    for rule in def.infer {
        if let TypeRule::Infer(rule) = *rule
            && let Some(groups) = def.operand_groups(check.ctx(), check.data())
        {
            verify_inferred(check, &groups, rule)?;
        }
    }
    super::traits::verify_inferred(check, def.traits)
}

/// Checks the result types against one inference rule.
fn verify_inferred(check: &Check, groups: &Groups, rule: InferFn) -> Checked {
    let operands: Vec<Type> = check.operand_types().collect();
    let known = Known {
        ctx: check.ctx(),
        operands: &operands,
        groups,
        attr: &|name| check.data().attr(check.ctx(), name),
    };
    let inferred = rule(&known).map_err(|message| {
        let next = check.error("failed to infer returned types");
        check.error(message).then(next)
    })?;
    verify_results_are(check, &inferred)
}

/// Fails unless the results have these types.
pub fn verify_results_are(check: &Check, inferred: &[Type]) -> Checked {
    if check.result_types().eq(inferred.iter().copied()) {
        return Ok(());
    }
    let results: Vec<Type> = check.result_types().collect();
    let show = |types: &[Type]| {
        let shown = types.iter().map(|&ty| format!("'{}'", check.show(ty)));
        shown.collect::<Vec<_>>().join(", ")
    };
    let error = check.error(format!(
        "inferred type(s) {} are incompatible with return type(s) of operation {}",
        show(inferred),
        show(&results)
    ));
    Err(error.then(check.error("failed to infer returned types")))
}

fn verify_parent(check: &Check, def: &OpSignature) -> Checked {
    let parent = check
        .parent()
        .map(|parent| check.ctx().op_name_str(parent.name()));
    match def.parents {
        [] => Ok(()),
        parents if parent.is_some_and(|parent| parents.contains(&parent)) => Ok(()),
        [only] => Err(check.error(format!("expects parent op '{only}'"))),
        parents => Err(check.error(format!(
            "expects parent op to be one of '{}'",
            parents.join(", ")
        ))),
    }
}
