//! Functions of a module: the number of threads for function passes, and unused names.

use gridloom_ir::{Body, Context, Ident};

/// Profitability threshold of threads: with fewer operations in all functions, starting threads
/// costs more than it gains.
const MIN_OPS: usize = 1 << 10;

/// Number of threads to run on functions with these bodies.
pub(crate) fn threads_for<'b>(ctx: &Context, bodies: impl IntoIterator<Item = &'b Body>) -> usize {
    let ops: usize = bodies.into_iter().map(Body::op_capacity).sum();
    if ops < MIN_OPS { 1 } else { ctx.threads() }
}

/// Returns the name `wanted`, with a number appended if it is taken.
pub(crate) fn free_name(ctx: &Context, is_taken: impl Fn(Ident) -> bool, wanted: &str) -> Ident {
    let numbered = (0..).map(|n| match n {
        0 => ctx.ident(wanted),
        n => ctx.ident(&format!("{wanted}_{n}")),
    });
    // Only finitely many names are taken.
    let mut free = numbered.filter(|&name| !is_taken(name));
    free.next().unwrap_or_else(|| ctx.ident(wanted))
}
