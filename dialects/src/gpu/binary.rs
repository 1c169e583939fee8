//! The custom form of `gpu.binary`.

use gridloom_ir::attr::Attr;
use gridloom_ir::body::{Body, OpId};
use gridloom_ir::context::Context;
use gridloom_ir::text::{OpParser, OpPrinter, ParseFailed, Tok};

/// The default handler, `#gpu.select_object`: the first object.
fn default_handler(ctx: &Context) -> Attr {
    ctx.parametric_attr("gpu", "select_object", &[])
}

/// `gpu.binary @name <#gpu.select_object<1>> [#gpu.object<…>]`
pub(super) fn parse(p: &mut OpParser<'_, '_>) -> Result<(), ParseFailed> {
    let ctx = p.ctx();
    let name = p.symbol_name()?;
    p.set_property("sym_name", ctx.string_attr(ctx.str(name)));
    let mut handler = default_handler(ctx);
    if p.eat(Tok::Less) {
        handler = p.attribute()?;
        p.expect(Tok::Greater)?;
    }
    p.set_property("offloadingHandler", handler);
    p.attr_dict()?;
    let objects = p.attribute_as(|objects, ctx| objects.as_array(ctx).map(|_| objects))?;
    p.set_property("objects", objects);
    Ok(())
}

pub(super) fn print(p: &mut OpPrinter<'_>, ctx: &Context, body: &Body, op: OpId) {
    let data = &body[op];
    p.text(" ");
    if let Some(name) = data.attr(ctx, "sym_name") {
        p.symbol_attr(name);
    }
    let default = default_handler(ctx);
    // Upstream prints the blank even without a handler.
    p.text(" ");
    if let Some(handler) = data.attr(ctx, "offloadingHandler")
        && handler != default
    {
        p.text("<");
        p.attr(handler);
        p.text(">");
    }
    p.attr_dict(body, op, &["sym_name", "offloadingHandler", "objects"]);
    p.text(" ");
    if let Some(objects) = data.attr(ctx, "objects") {
        p.attr(objects);
    }
}
