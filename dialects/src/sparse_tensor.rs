//! The `sparse_tensor` dialect, as far as it is left behind MLIR's code generation for sparse tensors:
//! storage specifiers, the sizes of a tensor's buffers as one value.
//!
//! Its types and attributes are foreign and travel as text.

use gridloom_ir::constraints::*;
use gridloom_ir::context::Context;
use gridloom_ir::op::{
    AttrConstraint, AttrDef, AttrSyntax, EnumDef, EnumStorage, EnumerantAttr, Inherent,
    IntegerAttr, OpDef, Storage, Traits, TypeConstraint, TypeRule,
};
use gridloom_ir::types::{Type, TypeKind};
use gridloom_ir::verify::{Check, Checked};

/// What a field of a storage specifier is the size of.
static KINDS: EnumDef = EnumDef::new(
    "StorageSpecifierKind",
    "SparseTensorStorageSpecifierKindAttr",
    "sparse tensor storage specifier kind",
    EnumStorage::Dialect("sparse_tensor", "<kind ", ">"),
    &[
        ("lvl_sz", 0),
        ("pos_mem_sz", 1),
        ("crd_mem_sz", 2),
        ("val_mem_sz", 3),
        ("dim_offset", 4),
        ("dim_stride", 5),
    ],
);

/// The kind of a field, which stands as a keyword.
const KIND: AttrDef = attr(
    "specifierKind",
    AttrConstraint {
        summary: "sparse tensor storage specifier kind",
        storage: Storage::Exact,
        check: |c, a| is_case_of(c, a, &KINDS),
    },
)
.spelled(AttrSyntax::Enum(&KINDS));

/// The level or dimension that a field is of.
const LEVEL: AttrDef = attr("level", INDEX_ATTR)
    .spelled(AttrSyntax::Typed(|c| c.index_type()))
    .optional();

const SPECIFIER: TypeConstraint = TypeConstraint::new("metadata", |c, t| specifier(c, t).is_some());

dialect_ops! {
    after super::r#async::END;
    /// `sparse_tensor.storage_specifier.get`: a field of a specifier.
    SPECIFIER_GET = OpDef::new("sparse_tensor.storage_specifier.get")
        .with(Traits::PURE)
        .operands(&[one("specifier", SPECIFIER)])
        .results(&[one("result", INDEX)])
        .attrs(&[KIND, LEVEL])
        .format("$specifier attr-dict $specifierKind (`at` $level^)? `:` type($specifier)")
        .verify_kind(verify_field);
    /// `sparse_tensor.storage_specifier.init`: a specifier of sizes 0, or with the offsets and
    /// strides of another one.
    SPECIFIER_INIT = OpDef::new("sparse_tensor.storage_specifier.init")
        .with(Traits::PURE)
        .operands(&[maybe("source", SPECIFIER)])
        .results(&[one("result", SPECIFIER)])
        .format("attr-dict (`with` $source^)? `:` (`from` type($source)^ `to`)? type($result)");
    /// `sparse_tensor.storage_specifier.set`: a specifier with another value in a field.
    SPECIFIER_SET = OpDef::new("sparse_tensor.storage_specifier.set")
        .with(Traits::PURE)
        .operands(&[one("specifier", SPECIFIER), one("value", INDEX)])
        .results(&[one("result", SPECIFIER)])
        .infer(&[TypeRule::Same {
            groups: &["specifier", "result"],
            summary: "all of {specifier, result} have same type",
        }])
        .attrs(&[KIND, LEVEL])
        .format(
            "$specifier attr-dict $specifierKind (`at` $level^)? `with` $value `:` type($result)",
        )
        .verify_kind(verify_field);
}

/// The kind of the field that an operation is about.
pub const SPECIFIER_KIND: Inherent<EnumerantAttr> = Inherent::new("specifierKind");
/// The level or dimension of the field that an operation is about.
pub const SPECIFIER_LEVEL: Inherent<IntegerAttr> = Inherent::new("level");

/// The fields of a specifier: some of each level, offsets and strides of each dimension of a slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Specifier {
    /// The number of levels.
    levels: usize,
    /// The number of dimensions of a slice; 0 for a tensor that is none.
    dims: usize,
    /// Levels whose coordinates lie in the buffer of the level before, a bit each: the singletons
    /// of a COO tensor as an array of structures.
    fused: u64,
}

/// The fields of a specifier type; `None` for another type.
pub fn specifier(ctx: &Context, ty: Type) -> Option<Specifier> {
    let TypeKind::Dialect { dialect, body } = ty.kind(ctx) else {
        return None;
    };
    let body = ctx.str(*body);
    if ctx.str(*dialect) != "sparse_tensor" || !body.starts_with(".storage_specifier<") {
        return None;
    }
    // `map = [symbols]{levels}(dimensions) -> (levels)`
    let (before, after) = body.split_once("->")?;
    let before = before.split_once("map")?.1;
    let before = before.rsplit_once('}').map_or(before, |(_, behind)| behind);
    let dims = items(before.split_once('(')?.1);
    let levels = items(after.trim_start().strip_prefix('(')?);
    let is_slice = body.contains("#sparse_tensor<slice");
    Some(Specifier {
        levels: levels.len(),
        dims: if is_slice { dims.len() } else { 0 },
        fused: fused(&levels)?,
    })
}

/// The levels that share the coordinates of the one before, as MLIR's `getCOOSegments` finds them:
/// singletons behind a compressed level, unless the first of them is a structure of arrays. `None`
/// for more levels than bits.
fn fused(levels: &[&str]) -> Option<u64> {
    let mut fused = 0u64;
    // Whether the level before begins or continues a segment, and how the segment lies.
    let (mut in_segment, mut is_soa) = (false, None);
    for (number, level) in levels.iter().enumerate() {
        let format = level
            .rsplit_once(':')
            .map_or("", |(_, format)| format.trim());
        let (name, properties) = format.split_once('(').unwrap_or((format, ""));
        match name.trim_end() {
            "compressed" | "loose_compressed" => (in_segment, is_soa) = (true, None),
            "singleton" if in_segment => {
                let is_soa = *is_soa.get_or_insert_with(|| properties.contains("soa"));
                if !is_soa {
                    fused |= 1u64.checked_shl(u32::try_from(number).ok()?)?;
                }
            }
            _ => in_segment = false,
        }
    }
    Some(fused)
}

/// The items up to the parenthesis that closes a list.
fn items(list: &str) -> Vec<&str> {
    let (mut depth, mut start, mut end) = (0, 0, list.len());
    let mut found = Vec::new();
    for (at, byte) in list.bytes().enumerate() {
        match byte {
            b')' if depth == 0 => {
                end = at;
                break;
            }
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth -= 1,
            b',' if depth == 0 => {
                found.push(&list[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    if !found.is_empty() || !list[start..end].trim().is_empty() {
        found.push(&list[start..end]);
    }
    found
}

impl Specifier {
    /// The number of fields.
    pub fn count(self) -> usize {
        3 * self.levels + 1 + 2 * self.dims
    }

    /// The number of the field of a kind, at a level or dimension.
    pub fn field(self, kind: &str, at: Option<i64>) -> Option<usize> {
        let of = |first: usize, count: usize| {
            let at = usize::try_from(at?).ok().filter(|&at| at < count)?;
            Some(first + at)
        };
        let behind = 3 * self.levels + 1;
        match kind {
            "lvl_sz" => of(0, self.levels),
            "pos_mem_sz" => of(self.levels, self.levels),
            "crd_mem_sz" => {
                let field = of(2 * self.levels, self.levels)?;
                // One buffer has the coordinates of all levels of a segment, and one size.
                let is_fused = |level: usize| self.fused >> level & 1 == 1;
                let level = field - 2 * self.levels;
                let behind = (0..=level)
                    .rev()
                    .take_while(|&level| is_fused(level))
                    .count();
                Some(field - behind)
            }
            "val_mem_sz" => at.is_none().then_some(behind - 1),
            "dim_offset" => of(behind, self.dims),
            "dim_stride" => of(behind + self.dims, self.dims),
            _ => None,
        }
    }

    /// The numbers of the fields that a specifier has from the one it is made of.
    pub fn inherited(self) -> std::ops::Range<usize> {
        3 * self.levels + 1..self.count()
    }
}

fn verify_field(check: &Check) -> Checked {
    let (ctx, data) = (check.ctx(), check.data());
    let Some(specifier) = specifier(ctx, check.operand_type(0)) else {
        return Ok(());
    };
    let kind = data.get(ctx, SPECIFIER_KIND).unwrap_or("");
    let level = data.get(ctx, SPECIFIER_LEVEL);
    match kind {
        "val_mem_sz" => check.ensure(
            level.is_none(),
            "redundant level argument for querying value memory size",
        ),
        "dim_offset" | "dim_stride" if specifier.dims == 0 => {
            Err(check.error("requested slice data on non-slice tensor"))
        }
        _ if level.is_none() => Err(check.error("missing level argument")),
        _ => check.ensure(
            specifier.field(kind, level).is_some(),
            "requested level is out of bounds",
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(encoding: &str) -> Option<Specifier> {
        let ctx = crate::context();
        let body = format!(".storage_specifier<#sparse_tensor.encoding<{{ {encoding} }}>>");
        let ty = ctx.intern_type(TypeKind::Dialect {
            dialect: ctx.ident("sparse_tensor"),
            body: ctx.ident(&body),
        });
        specifier(&ctx, ty)
    }

    #[test]
    fn fields_follow_from_the_encoding() {
        let csr = of("map = (d0, d1) -> (d0 : dense, d1 : compressed)").unwrap();
        assert_eq!((csr.levels, csr.dims), (2, 0));
        let blocks = "map = [s0]{l0, l1}(i, j) -> (l0 = i floordiv 2 : dense, l1 = j : \
                      singleton(nonunique, soa), j mod 4 : structured[2, 4])";
        assert_eq!(of(blocks).unwrap().levels, 3);
        let slice = "map = (d0 : #sparse_tensor<slice(1, 4, 1)>, d1 : #sparse_tensor<slice(1, 4, \
                     2)>) -> (d0 : dense, d1 : compressed)";
        let slice = of(slice).unwrap();
        assert_eq!((slice.levels, slice.dims, slice.count()), (2, 2, 11));
        assert_eq!(of("posWidth = 32"), None);
    }

    #[test]
    fn coordinates_of_coo_levels_are_one_field() {
        let fields = |levels: &str| -> Vec<usize> {
            let of = of(&format!("map = (i, j, k) -> ({levels})")).unwrap();
            let fields = (0..3).map(|at| of.field("crd_mem_sz", Some(at)).unwrap());
            fields.collect()
        };
        let coo = "i : compressed(nonunique), j : singleton(nonunique), k : singleton";
        assert_eq!(fields(coo), [6, 6, 6]);
        let soa = "i : compressed(nonunique), j : singleton(nonunique, soa), k : singleton(soa)";
        assert_eq!(fields(soa), [6, 7, 8]);
        let behind = "i : dense, j : loose_compressed(nonunique), k : singleton";
        assert_eq!(fields(behind), [6, 7, 7]);
        assert_eq!(
            fields("i : dense, j : singleton, k : compressed"),
            [6, 7, 8]
        );
    }

    #[test]
    fn every_field_has_a_number_of_its_own() {
        let specifier = Specifier {
            levels: 2,
            dims: 2,
            fused: 0,
        };
        let kinds = [
            "lvl_sz",
            "pos_mem_sz",
            "crd_mem_sz",
            "dim_offset",
            "dim_stride",
        ];
        let mut all: Vec<_> = (kinds.iter())
            .flat_map(|kind| [0, 1].map(|at| specifier.field(kind, Some(at))))
            .collect();
        all.push(specifier.field("val_mem_sz", None));
        all.sort();
        assert_eq!(all, (0..specifier.count()).map(Some).collect::<Vec<_>>());
        assert_eq!(specifier.field("lvl_sz", Some(2)), None);
    }
}
