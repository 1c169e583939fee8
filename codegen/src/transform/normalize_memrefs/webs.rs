//! Webs: values of memref type that have to have the same type.

use std::collections::{HashMap, HashSet};

use gridloom_dialects::{affine, arith, func, memref, scf};
use gridloom_ir::location::Loc;
use gridloom_ir::module::references;
use gridloom_ir::types::{DYNAMIC, MemRefType};
use gridloom_ir::{
    Body, Context, Diagnostic, Diagnostics, Ident, Module, OpId, SymbolTable, Type, Value,
};

use super::layout::Normal;
use crate::analysis::loop_kind::is_counted_loop;

/// Member of a web.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Node {
    /// A value of a function.
    Value(OpId, Value),
    /// A result of a function.
    Result(OpId, usize),
}

/// Node of a web in the union-find forest.
struct Member {
    node: Node,
    ty: Type,
    loc: Loc,
    /// Parent in the union-find forest, itself for a root.
    parent: usize,
    /// Obstacle: the reason why the layout has to stay.
    blocked: Option<(Loc, String)>,
}

/// Webs of all memrefs with a layout, as a union-find forest.
pub(super) struct Webs<'a> {
    ctx: &'a Context,
    symbols: SymbolTable,
    /// Functions with a body whose only uses are calls.
    callable: HashSet<OpId>,
    /// The parameters of each function with a body.
    params: HashMap<OpId, Vec<Value>>,
    members: Vec<Member>,
    numbers: HashMap<Node, usize>,
    normal_results: HashMap<(OpId, usize), Type>,
}

impl<'a> Webs<'a> {
    /// Builds the webs of a module.
    pub(super) fn of(ctx: &'a Context, module: &Module) -> Self {
        let mut webs = Webs {
            ctx,
            symbols: module.symbols(ctx),
            callable: callable_functions(ctx, module),
            params: HashMap::new(),
            members: Vec::new(),
            numbers: HashMap::new(),
            normal_results: HashMap::new(),
        };
        let functions = module.ops().filter(|(_, op)| op.name == func::FUNC);
        let functions: Vec<(OpId, &Body)> = functions
            .filter_map(|(function, op)| Some((function, op.isolated()?)))
            .filter(|(_, body)| body.entry().is_some())
            .collect();
        for &(function, body) in &functions {
            let params = body.entry().map(|entry| body[entry].args.to_vec());
            webs.params.insert(function, params.unwrap_or_default());
        }
        for (function, body) in functions {
            let loc = module.body()[function].loc;
            webs.add_boundary(module, function, body, loc);
            webs.add_blocks(function, body, loc);
            for op in body.walk() {
                webs.add_op(function, body, op);
            }
        }
        webs
    }

    fn is_layout(&self, ty: Type) -> bool {
        ty.memref(self.ctx).is_some_and(|ty| ty.layout.is_some())
    }

    /// The number of a member, if its type has a layout.
    fn member(&mut self, node: Node, ty: Type, loc: Loc) -> Option<usize> {
        if !self.is_layout(ty) {
            return None;
        }
        let next = self.members.len();
        let number = *self.numbers.entry(node).or_insert(next);
        if number == next {
            self.members.push(Member {
                node,
                ty,
                loc,
                parent: number,
                blocked: None,
            });
        }
        Some(number)
    }

    fn value(&mut self, function: OpId, body: &Body, value: Value, loc: Loc) -> Option<usize> {
        let loc = body.defining_op(value).map_or(loc, |op| body[op].loc);
        self.member(Node::Value(function, value), body.ty(value), loc)
    }

    fn root(&mut self, mut number: usize) -> usize {
        while self.members[number].parent != number {
            let above = self.members[number].parent;
            // Path halving.
            self.members[number].parent = self.members[above].parent;
            number = above;
        }
        number
    }

    fn join(&mut self, a: Option<usize>, b: Option<usize>, loc: Loc) {
        let (Some(a), Some(b)) = (a, b) else {
            let one = a.or(b);
            return self.block(
                one,
                loc,
                "here it is passed on as, or merged with, a value of another type".into(),
            );
        };
        if self.members[a].ty != self.members[b].ty {
            return self.block(
                Some(a),
                loc,
                "here it is passed on as, or merged with, a value of another type".into(),
            );
        }
        let (a, b) = (self.root(a), self.root(b));
        let (first, other) = (a.min(b), a.max(b));
        if first == other {
            return;
        }
        self.members[other].parent = first;
        let blocked = self.members[other].blocked.take();
        let known = &mut self.members[first].blocked;
        *known = known.take().or(blocked);
    }

    fn block(&mut self, number: Option<usize>, loc: Loc, why: String) {
        if let Some(number) = number {
            let root = self.root(number);
            self.members[root].blocked.get_or_insert((loc, why));
        }
    }

    /// Adds the parameters and results of a function.
    fn add_boundary(&mut self, module: &Module, function: OpId, body: &Body, loc: Loc) {
        let is_callable = self.callable.contains(&function);
        let (_, results) = func::FuncOp(function).signature(self.ctx, module.body());
        let mut all = Vec::new();
        for value in self.params[&function].clone() {
            all.extend(self.value(function, body, value, loc));
        }
        for (number, &ty) in results.iter().enumerate() {
            all.extend(self.member(Node::Result(function, number), ty, loc));
        }
        if !is_callable {
            for number in all {
                let why = "callers outside of this module may pass or receive it";
                self.block(Some(number), loc, why.into());
            }
        }
    }

    /// Blocks webs of block arguments, except those of a function's entry and of counted loops.
    fn add_blocks(&mut self, function: OpId, body: &Body, loc: Loc) {
        let ops = body.walk();
        let inner = ops.iter().filter(|&&op| !is_counted_loop(body, op));
        let regions = inner.flat_map(|&op| body[op].inline_regions().iter().copied());
        for region in body.regions().iter().copied().chain(regions) {
            for &block in &body[region].blocks {
                if Some(block) == body.entry() {
                    continue;
                }
                for &value in &body[block].args {
                    let member = self.value(function, body, value, loc);
                    self.block(member, loc, "a block takes it as an argument".into());
                }
            }
        }
    }

    fn add_op(&mut self, function: OpId, body: &Body, op: OpId) {
        let data = &body[op];
        let loc = data.loc;
        let types = data
            .operands
            .iter()
            .chain(data.results().collect::<Vec<_>>().iter())
            .any(|&value| self.is_layout(body.ty(value)));
        if !types {
            return;
        }
        match data.name {
            func::CALL => self.add_call(function, body, op),
            func::RETURN => {
                for (number, &value) in data.operands.iter().enumerate() {
                    let member = self.value(function, body, value, loc);
                    let result = Node::Result(function, number);
                    let result = self.member(result, body.ty(value), loc);
                    self.join(member, result, loc);
                }
            }
            arith::SELECT => {
                let all = [data.operands[1], data.operands[2], data.result(0)];
                self.join_all(function, body, &all, loc);
            }
            affine::FOR => {
                let l = affine::ForOp(op);
                let inits = l.inits(self.ctx, body).to_vec();
                let lists = [&inits[..], l.iter_args(body), l.yielded(body)];
                self.join_lists(function, body, op, lists);
            }
            scf::FOR => {
                let l = scf::ForOp(op);
                let args = body[l.block(body)].args.get(1..).unwrap_or(&[]);
                let yielded = body[l.block(body)].last();
                let yielded = yielded.map_or(&[][..], |last| &body[last].operands);
                self.join_lists(function, body, op, [l.inits(body), args, yielded]);
            }
            affine::IF | scf::IF => {
                let yielded = [0, 1].map(|region| {
                    let last = body
                        .region_block(op, region)
                        .and_then(|block| body[block].last());
                    last.map_or(&[][..], |last| &body[last].operands[..])
                });
                self.join_lists(function, body, op, [yielded[0], yielded[1], yielded[0]]);
            }
            affine::YIELD | scf::YIELD => {
                let parent = body.parent_op(op).map(|op| body[op].name);
                let is_known =
                    matches!(parent, Some(affine::FOR | scf::FOR | affine::IF | scf::IF));
                if !is_known {
                    self.block_all(function, body, op);
                }
            }
            _ if self.only_accesses(body, op) => {
                for value in data.operands.iter().copied().chain(data.results()) {
                    self.value(function, body, value, loc);
                }
            }
            _ => self.block_all(function, body, op),
        }
    }

    /// Joins the values at equal positions of lists, and the results at these positions.
    fn join_lists(&mut self, function: OpId, body: &Body, op: OpId, lists: [&[Value]; 3]) {
        for (number, result) in body[op].results().enumerate() {
            let mut all = vec![result];
            all.extend(lists.iter().filter_map(|list| list.get(number)));
            if self.is_layout(body.ty(result)) {
                self.join_all(function, body, &all, body[op].loc);
            }
        }
    }

    fn join_all(&mut self, function: OpId, body: &Body, values: &[Value], loc: Loc) {
        for pair in values.windows(2) {
            let [a, b] = [pair[0], pair[1]].map(|value| self.value(function, body, value, loc));
            if a.is_some() || b.is_some() {
                self.join(a, b, loc);
            }
        }
    }

    fn add_call(&mut self, function: OpId, body: &Body, op: OpId) {
        let loc = body[op].loc;
        let callee = self
            .symbols
            .get(func::CallOp(op).callee_name(self.ctx, body));
        let callee = callee.filter(|callee| self.callable.contains(callee));
        let Some(callee) = callee else {
            return self.block_all(function, body, op);
        };
        let params = self.params.get(&callee).cloned().unwrap_or_default();
        for (&value, &param) in body[op].operands.iter().zip(&params) {
            let member = self.value(function, body, value, loc);
            if member.is_some() {
                let param = self.member(Node::Value(callee, param), body.ty(value), loc);
                self.join(member, param, loc);
            }
        }
        for (number, value) in body[op].results().enumerate() {
            let member = self.value(function, body, value, loc);
            if member.is_some() {
                let result = self.member(Node::Result(callee, number), body.ty(value), loc);
                self.join(member, result, loc);
            }
        }
    }

    /// Whether an operation uses memrefs only in ways that do not depend on their layout.
    fn only_accesses(&self, body: &Body, op: OpId) -> bool {
        let data = &body[op];
        let memref = match data.name {
            memref::ALLOC | memref::ALLOCA => return data.operand_segment(self.ctx, 1).is_empty(),
            memref::DEALLOC => return true,
            memref::DIM => {
                let ty = body.ty(data.operands[0]).memref(self.ctx);
                return ty.is_some_and(|ty| known_extent(self.ctx, body, op, ty).is_some());
            }
            affine::LOAD | affine::PREFETCH | memref::LOAD | memref::PREFETCH => 0,
            memref::GENERIC_ATOMIC_RMW => 0,
            affine::STORE | memref::STORE | memref::ATOMIC_RMW => 1,
            _ => return false,
        };
        // The loaded or stored value may itself be a memref.
        let others = data
            .operands
            .iter()
            .enumerate()
            .filter(|&(n, _)| n != memref);
        let mut others = others.map(|(_, &value)| value).chain(data.results());
        !others.any(|value| self.is_layout(body.ty(value)))
    }

    fn block_all(&mut self, function: OpId, body: &Body, op: OpId) {
        let data = &body[op];
        let why = format!(
            "'{}' may depend on its layout",
            self.ctx.op_name_str(data.name)
        );
        let all: Vec<Value> = data
            .operands
            .iter()
            .copied()
            .chain(data.results())
            .collect();
        for value in all {
            let member = self.value(function, body, value, data.loc);
            self.block(member, data.loc, why.clone());
        }
    }

    /// The normal types of each function's values, for webs that can have one.
    pub(super) fn normal_types(
        &mut self,
        normal: impl Fn(Type) -> Result<Normal, &'static str>,
    ) -> HashMap<OpId, HashMap<Value, Normal>> {
        let mut found: HashMap<OpId, HashMap<Value, Normal>> = HashMap::new();
        for number in 0..self.members.len() {
            let root = self.root(number);
            if self.members[root].blocked.is_some() {
                continue;
            }
            let Member { ty, loc, node, .. } = self.members[number];
            match normal(ty) {
                Err(why) => self.block(Some(root), loc, why.into()),
                Ok(normal) => match node {
                    Node::Value(function, value) => {
                        found.entry(function).or_default().insert(value, normal);
                    }
                    Node::Result(function, number) => {
                        self.normal_results.insert((function, number), normal.ty);
                    }
                },
            }
        }
        found
    }

    /// The new types of a function's parameters and results, by number.
    pub(super) fn results_of(
        &self,
        function: OpId,
        normal: &HashMap<Value, Normal>,
    ) -> (HashMap<usize, Type>, HashMap<usize, Type>) {
        let params = self.params.get(&function).into_iter().flatten().enumerate();
        let params = params.filter_map(|(number, value)| Some((number, normal.get(value)?.ty)));
        let results = self.normal_results.iter();
        let results = results.filter(|((of, _), _)| *of == function);
        (
            params.collect(),
            results.map(|(&(_, number), &ty)| (number, ty)).collect(),
        )
    }

    /// Remarks on the webs that stay.
    pub(super) fn remarks(&self) -> Diagnostics {
        let mut remarks = Diagnostics::new();
        for member in &self.members {
            if let Some((loc, why)) = &member.blocked {
                let message = format!("a memref keeps its layout: {why}");
                remarks.push(Diagnostic::remark(*loc, message));
            }
        }
        remarks
    }
}

/// The extent queried by a `memref.dim`, where the type gives it.
pub(super) fn known_extent(ctx: &Context, body: &Body, op: OpId, ty: &MemRefType) -> Option<i64> {
    let index = arith::constant_int(ctx, body, *body[op].operands.get(1)?)?;
    let extent = *ty.shape.get(usize::try_from(index).ok()?)?;
    (extent != DYNAMIC).then_some(extent)
}

/// Private functions with a body whose only uses are calls.
fn callable_functions(ctx: &Context, module: &Module) -> HashSet<OpId> {
    let mut named: HashSet<Ident> = HashSet::new();
    for (top, op) in module.ops() {
        let Some(body) = op.isolated().filter(|_| op.name == func::FUNC) else {
            named.extend(references(ctx, module.body(), top));
            continue;
        };
        for op in body.walk() {
            let is_structure = matches!(
                body[op].name,
                affine::FOR | affine::IF | affine::PARALLEL | scf::FOR | scf::IF | scf::WHILE
            );
            if body[op].name != func::CALL && !is_structure {
                named.extend(references(ctx, body, op));
            }
        }
    }
    let functions = module.ops().filter(|(_, op)| op.name == func::FUNC);
    functions
        .map(|(function, _)| function)
        .filter(|&function| {
            let op = func::FuncOp(function);
            !op.is_public(ctx, module.body())
                && !op.is_declaration(module.body())
                && !named.contains(&op.name(ctx, module.body()))
        })
        .collect()
}
