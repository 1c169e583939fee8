//! `affine-delinearize`: gives flat arrays the dimensions that their subscripts have, in a version of the function for sizes
//! for which rows do not run into each other.
//!
//! ```text
//! func.func @f(%a: memref<?xf32>, %n, %w) {       func.func @f(%a: memref<?xf32>, %n, %w) {
//!   affine.for %i = 0 to %n {                       %ok = 0 < %w, and the size of %a is a multiple of %w
//!     affine.for %j = 0 to %w {                     scf.if %ok {
//!       … %a[%i * %w + %j]                            %b = memref.reinterpret_cast %a to [size / %w, %w]
//!     }                                               func.call @f__delinearized(%b, %n, %w)
//!   }                                        ⇒      } else {
//! }                                                   func.call @f__flat(%a, %n, %w)
//!                                                   }
//!                                                 }
//!                                                 func.func private @f__delinearized(%a: memref<?x?xf32>, %n, %w) {
//!                                                   … %a[%i, %j]
//!                                                 }
//! ```
//!
//! Programs in C have such subscripts. Products of a counter and a size are not affine; an index for each dimension mostly is,
//! so that every later pass sees what it sees of arrays of several dimensions (T. Grosser, J. Ramanujam, L.-N. Pouchet,
//! P. Sadayappan and S. Pop, "Optimistic Delinearization of Parametrically Sized Arrays", 2015).
//!
//! Row lengths are the factors of counters. A subscript `s` is divided by a length `l` as a polynomial, `s = r · l + c` modulo
//! 2^64, and so on with `r`. Legal where `0 <= c < l` in each iteration, which follows from the bounds of the loops and the
//! conditions around the access, or from polynomials in sizes that the run finds not to be negative; where these and the
//! products of lengths do not wrap around, since the run finds all numbers below a limit; and where every index in
//! range of the flat array is one of the view: its size is a multiple of the lengths, or the rows end before it.
//!
//! A length for which a condition fails at all sizes from 2 on is not taken. Arrays are arguments that nothing but loads and
//! stores mention. Done where one of those that are written has dimensions.

mod minima;
mod numbers;
mod shape;

use std::collections::BTreeSet;

use gridloom_dialects::arith::{self, CmpIOp, CmpIPredicate};
use gridloom_dialects::memref::DimOp;
use gridloom_dialects::{affine, memref};
use gridloom_ir::types::{DYNAMIC, TypeKind};
use gridloom_ir::{Body, Builder, Context, Module, OpId, Value};

use self::numbers::Numbers;
use self::shape::{FlatAccess, MAX_EXTENT, Shape};
use super::argument_versions::{ArgumentVersions, candidates};
use super::polynomial::{MAX_MAGNITUDE, Poly};
use super::raise_to_affine::raise;
use crate::target::OffloadOptions;

/// Suffixes of the names of the versions.
const SUFFIXES: [&str; 2] = ["__delinearized", "__flat"];

/// Limit of the accesses of a function.
const MAX_ACCESSES: usize = 512;

/// Limit of the conditions that the run tests.
const MAX_CONDITIONS: usize = 64;

/// Gives functions of a module versions with delinearized arrays. Returns whether it did.
pub fn delinearize(ctx: &Context, module: &mut Module, options: &OffloadOptions) -> bool {
    // Whoever launches kernels alone expects one for a nest.
    if options.only_kernels {
        return false;
    }
    let mut changed = false;
    for function in candidates(ctx, module) {
        let body = module.body()[function].isolated();
        if let Some(versions) = body.and_then(|body| versions(ctx, body)) {
            changed |= versions.install(ctx, module, function, SUFFIXES).is_some();
        }
    }
    changed
}

/// The versions of a function with flat arrays.
fn versions(ctx: &Context, body: &Body) -> Option<ArgumentVersions> {
    if !body.may_hold_any(|name| matches!(name, memref::STORE | affine::STORE)) {
        return None;
    }
    let mut versions = ArgumentVersions::of(body)?;
    let mut numbers = Numbers::new(ctx, body);
    let accesses = flat_accesses(ctx, body, &mut numbers)?;
    let mut shapes: Vec<Shape> = Vec::new();
    for &array in &body[body.entry()?].args {
        let own: Vec<&FlatAccess> = accesses.iter().filter(|it| it.array == array).collect();
        if !own.is_empty() {
            shapes.extend(Shape::of(&mut numbers, array, &own));
        }
    }
    let is_written = |shape: &Shape| {
        accesses
            .iter()
            .any(|it| it.array == shape.array && it.is_store)
    };
    let conditions: usize = shapes.iter().map(|shape| shape.conditions.len()).sum();
    if !shapes.iter().any(is_written) || conditions > MAX_CONDITIONS {
        return None;
    }
    for shape in &shapes {
        shape.view(ctx, &mut versions, &mut numbers)?;
    }
    let mut named: BTreeSet<Value> = BTreeSet::new();
    for shape in &shapes {
        shape.name_lengths(ctx, &mut versions.version, &mut named)?;
    }
    for &number in &numbers.limited {
        versions.require(ctx, |b| {
            // As an unsigned number, a negative one exceeds the limit.
            let shift = b.index_constant(MAX_MAGNITUDE);
            let shifted = b.binary(arith::ADDI, number, shift);
            let most = b.index_constant(2 * MAX_MAGNITUDE);
            CmpIOp::create(b, CmpIPredicate::Ule, shifted, most)
        });
    }
    raise(ctx, &mut versions.version);
    Some(versions)
}

/// The accesses of the flat arrays among the arguments of a function that nothing else mentions; [`None`] where there are too
/// many.
fn flat_accesses(ctx: &Context, body: &Body, numbers: &mut Numbers) -> Option<Vec<FlatAccess>> {
    let args = &body[body.entry()?].args;
    let is_flat = |&&array: &&Value| {
        let ty = body.ty(array).memref(ctx);
        ty.is_some_and(|ty| ty.rank() == 1 && ty.layout.is_none() && ty.space.is_none())
    };
    let mut flat: Vec<Value> = args.iter().filter(is_flat).copied().collect();
    let mut found: Vec<FlatAccess> = Vec::new();
    for op in body.walk() {
        let access = access_of(ctx, body, op, numbers);
        // A store may have a memref as its value.
        let mentioned = body[op]
            .operands
            .iter()
            .filter(|value| flat.contains(value));
        let mentioned: Vec<Value> = mentioned.copied().collect();
        let is_access = access
            .as_ref()
            .is_some_and(|access| mentioned == [access.array]);
        if !is_access {
            flat.retain(|value| !mentioned.contains(value));
        }
        found.extend(access);
        (found.len() <= MAX_ACCESSES).then_some(())?;
    }
    found.retain(|access| flat.contains(&access.array));
    Some(found)
}

/// The load or store of a flat array that an operation is, if its subscript does not divide.
fn access_of(ctx: &Context, body: &Body, op: OpId, numbers: &mut Numbers) -> Option<FlatAccess> {
    if let Some(access) = memref::Access::cast(body, op) {
        let &[index] = access.indices(body) else {
            return None;
        };
        return Some(FlatAccess {
            op,
            array: access.memref(body),
            is_store: access.is_store,
            subscript: numbers.poly(index),
        });
    }
    let access = affine::Access::cast(body, op)?;
    let is_scalar = matches!(body[op].name, affine::LOAD | affine::STORE);
    let map = access.map(ctx, body);
    let &[result] = map.results(ctx) else {
        return None;
    };
    let operands = access.operands(body);
    let subscript = numbers.expr(result, operands, map.num_dims(ctx))?;
    is_scalar.then(|| FlatAccess {
        op,
        array: access.memref(body),
        is_store: access.is_store,
        subscript,
    })
}

impl Shape {
    /// Gives the array this shape in the version, under tests in the dispatcher.
    fn view(
        &self,
        ctx: &Context,
        versions: &mut ArgumentVersions,
        numbers: &mut Numbers,
    ) -> Option<()> {
        let entry = versions.version.entry()?;
        let args = &versions.version[entry].args;
        let number = args.iter().position(|&arg| arg == self.array)?;
        self.test(ctx, versions);
        let sizes = self.sizes(ctx, versions, numbers, number)?;
        versions.shapes.push((number, sizes));
        let mut ty = versions.version.ty(self.array).memref(ctx)?.clone();
        ty.shape = vec![DYNAMIC; self.inner.len() + 1].into();
        let ty = ctx.intern_type(TypeKind::MemRef(ty));
        versions.version.set_type(self.array, ty);
        for (op, indices) in &self.accesses {
            redirect(ctx, &mut versions.version, *op, self.array, indices);
        }
        Some(())
    }

    /// Replaces the lengths in the version, but for those that are named already, by the sizes of the array, which are natural
    /// numbers that its accesses are within.
    fn name_lengths(
        &self,
        ctx: &Context,
        version: &mut Body,
        named: &mut BTreeSet<Value>,
    ) -> Option<()> {
        let first = version[version.entry()?].first()?;
        for (dim, length) in self.inner.iter().enumerate() {
            if let Some(value) = length.as_value().filter(|&value| named.insert(value)) {
                let mut b = Builder::before(ctx, version, first);
                let dim = b.index_constant(dim as i64 + 1);
                let size = DimOp::create(&mut b, self.array, dim);
                version.replace_uses(value, size);
            }
        }
        Some(())
    }

    /// Emits the tests of lengths and columns.
    fn test(&self, ctx: &Context, versions: &mut ArgumentVersions) {
        let lengths = self.inner.iter().map(|length| (length, CmpIPredicate::Sgt));
        let conditions = self
            .conditions
            .iter()
            .map(|poly| (poly, CmpIPredicate::Sge));
        for (poly, predicate) in lengths.chain(conditions) {
            versions.require(ctx, |b| {
                let (number, zero) = (poly.write(b), b.index_constant(0));
                CmpIOp::create(b, predicate, number, zero)
            });
        }
    }

    /// Emits the sizes of all dimensions, and the tests that their product fits and that the view has what the array has.
    fn sizes(
        &self,
        ctx: &Context,
        versions: &mut ArgumentVersions,
        numbers: &mut Numbers,
        number: usize,
    ) -> Option<Vec<Value>> {
        let array = versions.passed[number];
        let mut b = versions.at_end(ctx)?;
        let inner: Vec<Value> = self
            .inner
            .iter()
            .map(|length| length.write(&mut b))
            .collect();
        let [one, beyond] = [1, MAX_EXTENT + 1].map(|number| b.index_constant(number));
        // Products are cut off in between, so that none wraps around.
        let product = inner.iter().fold(one, |product, &length| {
            let product = b.binary(arith::MULI, product, length);
            b.binary(arith::MINSI, product, beyond)
        });
        let divisor = b.binary(arith::MAXSI, product, one);
        let zero = b.index_constant(0);
        let size = DimOp::create(&mut b, array, zero);
        let outermost = b.binary(arith::DIVSI, size, divisor);
        versions.require(ctx, |b| {
            CmpIOp::create(b, CmpIPredicate::Slt, product, beyond)
        });
        let ends = self.row_ends(numbers);
        versions.require(ctx, |b| {
            let whole = b.binary(arith::MULI, outermost, divisor);
            let is_whole = CmpIOp::create(b, CmpIPredicate::Eq, whole, size);
            let tests = ends.into_iter().flatten().map(|(poly, is_end)| {
                let mut left = poly.write(b);
                if is_end {
                    left = b.binary(arith::ADDI, left, outermost);
                }
                CmpIOp::create(b, CmpIPredicate::Sge, left, zero)
            });
            let tests: Vec<Value> = tests.collect();
            let ends = tests.into_iter().reduce(|x, y| b.binary(arith::ANDI, x, y));
            match ends {
                Some(ends) => b.binary(arith::ORI, is_whole, ends),
                None => is_whole,
            }
        });
        Some([vec![outermost], inner].concat())
    }

    /// Polynomials that are not negative where all rows are below the outermost size, which is to be added where the flag
    /// says so; [`None`] where that is not known.
    fn row_ends(&self, numbers: &mut Numbers) -> Option<Vec<(Poly, bool)>> {
        let mut found: Vec<(Poly, bool)> = Vec::new();
        for (_, indices) in &self.accesses {
            // The outermost index is a natural number wherever the flat one is.
            let behind = indices[0].negated()?.minus(&Poly::constant(1))?;
            let minimum = numbers.minima(&behind).into_iter().next()?;
            let needed = minimum.signs.into_iter().map(|sign| (sign, false));
            for test in needed.chain([(minimum.value, true)]) {
                numbers.is_exact(&test.0).then_some(())?;
                let is_given = !test.1 && test.0.least().is_some_and(|least| least >= 0);
                if !is_given && !found.contains(&test) {
                    found.push(test);
                }
            }
        }
        Some(found)
    }
}

/// Replaces an access by one with an index for each dimension.
fn redirect(ctx: &Context, body: &mut Body, op: OpId, array: Value, indices: &[Poly]) {
    let stored = match body[op].num_results() {
        0 => Some(body[op].operands[0]),
        _ => None,
    };
    let mut b = Builder::before(ctx, body, op);
    let indices: Vec<Value> = indices.iter().map(|index| index.write(&mut b)).collect();
    match stored {
        Some(value) => {
            memref::StoreOp::create(&mut b, value, array, &indices);
        }
        None => {
            let loaded = memref::LoadOp::create(&mut b, array, &indices);
            body.replace_op(op, &[loaded]);
            return;
        }
    }
    body.erase(op);
}
