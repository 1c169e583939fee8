//! Interfaces of entry points as SPIR-V 1.4 has them: all global variables that the entry point
//! or a function it calls refers to, where before only inputs were listed.

use std::collections::BTreeSet;

use gridloom_ir::hash::{FxHashMap, FxHashSet};
use rspirv::dr::{Instruction, Operand};
use rspirv::spirv::{Op, Word};

/// References of each function, by its id: the global variables and functions it names.
#[derive(Default)]
pub(super) struct References {
    by_function: FxHashMap<Word, OfFunction>,
}

/// References of one function.
#[derive(Default)]
pub(super) struct OfFunction {
    variables: BTreeSet<Word>,
    callees: BTreeSet<Word>,
}

impl OfFunction {
    /// Notes the ids of an instruction; `variables` are those of the module.
    pub(super) fn note(
        &mut self,
        op: Op,
        ids: impl Iterator<Item = Word> + Clone,
        variables: &FxHashSet<Word>,
    ) {
        if op == Op::FunctionCall {
            self.callees.extend(ids.clone().next());
        }
        self.variables
            .extend(ids.filter(|id| variables.contains(id)));
    }
}

impl References {
    /// Adds the references of a finished function.
    pub(super) fn add(&mut self, function: Word, of_function: OfFunction) {
        self.by_function.insert(function, of_function);
    }

    /// Lists the variables in every entry point, ascending.
    pub(super) fn list_in(&self, entry_points: &mut [Instruction]) {
        for entry in entry_points {
            // Execution model, function and name stand before the interface.
            const INTERFACE: usize = 3;
            let Some(&Operand::IdRef(function)) = entry.operands.get(1) else {
                continue;
            };
            let found = self.variables_of(function);
            entry.operands.truncate(INTERFACE);
            entry.operands.extend(found.into_iter().map(Operand::IdRef));
        }
    }

    /// The variables that a function or one that it calls refers to.
    fn variables_of(&self, function: Word) -> BTreeSet<Word> {
        let mut found = BTreeSet::new();
        let (mut seen, mut stack) = (BTreeSet::from([function]), vec![function]);
        while let Some(references) = stack.pop().and_then(|f| self.by_function.get(&f)) {
            found.extend(&references.variables);
            let callees = references.callees.iter();
            stack.extend(callees.filter(|&&callee| seen.insert(callee)));
        }
        found
    }
}
