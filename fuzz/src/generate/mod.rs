//! Generator of random programs, most of which have defined behaviour.
//!
//! The generator keeps an interval for every index it makes and draws subscripts that fit. Where it
//! is too bold the evaluator says so, and [`crate::repair`] removes the statement at fault.

mod affine;
mod arith;
mod control;
mod extreme;
mod functions;
mod idioms;
mod masked;
mod memory;
mod views;

use crate::program::{Op, Program, Stmt, Var};
use crate::random::Random;
use crate::types::{MemType, Scalar, Type};

/// Role of an index in affine operations.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Role {
    /// Symbol, and so also a dimension.
    Symbol,
    /// Dimension only.
    Dim,
    /// Neither symbol nor dimension.
    Plain,
}

/// Scalar value in scope.
#[derive(Clone, Debug)]
struct ScalarVar {
    var: Var,
    ty: Scalar,
    role: Role,
    /// Inclusive bounds of an integer value.
    low: i64,
    high: i64,
}

/// Memref in scope.
#[derive(Clone, Debug)]
struct MemVar {
    var: Var,
    ty: MemType,
    /// The sizes; for dynamic ones the least possible.
    sizes: Vec<i64>,
    writable: bool,
}

/// Signature of a callable function.
#[derive(Clone, Debug)]
struct Callee {
    params: Vec<Param>,
    result: Option<Scalar>,
}

/// Kind of a parameter.
#[derive(Clone, Debug)]
enum Param {
    /// A one-dimensional memref of this type, with at least this many elements.
    Mem(MemType, i64),
    /// An index in this range, or a scalar with its type's range.
    Scalar(Scalar, i64, i64),
}

/// Draws one program.
struct Generator {
    program: Program,
    random: Random,
    out: Vec<Stmt>,
    scalars: Vec<ScalarVar>,
    mems: Vec<MemVar>,
    callees: Vec<Callee>,
    /// The preferred element type, so that much of the memory may alias.
    preferred_element: Scalar,
    /// Number of elements of the program's usual arrays.
    extent: i64,
    /// Remaining number of statements with regions.
    budget: i32,
    /// Product of the enclosing loops' trip counts.
    trips: i64,
    /// Nesting depth of regions.
    depth: usize,
    /// Counters of the enclosing parallel loops.
    parallel: Vec<Var>,
    /// Whether the program consists of idioms only.
    is_of_idioms: bool,
    /// Whether the function at hand is `@main`.
    is_in_main: bool,
    /// Parameters that statements of `@main` have added to it; their inputs are the last ones.
    more_params: Vec<Var>,
}

/// Limit of the estimated executions of a statement.
const MAX_TRIPS: i64 = 600;

/// Limit of nested regions.
const MAX_DEPTH: usize = 4;

/// First seed of programs that consist of idioms only.
pub const IDIOMS: u64 = 1 << 40;

/// Generates the program of a seed, which may still have undefined behaviour.
pub fn generate(seed: u64) -> Program {
    let mut random = Random::new(seed);
    let preferred_element = match random.below(10) {
        0..4 => Scalar::I32,
        4..6 => Scalar::F32,
        _ => *random.pick(&Scalar::ALL),
    };
    let extent = *random.pick(&[4, 5, 8, 8, 16]);
    let mut generator = Generator {
        program: Program::default(),
        random,
        out: Vec::new(),
        scalars: Vec::new(),
        mems: Vec::new(),
        callees: Vec::new(),
        preferred_element,
        extent,
        budget: 0,
        trips: 1,
        depth: 0,
        parallel: Vec::new(),
        is_of_idioms: seed >= IDIOMS,
        is_in_main: false,
        more_params: Vec::new(),
    };
    generator.program();
    generator.program
}

impl Generator {
    /// Emits an operation. Returns its results.
    fn emit(&mut self, op: Op, types: Vec<Type>) -> Vec<Var> {
        let results: Vec<Var> = types.into_iter().map(|ty| self.program.var(ty)).collect();
        let stmt = self.program.stmt(results.clone(), op);
        self.out.push(stmt);
        results
    }

    /// Emits an operation with one scalar result, which enters the scope.
    fn scalar(&mut self, op: Op, ty: Scalar) -> Var {
        let is_constant = matches!(op, Op::Const(_));
        let role = if self.depth == 0 || is_constant {
            Role::Symbol
        } else {
            Role::Plain
        };
        let var = self.emit(op, vec![Type::Scalar(ty)])[0];
        self.scalars.push(ScalarVar {
            var,
            ty,
            role,
            low: i64::MIN,
            high: i64::MAX,
        });
        var
    }

    /// A constant of the index type.
    fn index(&mut self, value: i64) -> Var {
        let var = self.scalar(Op::Const(value as u64), Scalar::Index);
        self.bound(var, value, value);
        var
    }

    /// Records the known range of a value.
    fn bound(&mut self, var: Var, low: i64, high: i64) {
        if let Some(known) = self.scalars.iter_mut().find(|known| known.var == var) {
            (known.low, known.high) = (low, high);
        }
    }

    /// Creates a block argument in scope.
    fn argument(&mut self, ty: Scalar, role: Role, low: i64, high: i64) -> Var {
        let var = self.program.var(Type::Scalar(ty));
        self.scalars.push(ScalarVar {
            var,
            ty,
            role,
            low,
            high,
        });
        var
    }

    /// Draws the statements of a region; their definitions then leave the scope.
    fn nested<T>(&mut self, draw: impl FnOnce(&mut Self) -> T) -> (Vec<Stmt>, T) {
        let outer = std::mem::take(&mut self.out);
        let (scalars, mems) = (self.scalars.len(), self.mems.len());
        self.depth += 1;
        let result = draw(self);
        self.depth -= 1;
        self.scalars.truncate(scalars);
        self.mems.truncate(mems);
        (std::mem::replace(&mut self.out, outer), result)
    }

    /// A type for a value.
    fn any_scalar(&mut self) -> Scalar {
        match self.random.below(10) {
            0..6 => self.preferred_element,
            6 => Scalar::I32,
            7 => Scalar::I64,
            _ => *self.random.pick(&Scalar::ALL),
        }
    }
}
