//! Declared effects of functions without a body.
//!
//! The attribute `gridloom.effects` of a declaration lists what a call reads
//! and writes, and what it may read and write:
//!
//! ```mlir
//! func.func private @smooth(memref<?xf32>, memref<?xf32>, index) attributes {gridloom.effects = {
//!   reads = [{arg = 0, inputs = array<i64: 2>, symbols = array<i64>,
//!             relation = affine_set<(d0, d1) : (d1 - d0 + 1 >= 0, d0 + 1 - d1 >= 0)>}],
//!   writes = [{arg = 1, inputs = array<i64: 2>, symbols = array<i64>,
//!              relation = affine_set<(d0, d1) : (d1 - d0 == 0)>}],
//!   may_reads = [], may_writes = []}}
//! ```
//!
//! A call `@smooth(%a, %b, %i)` reads the elements `i - 1` to `i + 1` of `%a`
//! and writes element `i` of `%b`. All four lists must be there: without one,
//! what the function does is not known.

use gridloom_dialects::{func, gridloom, inherent};
use gridloom_ir::affine::IntegerSet;
use gridloom_ir::attr::AttrKind;
use gridloom_ir::hash::FxHashMap;
use gridloom_ir::{Attr, Context, Module, OpId};

use super::access::{Access, element_access};
use super::domain::Constraint;
use super::values::{AffineValues, Atom};

/// Effect declarations of a module's functions without a body, by symbol.
#[derive(Clone, Default, Debug)]
pub struct Callees {
    by_symbol: FxHashMap<Attr, Vec<Touch>>,
}

/// Entry of an effect list: one parameter with the relation of its accessed elements.
#[derive(Clone, Debug)]
struct Touch {
    /// The parameter touched.
    arg: usize,
    is_write: bool,
    /// Whether the call may also leave the access out.
    may: bool,
    /// Access relation: dimensions are the inputs, then the indices of the accessed elements.
    relation: IntegerSet,
    /// Parameters that the leading dimensions of the relation stand for.
    inputs: Vec<usize>,
    /// Parameters that the symbols of the relation stand for; `None` for any number.
    symbols: Vec<Option<usize>>,
}

impl Callees {
    /// Collects the effect declarations of a module.
    pub fn of(ctx: &Context, module: &Module) -> Self {
        let mut by_symbol = FxHashMap::default();
        for (_, op) in module.ops() {
            let external = op.isolated().is_some_and(|body| body.entry().is_none());
            if op.name != func::FUNC || !external {
                continue;
            }
            let touches = gridloom::effects(ctx, op).and_then(|a| touches(ctx, a));
            if let (Some(name), Some(touches)) = (op.symbol_name(ctx), touches) {
                by_symbol.insert(ctx.symbol_attr(name), touches);
            }
        }
        Callees { by_symbol }
    }
}

/// The entries of all four effect lists; `None` if a list is missing or malformed.
fn touches(ctx: &Context, effects: Attr) -> Option<Vec<Touch>> {
    let mut all = Vec::new();
    for (list, is_write, may) in [
        ("reads", false, false),
        ("writes", true, false),
        ("may_reads", false, true),
        ("may_writes", true, true),
    ] {
        for &entry in entry(ctx, effects, list)?.as_array(ctx)? {
            let field = |name| self::entry(ctx, entry, name);
            let parameter = |&number: &i64| usize::try_from(number).ok();
            let inputs = field("inputs")?.as_i64_array(ctx)?;
            let symbols = field("symbols")?.as_i64_array(ctx)?;
            let touch = Touch {
                arg: parameter(&field("arg")?.as_i64(ctx)?)?,
                is_write,
                may,
                relation: field("relation")?.as_set(ctx)?,
                inputs: inputs.iter().map(parameter).collect::<Option<_>>()?,
                symbols: symbols.iter().map(parameter).collect(),
            };
            let data = touch.relation.data(ctx);
            let fits = data.dims as usize >= touch.inputs.len()
                && data.symbols as usize == touch.symbols.len();
            all.push(fits.then_some(touch)?);
        }
    }
    Some(all)
}

fn entry(ctx: &Context, dict: Attr, name: &str) -> Option<Attr> {
    match dict.kind(ctx) {
        AttrKind::Dict(dict) => dict.get(ctx, ctx.ident(name)),
        _ => None,
    }
}

/// The accesses that a `func.call` to a function with declared effects makes.
pub(super) fn call_accesses(values: &mut AffineValues, op: OpId) -> Option<Vec<Access>> {
    let (ctx, body) = (values.ctx, values.body);
    let callee = body[op].attr(ctx, inherent::CALLEE)?;
    let touches = values.callees?.by_symbol.get(&callee)?;
    let mut fresh = 0;
    let accesses = touches
        .iter()
        .map(|touch| access(values, op, touch, &mut fresh));
    accesses.collect()
}

/// The access of one effect entry: a single element whose indices are fresh atoms that the relation
/// constrains. `None` if the call does not fit the declaration.
fn access(values: &mut AffineValues, op: OpId, touch: &Touch, fresh: &mut u32) -> Option<Access> {
    let (ctx, body) = (values.ctx, values.body);
    let operands = &body[op].operands;
    let memref = *operands.get(touch.arg)?;
    let rank = body.ty(memref).memref(ctx)?.rank();
    let mut any = |values: &mut AffineValues| {
        *fresh += 1;
        values.atom_expr(Atom::Touched(op, *fresh))
    };
    // The relation holds for the integers passed, not for ones congruent to them modulo 2^64.
    let env = values.environment_at(op);
    let mut dims = Vec::new();
    for &input in &touch.inputs {
        dims.push(values.exact_expr(*operands.get(input)?, env));
    }
    let outputs = touch.relation.data(ctx).dims as usize - touch.inputs.len();
    let indices: Vec<_> = (0..outputs).map(|_| any(values)).collect();
    dims.extend(&indices);
    let mut symbols = Vec::new();
    for symbol in &touch.symbols {
        symbols.push(match symbol {
            Some(symbol) => values.exact_expr(*operands.get(*symbol)?, env),
            None => any(values),
        });
    }
    let constraints = touch.relation.data(ctx).constraints.iter();
    let constraints = constraints.map(|c| Constraint {
        expr: c.expr.replace(ctx, &dims, &symbols),
        is_eq: c.is_eq,
    });
    // A relation with another rank than the memref says nothing about the elements.
    let indices = (outputs == rank).then_some(indices);
    let constraints = match indices {
        Some(_) => constraints.collect(),
        None => Vec::new(),
    };
    let mut access = element_access(values, op, touch.is_write, memref, indices);
    access.constraints = constraints;
    access.may = touch.may;
    Some(access)
}
