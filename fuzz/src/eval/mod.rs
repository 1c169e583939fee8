//! Evaluator: computes the results of programs, and finds undefined behaviour.
//!
//! A walk over the tree that computes what each operation is documented to
//! compute, independent of gridloom. Parallel loops run in ascending order, and a
//! pair of iterations that are not independent is undefined.

mod control;
mod launch;
mod masked;
mod memory;
mod race;
mod transfers;
mod vectors;

use std::ops::Range;
use std::rc::Rc;

use memory::numbers;
pub use memory::{Memory, OUT_OF_RANGE, View, subscripts};
pub use race::{Access, Watch};
pub use transfers::InFlight;

use crate::affine::{Expr, Wrapped};
use crate::program::{At, Block, Input, Op, Program, Stmt, Var};
use crate::scalar;
use crate::types::Scalar;

/// Undefined behaviour: its reason, and the statement that causes it.
#[derive(Clone, PartialEq, Debug)]
pub struct Undefined {
    /// Number of the statement, or 0.
    pub stmt: u32,
    /// What MLIR leaves undefined, or which limit is reached.
    pub why: &'static str,
}

impl Undefined {
    fn new(why: &'static str) -> Self {
        Undefined { stmt: 0, why }
    }

    /// Blames this statement, unless another one is to blame.
    fn or_at(self, stmt: &Stmt) -> Self {
        match self.stmt {
            0 => Undefined {
                stmt: stmt.id,
                ..self
            },
            _ => self,
        }
    }
}

impl From<&'static str> for Undefined {
    fn from(why: &'static str) -> Self {
        Undefined::new(why)
    }
}

/// Outcome of a run.
#[derive(Clone, PartialEq, Debug)]
pub struct Outcome {
    /// The elements of each memref argument of `@main` in row-major order; empty for a scalar.
    pub arguments: Vec<Vec<u64>>,
    /// The results, all of them scalars.
    pub results: Vec<u64>,
    /// Statements executed.
    pub steps: u64,
}

/// Reason of a run that exceeds the step limit.
pub const TOO_LONG: &str = "more steps than the limit";

/// Limit of the statements that a run executes.
const STEPS: u64 = 80_000;

/// Limit of nested calls.
const CALL_DEPTH: usize = 12;

/// Run-time value.
#[derive(Clone, Debug)]
enum Value {
    Bits(u64),
    View(Rc<View>),
}

/// Evaluates the program on its inputs.
///
/// # Errors
/// The first undefined behaviour.
pub fn evaluate(program: &Program) -> Result<Outcome, Undefined> {
    let mut machine = Machine {
        program,
        memory: Memory::default(),
        globals: vec![None; program.globals.len()],
        watches: Vec::new(),
        steps: 0,
        depth: 0,
    };
    let main = program.main();
    let mut arguments = Vec::new();
    for (input, &param) in program.inputs.iter().zip(&main.params) {
        arguments.push(match input {
            Input::Scalar(bits) => Value::Bits(*bits),
            Input::MemRef { sizes, elements } => {
                let view = machine.memory.allocate(program.mem(param), sizes.clone())?;
                for (at, &bits) in subscripts(sizes).iter().zip(elements) {
                    machine.memory.write(&view, at, bits)?;
                }
                Value::View(Rc::new(view))
            }
        });
    }
    let returned = machine.call(program.functions.len() - 1, arguments.clone())?;
    if let Some(transfer) = machine.memory.transfers.first() {
        return Err(Undefined {
            stmt: transfer.stmt,
            why: "a transfer that nothing waits for",
        });
    }
    let mut outcome = Outcome {
        arguments: Vec::new(),
        results: Vec::new(),
        steps: machine.steps,
    };
    for argument in &arguments {
        let mut left = Vec::new();
        if let Value::View(view) = argument {
            for at in subscripts(&view.sizes) {
                left.push(machine.memory.read(view, &at)?);
            }
        }
        outcome.arguments.push(left);
    }
    for value in returned {
        if let Value::Bits(bits) = value {
            outcome.results.push(bits);
        }
    }
    Ok(outcome)
}

/// The values of one function's activation, or of one thread.
#[derive(Clone)]
struct Frame {
    values: Vec<Option<Value>>,
}

struct Machine<'a> {
    program: &'a Program,
    memory: Memory,
    globals: Vec<Option<Rc<View>>>,
    watches: Vec<Watch>,
    steps: u64,
    depth: usize,
}

impl Frame {
    fn set(&mut self, var: Var, value: Value) {
        self.values[var.0 as usize] = Some(value);
    }

    fn get(&self, var: Var) -> Result<Value, Undefined> {
        let value = self.values[var.0 as usize].clone();
        value.ok_or(Undefined::new("a value that is not defined"))
    }

    fn bits(&self, var: Var) -> Result<u64, Undefined> {
        match self.get(var)? {
            Value::Bits(bits) => Ok(bits),
            Value::View(_) => Err(Undefined::new("a memref where a scalar is needed")),
        }
    }

    fn int(&self, var: Var) -> Result<i64, Undefined> {
        Ok(self.bits(var)? as i64)
    }

    fn view(&self, var: Var) -> Result<Rc<View>, Undefined> {
        match self.get(var)? {
            Value::View(view) => Ok(view),
            Value::Bits(_) => Err(Undefined::new("a scalar where a memref is needed")),
        }
    }

    fn affine(&self, expr: &Expr) -> Result<Wrapped, Undefined> {
        let mut value = |var| self.int(var).map_err(|undefined| undefined.why);
        Ok(expr.eval(&mut value)?)
    }

    /// Value of an `affine.apply`, which a compiler may move into a dividend.
    fn applied(&self, expr: &Expr) -> Result<i64, Undefined> {
        let result = self.affine(expr)?;
        match result.is_movable(expr) && !result.wrapped {
            true => Ok(result.value),
            false => Err(Undefined::new("an application that may wrap")),
        }
    }

    /// Value of an expression for which a compiler may assume no wrapping.
    fn exact(&self, expr: &Expr) -> Result<i64, Undefined> {
        let result = self.affine(expr)?;
        match result.wrapped {
            true => Err(Undefined::new("affine arithmetic that wraps")),
            false => Ok(result.value),
        }
    }
}

impl Machine<'_> {
    fn call(&mut self, callee: usize, arguments: Vec<Value>) -> Result<Vec<Value>, Undefined> {
        if self.depth == CALL_DEPTH {
            return Err(Undefined::new("calls nested too deeply"));
        }
        self.depth += 1;
        let function = &self.program.functions[callee];
        let mut frame = Frame {
            values: vec![None; self.program.types.len()],
        };
        for (&param, argument) in function.params.iter().zip(arguments) {
            if let (Value::View(view), Some(ty)) = (&argument, self.program.ty(param).memref())
                && !view.fits(ty)
            {
                return Err(Undefined::new("an argument that is not what the type says"));
            }
            frame.set(param, argument);
        }
        let returned = self.block(&mut frame, &function.body);
        self.depth -= 1;
        returned
    }

    /// Runs a block. Returns the operands of its terminator.
    fn block(&mut self, frame: &mut Frame, block: &Block) -> Result<Vec<Value>, Undefined> {
        for stmt in &block.stmts {
            self.step(frame, stmt)
                .map_err(|undefined| undefined.or_at(stmt))?;
        }
        yielded(frame, block)
    }

    /// Runs a statement.
    fn step(&mut self, frame: &mut Frame, stmt: &Stmt) -> Result<(), Undefined> {
        self.steps += 1;
        match self.steps > STEPS {
            true => Err(Undefined::new(TOO_LONG)),
            false => self.stmt(frame, stmt),
        }
    }

    fn stmt(&mut self, frame: &mut Frame, stmt: &Stmt) -> Result<(), Undefined> {
        let program = self.program;
        let scalar_of = |var: Var| program.scalar(var);
        let result_type = || scalar_of(stmt.results[0]);
        let value = match &stmt.op {
            Op::Const(bits) => *bits,
            Op::Bin(op, a, b) => {
                scalar::binary(*op, frame.bits(*a)?, frame.bits(*b)?, result_type())?
            }
            Op::NegF(a) => scalar::negated(frame.bits(*a)?, result_type()),
            Op::CmpI(pred, a, b) => {
                scalar::compare_ints(*pred, frame.bits(*a)?, frame.bits(*b)?, scalar_of(*a)).into()
            }
            Op::CmpF(pred, a, b) => {
                scalar::compare_floats(*pred, frame.bits(*a)?, frame.bits(*b)?, scalar_of(*a))
                    .into()
            }
            Op::Select(c, a, b) => {
                let chosen = if frame.bits(*c)? != 0 { *a } else { *b };
                let value = frame.get(chosen)?;
                frame.set(stmt.results[0], value);
                return Ok(());
            }
            Op::Cast(cast, a) => {
                scalar::convert(*cast, frame.bits(*a)?, scalar_of(*a), result_type())
            }
            Op::Apply(expr) => frame.applied(expr)? as u64,
            Op::Extremum { max, exprs } => extremum(frame, exprs, *max)? as u64,
            Op::Load { mem, at } => {
                let view = frame.view(*mem)?;
                let at = self.subscript(frame, at)?;
                let bits = self.memory.read(&view, &at)?;
                self.touch(&view, &at, Access::Read)?;
                bits
            }
            Op::Store { value, mem, at } => {
                let view = frame.view(*mem)?;
                let at = self.subscript(frame, at)?;
                self.memory.write(&view, &at, frame.bits(*value)?)?;
                return self.touch(&view, &at, Access::Write);
            }
            Op::VectorFold(fold) => match self.vector_fold(frame, fold)? {
                Some(bits) => bits,
                None => return Ok(()),
            },
            Op::MaskedMove(masked) => return self.masked_move(frame, masked),
            Op::Launch(launch) => return self.launch(frame, launch),
            Op::Barrier | Op::AllReduce(..) => {
                return Err(Undefined::new("an operation that not all threads reach"));
            }
            Op::Atomic(update) => return self.update(frame, update),
            Op::DmaStart(transfer) => return self.start(frame, stmt.id, transfer),
            Op::DmaWait { tag, count } => return self.wait(frame, tag, *count),
            Op::Dim { mem, dim } => {
                let view = frame.view(*mem)?;
                let dim = usize::try_from(frame.int(*dim)?).unwrap_or(usize::MAX);
                *view.sizes.get(dim).ok_or("a dimension it has not")? as u64
            }
            Op::For { .. }
            | Op::Parallel { .. }
            | Op::If { .. }
            | Op::While { .. }
            | Op::Branch { .. }
            | Op::Cycle { .. }
            | Op::Call { .. } => return self.control(frame, stmt),
            _ => return self.views(frame, stmt),
        };
        frame.set(stmt.results[0], Value::Bits(value));
        Ok(())
    }

    fn subscript(&self, frame: &Frame, at: &At) -> Result<Vec<i64>, Undefined> {
        match at {
            At::Affine(exprs) => exprs.iter().map(|expr| frame.exact(expr)).collect(),
            At::Plain(vars) => vars.iter().map(|&var| frame.int(var)).collect(),
        }
    }

    /// Records an access in every enclosing parallel loop.
    fn touch(&mut self, view: &View, at: &[i64], access: Access) -> Result<(), Undefined> {
        let bytes = self.memory.place(view, at)?;
        self.touch_bytes(view.buffer, bytes, access)
    }

    fn touch_bytes(
        &mut self,
        buffer: usize,
        bytes: Range<usize>,
        access: Access,
    ) -> Result<(), Undefined> {
        for watch in &mut self.watches {
            if watch.races(buffer, bytes.clone(), access) {
                return Err(Undefined {
                    stmt: watch.stmt,
                    why: RACE,
                });
            }
        }
        Ok(())
    }

    /// Evaluates operations that allocate, view, copy or free memory.
    fn views(&mut self, frame: &mut Frame, stmt: &Stmt) -> Result<(), Undefined> {
        let program = self.program;
        let int = |var: Var| frame.int(var);
        let ty = stmt
            .results
            .first()
            .and_then(|&var| program.ty(var).memref());
        let view = match &stmt.op {
            Op::Alloc { sizes, .. } => {
                let ty = ty.ok_or("an allocation of no memref")?;
                let mut given = sizes.iter();
                let mut sizes = Vec::new();
                for &size in ty.shape.as_ref().ok_or("an allocation of no rank")? {
                    sizes.push(match size {
                        Some(size) => size,
                        None => int(*given.next().ok_or("a size is missing")?)?,
                    });
                }
                self.memory.allocate(ty, sizes)?
            }
            Op::Dealloc(mem) => return Ok(self.memory.free(&*frame.view(*mem)?)?),
            Op::GetGlobal(number) => (*self.global(*number)?).clone(),
            Op::Copy { from, to } => {
                let (from, to) = (frame.view(*from)?, frame.view(*to)?);
                return self.copy(&from, &to);
            }
            Op::MemCast(mem) => (*frame.view(*mem)?).clone(),
            Op::SubView {
                mem,
                offsets,
                sizes,
                strides,
                kept,
            } => {
                let [offsets, sizes, strides] = [
                    numbers(offsets, &int)?,
                    numbers(sizes, &int)?,
                    numbers(strides, &int)?,
                ];
                frame.view(*mem)?.sub(&offsets, &sizes, &strides, kept)?
            }
            Op::Reinterpret {
                mem,
                offset,
                sizes,
                strides,
            } => {
                let offset = numbers(&[*offset], &int)?[0];
                let (sizes, strides) = (numbers(sizes, &int)?, numbers(strides, &int)?);
                frame.view(*mem)?.reinterpreted(offset, sizes, strides)
            }
            Op::Transpose { mem, order } => frame.view(*mem)?.transposed(order),
            Op::Collapse { mem, groups } => frame.view(*mem)?.collapsed(groups)?,
            Op::Expand { mem, groups, sizes } => frame.view(*mem)?.expanded(groups, sizes)?,
            Op::ByteView { mem, shift, sizes } => {
                let ty = ty.ok_or("a view of no memref")?;
                let mut given = sizes.iter();
                let mut sizes = Vec::new();
                for &size in ty.shape.as_ref().ok_or("a view of no rank")? {
                    sizes.push(match size {
                        Some(size) => size,
                        None => int(*given.next().ok_or("a size is missing")?)?,
                    });
                }
                self.memory
                    .as_elements(&*frame.view(*mem)?, int(*shift)?, ty, sizes)?
            }
            _ => return Err(Undefined::new("an operation that is not known")),
        };
        let view = self.memory.checked(view)?;
        if !ty.is_some_and(|ty| view.fits(ty)) {
            return Err(Undefined::new("a memref that is not what its type says"));
        }
        frame.set(stmt.results[0], Value::View(Rc::new(view)));
        Ok(())
    }

    fn global(&mut self, number: usize) -> Result<Rc<View>, Undefined> {
        if let Some(view) = &self.globals[number] {
            return Ok(view.clone());
        }
        let global = &self.program.globals[number];
        let sizes = global.ty.known_sizes().unwrap_or_default();
        let view = self.memory.allocate(&global.ty, sizes)?;
        for (at, &bits) in subscripts(&view.sizes).iter().zip(&global.elements) {
            self.memory.write(&view, at, bits)?;
        }
        let view = Rc::new(view);
        self.globals[number] = Some(view.clone());
        Ok(view)
    }

    /// Evaluates `memref.copy`, whose memrefs must not overlap.
    fn copy(&mut self, from: &View, to: &View) -> Result<(), Undefined> {
        if from.sizes != to.sizes {
            return Err(Undefined::new("a copy between different shapes"));
        }
        if from.buffer == to.buffer {
            return Err(Undefined::new("a copy within one buffer"));
        }
        for at in subscripts(&from.sizes) {
            let bits = self.memory.read(from, &at)?;
            self.touch(from, &at, Access::Read)?;
            self.memory.write(to, &at, bits)?;
            self.touch(to, &at, Access::Write)?;
        }
        Ok(())
    }
}

/// The operands of a block's terminator.
fn yielded(frame: &Frame, block: &Block) -> Result<Vec<Value>, Undefined> {
    block.yields.iter().map(|&var| frame.get(var)).collect()
}

/// Reason of a parallel loop with a race.
pub const RACE: &str = "iterations that are not independent";

fn extremum(frame: &Frame, exprs: &[Expr], max: bool) -> Result<i64, Undefined> {
    let values: Result<Vec<i64>, Undefined> = exprs.iter().map(|expr| frame.exact(expr)).collect();
    let values = values?;
    let found = if max {
        values.iter().max()
    } else {
        values.iter().min()
    };
    found
        .copied()
        .ok_or(Undefined::new("an extremum of nothing"))
}

/// Neutral element of a reduction, as bits of its type.
fn identity(op: crate::program::Bin, ty: Scalar) -> u64 {
    use crate::program::Bin;
    let least = 1u64 << (ty.width() - 1);
    match op {
        Bin::MulI => 1,
        Bin::AndI | Bin::MinUI => ty.mask(),
        Bin::MinSI => ty.mask() ^ least,
        Bin::MaxSI => least,
        Bin::MaximumF => scalar::from_f64(f64::NEG_INFINITY, ty),
        Bin::MinimumF => scalar::from_f64(f64::INFINITY, ty),
        _ => 0,
    }
}
