//! Runner functions: functions that programs declare without a body and MLIR's runner links to
//! them. They print as they do there.
//!
//! | function | prints |
//! |---|---|
//! | `printMemrefF32`, `…F64`, `…I8` to `…I64`, `…Ind`, and `print_memref_f32` … | an unranked memref |
//! | `printI64`, `printU64`, `printF32`, `printF64` | a number |
//! | `printOpen`, `printClose`, `printComma`, `printNewline` | `( `, ` )`, `, `, the end of the line |
//! | `printFlops` | a rate in GFLOPS |
//!
//! `rtclock` gives the seconds of the caller's clock.

use std::fmt::Write;

use crate::code::{MEM_BIT, Reg, Slot};
use crate::fault::FaultKind;
use crate::frame::Frame;
use crate::machine::Machine;
use crate::memref::MemRef;
use crate::print::real;
use crate::scalar::{ScalarKind, sext};

/// Result of a runner function.
pub(crate) enum Returned {
    Nothing,
    Value(u64),
    /// No runner function has this name.
    Unknown,
}

impl Machine<'_> {
    /// Runs a function of the runner with the arguments in these registers of its caller.
    pub(crate) fn runner_function(
        &mut self,
        name: &str,
        params: &[Slot],
        caller: &Frame,
        given: &[Reg],
    ) -> Result<Returned, FaultKind> {
        let text = match (name, params, given) {
            ("rtclock", [], []) => return Ok(Returned::Value((self.options.clock)().to_bits())),
            ("printNewline", [], []) => "\n".to_owned(),
            ("printOpen", [], []) => "( ".to_owned(),
            ("printClose", [], []) => " )".to_owned(),
            ("printComma", [], []) => ", ".to_owned(),
            ("printU64", [Slot::Scalar(_, ScalarKind::Int(64))], [reg]) => {
                caller.get(*reg).to_string()
            }
            ("printI64" | "printF32" | "printF64", [Slot::Scalar(_, kind)], [reg]) => {
                shown(caller.get(*reg), *kind)
            }
            ("printFlops", [Slot::Scalar(_, ScalarKind::F64)], [reg]) => {
                let rate = f64::from_bits(caller.get(*reg)) / 1e9;
                format!("{rate:.6} GFLOPS\n")
            }
            (name, [Slot::Mem(_, kind)], [reg]) if prints_memrefs(name) => {
                let view = caller.mem(reg & !MEM_BIT).clone();
                self.memref_text(&view, *kind)?
            }
            _ => return Ok(Returned::Unknown),
        };
        self.options.print.print(&text);
        Ok(Returned::Nothing)
    }

    /// Text of a memref with its descriptor, as the runner prints it.
    fn memref_text(&mut self, view: &MemRef, kind: ScalarKind) -> Result<String, FaultKind> {
        self.make_current(view.alloc)?;
        let base = self.memory.get(view.alloc)?.address();
        let base = base.wrapping_add(view.base as u64);
        let list = |numbers: &[i64]| {
            let numbers: Vec<String> = numbers.iter().map(i64::to_string).collect();
            numbers.join(", ")
        };
        let mut text = format!(
            "Unranked Memref base@ = {base:#x} rank = {} offset = {} sizes = [{}] strides = [{}] data = \n",
            view.sizes.len(),
            view.offset,
            list(&view.sizes),
            list(&view.strides)
        );
        if view.sizes.is_empty() {
            let value = self.memory.read(view, view.offset, kind)?;
            let _ = write!(text, "[{}]", shown(value, kind));
        } else {
            self.write_elements(&mut text, view, (0, view.offset), kind)?;
        }
        text.push('\n');
        Ok(text)
    }

    /// The elements of dimension `dim` and those behind it: rows on lines of their own.
    fn write_elements(
        &mut self,
        text: &mut String,
        view: &MemRef,
        (dim, position): (usize, i64),
        kind: ScalarKind,
    ) -> Result<(), FaultKind> {
        let Some((&size, &stride)) = view.sizes.get(dim).zip(view.strides.get(dim)) else {
            let value = self.memory.read(view, position, kind)?;
            text.push_str(&shown(value, kind));
            return Ok(());
        };
        text.push('[');
        let mut position = position;
        for number in 0..size {
            if number > 0 {
                text.push_str(", ");
                if dim + 1 < view.sizes.len() {
                    text.push('\n');
                }
                text.extend(std::iter::repeat_n(' ', dim + 1));
            }
            self.write_elements(text, view, (dim + 1, position), kind)?;
            position = position.wrapping_add(stride);
        }
        text.push(']');
        Ok(())
    }
}

/// Whether a name is that of a function that prints memrefs of some element type.
fn prints_memrefs(name: &str) -> bool {
    let elements = ["F32", "F64", "I8", "I16", "I32", "I64", "Ind"];
    let of_today = name.strip_prefix("printMemref");
    of_today.is_some_and(|element| elements.contains(&element))
        || matches!(
            name,
            "print_memref_f32" | "print_memref_f64" | "print_memref_i32" | "print_memref_i64"
        )
}

/// Text of a number as C++ streams print it: six digits of a float.
fn shown(bits: u64, kind: ScalarKind) -> String {
    match kind {
        ScalarKind::Int(width) => sext(bits, width).to_string(),
        float => real('g', float.to_f64(bits), 6),
    }
}
