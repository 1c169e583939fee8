//! Printing: `gpu.printf` and `vector.print`.

use super::*;
use crate::code::{Reg, add_row};
use crate::print::{Format, parse_format};
use gridloom_dialects::inherent;
use gridloom_dialects::vector::VectorShape;

impl FunctionCompiler<'_, '_> {
    /// `gpu.printf`: a format as in C, and a value for each conversion.
    pub(super) fn printf(&mut self, op: OpId) -> Compiled {
        let format = self.get(inherent::FORMAT)?.unwrap_or_default().to_owned();
        let mut values = Vec::new();
        for &value in &self.body[op].operands {
            values.push((self.scalar(value)?, self.kind_of(value)?));
        }
        self.print(op, &format, &values)
    }

    /// `vector.print`: a scalar, a vector as nested lists `( ( 1, 2 ), ( 3, 4 ) )`, or a string; then the
    /// punctuation. Numbers look as MLIR's runner prints them: floats as C's `%g`, `index` and `i1`
    /// without a sign.
    pub(super) fn vector_print(&mut self, op: OpId) -> Compiled {
        let data = &self.body[op];
        if let Some(text) = data.get(self.ctx, inherent::STRING_LITERAL) {
            let text = text.replace('%', "%%");
            return self.print(op, &text, &[]);
        }
        let mut format = String::new();
        let mut values: Vec<(Reg, ScalarKind)> = Vec::new();
        if let Some(&source) = data.operands.first() {
            let ty = self.body.ty(source);
            let lanes = self.lanes(source)?;
            let element = VectorShape::of(self.ctx, ty).map_or(ty, |vector| vector.element);
            let conversion = match lanes.kind {
                _ if element.is_index(self.ctx) => "%u",
                ScalarKind::Int(1) => "%u",
                ScalarKind::Int(_) => "%d",
                _ => "%g",
            };
            if VectorShape::of(self.ctx, ty).is_some() {
                list(&mut format, &lanes.shape, conversion);
            } else {
                format += conversion;
            }
            values.extend(lanes.regs.iter().map(|&reg| (reg, lanes.kind)));
        }
        let punctuation = data.get(self.ctx, inherent::PUNCTUATION);
        let is = |name: &str| {
            let attr = format!(".punctuation<{name}>");
            punctuation == Some(self.ctx.dialect_attr("vector", &attr))
        };
        format += match () {
            () if is("no_punctuation") => "",
            () if is("comma") => ", ",
            () if is("open") => "( ",
            () if is("close") => " )",
            () => "\n",
        };
        self.print(op, &format, &values)
    }

    fn print(&mut self, op: OpId, format: &str, values: &[(Reg, ScalarKind)]) -> Compiled {
        let format = match parse_format(format, values) {
            Ok(pieces) => add_row(&mut self.out.formats, Format { op, pieces }),
            Err(why) => return self.error(why),
        };
        self.emit(Instr::Print { format });
        Ok(())
    }
}

/// Appends the format of a vector: its rows in parentheses, separated by commas.
fn list(format: &mut String, shape: &[usize], conversion: &str) {
    let Some((&extent, rows)) = shape.split_first() else {
        // A vector of rank 0 is a list of one element.
        *format += &format!("( {conversion} )");
        return;
    };
    *format += "( ";
    for place in 0..extent {
        if place > 0 {
            *format += ", ";
        }
        match rows {
            [] => *format += conversion,
            _ => list(format, rows, conversion),
        }
    }
    *format += " )";
}
