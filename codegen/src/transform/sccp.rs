//! `sccp`: replaces values that are always one constant (sparse conditional constant propagation).
//!
//! ```text
//! %r = affine.for %i = 0 to %n iter_args(%s = %c3) {       S(3)
//!   %t = arith.muli %s, %c1                          ⇒
//!   affine.yield %t                                        T(3)
//! }
//! ```
//!
//! The analysis is optimistic: a value has the constant of its first known source until another
//! source differs, and a block behind a constant condition is not reached (M. Wegman and F. Zadeck,
//! "Constant propagation with conditional branches", 1991). So it finds constants that folding
//! operation by operation does not: values carried round loops, and arguments of blocks. It follows
//! branches of `cf`, conditionals and loops of `scf` and `affine`; arguments of other regions are
//! unknown. Always legal at the fixed point, and nothing is changed before that is reached.
//! Operations that become useless go where they are pure; `canonicalize` takes the rest away.

use std::collections::{HashMap, HashSet};

use gridloom_dialects::{affine, cf, scf};
use gridloom_ir::attr::AttrKind;
use gridloom_ir::fold::{FoldCx, FoldResult, fold};
use gridloom_ir::op::Traits;
use gridloom_ir::{Attr, BlockId, Body, Builder, Context, InsertPoint, Loc, OpId, Type, Value};

/// Limit of the sweeps over all operations; a loop takes about two, and a nested one two more.
const MAX_SWEEPS: usize = 64;

/// Lattice element of a reachable value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum LatticeElement {
    Constant(Attr),
    Varies,
}

/// Replaces the values of a body that are always one constant. Returns whether there were any.
pub fn sccp(ctx: &Context, body: &mut Body) -> bool {
    let Some(entry) = body.entry() else {
        return false;
    };
    let Some(found) = Solver::new(ctx, body, entry).solve() else {
        return false;
    };
    let uses = body.uses();
    let mut replaced: HashMap<Value, Value> = HashMap::new();
    for (value, attr) in found
        .into_iter()
        .filter(|(value, _)| !uses.of(*value).is_empty())
    {
        let ty = body.ty(value);
        let at = match (body.defining_op(value), body.value_block(value)) {
            (Some(op), _) => InsertPoint::Before(op),
            (None, Some(block)) => InsertPoint::Start(block),
            (None, None) => continue,
        };
        let loc = match body.defining_op(value) {
            Some(op) => body[op].loc,
            None => Loc::UNKNOWN,
        };
        let mut b = Builder::new(ctx, body, at, loc);
        replaced.insert(value, b.constant(attr, ty));
    }
    if replaced.is_empty() {
        return false;
    }
    body.replace_values(|value| replaced.get(&value).copied().unwrap_or(value));
    for value in replaced.keys() {
        let Some(op) = body.defining_op(*value) else {
            continue;
        };
        // The only result of the operation has no uses any more.
        if body[op].num_results() == 1 && body[op].name.has(Traits::PURE) {
            body.erase(op);
        }
    }
    true
}

struct Solver<'a> {
    ctx: &'a Context,
    body: &'a Body,
    entry: BlockId,
    /// Scratch body in which constants replace operands while an operation is folded.
    scratch: Body,
    /// Constants of the scratch body.
    constants: HashMap<(Attr, Type), Value>,
    lattice: HashMap<Value, LatticeElement>,
    reached: HashSet<BlockId>,
    changed: bool,
}

impl<'a> Solver<'a> {
    fn new(ctx: &'a Context, body: &'a Body, entry: BlockId) -> Self {
        Solver {
            ctx,
            body,
            entry,
            scratch: body.clone(),
            constants: HashMap::new(),
            lattice: HashMap::new(),
            reached: HashSet::new(),
            changed: false,
        }
    }

    /// Finds the fixed point: the values that are constant without being constant operations, in
    /// program order; `None` where no fixed point is found.
    fn solve(mut self) -> Option<Vec<(Value, Attr)>> {
        self.enter_with_anything(self.entry);
        let ops = self.body.walk();
        for _ in 0..MAX_SWEEPS {
            self.changed = false;
            for &op in &ops {
                let block = self.body[op].parent();
                if block.is_some_and(|block| self.reached.contains(&block)) {
                    self.visit(op);
                }
            }
            if !self.changed {
                return Some(self.found(&ops));
            }
        }
        None
    }

    fn found(&self, ops: &[OpId]) -> Vec<(Value, Attr)> {
        let mut values: Vec<Value> = Vec::new();
        for &op in ops {
            if !self.body[op].name.has(Traits::CONSTANT_LIKE) {
                values.extend(self.body[op].results());
            }
            for &region in self.body[op].inline_regions() {
                let blocks = self.body[region].blocks.iter();
                values.extend(blocks.flat_map(|&block| self.body[block].args.iter().copied()));
            }
        }
        let blocks = self.body.top_blocks();
        values.extend(blocks.flat_map(|block| self.body[block].args.iter().copied()));
        let constant = |value: Value| match self.lattice.get(&value) {
            Some(LatticeElement::Constant(attr)) => Some((value, *attr)),
            _ => None,
        };
        values.into_iter().filter_map(constant).collect()
    }

    fn join(&mut self, value: Value, new: Option<LatticeElement>) {
        let Some(new) = new else { return };
        let known = self.lattice.get(&value).copied();
        let joined = match known {
            None => new,
            Some(known) if known == new => return,
            Some(_) => LatticeElement::Varies,
        };
        if known != Some(joined) {
            self.lattice.insert(value, joined);
            self.changed = true;
        }
    }

    fn join_all(&mut self, values: &[Value], sources: &[Value]) {
        for (&value, source) in values.iter().zip(sources) {
            let element = self.lattice.get(source).copied();
            self.join(value, element);
        }
    }

    fn vary(&mut self, values: &[Value]) {
        for &value in values {
            self.join(value, Some(LatticeElement::Varies));
        }
    }

    fn enter(&mut self, block: BlockId) {
        self.changed |= self.reached.insert(block);
    }

    fn enter_with_anything(&mut self, block: BlockId) {
        self.enter(block);
        let args = self.body[block].args.to_vec();
        self.vary(&args);
    }

    /// Feasible branches of a condition: for true, for false.
    fn taken(&self, condition: Value) -> [bool; 2] {
        match self.lattice.get(&condition) {
            None => [false, false],
            Some(LatticeElement::Varies) => [true, true],
            Some(LatticeElement::Constant(attr)) => match attr.as_bool(self.ctx) {
                Some(flag) => [flag, !flag],
                None => [true, true],
            },
        }
    }

    fn visit(&mut self, op: OpId) {
        let (ctx, body) = (self.ctx, self.body);
        let data = &body[op];
        let results: Vec<Value> = data.results().collect();
        match data.name {
            cf::BR => self.branch(data.successors()[0], &data.operands),
            cf::COND_BR => {
                let taken = self.taken(data.operands[0]);
                for (number, &target) in data.successors().iter().enumerate() {
                    if taken[number.min(1)] {
                        self.branch(target, data.operand_segment(ctx, number + 1));
                    }
                }
            }
            scf::IF => {
                let view = scf::IfOp(op);
                let taken = self.taken(view.condition(body));
                let blocks = [Some(view.then_block(body)), view.else_block(body)];
                for block in blocks
                    .into_iter()
                    .zip(taken)
                    .filter_map(|(b, t)| b.filter(|_| t))
                {
                    self.run_block(block, &results);
                }
            }
            affine::IF => {
                let view = affine::IfOp(op);
                let blocks = [Some(view.then_block(body)), view.else_block(body)];
                for block in blocks.into_iter().flatten() {
                    self.run_block(block, &results);
                }
            }
            scf::FOR => {
                let l = scf::ForOp(op);
                self.enter(l.block(body));
                self.vary(&[l.induction_var(body)]);
                self.carry(l.inits(body), l.iter_args(body), l.yielded(body), &results);
            }
            affine::FOR => {
                let l = affine::ForOp(op);
                self.enter(l.block(body));
                self.vary(&[l.induction_var(body)]);
                self.carry(
                    l.inits(ctx, body),
                    l.iter_args(body),
                    l.yielded(body),
                    &results,
                );
            }
            scf::WHILE => self.run_while(scf::WhileOp(op), &results),
            _ if !data.inline_regions().is_empty() || !data.successors().is_empty() => {
                let after = data.successors().iter().copied();
                let blocks: Vec<BlockId> = body.blocks_of(op).chain(after).collect();
                for block in blocks {
                    self.enter_with_anything(block);
                }
                self.vary(&results);
            }
            _ => self.evaluate(op, &results),
        }
    }

    fn branch(&mut self, target: BlockId, operands: &[Value]) {
        self.enter(target);
        let args = self.body[target].args.to_vec();
        self.join_all(&args, operands);
    }

    /// Reaches a block whose terminator gives the results of the operation around it.
    fn run_block(&mut self, block: BlockId, results: &[Value]) {
        self.enter(block);
        if let Some(last) = self.body[block].last() {
            self.join_all(results, &self.body[last].operands);
        }
    }

    /// Joins the carried values of a loop: initial and yielded ones.
    fn carry(&mut self, inits: &[Value], args: &[Value], yielded: &[Value], results: &[Value]) {
        for source in [inits, yielded] {
            self.join_all(args, source);
            self.join_all(results, source);
        }
    }

    fn run_while(&mut self, l: scf::WhileOp, results: &[Value]) {
        let body = self.body;
        let (before, after) = (l.before(body), l.after(body));
        self.enter(before);
        let args = body[before].args.to_vec();
        self.join_all(&args, l.inits(body));
        self.join_all(&args, l.yielded(body));
        let (condition, values) = l.condition(body);
        let [goes_on, ends] = self.taken(condition);
        if goes_on {
            self.branch(after, values);
        }
        if ends {
            self.join_all(results, values);
        }
    }

    /// Folds an operation with its operands' lattice elements.
    fn evaluate(&mut self, op: OpId, results: &[Value]) {
        let operands = self.body[op].operands.clone();
        let known: Option<Vec<LatticeElement>> = (operands.iter())
            .map(|operand| self.lattice.get(operand).copied())
            .collect();
        if results.is_empty() {
            return;
        }
        // An unreached operand may still become any constant.
        let Some(known) = known else { return };
        for (place, element) in known.into_iter().enumerate() {
            if let LatticeElement::Constant(attr) = element {
                let constant = self.constant(attr, self.body.ty(operands[place]));
                self.scratch[op].operands[place] = constant;
            }
        }
        let elements: Vec<LatticeElement> = match self.written_constant(op) {
            Some(attr) => vec![LatticeElement::Constant(attr)],
            None => match fold(self.ctx, &self.scratch, op) {
                Some(folded) => folded
                    .iter()
                    .map(|result| self.element_of(result))
                    .collect(),
                None => vec![LatticeElement::Varies; results.len()],
            },
        };
        // Folds also look at definitions, so these have to be those of the program.
        self.scratch[op].operands = operands;
        for (&result, element) in results.iter().zip(elements) {
            self.join(result, Some(element));
        }
    }

    /// The attribute of a constant operation.
    fn written_constant(&self, op: OpId) -> Option<Attr> {
        let cx = FoldCx {
            ctx: self.ctx,
            body: self.body,
            op,
        };
        let is_constant = self.body[op].name.has(Traits::CONSTANT_LIKE);
        let attr = is_constant.then(|| cx.constant_attr(self.body[op].result(0)))??;
        is_number(self.ctx, attr).then_some(attr)
    }

    fn element_of(&self, result: &FoldResult) -> LatticeElement {
        match *result {
            FoldResult::Constant(attr, _) if is_number(self.ctx, attr) => {
                LatticeElement::Constant(attr)
            }
            FoldResult::Constant(..) => LatticeElement::Varies,
            FoldResult::Value(value) => {
                let mut constants = self.constants.iter();
                let constant = constants.find(|(_, made)| **made == value);
                match (constant, self.lattice.get(&value)) {
                    (Some((&(attr, _), _)), _) => LatticeElement::Constant(attr),
                    (None, Some(&element)) => element,
                    (None, None) => LatticeElement::Varies,
                }
            }
        }
    }

    /// The value of a constant in the scratch body.
    fn constant(&mut self, attr: Attr, ty: Type) -> Value {
        if let Some(&known) = self.constants.get(&(attr, ty)) {
            return known;
        }
        let at = InsertPoint::Start(self.entry);
        let mut b = Builder::new(self.ctx, &mut self.scratch, at, Loc::UNKNOWN);
        let value = b.constant(attr, ty);
        self.constants.insert((attr, ty), value);
        value
    }
}

fn is_number(ctx: &Context, attr: Attr) -> bool {
    matches!(
        attr.kind(ctx),
        AttrKind::Integer { .. } | AttrKind::Float { .. }
    )
}
