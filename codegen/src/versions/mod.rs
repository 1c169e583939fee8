//! Versions of a function for arguments that are disjoint and that overlap.
//!
//! ```text
//! func.func @f(%a, %b) {            func.func @f(%a, %b) {
//!   BODY                              %ok = …                 // footprints are disjoint
//! }                                   scf.if %ok {
//!                                       func.call @f__distinct(%a, %b)
//!                                     } else {
//!                              ⇒        func.call @f__serial(%a, %b) {gridloom.overlapping}
//!                                     }
//!                                   }
//!                                   func.func private @f__distinct(%a, %b) {
//!                                     %x, %y = memref.distinct_objects %a, %b
//!                                     BODY, changed, of %x and %y
//!                                   }
//!                                   func.func private @f__serial(%a, %b) { BODY }
//! ```
//!
//! Arguments may be the same memory. A pass that goes through [`change_functions`] sees each
//! function with its arguments separated by `memref.distinct_objects`; if the pass's changes rely
//! on it, the function becomes the three above, otherwise the separation is removed again. So the
//! separation holds wherever the operation runs: cloning or inlining `@f__distinct` moves the
//! separation together with the code that relies on it, and the check stays in front.
//!
//! Only arguments of which one is written need to be apart. With the written
//! ones `%w` and the read ones `%r0`, `%r1`, there is one separation for each
//! read one, so that the read ones may be the same:
//!
//! ```text
//! %w0, %x0 = memref.distinct_objects %w, %r0
//! %w1, %x1 = memref.distinct_objects %w0, %r1
//! ```

pub(crate) mod footprint;
pub(crate) mod install;

use std::ops::Deref;

use gridloom_dialects::func::{self, CallOp};
use gridloom_dialects::{affine, gridloom, memref};
use gridloom_ir::body::{OpData, ValueDef};
use gridloom_ir::hash::FxHashSet;
use gridloom_ir::{Body, Builder, Context, Ident, InsertPoint, Module, OpId, Type, Value, threads};

use self::footprint::has_footprint;
use self::install::Versions;
use crate::analysis::access::{Place, accesses_of, is_memref};
use crate::analysis::alias::{Aliases, Base, Globals, Root, root_of};
use crate::analysis::values::AffineValues;
use crate::functions::threads_for;

/// Suffix of the names of functions whose arguments are disjoint.
pub const DISTINCT_SUFFIX: &str = "__distinct";

/// Limit of the pairs of arguments that a call checks; a function with more separates all of them
/// from each other.
const MAX_PAIRS: usize = 2048;

/// The versions of a function that are kept, where a change relies on disjoint arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kept {
    /// Both, behind a check of the arguments.
    Both,
    /// The one for disjoint arguments, in place of the function, for whoever wants its kernels alone.
    Distinct,
}

/// A function's body, its arguments separated, under a pass that may change it. The body is copied
/// before the first change: the copy becomes the version for arguments that overlap.
pub struct Draft<'b> {
    body: &'b mut Body,
    /// Whether the body of before the change may be needed.
    may_restore: bool,
    original: Option<Body>,
}

impl Draft<'_> {
    /// Gives the body for changes.
    pub fn edit(&mut self) -> &mut Body {
        if self.may_restore && self.original.is_none() {
            self.original = Some(self.body.clone());
        }
        self.body
    }
}

impl Deref for Draft<'_> {
    type Target = Body;

    fn deref(&self) -> &Body {
        self.body
    }
}

/// Runs `change` on the body of every host function, on the threads of the context, with arguments
/// separated. Where `change` returns true, it relied on disjoint arguments, and the function gets
/// versions. Functions that run where arguments overlap are skipped. Returns the further results of
/// `change`, in the order of the functions.
pub fn change_functions<R: Send>(
    ctx: &Context,
    module: &mut Module,
    globals: &Globals,
    change: impl Fn(&mut Draft) -> (bool, R) + Sync,
) -> Vec<R> {
    change_named_functions(ctx, module, globals, |_, body| change(body))
}

/// [`change_functions`], which keeps these versions.
pub fn change_functions_for<R: Send>(
    ctx: &Context,
    module: &mut Module,
    globals: &Globals,
    kept: Kept,
    change: impl Fn(&mut Draft) -> (bool, R) + Sync,
) -> Vec<R> {
    change_all(ctx, module, globals, kept, |_, body| change(body))
}

/// [`change_functions`], with the name of each function, which is [`None`] only where the module does
/// not verify.
pub fn change_named_functions<R: Send>(
    ctx: &Context,
    module: &mut Module,
    globals: &Globals,
    change: impl Fn(Option<Ident>, &mut Draft) -> (bool, R) + Sync,
) -> Vec<R> {
    change_all(ctx, module, globals, Kept::Both, change)
}

fn change_all<R: Send>(
    ctx: &Context,
    module: &mut Module,
    globals: &Globals,
    kept: Kept,
    change: impl Fn(Option<Ident>, &mut Draft) -> (bool, R) + Sync,
) -> Vec<R> {
    let serial = serial_versions(ctx, module);
    let is_serial = |op: &OpData| {
        op.symbol_name(ctx)
            .is_some_and(|name| serial.contains(&name))
    };
    let block = module.block();
    let mut functions = module.body_mut().owners_mut();
    functions.retain(|(_, op)| {
        op.name == func::FUNC
            && op.parent() == Some(block)
            && op.isolated().is_some_and(|body| body.entry().is_some())
            && !is_serial(op)
    });
    let threads = threads_for(ctx, functions.iter().filter_map(|(_, op)| op.isolated()));
    let changed = threads::map_mut(threads, &mut functions, |(function, op)| {
        let name = op.symbol_name(ctx);
        let body = op.isolated_mut()?;
        let change = |body: &mut Draft| change(name, body);
        let (versions, result) = change_body(ctx, body, globals, kept, &change);
        Some((*function, versions, result))
    });
    let mut results = Vec::with_capacity(changed.len());
    let mut names = None;
    for (function, versions, result) in changed.into_iter().flatten() {
        results.push(result);
        if let Some(versions) = versions {
            let names = names.get_or_insert_with(|| module.symbols(ctx).names().collect());
            versions.install(ctx, module, names, function);
        }
    }
    results
}

/// Serial versions: the functions that dispatchers call where arguments overlap. Missing one only
/// costs time: it gets versions of its own.
pub(crate) fn serial_versions(ctx: &Context, module: &Module) -> FxHashSet<Ident> {
    let mut names = FxHashSet::default();
    for (_, op) in module.ops().filter(|(_, op)| op.name == func::FUNC) {
        let Some(body) = op.isolated() else { continue };
        if !body.may_hold(func::CALL) {
            continue;
        }
        for op in body.walk() {
            if gridloom::is_overlapping_call(ctx, &body[op]) {
                names.insert(CallOp(op).callee_name(ctx, body));
            }
        }
    }
    names
}

/// Applies `change` to a body. Returns the versions that replace the function, if any are needed,
/// and the further result of `change`.
fn change_body<R>(
    ctx: &Context,
    body: &mut Body,
    globals: &Globals,
    kept: Kept,
    change: &impl Fn(&mut Draft) -> (bool, R),
) -> (Option<Versions>, R) {
    let separation = Separation::of(ctx, body, globals);
    let inserted = separation.as_ref().map(|it| it.insert(ctx, body));
    let mut draft = Draft {
        body,
        may_restore: separation.is_some() && kept == Kept::Both,
        original: None,
    };
    let (relied, result) = change(&mut draft);
    let original = draft.original;
    let Some((separation, inserted)) = separation.zip(inserted) else {
        return (None, result);
    };
    if !relied {
        remove(body, &inserted);
        return (None, result);
    }
    if kept == Kept::Distinct {
        return (None, result);
    }
    let mut serial = original.unwrap_or_else(|| body.clone());
    remove(&mut serial, &inserted);
    let versions = Versions {
        separation,
        distinct: std::mem::take(body),
        serial,
    };
    (Some(versions), result)
}

/// Separation: the positions of the arguments to be told apart.
struct Separation {
    written: Vec<usize>,
    read: Vec<usize>,
}

impl Separation {
    /// The separation that a body's arguments need; `None` if they need none, for instance since
    /// they are separated already.
    fn of(ctx: &Context, body: &Body, globals: &Globals) -> Option<Separation> {
        let args = &body[body.entry()?].args;
        let is_open = open_arguments(ctx, body);
        if is_open.iter().filter(|&&open| open).count() < 2 {
            return None;
        }
        let is_written = written_arguments(ctx, body, globals);
        let open = (0..args.len()).filter(|&k| is_open[k]);
        let (written, read): (Vec<usize>, Vec<usize>) = open.partition(|&k| is_written[k]);
        let separation = Separation { written, read };
        let pairs = separation.pairs().len();
        (1..=MAX_PAIRS).contains(&pairs).then_some(separation)
    }

    /// The argument lists of the `memref.distinct_objects` operations.
    fn cliques(&self) -> Vec<Vec<usize>> {
        match &self.read[..] {
            [] => vec![self.written.clone()],
            read => (read.iter())
                .map(|&read| [&self.written[..], &[read]].concat())
                .collect(),
        }
    }

    /// The pairs of arguments that the cliques separate.
    fn pairs(&self) -> Vec<(usize, usize)> {
        let written = self.written.iter().enumerate();
        let with_written =
            written.flat_map(|(n, &a)| self.written[..n].iter().map(move |&b| (b, a)));
        let with_read = (self.read.iter()).flat_map(|&r| self.written.iter().map(move |&w| (w, r)));
        with_written.chain(with_read).collect()
    }

    /// Inserts the separation at the start of a body. Returns its operations.
    fn insert(&self, ctx: &Context, body: &mut Body) -> Vec<OpId> {
        let Some(entry) = body.entry() else {
            return Vec::new();
        };
        let args = body[entry].args.to_vec();
        let loc = match body[entry].first() {
            Some(first) => body[first].loc,
            None => return Vec::new(),
        };
        let mut current = args.clone();
        let mut inserted = Vec::new();
        let mut b = Builder::new(ctx, body, InsertPoint::Start(entry), loc);
        for clique in self.cliques() {
            let operands: Vec<Value> = clique.iter().map(|&k| current[k]).collect();
            let types: Vec<Type> = operands.iter().map(|&value| b.body.ty(value)).collect();
            let state = b.state(memref::DISTINCT_OBJECTS);
            let op = b.create(state.operands(&operands).results(&types));
            for (&k, result) in clique.iter().zip(b.body[op].results()) {
                current[k] = result;
            }
            inserted.push(op);
        }
        let operands: Vec<_> = (inserted.iter())
            .map(|&op| body[op].operands.clone())
            .collect();
        body.replace_values(|value| {
            let position = args.iter().position(|&arg| arg == value);
            position.map_or(value, |k| current[k])
        });
        for (&op, operands) in inserted.iter().zip(operands) {
            body[op].operands = operands;
        }
        inserted
    }
}

/// Removes a separation from a body.
fn remove(body: &mut Body, inserted: &[OpId]) {
    let separated = inserted.iter().flat_map(|&op| {
        let operands = body[op].operands.iter().copied();
        body[op].results().zip(operands)
    });
    let separated: Vec<(Value, Value)> = separated.collect();
    body.replace_values(|mut value| {
        // An operand may be a result of the previous separation.
        while let Some(&(_, source)) = separated.iter().find(|(result, _)| *result == value) {
            value = source;
        }
        value
    });
    inserted.iter().rev().for_each(|&op| body.erase(op));
}

/// Flags the arguments that have a footprint and elements, and are used otherwise than by a
/// separation at the start of the function, or to ask for a size or an address. A call alone does
/// not count: no other operation is there to rely on disjointness.
fn open_arguments(ctx: &Context, body: &Body) -> Vec<bool> {
    let Some(entry) = body.entry() else {
        return Vec::new();
    };
    let args = &body[entry].args;
    let has_elements = |&arg: &Value| {
        let ty = body.ty(arg).memref(ctx);
        ty.is_some_and(|ty| !ty.shape.contains(&0) && has_footprint(ctx, ty))
    };
    let may_be_open: Vec<bool> = args.iter().map(has_elements).collect();
    let mut is_open = vec![false; args.len()];
    let mut left = may_be_open.iter().filter(|&&may| may).count();
    if left < 2 {
        return may_be_open;
    }
    let opened = |op: &OpData, operand: Value| match body[operand].def() {
        ValueDef::Argument(block, k) if block == entry => {
            let is_separation = op.name == memref::DISTINCT_OBJECTS && op.parent() == Some(entry);
            let is_question = matches!(
                op.name,
                memref::DIM | memref::RANK | memref::EXTRACT_ALIGNED_POINTER_AS_INDEX
            );
            let k = k as usize;
            (may_be_open[k] && !is_separation && !is_question).then_some(k)
        }
        _ => None,
    };
    // Fast path over the arena, detached operations included: most functions are separated already,
    // and dispatchers only pass their arguments on.
    let may_open = |op: &OpData| {
        op.name != func::CALL && op.operands.iter().any(|&value| opened(op, value).is_some())
    };
    if !body.arena().any(may_open) {
        return is_open;
    }
    for op in body.walk() {
        if left == 0 {
            break;
        }
        for &operand in &body[op].operands {
            if let Some(k) = opened(&body[op], operand)
                && !std::mem::replace(&mut is_open[k], true)
            {
                left -= 1;
            }
        }
    }
    is_open
}

/// Flags the arguments that a body may write to, directly or through calls.
fn written_arguments(ctx: &Context, body: &Body, globals: &Globals) -> Vec<bool> {
    let args = body.entry().map_or(&[][..], |entry| &body[entry].args);
    let mut values = AffineValues::new(ctx, body);
    values.callees = Some(globals.callees());
    let aliases = Aliases::new(ctx, body, globals);
    let mut roots: FxHashSet<Root> = FxHashSet::default();
    let mut accesses = Vec::new();
    for op in body.walk() {
        // The subscripts do not matter here.
        let plain = affine::Access::cast(body, op)
            .map(|access| (access.is_store, access.memref(body)))
            .or_else(|| {
                memref::Access::cast(body, op).map(|access| (access.is_store, access.memref(body)))
            });
        if let Some((is_store, memref)) = plain {
            if is_store {
                roots.insert(root_of(ctx, body, memref));
            }
            continue;
        }
        accesses_of(&mut values, op, &mut accesses);
        for access in accesses.drain(..).filter(|access| access.is_write) {
            match access.place {
                Place::Element { root, .. } | Place::Somewhere(root) => roots.insert(root),
                // An unknown operation may write to all its operands.
                Place::Anything => {
                    let operands = body[op].operands.iter();
                    let memrefs = operands.filter(|&&value| is_memref(ctx, body, value));
                    roots.extend(memrefs.map(|&value| root_of(ctx, body, value)));
                    continue;
                }
            };
        }
    }
    let bases: FxHashSet<Base> = (roots.into_iter())
        .flat_map(|root| aliases.bases(root))
        .collect();
    let is_unknown = bases.contains(&Base::Unknown);
    let is_written = |&arg: &Value| is_unknown || bases.contains(&Base::Argument(arg));
    args.iter().map(is_written).collect()
}
