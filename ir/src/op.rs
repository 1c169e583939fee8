//! What is known about an operation: one table row each.

use std::ops::Range;

use smallvec::SmallVec;

use crate::attr::Attr;
use crate::body::{OpData, Value};
use crate::context::Context;
use crate::dialect;
use crate::fold::{FoldCx, Folded};
use crate::text::format::Directive;
use crate::types::Type;
use crate::verify::{Check, Checked};

/// The interned name of an operation. The ids of known operations are
/// constants (`dialect::arith::ADDI`), so that `match` works on them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct OpName(pub(crate) u32);

impl OpName {
    /// The table row, if the operation is known.
    pub fn def(self) -> Option<&'static OpDef> {
        ROWS.get(self.0 as usize).copied()
    }

    /// Whether the operation is known and has all of these traits.
    pub fn has(self, traits: Traits) -> bool {
        self.def().is_some_and(|def| def.traits.contains(traits))
    }
}

/// The rows of all tables, by id.
static ROWS: [&OpDef; dialect::KNOWN as usize] = {
    let mut rows = [&dialect::TABLES[0][0]; dialect::KNOWN as usize];
    let (mut id, mut table) = (0, 0);
    while table < dialect::TABLES.len() {
        let mut row = 0;
        while row < dialect::TABLES[table].len() {
            rows[id] = &dialect::TABLES[table][row];
            row += 1;
            id += 1;
        }
        table += 1;
    }
    rows
};

/// All known operations, in the order of their ids.
pub fn known_ops() -> impl Iterator<Item = &'static OpDef> {
    ROWS.iter().copied()
}

/// A set of traits. Names are MLIR's where MLIR has the trait.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Traits(u32);

macro_rules! traits {
    ($($(#[$doc:meta])* $name:ident = $bit:expr;)*) => {
        impl Traits {
            /// No trait.
            pub const NONE: Traits = Traits(0);
            $($(#[$doc])* pub const $name: Traits = Traits(1 << $bit);)*
        }
    };
}

traits! {
    /// No side effects. Speculatable too, unless
    /// [`Traits::CONDITIONALLY_SPECULATABLE`] says otherwise.
    PURE = 0;
    /// Operands commute.
    COMMUTATIVE = 1;
    /// Ends a block.
    TERMINATOR = 2;
    /// Regions see no value from above; the operation owns its body.
    ISOLATED_FROM_ABOVE = 3;
    /// Regions hold a symbol table.
    SYMBOL_TABLE = 4;
    /// Defines a symbol through `sym_name`.
    SYMBOL = 5;
    /// Regions have no terminator.
    NO_TERMINATOR = 6;
    /// Each region has at most one block.
    SINGLE_BLOCK = 7;
    /// Regions are graph regions: order and dominance do not matter.
    GRAPH_REGION = 8;
    /// All operands and results have one type.
    SAME_OPERANDS_AND_RESULT_TYPE = 9;
    /// All operands have one type.
    SAME_TYPE_OPERANDS = 10;
    /// Applies element by element to vectors and tensors.
    ELEMENTWISE = 11;
    /// Operands are an `operandSegmentSizes`-delimited list of groups.
    ATTR_SIZED_OPERANDS = 12;
    /// Results are a `resultSegmentSizes`-delimited list of groups.
    ATTR_SIZED_RESULTS = 13;
    /// Opens a scope for affine symbols and stack allocations.
    AFFINE_SCOPE = 14;
    /// Frees `alloca`s of its regions on exit.
    AUTOMATIC_ALLOCATION_SCOPE = 15;
    /// Result is a compile-time constant (`value` holds it).
    CONSTANT_LIKE = 16;
    /// Leaves the enclosing function-like operation.
    RETURN_LIKE = 17;
    /// Effects are exactly those of the nested operations.
    RECURSIVE_EFFECTS = 18;
    /// Same shape of operands and results, element types may differ.
    SAME_SHAPE = 19;
    /// The entry blocks of regions have no arguments.
    NO_REGION_ARGUMENTS = 20;
    /// Operands and results have one element type.
    SAME_ELEMENT_TYPE = 21;
    /// Undefined for some operands (a division by zero), so it may not move to
    /// where the program would not have run it.
    CONDITIONALLY_SPECULATABLE = 22;
}

impl Traits {
    /// Both sets together.
    pub const fn with(self, other: Traits) -> Traits {
        Traits(self.0 | other.0)
    }

    /// Whether all traits of `other` are in this set.
    pub const fn contains(self, other: Traits) -> bool {
        self.0 & other.0 == other.0
    }
}

/// A predicate on types, with the words diagnostics use for it.
#[derive(Clone, Copy, Debug)]
pub struct TypeConstraint {
    /// "must be {summary}", such as `signless-integer-like`.
    pub summary: &'static str,
    /// Whether a type satisfies it.
    pub check: fn(&Context, Type) -> bool,
    /// The only type that satisfies it, where there is just one: custom forms
    /// then leave the type out (ODS's "buildable" types).
    pub build: Option<fn(&Context) -> Type>,
    /// The kind of type that `type(…)` of a declared form takes, as
    /// [`Type::class`] calls it; any other is refused where it stands.
    pub class: Option<&'static str>,
}

impl TypeConstraint {
    /// A constraint that many types satisfy.
    pub const fn new(summary: &'static str, check: fn(&Context, Type) -> bool) -> Self {
        TypeConstraint {
            summary,
            check,
            build: None,
            class: None,
        }
    }

    /// Only types of this kind can be spelled for it.
    pub const fn class(mut self, class: &'static str) -> Self {
        self.class = Some(class);
        self
    }
}

/// A predicate on attributes, with the words diagnostics use for it.
#[derive(Clone, Copy, Debug)]
pub struct AttrConstraint {
    /// "failed to satisfy constraint: {summary}".
    pub summary: &'static str,
    /// Whether an attribute satisfies it.
    pub check: fn(&Context, Attr) -> bool,
}

/// How many operands or results a name stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)] // the variants are ODS's words
pub enum Arity {
    One,
    Optional,
    Variadic,
}

/// A named operand or result (group).
#[derive(Clone, Copy, Debug)]
pub struct ValueDef {
    /// Name in the declaration and in the format.
    pub name: &'static str,
    /// What the types must be.
    pub constraint: TypeConstraint,
    /// How many values.
    pub arity: Arity,
}

/// How an enumeration attribute is stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EnumStorage {
    /// As an integer of this width: the case's value.
    Integer(u32),
    /// As an attribute of a dialect: `Dialect("arith", ".fastmath<", ">")` for
    /// `#arith.fastmath<none>`, `Dialect("gpu", "<dim ", ">")` for `#gpu<dim x>`.
    Dialect(&'static str, &'static str, &'static str),
    /// The same, with what stands between the names of bits in place of `,`:
    /// `Joined("spirv", ".memory_access<", ">", "|")`.
    Joined(&'static str, &'static str, &'static str, &'static str),
    /// As a string attribute: the case's name.
    String,
}

impl EnumStorage {
    /// Dialect, prefix and suffix, if it is an attribute of a dialect.
    pub const fn dialect(self) -> Option<(&'static str, &'static str, &'static str)> {
        match self {
            EnumStorage::Dialect(dialect, prefix, suffix)
            | EnumStorage::Joined(dialect, prefix, suffix, _) => Some((dialect, prefix, suffix)),
            EnumStorage::Integer(_) | EnumStorage::String => None,
        }
    }

    /// What stands between the names of bits.
    pub const fn separator(self) -> &'static str {
        match self {
            EnumStorage::Joined(_, _, _, separator) => separator,
            _ => ",",
        }
    }
}

/// An enumeration of keywords that custom forms spell out.
#[derive(Clone, Copy, Debug)]
pub struct EnumDef {
    /// What diagnostics call it, such as `comparison predicate`.
    pub summary: &'static str,
    /// Names with their values.
    pub cases: &'static [(&'static str, i64)],
    /// How the attribute is stored.
    pub storage: EnumStorage,
    /// Whether cases are bits that a list combines: names with the storage's
    /// separator between them.
    pub bits: bool,
    /// Whether custom forms put `<` and `>` around it.
    pub angled: bool,
}

/// How a custom form spells an inherent attribute.
#[derive(Clone, Copy, Debug)]
pub enum AttrSyntax {
    /// In full, as in a dictionary.
    Any,
    /// A number without its type: an integer or float attribute of this type.
    Typed(fn(&Context) -> Type),
    /// Keywords.
    Enum(&'static EnumDef),
    /// `@name`, stored as a string.
    SymbolName,
    /// A type, stored as a type attribute.
    Type,
    /// `[1, 2]`, stored as `array<i64: 1, 2>` (the element type is given).
    DenseArray(fn(&Context) -> Type),
    /// A string in quotes, without a type.
    String,
    /// Present or absent: spelled by the group it anchors.
    Unit,
}

impl ValueDef {
    /// One value.
    pub const fn one(name: &'static str, constraint: TypeConstraint) -> ValueDef {
        ValueDef {
            name,
            constraint,
            arity: Arity::One,
        }
    }

    /// At most one value.
    pub const fn optional(name: &'static str, constraint: TypeConstraint) -> ValueDef {
        ValueDef {
            name,
            constraint,
            arity: Arity::Optional,
        }
    }

    /// Any number of values.
    pub const fn many(name: &'static str, constraint: TypeConstraint) -> ValueDef {
        ValueDef {
            name,
            constraint,
            arity: Arity::Variadic,
        }
    }
}

/// A named inherent attribute (a property in the generic form).
#[derive(Clone, Copy, Debug)]
pub struct AttrDef {
    /// Name in the dictionary and in the format.
    pub name: &'static str,
    /// What the attribute must be.
    pub constraint: AttrConstraint,
    /// Whether it may be absent.
    pub optional: bool,
    /// How custom forms spell it.
    pub syntax: AttrSyntax,
    /// The value it has when absent from the text, as text:
    /// `#arith.fastmath<none>`. Custom forms leave this value out.
    pub default: Option<&'static str>,
    /// Whether MLIR keeps a plain number or truth value and makes an attribute
    /// of it for the text only (ODS's `Prop`). Bytecode has what is kept.
    pub plain: bool,
}

impl AttrDef {
    /// A required attribute, spelled in full.
    pub const fn new(name: &'static str, constraint: AttrConstraint) -> Self {
        AttrDef {
            name,
            constraint,
            optional: false,
            syntax: AttrSyntax::Any,
            default: None,
            plain: false,
        }
    }

    /// Spelled like this.
    pub const fn spelled(mut self, syntax: AttrSyntax) -> Self {
        self.syntax = syntax;
        self
    }

    /// May be absent.
    pub const fn optional(mut self) -> Self {
        self.optional = true;
        self
    }

    /// Is no attribute in MLIR but a number or a truth value.
    pub const fn plain(mut self) -> Self {
        self.plain = true;
        self
    }

    /// Has this value, given as text, when absent from the text.
    pub const fn or(mut self, default: &'static str) -> Self {
        self.default = Some(default);
        self
    }
}

/// A relation between types: custom forms find by it the types that they do
/// not spell, and the verifier checks it. Names are those of operand and
/// result groups, or of attributes in [`TypeRule::OfAttr`].
#[derive(Clone, Copy, Debug)]
pub enum TypeRule {
    /// All values of these groups have one type.
    Same {
        /// The groups.
        groups: &'static [&'static str],
        /// "failed to verify that {summary}".
        summary: &'static str,
    },
    /// The type of `target` follows from the first type of `source`. Gives
    /// `None` where `source` is not what its constraint demands.
    From {
        /// The group whose type is not spelled.
        target: &'static str,
        /// The group it follows from.
        source: &'static str,
        /// The relation.
        rule: fn(&Context, Type) -> Option<Type>,
        /// "failed to verify that {summary}".
        summary: &'static str,
    },
    /// The types of group `target` are listed by the first type of `source`
    /// (the parameters of a function type, say).
    ListFrom {
        /// The group whose types are not spelled.
        target: &'static str,
        /// The group they follow from.
        source: &'static str,
        /// The relation.
        rule: fn(&Context, Type) -> Option<Vec<Type>>,
        /// "failed to verify that {summary}".
        summary: &'static str,
    },
    /// The types of all results follow from operand types and attributes.
    Infer(InferFn),
    /// A relation that custom forms find nothing by.
    Holds {
        /// Whether it holds; the counts of the row and its constraints do.
        holds: fn(&Check) -> bool,
        /// "failed to verify that {summary}".
        summary: &'static str,
    },
    /// The type of `target` is the type of the typed attribute `attr`.
    OfAttr {
        /// The group whose type is not spelled.
        target: &'static str,
        /// An integer, float, elements or other typed attribute.
        attr: &'static str,
    },
}

/// What [`TypeRule::Infer`] works with.
pub struct Known<'a> {
    /// The context.
    pub ctx: &'a Context,
    /// The types of all operands.
    pub operands: &'a [Type],
    /// Where each operand group begins and ends.
    pub groups: &'a [Range<usize>],
    /// The attributes, by name.
    pub attr: &'a dyn Fn(&str) -> Option<Attr>,
}

impl std::fmt::Debug for Known<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Known")
            .field("operands", &self.operands)
            .finish_non_exhaustive()
    }
}

impl<'a> Known<'a> {
    /// The types of the operands of group `index`.
    pub fn group(&self, index: usize) -> &'a [Type] {
        let range = self.groups.get(index).cloned().unwrap_or(0..0);
        self.operands.get(range).unwrap_or(&[])
    }
}

/// Works out the types of all results; an error says why there are none.
pub type InferFn = fn(&Known<'_>) -> Result<Vec<Type>, String>;

/// The custom assembly form of an operation.
#[derive(Clone, Copy)]
pub enum Assembly {
    /// Only the generic form.
    Generic,
    /// Declared in the format language of [`crate::text::format`].
    Declared(&'static str),
    /// Hand-written.
    Custom {
        /// Parses what follows the operation's name.
        parse: crate::text::ParseFn,
        /// Prints what follows the operation's name.
        print: crate::text::PrintFn,
    },
}

impl std::fmt::Debug for Assembly {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Assembly::Generic => f.write_str("Generic"),
            Assembly::Declared(text) => write!(f, "Declared({text:?})"),
            Assembly::Custom { .. } => f.write_str("Custom"),
        }
    }
}

/// Checks an operation's own invariants, after the table's constraints hold.
pub type VerifyFn = fn(&Check) -> Checked;

/// What may stand for the results of a verified operation; see [`crate::fold`].
pub type FoldFn = fn(&FoldCx) -> Option<Folded>;

/// The row of a known operation.
#[derive(Clone, Copy, Debug)]
pub struct OpDef {
    /// Full name, `dialect.mnemonic`.
    pub name: &'static str,
    /// Traits.
    pub traits: Traits,
    /// Operand groups in order.
    pub operands: &'static [ValueDef],
    /// Result groups in order.
    pub results: &'static [ValueDef],
    /// Inherent attributes.
    pub attrs: &'static [AttrDef],
    /// Exact number of regions, or `None` for any number.
    pub regions: Option<usize>,
    /// Exact number of successors, or `None` for any number.
    pub successors: Option<usize>,
    /// Custom form.
    pub assembly: Assembly,
    /// Tables of directives that the declared form may use, beside those that
    /// every form knows.
    pub directives: &'static [&'static [Directive]],
    /// Relations between types, beside those that traits state.
    pub infer: &'static [TypeRule],
    /// The operations it may stand directly inside; empty for any.
    pub parents: &'static [&'static str],
    /// The operation that ends each of its blocks. Custom forms leave it out
    /// where it has no operands.
    pub terminator: Option<&'static str>,
    /// Further invariants.
    pub verify: Option<VerifyFn>,
    /// What it is worth without being run.
    pub fold: Option<FoldFn>,
}

impl OpDef {
    /// A row with nothing declared: the base that `..OpDef::new(name)` extends.
    pub const fn new(name: &'static str) -> OpDef {
        OpDef {
            name,
            traits: Traits::NONE,
            operands: &[],
            results: &[],
            attrs: &[],
            regions: Some(0),
            successors: Some(0),
            assembly: Assembly::Generic,
            directives: &[],
            infer: &[],
            parents: &[],
            terminator: None,
            verify: None,
            fold: None,
        }
    }

    /// With further traits.
    pub const fn with(mut self, traits: Traits) -> OpDef {
        self.traits = self.traits.with(traits);
        self
    }

    /// With these operand groups.
    pub const fn operands(mut self, operands: &'static [ValueDef]) -> OpDef {
        self.operands = operands;
        self
    }

    /// With these result groups.
    pub const fn results(mut self, results: &'static [ValueDef]) -> OpDef {
        self.results = results;
        self
    }

    /// With these inherent attributes.
    pub const fn attrs(mut self, attrs: &'static [AttrDef]) -> OpDef {
        self.attrs = attrs;
        self
    }

    /// With this number of regions.
    pub const fn regions(mut self, count: usize) -> OpDef {
        self.regions = Some(count);
        self
    }

    /// With any number of regions.
    pub const fn any_regions(mut self) -> OpDef {
        self.regions = None;
        self
    }

    /// With this number of successors.
    pub const fn successors(mut self, count: usize) -> OpDef {
        self.successors = Some(count);
        self
    }

    /// With any number of successors.
    pub const fn any_successors(mut self) -> OpDef {
        self.successors = None;
        self
    }

    /// With a declared custom form.
    pub const fn format(mut self, format: &'static str) -> OpDef {
        self.assembly = Assembly::Declared(format);
        self
    }

    /// With the directives of these tables for its declared form.
    pub const fn directives(mut self, tables: &'static [&'static [Directive]]) -> OpDef {
        self.directives = tables;
        self
    }

    /// With a hand-written custom form.
    pub const fn custom(
        mut self,
        parse: crate::text::ParseFn,
        print: crate::text::PrintFn,
    ) -> OpDef {
        self.assembly = Assembly::Custom { parse, print };
        self
    }

    /// With these relations between types.
    pub const fn infer(mut self, rules: &'static [TypeRule]) -> OpDef {
        self.infer = rules;
        self
    }

    /// Only directly inside one of these operations.
    pub const fn parents(mut self, parents: &'static [&'static str]) -> OpDef {
        self.parents = parents;
        self
    }

    /// With regions of one block that ends in this operation.
    pub const fn terminator(mut self, name: &'static str) -> OpDef {
        self.terminator = Some(name);
        self.with(Traits::SINGLE_BLOCK)
    }

    /// With further invariants.
    pub const fn verify(mut self, verify: VerifyFn) -> OpDef {
        self.verify = Some(verify);
        self
    }

    /// Folds like this.
    pub const fn fold(mut self, fold: FoldFn) -> OpDef {
        self.fold = Some(fold);
        self
    }
}

/// Where each group of operands or results begins and ends.
pub type Groups = SmallVec<[Range<usize>; 8]>;

impl OpDef {
    /// Splits the operands of an operation into the groups of this row. `None`
    /// when their number does not fit, or the segment sizes are missing or do
    /// not add up.
    pub fn operand_groups(&self, ctx: &Context, op: &OpData) -> Option<Groups> {
        let sizes = self
            .traits
            .contains(Traits::ATTR_SIZED_OPERANDS)
            .then_some("operandSegmentSizes");
        groups(ctx, op, self.operands, sizes, op.operands.len())
    }

    /// Splits the results of an operation into the groups of this row.
    pub fn result_groups(&self, ctx: &Context, op: &OpData) -> Option<Groups> {
        let sizes = self
            .traits
            .contains(Traits::ATTR_SIZED_RESULTS)
            .then_some("resultSegmentSizes");
        groups(ctx, op, self.results, sizes, op.num_results())
    }
}

fn groups(
    ctx: &Context,
    op: &OpData,
    defs: &[ValueDef],
    sizes: Option<&str>,
    total: usize,
) -> Option<Groups> {
    let listed = match sizes {
        Some(name) => Some(op.attr(ctx, name)?.as_i32_array(ctx)?),
        None => None,
    };
    if listed
        .as_ref()
        .is_some_and(|sizes| sizes.len() != defs.len())
    {
        return None;
    }
    let shared = shared_size(defs, total);
    let mut start = 0usize;
    let mut groups = Groups::new();
    for (index, def) in defs.iter().enumerate() {
        let size = match (&listed, def.arity) {
            (Some(sizes), _) => usize::try_from(sizes[index]).ok()?,
            (None, Arity::One) => 1,
            (None, Arity::Optional | Arity::Variadic) => shared?,
        };
        let end = start.checked_add(size)?;
        groups.push(start..end);
        start = end;
    }
    (start == total).then_some(groups)
}

/// Without segment sizes, groups that are not single share what the single
/// ones leave in equal parts (there is one of them in nearly every row): the
/// size of each part, if there is one.
fn shared_size(defs: &[ValueDef], total: usize) -> Option<usize> {
    let single = defs.iter().filter(|d| d.arity == Arity::One).count();
    let rest = total.checked_sub(single)?;
    let shared = defs.len() - single;
    (shared != 0 && rest % shared == 0).then(|| rest / shared)
}

impl OpData {
    /// The operands of group `index` of an operation whose operands are
    /// delimited by `operandSegmentSizes`. Empty when the sizes are missing or
    /// do not fit: the verifier refuses such an operation.
    pub fn operand_segment(&self, ctx: &Context, index: usize) -> &[Value] {
        let sizes = self.attr(ctx, "operandSegmentSizes");
        let Some(sizes) = sizes.and_then(|sizes| sizes.i32_bytes(ctx)) else {
            return &[];
        };
        let (Some(before), Some(&own)) = (sizes.get(..index), sizes.get(index)) else {
            return &[];
        };
        let size = |bytes: [u8; 4]| i32::from_le_bytes(bytes).max(0) as usize;
        let start = before.iter().map(|&bytes| size(bytes)).sum();
        self.operands.get(start..start + size(own)).unwrap_or(&[])
    }

    /// Replaces the operands of group `index` and its `operandSegmentSizes`.
    pub fn set_operand_segment(&mut self, ctx: &Context, index: usize, values: &[Value]) {
        let name = "operandSegmentSizes";
        let sizes = self
            .attr(ctx, name)
            .and_then(|sizes| sizes.as_i32_array(ctx));
        let Some(mut sizes) = sizes.filter(|sizes| index < sizes.len()) else {
            return;
        };
        let start: usize = sizes[..index].iter().map(|&size| size as usize).sum();
        let end = start + sizes[index] as usize;
        let tail = self.operands[end..].to_vec();
        self.operands.truncate(start);
        self.operands.extend_from_slice(values);
        self.operands.extend_from_slice(&tail);
        sizes[index] = values.len() as i32;
        self.set_property(ctx, name, ctx.i32_array_attr(&sizes));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_names_have_constant_ids() {
        let ctx = Context::new();
        assert_eq!(ctx.op_name("arith.addi"), dialect::arith::ADDI);
        assert_eq!(ctx.op_name("gpu.yield"), dialect::gpu::YIELD);
        assert_eq!(ctx.op_name_str(dialect::affine::FOR), "affine.for");
        for def in known_ops() {
            assert_eq!(ctx.op_name(def.name).def().map(|d| d.name), Some(def.name));
        }
        assert!(ctx.op_name("foo.bar").def().is_none());
    }
}
