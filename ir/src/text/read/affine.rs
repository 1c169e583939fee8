//! Parser of affine expressions, maps and integer sets.

use smallvec::SmallVec;

use super::lists::Lists;
use super::op_parser::{Operand, Operands};
use super::parser::{PResult, Parser};
use crate::affine::{AffineConstraint, AffineExpr, AffineMap, AffineOp, IntegerSet};
use crate::context::Context;
use crate::lexer::{Tok, Token};

/// Operator limit of one expression: building an expression costs time proportional to its depth,
/// so that a longer one would take quadratic time.
const MAX_OPERATORS: u32 = 2_000;

/// Limit of dimensions and of symbols of one map: the parser searches them one by one.
const MAX_INPUTS: usize = 4_096;

/// Symbol table of affine expressions: names declared before, or SSA values, collected in the order
/// of first use.
#[derive(Default, Debug)]
pub struct ExprOperands<'s> {
    /// `(d0, d1)`: names declared as dimensions.
    pub(in crate::text) dims: SmallVec<[&'s [u8]; 4]>,
    /// `[s0]`: names declared as symbols.
    pub(in crate::text) symbols: SmallVec<[&'s [u8]; 4]>,
    /// Whether the names are SSA values, a dimension each, or a symbol with `symbol(…)` around it.
    /// Then their first use declares them.
    ssa: bool,
    /// The values used as dimensions, in the order of first use.
    dim_values: Operands<'s>,
    /// The values used as symbols.
    symbol_values: Operands<'s>,
    operators: u32,
}

impl<'s> ExprOperands<'s> {
    /// An empty table for forms that write SSA values in expressions.
    pub fn new() -> Self {
        ExprOperands {
            ssa: true,
            ..ExprOperands::default()
        }
    }

    /// Makes the map with these results, and its operands.
    pub fn into_map(self, ctx: &Context, results: &[AffineExpr]) -> (AffineMap, Operands<'s>) {
        let (dims, symbols) = (self.dim_values.len(), self.symbol_values.len());
        let in_order = |(at, &expr)| expr == ctx.affine_dim(at);
        let map = if symbols == 0 && dims == results.len() && (0..).zip(results).all(in_order) {
            ctx.identity_map(dims as u32)
        } else {
            ctx.affine_map(dims as u32, symbols as u32, results)
        };
        let mut operands = self.dim_values;
        operands.extend(self.symbol_values);
        (map, operands)
    }
}

fn too_many_inputs() -> String {
    format!("an affine map may have {MAX_INPUTS} dimensions and symbols")
}

/// Returns the position of an operand in a list, to which a new one is added; `None` if the list is
/// full.
fn position<'s>(list: &mut Operands<'s>, operand: Operand<'s>) -> Option<u32> {
    let same = |o: &Operand| o.name == operand.name && o.number == operand.number;
    let at = match list.iter().position(same) {
        Some(at) => at,
        None if list.len() >= MAX_INPUTS => return None,
        None => {
            list.push(operand);
            list.len() - 1
        }
    };
    Some(at as u32)
}

impl<'s> Parser<'s> {
    /// Parses `(d0, d1)[s0] -> (…)` after `affine_map<`.
    pub(crate) fn affine_map_body(&mut self) -> PResult<AffineMap> {
        let start = self.tok;
        let mut space = self.affine_space()?;
        if self.at(Tok::Colon) && !self.legacy.on {
            return Err(self.error_on(start, "expected AffineMap, but got IntegerSet"));
        }
        self.expect_as(Tok::Arrow, "'->' or ':'")?;
        let mut results: SmallVec<[AffineExpr; 4]> = SmallVec::new();
        self.expect_as(Tok::LParen, "'(' in affine map range")?;
        self.items_until(Tok::RParen, "')' in affine map range", |p| {
            results.push(p.affine_expr(&mut space)?);
            Ok(())
        })?;
        let (dims, symbols) = (space.dims.len() as u32, space.symbols.len() as u32);
        Ok(self.ctx.affine_map(dims, symbols, &results))
    }

    /// Parses `(d0)[s0] : (d0 >= 0, …)` after `affine_set<`.
    pub(crate) fn integer_set_body(&mut self) -> PResult<IntegerSet> {
        let start = self.tok;
        let mut space = self.affine_space()?;
        if self.at(Tok::Arrow) && !self.legacy.on {
            return Err(self.error_on(start, "expected IntegerSet, but got AffineMap"));
        }
        self.expect_as(Tok::Colon, "'->' or ':'")?;
        let mut constraints: SmallVec<[AffineConstraint; 4]> = SmallVec::new();
        self.expect_as(Tok::LParen, "'(' in integer set constraint list")?;
        self.items_until(Tok::RParen, "')' in integer set constraint list", |p| {
            constraints.push(p.affine_constraint(&mut space)?);
            Ok(())
        })?;
        if constraints.is_empty() {
            // A set without constraints is universal: `0 == 0`.
            let expr = self.ctx.affine_const(0);
            constraints.push(AffineConstraint { expr, is_eq: true });
        }
        let (dims, symbols) = (space.dims.len() as u32, space.symbols.len() as u32);
        Ok(self.ctx.integer_set(dims, symbols, &constraints))
    }

    /// Parses the dimensions and symbols that begin a map or a set.
    pub(in crate::text) fn affine_space(&mut self) -> PResult<ExprOperands<'s>> {
        let mut space = ExprOperands::default();
        self.expect_as(Tok::LParen, "'(' in dimensional identifier list")?;
        let what = "')' in dimensional identifier list";
        self.items_until(Tok::RParen, what, |p| p.declare(&mut space, false))?;
        if self.eat(Tok::LSquare) {
            let what = "']' in symbol list";
            self.items_until(Tok::RSquare, what, |p| p.declare(&mut space, true))?;
        }
        Ok(space)
    }

    pub(in crate::text) fn declare(
        &mut self,
        space: &mut ExprOperands<'s>,
        symbol: bool,
    ) -> PResult<()> {
        let token = self.tok;
        if !self.at(Tok::Bare) {
            return Err(self.expected("bare identifier"));
        }
        let name = self.text();
        self.advance();
        if space.dims.len() + space.symbols.len() >= MAX_INPUTS {
            return Err(self.error_on(token, too_many_inputs()));
        }
        if space.dims.contains(&name) || space.symbols.contains(&name) {
            let shown = String::from_utf8_lossy(name);
            let message = format!("redefinition of identifier '{shown}'");
            return Err(self.error_on(token, message));
        }
        if symbol {
            space.symbols.push(name);
        } else {
            space.dims.push(name);
        }
        Ok(())
    }

    pub(in crate::text) fn affine_constraint(
        &mut self,
        space: &mut ExprOperands<'s>,
    ) -> PResult<AffineConstraint> {
        let left = self.affine_expr(space)?;
        let sign = self.tok;
        let second = match sign.kind {
            Tok::Greater | Tok::Less | Tok::Equal => {
                self.advance();
                self.tok
            }
            _ => {
                return Err(self
                    .expected("'== affine-expr' or '>= affine-expr' at end of affine constraint"));
            }
        };
        if second.kind != Tok::Equal || second.start != sign.end {
            return Err(
                self.expected("'== affine-expr' or '>= affine-expr' at end of affine constraint")
            );
        }
        self.advance();
        let right = self.affine_expr(space)?;
        let expr = match sign.kind {
            Tok::Less => self.ctx.affine_sub(right, left),
            _ => self.ctx.affine_sub(left, right),
        };
        Ok(AffineConstraint {
            expr,
            is_eq: sign.kind == Tok::Equal,
        })
    }

    /// Parses an expression in a list. Fast path for a single value, which most are.
    pub(crate) fn affine_result(&mut self, space: &mut ExprOperands<'s>) -> PResult<AffineExpr> {
        if !self.at(Tok::Percent) {
            return self.affine_expr(space);
        }
        let start = self.tok;
        let operand = self.operand()?;
        if matches!(self.tok.kind, Tok::Comma | Tok::RSquare | Tok::RParen)
            && let Some(index) = position(&mut space.dim_values, operand)
        {
            return Ok(self.ctx.affine_dim(index));
        }
        self.seek(start.start);
        self.affine_expr(space)
    }

    /// Parses a sum of products.
    pub(crate) fn affine_expr(&mut self, space: &mut ExprOperands<'s>) -> PResult<AffineExpr> {
        self.nested(|p| {
            let mut sum = p.affine_product(space)?;
            loop {
                let minus = match p.tok.kind {
                    Tok::Plus => false,
                    Tok::Minus => true,
                    _ => return Ok(sum),
                };
                p.count_operator(space)?;
                p.advance();
                p.affine_operand_follows(space)?;
                let term = p.affine_product(space)?;
                sum = if minus {
                    p.ctx.affine_sub(sum, term)
                } else {
                    p.ctx.affine_add(sum, term)
                };
            }
        })
    }

    fn affine_product(&mut self, space: &mut ExprOperands<'s>) -> PResult<AffineExpr> {
        let mut product = self.affine_factor(space)?;
        loop {
            let op = match self.tok.kind {
                Tok::Star => AffineOp::Mul,
                Tok::Bare if self.at_keyword("floordiv") => AffineOp::FloorDiv,
                Tok::Bare if self.at_keyword("ceildiv") => AffineOp::CeilDiv,
                Tok::Bare if self.at_keyword("mod") => AffineOp::Mod,
                _ => return Ok(product),
            };
            let token = self.tok;
            self.count_operator(space)?;
            self.advance();
            self.affine_operand_follows(space)?;
            let right = self.affine_factor(space)?;
            product = self.affine_combine(op, product, right, token)?;
        }
    }

    pub(in crate::text) fn affine_combine(
        &mut self,
        op: AffineOp,
        left: AffineExpr,
        right: AffineExpr,
        token: Token,
    ) -> PResult<AffineExpr> {
        let symbolic = |e: AffineExpr| e.is_symbolic_or_constant(self.ctx);
        if op == AffineOp::Mul {
            if !symbolic(left) && !symbolic(right) {
                let message = "non-affine expression: at least one of the multiply operands has to \
                               be either a constant or symbolic";
                return Err(self.error_on(token, message));
            }
        } else if self.legacy.on && right.as_constant(self.ctx).is_some_and(|value| value <= 0) {
            let message = format!("the right side of `{}` must be positive", op.spelling());
            return Err(self.error_on(token, message));
        } else if !symbolic(right) {
            let message = format!(
                "non-affine expression: right operand of {} has to be either a constant or symbolic",
                op.spelling()
            );
            return Err(self.error_on(token, message));
        }
        if self.legacy.on && op == AffineOp::Mul {
            return Ok(self.distributed_product(left, right));
        }
        Ok(self.ctx.affine_binary(op, left, right))
    }

    pub(in crate::text) fn count_operator(&mut self, space: &mut ExprOperands<'s>) -> PResult<()> {
        space.operators += 1;
        if space.operators > MAX_OPERATORS {
            let message = format!("an affine expression may have {MAX_OPERATORS} operators");
            return Err(self.error(message));
        }
        Ok(())
    }

    /// Refuses a token that cannot start an operand right after an operator.
    fn affine_operand_follows(&mut self, space: &ExprOperands<'s>) -> PResult<()> {
        match self.tok.kind {
            Tok::Minus | Tok::LParen | Tok::Integer | Tok::Bare | Tok::Error => Ok(()),
            Tok::Percent if space.ssa => Ok(()),
            _ => Err(self.error("missing right operand of binary operator")),
        }
    }

    fn affine_factor(&mut self, space: &mut ExprOperands<'s>) -> PResult<AffineExpr> {
        if let Some(value) = self.plain_integer() {
            return Ok(self.ctx.affine_const(value));
        }
        match self.tok.kind {
            Tok::Minus => {
                self.advance();
                let Ok(factor) = self.nested(|p| p.affine_factor(space)) else {
                    return Err(self.error("missing operand of negation"));
                };
                Ok(self.ctx.affine_mul(factor, self.ctx.affine_const(-1)))
            }
            Tok::LParen => {
                self.advance();
                if self.at(Tok::RParen) {
                    return Err(self.error("no expression inside parentheses"));
                }
                let inner = self.affine_expr(space)?;
                self.expect(Tok::RParen)?;
                Ok(inner)
            }
            Tok::Integer => match std::str::from_utf8(self.text()).map(str::parse) {
                Ok(Ok(value)) => {
                    self.advance();
                    Ok(self.ctx.affine_const(value))
                }
                _ if self.text().starts_with(b"0x") => {
                    let value = self.signed_integer("a constant")?;
                    Ok(self.ctx.affine_const(value))
                }
                _ => Err(self.error("constant too large for index")),
            },
            Tok::Percent if space.ssa => {
                let operand = self.operand()?;
                match position(&mut space.dim_values, operand) {
                    Some(index) => Ok(self.ctx.affine_dim(index)),
                    None => Err(self.error(too_many_inputs())),
                }
            }
            Tok::Bare if space.ssa && self.at_keyword("symbol") => {
                self.advance();
                self.expect_as(Tok::LParen, "'(' at start of SSA symbol")?;
                let operand = self.operand()?;
                self.expect_as(Tok::RParen, "')' at end of SSA symbol")?;
                match position(&mut space.symbol_values, operand) {
                    Some(index) => Ok(self.ctx.affine_symbol(index)),
                    None => Err(self.error(too_many_inputs())),
                }
            }
            Tok::Bare if self.legacy.on && self.at_prefix_division() => self.prefix_division(space),
            Tok::Bare => self.affine_name(space),
            Tok::Percent => Err(self.error("unexpected ssa identifier")),
            Tok::Star | Tok::Plus => Err(self.error("missing left operand of binary operator")),
            _ => Err(self.expected_here("affine expression")),
        }
    }

    fn affine_name(&mut self, space: &ExprOperands<'s>) -> PResult<AffineExpr> {
        let name = self.text();
        let index = |list: &[&[u8]]| list.iter().position(|n| *n == name);
        let expr = if let Some(dim) = index(&space.dims) {
            self.ctx.affine_dim(dim as u32)
        } else if let Some(symbol) = index(&space.symbols) {
            self.ctx.affine_symbol(symbol as u32)
        } else {
            let shown = String::from_utf8_lossy(name);
            return Err(self.error(format!("use of undeclared identifier '{shown}'")));
        };
        self.advance();
        Ok(expr)
    }
}
