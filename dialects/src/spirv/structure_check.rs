//! Verifiers of modules, functions and module-level constants.

use super::composite::CONSTANT;
use super::control::{RETURN, RETURN_VALUE};
use super::scope::{in_function, in_module, plain_error};
use super::structure::{
    ENTRY_POINT, FUNC, GLOBAL_VARIABLE, REFERENCE_OF, SPEC_CONSTANT, SPEC_CONSTANT_COMPOSITE,
    SPEC_CONSTANT_OPERATION,
};
use super::view::{element_type, is_composite, is_spirv, num_elements, pointee, storage_class};
use gridloom_ir::attr::{Attr, AttrKind};
use gridloom_ir::body::{Body, OpData, OpId, ValueDef};
use gridloom_ir::constraints::attr_type;
use gridloom_ir::context::Context;
use gridloom_ir::diag::Diagnostic;
use gridloom_ir::module::SymbolTable;
use gridloom_ir::op::OpName;
use gridloom_ir::types::{FloatKind, Type, TypeKind};
use gridloom_ir::verify::{Check, Checked, late};

/// The operation that a flat symbol attribute resolves to.
fn referred<'a>(check: &Check<'a>, name: &str) -> Option<Check<'a>> {
    let symbol = check.data().attr(check.ctx(), name)?;
    check.lookup(symbol.as_flat_symbol(check.ctx())?)
}

fn type_attr(ctx: &Context, op: &OpData) -> Option<Type> {
    op.attr(ctx, "type")?.as_type(ctx)
}

pub(super) fn verify_address_of(check: &Check) -> Checked {
    in_function(check)?;
    let variable = referred(check, "variable");
    let Some(variable) = variable.filter(|op| op.name() == GLOBAL_VARIABLE) else {
        return Err(check.error("expected spirv.GlobalVariable symbol"));
    };
    check.ensure(
        type_attr(check.ctx(), variable.data()) == Some(check.result_type(0)),
        "result type mismatch with the referenced global variable's type",
    )
}

/// The type of a specialization constant.
fn constant_type(ctx: &Context, op: &OpData) -> Option<Type> {
    match op.name {
        SPEC_CONSTANT => attr_type(ctx, op.attr(ctx, "default_value")?),
        SPEC_CONSTANT_COMPOSITE => type_attr(ctx, op),
        _ => None,
    }
}

pub(super) fn verify_reference_of(check: &Check) -> Checked {
    let constant = referred(check, "spec_const");
    let ty = constant.and_then(|op| constant_type(check.ctx(), op.data()));
    let Some(ty) = ty else {
        return Err(
            check.error("expected spirv.SpecConstant or spirv.SpecConstantComposite symbol")
        );
    };
    check.ensure(
        ty == check.result_type(0),
        "result type mismatch with the referenced specialization constant's type",
    )
}

pub(super) fn verify_global_variable(check: &Check) -> Checked {
    in_module(check)?;
    let ctx = check.ctx();
    let ty = type_attr(ctx, check.data());
    let Some(storage) = ty.and_then(|ty| storage_class(ctx, ty)) else {
        return Err(check.error("result must be of a !spv.ptr type"));
    };
    if matches!(storage, "Generic" | "Function") {
        return Err(check.error(format!("storage class cannot be '{storage}'")));
    }
    if check.data().attr(ctx, "initializer").is_some() {
        let constant = referred(check, "initializer")
            .is_some_and(|op| matches!(op.name(), SPEC_CONSTANT | SPEC_CONSTANT_COMPOSITE));
        check.ensure(
            constant,
            "initializer must be result of a spirv.SpecConstant or spirv.SpecConstantCompositeOp op",
        )?;
    }
    Ok(())
}

/// Whether SPIR-V has scalars of this type.
fn is_scalar(ctx: &Context, ty: Type) -> bool {
    match ty.kind(ctx) {
        TypeKind::Integer { width, .. } => matches!(width, 1 | 8 | 16 | 32 | 64),
        TypeKind::Float(kind) => matches!(
            kind,
            FloatKind::F16 | FloatKind::BF16 | FloatKind::F32 | FloatKind::F64
        ),
        _ => false,
    }
}

pub(super) fn verify_spec_constant(check: &Check) -> Checked {
    in_module(check)?;
    let (ctx, data) = (check.ctx(), check.data());
    let id = data.attr(ctx, "spec_id").and_then(|id| id.as_i64(ctx));
    check.ensure(id.is_none_or(|id| id >= 0), "SpecId cannot be negative")?;
    let value = data.attr(ctx, "default_value").map(|value| value.kind(ctx));
    match value {
        Some(AttrKind::Integer { ty, .. } | AttrKind::Float { ty, .. }) => {
            check.ensure(is_scalar(ctx, *ty), "default value bitwidth disallowed")
        }
        _ => Err(check.error("default value can only be a bool, integer, or float scalar")),
    }
}

pub(super) fn verify_spec_composite(check: &Check) -> Checked {
    in_module(check)?;
    let (ctx, data) = (check.ctx(), check.data());
    let Some(ty) = type_attr(ctx, data) else {
        return Ok(());
    };
    let shown = check.show(ty);
    let fail = |message: String| Err(plain_error(check, message));
    if !is_composite(ctx, ty) {
        return fail(format!(
            "result type must be a composite type, but provided '{shown}'"
        ));
    }
    if is_spirv(ctx, ty, "coopmatrix") {
        return fail(format!("unsupported composite type  '{shown}'"));
    }
    let parts = data.attr(ctx, "constituents");
    let parts = parts.and_then(|list| list.as_array(ctx)).unwrap_or(&[]);
    let count = num_elements(ctx, ty).unwrap_or(0);
    if count != parts.len() as i64 {
        return fail(format!(
            "has incorrect number of operands: expected {count}, but provided {}",
            parts.len()
        ));
    }
    for (index, part) in parts.iter().enumerate() {
        let constant = part
            .as_flat_symbol(ctx)
            .and_then(|symbol| check.lookup(symbol));
        let found = constant.and_then(|op| constant_type(ctx, op.data()));
        let expected = element_type(ctx, ty, index);
        if let (Some(expected), Some(found)) = (expected, found)
            && expected != found
        {
            return fail(format!(
                "has incorrect types of operands: expected '{}', but provided '{}'",
                check.show(expected),
                check.show(found)
            ));
        }
    }
    Ok(())
}

pub(super) fn verify_spec_replicate(check: &Check) -> Checked {
    in_module(check)?;
    let ctx = check.ctx();
    let Some(ty) = type_attr(ctx, check.data()) else {
        return Ok(());
    };
    if !is_composite(ctx, ty) {
        let shown = check.show(ty);
        let message = format!("result type must be a composite type, but provided '{shown}'");
        return Err(plain_error(check, message));
    }
    let constant = referred(check, "constituent").filter(|op| op.name() == SPEC_CONSTANT);
    let Some(constant) = constant else {
        let message = "splat spec constant reference defining constituent not found";
        return Err(plain_error(check, message));
    };
    let (found, expected) = (
        constant_type(ctx, constant.data()),
        element_type(ctx, ty, 0),
    );
    if let (Some(found), Some(expected)) = (found, expected)
        && found != expected
    {
        let message = format!(
            "constituent has incorrect type: expected '{}', but provided '{}'",
            check.show(expected),
            check.show(found)
        );
        return Err(plain_error(check, message));
    }
    Ok(())
}

/// The operations that a `spirv.SpecConstantOperation` may wrap, without
/// prefix.
const WRAPPABLE: [&str; 37] = [
    "BitwiseAnd",
    "BitwiseOr",
    "BitwiseXor",
    "CompositeExtract",
    "CompositeInsert",
    "FConvert",
    "IAdd",
    "IEqual",
    "IMul",
    "INotEqual",
    "ISub",
    "LogicalAnd",
    "LogicalEqual",
    "LogicalNot",
    "LogicalNotEqual",
    "LogicalOr",
    "Not",
    "SConvert",
    "SDiv",
    "SGreaterThan",
    "SGreaterThanEqual",
    "SLessThan",
    "SLessThanEqual",
    "SMod",
    "SNegate",
    "SRem",
    "Select",
    "ShiftLeftLogical",
    "ShiftRightArithmetic",
    "ShiftRightLogical",
    "UConvert",
    "UDiv",
    "UGreaterThan",
    "UGreaterThanEqual",
    "ULessThan",
    "ULessThanEqual",
    "UMod",
];

pub(super) fn verify_spec_operation(check: &Check) -> Checked {
    let block = check.require_block(0, "body")?;
    in_function(check)?;
    let body = check.body();
    let ops: Vec<OpId> = body.ops(block).collect();
    let [inner, _yield] = ops[..] else {
        return Err(check.error("expected exactly 2 nested ops"));
    };
    let name = check.ctx().op_name_str(body[inner].name);
    let name = name.strip_prefix("spirv.").unwrap_or("");
    check.ensure(WRAPPABLE.contains(&name), "invalid enclosed op")?;
    let is_constant =
        |name: OpName| matches!(name, CONSTANT | REFERENCE_OF | SPEC_CONSTANT_OPERATION);
    let constant = body[inner]
        .operands
        .iter()
        .all(|&value| match body[value].def() {
            ValueDef::Result(op, _) => is_constant(body[op].name),
            ValueDef::Argument(..) => false,
        });
    check.ensure(
        constant,
        "invalid operand, must be defined by a constant operation",
    )
}

pub(super) fn verify_func(check: &Check) -> Checked {
    in_module(check)?;
    let (ctx, data) = (check.ctx(), check.data());
    let ty = data
        .attr(ctx, "function_type")
        .and_then(|ty| ty.as_type(ctx));
    let Some((inputs, results)) = ty.and_then(|ty| ty.function(ctx)) else {
        return Ok(());
    };
    verify_physical_arguments(check, inputs)?;
    check.ensure(results.len() <= 1, "cannot have more than one result")?;
    crate::func::check::verify_argument_attrs(check)?;
    let Some(own) = data.isolated() else {
        return Ok(());
    };
    crate::func::check::verify_entry(check, own, inputs)?;
    for op in own.walk() {
        verify_return(check, own, op, results)?;
    }
    Ok(())
}

/// Checks that arguments that are pointers to physical buffers, or to such
/// pointers, declare whether they alias.
fn verify_physical_arguments(check: &Check, inputs: &[Type]) -> Checked {
    let ctx = check.ctx();
    let is_physical = |ty| storage_class(ctx, ty) == Some("PhysicalStorageBuffer");
    let attrs = check.data().attr(ctx, "arg_attrs");
    let attrs = attrs.and_then(|list| list.as_array(ctx)).unwrap_or(&[]);
    for (index, &ty) in inputs.iter().enumerate() {
        let decoration = attrs.get(index).and_then(|attrs| match attrs.kind(ctx) {
            AttrKind::Dict(dict) => dict.get(ctx, ctx.ident("spirv.decoration")),
            _ => None,
        });
        let is_said = |word: &str| {
            decoration == Some(ctx.dialect_attr("spirv", &format!(".decoration<{word}>")))
        };
        let Some(inner) = pointee(ctx, ty) else {
            continue;
        };
        if pointee(ctx, inner).is_some() {
            let said = is_said("AliasedPointer") || is_said("RestrictPointer");
            check.ensure(
                said || !is_physical(inner),
                "with a pointer points to a physical buffer pointer must be decorated either \
                 'AliasedPointer' or 'RestrictPointer'",
            )?;
            continue;
        }
        let in_array =
            is_spirv(ctx, inner, "array") && element_type(ctx, inner, 0).is_some_and(is_physical);
        let said = is_said("Aliased") || is_said("Restrict");
        check.ensure(
            said || !(is_physical(ty) || in_array),
            "with physical buffer pointer must be decorated either 'Aliased' or 'Restrict'",
        )?;
    }
    Ok(())
}

/// Checks a return against the function's result types.
fn verify_return(check: &Check, own: &Body, op: OpId, results: &[Type]) -> Checked {
    let data = &own[op];
    let name = check.ctx().op_name_str(data.name);
    let fail = |message: String| {
        Err(Diagnostic::error(
            data.loc,
            format!("'{name}' op {message}"),
        ))
    };
    match (data.name, &data.operands[..], results) {
        (RETURN, _, [_, ..]) => fail("cannot be used in functions returning value".into()),
        (RETURN_VALUE, _, []) => {
            fail("returns 1 value but enclosing function requires 0 results".into())
        }
        (RETURN_VALUE, [value], [expected]) if own.ty(*value) != *expected => fail(format!(
            " return value's type ('{}') mismatch with function's result type ('{}')",
            check.show(own.ty(*value)),
            check.show(*expected)
        )),
        _ => Ok(()),
    }
}

fn is_spirv_op(ctx: &Context, name: OpName) -> bool {
    ctx.op_name_str(name).starts_with("spirv.")
}

/// Verifies a module's members; runs after all of them are valid.
pub(super) fn verify_module(check: &Check) -> Checked {
    late(verify_members(check))
}

fn verify_members(check: &Check) -> Checked {
    let ctx = check.ctx();
    let Some(own) = check.data().isolated() else {
        return Ok(());
    };
    let Some(block) = own.entry() else {
        return Ok(());
    };
    let symbols = SymbolTable::of(ctx, own);
    let mut entries: Vec<(Attr, Attr)> = Vec::new();
    for op in own.ops(block) {
        let data = &own[op];
        if !is_spirv_op(ctx, data.name) {
            let message = "'spirv.module' can only contain spirv.* ops";
            return Err(Diagnostic::error(data.loc, message));
        }
        match data.name {
            ENTRY_POINT => {
                verify_entry_point(ctx, own, &symbols, op)?;
                let (function, model) = (data.attr(ctx, "fn"), data.attr(ctx, "execution_model"));
                let key = function.zip(model);
                if key.is_some_and(|key| entries.contains(&key)) {
                    let message = "duplicate of a previous EntryPointOp";
                    return Err(Diagnostic::error(data.loc, message));
                }
                entries.extend(key);
            }
            FUNC => verify_member_function(ctx, data)?,
            _ => {}
        }
    }
    Ok(())
}

fn verify_entry_point(ctx: &Context, own: &Body, symbols: &SymbolTable, op: OpId) -> Checked {
    let data = &own[op];
    let is = |symbol: Attr, name: OpName| {
        let found = symbol
            .as_flat_symbol(ctx)
            .and_then(|symbol| symbols.get(symbol));
        found.is_some_and(|op| own[op].name == name)
    };
    let shown = |symbol: Attr| gridloom_ir::text::attr_string(ctx, symbol);
    if let Some(function) = data.attr(ctx, "fn")
        && !is(function, FUNC)
    {
        let name = shown(function);
        let name = name.trim_start_matches('@');
        let message = format!("function '{name}' not found in 'spirv.module'");
        return Err(Diagnostic::error(data.loc, message));
    }
    let interface = data.attr(ctx, "interface");
    for &variable in interface.and_then(|list| list.as_array(ctx)).unwrap_or(&[]) {
        if !is(variable, GLOBAL_VARIABLE) {
            let name = shown(variable);
            let message =
                format!("expected spirv.GlobalVariable symbol reference instead of'{name}'");
            return Err(Diagnostic::error(data.loc, message));
        }
    }
    Ok(())
}

/// Verifies a function of a module: one without a body must be imported, and a
/// body may hold only operations of the dialect.
fn verify_member_function(ctx: &Context, data: &OpData) -> Checked {
    let Some(body) = data.isolated() else {
        return Ok(());
    };
    let Some(&region) = body.regions().first() else {
        return Ok(());
    };
    if body[region].blocks.is_empty() {
        let linkage = data.attr(ctx, "linkage_attributes");
        let linkage = linkage.and_then(|attr| attr.params(ctx, "spirv", "linkage_attributes"));
        let import = ctx.dialect_attr("spirv", ".linkage_type<Import>");
        if linkage.and_then(|params| params.get(1)) != Some(&import) {
            let message = "'spirv.module' cannot contain external functions without 'Import' \
                           linkage_attributes (LinkageAttributes)";
            return Err(Diagnostic::error(data.loc, message));
        }
    }
    for &block in &body[region].blocks {
        for op in body.ops(block) {
            if !is_spirv_op(ctx, body[op].name) {
                let message = "functions in 'spirv.module' can only contain spirv.* ops";
                return Err(Diagnostic::error(body[op].loc, message));
            }
        }
    }
    Ok(())
}
