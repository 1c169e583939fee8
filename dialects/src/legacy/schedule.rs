//! Schedule trees: `mldim %t : {S1, S2} floordiv (i, 128) { … }`.
//!
//! A node is an abstract loop over one digit of an iterator: `floordiv(i, 128)` counts tiles, `i
//! mod 128` counts iterations in one tile. A leaf is a call with the set of iterations that it runs
//! for. Nodes become `affine.for` loops that cover the iterations of every leaf below them; in
//! front of a leaf the iterators are recomputed from their digits, and `affine.if` keeps the
//! iterations of its domain.

use super::bounds::{self, Bounds};
use super::emit::Emit;
use crate::affine::{FOR, IF, YIELD};
use gridloom_ir::affine::{AffineExpr, AffineMap, IntegerSet};
use gridloom_ir::attr::Attr;
use gridloom_ir::body::{BlockId, Value};
use gridloom_ir::text::{OpParser, Operand, Operands};
use gridloom_ir::text::{PResult, Parser};
use gridloom_ir::text::{Tok, Token};

/// A digit of an iterator: `(iterator floordiv scale) mod limit`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Digit<'s> {
    pub iterator: &'s [u8],
    pub scale: i64,
    /// The number of its values; `None` for the topmost digit.
    pub limit: Option<i64>,
}

enum Node<'s> {
    Dim(Dim<'s>),
    Leaf(Box<Leaf<'s>>),
}

struct Dim<'s> {
    token: Token,
    name: Operand<'s>,
    digit: Digit<'s>,
    inside: Vec<Node<'s>>,
}

/// `call @f(%a, %i) with #set(%i)[%n]`
struct Leaf<'s> {
    token: Token,
    callee: Attr,
    args: Operands<'s>,
    domain: Option<Domain<'s>>,
}

/// Iteration domain of a leaf.
pub(super) struct Domain<'s> {
    pub set: IntegerSet,
    pub dims: Operands<'s>,
    pub symbols: Operands<'s>,
}

/// `mldim …` at the top of a function: the whole tree.
pub(super) fn custom_tree(e: &mut Emit<'_, '_>) -> PResult<()> {
    let root = e.p.schedule_dim(e.token)?;
    e.end_of_text()?;
    let mut path = Vec::new();
    let mut builder = Builder {
        hoisted: e.block,
        p: e.p,
    };
    builder.dim(&root, e.block, &mut path)?;
    e.last = e.p.body[e.block].last();
    Ok(())
}

// ---- reading ----

/// Text of schedule trees.
trait ScheduleText<'s>: Sized {
    /// `%t : {S1, S2} floordiv (i, 128) { … }`, after `mldim`.
    fn schedule_dim(&mut self, token: Token) -> PResult<Dim<'s>>;

    fn schedule_node(&mut self) -> PResult<Node<'s>>;

    /// `#set(%i, %j)[%n]`
    fn domain(&mut self) -> PResult<Domain<'s>>;

    fn operands_in(&mut self, open: Tok, close: Tok) -> PResult<Operands<'s>>;

    /// `i`, `i mod 128`, `floordiv (i, 128)`, `i floordiv 128 mod 4`
    fn digit(&mut self) -> PResult<Digit<'s>>;

    fn first_digit(&mut self) -> PResult<Digit<'s>>;

    fn refine(
        &mut self,
        digit: Digit<'s>,
        divides: bool,
        number: i64,
        token: Token,
    ) -> PResult<Digit<'s>>;
}

impl<'s> ScheduleText<'s> for Parser<'s> {
    fn schedule_dim(&mut self, token: Token) -> PResult<Dim<'s>> {
        let name = self.operand()?;
        self.expect(Tok::Colon)?;
        // The statements are the leaves inside; the list repeats them.
        self.expect(Tok::LBrace)?;
        self.list_until(Tok::RBrace, |p| {
            p.expect_bare("a statement's name").map(|_| ())
        })?;
        let digit = self.digit()?;
        self.expect(Tok::LBrace)?;
        let inside = self.nested(|p| {
            let mut inside = Vec::new();
            while !p.eat(Tok::RBrace) {
                inside.push(p.schedule_node()?);
            }
            Ok(inside)
        })?;
        if inside.is_empty() {
            return Err(self.error_on(token, "a schedule dimension has something inside"));
        }
        Ok(Dim {
            token,
            name,
            digit,
            inside,
        })
    }

    fn schedule_node(&mut self) -> PResult<Node<'s>> {
        let token = self.tok;
        if self.eat_keyword("mldim") {
            return self.schedule_dim(token).map(Node::Dim);
        }
        if !self.at_keyword("call") {
            return Err(self.expected("`mldim` or `call` in a schedule tree"));
        }
        self.advance();
        let callee = self.symbol_ref()?;
        let args = self.operands_in(Tok::LParen, Tok::RParen)?;
        let domain = match self.eat_keyword("with") {
            true => Some(self.domain()?),
            false => None,
        };
        Ok(Node::Leaf(Box::new(Leaf {
            token,
            callee,
            args,
            domain,
        })))
    }

    fn domain(&mut self) -> PResult<Domain<'s>> {
        let token = self.tok;
        let attr = self.attribute(None)?;
        let Some(set) = attr.as_set(self.ctx) else {
            return Err(self.error_on(token, "the domain of a statement is an integer set"));
        };
        let dims = self.operands_in(Tok::LParen, Tok::RParen)?;
        let symbols = match self.at(Tok::LSquare) {
            true => self.operands_in(Tok::LSquare, Tok::RSquare)?,
            false => Operands::new(),
        };
        let data = set.data(self.ctx);
        if (data.dims as usize, data.symbols as usize) != (dims.len(), symbols.len()) {
            let message = format!(
                "the set has {} dimension(s) and {} symbol(s), but {} and {} are given",
                data.dims,
                data.symbols,
                dims.len(),
                symbols.len()
            );
            return Err(self.error_on(token, message));
        }
        Ok(Domain { set, dims, symbols })
    }

    fn operands_in(&mut self, open: Tok, close: Tok) -> PResult<Operands<'s>> {
        let mut operands = Operands::new();
        self.expect(open)?;
        self.list_until(close, |p| {
            operands.push(p.operand()?);
            Ok(())
        })?;
        Ok(operands)
    }

    fn digit(&mut self) -> PResult<Digit<'s>> {
        let mut digit = self.nested(Self::first_digit)?;
        loop {
            let divides = match self.text() {
                b"mod" => false,
                b"floordiv" => true,
                _ => return Ok(digit),
            };
            self.advance();
            let token = self.tok;
            let number = self.signed_integer("a positive number")?;
            digit = self.refine(digit, divides, number, token)?;
        }
    }

    fn first_digit(&mut self) -> PResult<Digit<'s>> {
        if self.eat(Tok::LParen) {
            let digit = self.digit()?;
            self.expect(Tok::RParen)?;
            return Ok(digit);
        }
        if self.at_prefix_division() && self.at_keyword("floordiv") {
            self.advance();
            self.expect(Tok::LParen)?;
            let digit = self.digit()?;
            self.expect(Tok::Comma)?;
            let token = self.tok;
            let number = self.signed_integer("a positive number")?;
            self.expect(Tok::RParen)?;
            return self.refine(digit, true, number, token);
        }
        let iterator = self.expect_bare("an iterator, divided by `floordiv` or `mod`")?;
        Ok(Digit {
            iterator: iterator.as_bytes(),
            scale: 1,
            limit: None,
        })
    }

    fn refine(
        &mut self,
        digit: Digit<'s>,
        divides: bool,
        number: i64,
        token: Token,
    ) -> PResult<Digit<'s>> {
        if number <= 0 {
            return Err(self.error_on(token, "the number must be positive"));
        }
        let Digit { scale, limit, .. } = digit;
        let (scale, limit) = match divides {
            true => (
                scale.checked_mul(number),
                limit.map(|limit| (limit - 1) / number + 1),
            ),
            false => (Some(scale), Some(limit.map_or(number, |l| l.min(number)))),
        };
        match scale {
            Some(scale) => Ok(Digit {
                scale,
                limit,
                ..digit
            }),
            None => Err(self.error_on(token, "the tile is larger than 63 bits")),
        }
    }
}

// ---- building ----

/// Enclosing loops of the node being built: digit, name and induction variable of each.
type Path<'s> = Vec<(Digit<'s>, Operand<'s>, Value)>;

struct Builder<'p, 's> {
    p: &'p mut Parser<'s>,
    /// The block of the tree, to which the operands of bounds are hoisted.
    hoisted: BlockId,
}

impl<'s> Builder<'_, 's> {
    /// Makes an emitter at the end of a block.
    fn emit(&mut self, block: BlockId, token: Token) -> Emit<'_, 's> {
        Emit {
            loc: self.p.loc(token.start),
            p: self.p,
            block,
            token,
            wanted: 0,
            results: Default::default(),
            last: None,
        }
    }

    fn dim(&mut self, dim: &Dim<'s>, block: BlockId, path: &mut Path<'s>) -> PResult<()> {
        self.check_digit(dim, path)?;
        let ctx = self.p.ctx;
        let index = ctx.index_type();
        let ((lower, lower_operands), (upper, upper_operands)) = match dim.digit.limit {
            Some(limit) => (
                (ctx.constant_map(0), Vec::new()),
                (ctx.constant_map(limit), Vec::new()),
            ),
            None => self.range(dim)?,
        };
        let region = self.p.body.new_region();
        let inside = self.p.body.add_block(region, &[]);
        let loc = self.p.loc(dim.name.pos);
        let variable = self.p.body.add_argument(inside, index, loc);
        path.push((dim.digit, dim.name, variable));
        let built = dim.inside.iter().try_for_each(|node| match node {
            // Recursion as deep as the text, which the parser limits.
            Node::Dim(inner) => self.dim(inner, inside, path),
            Node::Leaf(leaf) => self.leaf(leaf, inside, path),
        });
        path.pop();
        built?;
        let mut op = OpParser::new(self.p, FOR, dim.token);
        let counts = [lower_operands.len(), upper_operands.len(), 0];
        op.operands.extend(lower_operands);
        op.operands.extend(upper_operands);
        op.set_operand_segments(&counts.map(|n| n as i32));
        op.set_property("lowerBoundMap", ctx.map_attr(lower));
        op.set_property("upperBoundMap", ctx.map_attr(upper));
        op.set_property("step", ctx.index_attr(1));
        op.regions.push(region);
        op.ensure_terminator(0, YIELD);
        let op = op.finish()?;
        self.p.body.append(block, op);
        Ok(())
    }

    /// Checks that the digits of an iterator are nested by significance: each counts within one
    /// step of the digit above it.
    fn check_digit(&mut self, dim: &Dim<'s>, path: &Path<'s>) -> PResult<()> {
        let same = path.iter().map(|entry| entry.0);
        let mut digits: Vec<_> = same.filter(|d| d.iterator == dim.digit.iterator).collect();
        digits.push(dim.digit);
        digits.sort_by_key(|digit| std::cmp::Reverse(digit.scale));
        let fits = digits[0].limit.is_none()
            && digits.windows(2).all(|pair| {
                let whole = pair[1].limit.and_then(|l| l.checked_mul(pair[1].scale));
                whole == Some(pair[0].scale)
            });
        if fits {
            return Ok(());
        }
        let shown = String::from_utf8_lossy(dim.digit.iterator);
        let message = format!(
            "the dimensions around this one do not make up `{shown}`: `{shown} mod c` belongs \
             inside of `floordiv({shown}, c)`"
        );
        Err(self.p.error_on(dim.token, message))
    }

    /// Computes the bounds of the topmost digit of an iterator.
    fn range(&mut self, dim: &Dim<'s>) -> PResult<(bounds::Operated, bounds::Operated)> {
        let mut domains = Vec::new();
        collect(&dim.inside, &mut domains);
        let mut all: Vec<Bounds> = Vec::new();
        for domain in domains {
            let index = self.p.ctx.index_type();
            let symbols = domain.symbols.iter().map(|&s| self.p.resolve(s, index));
            let symbols = symbols.collect::<PResult<Vec<_>>>()?;
            match bounds::of(self.p.ctx, domain, symbols, dim.digit) {
                Some(bounds) if !all.contains(&bounds) => all.push(bounds),
                _ => {}
            }
        }
        if all.is_empty() || all.iter().any(Bounds::open) {
            let shown = String::from_utf8_lossy(dim.digit.iterator);
            let message = format!("no domain of a statement below bounds `{shown}` on both sides");
            return Err(self.p.error_on(dim.token, message));
        }
        let (hoisted, token) = (self.hoisted, dim.token);
        bounds::union(&mut self.emit(hoisted, token), &all)
    }

    fn leaf(&mut self, leaf: &Leaf<'s>, block: BlockId, path: &Path<'s>) -> PResult<()> {
        let mut iterators: Vec<(&'s [u8], Value)> = Vec::new();
        for (digit, ..) in path {
            if !iterators.iter().any(|(name, _)| *name == digit.iterator) {
                let value = self.iterator(digit.iterator, leaf.token, block, path)?;
                iterators.push((digit.iterator, value));
            }
        }
        let mut inside = block;
        if let Some(domain) = &leaf.domain {
            inside = self.guard(domain, leaf.token, block, (path, &iterators))?;
        }
        let args = leaf.args.iter();
        let args = args.map(|&arg| self.value(arg, None, (path, &iterators)));
        let args = args.collect::<PResult<Vec<_>>>()?;
        let mut emit = self.emit(inside, leaf.token);
        emit.op("func.call", &args, &[], &[("callee", leaf.callee)])?;
        if inside != block {
            emit.op("affine.yield", &[], &[], &[])?;
        }
        Ok(())
    }

    /// Wraps a block in `affine.if`; returns the inner block.
    fn guard(
        &mut self,
        domain: &Domain<'s>,
        token: Token,
        block: BlockId,
        known: (&Path<'s>, &[(&'s [u8], Value)]),
    ) -> PResult<BlockId> {
        let index = Some(self.p.ctx.index_type());
        let operands = domain.dims.iter().chain(&domain.symbols);
        let operands = operands.map(|&o| self.value(o, index, known));
        let operands = operands.collect::<PResult<Vec<_>>>()?;
        let then = self.p.body.new_region();
        let inside = self.p.body.add_block(then, &[]);
        let otherwise = self.p.body.new_region();
        let condition = self.p.ctx.set_attr(domain.set);
        let mut op = OpParser::new(self.p, IF, token);
        op.operands.extend(operands);
        op.set_property("condition", condition);
        op.regions.extend([then, otherwise]);
        let op = op.finish()?;
        self.p.body.append(block, op);
        Ok(inside)
    }

    /// Recomputes an iterator from its digits on the path, at the end of `block`.
    fn iterator(
        &mut self,
        name: &[u8],
        token: Token,
        block: BlockId,
        path: &Path<'s>,
    ) -> PResult<Value> {
        let ctx = self.p.ctx;
        let digits: Vec<_> = path
            .iter()
            .filter(|entry| entry.0.iterator == name)
            .collect();
        if let [(digit, _, variable)] = digits[..]
            && digit.scale == 1
        {
            return Ok(*variable);
        }
        let term = |(at, entry): (u32, &&(Digit<'s>, Operand<'s>, Value))| -> AffineExpr {
            ctx.affine_mul(ctx.affine_dim(at), ctx.affine_const(entry.0.scale))
        };
        let terms = (0..).zip(&digits).map(term);
        let sum = terms.reduce(|sum, term| ctx.affine_add(sum, term));
        let sum = sum.unwrap_or_else(|| ctx.affine_const(0));
        let map: AffineMap = ctx.affine_map(digits.len() as u32, 0, &[sum]);
        let variables: Vec<Value> = digits.iter().map(|entry| entry.2).collect();
        let attrs = [("map", ctx.map_attr(map))];
        let index = ctx.index_type();
        let mut emit = self.emit(block, token);
        let op = emit.op("affine.apply", &variables, &[index], &attrs)?;
        Ok(self.p.body[op].result(0))
    }

    /// Resolves an operand in a tree: an iterator, a loop's variable, or a value around the tree.
    fn value(
        &mut self,
        operand: Operand<'s>,
        ty: Option<gridloom_ir::types::Type>,
        (path, iterators): (&Path<'s>, &[(&'s [u8], Value)]),
    ) -> PResult<Value> {
        let iterator = iterators.iter().find(|(name, _)| *name == operand.name);
        let variable = || path.iter().find(|entry| entry.1.name == operand.name);
        if let Some((_, value)) = iterator {
            return Ok(*value);
        }
        if let Some((.., value)) = variable() {
            return Ok(*value);
        }
        let ty = match ty {
            Some(ty) => ty,
            None => self.p.defined_type(operand)?,
        };
        self.p.resolve(operand, ty)
    }
}

fn collect<'a, 's>(nodes: &'a [Node<'s>], domains: &mut Vec<&'a Domain<'s>>) {
    for node in nodes {
        match node {
            Node::Dim(dim) => collect(&dim.inside, domains),
            Node::Leaf(leaf) => domains.extend(&leaf.domain),
        }
    }
}
