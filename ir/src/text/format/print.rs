//! Printer of declared forms: runs a compiled form on an operation.

use smallvec::SmallVec;

use super::directive::Printed;
use super::enums;
use super::{Anchor, AttrElement, Element, Format, Kind, TypesOf};
use crate::attr::{Attr, AttrKind};
use crate::body::{Body, Groups, OpId, Value};
use crate::context::RowTraits;
use crate::context::signature::{Arity, AttrSyntax, EnumDef, OpSignature, ValueDef};
use crate::text::read::op_parser::Delimiter;
use crate::text::write::op_printer::is_bare_terminator;
use crate::text::write::printer::OpPrinter;
use crate::types::{DYNAMIC, Type};

impl OpPrinter<'_> {
    /// Prints the declared form of an operation, name included, or the generic form if the
    /// operation does not fit the declaration.
    pub(crate) fn declared_form(&mut self, body: &Body, op: OpId) {
        let name = body[op].name;
        let known = self.ctx.op_signature(name).and_then(|def| {
            let syntax = self.table.syntax(self.ctx, name, def);
            Some((syntax.format.as_ref()?.as_ref().ok()?, def))
        });
        match known {
            Some((format, def)) => self.run_form(body, op, format, def),
            None => self.generic_form(body, op),
        }
    }

    /// Prints a compiled form of a row, name included.
    pub(super) fn run_form(
        &mut self,
        body: &Body,
        op: OpId,
        format: &Format,
        def: &'static OpSignature,
    ) {
        let data = &body[op];
        let mut form = Form {
            format,
            def,
            body,
            op,
            groups: None,
        };
        let counts = (def.operands.len(), def.results.len());
        if !format.one_each || counts != (data.operands.len(), data.num_results()) {
            let operands = def.operand_groups(self.ctx, data);
            form.groups = operands.zip(def.result_groups(self.ctx, data));
            let single = |(operands, results): &(Groups, Groups)| {
                single(def.operands, operands) && single(def.results, results)
            };
            if !form.groups.as_ref().is_some_and(single) {
                self.generic_form(body, op);
                return;
            }
        }
        if !fits(body, op, def) {
            self.generic_form(body, op);
            return;
        }
        self.op_name(body, op);
        self.run(&form, &format.elements);
    }

    fn run(&mut self, form: &Form<'_>, elements: &[Element]) {
        for element in elements {
            if element.blank {
                self.out.push(' ');
            }
            self.form_element(form, &element.kind);
        }
    }

    fn form_element(&mut self, form: &Form<'_>, kind: &Kind) {
        let (body, op) = (form.body, form.op);
        match kind {
            Kind::Keyword(text) | Kind::Punctuation(_, text) => self.out.push_str(text),
            Kind::Space("\n") => self.newline(),
            Kind::Space(text) => self.out.push_str(text),
            Kind::Attr(attr) => {
                if let Some(value) = form.attr(self.ctx, attr) {
                    self.attr_element(attr, value);
                }
            }
            Kind::Operand(index) => self.values(form.group(*index)),
            Kind::Operands => self.values(&body[op].operands),
            Kind::Region(index) => {
                let terminator =
                    !is_bare_terminator(self.ctx, body, op, *index, form.def.terminator);
                self.region(body, op, *index, true, terminator);
            }
            Kind::Regions => {
                for index in 0..self.num_regions(body, op) {
                    if index > 0 {
                        self.out.push_str(", ");
                    }
                    self.region(body, op, index, true, true);
                }
            }
            Kind::Successor(index) => {
                if let Some(&block) = body[op].successors().get(*index) {
                    self.successor(block);
                }
            }
            Kind::Successors => {
                self.separated(body[op].successors(), |p, &block| p.successor(block));
            }
            Kind::Type(types) => {
                let types = form.types(*types);
                self.types(&types);
            }
            Kind::FunctionalType(inputs, results) => {
                let (inputs, results) = (form.types(*inputs), form.types(*results));
                self.function_type(&inputs, &results);
            }
            Kind::AttrDict => self.form_attr_dict(form, ""),
            Kind::AttrDictWithKeyword => self.form_attr_dict(form, " attributes"),
            Kind::PropDict => self.prop_dict_of(body, op, &form.format.spelled),
            Kind::Group(group) => {
                if form.present(self.ctx, &group.anchor) {
                    self.run(form, &group.then);
                } else {
                    self.run(form, &group.otherwise);
                }
            }
            Kind::OiList(clauses) => {
                for clause in clauses {
                    if form.present(self.ctx, &clause.anchor) {
                        self.run(form, &clause.elements);
                    }
                }
            }
            Kind::Custom(directive) => {
                let print = directive.directive.print;
                print(self, &Printed { directive, form });
            }
        }
    }

    fn form_attr_dict(&mut self, form: &Form<'_>, before: &str) {
        let (body, op, spelled) = (form.body, form.op, &form.format.spelled);
        if form.format.prop_dict {
            self.discardable_dict_of(body, op, before);
        } else {
            self.attr_dict_of(body, op, spelled, before);
        }
    }

    fn attr_element(&mut self, attr: &AttrElement, value: Attr) {
        match attr.syntax {
            AttrSyntax::Unit => {}
            AttrSyntax::Any => self.attr(value),
            AttrSyntax::Typed(_) | AttrSyntax::String | AttrSyntax::Type => {
                self.attr_untyped(value);
            }
            AttrSyntax::Enum(def) => self.enum_attr(def, value),
            AttrSyntax::SymbolName => self.symbol_attr(value),
            AttrSyntax::DenseArray(_) => {
                if let AttrKind::DenseArray { element, data } = value.kind(self.ctx) {
                    self.out.push('[');
                    self.dense_array_elements(*element, data);
                    self.out.push(']');
                }
            }
        }
    }

    /// Prints the keywords of an enumeration, in `<` and `>` where they are spelled so.
    pub fn enum_attr(&mut self, def: &'static EnumDef, value: Attr) {
        let name = enums::load(self.ctx, def, value).and_then(|v| enums::case_name(def, v));
        match name {
            Some(name) if def.angled => {
                self.out.push('<');
                self.out.push_str(&name);
                self.out.push('>');
            }
            Some(name) => {
                // Upstream prints the blank where one begins the attribute's body.
                let dialect = def.storage.dialect();
                if dialect.is_some_and(|(_, prefix, _)| prefix.ends_with(' ')) {
                    self.out.push(' ');
                }
                self.out.push_str(&name);
            }
            None => self.attr(value),
        }
    }

    /// Prints `[1, %n, 3]`: numbers, with operands in the places of the holes.
    pub fn dynamic_index_list(
        &mut self,
        numbers: &[i64],
        operands: &[Value],
        delimiter: Delimiter,
    ) {
        let paren = delimiter == Delimiter::Paren;
        self.out.push(if paren { '(' } else { '[' });
        let mut operands = operands.iter();
        self.separated(numbers, |p, &number| match operands.as_slice() {
            [value, ..] if number == DYNAMIC => {
                p.value(*value);
                operands.next();
            }
            _ => p.number(number),
        });
        self.out.push(if paren { ')' } else { ']' });
    }
}

/// Printer state of a form: the operation and its groups.
pub(super) struct Form<'a> {
    pub(super) format: &'a Format,
    def: &'static OpSignature,
    pub(super) body: &'a Body,
    pub(super) op: OpId,
    /// Operand and result groups; `None` where each has one value.
    groups: Option<(Groups, Groups)>,
}

impl<'a> Form<'a> {
    pub(super) fn group(&self, index: usize) -> &'a [Value] {
        let range = match &self.groups {
            Some((operands, _)) => operands[index].clone(),
            None => index..index + 1,
        };
        &self.body[self.op].operands[range]
    }

    pub(super) fn attr(&self, ctx: &crate::Context, attr: &AttrElement) -> Option<Attr> {
        self.body[self.op].properties.get(ctx, attr.name)
    }

    pub(super) fn types(&self, of: TypesOf) -> SmallVec<[Type; 4]> {
        let data = &self.body[self.op];
        let types = |values: &[Value]| values.iter().map(|&v| self.body.ty(v)).collect();
        match of {
            TypesOf::Operand(index) => types(self.group(index)),
            TypesOf::Operands => types(&data.operands),
            TypesOf::Results => data.results().map(|v| self.body.ty(v)).collect(),
            TypesOf::Result(index) => {
                let range = match &self.groups {
                    Some((_, results)) => results[index].clone(),
                    None => index..index + 1,
                };
                range.map(|i| self.body.ty(data.result(i))).collect()
            }
        }
    }

    fn present(&self, ctx: &crate::Context, anchor: &Anchor) -> bool {
        let data = &self.body[self.op];
        match *anchor {
            Anchor::Attr(attr) => self
                .attr(ctx, &attr)
                .is_some_and(|value| Some(value) != attr.default),
            Anchor::Operand(index) => !self.group(index).is_empty(),
            Anchor::Operands => !data.operands.is_empty(),
            Anchor::Types(types) => !self.types(types).is_empty(),
            Anchor::Region(index) => data
                .inline_regions()
                .get(index)
                .is_some_and(|&region| !self.body[region].blocks.is_empty()),
            Anchor::Successor(index) => data.successors().len() > index,
            Anchor::Any(ref anchors) => anchors.iter().any(|anchor| self.present(ctx, anchor)),
        }
    }
}

/// Whether regions and successors are as many as the row says: printing an operation that the
/// verifier has not seen must not fail.
fn fits(body: &Body, op: OpId, def: &OpSignature) -> bool {
    let data = &body[op];
    let regions = data.num_regions();
    def.successors.is_none_or(|n| n == data.successors().len())
        && def.regions.is_none_or(|n| n == regions)
        && !(def.traits.contains(RowTraits::NO_TERMINATOR) && regions == 0)
}

/// Whether no group has more values than the form can spell.
fn single(defs: &[ValueDef], groups: &Groups) -> bool {
    let fits = |(def, group): (&ValueDef, &std::ops::Range<usize>)| match def.arity {
        Arity::One => group.len() == 1,
        Arity::Optional => group.len() <= 1,
        Arity::Variadic => true,
    };
    defs.iter().zip(groups).all(fits)
}
