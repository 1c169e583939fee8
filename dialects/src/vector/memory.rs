//! Memory access of vectors: contiguous, masked, indexed; and
//! `vector.type_cast`.

use super::types::{
    ANY_VECTOR, FIXED_MASK, MASK, OFFSETS, TENSOR_OR_MEMREF, VectorShape, element_or_self, parts,
};
use gridloom_ir::constraints::*;
use gridloom_ir::op::{AttrDef, OpDef, Traits, TypeConstraint, ValueDef};
use gridloom_ir::types::{MemRefType, Type, TypeKind};
use gridloom_ir::verify::{Check, Checked};

/// A hint that the memory is not reused soon.
const NONTEMPORAL: AttrDef = attr("nontemporal", BOOL).optional();

const INDICES: ValueDef = many("indices", INDEX);

/// Loads contiguous elements.
pub(super) const LOAD: OpDef = OpDef::new("vector.load")
    .operands(&[one("base", MEMREF), INDICES])
    .results(&[one("result", ANY_VECTOR)])
    .attrs(&[NONTEMPORAL, ALIGNMENT])
    .format("$base `[` $indices `]` attr-dict `:` type($base) `,` type($result)")
    .verify_kind(verify_load);

/// Stores contiguous elements.
pub(super) const STORE: OpDef = OpDef::new("vector.store")
    .operands(&[
        one("valueToStore", ANY_VECTOR),
        one("base", MEMREF),
        INDICES,
    ])
    .attrs(&[NONTEMPORAL, ALIGNMENT])
    .format(
        "$valueToStore `,` $base `[` $indices `]` attr-dict \
         `:` type($base) `,` type($valueToStore)",
    )
    .verify_kind(verify_store);

/// A masked load; unset lanes are those of `pass_thru`.
const fn masked_load(name: &'static str, operands: &'static [ValueDef]) -> OpDef {
    OpDef::new(name)
        .operands(operands)
        .results(const { &[one("result", VECTOR)] })
        .attrs(const { &[ALIGNMENT] })
        .format(
            "$base `[` $indices `]` `,` $mask `,` $pass_thru attr-dict \
             `:` type($base) `,` type($mask) `,` type($pass_thru) `into` type($result)",
        )
}

/// A masked store.
const fn masked_store(name: &'static str, operands: &'static [ValueDef]) -> OpDef {
    OpDef::new(name)
        .operands(operands)
        .attrs(const { &[ALIGNMENT] })
        .format(
            "$base `[` $indices `]` `,` $mask `,` $valueToStore attr-dict \
             `:` type($base) `,` type($mask) `,` type($valueToStore)",
        )
}

/// The operands of a masked access; `last` is the value passed through or
/// stored.
const fn masked(mask: TypeConstraint, last: &'static str) -> [ValueDef; 4] {
    [
        one("base", MEMREF),
        INDICES,
        one("mask", mask),
        one(last, VECTOR),
    ]
}

/// Loads the lanes that are set.
pub(super) const MASKEDLOAD: OpDef =
    masked_load("vector.maskedload", &masked(MASK, "pass_thru")).verify_kind(verify_maskedload);

/// Stores the lanes that are set.
pub(super) const MASKEDSTORE: OpDef =
    masked_store("vector.maskedstore", &masked(MASK, "valueToStore"))
        .verify_kind(verify_maskedstore);

/// Loads contiguous elements into the lanes that are set.
pub(super) const EXPANDLOAD: OpDef =
    masked_load("vector.expandload", &masked(FIXED_MASK, "pass_thru"))
        .verify_kind(verify_expandload);

/// Stores the lanes that are set contiguously.
pub(super) const COMPRESSSTORE: OpDef =
    masked_store("vector.compressstore", &masked(FIXED_MASK, "valueToStore"))
        .verify_kind(verify_compressstore);

/// Loads, for each lane that is set, the element at `offsets` plus the lane's
/// index.
pub(super) const GATHER: OpDef = OpDef::new("vector.gather")
    .operands(&[
        one("base", TENSOR_OR_MEMREF),
        many("offsets", INDEX),
        one("indices", OFFSETS),
        one("mask", MASK),
        one("pass_thru", VECTOR),
    ])
    .results(&[one("result", VECTOR)])
    .attrs(&[ALIGNMENT])
    .format(
        "$base `[` $offsets `]` `[` $indices `]` `,` $mask `,` $pass_thru attr-dict \
         `:` type($base) `,` type($indices) `,` type($mask) `,` type($pass_thru) \
         `into` type($result)",
    )
    .verify_kind(verify_gather);

/// Stores each lane that is set at `offsets` plus the lane's index.
pub(super) const SCATTER: OpDef = OpDef::new("vector.scatter")
    .operands(&[
        one("base", TENSOR_OR_MEMREF),
        many("offsets", INDEX),
        one("indices", OFFSETS),
        one("mask", MASK),
        one("valueToStore", VECTOR),
    ])
    .results(&[maybe("result", RANKED_TENSOR)])
    .attrs(&[ALIGNMENT])
    .format(
        "$base `[` $offsets `]` `[` $indices `]` `,` $mask `,` $valueToStore attr-dict \
         `:` type($base) `,` type($indices) `,` type($mask) `,` type($valueToStore) \
         (`->` type($result)^)?",
    )
    .verify_kind(verify_scatter);

/// Views a memref of scalars or vectors as a memref of one vector.
pub(super) const TYPE_CAST: OpDef = OpDef::new("vector.type_cast")
    .with(Traits::PURE)
    .operands(&[one("memref", STATIC_MEMREF)])
    .results(&[one("result", MEMREF)])
    .format("$memref attr-dict `:` type($memref) `to` type($result)")
    .verify_kind(verify_type_cast);

/// The memref type of an operand or result that the row requires to be one.
fn memref<'a>(check: &Check<'a>, ty: Type) -> &'a MemRefType {
    let memref = ty.memref(check.ctx());
    memref.expect("the row demands a memref here")
}

/// Checks that the last dimension is contiguous, or that there is only one
/// element.
fn verify_side_by_side(check: &Check, vector: &VectorShape, memref: &MemRefType) -> Checked {
    let strides = memref.strided_form(check.ctx());
    let unit = strides.is_some_and(|(_, strides)| strides.last().is_none_or(|&last| last == 1));
    let single = !vector.is_scalable() && vector.num_elements() == 1;
    check.ensure(
        unit || single,
        "most minor memref dim must have unit stride",
    )
}

fn verify_indices(check: &Check, rank: usize, indices: usize) -> Checked {
    check.ensure(indices == rank, format_args!("requires {rank} indices"))
}

/// The diagnostics of a load or store.
struct Messages {
    rank: &'static str,
    vectors: &'static str,
    elements: &'static str,
}

fn verify_plain(
    check: &Check,
    base: &MemRefType,
    vector: Type,
    indices: usize,
    messages: &Messages,
) -> Checked {
    let ctx = check.ctx();
    let shape = parts(check, vector);
    verify_side_by_side(check, &shape, base)?;
    check.ensure(base.rank() >= shape.rank(), messages.rank)?;
    let element = match VectorShape::of(ctx, base.element) {
        Some(one) => {
            check.ensure(base.element == vector, messages.vectors)?;
            one.element
        }
        None => base.element,
    };
    check.ensure(shape.element == element, messages.elements)?;
    verify_indices(check, base.rank(), indices)
}

fn verify_load(check: &Check) -> Checked {
    let messages = Messages {
        rank: "destination memref has lower rank than the result vector",
        vectors: "base memref and result vector types should match",
        elements: "base and result element types should match",
    };
    let base = memref(check, check.operand_type(0));
    let indices = check.data().operands.len() - 1;
    verify_plain(check, base, check.result_type(0), indices, &messages)
}

fn verify_store(check: &Check) -> Checked {
    let messages = Messages {
        rank: "source memref has lower rank than the vector to store",
        vectors: "base memref and valueToStore vector types should match",
        elements: "base and valueToStore element type should match",
    };
    let base = memref(check, check.operand_type(1));
    let indices = check.data().operands.len() - 2;
    verify_plain(check, base, check.operand_type(0), indices, &messages)
}

/// The trailing operands of a masked access, with their types.
struct Masked<'a> {
    mask: VectorShape<'a>,
    /// The type passed through or stored.
    value: Type,
    vector: VectorShape<'a>,
}

/// Checks the elements and indices of an access with a base, indices, and
/// `after` vectors, the last two of which are mask and value.
fn verify_masked<'a>(
    check: &Check<'a>,
    after: usize,
    result: Option<Type>,
    messages: &str,
) -> Result<Masked<'a>, gridloom_ir::diag::Diagnostic> {
    let ctx = check.ctx();
    let count = check.data().operands.len();
    let value = check.operand_type(count - 1);
    let vector = parts(check, result.unwrap_or(value));
    let base = check.operand_type(0);
    check.ensure(base.element(ctx) == Some(vector.element), messages)?;
    let rank = match base.kind(ctx) {
        TypeKind::MemRef(memref) => memref.rank(),
        TypeKind::RankedTensor { shape, .. } => shape.len(),
        _ => 0,
    };
    verify_indices(check, rank, count - 1 - after)?;
    Ok(Masked {
        mask: parts(check, check.operand_type(count - 2)),
        value,
        vector,
    })
}

const LOADED: &str = "base and result element type should match";
const STORED: &str = "base and valueToStore element type should match";
const PASSED: &str = "expected pass_thru of same type as result type";

fn verify_maskedload(check: &Check) -> Checked {
    let result = check.result_type(0);
    let this = verify_masked(check, 2, Some(result), LOADED)?;
    check.ensure(
        this.vector.shape == this.mask.shape,
        "expected result shape to match mask shape",
    )?;
    check.ensure(this.value == result, PASSED)
}

fn verify_maskedstore(check: &Check) -> Checked {
    let this = verify_masked(check, 2, None, STORED)?;
    check.ensure(
        this.vector.shape == this.mask.shape,
        "expected valueToStore shape to match mask shape",
    )
}

fn verify_expandload(check: &Check) -> Checked {
    let result = check.result_type(0);
    let this = verify_masked(check, 2, Some(result), LOADED)?;
    check.ensure(
        this.vector.shape[0] == this.mask.shape[0],
        "expected result dim to match mask dim",
    )?;
    check.ensure(this.value == result, PASSED)
}

fn verify_compressstore(check: &Check) -> Checked {
    let this = verify_masked(check, 2, None, STORED)?;
    check.ensure(
        this.vector.shape[0] == this.mask.shape[0],
        "expected valueToStore dim to match mask dim",
    )
}

/// The index vector of a gather or scatter.
fn indices<'a>(check: &Check<'a>) -> VectorShape<'a> {
    parts(check, check.operand_type(check.data().operands.len() - 3))
}

fn verify_gather(check: &Check) -> Checked {
    let result = check.result_type(0);
    let ranked = !matches!(
        check.operand_type(0).kind(check.ctx()),
        TypeKind::UnrankedTensor { .. }
    );
    check.ensure(ranked, "requires base to be a memref or ranked tensor type")?;
    let this = verify_masked(check, 3, Some(result), LOADED)?;
    check.ensure(
        this.vector.shape == indices(check).shape,
        "expected result dim to match indices dim",
    )?;
    check.ensure(
        this.vector.shape == this.mask.shape,
        "expected result dim to match mask dim",
    )?;
    check.ensure(this.value == result, PASSED)
}

fn verify_scatter(check: &Check) -> Checked {
    let base = check.operand_type(0);
    let ranked = !matches!(base.kind(check.ctx()), TypeKind::UnrankedTensor { .. });
    check.ensure(ranked, "requires base to be a memref or ranked tensor type")?;
    let this = verify_masked(check, 3, None, STORED)?;
    check.ensure(
        this.vector.shape == indices(check).shape,
        "expected valueToStore dim to match indices dim",
    )?;
    check.ensure(
        this.vector.shape == this.mask.shape,
        "expected valueToStore dim to match mask dim",
    )
}

/// The shape of a memref, extended by that of its vector elements.
fn whole_shape(check: &Check, memref: &MemRefType) -> Vec<i64> {
    let mut shape = memref.shape.to_vec();
    if let Some(vector) = VectorShape::of(check.ctx(), memref.element) {
        shape.extend_from_slice(vector.shape);
    }
    shape
}

fn verify_type_cast(check: &Check) -> Checked {
    let ctx = check.ctx();
    let (from, to) = (check.operand_type(0), check.result_type(0));
    let (from, target) = (memref(check, from), memref(check, to));
    let contiguous = crate::memref::row_major(&from.shape);
    let identity = from.layout.is_none()
        || from
            .strided_form(ctx)
            .is_some_and(|form| form == (0, contiguous));
    check.ensure(
        identity,
        "expects operand to be a memref with identity layout",
    )?;
    check.ensure(
        target.layout.is_none(),
        "expects result to be a memref with identity layout",
    )?;
    check.ensure(
        from.space == target.space,
        "expects result in same memory space",
    )?;
    check.ensure(
        element_or_self(ctx, from.element) == element_or_self(ctx, target.element),
        format_args!(
            "expects result and operand with same underlying scalar type: '{}'",
            check.show(to)
        ),
    )?;
    check.ensure(
        whole_shape(check, from) == whole_shape(check, target),
        format_args!(
            "expects concatenated result and operand shapes to be equal: '{}'",
            check.show(to)
        ),
    )
}
