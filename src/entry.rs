//! Entry function: its selection and its signature.

use gridloom_codegen::transform::lower_aggregates::is_aggregate;
use gridloom_codegen::transform::lower_vector_elements::type_of_scalars;
use gridloom_dialects::func;
use gridloom_ir::text::{nearest, type_string};
use gridloom_ir::{Context, Diagnostic, Diagnostics, Loc, Module, Type};

use crate::host_value::element_class;

/// Signature: types of parameters and results.
pub type Signature = (Vec<Type>, Vec<Type>);

/// The error for an entry function that takes or gives a struct of LLVM or a storage specifier: no argument
/// on the command line is one.
fn aggregate(
    ctx: &Context,
    name: &str,
    (parameters, results): &Signature,
    loc: Loc,
) -> Option<Diagnostic> {
    let ty = (parameters.iter().chain(results)).find(|&&ty| is_aggregate(ctx, ty))?;
    let ty = type_string(ctx, *ty);
    let message = format!("'@{name}' takes or gives '{ty}', which no argument or result can be");
    Some(Diagnostic::error(loc, message).with_help(
        "call it from a function that makes the value of scalars; mlir-opt's \
         --sparse-assembler=direct-out writes such a function for sparse tensors",
    ))
}

/// The entry function: its name, its signature, and the locations of its parameters.
pub type Entry = (String, Signature, Vec<Loc>);

/// Checks that there are arguments of all types of parameters.
///
/// # Errors
/// A parameter of another type, at its place.
pub fn check_parameters(ctx: &Context, (_, signature, locs): &Entry) -> Result<(), Diagnostics> {
    let mut errors = Diagnostics::new();
    let types = of_scalars(ctx, &signature.0);
    for (number, (&ty, &loc)) in types.iter().zip(locs).enumerate() {
        if let Err(why) = element_class(ctx, ty) {
            let ty = type_string(ctx, ty);
            errors.error(loc, format!("argument {number} ({ty}): {why}"));
        }
    }
    match errors.has_errors() {
        true => Err(errors),
        false => Ok(()),
    }
}

/// Limit of the functions that an error lists.
const MAX_LISTED: usize = 8;

/// The end of the error for an entry that is not there: the function of the most similar name, or those that there are.
fn functions_instead(ctx: &Context, module: &Module, entry: &str) -> String {
    let body = module.body();
    let functions = module
        .ops()
        .filter_map(|(op, _)| func::FuncOp::cast(body, op));
    let defined = functions.filter(|function| !function.is_declaration(body));
    let names: Vec<&str> = defined
        .map(|function| ctx.str(function.name(ctx, body)))
        .collect();
    if let Some(near) = nearest(entry, names.iter().copied()) {
        return format!("; did you mean '@{near}'?");
    }
    let listed: Vec<String> = names
        .iter()
        .take(MAX_LISTED)
        .map(|name| format!("@{name}"))
        .collect();
    match (listed.is_empty(), names.len() > MAX_LISTED) {
        (true, _) => String::new(),
        (false, false) => format!("; there are {}", listed.join(", ")),
        (false, true) => format!("; there are {} and others", listed.join(", ")),
    }
}

/// Selects the function to run: the one with a given name, or the only public one. Errors go to
/// `errors`.
pub fn choose_entry(
    ctx: &Context,
    module: &Module,
    entry: Option<&str>,
    errors: &mut Diagnostics,
) -> Option<Entry> {
    let body = module.body();
    let mut functions = Vec::new();
    for (op, _) in module.ops() {
        let Some(function) = func::FuncOp::cast(body, op) else {
            continue;
        };
        let name = ctx.str(function.name(ctx, body)).to_owned();
        let chosen = match entry {
            Some(entry) => entry == name,
            None => function.is_public(ctx, body) && !function.is_declaration(body),
        };
        if chosen {
            let (inputs, results) = function.signature(ctx, body);
            functions.push((name, (inputs.to_vec(), results.to_vec()), op));
        }
    }
    // The implicit module around a file has no location in it.
    let first = module.ops().next().map(|(op, _)| body[op].loc);
    let loc = first.unwrap_or(module.op().loc);
    match (&functions[..], entry) {
        ([_], _) => {}
        ([], Some(entry)) => {
            let what = format!("there is no function '@{entry}' to run");
            errors.error(loc, what + &functions_instead(ctx, module, entry));
        }
        ([], None) => errors.error(loc, "there is no public function with a body to run"),
        (all, _) => {
            let names: Vec<String> = all.iter().map(|f| format!("@{}", f.0)).collect();
            let start = Diagnostic::error(
                loc,
                format!(
                    "several functions could be run ({}); choose one with --entry",
                    names.join(", ")
                ),
            );
            errors.push(
                all.iter()
                    .fold(start, |d, f| d.with_note(body[f.2].loc, "this one")),
            );
        }
    }
    if let [(name, signature, op)] = &functions[..]
        && let Some(error) = aggregate(ctx, name, signature, body[*op].loc)
    {
        errors.push(error);
    }
    if errors.has_errors() {
        return None;
    }
    let (name, signature, op) = functions.pop()?;
    let function = func::FuncOp(op).body(body);
    let args = function
        .entry()
        .map_or(&[][..], |entry| &function[entry].args);
    let locs = args.iter().map(|&arg| function[arg].loc).collect();
    Some((name, signature, locs))
}

/// The types of a signature as the user sees them: memrefs of vectors become memrefs of scalars.
pub fn of_scalars(ctx: &Context, types: &[Type]) -> Vec<Type> {
    // A type without a counterpart was refused before.
    let of_scalars = |&ty: &Type| type_of_scalars(ctx, ty).unwrap_or(ty);
    types.iter().map(of_scalars).collect()
}

/// Makes the entry function public, since the caller is outside of the module, so that inlining
/// must not erase it.
pub fn make_public(ctx: &Context, module: &mut Module, entry: &str) {
    let op = module.symbols(ctx).get(ctx.ident(entry));
    if let Some(op) = op {
        let data = &mut module.body_mut()[op];
        data.properties = data.properties.without(ctx, ctx.ident("sym_visibility"));
    }
}
