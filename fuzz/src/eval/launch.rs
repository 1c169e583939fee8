//! Evaluation of launches: the threads of a workgroup run statement by statement side by side, so that all of them meet at
//! barriers. What is between two barriers must be independent, as must be all that different workgroups do.

use std::rc::Rc;

use super::control::{assign, counter, holds, initial, range};
use super::{Access, Frame, Machine, Undefined, Value, Watch, identity, subscripts, yielded};
use crate::program::{At, Bin, Block, Cond, Launch, Op, Stmt, Update, Var};
use crate::scalar;

/// Limits of the workgroups of a launch and of the threads of a workgroup.
const MOST: (i64, i64) = (64, 256);

impl Machine<'_> {
    pub(super) fn launch(&mut self, frame: &Frame, launch: &Launch) -> Result<(), Undefined> {
        let grid = sizes(frame, &launch.grid, (0, MOST.0))?;
        let block = sizes(frame, &launch.block, (1, MOST.1))?;
        // The statement that races is to blame, not the launch.
        self.watches.extend([Watch::new(0), Watch::new(0)]);
        for (number, group) in subscripts(&grid).iter().enumerate() {
            self.of_groups().enter(number as u64);
            self.of_threads().forget();
            let mut threads = Vec::new();
            let shared = self.allocated(&launch.shared)?;
            for thread in subscripts(&block) {
                let mut own = frame.clone();
                for (vars, numbers) in launch.ids.iter().zip([group, &thread, &grid, &block]) {
                    for (&var, &number) in vars.iter().zip(numbers) {
                        own.set(var, Value::Bits(number as u64));
                    }
                }
                let private = self.allocated(&launch.private)?;
                for (var, view) in shared.iter().chain(&private) {
                    own.set(*var, view.clone());
                }
                threads.push(own);
            }
            self.together(&mut threads, &launch.body)?;
        }
        self.watches.truncate(self.watches.len() - 2);
        Ok(())
    }

    pub(super) fn update(&mut self, frame: &Frame, by: &Update) -> Result<(), Undefined> {
        let view = frame.view(by.mem)?;
        let at = self.subscript(frame, &At::Plain(by.at.clone()))?;
        let (before, value) = (self.memory.read(&view, &at)?, frame.bits(by.value)?);
        let after = scalar::binary(by.kind, before, value, self.program.scalar(by.value))?;
        self.memory.write(&view, &at, after)?;
        self.touch(&view, &at, Access::Update)
    }

    fn allocated(&mut self, vars: &[Var]) -> Result<Vec<(Var, Value)>, Undefined> {
        let mut views = Vec::new();
        for &var in vars {
            let ty = self.program.mem(var);
            let sizes = ty.known_sizes().ok_or("an attribution of open size")?;
            let view = self.memory.allocate(ty, sizes)?;
            views.push((var, Value::View(Rc::new(view))));
        }
        Ok(views)
    }

    /// Detector of races between the workgroups of the launch at hand.
    fn of_groups(&mut self) -> &mut Watch {
        let at = self.watches.len() - 2;
        &mut self.watches[at]
    }

    /// Detector of races between the threads of the workgroup at hand.
    fn of_threads(&mut self) -> &mut Watch {
        let at = self.watches.len() - 1;
        &mut self.watches[at]
    }

    /// Runs a block in all threads of a workgroup. Returns the operands of its terminator in each.
    fn together(
        &mut self,
        threads: &mut [Frame],
        block: &Block,
    ) -> Result<Vec<Vec<Value>>, Undefined> {
        for stmt in &block.stmts {
            match has_meeting(stmt) {
                true => self.meet(threads, stmt),
                false => self.each(threads, stmt),
            }
            .map_err(|undefined| undefined.or_at(stmt))?;
        }
        (threads.iter())
            .map(|thread| yielded(thread, block))
            .collect()
    }

    fn each(&mut self, threads: &mut [Frame], stmt: &Stmt) -> Result<(), Undefined> {
        for (number, thread) in threads.iter_mut().enumerate() {
            self.of_threads().enter(number as u64);
            self.step(thread, stmt)?;
        }
        Ok(())
    }

    /// Runs a statement at which, or inside which, the threads meet.
    fn meet(&mut self, threads: &mut [Frame], stmt: &Stmt) -> Result<(), Undefined> {
        let values = match &stmt.op {
            Op::Barrier => {
                self.of_threads().forget();
                return Ok(());
            }
            Op::AllReduce(kind, value) => self.all_reduced(threads, *kind, *value)?,
            Op::For {
                iv,
                lower,
                upper,
                step,
                carried,
                body,
                ..
            } => {
                let range = uniform(threads, |thread| range(thread, (lower, upper, *step)))?;
                let mut values = (threads.iter())
                    .map(|thread| initial(thread, carried))
                    .collect::<Result<Vec<_>, _>>()?;
                for i in counter(range) {
                    for (thread, values) in threads.iter_mut().zip(values) {
                        thread.set(*iv, Value::Bits(i));
                        assign(thread, carried, values);
                    }
                    values = self.together(threads, body)?;
                }
                values
            }
            Op::If {
                cond,
                then,
                otherwise,
            } => self.branch(threads, cond, (then, otherwise.as_ref()))?,
            _ => return Err(Undefined::new("a place where threads cannot meet")),
        };
        for (thread, values) in threads.iter_mut().zip(values) {
            for (&result, value) in stmt.results.iter().zip(values) {
                thread.set(result, value);
            }
        }
        Ok(())
    }

    fn branch(
        &mut self,
        threads: &mut [Frame],
        cond: &Cond,
        (then, otherwise): (&Block, Option<&Block>),
    ) -> Result<Vec<Vec<Value>>, Undefined> {
        let taken = match uniform(threads, |thread| holds(thread, cond))? {
            true => Some(then),
            false => otherwise,
        };
        match taken {
            Some(block) => self.together(threads, block),
            None => Ok(vec![Vec::new(); threads.len()]),
        }
    }

    fn all_reduced(
        &self,
        threads: &[Frame],
        kind: Bin,
        value: Var,
    ) -> Result<Vec<Vec<Value>>, Undefined> {
        let ty = self.program.scalar(value);
        let mut all = identity(kind, ty);
        for thread in threads {
            all = scalar::binary(kind, all, thread.bits(value)?, ty)?;
        }
        Ok(vec![vec![Value::Bits(all)]; threads.len()])
    }
}

/// Whether the threads of a workgroup meet at this statement or inside it.
fn has_meeting(stmt: &Stmt) -> bool {
    let within = |block: &Block| block.stmts.iter().any(has_meeting);
    match &stmt.op {
        Op::Barrier | Op::AllReduce(..) => true,
        Op::For { body, .. } => within(body),
        Op::If {
            then, otherwise, ..
        } => within(then) || otherwise.as_ref().is_some_and(within),
        _ => false,
    }
}

/// What all threads of a workgroup have in common.
fn uniform<T: PartialEq>(
    threads: &[Frame],
    of: impl Fn(&Frame) -> Result<T, Undefined>,
) -> Result<T, Undefined> {
    let first = of(&threads[0])?;
    for thread in &threads[1..] {
        if of(thread)? != first {
            return Err(Undefined::new("threads that part in front of a barrier"));
        }
    }
    Ok(first)
}

/// Sizes of a grid or a workgroup: each at least `least`, all together at most `most`.
fn sizes(frame: &Frame, vars: &[Var; 3], (least, most): (i64, i64)) -> Result<Vec<i64>, Undefined> {
    let sizes =
        (vars.iter().map(|&var| frame.int(var))).collect::<Result<Vec<i64>, Undefined>>()?;
    let product = (sizes.iter()).try_fold(1i64, |product, &size| match size >= least {
        true => product.checked_mul(size),
        false => None,
    });
    match product.is_some_and(|product| product <= most) {
        true => Ok(sizes),
        false => Err(Undefined::new("a launch of another size")),
    }
}
