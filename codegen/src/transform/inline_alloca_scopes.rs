//! `inline-alloca-scopes`: puts the operations of a `memref.alloca_scope` in its place.
//!
//! ```text
//! %x = memref.alloca_scope -> (f32) {            %t = memref.alloca() : memref<3xf32>
//!   %t = memref.alloca() : memref<3xf32>         S(%t)
//!   S(%t)                                  ⇒     %x = %y
//!   memref.alloca_scope.return %y
//! }
//! ```
//!
//! Kernels and the analyses of loops know no scopes. Memory then lives until the scope around ends, such
//! as the iteration of a loop. Legal where that is reached through conditionals only: a loop that is no
//! scope itself, such as an `scf.while`, or a branch between blocks would gather the memory of all its
//! rounds, and there the scope stays, as one of several blocks does.

use std::collections::HashMap;

use gridloom_dialects::{affine, memref, scf};
use gridloom_ir::op::Traits;
use gridloom_ir::{Body, Context, OpId, Value};

/// Inlines the scopes of a function, inner ones first. Returns whether there were any.
pub fn inline_alloca_scopes(_ctx: &Context, body: &mut Body) -> bool {
    let mut scopes = body.walk_named(|name| name == memref::ALLOCA_SCOPE);
    scopes.retain(|&op| ends_with_a_scope(body, op));
    let mut results = HashMap::new();
    for &scope in scopes.iter().rev() {
        inline(body, scope, &mut results);
    }
    if !results.is_empty() {
        // A result may be that of a scope inside.
        body.replace_values(|mut value| {
            while let Some(&next) = results.get(&value) {
                value = next;
            }
            value
        });
    }
    !scopes.is_empty()
}

/// Whether what allocates around a scope ends its memory at the end of the block that the scope is in,
/// or of a block that holds it in conditionals.
fn ends_with_a_scope(body: &Body, scope: OpId) -> bool {
    let has_one_block =
        |op: OpId| (body[op].inline_regions().iter()).all(|&region| body[region].blocks.len() == 1);
    if !has_one_block(scope) {
        return false;
    }
    let mut at = scope;
    while let Some(around) = body.parent_op(at) {
        let is_scope = body[around].name.has(Traits::AUTOMATIC_ALLOCATION_SCOPE);
        if is_scope {
            return has_one_block(around);
        }
        if !matches!(body[around].name, scf::IF | scf::INDEX_SWITCH | affine::IF) {
            return false;
        }
        at = around;
    }
    body.top_blocks().count() == 1
}

fn inline(body: &mut Body, scope: OpId, results: &mut HashMap<Value, Value>) {
    let Some(block) = body.region_block(scope, 0) else {
        return;
    };
    let mut ops: Vec<OpId> = body.ops(block).collect();
    let Some(end) = ops.pop() else {
        return;
    };
    results.extend(
        body[scope]
            .results()
            .zip(body[end].operands.iter().copied()),
    );
    for op in ops {
        body.detach(op);
        body.insert_before(scope, op);
    }
    body.erase(scope);
}
