//! Affine operands: turns an expression over atoms into a map over values that may be its
//! dimensions and symbols.

use std::collections::HashSet;

use gridloom_dialects::affine::{self, Bound};
use gridloom_dialects::{memref, scf};
use gridloom_ir::hash::FxHashMap;
use gridloom_ir::{AffineExpr, AffineMap, Body, Builder, Context, InsertPoint, OpId, Value};

use crate::analysis::values::{AffineValues, Atom};
use crate::transform::affine_scope::{is_affine, is_top_level};
use crate::transform::index_values::op_behind;

/// Set of loops that are affine or about to be raised.
pub(in crate::transform) type Raised = HashSet<OpId>;

/// Affine map with operands: `d0`, `d1` … are the dimensions, `s0`, `s1` … the symbols.
#[derive(Clone, Debug)]
pub(in crate::transform) struct Mapped {
    exprs: Vec<AffineExpr>,
    dims: Vec<Atom>,
    symbols: Vec<Atom>,
}

/// Non-affine value: it can be neither dimension nor symbol; `None` for a product of dimensions.
pub(in crate::transform) type NonAffineValue = Option<Value>;

/// Maps expressions over atoms to expressions over operands of the operation `at`.
pub(in crate::transform) fn mapped(
    values: &AffineValues,
    raised: &Raised,
    at: OpId,
    exprs: &[AffineExpr],
) -> Result<Mapped, NonAffineValue> {
    let (ctx, body) = (values.ctx, values.body);
    let mut used = Vec::new();
    for &expr in exprs {
        values.atoms_in(expr, &mut used);
    }
    let (mut dims, mut symbols) = (Vec::new(), Vec::new());
    let mut names: FxHashMap<u32, AffineExpr> = FxHashMap::default();
    for &number in &used {
        let atom = values.atom(number);
        let name = match role(ctx, body, raised, at, atom) {
            Some(Role::Symbol) => {
                symbols.push(atom);
                ctx.affine_symbol(symbols.len() as u32 - 1)
            }
            Some(Role::Dim) => {
                dims.push(atom);
                ctx.affine_dim(dims.len() as u32 - 1)
            }
            None => return Err(atom.anchor()),
        };
        names.insert(number, name);
    }
    let exprs: Vec<AffineExpr> = exprs
        .iter()
        .map(|e| e.replace_dims(ctx, |number| names.get(&number).copied()))
        .collect();
    if !exprs.iter().all(|&expr| is_affine(ctx, expr)) {
        return Err(None);
    }
    Ok(Mapped {
        exprs,
        dims,
        symbols,
    })
}

enum Role {
    Dim,
    Symbol,
}

fn role(ctx: &Context, body: &Body, raised: &Raised, at: OpId, atom: Atom) -> Option<Role> {
    match atom {
        Atom::Value(value) => {
            let scope = affine::scope_of(body, at)?;
            if affine::is_valid_symbol(ctx, body, value, scope) {
                return Some(Role::Symbol);
            }
            let is_dim = is_raised_counter(body, raised, value)
                || affine::is_valid_dim(ctx, body, value, scope);
            // Iteration arguments of `affine.for` are no dimensions, although MLIR's check accepts
            // any argument of its block.
            (is_dim && !is_carried(body, value)).then_some(Role::Dim)
        }
        // `memref.dim` is placed at the memref's definition.
        Atom::Extent(memref, _) => is_top_level(body, memref).then_some(Role::Symbol),
        Atom::Fresh(_) | Atom::Touched(..) | Atom::Lane(..) => None,
    }
}

fn is_raised_counter(body: &Body, raised: &Raised, value: Value) -> bool {
    let owner = owner(body, value);
    owner.is_some_and(|op| raised.contains(&op)) && !is_carried(body, value)
}

/// The operation that owns the block of an argument.
fn owner(body: &Body, value: Value) -> Option<OpId> {
    let block = body.value_block(value)?;
    let is_argument = body.defining_op(value).is_none();
    is_argument.then(|| body.block_parent_op(block)).flatten()
}

/// Whether a value is carried from one iteration of a loop to the next.
fn is_carried(body: &Body, value: Value) -> bool {
    owner(body, value).is_some_and(|op| match body[op].name {
        affine::FOR => affine::ForOp(op).induction_var(body) != value,
        scf::FOR => scf::ForOp(op).induction_var(body) != value,
        _ => false,
    })
}

impl Mapped {
    pub(in crate::transform) fn map(&self, ctx: &Context) -> AffineMap {
        ctx.affine_map(
            self.dims.len() as u32,
            self.symbols.len() as u32,
            &self.exprs,
        )
    }

    /// Emits the values of the operands. Sizes of memrefs are read at the memref's definition,
    /// where they may be symbols.
    pub(in crate::transform) fn operands(&self, b: &mut Builder) -> Vec<Value> {
        let atoms = self.dims.iter().chain(&self.symbols);
        atoms
            .filter_map(|&atom| match atom {
                Atom::Value(value) => Some(value),
                Atom::Extent(memref, dim) => Some(extent(b, memref, dim)),
                Atom::Fresh(_) | Atom::Touched(..) | Atom::Lane(..) => None,
            })
            .collect()
    }

    /// Calls `use_bound` with the bound of a loop.
    pub(in crate::transform) fn with_bound<T>(
        &self,
        b: &mut Builder,
        use_bound: impl FnOnce(&mut Builder, Bound) -> T,
    ) -> T {
        let operands = self.operands(b);
        let map = self.map(b.ctx);
        use_bound(
            b,
            Bound {
                map,
                operands: &operands,
            },
        )
    }
}

/// Emits a size of a memref, right after the memref's definition; where that is a loop that has been raised, and whose
/// result is yet to be replaced, at the builder's place.
fn extent(b: &mut Builder, memref: Value, dim: u32) -> Value {
    let place = b.point();
    if let Some(next) = op_behind(b.body, memref) {
        b.set(InsertPoint::Before(next));
    }
    let dim = b.index_constant(dim.into());
    let size = memref::DimOp::create(b, memref, dim);
    b.set(place);
    size
}
