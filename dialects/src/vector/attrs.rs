//! Attributes of the `vector` dialect.

use gridloom_ir::attr::{Attr, AttrKind};
use gridloom_ir::constraints::{attr, is_case_of};
use gridloom_ir::context::Context;
use gridloom_ir::op::{AttrConstraint, AttrDef, AttrSyntax, EnumDef, EnumStorage, Storage};
use gridloom_ir::symbols::{SymbolDef, Symbols};
use gridloom_ir::types::{Type, TypeKind};

/// The attributes of the dialect.
pub(crate) static SYMBOLS: Symbols = Symbols {
    dialect: "vector",
    types: &[],
    attrs: &[
        SymbolDef::cases("iterator_type", &ITERATOR_TYPES),
        SymbolDef::cases("kind", &KINDS),
        SymbolDef::cases("punctuation", &PUNCTUATIONS),
    ],
};

/// `#vector.kind<…>`: the combining function.
pub(super) static KINDS: EnumDef = EnumDef {
    class: "CombiningKind",
    record: "Vector_CombiningKindAttr",
    summary: "Kind of combining function for contractions and reductions",
    cases: &[
        ("add", 0),
        ("mul", 1),
        ("minui", 2),
        ("minsi", 3),
        ("minnumf", 4),
        ("maxui", 5),
        ("maxsi", 6),
        ("maxnumf", 7),
        ("and", 8),
        ("or", 9),
        ("xor", 10),
        ("maximumf", 12),
        ("minimumf", 11),
    ],
    storage: EnumStorage::Dialect("vector", ".kind<", ">"),
    bits: false,
    angled: true,
};

/// The attribute `kind`.
pub(super) const KIND: AttrDef = attr(
    "kind",
    AttrConstraint {
        summary: "Kind of combining function for contractions and reductions",
        storage: Storage::Exact,
        check: |c, a| is_case_of(c, a, &KINDS),
    },
)
.spelled(AttrSyntax::Enum(&KINDS));

/// The attribute `kind`; `add` by default.
pub(super) const KIND_OR_ADD: AttrDef = KIND.or("#vector.kind<add>");

/// The keyword of an attribute `#vector.kind<…>`.
pub fn kind_of(ctx: &Context, attr: Attr) -> Option<&'static str> {
    let name = dialect_parameter(ctx, attr, ".kind<")?;
    let case = KINDS.cases.iter().find(|case| case.0 == name)?;
    Some(case.0)
}

/// Whether a function combines elements of a type.
pub(super) fn combines(ctx: &Context, kind: &str, element: Type) -> bool {
    let int = matches!(
        element.kind(ctx),
        TypeKind::Integer { .. } | TypeKind::Index
    );
    let float = element.float_kind(ctx).is_some();
    match kind {
        "add" | "mul" => int || float,
        "minnumf" | "maxnumf" | "minimumf" | "maximumf" => float,
        _ => int,
    }
}

/// `#vector.iterator_type<…>`: the role of a contraction dimension.
static ITERATOR_TYPES: EnumDef = EnumDef {
    class: "IteratorType",
    record: "Vector_IteratorTypeEnum",
    summary: "Iterator type",
    cases: &[("parallel", 0), ("reduction", 1)],
    storage: EnumStorage::Dialect("vector", ".iterator_type<", ">"),
    bits: false,
    angled: true,
};

/// The keyword of an `#vector.iterator_type<…>`: `parallel` or `reduction`.
pub(super) fn iterator_of(ctx: &Context, attr: Attr) -> Option<&str> {
    let name = dialect_parameter(ctx, attr, ".iterator_type<")?;
    is_iterator(name).then_some(name)
}

/// Whether a keyword is an iterator type.
pub(super) fn is_iterator(word: &str) -> bool {
    ITERATOR_TYPES.cases.iter().any(|case| case.0 == word)
}

/// Makes an `#vector.iterator_type<…>` from its keyword.
pub(super) fn iterator_attr(ctx: &Context, word: &str) -> Attr {
    ctx.dialect_attr("vector", &format!(".iterator_type<{word}>"))
}

/// The text in the angle brackets of an attribute of this dialect.
fn dialect_parameter<'c>(ctx: &'c Context, attr: Attr, prefix: &str) -> Option<&'c str> {
    let AttrKind::Dialect { dialect, body, .. } = attr.kind(ctx) else {
        return None;
    };
    let parameter = ctx.str(*body).strip_prefix(prefix)?.strip_suffix('>')?;
    (ctx.str(*dialect) == "vector").then_some(parameter.trim())
}

/// The attribute `iterator_types` of a contraction.
pub(super) const ITERATORS: AttrDef = attr(
    "iterator_types",
    AttrConstraint {
        summary: "Iterator type should be an enum.",
        storage: Storage::Array,
        check: |c, a| {
            a.as_array(c)
                .is_some_and(|items| items.iter().all(|&item| iterator_of(c, item).is_some()))
        },
    },
);

/// `#vector.punctuation<…>`: what `vector.print` appends.
static PUNCTUATIONS: EnumDef = EnumDef {
    class: "PrintPunctuation",
    record: "Vector_PrintPunctuation",
    summary: "Punctuation for separating vectors or vector elements",
    cases: &[
        ("no_punctuation", 0),
        ("newline", 1),
        ("comma", 2),
        ("open", 3),
        ("close", 4),
    ],
    storage: EnumStorage::Dialect("vector", ".punctuation<", ">"),
    bits: false,
    angled: true,
};

/// The attribute `punctuation`; a newline by default.
pub(super) const PUNCTUATION: AttrDef = attr(
    "punctuation",
    AttrConstraint {
        summary: "Punctuation for separating vectors or vector elements",
        storage: Storage::Exact,
        check: |c, a| is_case_of(c, a, &PUNCTUATIONS),
    },
)
.spelled(AttrSyntax::Enum(&PUNCTUATIONS))
.or("#vector.punctuation<newline>");

/// A list of booleans, `[true, false]`.
pub(super) const BOOL_LIST: AttrConstraint = AttrConstraint {
    summary: "1-bit boolean array attribute",
    storage: Storage::Array,
    check: |c, a| {
        let items = a.as_array(c);
        items.is_some_and(|items| items.iter().all(|item| item.as_bool(c).is_some()))
    },
};

/// A list of any attributes.
pub(super) const LIST: AttrConstraint = AttrConstraint {
    summary: "array attribute",
    storage: Storage::Exact,
    check: |c, a| a.as_array(c).is_some(),
};
