//! Least bounds: a loop that ends at the first of several bounds ends at the least of them.
//!
//! ```text
//! %a = arith.cmpi slt, %i, %m                 %l = arith.minsi %m, %n
//! %b = arith.cmpi slt, %i, %n           ⇒     %c = arith.cmpi slt, %i, %l
//! %c = arith.andi %a, %b                      scf.condition(%c) %i
//! scf.condition(%c) %i
//! ```
//!
//! Blocks of a loop are written so: `for (i = b; i < b + 32 && i < n; i++)`.

use gridloom_dialects::arith::{self, CmpIOp, CmpIPredicate};
use gridloom_dialects::scf;
use gridloom_ir::{Body, Builder, Context, OpId, OpName, Value};

/// Joins the bounds in the tests of `scf.while` operations. Returns whether there was one with several.
pub(super) fn join(ctx: &Context, body: &mut Body, ops: &[OpId]) -> bool {
    let mut changed = false;
    for &op in ops {
        let Some(op) = scf::WhileOp::cast(body, op) else {
            continue;
        };
        while let Some(both) = both_bounds(ctx, body, op) {
            both.apply(ctx, body);
            changed = true;
        }
    }
    changed
}

/// Two comparisons of a counter, both of which have to hold.
struct BothBounds {
    /// The conjunction.
    op: OpId,
    counter: Value,
    predicate: CmpIPredicate,
    bounds: [Value; 2],
}

/// The first conjunction in a loop's test of comparisons of one carried value by one predicate.
fn both_bounds(ctx: &Context, body: &Body, op: scf::WhileOp) -> Option<BothBounds> {
    let before = op.before(body);
    body.ops(before).find_map(|op| {
        let [left, right] = body[op].operands[..] else {
            return None;
        };
        let is_conjunction = body[op].name == arith::ANDI && left != right;
        let compared = |value| compared(ctx, body, value);
        let [left, right] = [is_conjunction.then(|| compared(left))?, compared(right)];
        left.iter().find_map(|&(counter, predicate, bound)| {
            let is_same =
                |other: &&(Value, CmpIPredicate, Value)| (other.0, other.1) == (counter, predicate);
            let other = right.iter().find(is_same)?;
            let is_counter = body[before].args.contains(&counter);
            (is_counter && extremum(predicate).is_some()).then_some(BothBounds {
                op,
                counter,
                predicate,
                bounds: [bound, other.2],
            })
        })
    })
}

/// Both readings of a comparison of integers, with each of its operands on the left; none for another operation.
fn compared(ctx: &Context, body: &Body, value: Value) -> Vec<(Value, CmpIPredicate, Value)> {
    let op = body.defining_op(value);
    let op = op.filter(|&op| body[op].name == arith::CMPI);
    let readings = op.map(|op| {
        let (left, right) = (body[op].operands[0], body[op].operands[1]);
        let predicate = CmpIOp(op).predicate(ctx, body);
        [
            (left, predicate, right),
            (right, predicate.mirrored(), left),
        ]
    });
    readings.into_iter().flatten().collect()
}

/// The operation that gives the bound which counts where both do.
fn extremum(predicate: CmpIPredicate) -> Option<OpName> {
    Some(match predicate {
        CmpIPredicate::Slt | CmpIPredicate::Sle => arith::MINSI,
        CmpIPredicate::Sgt | CmpIPredicate::Sge => arith::MAXSI,
        CmpIPredicate::Ult | CmpIPredicate::Ule => arith::MINUI,
        CmpIPredicate::Ugt | CmpIPredicate::Uge => arith::MAXUI,
        CmpIPredicate::Eq | CmpIPredicate::Ne => return None,
    })
}

impl BothBounds {
    fn apply(&self, ctx: &Context, body: &mut Body) {
        let Some(extremum) = extremum(self.predicate) else {
            return;
        };
        let mut b = Builder::before(ctx, body, self.op);
        let bound = b.binary(extremum, self.bounds[0], self.bounds[1]);
        let test = CmpIOp::create(&mut b, self.predicate, self.counter, bound);
        body.replace_op(self.op, &[test]);
    }
}
