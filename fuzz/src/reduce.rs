//! Reducer: makes a failing program smaller while it fails in the same way.

use std::collections::HashMap;

use crate::affine::Expr;
use crate::program::{Block, Bound, Cond, Input, Op, Program, Stmt, Var};
use crate::repair;

/// Limit of the check runs of a reduction.
const TRIES: usize = 600;

/// The smallest program found for which `fails` still holds.
pub fn reduce(program: Program, fails: &mut dyn FnMut(&Program) -> bool) -> Program {
    let mut reduction = Reduction {
        program,
        fails,
        tries: 0,
    };
    loop {
        let before = reduction.tries;
        let mut smaller = reduction.drop_functions();
        smaller |= reduction.drop_statements();
        smaller |= reduction.hoist_regions();
        smaller |= reduction.drop_yields();
        smaller |= reduction.drop_params();
        smaller |= reduction.simplify_exprs();
        smaller |= reduction.simplify_inputs();
        if !smaller || reduction.tries >= TRIES || reduction.tries == before {
            return reduction.program;
        }
    }
}

struct Reduction<'f> {
    program: Program,
    fails: &'f mut dyn FnMut(&Program) -> bool,
    tries: usize,
}

impl Reduction<'_> {
    /// Applies a change if the program still fails with it.
    fn attempt(&mut self, change: impl FnOnce(&mut Program) -> bool) -> bool {
        if self.tries >= TRIES {
            return false;
        }
        let mut changed = self.program.clone();
        if !change(&mut changed) {
            return false;
        }
        repair::drop_unused_constants(&mut changed);
        self.tries += 1;
        let keeps = (self.fails)(&changed);
        if keeps {
            self.program = changed;
        }
        keeps
    }

    fn drop_functions(&mut self) -> bool {
        let mut smaller = false;
        for number in (0..self.program.functions.len().saturating_sub(1)).rev() {
            smaller |= self.attempt(|program| drop_function(program, number));
        }
        for number in (0..self.program.globals.len()).rev() {
            smaller |= self.attempt(|program| drop_global(program, number));
        }
        smaller
    }

    fn ids(&mut self) -> Vec<u32> {
        let mut ids = Vec::new();
        for function in &mut self.program.functions {
            function
                .body
                .visit(&mut |block| ids.extend(block.stmts.iter().map(|stmt| stmt.id)));
        }
        ids
    }

    fn drop_statements(&mut self) -> bool {
        let mut smaller = false;
        // Outer blocks first, so that large parts go early.
        for id in self.ids() {
            smaller |=
                self.attempt(|program| !is_constant(program, id) && repair::remove(program, id));
        }
        smaller
    }

    /// Replaces a loop or branch by its body.
    fn hoist_regions(&mut self) -> bool {
        let mut smaller = false;
        for id in self.ids() {
            for which in 0..2 {
                smaller |= self.attempt(|program| hoist(program, id, which));
            }
        }
        smaller
    }

    /// Drops function results that no caller uses.
    fn drop_yields(&mut self) -> bool {
        let mut smaller = false;
        for number in 0..self.program.functions.len() {
            smaller |= self.attempt(|program| {
                let yields = std::mem::take(&mut program.functions[number].body.yields);
                calls(program, number, &mut |stmt| stmt.results.clear());
                !yields.is_empty()
            });
        }
        smaller
    }

    fn drop_params(&mut self) -> bool {
        let mut smaller = false;
        for number in 0..self.program.functions.len() {
            for param in (0..self.program.functions[number].params.len()).rev() {
                smaller |= self.attempt(|program| drop_param(program, number, param));
            }
        }
        smaller
    }

    fn simplify_exprs(&mut self) -> bool {
        let mut smaller = false;
        let mut which = 0;
        loop {
            let mut count = 0;
            each_expr(&mut self.program.clone(), &mut |_| count += 1);
            if which >= count || self.tries >= TRIES {
                return smaller;
            }
            let mut done = false;
            for how in 0..3 {
                done = done || self.attempt(|program| simplify(program, which, how));
            }
            smaller |= done;
            which += usize::from(!done);
        }
    }

    fn simplify_inputs(&mut self) -> bool {
        let mut smaller = false;
        for number in 0..self.program.inputs.len() {
            smaller |= self.attempt(|program| match &mut program.inputs[number] {
                Input::MemRef { elements, .. } if elements.iter().any(|&bits| bits != 0) => {
                    elements.fill(0);
                    true
                }
                Input::Scalar(bits) if *bits > 1 => {
                    *bits = 1;
                    true
                }
                _ => false,
            });
        }
        smaller
    }
}

/// Whether the statement is a constant, which only another constant could replace.
fn is_constant(program: &mut Program, id: u32) -> bool {
    let mut found = false;
    for function in &mut program.functions {
        function.body.visit(&mut |block| {
            found |= block
                .stmts
                .iter()
                .any(|stmt| stmt.id == id && matches!(stmt.op, Op::Const(_)));
        });
    }
    found
}

/// Calls `f` on the statements that call a function.
fn calls(program: &mut Program, number: usize, f: &mut impl FnMut(&mut Stmt)) {
    for function in &mut program.functions {
        function.body.visit(&mut |block| {
            for stmt in &mut block.stmts {
                if matches!(stmt.op, Op::Call { callee, .. } if callee == number) {
                    f(stmt);
                }
            }
        });
    }
}

fn drop_function(program: &mut Program, number: usize) -> bool {
    let mut ids = Vec::new();
    calls(program, number, &mut |stmt| ids.push(stmt.id));
    for id in ids {
        repair::remove(program, id);
    }
    program.functions.remove(number);
    for function in &mut program.functions {
        function.body.visit(&mut |block| {
            for stmt in &mut block.stmts {
                if let Op::Call { callee, .. } = &mut stmt.op
                    && *callee > number
                {
                    *callee -= 1;
                }
            }
        });
    }
    true
}

fn drop_global(program: &mut Program, number: usize) -> bool {
    let mut used = false;
    for function in &mut program.functions {
        function.body.visit(&mut |block| {
            used |= block
                .stmts
                .iter()
                .any(|stmt| matches!(stmt.op, Op::GetGlobal(n) if n == number));
        });
    }
    if used {
        return false;
    }
    program.globals.remove(number);
    for function in &mut program.functions {
        function.body.visit(&mut |block| {
            for stmt in &mut block.stmts {
                if let Op::GetGlobal(n) = &mut stmt.op
                    && *n > number
                {
                    *n -= 1;
                }
            }
        });
    }
    true
}

fn drop_param(program: &mut Program, number: usize, param: usize) -> bool {
    let var = program.functions[number].params[param];
    let mut used = false;
    program.functions[number]
        .body
        .uses(&mut |use_| used |= *use_ == var);
    if used {
        return false;
    }
    program.functions[number].params.remove(param);
    if number + 1 == program.functions.len() {
        program.inputs.remove(param);
    }
    calls(program, number, &mut |stmt| {
        if let Op::Call { args, .. } = &mut stmt.op {
            args.remove(param);
        }
    });
    true
}

/// Replaces a statement with regions by the statements of one of them.
fn hoist(program: &mut Program, id: u32, which: usize) -> bool {
    let mut next = program.next_stmt;
    let mut replaced = HashMap::new();
    for function in &mut program.functions {
        function.body.visit(&mut |block| {
            let Some(place) = block.stmts.iter().position(|stmt| stmt.id == id) else {
                return;
            };
            let stmt = block.stmts[place].clone();
            if let Some((stmts, map)) = flattened(stmt, which, &mut next) {
                block.stmts.splice(place..=place, stmts);
                replaced = map;
            }
        });
    }
    program.next_stmt = next;
    let resolve = |mut var: Var| {
        while let Some(&to) = replaced.get(&var) {
            var = to;
        }
        var
    };
    for function in &mut program.functions {
        function.body.uses(&mut |var| *var = resolve(*var));
    }
    !replaced.is_empty() || which == 0
}

type Flat = (Vec<Stmt>, HashMap<Var, Var>);

fn flattened(stmt: Stmt, which: usize, next: &mut u32) -> Option<Flat> {
    let mut map = HashMap::new();
    let mut counters = Vec::new();
    let body: Block = match stmt.op {
        Op::For {
            iv, carried, body, ..
        } if which == 0 => {
            counters.push(iv);
            map.extend(carried);
            body
        }
        Op::Parallel {
            ivs,
            reductions,
            body,
            ..
        } if which == 0 && reductions.is_empty() => {
            counters.extend(ivs);
            body
        }
        Op::If {
            then, otherwise, ..
        } => {
            if which == 0 {
                then
            } else {
                otherwise?
            }
        }
        Op::Branch {
            then, otherwise, ..
        } => {
            if which == 0 {
                then
            } else {
                otherwise
            }
        }
        _ => return None,
    };
    let mut stmts: Vec<Stmt> = counters
        .into_iter()
        .map(|iv| {
            *next += 1;
            Stmt {
                id: *next,
                results: vec![iv],
                op: Op::Const(0),
            }
        })
        .collect();
    stmts.extend(body.stmts);
    map.extend(stmt.results.into_iter().zip(body.yields));
    Some((stmts, map))
}

/// Calls `f` on every affine expression, nested ones included.
fn each_expr(program: &mut Program, f: &mut dyn FnMut(&mut Expr)) {
    fn parts(expr: &mut Expr, f: &mut dyn FnMut(&mut Expr)) {
        f(expr);
        expr.parts_mut().into_iter().for_each(|part| parts(part, f));
    }
    let bounds = |list: &mut [Bound], f: &mut dyn FnMut(&mut Expr)| {
        for bound in list {
            if let Bound::Affine(exprs) = bound {
                exprs.iter_mut().for_each(|expr| parts(expr, f));
            }
        }
    };
    for function in &mut program.functions {
        function.body.visit(&mut |block| {
            for stmt in &mut block.stmts {
                match &mut stmt.op {
                    Op::Apply(expr) => parts(expr, f),
                    Op::Extremum { exprs, .. }
                    | Op::Load {
                        at: crate::program::At::Affine(exprs),
                        ..
                    }
                    | Op::Store {
                        at: crate::program::At::Affine(exprs),
                        ..
                    } => exprs.iter_mut().for_each(|expr| parts(expr, f)),
                    Op::For { lower, upper, .. } => {
                        bounds(std::slice::from_mut(lower), f);
                        bounds(std::slice::from_mut(upper), f);
                    }
                    Op::Parallel { lower, upper, .. } => {
                        bounds(lower, f);
                        bounds(upper, f);
                    }
                    Op::If {
                        cond: Cond::Set(list),
                        ..
                    } => list.iter_mut().for_each(|(expr, _)| parts(expr, f)),
                    _ => {}
                }
            }
        });
    }
}

/// Replaces the expression with this number by one of its operands, or by 0.
fn simplify(program: &mut Program, which: usize, how: usize) -> bool {
    let (mut number, mut changed) = (0, false);
    each_expr(program, &mut |expr| {
        if number == which && !changed {
            let part = expr
                .parts_mut()
                .into_iter()
                .nth(how)
                .map(|part| part.clone());
            let simpler = match (part, &*expr) {
                (Some(part), _) => Some(part),
                (None, Expr::Const(_)) => None,
                (None, _) => (how == 2).then_some(Expr::Const(0)),
            };
            if let Some(simpler) = simpler {
                *expr = simpler;
                changed = true;
            }
        }
        number += 1;
    });
    changed
}
