//! Rolled accesses: loads and stores of a tile outside of its loops, written as a loop over the
//! points and a private array.
//!
//! ```text
//! // 8 by 8 points                           %t = memref.alloca() : memref<8x8xf32>
//! %z = affine.load %c[%i, %j]                scf.for %p = 0 to 8 { scf.for %q = 0 to 8 {
//! %s = affine.for %k = 0 to %n          ⇒      %x = affine.load %c[%i + %p, %j + %q]
//!     iter_args(%acc = %z) { … }               memref.store %x, %t[%p, %q]
//! affine.store %s, %c[%i, %j]                } }
//!                                            %z00 = memref.load %t[0, 0]
//!                                            %z01 = memref.load %t[0, 1]
//!                                            …
//! ```
//!
//! Stores go through an array in the same way. The order of statements stays: all instances of one
//! come before those of the next, and those of one may go in any order, as the loops of a band are
//! parallel. A place beyond the last iteration of a loop stands for the first point, as it does
//! without the array. A branch that all points take together, such as the condition that a loop of
//! open length runs, is outside of loops as well.
//!
//! This is for drivers that take long to compile an access of memory, and little for one of an array
//! at a constant place: 64 loads and 64 stores of a product of matrices take lavapipe 1.6 s, as loops
//! 0.2 s.

use gridloom_dialects::arith::{self, CmpIOp, CmpIPredicate};
use gridloom_dialects::{affine, memref, scf};
use gridloom_ir::types::TypeKind;
use gridloom_ir::{Body, Builder, Context, InsertPoint, OpId, Type, Value};

use super::{Jam, Point, shell};
use crate::offload::variance::Mask;

/// Counters of a tile's points along one loop, as a function of their place, counted from 0.
#[derive(Clone, Copy)]
pub struct Steps {
    /// The loop's position in the band.
    pub number: usize,
    /// The counter at place 0.
    pub first: Value,
    /// Difference of the counters of neighbouring places.
    pub step: i64,
    /// Where the loop may have fewer iterations than the tile has points: the distance of
    /// neighbouring places in iterations, and the number of iterations left from place 0 on.
    pub left: Option<(i64, Value)>,
}

impl Jam<'_> {
    /// Rolls accesses with at least `least` points through arrays; `None` rolls none.
    pub fn roll_accesses(&mut self, least: Option<usize>) {
        self.rolled = least;
    }

    /// Sets the rule by which a counter follows from the place in a tile.
    pub fn set_steps(&mut self, counter: Value, steps: Steps) {
        self.steps.insert(counter, steps);
    }

    /// Whether an operation is an access that can be rolled: of a scalar, with subscripts that are
    /// counters of the band or values from outside of it.
    pub(super) fn is_rolled(&self, ctx: &Context, body: &Body, op: OpId) -> bool {
        let Some((least, ty)) = self.rolled.zip(accessed_type(body, op)) else {
            return false;
        };
        let operands = &body[op].operands[usize::from(body[op].num_results() == 0)..];
        let is_scalar = match ty.kind(ctx) {
            TypeKind::Float(kind) => matches!(kind.width(), 32 | 64),
            TypeKind::Integer { width, .. } => matches!(width, 32 | 64),
            _ => false,
        };
        let all = (0..self.tile.len()).fold(0, |mask: Mask, k| mask | 1 << k);
        let varied = self
            .rolled_loops(all)
            .iter()
            .fold(0, |mask: Mask, &k| mask | 1 << k);
        let is_named = |&value: &Value| {
            self.steps.contains_key(&value) || self.variance.of(value) & varied == 0
        };
        is_scalar
            && self.domain.is_none()
            && self.count(self.variance.of_op(body, op)) >= least
            && operands.iter().all(is_named)
    }

    /// The loops of a mask along which a tile has several points.
    fn rolled_loops(&self, mask: Mask) -> Vec<usize> {
        let loops = 0..self.tile.len();
        loops
            .filter(|&k| mask >> k & 1 == 1 && self.tile[k] > 1)
            .collect()
    }

    /// Writes an access as a loop over the points of the tile that it varies with.
    pub(super) fn roll(&mut self, b: &mut Builder, op: OpId) {
        let Some(ty) = accessed_type(b.body, op) else {
            return;
        };
        let mask = self.variance.of_op(b.body, op);
        let loops = self.rolled_loops(mask);
        let shape: Vec<i64> = loops.iter().map(|&k| self.tile[k] as i64).collect();
        let array = b.ctx.memref_type(&shape, ty);
        let array = memref::AllocaOp::create(b, array, &[]);
        let points = self.points(mask, &self.origin());
        if b.body[op].num_results() > 0 {
            self.over_places(b, op, &loops, array);
            let result = b.body[op].result(0);
            let mut copies = Vec::with_capacity(points.len());
            for point in &points {
                let at = constants(b, &loops, point);
                copies.push(memref::LoadOp::create(b, array, &at));
            }
            self.note(result, &points, copies.into_iter());
        } else {
            for point in &points {
                let value = self.copy(b.body[op].operands[0], point);
                let at = constants(b, &loops, point);
                memref::StoreOp::create(b, value, array, &at);
            }
            self.over_places(b, op, &loops, array);
        }
    }

    /// Writes the loops over the places along `loops`, with the memory access and the array access
    /// inside.
    fn over_places(&self, b: &mut Builder, op: OpId, loops: &[usize], array: Value) {
        let (mut places, mut resume) = (Vec::new(), None);
        for &k in loops {
            let ends = [0, self.tile[k] as i64, 1].map(|end| b.index_constant(end));
            let [start, end, step] = ends;
            let new = scf::ForOp::create(b, start, end, step, &[]);
            resume.get_or_insert(b.point());
            let block = new.block(b.body);
            scf::yield_values(b, block, &[]);
            b.set(InsertPoint::Start(block));
            places.push(new.induction_var(b.body));
        }
        let mut operands = b.body[op].operands.clone();
        for value in &mut operands {
            *value = match self.steps.get(value).copied() {
                Some(steps) => match loops.iter().position(|&k| k == steps.number) {
                    Some(at) => counter_at(b, steps, places[at]),
                    None => self.first(*value),
                },
                None => self.first(*value),
            };
        }
        let results: Vec<Type> = b.body[op].results().map(|v| b.body.ty(v)).collect();
        if results.is_empty() {
            operands[0] = memref::LoadOp::create(b, array, &places);
            shell(b, op, operands, results);
        } else {
            let load = shell(b, op, operands, results);
            let loaded = b.body[load].result(0);
            memref::StoreOp::create(b, loaded, array, &places);
        }
        if let Some(resume) = resume {
            b.set(resume);
        }
    }
}

/// The element type of a load or store.
fn accessed_type(body: &Body, op: OpId) -> Option<Type> {
    match body[op].name {
        affine::LOAD | memref::LOAD => Some(body.ty(body[op].result(0))),
        affine::STORE | memref::STORE => body[op].operands.first().map(|&value| body.ty(value)),
        _ => None,
    }
}

/// Constants for the place of a point along some loops.
fn constants(b: &mut Builder, loops: &[usize], point: &Point) -> Vec<Value> {
    let places = loops.iter().map(|&k| point[k] as i64);
    places.map(|place| b.index_constant(place)).collect()
}

/// The counter at a place that is known at run time.
fn counter_at(b: &mut Builder, steps: Steps, place: Value) -> Value {
    let mut times = |factor: i64| match factor {
        1 => place,
        factor => {
            let factor = b.index_constant(factor);
            b.binary(arith::MULI, place, factor)
        }
    };
    let offset = times(steps.step);
    let iterations = steps.left.map(|(pitch, left)| (times(pitch), left));
    let there = b.binary(arith::ADDI, steps.first, offset);
    match iterations {
        None => there,
        Some((iterations, left)) => {
            let is_inside = CmpIOp::create(b, CmpIPredicate::Slt, iterations, left);
            arith::select(b, is_inside, there, steps.first)
        }
    }
}
