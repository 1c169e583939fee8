//! Eligibility: the operations, types and sizes that keep a nest out of a kernel, on any device or on one.
//!
//! So a nest that lowering would refuse is not mapped in vain, and the [`Obstacle`] says in a remark why it stays on the
//! host.

use gridloom_dialects::affine::{self, ParallelOp};
use gridloom_dialects::vector::{self, VectorShape};
use gridloom_dialects::{arith, cf, gpu, llvm, math, memref, scf, ub};
use gridloom_ir::op::Traits;
use gridloom_ir::scalar::FloatFormat;
use gridloom_ir::text::type_string;
use gridloom_ir::types::{FloatKind, TypeKind};
use gridloom_ir::{Body, Context, Loc, OpId, OpName, RegionId, Type, Value};

use super::access::is_memref;
use super::band::can_be_loops;
use super::buffers::Buffers;
use super::dependence::Dependences;
use super::parallel::verdict;
use crate::target::Target;

/// Obstacle: a construct that keeps a nest on the host.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Obstacle {
    /// Location of the obstacle.
    pub loc: Loc,
    /// Description, as in "the nest has …".
    pub what: String,
    /// Whether the obstacle is a missing device feature, so that other devices take the nest.
    pub is_unsupported: bool,
}

/// Elements of a thread's private memory, all scratch arrays together.
pub const MAX_PRIVATE_ELEMENTS: i64 = 4096;

/// The first operation below a loop that a kernel cannot hold, on this device
/// or, where none is named, on any.
pub fn obstacle(
    ctx: &Context,
    body: &Body,
    root: OpId,
    target: Option<&Target>,
) -> Option<Obstacle> {
    obstacle_but(ctx, body, root, target, &[])
}

/// Whether a loop becomes a kernel: its iterations are independent, and a kernel can hold it.
pub fn becomes_kernel(deps: &mut Dependences, op: OpId, target: Option<&Target>) -> bool {
    let (ctx, body) = (deps.values.ctx, deps.values.body);
    verdict(deps, op).is_parallel() && obstacle(ctx, body, op, target).is_none()
}

/// Like [`obstacle`], ignoring operations named in `others`; of allocations the size.
pub fn obstacle_but(
    ctx: &Context,
    body: &Body,
    root: OpId,
    target: Option<&Target>,
    others: &[OpName],
) -> Option<Obstacle> {
    let mut private = 0i64;
    for op in body.walk_op(root) {
        let of_memory = || {
            if others.contains(&body[op].name) {
                return None;
            }
            private = private.saturating_add(allocated_elements(ctx, body, op));
            (private > MAX_PRIVATE_ELEMENTS).then(|| {
                format!(
                    "memory that each thread allocates (memref.alloc, memref.alloca), with a dynamic \
                     size, a layout, or more than {MAX_PRIVATE_ELEMENTS} elements in all"
                )
            })
        };
        let what = unsupported_operation(ctx, body, op, others)
            .or_else(of_memory)
            .or_else(|| selected_memref(ctx, body, op));
        if let Some(what) = what {
            return Some(Obstacle::new(body, op, what));
        }
        for value in body[op].results().chain(body[op].operands.iter().copied()) {
            if let Some(what) = unsupported_value(ctx, body, (op, value)) {
                return Some(Obstacle::new(body, op, what));
            }
            let lack = |target| Some((lack(ctx, body[op].name, body.ty(value), target)?, target));
            if let Some((lack, target)) = target.and_then(lack) {
                return Some(Obstacle {
                    is_unsupported: true,
                    ..Obstacle::new(
                        body,
                        op,
                        format!("{lack}, which {} does not have", target.name),
                    )
                });
            }
        }
    }
    target.and_then(|target| too_many_buffers(ctx, body, root, target))
}

impl Obstacle {
    /// An operation that is an obstacle on any device.
    fn new(body: &Body, op: OpId, what: String) -> Self {
        Obstacle {
            loc: body[op].loc,
            what,
            is_unsupported: false,
        }
    }
}

/// The obstacle that an operation not named in `others` is by its name and its regions, on any device.
fn unsupported_operation(
    ctx: &Context,
    body: &Body,
    op: OpId,
    others: &[OpName],
) -> Option<String> {
    let name = body[op].name;
    let is_other = others.contains(&name);
    let has_blocks = |&region: &RegionId| body[region].blocks.len() > 1;
    let is_fixed_band = |band| !can_be_loops(ctx, body, band);
    if name == gpu::LAUNCH && !is_other {
        Some("a loop that is a kernel of its own".to_owned())
    } else if !is_allowed(name) && !is_other {
        let name = ctx.op_name_str(name);
        Some(format!(
            "'{name}', an operation without a lowering to kernels"
        ))
    } else if body[op].inline_regions().iter().any(has_blocks) {
        Some("control flow between basic blocks".to_owned())
    } else if ParallelOp::cast(body, op).is_some_and(is_fixed_band) {
        Some("an affine.parallel that cannot be lowered to loops".to_owned())
    } else {
        None
    }
}

/// The number of elements that an operation allocates for each thread; [`i64::MAX`] if it is not known, or has a layout.
pub fn allocated_elements(ctx: &Context, body: &Body, op: OpId) -> i64 {
    if !matches!(body[op].name, memref::ALLOC | memref::ALLOCA) {
        return 0;
    }
    let ty = body.ty(body[op].result(0)).memref(ctx);
    let size = ty.and_then(|ty| ty.num_elements().filter(|_| ty.layout.is_none()));
    size.unwrap_or(i64::MAX)
}

/// The obstacle that a memref is which an operation selects, as in "the nest has …".
fn selected_memref(ctx: &Context, body: &Body, op: OpId) -> Option<String> {
    let mut results = body[op].results();
    let selects =
        !is_memref_op(body[op].name) && results.any(|result| is_memref(ctx, body, result));
    selects.then(|| "an operation that selects one of several memrefs".to_owned())
}

/// The obstacle that an operand or result is on any device, as in "the nest has …".
fn unsupported_value(ctx: &Context, body: &Body, (op, value): (OpId, Value)) -> Option<String> {
    let ty = body.ty(value);
    if !is_device_type(ctx, ty) {
        return Some(format!(
            "a value of type '{}', which kernels do not support",
            type_string(ctx, ty)
        ));
    }
    (is_long_vector(ctx, ty) && !takes_long_vectors(body, op)).then(|| {
        format!(
            "'{}' on a vector of more than {MAX_LANES} elements or one dimension, which kernels do \
             not support",
            ctx.op_name_str(body[op].name)
        )
    })
}

/// Whether a type is a vector type.
fn is_vector(ctx: &Context, ty: Type) -> bool {
    matches!(ty.kind(ctx), TypeKind::Vector { .. })
}

/// Limit of the chain of vector operations that a kernel recomputes.
const MAX_RECOMPUTED: usize = 8;

/// Whether a kernel can recompute a vector from scalars and memrefs, so that its elements need not be passed: kernels take
/// no vector arguments.
pub fn is_recomputable(ctx: &Context, body: &Body, value: Value) -> bool {
    is_recomputable_within(ctx, body, value, MAX_RECOMPUTED)
}

fn is_recomputable_within(ctx: &Context, body: &Body, value: Value, depth: usize) -> bool {
    if !is_vector(ctx, body.ty(value)) {
        return true;
    }
    let (Some(op), Some(depth)) = (body.defining_op(value), depth.checked_sub(1)) else {
        return false;
    };
    let data = &body[op];
    (data.name.has(Traits::PURE) || data.name.has(Traits::CONSTANT_LIKE))
        && data.num_regions() == 0
        && is_allowed(data.name)
        && (!is_long_vector(ctx, body.ty(value)) || takes_long_vectors(body, op))
        && (data.operands.iter()).all(|&of| is_recomputable_within(ctx, body, of, depth))
}

/// Obstacle of a nest with more storage buffers than the target binds to one kernel.
fn too_many_buffers(ctx: &Context, body: &Body, root: OpId, target: &Target) -> Option<Obstacle> {
    let most = target.storage_buffers?;
    let buffers = Buffers::of(ctx, body, root);
    let report = match buffers.reports {
        true => " and the buffer in which it reports failed accesses and assertions",
        false => "",
    };
    (buffers.count() > most).then(|| Obstacle {
        loc: body[root].loc,
        what: format!(
            "{} memrefs{report}, each of which takes a storage buffer, and {} has at most {most}",
            buffers.memrefs, target.name
        ),
        is_unsupported: true,
    })
}

/// The feature that a device lacks for values of a type, if any.
fn lack(ctx: &Context, name: OpName, ty: Type, target: &Target) -> Option<&'static str> {
    match ty.kind(ctx) {
        TypeKind::MemRef(memref) => {
            let is_atomic = matches!(name, memref::ATOMIC_RMW | memref::GENERIC_ATOMIC_RMW);
            let is_wide = matches!(memref.element.kind(ctx), TypeKind::Float(FloatKind::F64))
                || is_wide_integer(ctx, memref.element);
            if is_atomic && is_wide && !target.i64_atomic {
                return Some("atomic operations on 64-bit elements");
            }
            lack(ctx, name, memref.element, target)
        }
        TypeKind::Float(FloatKind::F64) if !target.f64 => Some("64-bit floats"),
        TypeKind::Integer { .. } if is_wide_integer(ctx, ty) && !target.i64 => {
            Some("64-bit integers")
        }
        _ => None,
    }
}

/// Whether a type is an integer that takes a register of 64 bits.
fn is_wide_integer(ctx: &Context, ty: Type) -> bool {
    ty.signless_width(ctx).is_some_and(|width| width > 32)
}

fn is_memref_op(name: OpName) -> bool {
    gridloom_dialects::signature(name).is_some_and(|op| op.name.starts_with("memref."))
}

/// Whether kernels may hold the operation: by dialect where nearly all of one is fine, else by
/// operation.
fn is_allowed(name: OpName) -> bool {
    let Some(def) = gridloom_dialects::signature(name) else {
        return false;
    };
    let dialect = def.name.split('.').next();
    match dialect {
        Some("arith") => !matches!(name, arith::SCALING_EXTF | arith::SCALING_TRUNCF),
        Some("ub" | "llvm") => matches!(
            name,
            ub::POISON | llvm::MLIR_POISON | llvm::MLIR_UNDEF | llvm::MLIR_ZERO
        ),
        Some("math") => math::OPS.iter().any(|op| op.signature.name == def.name),
        Some("affine") => matches!(
            name,
            affine::FOR
                | affine::PARALLEL
                | affine::IF
                | affine::LOAD
                | affine::STORE
                | affine::VECTOR_LOAD
                | affine::VECTOR_STORE
                | affine::APPLY
                | affine::MIN
                | affine::MAX
                | affine::YIELD
        ),
        Some("scf") => matches!(
            name,
            scf::FOR | scf::IF | scf::INDEX_SWITCH | scf::WHILE | scf::YIELD | scf::CONDITION
        ),
        Some("vector") => matches!(
            name,
            vector::LOAD
                | vector::STORE
                | vector::MASKEDLOAD
                | vector::MASKEDSTORE
                | vector::BROADCAST
                | vector::SHAPE_CAST
                | vector::FROM_ELEMENTS
                | vector::TO_ELEMENTS
                | vector::EXTRACT
                | vector::INSERT
                | vector::SHUFFLE
                | vector::EXTRACT_STRIDED_SLICE
                | vector::INSERT_STRIDED_SLICE
                | vector::INTERLEAVE
                | vector::TRANSPOSE
                | vector::STEP
                | vector::CREATE_MASK
                | vector::CONSTANT_MASK
                | vector::REDUCTION
                | vector::FMA
        ),
        Some("cf") => name == cf::ASSERT,
        _ => matches!(
            name,
            memref::LOAD
                | memref::STORE
                | memref::DIM
                | memref::CAST
                | memref::SUBVIEW
                | memref::REINTERPRET_CAST
                | memref::EXPAND_SHAPE
                | memref::COLLAPSE_SHAPE
                | memref::TRANSPOSE
                | memref::ALLOCA
                | memref::ALLOC
                | memref::DEALLOC
                | memref::ATOMIC_RMW
                | memref::GENERIC_ATOMIC_RMW
                | memref::ATOMIC_YIELD
        ),
    }
}

/// Limit of the lanes of a vector in a register of a kernel.
const MAX_LANES: i64 = 4;

/// Limit of the elements of a vector in a mapped loop: a kernel computes them one by one.
const MAX_ELEMENTS: i64 = 64;

/// Whether kernels compute with a type: scalars, vectors, and memrefs of scalars.
fn is_device_type(ctx: &Context, ty: Type) -> bool {
    match ty.kind(ctx) {
        TypeKind::Vector {
            scalable, element, ..
        } => {
            !scalable.contains(&true)
                && element_count(ctx, ty).is_some_and(|count| count <= MAX_ELEMENTS)
                && is_device_type(ctx, *element)
        }
        TypeKind::MemRef(memref) if VectorShape::of(ctx, memref.element).is_some() => false,
        TypeKind::MemRef(memref) => is_device_type(ctx, memref.element),
        TypeKind::Index => true,
        TypeKind::Integer { .. } => matches!(ty.signless_width(ctx), Some(1..=64)),
        TypeKind::Float(kind) => FloatFormat::of(*kind).is_some(),
        _ => false,
    }
}

/// Number of elements of a vector type of fixed shape.
pub(crate) fn element_count(ctx: &Context, ty: Type) -> Option<i64> {
    let TypeKind::Vector { shape, .. } = ty.kind(ctx) else {
        return None;
    };
    let mut extents = shape.iter();
    extents.try_fold(1i64, |count, &extent| count.checked_mul(extent))
}

/// Whether a vector is too long, or of too high a rank, for a register of a kernel.
fn is_long_vector(ctx: &Context, ty: Type) -> bool {
    match ty.kind(ctx) {
        TypeKind::Vector { shape, .. } => shape.len() != 1 || shape[0] > MAX_LANES,
        _ => false,
    }
}

/// Whether kernels can lower an operation on vectors too long for a register: element by element,
/// or at constant positions.
fn takes_long_vectors(body: &Body, op: OpId) -> bool {
    let data = &body[op];
    let dialect = gridloom_dialects::signature(data.name).and_then(|op| op.name.split('.').next());
    match data.name {
        // Without a further operand, all positions are attributes.
        vector::EXTRACT => data.operands.len() == 1,
        vector::INSERT => data.operands.len() == 2,
        vector::BROADCAST
        | vector::SHAPE_CAST
        | vector::FROM_ELEMENTS
        | vector::TO_ELEMENTS
        | vector::TRANSPOSE
        | vector::LOAD
        | vector::STORE
        | affine::VECTOR_LOAD
        | affine::VECTOR_STORE
        | vector::REDUCTION
        | vector::FMA => true,
        _ => matches!(dialect, Some("arith" | "math")),
    }
}
