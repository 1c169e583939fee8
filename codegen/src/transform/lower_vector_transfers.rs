//! `lower-vector-transfers`: transfers of short vectors as accesses of their lanes.
//!
//! ```text
//!                                                %in = arith.cmpi slt, %i + 1, %n
//! %v = vector.transfer_read %a[%i], %pad    ⇒    %y = scf.if %in { memref.load %a[%i + 1] } else { %pad }
//!        : memref<?xf32>, vector<2xf32>          %v = vector.from_elements %x, %y
//! ```
//!
//! Analyses and kernels know plain accesses, not permutations, broadcasts and padding. A lane is
//! tested where its dimension is not said to be in bounds; raising turns the test into `affine.if`,
//! and `merge-adjacent-accesses` finds the runs again where no test is left. Transfers of tensors,
//! of vectors of vectors, with a mask or of more than [`MAX_LANES`] lanes stay.

use std::collections::HashMap;

use gridloom_ir::affine::AffineExprKind;
use gridloom_ir::dialect::arith::{self, CmpIOp, CmpIPredicate};
use gridloom_ir::dialect::memref::{DimOp, LoadOp, StoreOp};
use gridloom_ir::dialect::scf;
use gridloom_ir::dialect::vector::{self, TransferParts, VectorShape};
use gridloom_ir::{Body, Builder, Context, InsertPoint, OpId, Type, Value};

/// Longest vector whose lanes are accessed one by one.
const MAX_LANES: i64 = 16;

/// Lowers the transfers of a body. Returns whether anything changed.
pub fn lower_transfers(ctx: &Context, body: &mut Body) -> bool {
    let transfers: Vec<Transfer> = (body.walk().into_iter())
        .filter_map(|op| Transfer::of(ctx, body, op))
        .collect();
    let changed = !transfers.is_empty();
    let mut read = HashMap::new();
    for transfer in transfers {
        transfer.lower(ctx, body, &mut read);
    }
    if !read.is_empty() {
        body.replace_values(|value| read.get(&value).copied().unwrap_or(value));
    }
    changed
}

/// A transfer that has a form by lanes.
struct Transfer {
    op: OpId,
    parts: TransferParts,
    element: Type,
    /// The dimensions of the vector, outermost first.
    dims: Vec<LaneDim>,
}

/// A dimension of the vector that is transferred.
#[derive(Clone, Copy)]
struct LaneDim {
    lanes: i64,
    /// The dimension of the memref that lanes lie along; all are one element otherwise.
    along: Option<usize>,
    /// Whether lanes may lie outside of that dimension.
    is_tested: bool,
}

impl Transfer {
    fn of(ctx: &Context, body: &Body, op: OpId) -> Option<Transfer> {
        let parts = TransferParts::of(ctx, body, op)?;
        let ty = body.ty(parts.base).memref(ctx)?;
        let shape = VectorShape::of(ctx, body.ty(parts.vector))?;
        let is_short = !shape.is_scalable() && (1..=MAX_LANES).contains(&shape.num_elements());
        if !is_short || parts.mask.is_some() || ty.element != shape.element {
            return None;
        }
        let results = parts.map.results(ctx).iter().zip(&parts.in_bounds);
        let dims = (shape.shape.iter().zip(results)).map(|(&lanes, (result, &is_sure))| {
            let along = match result.kind(ctx) {
                AffineExprKind::Dim(dim) => Some(dim as usize),
                // A broadcast reads one element; writes have none.
                _ if parts.is_read => None,
                _ => return None,
            };
            Some(LaneDim {
                lanes,
                along,
                is_tested: along.is_some() && !is_sure,
            })
        });
        let dims = dims.collect::<Option<_>>()?;
        Some(Transfer {
            op,
            element: shape.element,
            dims,
            parts,
        })
    }

    /// Makes the accesses in place of the transfer. A vector that is read goes to `read`, by the
    /// result it is to replace.
    fn lower(&self, ctx: &Context, body: &mut Body, read: &mut HashMap<Value, Value>) {
        let ty = body.ty(self.parts.vector);
        let mut b = Builder::before(ctx, body, self.op);
        let extents: Vec<Option<Value>> = (self.dims.iter())
            .map(|dim| {
                let along = dim.along.filter(|_| dim.is_tested)?;
                Some(extent(&mut b, self.parts.base, along))
            })
            .collect();
        let lanes = self.lanes();
        let Some(padding) = self.parts.padding else {
            let types = vec![self.element; lanes.len()];
            let state = b.state(vector::TO_ELEMENTS).operands(&[self.parts.vector]);
            let parts = b.create(state.results(&types));
            let parts: Vec<Value> = b.body[parts].results().collect();
            for (lane, part) in lanes.iter().zip(parts) {
                self.write_lane(&mut b, lane, part, &extents);
            }
            body.erase(self.op);
            return;
        };
        // Lanes of a broadcast share what the first of them reads.
        let mut known: HashMap<Vec<i64>, Value> = HashMap::new();
        let mut parts = Vec::new();
        for lane in lanes {
            let offsets = self
                .dims
                .iter()
                .zip(&lane)
                .map(|(dim, &at)| match dim.along {
                    Some(_) => at,
                    None => 0,
                });
            let part = *(known.entry(offsets.collect()))
                .or_insert_with_key(|offsets| self.read_lane(&mut b, offsets, padding, &extents));
            parts.push(part);
        }
        let state = b.state(vector::FROM_ELEMENTS).operands(&parts);
        let whole = b.create(state.results(&[ty]));
        read.insert(self.parts.vector, b.body[whole].result(0));
        body.erase(self.op);
    }

    /// The lanes of the vector by their numbers along its dimensions, the last fastest.
    fn lanes(&self) -> Vec<Vec<i64>> {
        let mut lanes = vec![Vec::new()];
        for dim in &self.dims {
            let next = |lane: &Vec<i64>| {
                let lane = lane.clone();
                (0..dim.lanes).map(move |at| [&lane[..], &[at]].concat())
            };
            lanes = lanes.iter().flat_map(next).collect();
        }
        lanes
    }

    fn read_lane(
        &self,
        b: &mut Builder,
        lane: &[i64],
        padding: Value,
        extents: &[Option<Value>],
    ) -> Value {
        let indices = self.indices_of(b, lane);
        let Some(inside) = self.test(b, &indices, extents) else {
            return LoadOp::create(b, self.parts.base, &indices);
        };
        let guard = scf::IfOp::create(b, inside, &[self.element], true);
        let after = b.point();
        let then = guard.then_block(b.body);
        b.set(InsertPoint::End(then));
        let value = LoadOp::create(b, self.parts.base, &indices);
        scf::yield_values(b, then, &[value]);
        if let Some(block) = guard.else_block(b.body) {
            scf::yield_values(b, block, &[padding]);
        }
        b.set(after);
        b.body[guard.0].result(0)
    }

    fn write_lane(&self, b: &mut Builder, lane: &[i64], part: Value, extents: &[Option<Value>]) {
        let indices = self.indices_of(b, lane);
        let Some(inside) = self.test(b, &indices, extents) else {
            StoreOp::create(b, part, self.parts.base, &indices);
            return;
        };
        let guard = scf::IfOp::create(b, inside, &[], false);
        let after = b.point();
        let then = guard.then_block(b.body);
        b.set(InsertPoint::End(then));
        StoreOp::create(b, part, self.parts.base, &indices);
        scf::yield_values(b, then, &[]);
        b.set(after);
    }

    /// The subscripts of a lane's element.
    fn indices_of(&self, b: &mut Builder, lane: &[i64]) -> Vec<Value> {
        let mut indices = self.parts.indices.clone();
        for (dim, &at) in self.dims.iter().zip(lane) {
            if let (Some(index), 1..) = (dim.along.and_then(|along| indices.get_mut(along)), at) {
                let offset = b.index_constant(at);
                *index = b.binary(arith::ADDI, *index, offset);
            }
        }
        indices
    }

    /// `0 <= index < extent` of each dimension that is to be tested; `None` if none is.
    fn test(&self, b: &mut Builder, indices: &[Value], extents: &[Option<Value>]) -> Option<Value> {
        let mut inside = None;
        for (dim, &extent) in self.dims.iter().zip(extents) {
            let index = dim.along.and_then(|along| indices.get(along));
            let (Some(&index), Some(extent)) = (index, extent) else {
                continue;
            };
            let zero = b.index_constant(0);
            let above = CmpIOp::create(b, CmpIPredicate::Sge, index, zero);
            let below = CmpIOp::create(b, CmpIPredicate::Slt, index, extent);
            let both = b.binary(arith::ANDI, above, below);
            inside = Some(match inside {
                Some(before) => b.binary(arith::ANDI, before, both),
                None => both,
            });
        }
        inside
    }
}

/// The extent of a memref's dimension.
fn extent(b: &mut Builder, memref: Value, dim: usize) -> Value {
    let ty = b.body.ty(memref).memref(b.ctx);
    match ty.and_then(|ty| ty.shape.get(dim)) {
        Some(&extent) if extent >= 0 => b.index_constant(extent),
        _ => {
            let dim = b.index_constant(dim as i64);
            DimOp::create(b, memref, dim)
        }
    }
}
