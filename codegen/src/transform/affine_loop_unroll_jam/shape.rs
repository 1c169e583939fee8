//! Shape of a loop's body: runs of statements, and the loops that are jammed.

use std::collections::HashMap;
use std::rc::Rc;

use gridloom_dialects::affine::ForOp;
use gridloom_ir::{BlockId, Body, OpId};

use crate::analysis::values::AffineValues;

/// Limit of the nesting depth of loops that are jammed; deeper ones are statements.
const MAX_DEPTH: usize = 16;

/// Shape of a block: its items in order.
pub(super) struct Shape(pub(super) Vec<Item>);

/// Item of a block.
pub(super) enum Item {
    /// Consecutive statements.
    Run(Vec<OpId>),
    /// A loop, and the shape of its body.
    Loop(ForOp, Shape),
}

/// Position of a statement in a shape.
pub(super) struct Position {
    /// The loops around it, outermost first.
    pub(super) loops: Vec<ForOp>,
    /// Item numbers: in the outer loop's block, then in that of each loop around the statement.
    pub(super) items: Vec<usize>,
}

impl Shape {
    /// The shape of a loop's body, without the terminator.
    pub(super) fn of(body: &Body, op: ForOp) -> Self {
        Shape::of_block(body, op.block(body), 0)
    }

    fn of_block(body: &Body, block: BlockId, depth: usize) -> Self {
        let mut items: Vec<Item> = Vec::new();
        for op in body.without_terminator(block) {
            if let Some(l) = ForOp::cast(body, op).filter(|_| depth < MAX_DEPTH) {
                items.push(Item::Loop(
                    l,
                    Shape::of_block(body, l.block(body), depth + 1),
                ));
            } else if let Some(Item::Run(run)) = items.last_mut() {
                run.push(op);
            } else {
                items.push(Item::Run(vec![op]));
            }
        }
        Shape(items)
    }

    /// Whether the shape contains a loop to jam.
    pub(super) fn has_loops(&self) -> bool {
        self.0.iter().any(|item| matches!(item, Item::Loop(..)))
    }

    /// The first loop whose bounds may vary between iterations of `outer`.
    pub(super) fn varying_loop(&self, values: &mut AffineValues, outer: ForOp) -> Option<ForOp> {
        let mut inside: Vec<ForOp> = Vec::new();
        let mut shapes = vec![self];
        while let Some(shape) = shapes.pop() {
            for item in &shape.0 {
                if let Item::Loop(l, below) = item {
                    inside.push(*l);
                    shapes.push(below);
                }
            }
        }
        let (ctx, body) = (values.ctx, values.body);
        let counters: Vec<_> = inside.iter().map(|l| l.induction_var(body)).collect();
        inside.into_iter().find(|&l| {
            let bounds = [l.lower(ctx, body), l.upper(ctx, body)];
            !bounds.into_iter().all(|bound| {
                let exprs = values.map_exprs(l.0, bound.map, bound.operands);
                exprs.into_iter().all(|expr| {
                    let mut atoms = Vec::new();
                    let Some(expr) = expr else { return false };
                    values.atoms_in(expr, &mut atoms);
                    // Counters of inner loops are compared in the same iteration of these.
                    atoms.into_iter().all(|number| {
                        let atom = values.atom(number);
                        let is_counter = atom.anchor().is_some_and(|v| counters.contains(&v));
                        is_counter || !values.block_is_inside(values.atom_block(atom), outer.0)
                    })
                })
            })
        })
    }

    /// The positions of all operations, including those nested in statements.
    pub(super) fn positions(&self, body: &Body) -> HashMap<OpId, Rc<Position>> {
        let mut found = HashMap::new();
        self.add_positions(body, &[], &[], &mut found);
        found
    }

    fn add_positions(
        &self,
        body: &Body,
        loops: &[ForOp],
        items: &[usize],
        found: &mut HashMap<OpId, Rc<Position>>,
    ) {
        for (number, item) in self.0.iter().enumerate() {
            let items = [items, &[number]].concat();
            match item {
                Item::Loop(l, below) => {
                    below.add_positions(body, &[loops, &[*l]].concat(), &items, found);
                }
                Item::Run(ops) => {
                    let loops = loops.to_vec();
                    let position = Rc::new(Position { loops, items });
                    let below = ops.iter().flat_map(|&op| body.walk_op(op));
                    found.extend(below.map(|op| (op, Rc::clone(&position))));
                }
            }
        }
    }
}
