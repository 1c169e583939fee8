//! Guesses of what a loop carries: numbers that iterations advance by a constant, and values that they leave.

use gridloom_dialects::{arith, scf};
use gridloom_ir::{BlockId, Body, Context, Value};

/// Limit of the values that are looked through for one carried value.
const MAX_VALUES: usize = 64;

/// A value that a loop may yield.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Leaf {
    /// A carried value plus a constant.
    Advanced(usize, i64),
    Other,
}

/// By how much iterations advance each carried value; 0 where they leave it. `None` if a value is no integer, or
/// neither.
pub(super) fn guess_steps(ctx: &Context, body: &Body, op: scf::WhileOp) -> Option<Vec<i64>> {
    let count = op.inits(body).len();
    (0..count)
        .map(|place| step_of(ctx, body, op, place))
        .collect()
}

fn step_of(ctx: &Context, body: &Body, op: scf::WhileOp, place: usize) -> Option<i64> {
    let init = op.inits(body)[place];
    let ty = body.ty(init);
    let width = match ty.is_index(ctx) {
        true => 64,
        false => ty.signless_width(ctx)?,
    };
    if width > 64 {
        return None;
    }
    let leaves = Leaves { ctx, body, op }.of(op.yielded(body)[place])?;
    let own = leaves.iter().filter_map(|leaf| match leaf {
        Leaf::Advanced(other, step) if *other == place => Some(*step),
        _ => None,
    });
    let own: Vec<i64> = own.collect();
    let mut steps = own.iter().copied().filter(|&step| step != 0);
    if let Some(step) = steps.next() {
        return steps.all(|other| other == step).then_some(step);
    }
    // A flag that each iteration computes stays what it is while the loop goes on.
    (!own.is_empty() || width == 1).then_some(0)
}

/// The values that a loop may yield.
struct Leaves<'a> {
    ctx: &'a Context,
    body: &'a Body,
    op: scf::WhileOp,
}

impl Leaves<'_> {
    /// Looks through choices and what the first region passes to the second.
    fn of(&self, value: Value) -> Option<Vec<Leaf>> {
        let (ctx, body) = (self.ctx, self.body);
        let (mut found, mut open) = (Vec::new(), vec![(value, 0i64)]);
        for _ in 0..MAX_VALUES {
            let Some((value, step)) = open.pop() else {
                return Some(found);
            };
            let place = |block: BlockId| {
                body[block]
                    .args
                    .iter()
                    .position(|&arg: &Value| arg == value)
            };
            if let Some(place) = place(self.op.before(body)) {
                found.push(Leaf::Advanced(place, step));
                continue;
            }
            if let Some(place) = place(self.op.after(body)) {
                open.push((self.op.condition(body).1[place], step));
                continue;
            }
            let def = body.defining_op(value);
            let def = def.filter(|&def| body.is_ancestor(self.op.0, def));
            let Some(def) = def else {
                found.push(Leaf::Other);
                continue;
            };
            let data = &body[def];
            let constant = |at: usize| arith::constant_int(ctx, body, data.operands[at]);
            match data.name {
                arith::SELECT => open.extend([1, 2].map(|arm| (data.operands[arm], step))),
                scf::IF => {
                    let number = data.results().position(|result| result == value)?;
                    for region in [0, 1] {
                        let end = body[body.region_block(def, region)?].last()?;
                        open.push((body[end].operands[number], step));
                    }
                }
                arith::ADDI if constant(1).is_some() => {
                    open.push((data.operands[0], step.checked_add(constant(1)?)?));
                }
                arith::ADDI if constant(0).is_some() => {
                    open.push((data.operands[1], step.checked_add(constant(0)?)?));
                }
                arith::SUBI if constant(1).is_some() => {
                    open.push((data.operands[0], step.checked_sub(constant(1)?)?));
                }
                _ => found.push(Leaf::Other),
            }
        }
        None
    }
}
