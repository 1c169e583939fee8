//! Old `func`.

use super::effects;
use super::emit::Emit;
use crate::func::FUNC;
use crate::func::form::{Signature, parse_signature, parse_visibility};
use gridloom_ir::body::Body;
use gridloom_ir::text::OpParser;
use gridloom_ir::text::PResult;

/// `func @f(%a: i32) -> i32 attributes {…} {…}`. A function without a body is
/// private; the parameters of one with a body may be named by its first block.
pub(super) fn custom(e: &mut Emit<'_, '_>) -> PResult<()> {
    let mut op = OpParser::new(e.p, FUNC, e.token);
    parse(&mut op)?;
    let op = op.finish()?;
    e.append(op);
    Ok(())
}

fn parse(p: &mut OpParser<'_, '_>) -> PResult<()> {
    parse_visibility(p);
    let name = p.symbol_name()?;
    let ctx = p.ctx();
    p.set_property("sym_name", ctx.string_attr(ctx.str(name)));
    let signature = parse_signature(p)?;
    signature.set(p);
    effects::parse_clauses(p, &signature.args)?;
    p.attr_dict_with_keyword()?;
    let place = p.place();
    if !p.optional_region(&signature.args)? {
        if p.get_attr("sym_visibility").is_none() {
            p.set_property("sym_visibility", ctx.string_attr("private"));
        }
        return Ok(());
    }
    if p.region_is_empty(0) {
        return Err(p.error_at(place, "the body of a function has at least one operation"));
    }
    if !first_block_fits(p.isolated.as_deref(), &signature) {
        let message = "the arguments of the first block are not the function's parameters";
        return Err(p.error_at(place, message));
    }
    Ok(())
}

fn first_block_fits(body: Option<&Body>, signature: &Signature<'_>) -> bool {
    let Some((body, entry)) = body.and_then(|body| Some((body, body.entry()?))) else {
        return false;
    };
    let args = body[entry].args.iter().map(|&arg| body.ty(arg));
    args.eq(signature.inputs.iter().copied())
}
