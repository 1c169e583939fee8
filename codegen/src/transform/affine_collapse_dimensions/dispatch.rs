//! Dispatch between the versions of a function with and without collapsed dimensions.

use std::collections::HashSet;

use gridloom_dialects::func::{self, CallOp};
use gridloom_dialects::{inherent, scf};
use gridloom_ir::{Builder, Context, Ident, InsertPoint, Module, OpId, Type, Value};

use super::open::Versions;
use crate::functions::free_name;
use crate::versions::install::add_version;

/// Suffixes of the names of the versions.
const SUFFIXES: [&str; 2] = ["__collapsed", "__uncollapsed"];

/// Adds the versions behind a function, which becomes the dispatcher.
pub(super) fn install(
    ctx: &Context,
    module: &mut Module,
    function: OpId,
    mut versions: Versions,
) -> Option<()> {
    let data = &module.body()[function];
    let name = ctx.str(data.symbol_name(ctx)?).to_owned();
    let ty = data.get(ctx, inherent::FUNCTION_TYPE)?;
    let (_, results) = ty.function(ctx)?;
    let taken: HashSet<Ident> = module.symbols(ctx).names().collect();
    let names = SUFFIXES.map(|suffix| {
        let wanted = format!("{name}{suffix}");
        free_name(ctx, |name| taken.contains(&name), &wanted)
    });
    versions.dispatch(ctx, names, results)?;
    if versions.agrees.is_some() {
        let original = module.body()[function].isolated()?.clone();
        add_version(ctx, module, function, names[1], original);
    }
    add_version(ctx, module, function, names[0], versions.collapsed);
    module.body_mut()[function].set_isolated(versions.dispatcher);
    Some(())
}

impl Versions {
    /// Replaces the statements of the dispatcher by the call of a version.
    fn dispatch(&mut self, ctx: &Context, names: [Ident; 2], results: &[Type]) -> Option<()> {
        let entry = self.dispatcher.entry()?;
        let args = self.dispatcher[entry].args.to_vec();
        let ops: Vec<OpId> = self.dispatcher.ops(entry).collect();
        let (&end, statements) = ops.split_last()?;
        let mut needed = HashSet::new();
        let mut open: Vec<Value> = self.passed.iter().chain(&self.agrees).copied().collect();
        while let Some(value) = open.pop() {
            let def = self.dispatcher.defining_op(value);
            if let Some(def) = def.filter(|&def| needed.insert(def)) {
                open.extend(self.dispatcher[def].operands.iter().copied());
            }
        }
        let mut b = Builder::before(ctx, &mut self.dispatcher, end);
        let [collapsed, original] = names;
        let call = |b: &mut Builder, callee: Ident, operands: &[Value]| -> Vec<Value> {
            let call = CallOp::create(b, callee, operands, results);
            b.body[call.0].results().collect()
        };
        let values = match self.agrees {
            None => call(&mut b, collapsed, &self.passed),
            Some(agrees) => {
                let choice = scf::IfOp::create(&mut b, agrees, results, true);
                let blocks = [Some(choice.then_block(b.body)), choice.else_block(b.body)];
                let calls = [(collapsed, &self.passed), (original, &args)];
                for (block, (callee, operands)) in blocks.into_iter().flatten().zip(calls) {
                    b.set(InsertPoint::End(block));
                    let values = call(&mut b, callee, operands);
                    scf::yield_values(&mut b, block, &values);
                }
                b.body[choice.0].results().collect()
            }
        };
        b.set(InsertPoint::Before(end));
        func::return_values(&mut b, &values);
        self.dispatcher.erase(end);
        // Users stand behind what they use.
        for &op in statements.iter().rev().filter(|op| !needed.contains(op)) {
            self.dispatcher.erase(op);
        }
        Some(())
    }
}
