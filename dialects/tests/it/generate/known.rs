//! Random known operations, driven by their rows.
//!
//! Draws types and attributes from a pool until the row's constraints hold and
//! the verifier accepts the operation. The rows say it all, so a new row is
//! covered at once.

use super::Generator;
use super::pool::{Pool, Side};
use super::regions::carried;
use gridloom_dialects::{affine, gpu};
use gridloom_ir::affine::{AffineExpr, AffineExprKind};
use gridloom_ir::attr::{Attr, AttrDict};
use gridloom_ir::body::{BlockId, Body, OpId, OpState, Value, ValueDef as Definition};
use gridloom_ir::constraints::attr_type;
use gridloom_ir::context::Context;
use gridloom_ir::op::{
    Arity, AttrDef, AttrSyntax, Known, OpSignature, RowTraits, Traits, TypeRule, ValueDef,
};
use gridloom_ir::text::{canonical_properties, store_case};
use gridloom_ir::types::Type;
use gridloom_ir::verify::Scope;

/// How many attempts an operation gets before another is drawn.
const ATTEMPTS: usize = 16;

/// The rows of operations that may stand in a function, grouped by dialect,
/// `spirv` last.
pub(super) fn rows() -> Vec<Vec<&'static OpSignature>> {
    let mut rows: Vec<Vec<&'static OpSignature>> = Vec::new();
    let kept = [
        Traits::TERMINATOR,
        Traits::SYMBOL,
        Traits::ISOLATED_FROM_ABOVE,
    ];
    let inner =
        gridloom_dialects::ops().filter(|def| !kept.iter().any(|&t| def.traits.contains(t)));
    for def in inner {
        let dialect = |def: &OpSignature| def.name.split_once('.').map(|(dialect, _)| dialect);
        match rows
            .iter_mut()
            .find(|rows| dialect(rows[0]) == dialect(def))
        {
            Some(rows) => rows.push(def),
            None => rows.push(vec![def]),
        }
    }
    rows
}

/// A body under construction.
pub(super) struct Filler<'g, 'c, 'b> {
    pub g: &'g mut Generator<'c>,
    pub body: &'b mut Body,
    /// The operation that owns the body.
    pub owner: (&'b Scope<'b>, OpId),
    pub side: Side,
    pub pool: Pool,
    /// The block that gets an argument where no visible value has the wanted
    /// type.
    pub entry: BlockId,
}

/// The types of a row's groups so far: operands first, then results.
struct Draft {
    def: &'static OpSignature,
    groups: Vec<Option<Vec<Type>>>,
}

impl Draft {
    fn defs(&self) -> impl Iterator<Item = &'static ValueDef> + use<> {
        self.def.operands.iter().chain(self.def.results)
    }

    fn group(&self, name: &str) -> Option<usize> {
        self.defs().position(|def| def.name == name)
    }

    /// The type of a group's first value.
    fn first(&self, index: usize) -> Option<Type> {
        self.groups[index].as_ref()?.first().copied()
    }

    /// Sets the type of a single value if rules or traits determine it.
    fn follow(&mut self, g: &Generator, index: usize, attrs: AttrDict) {
        let one = self.defs().nth(index).map(|def| def.arity) == Some(Arity::One);
        let operands = self.def.operands.len();
        let uniform = self
            .def
            .traits
            .contains(RowTraits::SAME_OPERANDS_AND_RESULT_TYPE)
            || index < operands && self.def.traits.contains(RowTraits::SAME_TYPE_OPERANDS);
        if uniform && one {
            let mut before = (0..index).filter_map(|group| self.first(group));
            self.groups[index] = before.next().map(|ty| vec![ty]);
        }
        for rule in self.def.infer {
            if self.groups[index].is_some() {
                return;
            }
            self.groups[index] = match *rule {
                TypeRule::Same { groups, .. } if one => {
                    let all: Vec<_> = groups.iter().filter_map(|n| self.group(n)).collect();
                    let mut known = all.iter().filter_map(|&group| self.first(group));
                    let ty = known.next().filter(|_| all.contains(&index));
                    ty.map(|ty| vec![ty])
                }
                TypeRule::From {
                    target,
                    source,
                    rule,
                    ..
                } if one && self.group(target) == Some(index) => {
                    let source = self.group(source).and_then(|group| self.first(group));
                    source.and_then(|ty| rule(g.ctx, ty)).map(|ty| vec![ty])
                }
                TypeRule::ListFrom {
                    target,
                    source,
                    rule,
                    ..
                } if self.group(target) == Some(index) => {
                    let source = self.group(source).and_then(|group| self.first(group));
                    source.and_then(|ty| rule(g.ctx, ty))
                }
                TypeRule::OfAttr { target, attr } if self.group(target) == Some(index) => {
                    let value = attrs.get(g.ctx, g.ctx.ident(attr));
                    value
                        .and_then(|value| attr_type(g.ctx, value))
                        .map(|ty| vec![ty])
                }
                _ => None,
            };
        }
    }
}

/// The dimensions and symbols of an expression in textual order.
fn inputs_of(ctx: &Context, expr: AffineExpr, seen: &mut Vec<AffineExprKind>) {
    match expr.kind(ctx) {
        AffineExprKind::Binary(_, lhs, rhs) => {
            inputs_of(ctx, lhs, seen);
            inputs_of(ctx, rhs, seen);
        }
        AffineExprKind::Constant(_) => {}
        input if seen.contains(&input) => {}
        input => seen.push(input),
    }
}

impl Filler<'_, '_, '_> {
    /// Appends operations to a block; their results become visible.
    pub(super) fn fill(&mut self, block: BlockId, visible: &mut Vec<Value>, depth: u32) {
        for _ in 0..self.g.below(5) {
            self.g.left = self.g.left.saturating_sub(1);
            let op = match self.g.one_in(8) && self.side == Side::Host {
                true => Some(self.g.operation(self.body, block, visible, depth + 1)),
                false => self.any_known(block, visible, depth),
            };
            visible.extend(op.into_iter().flat_map(|op| self.body[op].results()));
        }
    }

    fn any_known(&mut self, block: BlockId, visible: &[Value], depth: u32) -> Option<OpId> {
        for _ in 0..4 {
            let dialect = match self.side {
                Side::Host => self.g.below(self.g.rows.len()),
                Side::Spirv => self.g.rows.len() - 1,
            };
            let row = self.g.below(self.g.rows[dialect].len());
            let def = self.g.rows[dialect][row];
            let made = (0..ATTEMPTS).find_map(|_| self.known(def, block, visible, depth));
            if made.is_some() {
                return made;
            }
        }
        None
    }

    /// Tries once to append an operation; leaves nothing behind if that fails.
    pub(super) fn known(
        &mut self,
        def: &'static OpSignature,
        block: BlockId,
        visible: &[Value],
        depth: u32,
    ) -> Option<OpId> {
        let properties = self.attributes(def)?;
        let groups = self.types(def, properties)?;
        let (operands, results) = groups.split_at(def.operands.len());
        let mut state = self.state(def, properties, operands, results);
        for &ty in operands.iter().flatten() {
            let value = self.value(ty, block, visible);
            state.operands.push(value);
        }
        let op = self.body.create_op(state);
        self.body.append(block, op);
        let whole = self.regions(op, def, visible, depth).is_some() && self.accepts(op);
        if !whole {
            self.body.erase(op);
        }
        whole.then_some(op)
    }

    fn accepts(&self, op: OpId) -> bool {
        Scope::of(self.g.ctx, self.body, Some(self.owner)).accepts(op) && self.is_spelled(op)
    }

    /// Whether printing keeps the operation's map and operands: subscripts drop
    /// unused operands and reorder the rest by their occurrence in the text.
    fn is_spelled(&self, op: OpId) -> bool {
        let (ctx, data) = (self.g.ctx, &self.body[op]);
        let kept = match data.name {
            affine::LOAD | affine::PREFETCH | affine::VECTOR_LOAD => 1,
            affine::STORE | affine::VECTOR_STORE => 2,
            _ => return true,
        };
        let Some(map) = data.attr(ctx, "map").and_then(|map| map.as_map(ctx)) else {
            return false;
        };
        let mut seen = Vec::new();
        for result in map.results(ctx) {
            inputs_of(ctx, *result, &mut seen);
        }
        let dims = (0..map.num_dims(ctx) as u32).map(AffineExprKind::Dim);
        let symbols = (0..map.num_symbols(ctx) as u32).map(AffineExprKind::Symbol);
        let (own, other): (Vec<_>, Vec<_>) = seen
            .into_iter()
            .partition(|input| matches!(input, AffineExprKind::Dim(_)));
        let operands = &data.operands[kept..];
        let distinct = operands.iter().enumerate();
        own.into_iter().eq(dims)
            && other.into_iter().eq(symbols)
            && distinct
                .clone()
                .all(|(at, value)| !operands[..at].contains(value))
    }

    /// The operation without its operands.
    fn state(
        &mut self,
        def: &'static OpSignature,
        properties: AttrDict,
        operands: &[Vec<Type>],
        results: &[Vec<Type>],
    ) -> OpState {
        let ctx = self.g.ctx;
        let mut state = OpState::new(ctx.op_name(def.name), self.g.location(2));
        // In canonical form, as the reader gives it: with defaults,
        // enumerations in one spelling.
        state.properties = canonical_properties(ctx, state.name, def, properties.entries(ctx));
        state.results = results.iter().flatten().copied().collect();
        for (name, _) in def.sized_groups() {
            let groups = match name {
                "operandSegmentSizes" => operands,
                _ => results,
            };
            let sizes: Vec<i32> = groups.iter().map(|group| group.len() as i32).collect();
            state = state.property(ctx, name, ctx.i32_array_attr(&sizes));
        }
        if state.name == gpu::LAUNCH {
            // The reader adds this attribute.
            let name = ctx.ident("workgroup_attributions");
            state.attributes = state.attributes.with(ctx, name, ctx.i64_attr(0));
        } else if self.g.one_in(3) {
            let extra = self.g.dict(1).entries(ctx).to_vec();
            let inherent = |name: &str| {
                def.attrs.iter().any(|attr| attr.name == name)
                    || def.sized_groups().any(|(sizes, _)| sizes == name)
            };
            let extra = extra
                .into_iter()
                .filter(|entry| !inherent(ctx.str(entry.0)));
            state.attributes = ctx.attr_dict(extra.collect());
        }
        state
    }

    fn attributes(&mut self, def: &'static OpSignature) -> Option<AttrDict> {
        let mut entries = Vec::new();
        for attr in def.attrs {
            let optional = attr.optional || attr.default.is_some();
            if optional && self.g.one_in(2) {
                continue;
            }
            match self.attribute(attr) {
                Some(value) => entries.push((self.g.ctx.ident(attr.name), value)),
                None if optional => {}
                None => return None,
            }
        }
        Some(self.g.ctx.attr_dict(entries))
    }

    fn attribute(&mut self, def: &AttrDef) -> Option<Attr> {
        let ctx = self.g.ctx;
        let value = match def.syntax {
            AttrSyntax::Enum(cases) => {
                let mut value = self.g.pick(cases.cases).1;
                if cases.bits && self.g.one_in(2) {
                    value |= self.g.pick(cases.cases).1;
                }
                store_case(ctx, cases, value)
            }
            AttrSyntax::SymbolName => Some(ctx.string_attr(&self.g.fresh_name())),
            AttrSyntax::Typed(ty) if ty(ctx).signless_width(ctx) > Some(7) => {
                Some(ctx.int_attr(ty(ctx), self.g.pick(&[0, 1, 2, 4, 16])))
            }
            _ => None,
        };
        let fits = |attr: &Attr| (def.constraint.check)(ctx, *attr);
        let value = value.filter(fits);
        value.or_else(|| self.pool.attr(self.g, &def.constraint))
    }

    /// The types of all groups, operands first.
    fn types(&mut self, def: &'static OpSignature, attrs: AttrDict) -> Option<Vec<Vec<Type>>> {
        let operands = def.operands.len();
        let mut draft = Draft {
            def,
            groups: vec![None; operands + def.results.len()],
        };
        let inferred = def.infer.iter().find_map(|rule| match rule {
            TypeRule::Infer(rule) => Some(rule),
            _ => None,
        });
        for (index, value) in draft.defs().enumerate() {
            if index == operands
                && let Some(rule) = inferred
            {
                let found = self.infer(&draft, *rule, attrs)?;
                // All in the first group: the verifier divides them as the row
                // says.
                draft.groups[index] = Some(found);
                draft.groups[index + 1..].fill(Some(Vec::new()));
                break;
            }
            draft.follow(self.g, index, attrs);
            if let Some(source) = carried(def.name)
                && index >= operands
            {
                draft.groups[index] = draft.groups[source].clone();
            }
            if draft.groups[index].is_none() {
                draft.groups[index] = Some(self.group(value)?);
            }
        }
        draft.groups.into_iter().collect()
    }

    fn group(&mut self, def: &ValueDef) -> Option<Vec<Type>> {
        let count = match def.arity {
            Arity::One => 1,
            Arity::Optional => self.g.below(2),
            Arity::Variadic => self.pool.count(self.g),
        };
        let same = self.g.one_in(2);
        let mut types: Vec<Type> = Vec::new();
        for _ in 0..count {
            match types.first() {
                Some(&first) if same => types.push(first),
                _ => types.push(self.pool.ty(self.g, &def.constraint)?),
            }
        }
        Some(types)
    }

    fn infer(
        &mut self,
        draft: &Draft,
        rule: gridloom_ir::op::InferFn,
        attrs: AttrDict,
    ) -> Option<Vec<Type>> {
        let ctx = self.g.ctx;
        let (mut operands, mut groups) = (Vec::new(), Vec::new());
        for group in &draft.groups[..draft.def.operands.len()] {
            let start = operands.len();
            operands.extend(group.iter().flatten().copied());
            groups.push(start..operands.len());
        }
        let known = Known {
            ctx,
            operands: &operands,
            groups: &groups,
            attr: &|name| attrs.get(ctx, ctx.ident(name)),
        };
        rule(&known).ok()
    }

    /// A value of a type: a visible one, an argument of the function, or the
    /// result of a new operation in the block.
    pub(super) fn value(&mut self, ty: Type, block: BlockId, visible: &[Value]) -> Value {
        let own = |&value: &Value| self.body.ty(value) == ty;
        let mut all: Vec<Value> = visible.iter().copied().filter(own).collect();
        all.extend(self.body[self.entry].args.iter().copied().filter(own));
        if !all.is_empty() && !self.g.one_in(8) {
            return self.g.pick(&all);
        }
        if self.side == Side::Host && self.g.one_in(3) {
            let name = self.g.ctx.op_name("t.source");
            let state = OpState::new(name, self.g.location(1)).results(&[ty]);
            let op = self.body.create_op(state);
            self.body.append(block, op);
            return self.body[op].result(0);
        }
        match all.first() {
            Some(&value) => value,
            None => {
                let loc = self.g.location(1);
                self.body.add_argument(self.entry, ty, loc)
            }
        }
    }

    /// Removes unused arguments of the entry block, from index `kept` on.
    pub(super) fn prune(&mut self, kept: usize) {
        let uses = self.body.uses();
        let args: Vec<Value> = self.body[self.entry].args.iter().copied().collect();
        debug_assert!(args.iter().all(|&arg| {
            matches!(self.body[arg].def(), Definition::Argument(block, _) if block == self.entry)
        }));
        self.body.retain_arguments(self.entry, |index| {
            index < kept || !uses.of(args[index]).is_empty()
        });
    }
}
