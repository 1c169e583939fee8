//! Programs as the generator makes them: a tree of its own, from which the
//! text is printed and which the evaluator walks.
//!
//! Nothing here knows gridloom's IR. Values are in SSA form; a [`Var`] is
//! defined once in the whole program.

use crate::affine::Expr;
use crate::types::{MemType, Scalar, Type};

/// A value by its number in [`Program::types`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Var(pub u32);

/// A module, and the arguments its last function is called with.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// `memref.global`s, private.
    pub globals: Vec<Global>,
    /// The functions; the last one is `@main`.
    pub functions: Vec<Function>,
    /// Type of each value.
    pub types: Vec<Type>,
    /// One for each parameter of `@main`.
    pub inputs: Vec<Input>,
    /// The number of the next statement.
    pub next_stmt: u32,
}

/// An argument of `@main`: a scalar's bits, or a memref's sizes and elements in row-major order.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum Input {
    Scalar(u64),
    MemRef { sizes: Vec<i64>, elements: Vec<u64> },
}

/// A `memref.global` of known sizes.
#[derive(Clone, Debug)]
pub struct Global {
    /// Its type.
    pub ty: MemType,
    /// The elements in row-major order.
    pub elements: Vec<u64>,
    /// Whether it is `constant`.
    pub constant: bool,
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its symbol, without `@`.
    pub name: String,
    /// Whether it may be called from outside.
    pub public: bool,
    /// The parameters.
    pub params: Vec<Var>,
    /// What it does; the yields are what it returns.
    pub body: Block,
}

/// Statements and the operands of the terminator behind them.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs)]
pub struct Block {
    pub stmts: Vec<Stmt>,
    pub yields: Vec<Var>,
}

/// An operation.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// The number that faults and removals name it by.
    pub id: u32,
    /// The values it defines.
    pub results: Vec<Var>,
    /// What it does.
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

/// Where a load or a store goes.
#[derive(Clone, Debug)]
pub enum At {
    /// Subscripts of `affine.load` and `affine.store`.
    Affine(Vec<Expr>),
    /// Subscripts of `memref.load` and `memref.store`.
    Plain(Vec<Var>),
}

/// A bound of a loop.
#[derive(Clone, Debug)]
pub enum Bound {
    /// The greatest (lower) or least (upper) of these, of an affine loop.
    Affine(Vec<Expr>),
    /// A value, of an `scf` loop.
    Value(Var),
}

/// A step, known or not.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub enum Step {
    Known(i64),
    Value(Var),
}

/// A condition of an `if`.
#[derive(Clone, Debug)]
pub enum Cond {
    /// All of these are at least 0, or equal to 0 where marked.
    Set(Vec<(Expr, bool)>),
    /// An `i1`.
    Value(Var),
}

/// An offset, size or stride of a view.
#[derive(Clone, Copy, PartialEq, Debug)]
#[allow(missing_docs)]
pub enum Mixed {
    Known(i64),
    Value(Var),
}

/// `vector.maskedload` and `vector.maskedstore` of vectors of one dimension.
#[derive(Clone, Debug)]
pub struct MaskedMove {
    /// Where the vector comes from.
    pub from: Var,
    /// Subscripts of the first lane there.
    pub from_at: Vec<Var>,
    /// For each lane, whether it is read.
    pub read: Vec<Var>,
    /// What a lane holds that is not read.
    pub passed: Var,
    /// Where the vector goes.
    pub to: Var,
    /// Subscripts of the first lane there.
    pub to_at: Vec<Var>,
    /// For each lane, whether it is written.
    pub write: Vec<Var>,
}

/// What a statement does.
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
    /// A masked load of a vector, and a masked store of what it gives.
    MaskedMove(MaskedMove),
    For {
        affine: bool,
        iv: Var,
        lower: Bound,
        upper: Bound,
        step: Step,
        /// Block arguments and what they begin with.
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
        /// How `affine.parallel` combines what the body yields.
        reductions: Vec<Bin>,
        body: Block,
    },
    If {
        cond: Cond,
        then: Block,
        otherwise: Option<Block>,
    },
    /// `scf.while`: `before` yields what it passes on, if `cond` holds.
    While {
        carried: Vec<(Var, Var)>,
        before: Block,
        cond: Var,
        passed: Vec<Var>,
        after: Block,
    },
    /// Two blocks of a function's body between branches of `cf`.
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
        /// Whether it runs while `cond` does not hold.
        until: bool,
        body: Block,
    },
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
    /// A new value of this type.
    pub fn var(&mut self, ty: Type) -> Var {
        self.types.push(ty);
        Var((self.types.len() - 1) as u32)
    }

    /// The type of a value.
    pub fn ty(&self, var: Var) -> &Type {
        &self.types[var.0 as usize]
    }

    /// The type of a scalar value.
    ///
    /// # Panics
    /// The value is a memref: a mistake of the generator.
    pub fn scalar(&self, var: Var) -> Scalar {
        self.ty(var).scalar().expect("a scalar value")
    }

    /// The type of a memref value.
    ///
    /// # Panics
    /// The value is a scalar: a mistake of the generator.
    pub fn mem(&self, var: Var) -> &MemType {
        self.ty(var).memref().expect("a memref value")
    }

    /// A statement with a number of its own.
    pub fn stmt(&mut self, results: Vec<Var>, op: Op) -> Stmt {
        self.next_stmt += 1;
        Stmt {
            id: self.next_stmt,
            results,
            op,
        }
    }

    /// The function that is run.
    pub fn main(&self) -> &Function {
        self.functions
            .last()
            .expect("a program has a main function")
    }
}
