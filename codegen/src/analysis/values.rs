//! Index values as affine expressions over atoms.
//!
//! An *atom* is an opaque number: an induction variable, a size of a memref, a loaded number.
//! Dimension `d<k>` of every expression made here is atom number `k` of the [`AffineValues`] that
//! made it, so that expressions of different operations can be compared and combined.
//!
//! The machine's 64 bits wrap around, expressions do not: an expression equals its value modulo
//! 2^64, and exactly where it [fits](AffineValues::fits).

use std::cell::OnceCell;
use std::rc::Rc;

use gridloom_dialects::{affine, arith, inherent, memref};
use gridloom_ir::affine::{AffineExprKind, AffineOp};
use gridloom_ir::body::Uses;
use gridloom_ir::hash::{FxHashMap, FxHashSet};
use gridloom_ir::{AffineExpr, AffineMap, BlockId, Body, Context, OpId, Value};
use smallvec::SmallVec;

use super::access::Access;
use super::callee::Callees;
use super::interval::{Environment, Intervals};

mod bits;
mod extents;
mod linear;
mod quotient;
mod wrapped;

pub(crate) use quotient::affine_quotient;

/// Atom: a number that affine expressions are built from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Atom {
    /// An index value.
    Value(Value),
    /// The extent of a memref along a dimension that its type leaves open.
    /// Never negative.
    Extent(Value, u32),
    /// A fresh unknown that an analysis introduces.
    Fresh(u32),
    /// Index of an element that a call touches: an unknown of its own in each instance of the call,
    /// which may have several values.
    Touched(OpId, u32),
    /// Lane number along a dimension of the vector that an operation accesses: from 0 to the number
    /// given here.
    Lane(OpId, u32, i64),
}

impl Atom {
    /// The value whose definition determines the atom, if it has one.
    pub fn anchor(self) -> Option<Value> {
        match self {
            Atom::Value(value) | Atom::Extent(value, _) => Some(value),
            Atom::Fresh(_) | Atom::Touched(..) | Atom::Lane(..) => None,
        }
    }
}

/// Cache of the affine expressions of one body's index values. The body must not change meanwhile.
pub struct AffineValues<'a> {
    /// The context of the body.
    pub ctx: &'a Context,
    /// The body.
    pub body: &'a Body,
    /// Declared effects of the module's functions, if known.
    pub callees: Option<&'a Callees>,
    /// Whether sums and products of floats may be regrouped.
    pub reassociate: bool,
    uses: OnceCell<Rc<Uses>>,
    /// The `scf.while` operations of each block.
    pub(super) whiles: OnceCell<FxHashMap<BlockId, Vec<OpId>>>,
    atoms: Vec<Atom>,
    numbers: FxHashMap<Atom, u32>,
    known: FxHashMap<Value, AffineExpr>,
    /// Open extents; `None` for one that is being read.
    extents: FxHashMap<(Value, usize), Option<AffineExpr>>,
    pub(super) intervals: Intervals,
    /// Accesses of operations with subscripts.
    pub(super) accesses: FxHashMap<OpId, Access>,
}

/// Length limit of a chain of index arithmetic; past it the value is an atom. Real programs stay
/// below it; it bounds recursion on adversarial input.
const MAX_CHAIN: usize = 100;

/// Size limit of an expression, in nodes counted as a tree; past it the value is an atom. A
/// chain of applications that use their operand twice doubles with every link.
const MAX_TREE: u32 = 4000;

/// Size limit of the trees that are walked without a set of visited nodes.
const MAX_WALK: u32 = 64;

impl<'a> AffineValues<'a> {
    /// An empty cache of expressions.
    pub fn new(ctx: &'a Context, body: &'a Body) -> Self {
        AffineValues {
            ctx,
            body,
            callees: None,
            reassociate: false,
            uses: OnceCell::new(),
            whiles: OnceCell::new(),
            atoms: Vec::new(),
            numbers: FxHashMap::default(),
            known: FxHashMap::default(),
            extents: FxHashMap::default(),
            intervals: Intervals::default(),
            accesses: FxHashMap::default(),
        }
    }

    /// The use lists of the body, made once.
    pub fn uses(&self) -> Rc<Uses> {
        let made = self.uses.get_or_init(|| Rc::new(self.body.uses()));
        Rc::clone(made)
    }

    /// The atom that is dimension `number` of expressions.
    pub fn atom(&self, number: u32) -> Atom {
        self.atoms[number as usize]
    }

    /// The number of an atom.
    pub fn atom_number(&mut self, atom: Atom) -> u32 {
        let next = self.atoms.len() as u32;
        let number = *self.numbers.entry(atom).or_insert(next);
        if number == next {
            self.atoms.push(atom);
        }
        number
    }

    /// The expression for an atom: its dimension.
    pub fn atom_expr(&mut self, atom: Atom) -> AffineExpr {
        let number = self.atom_number(atom);
        self.ctx.affine_dim(number)
    }

    /// An index value as an expression: congruent to the value modulo 2^64,
    /// and equal to it where it [fits](Self::fits).
    pub fn expr(&mut self, value: Value) -> AffineExpr {
        self.expr_at(value, 0)
    }

    /// An index value as an expression equal to it; the value's atom where wrapping cannot be
    /// excluded.
    pub fn exact_expr(&mut self, value: Value, env: Environment) -> AffineExpr {
        let expr = self.expr(value);
        match self.fits(expr, env) {
            true => expr,
            false => self.atom_expr(Atom::Value(value)),
        }
    }

    /// The results of a map that an operation applies to `operands`: dimensions, then symbols. Each
    /// is congruent to the computed value; `None` for one that divides a value that may wrap.
    pub fn map_exprs(
        &mut self,
        op: OpId,
        map: AffineMap,
        operands: &[Value],
    ) -> Vec<Option<AffineExpr>> {
        let env = self.environment_at(op);
        self.map_exprs_under(env, map, operands)
    }

    /// Like [`map_exprs`](Self::map_exprs), in a given interval environment.
    pub(super) fn map_exprs_under(
        &mut self,
        env: Environment,
        map: AffineMap,
        operands: &[Value],
    ) -> Vec<Option<AffineExpr>> {
        let args: SmallVec<[AffineExpr; 8]> = operands.iter().map(|&v| self.expr(v)).collect();
        let (dims, symbols) = args.split_at(map.num_dims(self.ctx).min(args.len()));
        let results = map.results(self.ctx).iter();
        results
            .map(|&result| match result.kind(self.ctx) {
                // Fast path: most subscripts are a single operand.
                AffineExprKind::Dim(i) => dims.get(i as usize).copied(),
                AffineExprKind::Symbol(i) => symbols.get(i as usize).copied(),
                AffineExprKind::Constant(_) => Some(result),
                AffineExprKind::Binary(..) => self.substitute(env, result, dims, symbols),
            })
            .collect()
    }

    /// One map result as an expression over atoms, with `operands` for its dimensions and symbols.
    pub fn over(
        &mut self,
        env: Environment,
        expr: AffineExpr,
        dims: usize,
        operands: &[Value],
    ) -> Option<AffineExpr> {
        let args: Vec<_> = operands.iter().map(|&v| self.expr(v)).collect();
        let (dims, symbols) = args.split_at(dims.min(args.len()));
        self.substitute(env, expr, dims, symbols)
    }

    /// The extent of a memref along a dimension.
    pub fn extent(&mut self, memref: Value, dim: usize) -> AffineExpr {
        self.extent_at(memref, dim, 0)
    }

    /// The block that an atom is defined in.
    pub fn atom_block(&self, atom: Atom) -> Option<BlockId> {
        match atom {
            Atom::Touched(op, _) | Atom::Lane(op, ..) => self.body[op].parent(),
            _ => self.body.value_block(atom.anchor()?),
        }
    }

    /// Whether a block lies in a region of `op`, however deep.
    pub fn block_is_inside(&self, block: Option<BlockId>, op: OpId) -> bool {
        let parent = block.and_then(|block| self.body.block_parent_op(block));
        parent.is_some_and(|parent| self.body.is_ancestor(op, parent))
    }

    /// Renumbers dimensions so that expressions mention only the atoms they use: dimension `k` of
    /// the results is entry `k` of the list.
    pub fn compact(&self, exprs: &[AffineExpr]) -> (Vec<AffineExpr>, Vec<Atom>) {
        let mut used = Vec::new();
        for &expr in exprs {
            self.atoms_in(expr, &mut used);
        }
        let renamed: FxHashMap<u32, AffineExpr> = (used.iter().copied())
            .zip((0..).map(|new| self.ctx.affine_dim(new)))
            .collect();
        let new_name = |old| renamed.get(&old).copied();
        let exprs = exprs.iter().map(|e| e.replace_dims(self.ctx, new_name));
        (
            exprs.collect(),
            used.iter().map(|&n| self.atom(n)).collect(),
        )
    }

    /// The factor of an atom in an expression that is linear in it.
    pub fn coefficient(&self, expr: AffineExpr, atom: u32) -> Option<i64> {
        let mut sum = 0i64;
        let mut stack = vec![(expr, 1i64)];
        while let Some((expr, factor)) = stack.pop() {
            match expr.kind(self.ctx) {
                AffineExprKind::Dim(number) if number == atom => sum = sum.checked_add(factor)?,
                AffineExprKind::Binary(AffineOp::Add, l, r) => {
                    stack.extend([(l, factor), (r, factor)])
                }
                AffineExprKind::Binary(AffineOp::Mul, l, r) => match r.as_constant(self.ctx) {
                    Some(by) => stack.push((l, factor.checked_mul(by)?)),
                    None if self.is_free_of(expr, atom) => {}
                    None => return None,
                },
                AffineExprKind::Binary(..) if !self.is_free_of(expr, atom) => return None,
                _ => {}
            }
        }
        Some(sum)
    }

    fn is_free_of(&self, expr: AffineExpr, atom: u32) -> bool {
        let mut atoms = Vec::new();
        self.atoms_in(expr, &mut atoms);
        !atoms.contains(&atom)
    }

    /// The numbers of the atoms in an expression.
    pub fn atoms_in(&self, expr: AffineExpr, found: &mut Vec<u32>) {
        let mut stack = vec![expr];
        let mut seen = FxHashSet::default();
        while let Some(expr) = stack.pop() {
            // Shared subexpressions are walked once.
            if expr.tree_size(self.ctx) > MAX_WALK && !seen.insert(expr) {
                continue;
            }
            match expr.kind(self.ctx) {
                AffineExprKind::Dim(number) if !found.contains(&number) => found.push(number),
                AffineExprKind::Binary(_, l, r) => stack.extend([l, r]),
                _ => {}
            }
        }
    }

    /// Whether every atom of an expression is defined outside `op`.
    pub fn is_invariant(&self, expr: AffineExpr, op: OpId) -> bool {
        let mut atoms = Vec::new();
        self.atoms_in(expr, &mut atoms);
        let blocks = atoms.iter().map(|&atom| self.atom_block(self.atom(atom)));
        blocks
            .into_iter()
            .all(|block| !self.block_is_inside(block, op))
    }

    /// Substitutes the dimensions and symbols of an expression. `None` if it divides a value that
    /// may wrap: the machine divides the wrapped value, and a quotient of congruent numbers is not
    /// congruent.
    fn substitute(
        &mut self,
        env: Environment,
        expr: AffineExpr,
        dims: &[AffineExpr],
        symbols: &[AffineExpr],
    ) -> Option<AffineExpr> {
        let ctx = self.ctx;
        let mut step = |part, operands: Option<(Option<AffineExpr>, Option<AffineExpr>)>| {
            Some(match (part, operands) {
                (AffineExprKind::Dim(i), _) => *dims.get(i as usize)?,
                (AffineExprKind::Symbol(i), _) => *symbols.get(i as usize)?,
                (AffineExprKind::Constant(value), _) => ctx.affine_const(value),
                (AffineExprKind::Binary(op, ..), operands) => {
                    let (l, r) = operands?;
                    let (l, r) = (l?, r?);
                    let divides = !matches!(op, AffineOp::Add | AffineOp::Mul);
                    if divides && !self.fits(l, env) {
                        return None;
                    }
                    ctx.affine_binary(op, l, r)
                }
            })
        };
        let whole = expr.fold_parts(ctx, &mut step)?;
        (whole.tree_size(ctx) <= MAX_TREE).then_some(whole)
    }

    /// The expression of an `affine.apply`, whose map has one result.
    fn apply(&mut self, op: OpId, depth: usize) -> Option<AffineExpr> {
        let operands = &self.body[op].operands;
        let map = self.body[op].get(self.ctx, inherent::MAP)?;
        let args: Vec<_> = operands.iter().map(|&v| self.expr_at(v, depth)).collect();
        let (dims, symbols) = args.split_at(map.num_dims(self.ctx).min(args.len()));
        let env = self.environment_at(op);
        self.substitute(env, *map.results(self.ctx).first()?, dims, symbols)
    }

    fn expr_at(&mut self, value: Value, depth: usize) -> AffineExpr {
        if let Some(&known) = self.known.get(&value) {
            return known;
        }
        let read = match depth < MAX_CHAIN {
            true => self.read(value, depth + 1),
            false => None,
        };
        let expr = read
            .filter(|read| read.tree_size(self.ctx) <= MAX_TREE)
            .unwrap_or_else(|| self.atom_expr(Atom::Value(value)));
        self.known.insert(value, expr);
        expr
    }

    /// Translates the defining operation of a value to an expression.
    fn read(&mut self, value: Value, depth: usize) -> Option<AffineExpr> {
        let ctx = self.ctx;
        if !self.body.ty(value).is_index(ctx) {
            return None;
        }
        let op = self.body.defining_op(value)?;
        let operands = &self.body[op].operands;
        match self.body[op].name {
            arith::CONSTANT => {
                let number = arith::constant_int(ctx, self.body, value)?;
                Some(ctx.affine_const(number))
            }
            arith::ADDI => {
                let (l, r) = self.pair(operands, depth)?;
                Some(ctx.affine_add(l, r))
            }
            arith::SUBI => {
                let (l, r) = self.pair(operands, depth)?;
                Some(ctx.affine_sub(l, r))
            }
            arith::MULI => {
                let (l, r) = self.pair(operands, depth)?;
                let (term, factor) = match (l.as_constant(ctx), r.as_constant(ctx)) {
                    (_, Some(_)) => (l, r),
                    (Some(_), None) => (r, l),
                    (None, None) => return None,
                };
                Some(ctx.affine_mul(term, factor))
            }
            affine::APPLY => self.apply(op, depth),
            arith::MAXSI | arith::MINSI => self.decided_extremum(op, depth),
            arith::SHLI
            | arith::SHRSI
            | arith::SHRUI
            | arith::ANDI
            | arith::ORI
            | arith::XORI
            | arith::SELECT
            | arith::DIVSI
            | arith::DIVUI
            | arith::FLOORDIVSI
            | arith::CEILDIVSI
            | arith::CEILDIVUI
            | arith::REMSI
            | arith::REMUI => self.read_quotient(op, depth),
            memref::DIM => {
                let (memref, dim) = self.measured(op)?;
                Some(self.extent_at(memref, dim, depth))
            }
            _ => None,
        }
    }

    /// Folds a minimum or maximum whose operands have intervals that decide it, such as that of a
    /// number of chunks and 0.
    fn decided_extremum(&mut self, op: OpId, depth: usize) -> Option<AffineExpr> {
        let (l, r) = self.pair(&self.body[op].operands, depth)?;
        let env = self.environment_at(op);
        let distance = self.interval(self.ctx.affine_sub(l, r), env)?;
        // Only numbers that fit can be compared by their expressions.
        if !self.fits(l, env) || !self.fits(r, env) {
            return None;
        }
        let is_max = self.body[op].name == arith::MAXSI;
        match (distance.least >= 0, distance.most <= 0) {
            (true, _) => Some(if is_max { l } else { r }),
            (_, true) => Some(if is_max { r } else { l }),
            _ => None,
        }
    }

    fn pair(&mut self, operands: &[Value], depth: usize) -> Option<(AffineExpr, AffineExpr)> {
        let &[l, r] = operands else { return None };
        Some((self.expr_at(l, depth), self.expr_at(r, depth)))
    }
}
