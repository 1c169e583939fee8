//! Maps and sets without a keyword around them, `size` clauses and prefix division.

use crate::affine::{AffineConstraint, AffineExpr, AffineExprKind, AffineMap, AffineOp};
use crate::attr::Attr;
use crate::lexer::Tok;
use crate::text::read::affine::ExprOperands;
use crate::text::read::lists::Lists;
use crate::text::read::parser::{PResult, Parser};

impl<'s> Parser<'s> {
    /// Whether the `(` here opens a map or set rather than a function type:
    /// `(d0, d1)[s0] -> (…)`, `() -> (4)`, `(d0) : (…)`.
    pub(in crate::text) fn at_bare_map(&self) -> bool {
        let mut ahead = self.look_ahead();
        let first = ahead.next();
        let mut token = first;
        while matches!(token.kind, Tok::Bare | Tok::Comma) {
            token = ahead.next();
        }
        if token.kind != Tok::RParen {
            return false;
        }
        let after = ahead.next().kind;
        match first.kind {
            Tok::Bare if !self.starts_type(self.text_of(first)) => {
                matches!(after, Tok::LSquare | Tok::Arrow | Tok::Colon)
            }
            Tok::RParen if after == Tok::Arrow => {
                let opens = ahead.next().kind == Tok::LParen;
                let result = ahead.next();
                opens
                    && match result.kind {
                        Tok::Integer | Tok::Minus => true,
                        Tok::Bare => matches!(self.text_of(result), b"floordiv" | b"ceildiv"),
                        _ => false,
                    }
            }
            Tok::RParen => matches!(after, Tok::LSquare | Tok::Colon),
            _ => false,
        }
    }

    /// `(d0, d1)[s0] -> (d0, d1 + s0) size (10, s0)` or
    /// `(d0)[s0] : d0 >= 0, s0 - d0 >= 0`.
    pub(in crate::text) fn bare_map_attr(&mut self) -> PResult<Attr> {
        self.turn_legacy();
        let mut space = self.affine_space()?;
        if self.eat(Tok::Colon) {
            let constraints = self.conjunction(&mut space)?;
            let (dims, symbols) = (space.dims.len() as u32, space.symbols.len() as u32);
            let set = self.ctx.integer_set(dims, symbols, &constraints);
            return Ok(self.ctx.set_attr(set));
        }
        self.expect(Tok::Arrow)?;
        let map = self.map_after_arrow(&mut space)?;
        Ok(self.ctx.map_attr(map))
    }

    fn map_after_arrow(&mut self, space: &mut ExprOperands<'s>) -> PResult<AffineMap> {
        let mut results = Vec::new();
        self.expect(Tok::LParen)?;
        self.list_until(Tok::RParen, |p| {
            results.push(p.affine_expr(space)?);
            Ok(())
        })?;
        if self.at_keyword("size") {
            self.size_clause(space, results.len())?;
        }
        let (dims, symbols) = (space.dims.len() as u32, space.symbols.len() as u32);
        Ok(self.ctx.affine_map(dims, symbols, &results))
    }

    /// Parses `size (10, s0, min (s0, 128))`: the extents of a map's range, checked and dropped,
    /// since maps carry none today.
    fn size_clause(&mut self, space: &mut ExprOperands<'s>, results: usize) -> PResult<()> {
        let word = self.tok;
        self.advance();
        let mut count = 0;
        self.expect(Tok::LParen)?;
        self.list_until(Tok::RParen, |p| {
            count += 1;
            if !p.at_keyword("min") {
                return p.size(space);
            }
            let word = p.tok;
            let mut alternatives = 0;
            p.advance();
            p.expect(Tok::LParen)?;
            p.list_until(Tok::RParen, |p| {
                alternatives += 1;
                p.size(space)
            })?;
            if alternatives < 2 {
                return Err(p.error_on(word, "`min` is of at least two sizes"));
            }
            Ok(())
        })?;
        if count != results {
            let message = format!("{results} size(s) are needed, one a result, not {count}");
            return Err(self.error_on(word, message));
        }
        Ok(())
    }

    fn size(&mut self, space: &mut ExprOperands<'s>) -> PResult<()> {
        let start = self.tok;
        let expr = self.affine_expr(space)?;
        if !expr.is_symbolic_or_constant(self.ctx) {
            let message = "a size is made of symbols and constants, not of dimensions";
            return Err(self.error_on(start, message));
        }
        Ok(())
    }

    /// Parses constraints separated by commas, with or without parentheses around.
    fn conjunction(&mut self, space: &mut ExprOperands<'s>) -> PResult<Vec<AffineConstraint>> {
        let mut constraints = Vec::new();
        if self.at(Tok::LParen) && !self.parentheses_open_a_term() {
            self.advance();
            self.list_until(Tok::RParen, |p| {
                constraints.push(p.affine_constraint(space)?);
                Ok(())
            })?;
        } else {
            self.items(|p| {
                constraints.push(p.affine_constraint(space)?);
                Ok(())
            })?;
        }
        if constraints.is_empty() {
            // A set without constraints is universal.
            let expr = self.ctx.affine_const(0);
            constraints.push(AffineConstraint { expr, is_eq: true });
        }
        Ok(constraints)
    }

    /// Whether the parentheses here belong to an expression: a constraint list in parentheses has a
    /// relation inside.
    fn parentheses_open_a_term(&self) -> bool {
        let mut ahead = self.look_ahead();
        let mut depth = 1u32;
        loop {
            match ahead.next().kind {
                Tok::LParen => depth += 1,
                Tok::RParen if depth == 1 => return !ahead_is_list_end(ahead.next().kind),
                Tok::RParen => depth -= 1,
                Tok::Equal | Tok::Greater | Tok::Less if depth == 1 => return false,
                Tok::Eof | Tok::Error | Tok::LBrace | Tok::RBrace => return false,
                _ => {}
            }
        }
    }

    /// Parses a product of the older eras: a constant distributes over the terms of a sum, `3 * (d0
    /// - 1)` ⇒ `d0 * 3 - 3`.
    pub(in crate::text) fn distributed_product(
        &self,
        left: AffineExpr,
        right: AffineExpr,
    ) -> AffineExpr {
        let (mut sum, factor) = match left.as_constant(self.ctx) {
            Some(_) => (right, left),
            None => (left, right),
        };
        if factor.as_constant(self.ctx).is_none() {
            return self.ctx.affine_mul(left, right);
        }
        // Sums lean to the left.
        let mut terms = Vec::new();
        while let AffineExprKind::Binary(AffineOp::Add, rest, term) = sum.kind(self.ctx) {
            terms.push(term);
            sum = rest;
        }
        let first = self.ctx.affine_mul(sum, factor);
        terms.into_iter().rev().fold(first, |sum, term| {
            let term = self.ctx.affine_mul(term, factor);
            self.ctx.affine_add(sum, term)
        })
    }

    /// Whether `floordiv(` or `ceildiv(` stands here.
    pub fn at_prefix_division(&self) -> bool {
        matches!(self.text(), b"floordiv" | b"ceildiv")
            && self.look_ahead().next().kind == Tok::LParen
    }

    /// `floordiv(a, b)`
    pub(in crate::text) fn prefix_division(
        &mut self,
        space: &mut ExprOperands<'s>,
    ) -> PResult<AffineExpr> {
        let op = match self.at_keyword("floordiv") {
            true => AffineOp::FloorDiv,
            false => AffineOp::CeilDiv,
        };
        let token = self.tok;
        self.count_operator(space)?;
        self.advance();
        self.expect(Tok::LParen)?;
        let left = self.affine_expr(space)?;
        self.expect(Tok::Comma)?;
        let right = self.affine_expr(space)?;
        self.expect(Tok::RParen)?;
        self.affine_combine(op, left, right, token)
    }
}

fn ahead_is_list_end(after: Tok) -> bool {
    // Behind the empty list `()`: what follows a set.
    !matches!(
        after,
        Tok::Plus | Tok::Minus | Tok::Star | Tok::Greater | Tok::Less | Tok::Equal | Tok::Bare
    )
}
