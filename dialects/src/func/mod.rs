//! The `func` dialect.

use crate::verified::required;
use gridloom_ir::attr::Attr;
use gridloom_ir::body::{BlockId, Body, OpData, OpState, Value};
use gridloom_ir::builder::Builder;
use gridloom_ir::constraints::*;
use gridloom_ir::context::{Context, Ident};
use gridloom_ir::location::Loc;
use gridloom_ir::op::{OpDef, Traits, TypeRule};
use gridloom_ir::types::Type;

pub(crate) mod check;
pub(crate) mod form;

dialect_ops! {
    after super::builtin::END;
    /// `func.call`: calls a function by name.
    CALL = OpDef::new("func.call")
        .operands(&[many("operands", ANY)])
        .results(&[many("results", ANY)])
        .attrs(&[attr("callee", FLAT_SYMBOL), ARG_ATTRS, RES_ATTRS, flag("no_inline")])
        .format("$callee `(` $operands `)` attr-dict `:` functional-type($operands, results)")
        .verify(check::verify_call);
    /// `func.call_indirect`: calls a function value.
    CALL_INDIRECT = OpDef::new("func.call_indirect")
        .operands(&[one("callee", FUNCTION), many("callee_operands", ANY)])
        .results(&[many("results", ANY)])
        .attrs(&[ARG_ATTRS, RES_ATTRS])
        .infer(&[
            TypeRule::ListFrom {
                target: "callee_operands",
                source: "callee",
                rule: |c, t| Some(t.function(c)?.0.to_vec()),
                summary: "callee input types match argument types",
            },
            TypeRule::ListFrom {
                target: "results",
                source: "callee",
                rule: |c, t| Some(t.function(c)?.1.to_vec()),
                summary: "callee result types match result types",
            },
        ])
        .format("$callee `(` $callee_operands `)` attr-dict `:` type($callee)");
    /// `func.constant`: a function as a value.
    CONSTANT = OpDef::new("func.constant")
        .result_name("f")
        .with(Traits::CONSTANT_LIKE)
        .with(Traits::PURE)
        .results(&[one("result", ANY)])
        .attrs(&[attr("value", FLAT_SYMBOL)])
        .format("attr-dict $value `:` type(results)")
        .verify(check::verify_constant);
    /// `func.func`: a function definition or declaration.
    FUNC = OpDef::new("func.func")
        .default_dialect("func")
        .with(Traits::AFFINE_SCOPE)
        .with(Traits::AUTOMATIC_ALLOCATION_SCOPE)
        .with(Traits::ISOLATED_FROM_ABOVE)
        .with(Traits::SYMBOL)
        .attrs(&[
            SYMBOL_NAME,
            attr("function_type", FUNCTION_TYPE),
            VISIBILITY,
            ARG_ATTRS,
            RES_ATTRS,
            flag("no_inline"),
        ])
        .regions(1)
        .custom(form::parse_func, form::print_func)
        .verify(check::verify_func);
    /// `func.return`: returns from a function.
    RETURN = OpDef::new("func.return")
        .with(Traits::PURE)
        .with(Traits::RETURN_LIKE)
        .with(Traits::TERMINATOR)
        .operands(&[many("operands", ANY)])
        .parents(&["func.func"])
        .format("attr-dict ($operands^ `:` type($operands))?")
        .verify(check::verify_return);
}

op_view! {
    /// `func.func`
    FuncOp = FUNC
}

impl FuncOp {
    /// Appends a function to the block of a module. Its body has an entry
    /// block with the parameters, unless it is a declaration.
    pub fn create(
        ctx: &Context,
        module: &mut Body,
        block: BlockId,
        signature: (&str, Type),
        declaration: bool,
        loc: Loc,
    ) -> FuncOp {
        let (name, ty) = signature;
        let state = OpState::new(FUNC, loc)
            .property(ctx, "sym_name", ctx.string_attr(name))
            .property(ctx, "function_type", ctx.type_attr(ty));
        let op = module.create_op(state);
        module.append(block, op);
        if let Some(body) = module[op].isolated_mut() {
            let region = body.add_top_region();
            if !declaration {
                let inputs = ty.function(ctx).map_or(&[][..], |(inputs, _)| inputs);
                body.add_block(region, inputs);
            }
        }
        FuncOp(op)
    }

    /// The function's symbol name.
    pub fn name(self, ctx: &Context, module: &Body) -> Ident {
        let name = module[self.0].symbol_name(ctx);
        name.expect("a verified function has a name")
    }

    /// Parameter and result types.
    pub fn signature<'c>(self, ctx: &'c Context, module: &Body) -> (&'c [Type], &'c [Type]) {
        signature(ctx, &module[self.0])
    }

    /// Whether the function has no body.
    pub fn is_declaration(self, module: &Body) -> bool {
        module[self.0].isolated().and_then(Body::entry).is_none()
    }

    /// Whether other modules can see it: neither `private` nor `nested`.
    pub fn is_public(self, ctx: &Context, module: &Body) -> bool {
        let visibility = module[self.0].attr(ctx, "sym_visibility");
        let visibility = visibility.and_then(|v| v.as_str(ctx));
        matches!(visibility, None | Some("public"))
    }

    /// The function's body: one region, empty for a declaration.
    pub fn body(self, module: &Body) -> &Body {
        let body = module[self.0].isolated();
        body.expect("a function owns its body")
    }

    /// The function's body, mutably.
    pub fn body_mut(self, module: &mut Body) -> &mut Body {
        let body = module[self.0].isolated_mut();
        body.expect("a function owns its body")
    }

    /// The parameters inside its body; none for a declaration.
    pub fn args(self, module: &Body) -> &[Value] {
        let body = self.body(module);
        body.entry().map_or(&[], |entry| &body[entry].args)
    }
}

/// Parameter and result types of an operation with a `function_type`.
pub(crate) fn signature<'c>(ctx: &'c Context, op: &OpData) -> (&'c [Type], &'c [Type]) {
    let ty = required(ctx, op, "function_type").as_type(ctx);
    let signature = ty.and_then(|ty| ty.function(ctx));
    signature.expect("a verified function has a function type")
}

op_view! {
    /// `func.call`
    CallOp = CALL
}

impl CallOp {
    /// Calls `callee`.
    pub fn create(b: &mut Builder, callee: Ident, operands: &[Value], results: &[Type]) -> CallOp {
        let state = b.state(CALL).operands(operands).results(results).property(
            b.ctx,
            "callee",
            b.ctx.symbol_attr(callee),
        );
        CallOp(b.create(state))
    }

    /// The reference to the function called.
    pub fn callee(self, ctx: &Context, body: &Body) -> Attr {
        required(ctx, &body[self.0], "callee")
    }

    /// The name of the function called.
    pub fn callee_name(self, ctx: &Context, body: &Body) -> Ident {
        let name = self.callee(ctx, body).as_flat_symbol(ctx);
        name.expect("a verified callee is a flat symbol")
    }
}

/// `func.return values`
pub fn return_values(b: &mut Builder, values: &[Value]) {
    b.create(b.state(RETURN).operands(values));
}
