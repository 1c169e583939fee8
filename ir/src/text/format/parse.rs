//! Parser of declared forms: runs a compiled form on text.

use smallvec::SmallVec;

use super::directive::Parsed;
use super::{Clause, Element, Format, Group, Kind, TypesOf, canonical};
use crate::context::signature::{Arity, AttrDef, AttrSyntax, OpSignature, ValueDef};
use crate::context::{RowTraits, Traits};
use crate::lexer::Tok;
use crate::text::read::op_parser::{Delimiter, OpParser, Operand, Place};
use crate::text::read::parser::PResult;
use crate::types::{DYNAMIC, Type};

/// Range in a flat list of the parser state.
#[derive(Clone, Copy, Default)]
pub(super) struct Span(u32, u32);

impl Span {
    pub(super) fn new(start: usize, end: usize) -> Span {
        Span(start as u32, end as u32)
    }

    pub(super) fn range(self) -> std::ops::Range<usize> {
        self.0 as usize..self.1 as usize
    }

    pub(super) fn len(self) -> usize {
        (self.1 - self.0) as usize
    }
}

/// Parser state of a form: operands and types, flat, with the range of each group.
pub(super) struct State<'s> {
    operands: SmallVec<[Operand<'s>; 4]>,
    pub(super) operand_spans: SmallVec<[Span; 4]>,
    pub(super) types: SmallVec<[Type; 6]>,
    pub(super) operand_types: SmallVec<[Option<Span>; 4]>,
    pub(super) result_types: SmallVec<[Option<Span>; 2]>,
    /// Types of all operands or results, where the form spells them together.
    pub(super) all_operand_types: Option<Span>,
    pub(super) all_result_types: Option<Span>,
    /// Whether there are fewer operands than groups that need one.
    short: bool,
}

impl<'s> OpParser<'_, 's> {
    /// Parses the declared form after the operation's name.
    pub(crate) fn declared_form(&mut self, def: &'static OpSignature) -> PResult<()> {
        let syntax = self.parser.forms.syntax(self.ctx(), self.name(), def);
        let format = match &syntax.format {
            Some(Ok(format)) => format,
            Some(Err(why)) => {
                let message = format!("the custom form of `{}` is broken: {why}", def.name);
                return Err(self.error_at(self.op_place(), message));
            }
            None => return Err(self.error_at(self.op_place(), "this has no custom form")),
        };
        match &format.straight {
            Some(straight) => self.straight_form(format, straight, def),
            None => self.run_form(format, def),
        }
    }

    /// Parses a compiled form of a row.
    pub(super) fn run_form(&mut self, format: &Format, def: &'static OpSignature) -> PResult<()> {
        let mut state = State::new(def);
        self.run(format, &format.elements, def, &mut state)?;
        self.complete(def, state)
    }

    /// Completes an operation whose groups have one operand each, these, and for which the text
    /// spelled these types.
    pub(super) fn complete_from(
        &mut self,
        def: &'static OpSignature,
        operands: &[Operand<'s>],
        spelled: impl Iterator<Item = (TypesOf, Type)>,
    ) -> PResult<()> {
        let mut state = State::new(def);
        for (index, &operand) in operands.iter().enumerate() {
            state.set_operands(index, &[operand]);
        }
        for (of, ty) in spelled {
            state.set_types(of, &[ty]);
        }
        self.complete(def, state)
    }

    fn run(
        &mut self,
        format: &Format,
        elements: &[Element],
        def: &'static OpSignature,
        state: &mut State<'s>,
    ) -> PResult<()> {
        for element in elements {
            self.element(format, &element.kind, def, state)?;
        }
        Ok(())
    }

    fn element(
        &mut self,
        format: &Format,
        kind: &Kind,
        def: &'static OpSignature,
        state: &mut State<'s>,
    ) -> PResult<()> {
        match kind {
            Kind::Operand(index) => self.operand_group(*index, def, state),
            Kind::Operands => {
                let operands = self.operand_list(Delimiter::None)?;
                self.split_operands(&operands, def, state)
            }
            Kind::Region(_) => self.region(&[]),
            Kind::Regions if self.at(Tok::LBrace) => self.list(Delimiter::None, |p| p.region(&[])),
            Kind::Regions => Ok(()),
            Kind::Successor(_) => self.successor(),
            Kind::Successors => self.list(Delimiter::None, |p| p.successor()),
            Kind::Type(types) => self.type_element(*types, def, state),
            Kind::FunctionalType(inputs, results) => {
                let (input_types, result_types) = self.function_type()?;
                state.set_types(*inputs, &input_types);
                state.set_types(*results, &result_types);
                Ok(())
            }
            Kind::AttrDictWithKeyword => self.checked(Self::attr_dict_with_keyword),
            Kind::PropDict => self.properties(),
            Kind::Group(group) => {
                let elements = match self.group_starts(group).unwrap_or(false) {
                    true => &group.then,
                    false => &group.otherwise,
                };
                self.run(format, elements, def, state)
            }
            Kind::OiList(clauses) => self.clauses(format, clauses, def, state),
            Kind::Custom(directive) => {
                let parse = directive.directive.parse;
                parse(self, &mut Parsed { directive, state })
            }
            Kind::Keyword(_)
            | Kind::Punctuation(..)
            | Kind::Space(_)
            | Kind::Attr(_)
            | Kind::AttrDict => self.plain_element(kind),
        }
    }

    /// Parses a dictionary and checks the inherent attributes in it at once, as upstream does.
    pub(super) fn checked(&mut self, dict: fn(&mut Self) -> PResult<()>) -> PResult<()> {
        let (place, before) = (self.place(), self.attributes.len());
        dict(self)?;
        let (ctx, Some(def)) = (self.ctx(), self.def) else {
            return Ok(());
        };
        for &(name, value) in &self.attributes[before..] {
            let named = |attr: &&AttrDef| attr.name == ctx.str(name);
            let Some(attr) = def.attrs.iter().find(named) else {
                continue;
            };
            let value = match attr.syntax {
                AttrSyntax::Enum(def) => canonical(ctx, def, value),
                _ => value,
            };
            if !(attr.constraint.check)(ctx, value) {
                let message = format!("'{}' op {}", def.name, attr.refusal());
                return Err(self.error_at(place, message));
            }
        }
        Ok(())
    }

    /// Parses the clauses of an `oilist`: any of them, in any order.
    fn clauses(
        &mut self,
        format: &Format,
        clauses: &[Clause],
        def: &'static OpSignature,
        state: &mut State<'s>,
    ) -> PResult<()> {
        let mut seen: SmallVec<[bool; 8]> = SmallVec::from_elem(false, clauses.len());
        let starts = |p: &Self, clause: &Clause| {
            let first = clause.elements.first();
            first.is_some_and(|first| p.starts(&first.kind) == Some(true))
        };
        while let Some(index) = clauses.iter().position(|clause| starts(self, clause)) {
            if std::mem::replace(&mut seen[index], true) {
                let word = match clauses[index].elements.first().map(|e| &e.kind) {
                    Some(Kind::Keyword(text) | Kind::Punctuation(_, text)) => text,
                    _ => "",
                };
                return Err(self.error_at(
                    self.op_place(),
                    format!(
                        "`{word}` clause can appear at most once in the expansion of the oilist \
                     directive"
                    ),
                ));
            }
            self.run(format, &clauses[index].elements, def, state)?;
        }
        Ok(())
    }

    pub(super) fn group_starts(&self, group: &Group) -> Option<bool> {
        group.then.iter().find_map(|e| self.starts(&e.kind))
    }

    /// Whether an element starts at the current token; `None` for elements without text.
    fn starts(&self, kind: &Kind) -> Option<bool> {
        Some(match kind {
            Kind::Keyword(word) => self.at_keyword(word),
            Kind::Punctuation(token, _) => self.at(*token),
            Kind::Space(_) => return None,
            Kind::Attr(attr) => return self.starts_attr(attr),
            Kind::Operand(_) | Kind::Operands => self.at(Tok::Percent),
            Kind::Region(_) | Kind::Regions => self.at(Tok::LBrace),
            Kind::Successor(_) | Kind::Successors => self.at(Tok::Caret),
            Kind::Type(_) => matches!(self.peek(), Tok::Bare | Tok::Exclaim | Tok::LParen),
            Kind::FunctionalType(..) => self.at(Tok::LParen),
            Kind::AttrDict => self.at(Tok::LBrace),
            Kind::AttrDictWithKeyword => self.at_keyword("attributes"),
            Kind::PropDict => self.at(Tok::Less),
            Kind::Group(group) => return self.group_starts(group),
            Kind::OiList(clauses) => {
                let mut firsts = clauses.iter().filter_map(|clause| clause.elements.first());
                firsts.any(|first| self.starts(&first.kind) == Some(true))
            }
            Kind::Custom(directive) => {
                let starts = directive.directive.starts?;
                starts(self, &directive.literals())
            }
        })
    }

    /// Parses `[1, %n, 3]`: operands, and the numbers with holes in their places.
    pub fn dynamic_index_list(
        &mut self,
        delimiter: Delimiter,
    ) -> PResult<(SmallVec<[Operand<'s>; 4]>, Vec<i64>)> {
        let (mut operands, mut numbers) = (SmallVec::new(), Vec::new());
        let read = self.list_in(delimiter, " in dynamic index list", |p| {
            match p.optional_operand()? {
                Some(operand) => {
                    operands.push(operand);
                    numbers.push(DYNAMIC);
                }
                None => numbers.push(p.integer("a number or a value")?),
            }
            Ok(())
        });
        if read.is_err() {
            return Err(self.error_at(self.op_place(), "expected SSA value or integer"));
        }
        Ok((operands, numbers))
    }

    fn operand_group(
        &mut self,
        index: usize,
        def: &OpSignature,
        state: &mut State<'s>,
    ) -> PResult<()> {
        match def.operands[index].arity {
            Arity::One => {
                let operand = self.operand()?;
                state.set_operands(index, &[operand]);
            }
            Arity::Optional => {
                if let Some(operand) = self.optional_operand()? {
                    state.set_operands(index, &[operand]);
                }
            }
            Arity::Variadic => {
                let operands = self.operand_list(Delimiter::None)?;
                state.set_operands(index, &operands);
            }
        }
        Ok(())
    }

    /// Divides all operands among the groups; only one group may be variadic.
    fn split_operands(
        &mut self,
        operands: &[Operand<'s>],
        def: &OpSignature,
        state: &mut State<'s>,
    ) -> PResult<()> {
        let fixed = def
            .operands
            .iter()
            .filter(|o| o.arity == Arity::One)
            .count();
        // Too few operands: the error waits for their types, which follow in the text.
        state.short = operands.len() < fixed;
        let mut rest = operands;
        let mut spare = operands.len().saturating_sub(fixed);
        for (index, group) in def.operands.iter().enumerate() {
            let count = match group.arity {
                Arity::One => rest.len().min(1),
                Arity::Optional => spare.min(1),
                Arity::Variadic => spare,
            };
            if group.arity != Arity::One {
                spare -= count;
            }
            let (mine, others) = rest.split_at(count);
            state.set_operands(index, mine);
            rest = others;
        }
        Ok(())
    }

    /// Checks that a type spelled at a place is of a class.
    pub fn check_class(&mut self, place: Place, ty: Type, class: &str) -> PResult<()> {
        if ty.is_of_class(self.ctx(), class) {
            return Ok(());
        }
        // Upstream names a class only where it has one of its own.
        let mut message = "invalid kind of type specified".to_owned();
        if class.starts_with("builtin.") {
            let found = crate::text::type_string(self.ctx(), ty);
            message += &format!(": expected {class}, but found '{found}'");
        }
        Err(self.error_at(place, message))
    }

    fn type_element(
        &mut self,
        types: TypesOf,
        def: &OpSignature,
        state: &mut State<'s>,
    ) -> PResult<()> {
        let group = match types {
            TypesOf::Operand(index) => Some(&def.operands[index]),
            TypesOf::Result(index) => Some(&def.results[index]),
            TypesOf::Operands | TypesOf::Results => None,
        };
        if let Some(group) = group.filter(|group| group.arity == Arity::One) {
            let ty = self.type_of(group)?;
            state.set_types(types, &[ty]);
            return Ok(());
        }
        let arity = group.map_or(Arity::Variadic, |group| group.arity);
        let starts = matches!(self.peek(), Tok::Bare | Tok::Exclaim | Tok::LParen);
        let list = match arity {
            Arity::Optional if !starts => Vec::new(),
            Arity::Optional => vec![self.ty()?],
            _ => self.type_list(Delimiter::None)?,
        };
        state.set_types(types, &list);
        Ok(())
    }

    /// Parses the type of a single value.
    pub(super) fn type_of(&mut self, value: &ValueDef) -> PResult<Type> {
        let place = self.place();
        let ty = self.ty()?;
        if let Some(class) = value.constraint.class {
            self.check_class(place, ty, class)?;
        }
        Ok(ty)
    }

    /// Resolves operands, adds results, sets segment sizes, ends regions.
    fn complete(&mut self, def: &'static OpSignature, mut state: State<'s>) -> PResult<()> {
        if state.short {
            let types = state
                .all_operand_types
                .map_or(def.operands.len(), Span::len);
            return Err(self.wrong_number_of_types(state.operands.len(), types));
        }
        state.infer(self, def)?;
        match state.all_operand_types {
            Some(span) => self.resolve_all(&state, span)?,
            None => self.resolve_groups(&state)?,
        }
        if def.traits.contains(Traits::ATTR_SIZED_OPERANDS) {
            let sizes: SmallVec<[i32; 8]> =
                state.operand_spans.iter().map(|s| s.len() as i32).collect();
            self.set_operand_segments(&sizes);
        }
        match state.all_result_types {
            Some(span) => self.add_results(&state.types[span.range()]),
            None => self.add_group_results(def, &state)?,
        }
        if def.traits.contains(RowTraits::ATTR_SIZED_RESULTS) && state.all_result_types.is_none() {
            let sizes = state.result_types.iter();
            let sizes: SmallVec<[i32; 8]> = sizes
                .map(|span| span.map_or(0, |span| span.len() as i32))
                .collect();
            let sizes = self.ctx().i32_array_attr(&sizes);
            self.set_property("resultSegmentSizes", sizes);
        }
        for index in 0..self.num_regions() {
            match def
                .terminator
                .and_then(|name| self.ctx().find_op(name.as_bytes()))
            {
                Some(name) => self.ensure_terminator(index, name),
                None if def.traits.contains(RowTraits::NO_TERMINATOR) => self.ensure_block(index),
                None => {}
            }
        }
        Ok(())
    }

    fn resolve_all(&mut self, state: &State<'s>, span: Span) -> PResult<()> {
        let operands: SmallVec<[Operand; 4]> = state
            .operand_spans
            .iter()
            .flat_map(|s| state.operands[s.range()].iter().copied())
            .collect();
        self.add_typed_operands(&operands, &state.types[span.range()])
    }

    fn resolve_groups(&mut self, state: &State<'s>) -> PResult<()> {
        for (index, span) in state.operand_spans.iter().enumerate() {
            let operands = &state.operands[span.range()];
            let types = match state.operand_types[index] {
                Some(types) => &state.types[types.range()],
                None => &[],
            };
            if operands.len() != types.len() {
                return Err(self.wrong_number_of_types(operands.len(), types.len()));
            }
            for (&operand, &ty) in operands.iter().zip(types) {
                self.add_operand(operand, ty)?;
            }
        }
        Ok(())
    }

    fn add_group_results(&mut self, def: &OpSignature, state: &State<'s>) -> PResult<()> {
        for (index, result) in def.results.iter().enumerate() {
            match state.result_types[index] {
                Some(span) => self.add_results(&state.types[span.range()]),
                None if result.arity != Arity::One => {}
                None => {
                    // The group it is inferred from has no type itself.
                    let message = format!(
                        "invalid kind of attribute specified: the type of result `{}` cannot be \
                         worked out",
                        result.name
                    );
                    return Err(self.error_at(self.op_place(), message));
                }
            }
        }
        Ok(())
    }
}

impl<'s> State<'s> {
    fn new(def: &OpSignature) -> Self {
        State {
            operands: SmallVec::new(),
            operand_spans: SmallVec::from_elem(Span::default(), def.operands.len()),
            types: SmallVec::new(),
            operand_types: SmallVec::from_elem(None, def.operands.len()),
            result_types: SmallVec::from_elem(None, def.results.len()),
            all_operand_types: None,
            all_result_types: None,
            short: false,
        }
    }

    pub(super) fn set_operands(&mut self, index: usize, operands: &[Operand<'s>]) {
        let start = self.operands.len();
        self.operands.extend(operands.iter().copied());
        self.operand_spans[index] = Span::new(start, self.operands.len());
    }

    pub(super) fn operands(&self, index: usize) -> &[Operand<'s>] {
        &self.operands[self.operand_spans[index].range()]
    }

    pub(super) fn types(&self, of: TypesOf) -> &[Type] {
        let span = match of {
            TypesOf::Operand(index) => self.operand_types[index],
            TypesOf::Result(index) => self.result_types[index],
            TypesOf::Operands => self.all_operand_types,
            TypesOf::Results => self.all_result_types,
        };
        &self.types[span.unwrap_or_default().range()]
    }

    pub(super) fn set_types(&mut self, of: TypesOf, types: &[Type]) {
        let start = self.types.len();
        self.types.extend(types.iter().copied());
        let span = Some(Span::new(start, self.types.len()));
        match of {
            TypesOf::Operand(index) => self.operand_types[index] = span,
            TypesOf::Result(index) => self.result_types[index] = span,
            TypesOf::Operands => self.all_operand_types = span,
            TypesOf::Results => self.all_result_types = span,
        }
    }
}
