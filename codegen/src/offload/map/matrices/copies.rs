//! Tile copies: a factor's elements of one chunk, copied to workgroup memory.

use gridloom_dialects::affine::{ForOp, LoadOp};
use gridloom_dialects::arith::{self, CmpIOp, CmpIPredicate};
use gridloom_dialects::gpu::{self, MatrixRole};
use gridloom_dialects::{gridloom, memref, vector};
use gridloom_ir::attr::DenseData;
use gridloom_ir::elements::element_bytes;
use gridloom_ir::{AttrKind, Type, Value};

use super::{Writer, access_matrix, pitch};
use crate::offload::map::staged::chunks::zero;
use crate::offload::matrices::{Factor, PACKET};
use crate::transform::lower_affine::expand_results;

/// Copies of one factor: lines of elements, which threads copy packet by packet.
pub(super) struct Copies {
    /// 0 for the factor along rows, 1 for the one along columns.
    side: usize,
    memory: Value,
    length: i64,
    /// Line and first element in it of each packet that a thread copies.
    packets: Vec<[Value; 2]>,
}

impl Copies {
    pub(super) fn new(writer: &mut Writer<'_>, side: usize) -> Copies {
        let matrices = writer.matrices;
        let [lines, length] = matrices.lines(side);
        let kind = matrices.product.factors;
        let memory = writer.workgroup_memory([lines, pitch(length)], kind);
        let (threads, per_line) = (matrices.threads(), length / PACKET);
        let packets = (0..lines * per_line / threads).map(|round| {
            let number = writer.plus(writer.thread, round * threads);
            let per_line = writer.b.index_constant(per_line);
            let packet = writer.b.index_constant(PACKET);
            let line = writer.b.binary(arith::DIVUI, number, per_line);
            let place = writer.b.binary(arith::REMUI, number, per_line);
            [line, writer.b.binary(arith::MULI, place, packet)]
        });
        Copies {
            side,
            memory,
            length,
            packets: packets.collect(),
        }
    }

    /// Loads a thread's packets of the chunk that begins at iteration `first` of the summing loop.
    /// In a chunk that may extend beyond the last iteration, elements there are zero.
    pub(super) fn fetch(&self, writer: &mut Writer<'_>, first: Value, is_last: bool) -> Vec<Value> {
        let factor = &writer.matrices.factors[self.side];
        let packets = self.packets.iter();
        packets
            .map(|&[line, place]| {
                let start = writer.first[self.side];
                let (side, depth) = match factor.is_along_depth {
                    true => (line, place),
                    false => (place, line),
                };
                let side = writer.b.binary(arith::ADDI, start, side);
                let depth = writer.b.binary(arith::ADDI, first, depth);
                match factor.is_wide {
                    true => self.packet(writer, factor, [side, depth], is_last),
                    false => self.elements(writer, factor, [side, depth], is_last),
                }
            })
            .collect()
    }

    /// Returns the trip count of the loop along the side.
    fn trips(&self, writer: &Writer<'_>) -> i64 {
        writer.matrices.trips[writer.matrices.sides[self.side]]
    }

    /// Whether some workgroup extends beyond the last row or column.
    fn is_ragged(&self, writer: &Writer<'_>) -> bool {
        self.trips(writer) % writer.matrices.block[self.side] != 0
    }

    /// Loads a packet by one vector access.
    fn packet(
        &self,
        writer: &mut Writer<'_>,
        factor: &Factor,
        [mut side, mut depth]: [Value; 2],
        is_last: bool,
    ) -> Value {
        let trips = self.trips(writer);
        // A packet exists as a whole or not at all, since the trip count is a multiple of its
        // length.
        let [past_side, past_depth] = match factor.is_along_depth {
            true => [1, PACKET],
            false => [PACKET, 1],
        };
        if self.is_ragged(writer) {
            side = at_most(writer, side, trips - past_side);
        }
        let exists = is_last.then(|| self.clamp_depth(writer, &mut depth, past_depth));
        let indices = self.indices(writer, factor, [side, depth]);
        let memref = LoadOp(factor.load).memref(writer.b.body);
        let ty = packet_type(writer);
        let state = writer.b.state(vector::LOAD).results(&[ty]);
        let op = writer
            .b
            .create(state.operands(&[&[memref], &indices[..]].concat()));
        gridloom::set_in_bounds(writer.b.ctx, &mut writer.b.body[op], true);
        let loaded = writer.b.body[op].result(0);
        match exists {
            Some(exists) => {
                let zeros = zeros(writer, ty);
                arith::select(&mut writer.b, exists, loaded, zeros)
            }
            None => loaded,
        }
    }

    /// Loads a packet element by element.
    fn elements(
        &self,
        writer: &mut Writer<'_>,
        factor: &Factor,
        [side, depth]: [Value; 2],
        is_last: bool,
    ) -> Value {
        let trips = self.trips(writer);
        let memref = LoadOp(factor.load).memref(writer.b.body);
        let mut elements = Vec::new();
        for n in 0..PACKET {
            let (mut side, mut depth) = (side, depth);
            match factor.is_along_depth {
                true => depth = writer.plus(depth, n),
                false => side = writer.plus(side, n),
            }
            if self.is_ragged(writer) {
                side = at_most(writer, side, trips - 1);
            }
            let exists = is_last.then(|| self.clamp_depth(writer, &mut depth, 1));
            let indices = self.indices(writer, factor, [side, depth]);
            let loaded = memref::LoadOp::create(&mut writer.b, memref, &indices);
            if let Some(op) = writer.b.body.defining_op(loaded) {
                gridloom::set_in_bounds(writer.b.ctx, &mut writer.b.body[op], true);
            }
            elements.push(match exists {
                Some(exists) => {
                    let ty = writer.b.body.ty(loaded);
                    let zero = zero(&mut writer.b, ty);
                    arith::select(&mut writer.b, exists, loaded, zero)
                }
                None => loaded,
            });
        }
        let ty = packet_type(writer);
        writer.b.unary(vector::FROM_ELEMENTS, &elements, ty)
    }

    /// Clamps an iteration of the summing loop to the last one. Returns whether the iteration
    /// exists.
    fn clamp_depth(&self, writer: &mut Writer<'_>, depth: &mut Value, past: i64) -> Value {
        let end = writer.b.index_constant(writer.matrices.depth);
        let exists = CmpIOp::create(&mut writer.b, CmpIPredicate::Slt, *depth, end);
        *depth = at_most(writer, *depth, writer.matrices.depth - past);
        exists
    }

    /// Emits the subscripts of the load at a row or column and an iteration of the summing loop.
    fn indices(
        &self,
        writer: &mut Writer<'_>,
        factor: &Factor,
        [side, depth]: [Value; 2],
    ) -> Vec<Value> {
        let k = writer.matrices.sides[self.side];
        let (counter, at) = writer.counter(k, side);
        let summing = ForOp(writer.matrices.summing);
        let lower = summing.lower(writer.b.ctx, writer.b.body).map;
        let first = lower.as_single_constant(writer.b.ctx).unwrap_or(0);
        let depth = writer.plus(depth, first);
        let by_depth = summing.induction_var(writer.b.body);
        let load = LoadOp(factor.load);
        let operands = load
            .operands(writer.b.body)
            .iter()
            .map(|&value| match value {
                value if value == counter => at,
                value if value == by_depth => depth,
                value => writer.map.value(value),
            });
        let operands: Vec<Value> = operands.collect();
        let map = load.map(writer.b.ctx, writer.b.body);
        expand_results(&mut writer.b, map, &operands)
    }

    /// Stores a thread's packets to workgroup memory.
    pub(super) fn put(&self, writer: &mut Writer<'_>, fetched: &[Value]) {
        for (&[line, place], &value) in self.packets.iter().zip(fetched) {
            let operands = [value, self.memory, line, place];
            let op = writer
                .b
                .create(writer.b.state(vector::STORE).operands(&operands));
            gridloom::set_in_bounds(writer.b.ctx, &mut writer.b.body[op], true);
        }
    }

    /// Loads the matrix of a factor at a row or column of the subgroup and a depth in the chunk.
    pub(super) fn matrix(&self, writer: &mut Writer<'_>, side: i64, depth: i64) -> Value {
        let role = match self.side {
            0 => MatrixRole::A,
            _ => MatrixRole::B,
        };
        let is_along_depth = writer.matrices.factors[self.side].is_along_depth;
        let side = writer.plus(writer.own[self.side], side);
        let depth = writer.b.index_constant(depth);
        let place = match is_along_depth {
            true => [side, depth],
            false => [depth, side],
        };
        let operands = [self.memory, place[0], place[1]];
        let ty = writer.matrix_type(role);
        // Rows of the left factor are along the depth, those of the right one along columns.
        let is_transposed = is_along_depth != (self.side == 0);
        let form = (pitch(self.length), is_transposed);
        let name = gpu::SUBGROUP_MMA_LOAD_MATRIX;
        let op = access_matrix(&mut writer.b, name, &operands, &[ty], form);
        writer.b.body[op].result(0)
    }
}

fn at_most(writer: &mut Writer<'_>, value: Value, most: i64) -> Value {
    let most = writer.b.index_constant(most);
    writer.b.binary(arith::MINSI, value, most)
}

fn packet_type(writer: &Writer<'_>) -> Type {
    let ctx = writer.b.ctx;
    let element = ctx.float_type(writer.matrices.product.factors);
    ctx.vector_type(&[PACKET], element)
}

fn zeros(writer: &mut Writer<'_>, ty: Type) -> Value {
    let ctx = writer.b.ctx;
    let element = ty.element(ctx).unwrap_or(ty);
    let bytes = element_bytes(ctx, element).unwrap_or(1);
    let data = DenseData::Splat(vec![0; bytes].into());
    let zero = ctx.intern_attr(AttrKind::Dense { ty, data });
    writer.b.constant(zero, ty)
}
