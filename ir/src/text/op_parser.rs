//! What custom forms parse with.

use smallvec::SmallVec;

use super::format::canonical;
use super::lexer::{Tok, Token};
use super::parse_affine::ExprOperands;
use super::parse_op::{Finished, split_attributes};
use super::parser::{PResult, Parser};
use super::{ParseFailed, facts};
use crate::affine::{AffineExpr, AffineMap};
use crate::attr::{Attr, AttrDict, AttrKind, NamedAttr};
use crate::body::{BlockId, Body, OpId, OpState, RegionId, Value};
use crate::context::{Context, Ident};
use crate::diag::Diagnostic;
use crate::location::Loc;
use crate::op::{OpDef, OpName, Traits};
use crate::types::Type;

/// A use of a value, as written: `%name#number`. It becomes a [`Value`] when
/// its type is known.
#[derive(Clone, Copy, Debug)]
pub struct Operand<'s> {
    pub(crate) name: &'s [u8],
    pub(crate) number: u32,
    pub(crate) pos: u32,
}

/// An argument of an entry block, as an operation's form spells it.
#[derive(Clone, Copy, Debug)]
pub struct Argument<'s> {
    /// The name.
    pub name: Operand<'s>,
    /// The type.
    pub ty: Type,
    /// Attributes of the argument, which the operation keeps.
    pub attrs: AttrDict,
    /// Location, if written.
    pub loc: Option<Loc>,
}

/// The brackets around a list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Delimiter {
    /// None: the list ends where no comma follows.
    None,
    /// `( … )`
    Paren,
    /// `[ … ]`
    Square,
    /// `{ … }`
    Brace,
    /// `< … >`
    Angle,
}

impl Delimiter {
    fn tokens(self) -> Option<(Tok, Tok)> {
        match self {
            Delimiter::None => None,
            Delimiter::Paren => Some((Tok::LParen, Tok::RParen)),
            Delimiter::Square => Some((Tok::LSquare, Tok::RSquare)),
            Delimiter::Brace => Some((Tok::LBrace, Tok::RBrace)),
            Delimiter::Angle => Some((Tok::Less, Tok::Greater)),
        }
    }
}

/// A place in the source: what [`OpParser::error_at`] underlines.
#[derive(Clone, Copy, Debug)]
pub struct Place(pub(crate) Token);

/// A list of operands not resolved yet.
pub type Operands<'s> = SmallVec<[Operand<'s>; 4]>;

/// Parses one operation: what a hand-written form works with.
///
/// The name has been taken. The form takes what follows, adds operands,
/// result types, attributes, successors and regions in the order the generic
/// form has them, and returns; the rest (splitting attributes into inherent
/// and discardable ones, defaults, the location) is done for it. Every method
/// that returns an error has reported it.
pub struct OpParser<'p, 's> {
    pub(crate) parser: &'p mut Parser<'s>,
    /// The row, for known operations.
    pub(crate) def: Option<&'static OpDef>,
    /// How many results the text names.
    pub(crate) wanted: usize,
    token: Token,
    name: OpName,
    loc: Loc,
    pub(crate) properties: SmallVec<[NamedAttr; 4]>,
    pub(crate) attributes: SmallVec<[NamedAttr; 4]>,
    pub(crate) operands: SmallVec<[Value; 4]>,
    pub(crate) results: SmallVec<[Type; 2]>,
    successors: SmallVec<[BlockId; 2]>,
    regions: SmallVec<[RegionId; 2]>,
    isolated: Option<Box<Body>>,
}

impl std::fmt::Debug for OpParser<'_, '_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("OpParser")
            .field("name", &self.parser.ctx.op_name_str(self.name))
            .finish_non_exhaustive()
    }
}

impl<'p, 's> OpParser<'p, 's> {
    pub(crate) fn new(parser: &'p mut Parser<'s>, name: OpName, token: Token) -> Self {
        let def = name.def();
        let isolated = name
            .has(Traits::ISOLATED_FROM_ABOVE)
            .then(|| Box::new(Body::new()));
        let loc = parser.loc(token.start);
        OpParser {
            parser,
            def,
            wanted: 0,
            token,
            name,
            loc,
            properties: SmallVec::new(),
            attributes: SmallVec::new(),
            operands: SmallVec::new(),
            results: SmallVec::new(),
            successors: SmallVec::new(),
            regions: SmallVec::new(),
            isolated,
        }
    }

    /// Takes the trailing location and makes the operation.
    pub(crate) fn finish(mut self) -> PResult<OpId> {
        if let Some(loc) = self.parser.optional_loc()? {
            self.loc = loc;
        }
        let ctx = self.parser.ctx;
        if let Some(def) = self.def {
            let facts = facts::of(ctx, self.name, def);
            let clash = split_attributes(facts, &mut self.properties, &mut self.attributes);
            if let Some(name) = clash {
                let message = format!("attribute `{}` is given twice", ctx.str(name));
                return Err(self.parser.error_on(self.token, message));
            }
            for (name, def) in &facts.enums {
                if let Some(entry) = self.properties.iter_mut().find(|p| p.0 == *name) {
                    entry.1 = canonical(ctx, def, entry.1);
                }
            }
            for &(name, value) in &facts.defaults {
                if !self.properties.iter().any(|p| p.0 == name) {
                    self.properties.push((name, value));
                }
            }
        }
        let finished = Finished {
            name: self.name,
            loc: self.loc,
            properties: ctx.attr_dict_of(&mut self.properties),
            attributes: ctx.attr_dict_of(&mut self.attributes),
            operands: self.operands,
            results: self.results,
            successors: self.successors,
            regions: self.regions,
            isolated: self.isolated,
        };
        Ok(finished.create(&mut self.parser.body))
    }

    /// The context.
    pub fn ctx(&self) -> &'s Context {
        self.parser.ctx
    }

    /// The operation's name.
    pub fn name(&self) -> OpName {
        self.name
    }

    /// The operation's location.
    pub fn loc(&self) -> Loc {
        self.loc
    }

    /// How many results the text names before `=`.
    pub fn num_named_results(&self) -> usize {
        self.wanted
    }
}

/// Tokens and errors.
impl<'s> OpParser<'_, 's> {
    /// The kind of the current token.
    pub fn peek(&self) -> Tok {
        self.parser.tok.kind
    }

    /// Whether the current token is of this kind.
    pub fn at(&self, kind: Tok) -> bool {
        self.parser.at(kind)
    }

    /// Takes the current token if it is of this kind.
    pub fn eat(&mut self, kind: Tok) -> bool {
        self.parser.eat(kind)
    }

    /// Takes a token of this kind.
    pub fn expect(&mut self, kind: Tok) -> PResult<()> {
        self.parser.expect(kind).map(|_| ())
    }

    /// Whether the current token is this keyword.
    pub fn at_keyword(&self, word: &str) -> bool {
        self.parser.at_keyword(word)
    }

    /// Takes the current token if it is this keyword.
    pub fn eat_keyword(&mut self, word: &str) -> bool {
        self.parser.eat_keyword(word)
    }

    /// Takes this keyword.
    pub fn expect_keyword(&mut self, word: &str) -> PResult<()> {
        self.parser.expect_keyword(word)
    }

    /// Takes any keyword; `what` says what it stands for.
    pub fn keyword(&mut self, what: &str) -> PResult<&'s str> {
        self.parser.expect_bare(what)
    }

    /// The current token's place.
    pub fn place(&self) -> Place {
        Place(self.parser.tok)
    }

    /// The place of the operation's name.
    pub fn op_place(&self) -> Place {
        Place(self.token)
    }

    /// Reports an error at the current token.
    pub fn error(&mut self, message: impl Into<String>) -> ParseFailed {
        self.parser.error(message)
    }

    /// Reports an error at a place.
    pub fn error_at(&mut self, place: Place, message: impl Into<String>) -> ParseFailed {
        self.parser.error_on(place.0, message)
    }

    /// Reports an error at an operand.
    pub fn error_on_operand(
        &mut self,
        operand: Operand<'s>,
        message: impl Into<String>,
    ) -> ParseFailed {
        let loc = self.parser.loc(operand.pos);
        self.parser
            .report(Diagnostic::error(loc, message).with_len(operand.name.len() as u32 + 1))
    }

    /// Reports "expected `what`, found …" at the current token.
    pub fn expected(&mut self, what: &str) -> ParseFailed {
        self.parser.expected(what)
    }

    /// A list in brackets, items separated by commas; may be empty in brackets.
    pub fn list(
        &mut self,
        delimiter: Delimiter,
        mut item: impl FnMut(&mut Self) -> PResult<()>,
    ) -> PResult<()> {
        let Some((open, close)) = delimiter.tokens() else {
            loop {
                item(self)?;
                if !self.eat(Tok::Comma) {
                    return Ok(());
                }
            }
        };
        self.expect(open)?;
        if self.eat(close) {
            return Ok(());
        }
        loop {
            item(self)?;
            if self.eat(Tok::Comma) {
                continue;
            }
            if self.eat(close) {
                return Ok(());
            }
            return Err(self.expected(&format!("`,` or {}", close.describe())));
        }
    }
}

/// Operands, results and types.
impl<'s> OpParser<'_, 's> {
    /// `%name`
    pub fn operand(&mut self) -> PResult<Operand<'s>> {
        self.parser.operand()
    }

    /// `%name` if one stands here.
    pub fn optional_operand(&mut self) -> PResult<Option<Operand<'s>>> {
        if self.at(Tok::Percent) {
            self.operand().map(Some)
        } else {
            Ok(None)
        }
    }

    /// Operands separated by commas. Without brackets the list may be empty.
    pub fn operand_list(&mut self, delimiter: Delimiter) -> PResult<Operands<'s>> {
        let mut operands = Operands::new();
        if delimiter == Delimiter::None && !self.at(Tok::Percent) {
            return Ok(operands);
        }
        self.list(delimiter, |p| {
            operands.push(p.operand()?);
            Ok(())
        })?;
        Ok(operands)
    }

    /// The value an operand stands for, which has this type.
    pub fn resolve(&mut self, operand: Operand<'s>, ty: Type) -> PResult<Value> {
        self.parser.resolve(operand, ty)
    }

    /// Resolves an operand and adds it to the operation.
    pub fn add_operand(&mut self, operand: Operand<'s>, ty: Type) -> PResult<Value> {
        let value = self.parser.resolve(operand, ty)?;
        self.operands.push(value);
        Ok(value)
    }

    /// Resolves operands that all have one type and adds them.
    pub fn add_operands(&mut self, operands: &[Operand<'s>], ty: Type) -> PResult<()> {
        for &operand in operands {
            self.add_operand(operand, ty)?;
        }
        Ok(())
    }

    /// Resolves operands with these types, one each, and adds them.
    pub fn add_typed_operands(&mut self, operands: &[Operand<'s>], types: &[Type]) -> PResult<()> {
        if operands.len() != types.len() {
            let message = format!("{} operand(s), but {} type(s)", operands.len(), types.len());
            return Err(self.error_at(self.op_place(), message));
        }
        for (&operand, &ty) in operands.iter().zip(types) {
            self.add_operand(operand, ty)?;
        }
        Ok(())
    }

    /// Adds a value that has been resolved.
    pub fn push_operand(&mut self, value: Value) {
        self.operands.push(value);
    }

    /// The type of a resolved value, which may not be defined yet.
    pub fn value_type(&self, value: Value) -> Type {
        self.parser.value_type(value)
    }

    /// Adds a result.
    pub fn add_result(&mut self, ty: Type) {
        self.results.push(ty);
    }

    /// Adds results.
    pub fn add_results(&mut self, types: &[Type]) {
        self.results.extend_from_slice(types);
    }

    /// A type.
    pub fn ty(&mut self) -> PResult<Type> {
        self.parser.ty()
    }

    /// `: type`
    pub fn colon_type(&mut self) -> PResult<Type> {
        self.expect(Tok::Colon)?;
        self.ty()
    }

    /// Types separated by commas. Without brackets at least one.
    pub fn type_list(&mut self, delimiter: Delimiter) -> PResult<Vec<Type>> {
        let mut types = Vec::new();
        self.list(delimiter, |p| {
            types.push(p.ty()?);
            Ok(())
        })?;
        Ok(types)
    }

    /// `-> type`, `-> (types)`, or nothing.
    pub fn optional_arrow_types(&mut self) -> PResult<Vec<Type>> {
        if self.eat(Tok::Arrow) {
            self.parser.result_types()
        } else {
            Ok(Vec::new())
        }
    }

    /// `(types) -> types`: inputs and results.
    pub fn function_type(&mut self) -> PResult<(Vec<Type>, Vec<Type>)> {
        self.parser.function_type_parts()
    }

    /// `(%a : type, …)` or nothing, as after a loop's `iter_args`:
    /// `%name = %value` pairs in parentheses.
    pub fn assignments(&mut self) -> PResult<Vec<(Operand<'s>, Operand<'s>)>> {
        let mut pairs = Vec::new();
        self.list(Delimiter::Paren, |p| {
            let name = p.operand()?;
            p.expect(Tok::Equal)?;
            pairs.push((name, p.operand()?));
            Ok(())
        })?;
        Ok(pairs)
    }
}

/// Attributes.
impl OpParser<'_, '_> {
    /// An attribute with its type, if it has one.
    pub fn attribute(&mut self) -> PResult<Attr> {
        self.parser.attribute(None)
    }

    /// An attribute whose type is known: a number stands without it.
    pub fn attribute_of(&mut self, ty: Type) -> PResult<Attr> {
        self.parser.attribute(Some(ty))
    }

    /// An integer literal, `-` included, within `i64`.
    pub fn integer(&mut self, what: &str) -> PResult<i64> {
        self.parser.signed_integer(what)
    }

    /// A string literal that is UTF-8.
    pub fn string(&mut self, what: &str) -> PResult<Ident> {
        self.parser.utf8_string(what)
    }

    /// `@name`
    pub fn symbol_name(&mut self) -> PResult<Ident> {
        self.parser.symbol_name()
    }

    /// `@root::@nested` as an attribute.
    pub fn symbol_ref(&mut self) -> PResult<Attr> {
        self.parser.symbol_ref()
    }

    /// Sets an inherent attribute.
    pub fn set_property(&mut self, name: &str, value: Attr) {
        let name = self.ctx().ident(name);
        set(&mut self.properties, name, value);
    }

    /// Sets a discardable attribute.
    pub fn set_attribute(&mut self, name: &str, value: Attr) {
        let name = self.ctx().ident(name);
        set(&mut self.attributes, name, value);
    }

    /// An attribute given so far, inherent or not.
    pub fn get_attr(&self, name: &str) -> Option<Attr> {
        let name = self.ctx().ident(name);
        let found = |list: &[NamedAttr]| list.iter().find(|e| e.0 == name).map(|e| e.1);
        found(&self.properties).or_else(|| found(&self.attributes))
    }

    /// Takes an attribute out again that `{…}` gave, inherent or not.
    pub fn take_attr(&mut self, name: &str) -> Option<Attr> {
        let name = self.ctx().ident(name);
        for list in [&mut self.properties, &mut self.attributes] {
            if let Some(at) = list.iter().position(|e| e.0 == name) {
                return Some(list.remove(at).1);
            }
        }
        None
    }

    /// Sets `operandSegmentSizes`.
    pub fn set_operand_segments(&mut self, sizes: &[i32]) {
        let value = self.ctx().i32_array_attr(sizes);
        self.set_property("operandSegmentSizes", value);
    }

    /// `{…}` if it stands here.
    pub fn attr_dict(&mut self) -> PResult<()> {
        if self.at(Tok::LBrace) {
            let entries = self.parser.dict_entries()?;
            for (name, value) in entries {
                if get(&self.attributes, name).is_some() {
                    let shown = self.ctx().str(name);
                    let message = format!("attribute `{shown}` is given twice");
                    return Err(self.error_at(self.op_place(), message));
                }
                self.attributes.push((name, value));
            }
        }
        Ok(())
    }

    /// `attributes {…}` if it stands here.
    pub fn attr_dict_with_keyword(&mut self) -> PResult<()> {
        if self.eat_keyword("attributes") {
            if !self.at(Tok::LBrace) {
                return Err(self.expected("`{`"));
            }
            self.attr_dict()?;
        }
        Ok(())
    }

    /// `<{…}>` if it stands here.
    pub fn properties(&mut self) -> PResult<()> {
        if self.at(Tok::Less) {
            self.eat(Tok::Less);
            if !self.at(Tok::LBrace) && !self.at(Tok::Hash) {
                return Err(self.expected("`{`"));
            }
            let place = self.place();
            let value = self.parser.attribute(None)?;
            let AttrKind::Dict(dict) = value.kind(self.ctx()) else {
                return Err(self.error_at(place, "properties must be a dictionary"));
            };
            self.properties.extend_from_slice(dict.entries(self.ctx()));
            self.expect(Tok::Greater)?;
        }
        Ok(())
    }
}

fn get(list: &[NamedAttr], name: Ident) -> Option<Attr> {
    list.iter().find(|e| e.0 == name).map(|e| e.1)
}

fn set(list: &mut SmallVec<[NamedAttr; 4]>, name: Ident, value: Attr) {
    match list.iter_mut().find(|e| e.0 == name) {
        Some(entry) => entry.1 = value,
        None => list.push((name, value)),
    }
}

/// Regions and successors.
impl<'s> OpParser<'_, 's> {
    /// `%name : type {attrs} loc(…)`; attributes and location may be absent.
    pub fn argument(&mut self) -> PResult<Argument<'s>> {
        let name = self.operand()?;
        self.argument_after(name)
    }

    /// What follows the name of an argument.
    pub fn argument_after(&mut self, name: Operand<'s>) -> PResult<Argument<'s>> {
        let ty = self.colon_type()?;
        let attrs = self.dict()?;
        let loc = self.parser.optional_loc()?;
        Ok(Argument {
            name,
            ty,
            attrs,
            loc,
        })
    }

    /// `loc(…)` if it stands here.
    pub fn optional_location(&mut self) -> PResult<Option<Loc>> {
        self.parser.optional_loc()
    }

    /// `{…}` as a dictionary of its own, empty if none stands here.
    pub fn dict(&mut self) -> PResult<AttrDict> {
        if self.at(Tok::LBrace) {
            let mut entries: SmallVec<[NamedAttr; 4]> = self.parser.dict_entries()?.into();
            Ok(self.ctx().attr_dict_of(&mut entries))
        } else {
            Ok(AttrDict::EMPTY)
        }
    }

    /// An argument of this type that the form names only.
    pub fn named(&self, name: Operand<'s>, ty: Type) -> Argument<'s> {
        Argument {
            name,
            ty,
            attrs: AttrDict::EMPTY,
            loc: None,
        }
    }

    /// `{ … }` as the operation's next region, whose entry block has these
    /// arguments.
    pub fn region(&mut self, args: &[Argument<'s>]) -> PResult<()> {
        match &mut self.isolated {
            Some(body) => self.parser.isolated_region(body, args, self.name),
            None => {
                let region = self.parser.region(args, self.name)?;
                self.regions.push(region);
                Ok(())
            }
        }
    }

    /// `{ … }` if it stands here, else an empty region; says which.
    pub fn optional_region(&mut self, args: &[Argument<'s>]) -> PResult<bool> {
        if self.at(Tok::LBrace) {
            self.region(args)?;
            Ok(true)
        } else {
            self.empty_region();
            Ok(false)
        }
    }

    /// A region without blocks as the operation's next one.
    pub fn empty_region(&mut self) {
        match &mut self.isolated {
            Some(body) => {
                body.add_top_region();
            }
            None => self.regions.push(self.parser.body.new_region()),
        }
    }

    /// How many regions have been parsed.
    pub fn num_regions(&self) -> usize {
        match &self.isolated {
            Some(body) => body.regions().len(),
            None => self.regions.len(),
        }
    }

    /// Puts the region parsed last before the others.
    pub fn move_last_region_to_front(&mut self) {
        self.regions.rotate_right(1);
    }

    /// Whether region `index` has been left without blocks.
    pub fn region_is_empty(&self, index: usize) -> bool {
        let (body, region) = match &self.isolated {
            Some(body) => (&**body, body.regions().get(index)),
            None => (&self.parser.body, self.regions.get(index)),
        };
        region.is_none_or(|&region| body[region].blocks.is_empty())
    }

    /// Gives region `index` a block if it has none, and its last block an
    /// operation `name` without operands if it does not end with a terminator.
    pub fn ensure_terminator(&mut self, index: usize, name: OpName) {
        let loc = self.loc;
        let (body, region) = match &mut self.isolated {
            Some(body) => {
                let region = body.regions().get(index).copied();
                (&mut **body, region)
            }
            None => (&mut self.parser.body, self.regions.get(index).copied()),
        };
        let Some(region) = region else { return };
        let block = match body[region].blocks.last() {
            Some(&block) => block,
            None => body.add_block(region, &[]),
        };
        let ends = body[block]
            .last()
            .is_some_and(|last| body[last].name.has(Traits::TERMINATOR));
        if !ends {
            let op = body.create_op(OpState::new(name, loc));
            let regions = name.def().and_then(|def| def.regions).unwrap_or(0);
            for _ in 0..regions {
                let region = body.add_region(op);
                body.add_block(region, &[]);
            }
            body.append(block, op);
        }
    }

    /// Gives region `index` a block if it has none.
    pub fn ensure_block(&mut self, index: usize) {
        let (body, region) = match &mut self.isolated {
            Some(body) => {
                let region = body.regions().get(index).copied();
                (&mut **body, region)
            }
            None => (&mut self.parser.body, self.regions.get(index).copied()),
        };
        if let Some(region) = region
            && body[region].blocks.is_empty()
        {
            body.add_block(region, &[]);
        }
    }

    /// `^block` as the operation's next successor.
    pub fn successor(&mut self) -> PResult<()> {
        let block = self.parser.successor()?;
        self.successors.push(block);
        Ok(())
    }

    /// `^block(%a, %b : type, type)`: a successor with the operands passed to
    /// it, which are given back resolved and not added.
    pub fn successor_with_operands(&mut self) -> PResult<Vec<Value>> {
        self.successor()?;
        if !self.eat(Tok::LParen) {
            return Ok(Vec::new());
        }
        let operands = self.operand_list(Delimiter::None)?;
        let types = if operands.is_empty() {
            Vec::new()
        } else {
            self.expect(Tok::Colon)?;
            self.type_list(Delimiter::None)?
        };
        if operands.len() != types.len() {
            return Err(self.error("as many types as operands must follow `:`"));
        }
        self.expect(Tok::RParen)?;
        let pairs = operands.iter().zip(types);
        pairs.map(|(&o, ty)| self.resolve(o, ty)).collect()
    }

    /// The generic form after the name.
    pub(crate) fn generic_form(&mut self) -> PResult<()> {
        let operands = self.operand_list(Delimiter::Paren)?;
        if self.eat(Tok::LSquare) {
            self.list(Delimiter::None, |p| p.successor())?;
            self.expect(Tok::RSquare)?;
        }
        self.properties()?;
        if self.eat(Tok::LParen) {
            self.list(Delimiter::None, |p| p.region(&[]))?;
            self.expect(Tok::RParen)?;
        }
        self.attr_dict()?;
        let place = {
            self.expect(Tok::Colon)?;
            self.place()
        };
        let (inputs, results) = self.function_type()?;
        if inputs.len() != operands.len() {
            let message = format!(
                "{} operand(s) are given, but the type lists {}",
                operands.len(),
                inputs.len()
            );
            return Err(self.error_at(place, message));
        }
        self.add_typed_operands(&operands, &inputs)?;
        self.add_results(&results);
        Ok(())
    }
}

/// Affine maps and sets with operands.
impl<'s> OpParser<'_, 's> {
    /// `(%d, …)[%s, …]`: the operands of a map or set, dimensions first, with
    /// the number of dimensions.
    pub fn dims_and_symbols(&mut self) -> PResult<(Operands<'s>, usize)> {
        let mut operands = self.operand_list(Delimiter::Paren)?;
        let dims = operands.len();
        if self.at(Tok::LSquare) {
            operands.extend(self.operand_list(Delimiter::Square)?);
        }
        Ok((operands, dims))
    }

    /// `[%i + 2, symbol(%n) floordiv 4]`: affine expressions of values, as a
    /// map and its operands, dimensions first.
    pub fn map_of_values(&mut self, delimiter: Delimiter) -> PResult<(AffineMap, Operands<'s>)> {
        let mut space = ExprOperands::new();
        let mut results = Vec::new();
        self.list(delimiter, |p| {
            results.push(p.parser.affine_expr(&mut space)?);
            Ok(())
        })?;
        let (map, operands) = space.into_map(self.ctx(), &results);
        Ok((map, operands))
    }

    /// `(d0)[s0] -> (…)` without `affine_map<` around it.
    pub fn affine_map(&mut self) -> PResult<AffineMap> {
        self.parser.affine_map_body()
    }

    /// One affine expression of values, which are added to `shared`.
    pub fn affine_expr(&mut self, shared: &mut ExprOperands<'s>) -> PResult<AffineExpr> {
        self.parser.affine_expr(shared)
    }

    /// One affine expression of values, as a map and its operands.
    pub fn expr_of_values(&mut self) -> PResult<(AffineMap, Operands<'s>)> {
        let mut space = ExprOperands::new();
        let result = self.parser.affine_expr(&mut space)?;
        Ok(space.into_map(self.ctx(), &[result]))
    }
}
