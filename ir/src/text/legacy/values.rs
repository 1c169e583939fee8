//! Values of old operations: their types where the text leaves them out, and the names of results.

use crate::body::Value;
use crate::diag::Diagnostic;
use crate::lexer::Token;
use crate::text::read::op::ResultName;
use crate::text::read::op_parser::Operand;
use crate::text::read::parser::{PResult, Parser};
use crate::types::Type;

impl<'s> Parser<'s> {
    /// Returns the type of a value, if it has been defined.
    pub fn type_if_defined(&self, operand: Operand<'s>) -> Option<Type> {
        let entry = self.names.find(operand.name)?;
        let visible = entry.level == self.level && operand.number < entry.count;
        let first = entry.first.filter(|_| visible)?;
        Some(self.value_type(first.offset(operand.number)))
    }

    /// Returns the type of a value that must be defined already.
    pub fn defined_type(&mut self, operand: Operand<'s>) -> PResult<Type> {
        match self.type_if_defined(operand) {
            Some(ty) => Ok(ty),
            None => {
                let shown = String::from_utf8_lossy(operand.name);
                let message = format!(
                    "the type of `%{shown}` is not spelled here, so it must be defined before"
                );
                let error = Diagnostic::error(self.loc(operand.pos), message);
                Err(self.report(error.with_len(operand.name.len() as u32 + 1)))
            }
        }
    }

    /// Defines the results; in 2019 one name may stand for all of them without a count.
    pub fn define_legacy_results(
        &mut self,
        results: &[Value],
        token: Token,
        names: &[ResultName<'s>],
    ) -> PResult<()> {
        let wanted: usize = names.iter().map(|name| name.count as usize).sum();
        let have = results.len();
        if let [name] = names
            && name.count == 1
            && have > 1
            && self.legacy.allows_2019()
        {
            self.define(name.name, name.pos, results[0], have as u32);
            return Ok(());
        }
        if names.is_empty() {
            return Ok(());
        }
        if wanted != have {
            let message = match have {
                0 => "cannot name an operation with no results".to_owned(),
                _ => format!("this operation has {have} result(s), but {wanted} are named"),
            };
            return Err(self.error_on(token, message));
        }
        let mut index = 0;
        for name in names {
            self.define(name.name, name.pos, results[index], name.count);
            index += name.count as usize;
        }
        Ok(())
    }
}
