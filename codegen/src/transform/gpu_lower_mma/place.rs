//! Matrix layout in memory: the positions of a matrix's rows.

use gridloom_dialects::vector::VectorShape;
use gridloom_dialects::{arith, inherent, memref};
use gridloom_ir::text::type_string;
use gridloom_ir::types::DYNAMIC;
use gridloom_ir::{Body, Builder, Context, OpId, TypeKind, Value};

/// Row layout: the positions of a matrix's rows in a memref.
#[derive(Clone, Copy)]
pub(super) enum Rows {
    /// Rows of the matrix are parts of the memref's rows.
    OfMemref,
    /// Rows of the matrix lie a fixed number of elements apart, in the memref viewed as one row.
    Apart(i64),
}

/// The row layout of a loaded or stored matrix.
///
/// # Errors
/// The reason why the rows cannot be accessed.
pub(super) fn rows_of(ctx: &Context, body: &Body, op: OpId, memref: usize) -> Result<Rows, String> {
    let lead = body[op].get(ctx, inherent::LEAD_DIMENSION).unwrap_or(0);
    let ty = body.ty(body[op].operands[memref]);
    let Some(memref) = ty.memref(ctx) else {
        return Err("accesses no memref".to_owned());
    };
    if VectorShape::of(ctx, memref.element).is_some() {
        return Err("accesses a memref of vectors".to_owned());
    }
    let strides = memref.strided_form(ctx).map(|(_, strides)| strides);
    match strides.as_deref() {
        Some([1]) => Ok(Rows::Apart(lead)),
        Some([.., row, 1]) if lead == *row => Ok(Rows::OfMemref),
        _ if memref.layout.is_none() && memref.rank() > 1 => Ok(Rows::Apart(lead)),
        _ => Err(format!(
            "has leadDimension = {lead}, but the rows of '{}' have another stride, and its \
             layout keeps it from being viewed as one row",
            type_string(ctx, ty)
        )),
    }
}

/// Matrix in memory.
pub(super) struct Place {
    memref: Value,
    /// Indices of the first element.
    indices: Vec<Value>,
    rows: Rows,
}

impl Place {
    pub(super) fn of(b: &mut Builder<'_>, memref: Value, indices: &[Value], rows: Rows) -> Place {
        let ctx = b.ctx;
        let ty = b.body.ty(memref).memref(ctx);
        let Some(ty) = ty.filter(|ty| ty.rank() > 1 && matches!(rows, Rows::Apart(_))) else {
            let indices = indices.to_vec();
            return Place {
                memref,
                indices,
                rows,
            };
        };
        let (rank, shape) = (ty.rank(), ty.shape.to_vec());
        let size = shape.iter().try_fold(1i64, |size, &extent| match extent {
            DYNAMIC => None,
            extent => size.checked_mul(extent),
        });
        let mut flat_type = ty.clone();
        flat_type.shape = Box::new([size.unwrap_or(DYNAMIC)]);
        let result = ctx.intern_type(TypeKind::MemRef(flat_type));
        let all: Vec<i64> = (0..rank as i64).collect();
        let groups = ctx.array_attr(&[
            ctx.array_attr(&all.iter().map(|&dim| ctx.i64_attr(dim)).collect::<Vec<_>>())
        ]);
        let state = b.state(memref::COLLAPSE_SHAPE).operands(&[memref]);
        let state = state
            .results(&[result])
            .property(ctx, inherent::REASSOCIATION, groups);
        let flat = b.create(state);
        // Linear index of the first element.
        let mut first: Option<Value> = None;
        for (dim, &index) in indices.iter().enumerate() {
            first = Some(match first {
                None => index,
                Some(before) => {
                    let extent = match shape[dim] {
                        DYNAMIC => {
                            let dim = b.index_constant(dim as i64);
                            memref::DimOp::create(b, memref, dim)
                        }
                        extent => b.index_constant(extent),
                    };
                    arith::linearize(b, before, &[(extent, index)])
                }
            });
        }
        Place {
            memref: b.body[flat].result(0),
            indices: Vec::from_iter(first),
            rows,
        }
    }

    /// The place that lies this number of rows and columns further on.
    pub(super) fn moved(mut self, b: &mut Builder<'_>, start: [Option<Value>; 2]) -> Place {
        let [row, column] = start;
        let last = self.indices.len().saturating_sub(1);
        let (at, row) = match self.rows {
            Rows::OfMemref => (last.saturating_sub(1), row),
            Rows::Apart(lead) => {
                let lead = b.index_constant(lead);
                (last, row.map(|row| b.binary(arith::MULI, row, lead)))
            }
        };
        for (at, distance) in [(at, row), (last, column)] {
            if let (Some(distance), Some(index)) = (distance, self.indices.get_mut(at)) {
                *index = b.binary(arith::ADDI, *index, distance);
            }
        }
        self
    }

    /// The memref and the indices of the first element of row `row`.
    pub(super) fn row(&self, b: &mut Builder<'_>, row: i64) -> Vec<Value> {
        let mut operands = [&[self.memref], &self.indices[..]].concat();
        let (at, distance) = match self.rows {
            Rows::Apart(lead) => (operands.len() - 1, row.saturating_mul(lead)),
            Rows::OfMemref => (operands.len().saturating_sub(2).max(1), row),
        };
        if distance != 0
            && let Some(index) = operands.get_mut(at)
        {
            let distance = b.index_constant(distance);
            *index = b.binary(arith::ADDI, *index, distance);
        }
        operands
    }
}
