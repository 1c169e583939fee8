//! Runs a compiled form on an operation.

use smallvec::SmallVec;

use super::enums;
use super::{Anchor, AttrElement, Element, Format, Kind, TypesOf};
use crate::attr::{Attr, AttrKind};
use crate::body::{Body, OpId, Value};
use crate::op::{Arity, AttrSyntax, EnumDef, OpDef, Traits};
use crate::text::op_parser::Delimiter;
use crate::text::op_printer::is_bare_terminator;
use crate::text::printer::OpPrinter;
use crate::types::{DYNAMIC, Type};

impl OpPrinter<'_> {
    /// The declared form of an operation, name included; the generic form if
    /// the operation does not fit the declaration.
    pub(crate) fn declared_form(&mut self, body: &Body, op: OpId, def: &'static OpDef) {
        let facts = crate::text::facts::of(self.ctx, body[op].name, def);
        let groups = operand_groups(self.ctx, body, op, def);
        match (&facts.format, groups) {
            (Some(Ok(format)), Some(groups)) if fits(body, op, def) => {
                self.op_name(body, op);
                let form = Form {
                    format,
                    def,
                    body,
                    op,
                    groups: &groups,
                };
                self.run(&form, &format.elements);
            }
            _ => self.generic_form(body, op),
        }
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
            Kind::Operand(index) => self.values(body, form.group(*index)),
            Kind::Operands => self.values(body, &body[op].operands),
            Kind::Region(index) => {
                let terminator = !is_bare_terminator(body, op, *index, form.def.terminator);
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
                if let Some(&block) = body[op].successors.get(*index) {
                    self.successor(block);
                }
            }
            Kind::Successors => {
                self.separated(&body[op].successors, |p, &block| p.successor(block));
            }
            Kind::Type(types) => {
                let types = form.types(*types);
                self.types(&types);
            }
            Kind::FunctionalType(inputs, results) => {
                let (inputs, results) = (form.types(*inputs), form.types(*results));
                self.function_type(&inputs, &results);
            }
            Kind::AttrDict => self.attr_dict_of(body, op, &form.format.spelled, ""),
            Kind::AttrDictWithKeyword => {
                self.attr_dict_of(body, op, &form.format.spelled, " attributes");
            }
            Kind::Group(group) => {
                if form.present(self.ctx, group.anchor) {
                    self.run(form, &group.then);
                } else {
                    self.run(form, &group.otherwise);
                }
            }
            Kind::IndexList(index, attr, delimiter) => {
                let value = form.attr(self.ctx, attr);
                let numbers = value.and_then(|v| v.as_i64_array(self.ctx));
                let numbers = numbers.unwrap_or_default();
                self.dynamic_index_list(body, &numbers, form.group(*index), *delimiter);
            }
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

    /// The keywords of an enumeration, in `<` and `>` where they are spelled so.
    pub fn enum_attr(&mut self, def: &'static EnumDef, value: Attr) {
        let name = enums::load(self.ctx, def, value).and_then(|v| enums::case_name(def, v));
        match name {
            Some(name) if def.angled => {
                self.out.push('<');
                self.out.push_str(&name);
                self.out.push('>');
            }
            Some(name) => self.out.push_str(&name),
            None => self.attr(value),
        }
    }

    /// `[1, %n, 3]`: numbers, with operands in the places of the holes.
    pub fn dynamic_index_list(
        &mut self,
        body: &Body,
        numbers: &[i64],
        operands: &[Value],
        delimiter: Delimiter,
    ) {
        let paren = delimiter == Delimiter::Paren;
        self.out.push(if paren { '(' } else { '[' });
        let mut operands = operands.iter();
        self.separated(numbers, |p, &number| match operands.as_slice() {
            [value, ..] if number == DYNAMIC => {
                p.value(body, *value);
                operands.next();
            }
            _ => p.number(number),
        });
        self.out.push(if paren { ')' } else { ']' });
    }
}

/// An operation on its way into text.
struct Form<'a> {
    format: &'a Format,
    def: &'static OpDef,
    body: &'a Body,
    op: OpId,
    /// Ends of the operand groups.
    groups: &'a [usize],
}

impl Form<'_> {
    fn group(&self, index: usize) -> &[Value] {
        let start = match index.checked_sub(1) {
            Some(before) => self.groups[before],
            None => 0,
        };
        &self.body[self.op].operands[start..self.groups[index]]
    }

    fn attr(&self, ctx: &crate::Context, attr: &AttrElement) -> Option<Attr> {
        self.body[self.op].properties.get(ctx, attr.name)
    }

    fn types(&self, of: TypesOf) -> SmallVec<[Type; 4]> {
        let data = &self.body[self.op];
        let types = |values: &[Value]| values.iter().map(|&v| self.body.ty(v)).collect();
        match of {
            TypesOf::Operand(index) => types(self.group(index)),
            TypesOf::Operands => types(&data.operands),
            TypesOf::Results => data.results().map(|v| self.body.ty(v)).collect(),
            TypesOf::Result(index) => {
                // Only the groups before and after a single group of any
                // number have a known size; `fits` has seen to that.
                let single = |r: &&crate::op::ValueDef| r.arity == Arity::One;
                let before = self.def.results[..index].iter().filter(single).count();
                let after = self.def.results[index + 1..].iter().filter(single).count();
                let end = match self.def.results[index].arity {
                    Arity::One => before + 1,
                    _ => data.num_results() - after,
                };
                let from_end = self.def.results[..index]
                    .iter()
                    .any(|r| r.arity != Arity::One);
                let range = if from_end {
                    let start = data.num_results() - after - 1;
                    start..start + 1
                } else {
                    before..end
                };
                range.map(|i| self.body.ty(data.result(i))).collect()
            }
        }
    }

    fn present(&self, ctx: &crate::Context, anchor: Anchor) -> bool {
        let data = &self.body[self.op];
        match anchor {
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
            Anchor::Successor(index) => data.successors.len() > index,
        }
    }
}

/// Whether results, regions and successors are as many as the row says:
/// printing an operation that the verifier has not seen must not fail.
fn fits(body: &Body, op: OpId, def: &OpDef) -> bool {
    let data = &body[op];
    let single = def.results.iter().filter(|r| r.arity == Arity::One).count();
    let any = def.results.len() - single;
    let results = match any {
        0 => data.num_results() == single,
        1 => data.num_results() >= single,
        _ => data.num_results() >= single,
    };
    let regions = crate::text::print_op::region_count(body, op);
    results
        && def.successors.is_none_or(|n| n == data.successors.len())
        && def.regions.is_none_or(|n| n == regions)
        && !(def.traits.contains(Traits::NO_TERMINATOR) && regions == 0)
}

/// The ends of the operand groups; `None` if they cannot be told apart.
fn operand_groups(
    ctx: &crate::Context,
    body: &Body,
    op: OpId,
    def: &OpDef,
) -> Option<SmallVec<[usize; 8]>> {
    let total = body[op].operands.len();
    let mut ends = SmallVec::new();
    let mut end = 0usize;
    if def.traits.contains(Traits::ATTR_SIZED_OPERANDS) {
        let sizes = body[op]
            .attr(ctx, "operandSegmentSizes")?
            .as_i32_array(ctx)?;
        if sizes.len() != def.operands.len() {
            return None;
        }
        for (size, group) in sizes.iter().zip(def.operands) {
            if group.arity == Arity::One && *size != 1 {
                return None;
            }
            end = end.checked_add(usize::try_from(*size).ok()?)?;
            ends.push(end);
        }
        return (end == total).then_some(ends);
    }
    let fixed = def
        .operands
        .iter()
        .filter(|o| o.arity == Arity::One)
        .count();
    let mut spare = total.checked_sub(fixed)?;
    for group in def.operands {
        let count = match group.arity {
            Arity::One => 1,
            Arity::Optional => spare.min(1),
            Arity::Variadic => spare,
        };
        if group.arity != Arity::One {
            spare -= count;
        }
        end += count;
        ends.push(end);
    }
    (spare == 0).then_some(ends)
}
