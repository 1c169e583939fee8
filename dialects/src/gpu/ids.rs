//! Ids and sizes of a launch along its dimensions.

use std::borrow::Cow;

use gridloom_ir::attr::{Attr, AttrKind};
use gridloom_ir::attr_names;
use gridloom_ir::body::{Body, OpId, Value};
use gridloom_ir::builder::Builder;
use gridloom_ir::context::Context;
use gridloom_ir::op::{AttrValue, EnumDef, EnumStorage, OpName};

/// Dimension of a launch.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[allow(missing_docs)] // x, y and z
pub enum Dimension {
    X,
    Y,
    Z,
}

/// Threads of a subgroup, in every engine: those of 32 successive numbers in the workgroup, x first.
/// Hardware has 4 to 64; one size for all makes programs give the same everywhere.
pub const SUBGROUP_LANES: i64 = 32;

/// Spelling and storage of a dimension.
pub(crate) static DIMENSION: EnumDef = EnumDef {
    class: "Dimension",
    record: "GPU_DimensionAttr",
    summary: "a dimension, either 'x', 'y', or 'z'",
    cases: &[("x", 0), ("y", 1), ("z", 2)],
    storage: EnumStorage::Dialect("gpu", "<dim ", ">"),
    bits: false,
    angled: false,
};

impl Dimension {
    /// All three dimensions.
    pub const ALL: [Dimension; 3] = [Dimension::X, Dimension::Y, Dimension::Z];

    /// The letter of the dimension.
    pub fn keyword(self) -> &'static str {
        DIMENSION.cases[self as usize].0
    }

    /// `#gpu<dim x>`
    pub fn attr(self, ctx: &Context) -> Attr {
        ctx.dialect_attr("gpu", &format!("<dim {}>", self.keyword()))
    }

    /// Returns the dimension of a `#gpu<dim x>` attribute.
    pub fn from_attr(ctx: &Context, attr: Attr) -> Option<Dimension> {
        let AttrKind::Dialect { dialect, body, .. } = attr.kind(ctx) else {
            return None;
        };
        if ctx.str(*dialect) != "gpu" {
            return None;
        }
        // Both spellings of a dialect attribute.
        let text = ctx.str(*body).trim_start_matches('<');
        let word = text.strip_prefix("dim")?.strip_suffix('>')?;
        let word = word.trim_matches([' ', '<']);
        Self::ALL.into_iter().find(|dim| dim.keyword() == word)
    }
}

impl AttrValue for Dimension {
    type In<'c> = Dimension;

    fn read(ctx: &Context, attr: Attr) -> Option<Dimension> {
        Dimension::from_attr(ctx, attr)
    }
}

/// Operation that reads an id or a size in one dimension.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IdOp {
    /// The operation.
    pub op: OpId,
    /// The id or size: `gpu::THREAD_ID`, `gpu::BLOCK_DIM`, …
    pub name: OpName,
}

impl IdOp {
    /// Views `gpu.thread_id`, `block_id`, `block_dim`, `grid_dim`, `global_id`, or an id or size of
    /// a cluster.
    pub fn cast(body: &Body, op: OpId) -> Option<IdOp> {
        let name = body[op].name;
        let asks = matches!(
            name,
            super::THREAD_ID
                | super::BLOCK_ID
                | super::BLOCK_DIM
                | super::GRID_DIM
                | super::GLOBAL_ID
                | super::CLUSTER_ID
                | super::CLUSTER_DIM
                | super::CLUSTER_BLOCK_ID
                | super::CLUSTER_DIM_BLOCKS
        );
        asks.then_some(IdOp { op, name })
    }

    /// Makes an operation `name` in dimension `dim`.
    pub fn create(b: &mut Builder, name: OpName, dim: Dimension) -> Value {
        let index = b.ctx.index_type();
        let state =
            b.state(name)
                .results(&[index])
                .property(b.ctx, attr_names::DIMENSION, dim.attr(b.ctx));
        let op = b.create(state);
        b.body[op].result(0)
    }

    /// The dimension.
    pub fn dimension(self, ctx: &Context, body: &Body) -> Dimension {
        let attr = crate::verified::required(ctx, &body[self.op], attr_names::DIMENSION);
        let dimension = Dimension::from_attr(ctx, attr);
        dimension.expect("a verified dimension is x, y or z")
    }
}

/// Names an id by its dimension: `thread_id_x` for `gpu.thread_id x`.
pub(super) fn result_name(ctx: &Context, body: &Body, op: OpId) -> Option<Cow<'static, str>> {
    let data = &body[op];
    let dimension = data.attr(ctx, attr_names::DIMENSION)?;
    let dimension = Dimension::from_attr(ctx, dimension)?.keyword();
    let mnemonic = ctx.op_name_str(data.name).strip_prefix("gpu.")?;
    Some(format!("{mnemonic}_{dimension}").into())
}
