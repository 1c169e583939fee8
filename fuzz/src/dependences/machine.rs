//! Tracing evaluator: functions and blocks, and the dispatch of operations.

use std::collections::HashMap;
use std::rc::Rc;

use gridloom::dialects::{affine, cf, func};
use gridloom::ir::body::OpData;
use gridloom::ir::{Attr, Body, Ident, Loc, OpId, RegionId, Type, TypeKind, Value};
use gridloom::{Context, Module};

use super::term::Datum;
use super::{Trace, Untraced, Write};
use crate::eval::{Memory, View, Watch};
use crate::program::Input;

/// Limit of the operations of a run.
const STEPS: u64 = 400_000;

/// Limit of nested calls.
const CALL_DEPTH: usize = 24;

/// Run-time value.
#[derive(Clone, Debug)]
pub(super) enum Held {
    Scalar(Box<Datum>),
    Lanes(Rc<Vec<Datum>>),
    View(Rc<View>),
}

/// Memory cell of one byte: its last write, and the accesses since.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    /// The value that contains the byte, and the byte's position in it.
    pub datum: Rc<Datum>,
    pub byte: usize,
    /// Whether the program has written the byte.
    pub written: bool,
    /// Number of reads since the last write.
    pub reads: u64,
}

/// Position of a thread in a launch: block and thread id by dimension.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Place {
    pub block: [i64; 3],
    pub thread: [i64; 3],
    pub grid: [i64; 3],
    pub size: [i64; 3],
}

pub(super) struct Machine<'m> {
    pub ctx: &'m Context,
    pub module: &'m Module,
    pub memory: Memory,
    /// Memory cells, by buffer and byte.
    pub cells: HashMap<(usize, usize), Cell>,
    pub globals: HashMap<Ident, Rc<View>>,
    /// The enclosing parallel loops and launches.
    pub watches: Vec<Watch>,
    /// Location of the current operation.
    pub loc: Loc,
    /// Number of the argument buffers, which are the first ones.
    pub arguments: usize,
    pub trace: Trace,
    steps: u64,
    depth: usize,
}

/// Activation frame of a function.
pub(super) struct Frame<'m> {
    pub body: &'m Body,
    pub values: Vec<Option<Held>>,
    pub place: Place,
}

/// End of a region: its last terminator.
pub(super) struct End<'m> {
    pub data: &'m OpData,
}

impl Held {
    pub fn scalar(datum: Datum) -> Held {
        Held::Scalar(Box::new(datum))
    }
}

impl Frame<'_> {
    pub fn get(&self, value: Value) -> Result<Held, Untraced> {
        let held = self.values[value.index()].clone();
        held.ok_or_else(|| "a value that is not defined".to_owned())
    }

    pub fn set(&mut self, value: Value, held: Held) {
        self.values[value.index()] = Some(held);
    }

    pub fn datum(&self, value: Value) -> Result<Datum, Untraced> {
        match self.get(value)? {
            Held::Scalar(datum) => Ok(*datum),
            _ => Err("a scalar was expected".to_owned()),
        }
    }

    pub fn int(&self, value: Value) -> Result<i64, Untraced> {
        Ok(self.datum(value)?.bits as i64)
    }

    pub fn ints(&self, values: &[Value]) -> Result<Vec<i64>, Untraced> {
        values.iter().map(|&value| self.int(value)).collect()
    }

    pub fn view(&self, value: Value) -> Result<Rc<View>, Untraced> {
        match self.get(value)? {
            Held::View(view) => Ok(view),
            _ => Err("a memref was expected".to_owned()),
        }
    }

    pub fn all(&self, values: &[Value]) -> Result<Vec<Held>, Untraced> {
        values.iter().map(|&value| self.get(value)).collect()
    }
}

/// Runs `@main`.
pub(super) fn run(ctx: &Context, module: &Module, inputs: &[Input]) -> Result<Trace, Untraced> {
    let mut machine = Machine {
        ctx,
        module,
        memory: Memory::default(),
        cells: HashMap::new(),
        globals: HashMap::new(),
        watches: Vec::new(),
        loc: Loc::UNKNOWN,
        arguments: 0,
        trace: Trace::default(),
        steps: 0,
        depth: 0,
    };
    let main = machine.function("main").ok_or("there is no @main")?;
    let body = main.isolated().ok_or("@main has no body")?;
    let entry = body.entry().ok_or("@main is only declared")?;
    let mut arguments = Vec::new();
    for (input, &param) in inputs.iter().zip(&body[entry].args) {
        arguments.push(match input {
            Input::Scalar(bits) => Held::scalar(Datum::known(*bits)),
            Input::MemRef { sizes, elements } => {
                Held::View(machine.argument(body.ty(param), sizes, elements)?)
            }
        });
    }
    machine.arguments = machine.memory.count();
    let results = machine.call(main, arguments.clone())?;
    for result in results {
        if let Held::Scalar(datum) = result {
            machine.trace.results.push(datum.hash());
        }
    }
    for argument in arguments {
        let (terms, bits) = match argument {
            Held::View(view) => machine.left(&view)?,
            _ => Default::default(),
        };
        machine.trace.left.push(terms);
        machine.trace.bits.push(bits);
    }
    Ok(machine.trace)
}

impl<'m> Machine<'m> {
    /// Finds a function of the module.
    pub fn function(&self, name: &str) -> Option<&'m OpData> {
        let named = |data: &OpData| {
            data.symbol_name(self.ctx)
                .is_some_and(|symbol| self.ctx.str(symbol) == name)
        };
        self.module
            .ops()
            .map(|(_, data)| data)
            .find(|data| named(data))
    }

    /// Calls a function.
    pub fn call(&mut self, callee: &'m OpData, args: Vec<Held>) -> Result<Vec<Held>, Untraced> {
        self.depth += 1;
        if self.depth > CALL_DEPTH {
            return Err("calls nested too deeply".to_owned());
        }
        let body = callee.isolated().ok_or("a function without a body")?;
        let region = body
            .regions()
            .first()
            .copied()
            .ok_or("a function without a body")?;
        let entry = body.entry().ok_or("a call of what is only declared")?;
        let mut frame = Frame {
            body,
            values: vec![None; body.value_capacity()],
            place: Place::default(),
        };
        for (&param, arg) in body[entry].args.iter().zip(args) {
            frame.set(param, arg);
        }
        let end = self.region(&mut frame, region)?;
        self.depth -= 1;
        frame.all(&end.data.operands)
    }

    /// Runs a region, whose entry arguments are set.
    pub fn region(&mut self, frame: &mut Frame<'m>, region: RegionId) -> Result<End<'m>, Untraced> {
        let body = frame.body;
        let mut block = body[region].entry().ok_or("a region without a block")?;
        loop {
            let last = body[block].last().ok_or("a block without a terminator")?;
            for op in body.ops(block) {
                if op != last {
                    self.op(frame, op)?;
                }
            }
            let data = &body[last];
            let (next, args) = match data.name {
                cf::BR => (data.successors()[0], data.operands.to_vec()),
                cf::COND_BR => {
                    let groups = self.groups(data)?;
                    let taken = usize::from(frame.int(data.operands[0])? & 1 == 0);
                    (data.successors()[taken], groups[taken + 1].to_vec())
                }
                cf::SWITCH => return Err(self.unknown(data)),
                _ => {
                    self.count()?;
                    return Ok(End { data });
                }
            };
            let values = frame.all(&args)?;
            for (&arg, value) in body[next].args.iter().zip(values) {
                frame.set(arg, value);
            }
            block = next;
        }
    }

    fn count(&mut self) -> Result<(), Untraced> {
        self.steps += 1;
        match self.steps > STEPS {
            true => Err("more steps than the limit".to_owned()),
            false => Ok(()),
        }
    }

    fn op(&mut self, frame: &mut Frame<'m>, op: OpId) -> Result<(), Untraced> {
        self.count()?;
        let data = &frame.body[op];
        self.loc = data.loc;
        let computation = self.ctx.computation(data.name);
        let dialect = self.ctx.op_name_str(data.name).split('.').next();
        match (computation, dialect) {
            (Some(computation), _) => self.computed(frame, data, computation),
            (None, Some("arith" | "index" | "math")) => self.scalar(frame, data),
            _ if matches!(data.name, affine::DMA_START | affine::DMA_WAIT) => self.dma(frame, op),
            (None, Some("affine" | "scf")) => self.control(frame, data),
            (None, Some("memref")) => self.memref(frame, data),
            (None, Some("vector")) => self.vector(frame, data),
            (None, Some("gpu")) => self.gpu(frame, data),
            (None, Some("cf")) if data.name == cf::ASSERT => Ok(()),
            (None, Some("func")) if data.name == func::CALL => {
                let name = self.attr(data, "callee")?.as_flat_symbol(self.ctx);
                let callee = name.and_then(|name| self.function(self.ctx.str(name)));
                let args = frame.all(&data.operands)?;
                let results = self.call(callee.ok_or("the callee is missing")?, args)?;
                self.set_results(frame, data, results);
                Ok(())
            }
            _ => Err(self.unknown(data)),
        }
    }

    pub fn unknown(&self, data: &OpData) -> Untraced {
        format!("'{}' is not known", self.ctx.op_name_str(data.name))
    }

    pub fn attr(&self, data: &OpData, name: &str) -> Result<Attr, Untraced> {
        let attr = data.attr(self.ctx, name);
        attr.ok_or_else(|| format!("the attribute '{name}' is missing"))
    }

    /// The operands of an operation by segments.
    pub fn groups(&self, data: &'m OpData) -> Result<Vec<&'m [Value]>, Untraced> {
        let sizes = self
            .attr(data, "operandSegmentSizes")?
            .as_i32_array(self.ctx);
        let mut rest = &data.operands[..];
        let mut groups = Vec::new();
        for size in sizes.unwrap_or_default() {
            let split = rest.split_at_checked(size.max(0) as usize);
            let (group, tail) = split.ok_or("operand groups exceed the operands")?;
            groups.push(group);
            rest = tail;
        }
        Ok(groups)
    }

    pub fn set_results(&self, frame: &mut Frame<'m>, data: &OpData, values: Vec<Held>) {
        for (result, value) in data.results().zip(values) {
            frame.set(result, value);
        }
    }

    /// The scalar type of a type or of its lanes.
    pub fn element(&self, ty: Type) -> Type {
        match ty.kind(self.ctx) {
            TypeKind::Vector { element, .. } => *element,
            _ => ty,
        }
    }

    /// Number of lanes of a type; 1 for a scalar.
    pub fn lanes(&self, ty: Type) -> usize {
        match ty.kind(self.ctx) {
            TypeKind::Vector { shape, .. } => shape.iter().product::<i64>().max(0) as usize,
            _ => 1,
        }
    }

    /// Records a write to an argument.
    pub fn note_write(&mut self, buffer: usize, byte: usize, datum: Datum) {
        if buffer < self.arguments {
            self.trace
                .writes
                .entry((buffer, byte))
                .or_default()
                .push(Write {
                    term: datum.hash(),
                    is_regroupable: datum.term.is_regroupable(),
                    loc: self.loc,
                });
        }
    }
}
