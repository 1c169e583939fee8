//! Operands, results, types and affine maps in custom forms.

use smallvec::SmallVec;

use super::affine::ExprOperands;
use super::op_parser::{Delimiter, OpParser, Operand, Operands};
use super::parser::PResult;
use crate::affine::{AffineExpr, AffineMap};
use crate::body::Value;
use crate::lexer::Tok;
use crate::text::ParseFailed;
use crate::types::Type;

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

    /// Parses operands separated by commas. Without brackets the list may be empty.
    pub fn operand_list(&mut self, delimiter: Delimiter) -> PResult<Operands<'s>> {
        let mut operands = Operands::new();
        if delimiter == Delimiter::None && !self.at(Tok::Percent) {
            return Ok(operands);
        }
        self.list_in(delimiter, " in operand list", |p| {
            operands.push(p.operand()?);
            Ok(())
        })?;
        Ok(operands)
    }

    /// Parses exactly as many operands as needed, separated by commas.
    pub fn operands_of_number(
        &mut self,
        delimiter: Delimiter,
        count: usize,
    ) -> PResult<Operands<'s>> {
        let place = self.place();
        if delimiter == Delimiter::None && count > 0 && !self.at(Tok::Percent) {
            if matches!(self.peek(), Tok::LParen | Tok::LSquare) {
                return Err(self.parser.error("unexpected delimiter"));
            }
            return Err(self.parser.expected("operand"));
        }
        let operands = self.operand_list(delimiter)?;
        if operands.len() == count {
            return Ok(operands);
        }
        Err(self.error_at(place, format!("expected {count} operands")))
    }

    /// `(%a, %b)`: names of arguments.
    pub fn argument_names(&mut self) -> PResult<Operands<'s>> {
        let mut names = Operands::new();
        self.list_in(Delimiter::Paren, " in argument list", |p| {
            names.push(p.argument_name()?);
            Ok(())
        })?;
        Ok(names)
    }

    /// Parses the name of an argument.
    pub fn argument_name(&mut self) -> PResult<Operand<'s>> {
        let end = self.parser.tok.end;
        let name = self.operand()?;
        if self.parser.last_end != end {
            return Err(self
                .parser
                .error("result number not allowed in argument list"));
        }
        Ok(name)
    }

    /// Resolves an operand to the value of this type.
    pub fn resolve(&mut self, operand: Operand<'s>, ty: Type) -> PResult<Value> {
        self.parser.resolve(operand, ty)
    }

    /// Resolves an operand and adds it to the operation.
    pub fn add_operand(&mut self, operand: Operand<'s>, ty: Type) -> PResult<Value> {
        let value = self.parser.resolve(operand, ty)?;
        self.operands.push(value);
        Ok(value)
    }

    /// Resolves operands of one type and adds them.
    pub fn add_operands(&mut self, operands: &[Operand<'s>], ty: Type) -> PResult<()> {
        for &operand in operands {
            self.add_operand(operand, ty)?;
        }
        Ok(())
    }

    /// Resolves operands with these types, one each, and adds them.
    pub fn add_typed_operands(&mut self, operands: &[Operand<'s>], types: &[Type]) -> PResult<()> {
        if operands.len() != types.len() {
            return Err(self.wrong_number_of_types(operands.len(), types.len()));
        }
        for (&operand, &ty) in operands.iter().zip(types) {
            self.add_operand(operand, ty)?;
        }
        Ok(())
    }

    /// Reports that operands and their types differ in number.
    pub fn wrong_number_of_types(&mut self, operands: usize, types: usize) -> ParseFailed {
        let message = format!(
            "number of operands and types do not match: got {operands} operands and {types} types"
        );
        self.error_at(self.op_place(), message)
    }

    /// Adds a resolved value.
    pub fn push_operand(&mut self, value: Value) {
        self.operands.push(value);
    }

    /// The type of a resolved value, which may be a forward reference.
    #[inline]
    pub fn value_type(&self, value: Value) -> Type {
        self.parser.value_type(value)
    }

    /// Adds a result.
    pub fn add_result(&mut self, ty: Type) {
        self.results.push(ty);
    }

    /// Adds results.
    pub fn add_results(&mut self, types: &[Type]) {
        self.results.extend(types.iter().copied());
    }

    /// Parses a type.
    pub fn ty(&mut self) -> PResult<Type> {
        self.parser.ty()
    }

    /// `: type`
    pub fn colon_type(&mut self) -> PResult<Type> {
        self.expect(Tok::Colon)?;
        self.ty()
    }

    /// Parses types separated by commas. Without brackets at least one.
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

    /// `-> type` or `-> (types)`.
    pub fn arrow_types(&mut self) -> PResult<Vec<Type>> {
        self.expect(Tok::Arrow)?;
        self.parser.result_types()
    }

    /// Parses `(types) -> types` or an alias of such a type: inputs and results.
    pub fn function_type(&mut self) -> PResult<(Vec<Type>, Vec<Type>)> {
        let place = self.place();
        match self.parser.function_type()? {
            Ok(parts) => Ok(parts),
            Err(ty) => {
                let message = format!(
                    "invalid kind of type specified: expected builtin.function, but found '{}'",
                    crate::text::type_string(self.ctx(), ty)
                );
                Err(self.error_at(place, message))
            }
        }
    }

    /// Parses `(%name = %value, …)`, as after a loop's `iter_args`.
    pub fn assignments(&mut self) -> PResult<Vec<(Operand<'s>, Operand<'s>)>> {
        if !self.at(Tok::LParen) {
            return Err(self.error("expected '('"));
        }
        let mut pairs = Vec::new();
        self.list_in(Delimiter::Paren, "", |p| {
            let name = p.argument_name()?;
            p.expect(Tok::Equal)?;
            pairs.push((name, p.operand()?));
            if !matches!(p.peek(), Tok::Comma | Tok::RParen) {
                return Err(p.parser.expected("',' or ')'"));
            }
            Ok(())
        })?;
        Ok(pairs)
    }
}

/// Affine maps and sets with operands.
impl<'s> OpParser<'_, 's> {
    /// Parses `(%d, …)[%s, …]`: the operands of a map or set, dimensions first, with the number of
    /// dimensions.
    pub fn dims_and_symbols(&mut self) -> PResult<(Operands<'s>, usize)> {
        let mut operands = self.operand_list(Delimiter::Paren)?;
        let dims = operands.len();
        if self.at(Tok::LSquare) {
            operands.extend(self.operand_list(Delimiter::Square)?);
        }
        Ok((operands, dims))
    }

    /// Parses `[%i + 2, symbol(%n) floordiv 4]`: affine expressions of values, as a map and its
    /// operands, dimensions first.
    pub fn map_of_values(&mut self, delimiter: Delimiter) -> PResult<(AffineMap, Operands<'s>)> {
        let mut space = ExprOperands::new();
        let mut results: SmallVec<[AffineExpr; 4]> = SmallVec::new();
        self.list_in(delimiter, " in affine map", |p| {
            results.push(p.parser.affine_result(&mut space)?);
            Ok(())
        })?;
        let (map, operands) = space.into_map(self.ctx(), &results);
        Ok((map, operands))
    }

    /// `(d0)[s0] -> (…)` without `affine_map<` around it.
    pub fn affine_map(&mut self) -> PResult<AffineMap> {
        self.parser.affine_map_body()
    }

    /// Parses one affine expression of values, which it adds to `shared`.
    pub fn affine_expr(&mut self, shared: &mut ExprOperands<'s>) -> PResult<AffineExpr> {
        self.parser.affine_expr(shared)
    }

    /// Parses one affine expression of values, as a map and its operands.
    pub fn expr_of_values(&mut self) -> PResult<(AffineMap, Operands<'s>)> {
        let mut space = ExprOperands::new();
        let result = self.parser.affine_expr(&mut space)?;
        Ok(space.into_map(self.ctx(), &[result]))
    }
}
