//! Program tree of the generator, independent of gridloom's IR, from which the text is printed and
//! which the evaluator walks.
//!
//! Nothing here knows gridloom's IR. Values are in SSA form; a [`Var`] is
//! defined once in the whole program.

mod moves;

pub use moves::{Lanes, LanesForm, MaskedMove, Place, Transfer, VectorFold, VectorSink};

use crate::affine::Expr;
use crate::types::{MemType, Scalar, Type};

/// SSA value, by its number in [`Program::types`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Var(pub u32);

/// Program: a module, and the inputs of its last function.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// Private `memref.global`s.
    pub globals: Vec<Global>,
    /// The functions; the last one is `@main`.
    pub functions: Vec<Function>,
    /// Type of each value.
    pub types: Vec<Type>,
    /// Inputs, one for each parameter of `@main`.
    pub inputs: Vec<Input>,
    /// Number of the next statement.
    pub next_stmt: u32,
}

/// Input of `@main`: a scalar's bits, or a memref's sizes and elements in row-major order.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum Input {
    Scalar(u64),
    MemRef { sizes: Vec<i64>, elements: Vec<u64> },
}

/// `memref.global` with known sizes.
#[derive(Clone, Debug)]
pub struct Global {
    /// Memref type.
    pub ty: MemType,
    /// The elements in row-major order.
    pub elements: Vec<u64>,
    /// Whether the global is `constant`.
    pub constant: bool,
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// Symbol without `@`.
    pub name: String,
    /// Whether the function is public.
    pub public: bool,
    /// The parameters.
    pub params: Vec<Var>,
    /// Body; its yields are the results.
    pub body: Block,
}

/// Block: statements, then the operands of its terminator.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs)]
pub struct Block {
    pub stmts: Vec<Stmt>,
    pub yields: Vec<Var>,
}

/// Statement: one operation.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// Number that identifies the statement in faults and removals.
    pub id: u32,
    /// Result values.
    pub results: Vec<Var>,
    /// Operation.
    pub op: Op,
}

/// `arith` operations of two operands of one type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)] // arith's names
pub enum Bin {
    AddI,
    SubI,
    MulI,
    DivSI,
    DivUI,
    CeilDivSI,
    FloorDivSI,
    RemSI,
    RemUI,
    AndI,
    OrI,
    XorI,
    ShlI,
    ShrSI,
    ShrUI,
    MinSI,
    MinUI,
    MaxSI,
    MaxUI,
    AddF,
    SubF,
    MulF,
    DivF,
    RemF,
    MaximumF,
    MinimumF,
}

/// `arith` conversions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)] // arith's names
pub enum Cast {
    ExtSI,
    ExtUI,
    TruncI,
    IndexCast,
    IndexCastUI,
    SIToFP,
    UIToFP,
    FPToSI,
    FPToUI,
    ExtF,
    TruncF,
}

/// An integer predicate of `arith.cmpi`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)] // arith's names
pub enum IntPred {
    Eq,
    Ne,
    Slt,
    Sle,
    Sgt,
    Sge,
    Ult,
    Ule,
    Ugt,
    Uge,
}

/// A predicate of `arith.cmpf`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)] // arith's names
pub enum FloatPred {
    Oeq,
    Ogt,
    Oge,
    Olt,
    Ole,
    One,
    Ord,
    Ueq,
    Ugt,
    Uge,
    Ult,
    Ule,
    Une,
    Uno,
}

/// Subscripts of a load or a store.
#[derive(Clone, Debug)]
pub enum At {
    /// Subscripts of `affine.load` and `affine.store`.
    Affine(Vec<Expr>),
    /// Subscripts of `memref.load` and `memref.store`.
    Plain(Vec<Var>),
}

/// Bound of a loop.
#[derive(Clone, Debug)]
pub enum Bound {
    /// Maximum (lower bound) or minimum (upper bound) of these, of an affine loop.
    Affine(Vec<Expr>),
    /// Value, of an `scf` loop.
    Value(Var),
}

/// Step of a loop, constant or not.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub enum Step {
    Known(i64),
    Value(Var),
}

/// Condition of an `if`.
#[derive(Clone, Debug)]
pub enum Cond {
    /// Integer set: all of these are at least 0, or equal to 0 where marked.
    Set(Vec<(Expr, bool)>),
    /// Value of type `i1`.
    Value(Var),
}

/// An offset, size or stride of a view.
#[derive(Clone, Copy, PartialEq, Debug)]
#[allow(missing_docs)]
pub enum Mixed {
    Known(i64),
    Value(Var),
}

/// `memref.atomic_rmw`, whose result is unused, since it tells the order of the threads.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Update {
    pub kind: Bin,
    pub value: Var,
    pub mem: Var,
    pub at: Vec<Var>,
}

/// Kernel with its launch.
#[derive(Clone, Debug)]
pub struct Launch {
    /// Workgroups in x, y and z.
    pub grid: [Var; 3],
    /// Threads of a workgroup in x, y and z.
    pub block: [Var; 3],
    /// Arguments of the body: workgroup ids, thread ids, and both sizes again.
    pub ids: [[Var; 3]; 4],
    /// Memrefs that each workgroup has of its own.
    pub shared: Vec<Var>,
    /// Memrefs that each thread has of its own.
    pub private: Vec<Var>,
    /// What each thread runs.
    pub body: Block,
}

/// Operation of a statement.
#[derive(Clone, Debug)]
#[allow(missing_docs)] // the fields are the operands by their names in MLIR
pub enum Op {
    Const(u64),
    Bin(Bin, Var, Var),
    NegF(Var),
    CmpI(IntPred, Var, Var),
    CmpF(FloatPred, Var, Var),
    Select(Var, Var, Var),
    Cast(Cast, Var),
    /// `affine.apply`
    Apply(Expr),
    /// `affine.min` or `affine.max`
    Extremum {
        max: bool,
        exprs: Vec<Expr>,
    },
    Load {
        mem: Var,
        at: At,
    },
    Store {
        value: Var,
        mem: Var,
        at: At,
    },
    VectorFold(Box<VectorFold>),
    /// Masked load of a vector, and a masked store of its result.
    MaskedMove(MaskedMove),
    /// `dma_start` of `affine` or `memref`
    DmaStart(Transfer),
    /// `dma_wait` of `affine` or `memref`
    DmaWait {
        tag: Place,
        count: Var,
    },
    For {
        affine: bool,
        iv: Var,
        lower: Bound,
        upper: Bound,
        step: Step,
        /// Block arguments with their initial values.
        carried: Vec<(Var, Var)>,
        body: Block,
    },
    /// `affine.parallel`, or `scf.parallel` without results.
    Parallel {
        affine: bool,
        ivs: Vec<Var>,
        lower: Vec<Bound>,
        upper: Vec<Bound>,
        steps: Vec<Step>,
        /// Combining operations of `affine.parallel`.
        reductions: Vec<Bin>,
        body: Block,
    },
    If {
        cond: Cond,
        then: Block,
        otherwise: Option<Block>,
    },
    /// `scf.while`: `before` yields the values to pass on, if `cond` holds.
    While {
        carried: Vec<(Var, Var)>,
        before: Block,
        cond: Var,
        passed: Vec<Var>,
        after: Block,
    },
    /// Two blocks of a function's body between `cf` branches.
    Branch {
        cond: Var,
        then: Block,
        otherwise: Block,
    },
    /// A loop of `cf` branches that runs while `cond`, computed in `head`, holds.
    Cycle {
        carried: Vec<(Var, Var)>,
        head: Block,
        cond: Var,
        /// Whether the loop runs while `cond` is false.
        until: bool,
        body: Block,
    },
    /// `gpu.launch`
    Launch(Box<Launch>),
    /// `gpu.barrier`
    Barrier,
    /// `gpu.all_reduce`
    AllReduce(Bin, Var),
    Atomic(Update),
    Call {
        callee: usize,
        args: Vec<Var>,
    },
    Alloc {
        sizes: Vec<Var>,
        stack: bool,
    },
    Dealloc(Var),
    GetGlobal(usize),
    Dim {
        mem: Var,
        dim: Var,
    },
    Copy {
        from: Var,
        to: Var,
    },
    /// `memref.cast` to the result's type
    MemCast(Var),
    SubView {
        mem: Var,
        offsets: Vec<Mixed>,
        sizes: Vec<Mixed>,
        strides: Vec<Mixed>,
        /// Dimensions that the result keeps.
        kept: Vec<bool>,
    },
    Reinterpret {
        mem: Var,
        offset: Mixed,
        sizes: Vec<Mixed>,
        strides: Vec<Mixed>,
    },
    Transpose {
        mem: Var,
        order: Vec<usize>,
    },
    Collapse {
        mem: Var,
        groups: Vec<Vec<usize>>,
    },
    Expand {
        mem: Var,
        groups: Vec<Vec<usize>>,
        sizes: Vec<i64>,
    },
    /// `memref.view`
    ByteView {
        mem: Var,
        shift: Var,
        sizes: Vec<Var>,
    },
}

impl Program {
    /// Creates a value of this type.
    pub fn var(&mut self, ty: Type) -> Var {
        self.types.push(ty);
        Var((self.types.len() - 1) as u32)
    }

    /// The type of a value.
    pub fn ty(&self, var: Var) -> &Type {
        &self.types[var.0 as usize]
    }

    /// Whether an array has thousands of elements, as far as types say it.
    pub fn has_long_array(&self) -> bool {
        self.types.iter().any(|ty| match ty {
            Type::MemRef(memref) => {
                let sizes = memref.known_sizes();
                sizes.is_some_and(|sizes| sizes.iter().product::<i64>() >= 2048)
            }
            Type::Scalar(_) => false,
        })
    }

    /// The type of a scalar value.
    ///
    /// # Panics
    /// The value is a memref, which is a bug of the generator.
    pub fn scalar(&self, var: Var) -> Scalar {
        self.ty(var).scalar().expect("a scalar value")
    }

    /// The type of a memref value.
    ///
    /// # Panics
    /// The value is a scalar, which is a bug of the generator.
    pub fn mem(&self, var: Var) -> &MemType {
        self.ty(var).memref().expect("a memref value")
    }

    /// Creates a statement with a new number.
    pub fn stmt(&mut self, results: Vec<Var>, op: Op) -> Stmt {
        self.next_stmt += 1;
        Stmt {
            id: self.next_stmt,
            results,
            op,
        }
    }

    /// The entry function.
    pub fn main(&self) -> &Function {
        self.functions
            .last()
            .expect("a program has a main function")
    }
}
