//! Directives: `custom<Name>(…)` in a declared form, parsed and printed by a
//! pair of functions that stand in a table beside the dialect.
//!
//! A row names the tables its form draws on with
//! [`OpForm::directives`](crate::text::OpForm::directives); every form knows the directives of
//! [`BUILTIN`]. The arguments written after the name are numbered from 0, and both functions reach
//! them by number: an accessor that does not apply to an argument (the operands of a literal, say)
//! returns nothing.

use smallvec::SmallVec;

use super::parse::State;
use super::print::Form;
use super::{Anchor, AttrElement, TypesOf};
use crate::attr::Attr;
use crate::body::{Body, OpId, Value};
use crate::lexer::Tok;
use crate::text::read::op_parser::{Delimiter, OpParser, Operand};
use crate::text::read::parser::PResult;
use crate::text::write::printer::OpPrinter;
use crate::types::Type;

/// Parser of a directive: sets its arguments from the text.
pub type DirectiveParse =
    for<'p, 'a, 's> fn(&mut OpParser<'p, 's>, &mut Parsed<'a, 's>) -> PResult<()>;

/// Printer of a directive, without the blank before it.
pub type DirectivePrint = fn(&mut OpPrinter<'_>, &Printed<'_>);

/// Lookahead of a directive: whether it starts at the current token, given the literals among its
/// arguments.
pub type DirectiveStarts = fn(&OpParser<'_, '_>, &[&str]) -> bool;

/// Directive: a named piece of syntax with its parser and printer.
#[derive(Clone, Copy, Debug)]
pub struct Directive {
    /// The name between `<` and `>`.
    pub name: &'static str,
    /// Parses it.
    pub parse: DirectiveParse,
    /// Prints it.
    pub print: DirectivePrint,
    /// The lookahead, for a directive that begins an optional group. `None` for one whose first
    /// token is not fixed.
    pub starts: Option<DirectiveStarts>,
}

impl Directive {
    /// A directive that begins no optional group.
    pub const fn new(
        name: &'static str,
        parse: DirectiveParse,
        print: DirectivePrint,
    ) -> Directive {
        Directive {
            name,
            parse,
            print,
            starts: None,
        }
    }

    /// Sets the lookahead.
    pub const fn starts(mut self, starts: DirectiveStarts) -> Directive {
        self.starts = Some(starts);
        self
    }
}

/// Use of a directive in a form, with its arguments.
#[derive(Debug)]
pub(super) struct Use {
    pub directive: &'static Directive,
    pub args: Box<[Arg]>,
}

/// Argument of a directive.
#[derive(Debug)]
pub(super) enum Arg {
    Operand(usize),
    Attr(AttrElement),
    Type(TypesOf),
    Region(usize),
    Successor(usize),
    Literal(Box<str>),
    /// `attr-dict`: the directive spells the attribute dictionary.
    AttrDict,
}

impl Use {
    /// The literals among the arguments.
    pub fn literals(&self) -> SmallVec<[&str; 2]> {
        let literals = self.args.iter().filter_map(|arg| match arg {
            Arg::Literal(text) => Some(&**text),
            _ => None,
        });
        literals.collect()
    }

    /// The anchor of the directive: present when any argument is.
    pub fn anchor(&self) -> Anchor {
        let anchor = |arg: &Arg| match *arg {
            Arg::Operand(index) => Some(Anchor::Operand(index)),
            Arg::Attr(attr) => Some(Anchor::Attr(attr)),
            Arg::Type(types) => Some(Anchor::Types(types)),
            Arg::Region(index) => Some(Anchor::Region(index)),
            Arg::Successor(index) => Some(Anchor::Successor(index)),
            Arg::Literal(_) | Arg::AttrDict => None,
        };
        Anchor::Any(self.args.iter().filter_map(anchor).collect())
    }
}

/// Arguments of a directive during parsing.
pub struct Parsed<'a, 's> {
    pub(super) directive: &'a Use,
    pub(super) state: &'a mut State<'s>,
}

impl std::fmt::Debug for Parsed<'_, '_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Parsed")
            .field("directive", &self.directive)
            .finish_non_exhaustive()
    }
}

impl<'s> Parsed<'_, 's> {
    /// The number of arguments that the form gives.
    pub fn len(&self) -> usize {
        self.directive.args.len()
    }

    /// Whether the form gives no argument.
    pub fn is_empty(&self) -> bool {
        self.directive.args.is_empty()
    }

    /// The text of a literal argument, empty for others.
    pub fn literal(&self, arg: usize) -> &str {
        literal(self.directive, arg)
    }

    /// Sets the operands of an operand group.
    pub fn set_operands(&mut self, arg: usize, operands: &[Operand<'s>]) {
        if let Some(&Arg::Operand(index)) = self.directive.args.get(arg) {
            self.state.set_operands(index, operands);
        }
    }

    /// The operands set for a group so far.
    pub fn operands(&self, arg: usize) -> &[Operand<'s>] {
        match self.directive.args.get(arg) {
            Some(&Arg::Operand(index)) => self.state.operands(index),
            _ => &[],
        }
    }

    /// Sets the types of the values that `type(…)` names.
    pub fn set_types(&mut self, arg: usize, types: &[Type]) {
        if let Some(&Arg::Type(of)) = self.directive.args.get(arg) {
            self.state.set_types(of, types);
        }
    }

    /// The types set for the values of `type(…)` so far.
    pub fn types(&self, arg: usize) -> &[Type] {
        match self.directive.args.get(arg) {
            Some(&Arg::Type(of)) => self.state.types(of),
            _ => &[],
        }
    }

    /// Sets an attribute.
    pub fn set_attr(&self, p: &mut OpParser<'_, 's>, arg: usize, value: Attr) {
        if let Some(Arg::Attr(attr)) = self.directive.args.get(arg) {
            p.properties.push((attr.name, value));
        }
    }

    /// The attribute value set so far.
    pub fn attr(&self, p: &OpParser<'_, 's>, arg: usize) -> Option<Attr> {
        let Some(Arg::Attr(attr)) = self.directive.args.get(arg) else {
            return None;
        };
        let found = p.properties.iter().find(|entry| entry.0 == attr.name);
        found.map(|entry| entry.1)
    }
}

/// Arguments of a directive during printing.
pub struct Printed<'a> {
    pub(super) directive: &'a Use,
    pub(super) form: &'a Form<'a>,
}

impl std::fmt::Debug for Printed<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Printed")
            .field("directive", &self.directive)
            .finish_non_exhaustive()
    }
}

impl<'a> Printed<'a> {
    /// The body of the operation.
    pub fn body(&self) -> &'a Body {
        self.form.body
    }

    /// The operation.
    pub fn op(&self) -> OpId {
        self.form.op
    }

    /// The number of arguments that the form gives.
    pub fn len(&self) -> usize {
        self.directive.args.len()
    }

    /// Whether the form gives no argument.
    pub fn is_empty(&self) -> bool {
        self.directive.args.is_empty()
    }

    /// The text of a literal argument, empty for others.
    pub fn literal(&self, arg: usize) -> &'a str {
        literal(self.directive, arg)
    }

    /// The operands of a group.
    pub fn operands(&self, arg: usize) -> &'a [Value] {
        match self.directive.args.get(arg) {
            Some(&Arg::Operand(index)) => self.form.group(index),
            _ => &[],
        }
    }

    /// The types that `type(…)` names.
    pub fn types(&self, arg: usize) -> SmallVec<[Type; 4]> {
        match self.directive.args.get(arg) {
            Some(&Arg::Type(of)) => self.form.types(of),
            _ => SmallVec::new(),
        }
    }

    /// An attribute, if the operation has it.
    pub fn attr(&self, p: &OpPrinter<'_>, arg: usize) -> Option<Attr> {
        match self.directive.args.get(arg) {
            Some(Arg::Attr(attr)) => self.form.attr(p.ctx, attr),
            _ => None,
        }
    }

    /// The index of the region that an argument names.
    pub fn region(&self, arg: usize) -> Option<usize> {
        match self.directive.args.get(arg) {
            Some(&Arg::Region(index)) => Some(index),
            _ => None,
        }
    }

    /// Prints ` {…}`: the attributes that the form does not spell.
    pub fn attr_dict(&self, p: &mut OpPrinter<'_>) {
        p.attr_dict_of(self.form.body, self.form.op, &self.form.format.spelled, "");
    }
}

fn literal(of: &Use, arg: usize) -> &str {
    match of.args.get(arg) {
        Some(Arg::Literal(text)) => text,
        _ => "",
    }
}

/// Directives that every form knows.
pub(super) static BUILTIN: &[Directive] =
    &[
        Directive::new("DynamicIndexList", parse_index_list, print_index_list).starts(
            |p, literals| match brackets(literals) {
                Delimiter::Paren => p.at(Tok::LParen),
                _ => p.at(Tok::LSquare),
            },
        ),
    ];

/// Chooses `(…)` where an argument asks for parentheses, `[…]` else.
fn brackets(literals: &[&str]) -> Delimiter {
    let paren = literals.iter().any(|text| text.ends_with("Paren"));
    if paren {
        Delimiter::Paren
    } else {
        Delimiter::Square
    }
}

/// `custom<DynamicIndexList>($values, $numbers)`: `[1, %n, 3]`
fn parse_index_list<'s>(p: &mut OpParser<'_, 's>, args: &mut Parsed<'_, 's>) -> PResult<()> {
    let (operands, numbers) = p.dynamic_index_list(brackets(&args.directive.literals()))?;
    args.set_operands(0, &operands);
    args.set_attr(p, 1, p.ctx().i64_array_attr(&numbers));
    Ok(())
}

fn print_index_list(p: &mut OpPrinter<'_>, args: &Printed<'_>) {
    let numbers = args.attr(p, 1).and_then(|v| v.as_i64_array(p.ctx));
    p.dynamic_index_list(
        &numbers.unwrap_or_default(),
        args.operands(0),
        brackets(&args.directive.literals()),
    );
}
