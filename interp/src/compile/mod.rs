//! Compiler from bodies to register-machine code.
//!
//! It compiles a function when compiled code refers to it, so that a module may hold functions the
//! machine cannot run as long as nothing calls them.

mod affine;
mod arith;
mod computed;
mod control;
mod dma;
mod gpu;
mod group;
mod index;
mod instances;
mod loops;
mod math;
mod memref;
mod parallel;
mod print;
mod registers;
mod shape;
mod types;
mod undefined;
mod vector;
mod vector_memory;
mod vector_reduce;
mod view;

pub(crate) use types::layout_of;

use std::cell::OnceCell;
use std::collections::HashMap;

use gridloom_dialects::memory_space::MemorySpaces;
use gridloom_dialects::{affine as affine_ops, arith as arith_ops, builtin, func, inherent};
use gridloom_dialects::{cf, gpu as gpu_ops, math as math_ops, memref as memref_ops, scf};
use gridloom_ir::attr::AttrKind;
use gridloom_ir::body::OpData;
use gridloom_ir::diag::{Diagnostic, Diagnostics};
use gridloom_ir::op::{
    AffineMapAttr, AnyAttr, ArrayAttr, AttrValue, FlatSymbolAttr, I64ArrayAttr, Inherent, Traits,
};
use gridloom_ir::{
    AffineMap, Attr, BlockId, Body, Context, Ident, Module, OpId, OpName, RegionId, SymbolTable,
    Value,
};

use crate::code::{CountedLoop, Function, GlobalInfo, Instr, Reg, Slot, Span};
use crate::options::Options;
use crate::scalar::ScalarKind;

/// The compiled part of a module.
#[derive(Default, Debug)]
pub(crate) struct Code {
    pub functions: Vec<Function>,
    pub globals: Vec<GlobalInfo>,
}

/// Compile failure; the diagnostics have the reason.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unsupported;

type Compiled<T = ()> = Result<T, Unsupported>;

/// Bound on the nesting of regions: far beyond any program, well within the stack.
const MAX_DEPTH: usize = 200;

/// A function by its path: the enclosing `gpu.module`, if any, and its name.
type Key = (Option<Ident>, Ident);

/// Lazy compiler of the functions of a module.
pub(crate) struct Compiler<'a> {
    ctx: &'a Context,
    module: &'a Module,
    symbols: SymbolTable,
    code: Code,
    function_index: HashMap<Key, u32>,
    global_index: HashMap<Ident, u32>,
    pending: Vec<(Key, u32)>,
    diagnostics: Diagnostics,
    /// Whether accesses are checked for races.
    watched: bool,
    /// The meaning of memory space names.
    spaces: &'a MemorySpaces,
    /// Whether uses of undefined values are faults.
    checked: bool,
    /// Whether the module has group operations, once something asks.
    has_groups: OnceCell<bool>,
    /// Whether a device runs kernels: one that cannot be compiled here is no error then until it is
    /// launched here.
    has_device: bool,
}

impl<'a> Compiler<'a> {
    pub(crate) fn new(
        ctx: &'a Context,
        module: &'a Module,
        options: &'a Options,
        has_device: bool,
    ) -> Self {
        Compiler {
            ctx,
            module,
            symbols: module.symbols(ctx),
            code: Code::default(),
            function_index: HashMap::new(),
            global_index: HashMap::new(),
            pending: Vec::new(),
            diagnostics: Diagnostics::new(),
            watched: options.races,
            spaces: &options.spaces,
            checked: options.checked,
            has_groups: OnceCell::new(),
            has_device,
        }
    }

    /// Compiles the function `name` and everything it reaches. The function
    /// has number 0 in the result.
    pub(crate) fn compile(mut self, name: Ident) -> Result<Code, Diagnostics> {
        if self.function_number((None, name)).is_none() {
            let loc = self.module.op().loc;
            let message = format!("there is no function '@{}'", self.ctx.str(name));
            self.diagnostics.error(loc, message);
        }
        while let Some((key, number)) = self.pending.pop() {
            let Some((body, op)) = self.find(key) else {
                continue;
            };
            let before = std::mem::take(&mut self.diagnostics);
            let done = FunctionCompiler::run(&mut self, key.0, body, op);
            let found = std::mem::replace(&mut self.diagnostics, before);
            match done {
                Ok(function) => self.code.functions[number as usize] = function,
                Err(_) if key.0.is_some() && self.has_device => {
                    self.code.functions[number as usize].refused = Some(found);
                    continue;
                }
                Err(_) => {}
            }
            self.diagnostics.append(found);
        }
        if self.diagnostics.has_errors() {
            Err(self.diagnostics)
        } else {
            Ok(self.code)
        }
    }

    /// Finds the body and the operation of a function.
    fn find(&self, key: Key) -> Option<(&'a Body, OpId)> {
        let top = self.module.body();
        let Some(container) = key.0 else {
            return Some((top, self.symbols.get(key.1)?));
        };
        let inner = top[self.symbols.get(container)?].isolated()?;
        Some((inner, SymbolTable::of(self.ctx, inner).get(key.1)?))
    }

    /// The number of a function; queues the function for compilation if it is new.
    fn function_number(&mut self, key: Key) -> Option<u32> {
        if let Some(&number) = self.function_index.get(&key) {
            return Some(number);
        }
        let (body, op) = self.find(key)?;
        if !matches!(body[op].name, func::FUNC | gpu_ops::FUNC) {
            return None;
        }
        let number = self.code.functions.len() as u32;
        self.code.functions.push(Function::default());
        self.function_index.insert(key, number);
        self.pending.push((key, number));
        Some(number)
    }
}

/// Target of `scf.yield` inside a region of several blocks.
struct YieldTarget {
    slots: Vec<Slot>,
    patches: Vec<usize>,
}

/// Owner of the threads that share memory.
#[derive(Clone, Copy)]
enum Sharing {
    Kernel,
    /// A `gpu.launch`, by its number in the function.
    Launch(usize),
}

/// Compiles one function.
struct FunctionCompiler<'c, 'a> {
    unit: &'c mut Compiler<'a>,
    ctx: &'a Context,
    /// The `gpu.module` the function lies in.
    container: Option<Ident>,
    body: &'a Body,
    slots: Vec<Option<Slot>>,
    out: Function,
    constants: HashMap<u64, Reg>,
    /// Private memory attributions of a kernel, of which each thread has its own.
    private: Vec<Value>,
    /// The threads that share workgroup memory here: the kernel's, or those of a launch.
    sharing: Option<Sharing>,
    yields: Vec<YieldTarget>,
    depth: usize,
    /// The lane that an element-wise operation on vectors is compiled for.
    lane: Option<usize>,
    /// The operation being compiled.
    current: &'a OpData,
    /// Whether iterations are counted.
    counts: bool,
    /// The counted loops around, the outermost one first.
    loops: Vec<CountedLoop>,
    /// Whether there are loops around whose iterations nothing counts.
    is_unstructured: bool,
}

impl<'c, 'a> FunctionCompiler<'c, 'a> {
    fn run(
        unit: &'c mut Compiler<'a>,
        container: Option<Ident>,
        outer: &'a Body,
        op: OpId,
    ) -> Compiled<Function> {
        let ctx = unit.ctx;
        let data = &outer[op];
        let mut this = FunctionCompiler {
            unit,
            ctx,
            container,
            // A function owns its body, so the body around it is not needed.
            body: data.isolated().unwrap_or(outer),
            slots: Vec::new(),
            out: Function::default(),
            constants: HashMap::new(),
            private: Vec::new(),
            sharing: None,
            yields: Vec::new(),
            depth: 0,
            lane: None,
            current: data,
            counts: false,
            loops: Vec::new(),
            is_unstructured: false,
        };
        this.counts = this.has_instances();
        this.slots = vec![None; this.body.value_capacity()];
        this.function(data)?;
        Ok(this.out)
    }

    fn function(&mut self, data: &'a OpData) -> Compiled {
        let Some((inputs, results)) = data
            .get(self.ctx, inherent::FUNCTION_TYPE)
            .and_then(|ty| ty.function(self.ctx))
        else {
            return self.error("the function has no function type");
        };
        for &ty in results {
            let slot = self.fresh(ty)?;
            let slots = self.split(slot);
            self.out.results.extend(slots);
        }
        let region = self.body.regions().first().copied();
        let Some(region) = region.filter(|&r| self.body[r].entry().is_some()) else {
            self.out.external = data.symbol_name(self.ctx);
            for &ty in inputs {
                let slot = self.fresh(ty)?;
                let slots = self.split(slot);
                self.out.params.extend(slots);
            }
            return Ok(());
        };
        let entry = self.body[region].blocks[0];
        let args: Vec<Value> = self.body[entry].args.to_vec();
        for (number, &arg) in args.iter().enumerate() {
            let slot = self.define(arg)?;
            if number < inputs.len() {
                let slots = self.split(slot);
                self.out.params.extend(slots);
            }
        }
        if data.name == gpu_ops::FUNC {
            let attributions = args.get(inputs.len()..).unwrap_or(&[]);
            let count = data
                .get(self.ctx, inherent::WORKGROUP_ATTRIBUTIONS)
                .unwrap_or(0);
            let (workgroup, private) = self.attributions(attributions, count)?;
            self.private = attributions[workgroup.len()..].to_vec();
            self.sharing = Some(Sharing::Kernel);
            (self.out.workgroup, self.out.private) = (workgroup, private);
        }
        self.cfg(region)
    }

    /// Reports that the current operation cannot be compiled.
    fn error<T>(&mut self, message: impl Into<String>) -> Compiled<T> {
        let loc = self.current.loc;
        self.unit.diagnostics.push(Diagnostic::error(loc, message));
        Err(Unsupported)
    }

    /// Compiles the operations of a block up to its terminator, which is returned.
    fn block(&mut self, block: BlockId) -> Compiled<Option<OpId>> {
        let Some(last) = self.body[block].last() else {
            return Ok(None);
        };
        let is_terminator = |name: OpName| {
            self.ctx
                .op_signature(name)
                .is_none_or(|def| def.traits.contains(Traits::TERMINATOR))
        };
        for op in self.body.ops(block) {
            if op == last && is_terminator(self.body[op].name) {
                return Ok(Some(last));
            }
            self.op(op)?;
        }
        Ok(None)
    }

    /// Compiles the only block of a structured region; returns the operands of
    /// its terminator.
    fn single_block(&mut self, region: Option<RegionId>) -> Compiled<Vec<Value>> {
        let Some(region) = region else {
            return Ok(Vec::new());
        };
        match self.body[region].blocks[..] {
            [] => Ok(Vec::new()),
            [block] => {
                let terminator = self.block(block)?;
                Ok(terminator.map_or(Vec::new(), |op| self.body[op].operands.to_vec()))
            }
            _ => self.error("a structured operation's region has more than one block"),
        }
    }

    fn op(&mut self, op: OpId) -> Compiled {
        let outer = std::mem::replace(&mut self.current, &self.body[op]);
        self.depth += 1;
        let result = if self.depth > MAX_DEPTH {
            self.error(format!("regions are nested deeper than {MAX_DEPTH}"))
        } else {
            self.dispatch(op)
        };
        self.depth -= 1;
        self.current = outer;
        result
    }

    fn dispatch(&mut self, op: OpId) -> Compiled {
        self.check_poison(op);
        let name = self.body[op].name;
        let computation = self.ctx.computation(name);
        let dialect = self.ctx.op_name_str(name).split('.').next();
        let known = match (computation, dialect) {
            (Some(computation), _) => self.computed(op, computation)?,
            (None, Some("arith")) if name == arith_ops::CONSTANT => self.arith(op)?,
            (None, Some("arith")) => self.lanewise(op, Self::arith)?,
            (None, Some("math")) => self.lanewise(op, Self::math)?,
            (None, Some("vector")) => self.vector(op)?,
            (None, Some("memref")) => self.memref(op)?,
            (None, Some("affine")) => self.affine(op)?,
            (None, Some("gpu")) => self.gpu(op)?,
            (None, Some("index")) => self.index(op)?,
            (None, Some("ub" | "llvm")) => self.undefined(op)?,
            (None, Some("scf" | "cf" | "func" | "builtin")) => self.control(op)?,
            _ => false,
        };
        if known {
            return Ok(());
        }
        let name = self.ctx.op_name_str(name);
        self.error(format!("the interpreter cannot run '{name}'"))
    }

    /// A required attribute of the current operation.
    fn property<V>(&mut self, attr: Inherent<V>) -> Compiled<Attr> {
        match self.current.attr(self.ctx, attr) {
            Some(attr) => Ok(attr),
            None => self.error(format!("the attribute '{}' is missing", attr.name())),
        }
    }

    /// The value of a required attribute of the current operation; `None` where it is of another
    /// kind.
    fn get<V: AttrValue>(&mut self, attr: Inherent<V>) -> Compiled<Option<V::In<'a>>> {
        let value = self.property(attr)?;
        Ok(V::read(self.ctx, value))
    }

    fn map(&mut self, attr: Inherent<AffineMapAttr>) -> Compiled<AffineMap> {
        match self.get(attr)? {
            Some(map) => Ok(map),
            None => self.error(format!("'{}' is no affine map", attr.name())),
        }
    }

    /// The operand groups of an operation with `operandSegmentSizes`.
    fn segments(&mut self) -> Compiled<Vec<Vec<Value>>> {
        let sizes = self.get(inherent::OPERAND_SEGMENT_SIZES)?;
        let mut rest = &self.current.operands[..];
        let mut groups = Vec::new();
        for size in sizes.unwrap_or_default() {
            let Some((group, tail)) = rest.split_at_checked(size.max(0) as usize) else {
                return self.error("'operandSegmentSizes' exceeds the operands");
            };
            groups.push(group.to_vec());
            rest = tail;
        }
        Ok(groups)
    }
}
