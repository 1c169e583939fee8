//! Assembly-format language: the declarations of custom forms.
//!
//! A declaration reads like the text it stands for, as MLIR's ODS has it:
//!
//! ```text
//! $lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($result)
//! ```
//!
//! | element | stands for |
//! |---|---|
//! | `` `text` `` | a keyword or punctuation |
//! | ``` `` ```, `` ` ` ``, `` `\n` `` | no blank here, a blank, a new line; printing only |
//! | `$name` | an operand group, attribute, region or successor |
//! | `type($name)`, `type(operands)`, `type(results)` | types |
//! | `functional-type(a, b)` | `(types) -> types` |
//! | `operands` | all operands |
//! | `regions`, `successors` | all of them |
//! | `attr-dict`, `attr-dict-with-keyword` | the attributes not spelled otherwise |
//! | `prop-dict` | the inherent ones among them as `<{…}>`; `attr-dict` then has the others |
//! | `(… $x^ …)?`, `(… $x^ …) : (…)?` | a group printed when `$x` is present, else the other |
//! | ``oilist(`a` … \| `b` …)`` | clauses in any order, each at most once; printed when something in them is present |
//! | `qualified(x)` | `x`: attributes are spelled as their [`AttrSyntax`] says |
//! | `custom<Name>(args)` | a [`Directive`] of the row's tables, or one known everywhere: |
//! | `custom<DynamicIndexList>($values, $numbers)` | `[1, %n, 3]` |
//!
//! The arguments of a directive are `$name`, `type($name)`, a `"literal"`,
//! `attr-dict`, and `ref(…)` of one that another element spells. A group is
//! anchored on a name, on types, on `operands` or on a directive, which is
//! present when one of its arguments is. An attribute that holds its default
//! value is absent; a unit attribute is spelled by the literals beside it.
//!
//! A declaration is compiled once in a context; parser and printer both run
//! the compiled elements, so that they cannot disagree. Types that are not
//! spelled follow from constraints that only one type satisfies, from traits
//! and from the row's [`TypeRule`](crate::context::signature::TypeRule)s.

use crate::attr::Attr;
use crate::context::signature::{AttrConstraint, AttrSyntax, OpSignature};
use crate::context::{Context, Ident};

use crate::lexer::Tok;

mod compile;
mod directive;
mod enums;
mod parse;
mod parse_attr;
mod print;
mod straight;
#[cfg(test)]
mod tests;
mod types;

pub use directive::{Directive, DirectiveParse, DirectivePrint, DirectiveStarts, Parsed, Printed};
pub use enums::store as store_case;
pub(crate) use enums::{canonical, expected_cases, separator, unread_parameter};
pub use enums::{case_name, case_value, load as load_case};

/// Declared form, compiled.
#[derive(Debug)]
pub struct Format {
    elements: Box<[Element]>,
    /// Attributes that the form spells and the dictionary leaves out.
    spelled: Box<[Ident]>,
    /// Whether inherent attributes have a dictionary of their own.
    prop_dict: bool,
    /// Whether each operand and result of the row stands for one value.
    one_each: bool,
    /// Precomputed type sources of a [straight](straight) form; `None` for any other.
    straight: Option<straight::Straight>,
}

/// One element, with the blank that printing puts before it.
#[derive(Debug)]
struct Element {
    kind: Kind,
    blank: bool,
}

#[derive(Debug)]
enum Kind {
    /// A keyword, or punctuation with its token.
    Keyword(Box<str>),
    Punctuation(Tok, Box<str>),
    /// Blanks or a new line for the printer.
    Space(&'static str),
    /// An inherent attribute of the row.
    Attr(AttrElement),
    /// Index among the row's operand groups.
    Operand(usize),
    /// Every operand.
    Operands,
    /// Index of the region.
    Region(usize),
    /// Regions, as many as there are.
    Regions,
    /// Index of the successor.
    Successor(usize),
    /// Every successor.
    Successors,
    Type(TypesOf),
    FunctionalType(TypesOf, TypesOf),
    AttrDict,
    AttrDictWithKeyword,
    PropDict,
    Group(Group),
    OiList(Box<[Clause]>),
    Custom(directive::Use),
}

/// Clause of an `oilist`, which begins with a literal.
#[derive(Debug)]
struct Clause {
    elements: Box<[Element]>,
    anchor: Anchor,
}

/// An inherent attribute that the form spells.
#[derive(Clone, Copy, Debug)]
struct AttrElement {
    name: Ident,
    syntax: AttrSyntax,
    /// Whether the attribute may be absent where it stands: in a group, the group is.
    optional: bool,
    /// The default value, which the form leaves out.
    default: Option<Attr>,
    /// The row's constraint on the attribute.
    constraint: AttrConstraint,
}

/// The values whose types an element of a form spells.
#[derive(Clone, Copy, Debug)]
enum TypesOf {
    Operand(usize),
    Result(usize),
    Operands,
    Results,
}

/// `(then)?` or `(then) : (otherwise)?`
#[derive(Debug)]
struct Group {
    then: Box<[Element]>,
    otherwise: Box<[Element]>,
    anchor: Anchor,
}

/// Anchor: decides whether a group is printed.
#[derive(Clone, Debug)]
enum Anchor {
    Attr(AttrElement),
    Operand(usize),
    Types(TypesOf),
    Region(usize),
    Successor(usize),
    Operands,
    /// Any of these.
    Any(Box<[Anchor]>),
}

impl Format {
    /// Compiles a declaration for a row; the error says what is wrong with it.
    pub(crate) fn compile(
        ctx: &Context,
        def: &OpSignature,
        directives: &'static [&'static [Directive]],
        text: &str,
    ) -> Result<Format, String> {
        compile::compile(ctx, def, directives, text)
    }
}
