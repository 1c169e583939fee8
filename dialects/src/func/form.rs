//! The custom form of functions, shared by `func.func` and `gpu.func`.

use smallvec::SmallVec;

use gridloom_ir::attr::{Attr, AttrDict, AttrKind};
use gridloom_ir::attr_names;
use gridloom_ir::body::{Body, OpId};
use gridloom_ir::context::{Context, Ident};
use gridloom_ir::text::{Argument, Delimiter, OpParser, OpPrinter, ParseFailed, Tok};
use gridloom_ir::types::Type;

/// The parsed signature of a function.
pub(crate) struct Signature<'s> {
    /// Named parameters; empty for a declaration.
    pub args: SmallVec<[Argument<'s>; 8]>,
    /// The types of the parameters, named or not.
    pub inputs: SmallVec<[Type; 8]>,
    input_attrs: SmallVec<[AttrDict; 8]>,
    results: SmallVec<[Type; 4]>,
    result_attrs: SmallVec<[AttrDict; 4]>,
}

/// `func.func private @f(%a: i32) -> i32 attributes {…} {…}`
pub(super) fn parse_func(p: &mut OpParser<'_, '_>) -> Result<(), ParseFailed> {
    parse_visibility(p);
    let name = p.symbol_name()?;
    let ctx = p.ctx();
    p.set_property(attr_names::SYM_NAME, ctx.string_attr(ctx.str(name)));
    let signature = parse_signature(p)?;
    signature.set(p);
    let dict = p.place();
    p.attr_dict_with_keyword()?;
    for name in ["sym_name", "sym_visibility", "function_type"] {
        if p.has_attribute(name) {
            let message = format!(
                "'{name}' is an inferred attribute and should not be specified in the explicit \
                 attribute dictionary"
            );
            return Err(p.error_at(dict, message));
        }
    }
    let place = p.place();
    if p.optional_body(&signature.args)? && p.region_is_empty(0) {
        return Err(p.error_at(place, "expected non-empty function body"));
    }
    Ok(())
}

/// `public`, `private`, `nested` or nothing.
pub(crate) fn parse_visibility(p: &mut OpParser<'_, '_>) {
    for word in ["public", "private", "nested"] {
        if p.eat_keyword(word) {
            let value = p.ctx().string_attr(word);
            p.set_property(attr_names::SYM_VISIBILITY, value);
            return;
        }
    }
}

/// Parses a visibility spelled as a string literal.
pub(crate) fn parse_visibility_string(p: &mut OpParser<'_, '_>) -> Result<(), ParseFailed> {
    if p.at(Tok::String) {
        let value = p.string_attr()?;
        p.set_property(attr_names::SYM_VISIBILITY, value);
    }
    Ok(())
}

/// `(%a: type {attrs}, …) -> (type {attrs}, …)`, or types alone.
pub(crate) fn parse_signature<'s>(p: &mut OpParser<'_, 's>) -> Result<Signature<'s>, ParseFailed> {
    let mut signature = Signature {
        args: SmallVec::new(),
        inputs: SmallVec::new(),
        input_attrs: SmallVec::new(),
        results: SmallVec::new(),
        result_attrs: SmallVec::new(),
    };
    p.list(Delimiter::Paren, |p| {
        let named = !signature.args.is_empty();
        if p.at(Tok::Percent) {
            if !named && !signature.inputs.is_empty() {
                return Err(p.error("expected type instead of SSA identifier"));
            }
            let arg = p.argument()?;
            signature.inputs.push(arg.ty);
            signature.input_attrs.push(arg.attrs);
            signature.args.push(arg);
        } else if named {
            return Err(p.error("expected SSA identifier"));
        } else {
            signature.inputs.push(p.ty()?);
            signature.input_attrs.push(p.dict()?);
            p.optional_location()?;
        }
        Ok(())
    })?;
    if p.eat(Tok::Arrow) {
        if p.at(Tok::LParen) {
            p.list(Delimiter::Paren, |p| {
                signature.results.push(p.ty()?);
                signature.result_attrs.push(p.dict()?);
                Ok(())
            })?;
        } else {
            signature.results.push(p.ty()?);
        }
    }
    Ok(signature)
}

impl Signature<'_> {
    /// Sets `function_type`, and `arg_attrs` and `res_attrs` unless they are
    /// empty.
    pub(crate) fn set(&self, p: &mut OpParser<'_, '_>) {
        let ctx = p.ctx();
        let ty = ctx.function_type(&self.inputs, &self.results);
        p.set_property(attr_names::FUNCTION_TYPE, ctx.type_attr(ty));
        for (name, dicts) in [
            (attr_names::ARG_ATTRS, &self.input_attrs[..]),
            (attr_names::RES_ATTRS, &self.result_attrs[..]),
        ] {
            if dicts.iter().any(|dict| !dict.is_empty()) {
                let dicts = dicts.iter().map(|&d| ctx.intern_attr(AttrKind::Dict(d)));
                let dicts: Vec<Attr> = dicts.collect();
                p.set_property(name, ctx.array_attr(&dicts));
            }
        }
    }
}

pub(super) fn print_func(p: &mut OpPrinter<'_>, ctx: &Context, body: &Body, op: OpId) {
    p.text(" ");
    print_visibility(p, ctx, body, op);
    if let Some(name) = body[op].attr(ctx, attr_names::SYM_NAME) {
        p.symbol_attr(name);
    }
    print_signature(p, ctx, body, op);
    let mut spelled = SPELLED.to_vec();
    spelled.push(attr_names::SYM_VISIBILITY);
    p.attr_dict_of(body, op, &spelled, " attributes");
    let declared = body[op].isolated().and_then(Body::entry).is_none();
    if !declared {
        p.text(" ");
        p.region(body, op, 0, false, true);
    }
}

/// The attributes that the custom form of every function spells. Most forms leave
/// the visibility in the attribute dictionary.
pub(crate) const SPELLED: [Ident; 4] = [
    attr_names::SYM_NAME,
    attr_names::FUNCTION_TYPE,
    attr_names::ARG_ATTRS,
    attr_names::RES_ATTRS,
];

/// Prints `private ` and the like.
pub(crate) fn print_visibility(p: &mut OpPrinter<'_>, ctx: &Context, body: &Body, op: OpId) {
    let visibility = body[op].attr(ctx, attr_names::SYM_VISIBILITY);
    if let Some(word) = visibility.and_then(|v| v.as_str(ctx)) {
        p.text(word);
        p.text(" ");
    }
}

/// Prints `"private" ` and the like.
pub(crate) fn print_visibility_string(p: &mut OpPrinter<'_>, ctx: &Context, body: &Body, op: OpId) {
    if let Some(visibility) = body[op].attr(ctx, attr_names::SYM_VISIBILITY) {
        p.attr(visibility);
        p.text(" ");
    }
}

/// `(%a: type {attrs}) -> type`
pub(crate) fn print_signature(p: &mut OpPrinter<'_>, ctx: &Context, body: &Body, op: OpId) {
    let data = &body[op];
    let ty = data
        .attr(ctx, attr_names::FUNCTION_TYPE)
        .and_then(|a| a.as_type(ctx));
    let Some((inputs, results)) = ty.and_then(|ty| ty.function(ctx)) else {
        return;
    };
    let input_attrs = dicts(ctx, data.attr(ctx, attr_names::ARG_ATTRS));
    let own = data.isolated().and_then(|own| Some((own, own.entry()?)));
    p.text("(");
    match own {
        Some((own, entry)) => p.with_names_of(own, |p| {
            for (index, &arg) in own[entry].args.iter().take(inputs.len()).enumerate() {
                separate(p, index);
                let attrs = input_attrs.get(index).copied();
                p.argument(own, arg, attrs.unwrap_or(AttrDict::EMPTY));
            }
        }),
        None => print_types(p, inputs, &input_attrs),
    }
    p.text(")");
    let result_attrs = dicts(ctx, data.attr(ctx, attr_names::RES_ATTRS));
    if results.is_empty() {
        return;
    }
    p.text(" -> ");
    let bare = matches!(results, [ty] if ty.function(ctx).is_none());
    if bare && result_attrs.iter().all(|dict| dict.is_empty()) {
        p.types(results);
    } else {
        p.text("(");
        print_types(p, results, &result_attrs);
        p.text(")");
    }
}

fn separate(p: &mut OpPrinter<'_>, index: usize) {
    if index > 0 {
        p.text(", ");
    }
}

fn print_types(p: &mut OpPrinter<'_>, types: &[Type], attrs: &[AttrDict]) {
    for (index, &ty) in types.iter().enumerate() {
        separate(p, index);
        p.ty(ty);
        if let Some(&dict) = attrs.get(index)
            && !dict.is_empty()
        {
            p.text(" ");
            p.dictionary(dict);
        }
    }
}

fn dicts(ctx: &Context, attr: Option<Attr>) -> Vec<AttrDict> {
    let items = attr.and_then(|a| a.as_array(ctx)).unwrap_or(&[]);
    let dict = |a: &Attr| match a.kind(ctx) {
        AttrKind::Dict(dict) => *dict,
        _ => AttrDict::EMPTY,
    };
    items.iter().map(dict).collect()
}
