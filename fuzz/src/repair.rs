//! Repair: removes statements with undefined behaviour from a program.

use std::collections::HashSet;

use crate::eval::{Outcome, RACE, TOO_LONG, evaluate};
use crate::program::{Block, Op, Program, Stmt, Var};
use crate::types::Type;

/// Limit of the removed statements, after which a program is given up.
const REPAIRS: usize = 60;

/// Repairs a program until its behaviour is defined. Returns it with its outcome. `None` where that
/// takes too many removals, or the program runs too long.
pub fn repaired(mut program: Program) -> Option<(Program, Outcome)> {
    for _ in 0..REPAIRS {
        match evaluate(&program) {
            Ok(outcome) => return Some((program, outcome)),
            Err(undefined) if undefined.why == TOO_LONG || undefined.stmt == 0 => return None,
            Err(undefined) => {
                let sequential =
                    undefined.why == RACE && make_sequential(&mut program, undefined.stmt);
                if !sequential && !remove(&mut program, undefined.stmt) {
                    return None;
                }
            }
        }
    }
    None
}

/// Removes a statement with everything that depends on it: its scalar results become constants,
/// users of its memrefs are removed. Returns false if there is no such statement.
pub fn remove(program: &mut Program, stmt: u32) -> bool {
    let mut removal = Removal {
        types: program.types.clone(),
        target: stmt,
        gone: HashSet::new(),
        found: false,
        next: program.next_stmt,
    };
    for function in &mut program.functions {
        removal.block(&mut function.body);
    }
    program.next_stmt = removal.next;
    removal.found
}

/// Removes unused constants.
pub fn drop_unused_constants(program: &mut Program) {
    for function in &mut program.functions {
        let mut used = HashSet::new();
        function.body.uses(&mut |var| {
            used.insert(*var);
        });
        function.body.visit(&mut |block| {
            block.stmts.retain(|stmt| {
                !matches!(stmt.op, Op::Const(_))
                    || stmt.results.iter().any(|var| used.contains(var))
            });
        });
    }
}

struct Removal {
    types: Vec<Type>,
    target: u32,
    gone: HashSet<Var>,
    found: bool,
    next: u32,
}

impl Removal {
    fn block(&mut self, block: &mut Block) {
        let mut kept = Vec::new();
        for mut stmt in std::mem::take(&mut block.stmts) {
            let mut lacks = false;
            stmt.op
                .operands(&mut |var| lacks |= self.gone.contains(var));
            if lacks || stmt.id == self.target {
                self.found = true;
                kept.extend(self.stand_ins(&stmt));
                continue;
            }
            for inner in stmt.op.blocks_mut() {
                self.block(inner);
            }
            kept.push(stmt);
        }
        block.stmts = kept;
    }

    /// Constants in place of a statement's scalar results.
    fn stand_ins(&mut self, stmt: &Stmt) -> Vec<Stmt> {
        let mut constants = Vec::new();
        for &result in &stmt.results {
            if self.types[result.0 as usize].scalar().is_none() {
                self.gone.insert(result);
                continue;
            }
            self.next += 1;
            constants.push(Stmt {
                id: self.next,
                results: vec![result],
                op: Op::Const(0),
            });
        }
        constants
    }
}

/// Turns a parallel loop without results into nested sequential loops.
fn make_sequential(program: &mut Program, stmt: u32) -> bool {
    let mut next = program.next_stmt;
    let mut done = false;
    for function in &mut program.functions {
        function.body.visit(&mut |block| {
            for place in &mut block.stmts {
                if place.id == stmt
                    && let Some(loops) = sequential(place, &mut next)
                {
                    *place = loops;
                    done = true;
                }
            }
        });
    }
    program.next_stmt = next;
    done
}

fn sequential(stmt: &Stmt, next: &mut u32) -> Option<Stmt> {
    let Op::Parallel {
        affine,
        ivs,
        lower,
        upper,
        steps,
        reductions,
        body,
    } = &stmt.op
    else {
        return None;
    };
    if !reductions.is_empty() {
        return None;
    }
    let mut body = body.clone();
    for dim in (0..ivs.len()).rev() {
        let op = Op::For {
            affine: *affine,
            iv: ivs[dim],
            lower: lower[dim].clone(),
            upper: upper[dim].clone(),
            step: steps[dim],
            carried: Vec::new(),
            body,
        };
        *next += 1;
        let inner = Stmt {
            id: *next,
            results: Vec::new(),
            op,
        };
        body = Block {
            stmts: vec![inner],
            yields: Vec::new(),
        };
    }
    body.stmts.pop()
}
