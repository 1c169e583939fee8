//! Affine relations: `##name = (d0) -> (r0) : …`, which functions' clauses refer to.

use crate::affine::{AffineConstraint, IntegerSet};
use crate::lexer::{Tok, Token};
use crate::text::read::affine::ExprOperands;
use crate::text::read::lists::Lists;
use crate::text::read::parser::{PResult, Parser};

/// Relation `(d0)[s0] -> (r0) : …`: a set over the inputs and then the outputs.
#[derive(Clone, Copy, Debug)]
pub struct Relation {
    /// The indices that belong to inputs: a set over both.
    pub set: IntegerSet,
    /// The number of inputs, the first dimensions of the set.
    pub inputs: usize,
    /// The number of symbols.
    pub symbols: usize,
}

impl<'s> Parser<'s> {
    /// Whether `##name` stands here.
    pub(in crate::text) fn at_relation(&self) -> bool {
        self.at(Tok::Error) && self.slice(self.tok.start, self.tok.start + 2) == b"##"
    }

    /// `##name`: its name and place.
    fn relation_name(&mut self) -> PResult<(&'s [u8], Token)> {
        // The second `#` and the name are one token.
        self.seek(self.tok.start + 1);
        let token = self.expect(Tok::Hash)?;
        Ok((self.slice(token.start + 1, token.end), token))
    }

    /// `##name = (d0) -> (r0) : …` at top level.
    pub(in crate::text) fn relation_definition(&mut self) -> PResult<()> {
        self.turn_legacy();
        let (name, token) = self.relation_name()?;
        if self.legacy.relations.contains_key(name) {
            return Err(self.error_on(token, "this relation is defined already"));
        }
        self.expect(Tok::Equal)?;
        let relation = self.inline_relation()?;
        self.legacy.relations.insert(name, relation);
        Ok(())
    }

    fn inline_relation(&mut self) -> PResult<Relation> {
        let mut space = self.affine_space()?;
        let inputs = space.dims.len();
        self.expect(Tok::Arrow)?;
        self.expect(Tok::LParen)?;
        self.list_until(Tok::RParen, |p| p.declare(&mut space, false))?;
        self.expect(Tok::Colon)?;
        let mut constraints = Vec::new();
        self.items(|p| p.chained_constraint(&mut space, &mut constraints))?;
        let (dims, symbols) = (space.dims.len() as u32, space.symbols.len());
        let set = self.ctx.integer_set(dims, symbols as u32, &constraints);
        Ok(Relation {
            set,
            inputs,
            symbols,
        })
    }

    /// `0 <= r0 <= 1023`
    fn chained_constraint(
        &mut self,
        space: &mut ExprOperands<'s>,
        constraints: &mut Vec<AffineConstraint>,
    ) -> PResult<()> {
        let mut left = self.affine_expr(space)?;
        let first = constraints.len();
        loop {
            let sign = self.tok;
            if !matches!(sign.kind, Tok::Less | Tok::Greater | Tok::Equal) {
                return match constraints.len() > first {
                    true => Ok(()),
                    false => Err(self.expected("`==`, `>=` or `<=`")),
                };
            }
            self.advance();
            if !self.at(Tok::Equal) || self.tok.start != sign.end {
                return Err(self.error_on(sign, "expected `==`, `>=` or `<=`"));
            }
            self.advance();
            let right = self.affine_expr(space)?;
            let expr = match sign.kind {
                Tok::Less => self.ctx.affine_sub(right, left),
                _ => self.ctx.affine_sub(left, right),
            };
            let is_eq = sign.kind == Tok::Equal;
            constraints.push(AffineConstraint { expr, is_eq });
            left = right;
        }
    }

    /// `##name` or a relation in place.
    pub fn relation(&mut self) -> PResult<Relation> {
        if !self.at_relation() {
            return self.inline_relation();
        }
        let (name, token) = self.relation_name()?;
        match self.legacy.relations.get(name) {
            Some(&relation) => Ok(relation),
            None => {
                let shown = String::from_utf8_lossy(name);
                Err(self.error_on(token, format!("undefined relation `##{shown}`")))
            }
        }
    }

    /// Whether the `{` here opens a set of accesses rather than a body.
    pub fn at_access_set(&self) -> bool {
        if !self.at(Tok::LBrace) {
            return false;
        }
        let mut ahead = self.look_ahead();
        match ahead.next().kind {
            Tok::RBrace => true,
            Tok::Percent => match ahead.next().kind {
                Tok::Comma => ahead.next().kind != Tok::Percent,
                Tok::LParen | Tok::Error => true,
                _ => false,
            },
            _ => false,
        }
    }
}
