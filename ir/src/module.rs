//! Module: the root operation of a file.

use std::collections::HashSet;

use crate::attr::{Attr, AttrDict, AttrKind};
use crate::body::{BlockId, Body, OpData, OpId, OpState};
use crate::context::OpName;
use crate::context::{Context, Ident};
use crate::hash::FxHashMap;
use crate::location::Loc;

/// A `builtin.module` with everything in it.
#[derive(Clone, Debug)]
pub struct Module {
    /// A body with the module operation alone.
    root: Body,
    op: OpId,
    /// The file's `{-# … #-}` section in upstream's layout: the data of
    /// `dense_resource` attributes. Empty where there is none.
    pub metadata: String,
}

impl Module {
    /// An empty module.
    pub fn new(loc: Loc) -> Self {
        let mut root = Body::new();
        let region = root.add_top_region();
        let block = root.add_block(region, &[]);
        let op = root.create_op(OpState::new(OpName::ROOT, loc));
        root.append(block, op);
        let mut module = Module::from_root(root, op);
        let body = module.body_mut();
        let region = body.add_top_region();
        body.add_block(region, &[]);
        module
    }

    /// Wraps a body whose only operation is a module with one block.
    pub(crate) fn from_root(root: Body, op: OpId) -> Self {
        Module {
            root,
            op,
            metadata: String::new(),
        }
    }

    /// The `builtin.module` operation itself.
    pub fn op(&self) -> &OpData {
        &self.root[self.op]
    }

    /// The `builtin.module` operation itself.
    pub fn op_mut(&mut self) -> &mut OpData {
        &mut self.root[self.op]
    }

    /// The one-operation body that holds the module, for code that works on
    /// any body.
    pub fn root(&self) -> (&Body, OpId) {
        (&self.root, self.op)
    }

    /// The module's own body: one region with one block of symbols.
    pub fn body(&self) -> &Body {
        self.op().isolated().expect("a module owns its body")
    }

    /// The module's own body.
    pub fn body_mut(&mut self) -> &mut Body {
        self.op_mut()
            .isolated_mut()
            .expect("a module owns its body")
    }

    /// The block of top-level operations.
    pub fn block(&self) -> BlockId {
        self.body().entry().expect("a module has one block")
    }

    /// The top-level operations in order.
    pub fn ops(&self) -> impl Iterator<Item = (OpId, &OpData)> {
        let body = self.body();
        body.ops(self.block()).map(move |op| (op, &body[op]))
    }

    /// The top-level symbols.
    pub fn symbols(&self, ctx: &Context) -> SymbolTable {
        SymbolTable::of(ctx, self.body())
    }
}

/// Symbol table of one operation.
#[derive(Clone, Default, Debug)]
pub struct SymbolTable {
    by_name: FxHashMap<Ident, OpId>,
    clashes: bool,
}

impl SymbolTable {
    /// Collects the symbols defined at the top of an isolated operation's body.
    pub fn of(ctx: &Context, body: &Body) -> Self {
        let name = |op: OpId| body[op].symbol_name(ctx).map(|name| (name, op));
        let blocks = body
            .regions()
            .iter()
            .flat_map(|&region| &body[region].blocks);
        let mut table = SymbolTable::default();
        for (name, op) in blocks.flat_map(|&block| body.ops(block).filter_map(name)) {
            table.clashes |= table.by_name.insert(name, op).is_some();
        }
        table
    }

    /// Whether a symbol is defined more than once. [`SymbolTable::get`] returns the last
    /// definition.
    pub(crate) fn clashes(&self) -> bool {
        self.clashes
    }

    /// The operation that defines a symbol.
    pub fn get(&self, name: Ident) -> Option<OpId> {
        self.by_name.get(&name).copied()
    }

    /// The symbols, in no order.
    pub fn names(&self) -> impl Iterator<Item = Ident> {
        self.by_name.keys().copied()
    }

    /// Whether a symbol is defined.
    pub fn contains(&self, name: Ident) -> bool {
        self.by_name.contains_key(&name)
    }

    /// Resolves a flat or nested reference from the body of this table. Returns the defining
    /// operation and the body it lies in.
    pub fn resolve<'a>(
        &self,
        ctx: &Context,
        body: &'a Body,
        reference: Attr,
    ) -> Option<(&'a Body, OpId)> {
        let crate::attr::AttrKind::Symbol { root, nested } = reference.kind(ctx) else {
            return None;
        };
        let mut place = (body, self.get(*root)?);
        for name in nested {
            let inner = place.0[place.1].isolated()?;
            place = (inner, SymbolTable::of(ctx, inner).get(*name)?);
        }
        Some(place)
    }
}

/// Collects the symbols that an operation and all below it refer to: of nested references, the
/// first name.
pub fn references(ctx: &Context, body: &Body, root: OpId) -> HashSet<Ident> {
    let mut found = Found::default();
    // Isolated bodies nest: module, gpu.module, gpu.func.
    let mut stack: Vec<(&Body, Vec<OpId>)> = vec![(body, body.walk_op(root))];
    while let Some((body, ops)) = stack.pop() {
        for op in ops {
            found.collect(ctx, body[op].properties);
            found.collect(ctx, body[op].attributes);
            if let Some(inner) = body[op].isolated() {
                stack.push((inner, inner.walk()));
            }
        }
    }
    found.symbols
}

/// Search state of [`references`]: the symbols found, and the attributes already searched, since
/// attributes share parts.
#[derive(Default)]
struct Found {
    symbols: HashSet<Ident>,
    seen: HashSet<Attr>,
}

impl Found {
    fn collect(&mut self, ctx: &Context, dict: AttrDict) {
        let mut stack: Vec<Attr> = dict.entries(ctx).iter().map(|e| e.1).collect();
        while let Some(attr) = stack.pop() {
            match attr.kind(ctx) {
                AttrKind::Symbol { root, .. } => {
                    self.symbols.insert(*root);
                }
                AttrKind::Array(items) if self.seen.insert(attr) => {
                    stack.extend(items.iter().copied());
                }
                AttrKind::Dict(dict) if self.seen.insert(attr) => {
                    stack.extend(dict.entries(ctx).iter().map(|e| e.1));
                }
                _ => {}
            }
        }
    }
}
