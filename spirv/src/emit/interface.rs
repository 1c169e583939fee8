//! Interfaces of entry points as SPIR-V 1.4 has them: all global variables that the entry point
//! or a function it calls refers to, where before only inputs were listed.

use std::collections::BTreeSet;

use gridloom_ir::hash::{FxHashMap, FxHashSet};
use rspirv::dr::{Function, Module, Operand};
use rspirv::spirv::{Op, Word};

/// References of one function.
#[derive(Default)]
struct References {
    variables: BTreeSet<Word>,
    callees: BTreeSet<Word>,
}

/// Lists the variables in every entry point, ascending.
pub(super) fn complete(module: &mut Module) {
    let globals = module.types_global_values.iter();
    let variables: FxHashSet<Word> = globals
        .filter(|inst| inst.class.opcode == Op::Variable)
        .filter_map(|inst| inst.result_id)
        .collect();
    let all: FxHashMap<Word, References> = module
        .functions
        .iter()
        .filter_map(|function| Some((function.def.as_ref()?.result_id?, of(function, &variables))))
        .collect();
    for entry in &mut module.entry_points {
        // Execution model, function and name stand before the interface.
        const INTERFACE: usize = 3;
        let Some(&Operand::IdRef(function)) = entry.operands.get(1) else {
            continue;
        };
        let mut found = BTreeSet::new();
        let (mut seen, mut stack) = (BTreeSet::from([function]), vec![function]);
        while let Some(references) = stack.pop().and_then(|function| all.get(&function)) {
            found.extend(&references.variables);
            stack.extend(
                references
                    .callees
                    .iter()
                    .filter(|&&callee| seen.insert(callee)),
            );
        }
        entry.operands.truncate(INTERFACE);
        entry.operands.extend(found.into_iter().map(Operand::IdRef));
    }
}

fn of(function: &Function, variables: &FxHashSet<Word>) -> References {
    let mut references = References::default();
    for inst in function.all_inst_iter() {
        let ids = inst.operands.iter().filter_map(|operand| match operand {
            Operand::IdRef(id) => Some(*id),
            _ => None,
        });
        if inst.class.opcode == Op::FunctionCall {
            references.callees.extend(ids.clone().next());
        }
        references
            .variables
            .extend(ids.filter(|id| variables.contains(id)));
    }
    references
}
