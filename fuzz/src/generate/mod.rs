//! Random programs, most of which have a meaning.
//!
//! The generator keeps an interval for every index it makes and draws
//! subscripts that fit. Where it is too bold the evaluator says so, and
//! [`crate::repair`] takes out the statement to blame.

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

/// What an index may be used for in affine operations.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Role {
    /// As a symbol or a dimension.
    Symbol,
    /// As a dimension.
    Dim,
    /// For neither.
    Plain,
}

/// A scalar value in scope.
#[derive(Clone, Debug)]
struct ScalarVar {
    var: Var,
    ty: Scalar,
    role: Role,
    /// Bounds of an integer's value, both included.
    low: i64,
    high: i64,
}

/// A memref in scope.
#[derive(Clone, Debug)]
struct MemVar {
    var: Var,
    ty: MemType,
    /// The sizes, or where they are open the least they may be.
    sizes: Vec<i64>,
    writable: bool,
}

/// The signature of a function that may be called.
#[derive(Clone, Debug)]
struct Callee {
    params: Vec<Param>,
    result: Option<Scalar>,
}

/// What a parameter takes.
#[derive(Clone, Debug)]
enum Param {
    /// A memref of this type, of one dimension and at least so many elements.
    Mem(MemType, i64),
    /// An index between these, or a scalar with its type's bounds.
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
    /// The element type that most memory has, so that much of it may alias.
    house: Scalar,
    /// Elements of the program's usual arrays.
    extent: i64,
    /// Statements with regions still to be drawn.
    budget: i32,
    /// Product of the trip counts of the loops around.
    trips: i64,
    /// Regions around.
    depth: usize,
    /// Counters of the parallel loops around.
    parallel: Vec<Var>,
    /// Whether the program is of idioms alone.
    is_of_idioms: bool,
}

/// Iterations that a statement may be run, as the generator estimates.
const MAX_TRIPS: i64 = 600;

/// Regions in each other.
const MAX_DEPTH: usize = 4;

/// Seeds from here on draw programs of idioms alone.
pub const IDIOMS: u64 = 1 << 40;

/// The program of this seed, which may still lack a meaning.
pub fn generate(seed: u64) -> Program {
    let mut random = Random::new(seed);
    let house = match random.below(10) {
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
        house,
        extent,
        budget: 0,
        trips: 1,
        depth: 0,
        parallel: Vec::new(),
        is_of_idioms: seed >= IDIOMS,
    };
    generator.program();
    generator.program
}

impl Generator {
    /// Adds an operation and returns its results.
    fn emit(&mut self, op: Op, types: Vec<Type>) -> Vec<Var> {
        let results: Vec<Var> = types.into_iter().map(|ty| self.program.var(ty)).collect();
        let stmt = self.program.stmt(results.clone(), op);
        self.out.push(stmt);
        results
    }

    /// Adds an operation with one scalar result, which comes into scope.
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

    /// Notes what is known of a value in scope.
    fn bound(&mut self, var: Var, low: i64, high: i64) {
        if let Some(known) = self.scalars.iter_mut().find(|known| known.var == var) {
            (known.low, known.high) = (low, high);
        }
    }

    /// A block argument, in scope from here on.
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

    /// Draws statements of a region; what they define goes out of scope.
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
            0..6 => self.house,
            6 => Scalar::I32,
            7 => Scalar::I64,
            _ => *self.random.pick(&Scalar::ALL),
        }
    }
}
