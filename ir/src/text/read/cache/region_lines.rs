//! Header cache: the part before the first region of an operation whose first line equals an
//! earlier one but for SSA names is rebuilt without parsing; the operation's form goes on from
//! there. As [`lines`](super::lines) does for whole operations.

use smallvec::SmallVec;

use super::lines::{Line, NameSpan};
use crate::attr::{AttrDict, NamedAttr};
use crate::body::{BlockId, OpId};
use crate::context::OpName;
use crate::lexer::{Tok, Token};
use crate::text::read::op::ResultName;
use crate::text::read::op_parser::{Argument, OpParser, Operand};
use crate::text::read::parser::{PResult, Parser};
use crate::types::Type;

/// Continuation of a form: parses the first region, whose entry block has these arguments, and the
/// text after it.
pub type RegionTail = for<'s> fn(&mut OpParser<'_, 's>, &[Argument<'s>]) -> PResult<()>;

/// Header of an operation: the parser state where its first region begins.
#[derive(Debug)]
pub(super) struct Header {
    name: OpName,
    properties: SmallVec<[NamedAttr; 4]>,
    attributes: SmallVec<[NamedAttr; 4]>,
    /// Operands: the index of each among the values of the line, and its type.
    operands: SmallVec<[(u8, Type); 4]>,
    results: SmallVec<[Type; 2]>,
    /// Arguments: the index of each among the new names of the line, and its type.
    args: SmallVec<[(u8, Type); 2]>,
    tail: RegionTail,
}

impl<'s> Parser<'s> {
    /// Reads an operation whose first line opens a region.
    pub(super) fn operation_with_region(&mut self, block: BlockId, line: Line) -> PResult<OpId> {
        let Some(header) = self.header_of(&line) else {
            self.caches.lines.pending = Some((line, self.num_diagnostics()));
            return self.operation_in_full(block);
        };
        self.naming_results(|p, first| p.operation_from_header(block, first, &line, header))
    }

    /// Looks the header of a line up; returns its index if types and names fit.
    fn header_of(&self, line: &Line) -> Option<u32> {
        let index = self.caches.lines.find_header()?;
        let header = &self.caches.lines.headers[index as usize];
        let fits = |&(at, ty): &(u8, Type)| self.body.ty(line.values[usize::from(at)]) == ty;
        let free = |&name: &NameSpan| self.is_free(name);
        (header.operands.iter().all(fits) && line.result.iter().all(free)).then_some(index)
    }

    fn operation_from_header(
        &mut self,
        block: BlockId,
        first: usize,
        line: &Line,
        header: u32,
    ) -> PResult<OpId> {
        let start = self.tok;
        let wanted = usize::from(line.result.is_some());
        if let Some(result) = line.result {
            self.result_names.push(ResultName {
                name: self.name_at(result),
                count: 1,
                pos: result.pos,
            });
        }
        self.seek(line.start);
        let token = self.tok;
        let brace = line.end - 1;
        self.seek(brace);
        self.last_end = self.bytes[..brace as usize].trim_ascii_end().len() as u32;
        let header = &self.caches.lines.headers[header as usize];
        let (name, tail) = (header.name, header.tail);
        let argument = |&(at, ty): &(u8, Type)| {
            let name = line.fresh[usize::from(at)];
            let name = Operand {
                name: self.name_at(name),
                number: 0,
                pos: name.pos,
            };
            Argument {
                name,
                ty,
                attrs: AttrDict::EMPTY,
                loc: None,
            }
        };
        let args: SmallVec<[Argument; 2]> = header.args.iter().map(argument).collect();
        let value = |&(at, _): &(u8, Type)| line.values[usize::from(at)];
        let operands = header.operands.iter().map(value).collect();
        let results = SmallVec::from_slice(&header.results);
        let properties = SmallVec::from_slice(&header.properties);
        let attributes = SmallVec::from_slice(&header.attributes);
        let mut op = OpParser::new(self, name, token);
        op.wanted = wanted;
        (op.operands, op.results) = (operands, results);
        (op.properties, op.attributes) = (properties, attributes);
        tail(&mut op, &args)?;
        let op = op.finish()?;
        if wanted != 0 {
            self.define_results(op, start, first, wanted)?;
        }
        self.body.append(block, op);
        Ok(op)
    }
}

impl<'s> OpParser<'_, 's> {
    /// Parses the first region and the text after it, with which a form ends. The text before it
    /// must not influence `tail` other than by the arguments.
    pub fn region_tail(&mut self, args: &[Argument<'s>], tail: RegionTail) -> PResult<()> {
        if let Some((line, before)) = self.parser.caches.lines.pending.take()
            && before == self.parser.num_diagnostics()
            && let Some(header) = self.header(&line, args, tail)
        {
            self.parser.caches.lines.add_header(header);
        }
        tail(self, args)
    }

    /// Makes the header of what has been parsed so far; `None` if it depends on more than the line.
    fn header(&self, line: &Line, args: &[Argument<'s>], tail: RegionTail) -> Option<Header> {
        let brace = Token {
            kind: Tok::LBrace,
            start: line.end - 1,
            end: line.end,
        };
        let usual = line.start == self.op_place().0.start
            && self.parser.tok == brace
            && self.loc() == self.parser.loc(line.start)
            && self.isolated.is_none()
            && self.num_regions() == 0
            && self.successors.is_empty()
            && self.parser.is_cacheable(line)
            && line.fresh.len() == args.len()
            && line.result.is_none() == (self.wanted == 0);
        if !usual {
            return None;
        }
        let argument = |arg: &Argument| {
            let at = line
                .fresh
                .iter()
                .position(|name| name.pos == arg.name.pos)?;
            let plain = arg.attrs.is_empty() && arg.loc.is_none() && arg.name.number == 0;
            plain.then_some((at as u8, arg.ty))
        };
        Some(Header {
            name: self.name(),
            properties: self.properties.clone(),
            attributes: self.attributes.clone(),
            operands: self.parser.places_in(line, &self.operands)?,
            results: self.results.clone(),
            args: args.iter().map(argument).collect::<Option<_>>()?,
            tail,
        })
    }
}
