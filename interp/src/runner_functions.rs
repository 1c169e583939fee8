//! Runner functions: functions that programs declare without a body and MLIR's runner links to
//! them. They do what they do there.
//!
//! | function | does |
//! |---|---|
//! | `printMemrefF16`, `…BF16`, `…F32`, `…F64`, `…I8` to `…I64`, `…Ind`, and `print_memref_f32` … | prints an unranked memref |
//! | `printMemref1dF32` … | prints a memref of that rank |
//! | `printMemrefShapeF32` … | prints the sizes and strides of an unranked memref |
//! | `printI64`, `printU64`, `printF32`, `printF64` | prints a number |
//! | `printOpen`, `printClose`, `printComma`, `printNewline` | prints `( `, ` )`, `, `, the end of the line |
//! | `printFlops` | prints a rate in GFLOPS |
//! | `verifyMemRefF32`, `…F64`, `…I8` to `…I64`, `…Ind` | the number of elements in which two unranked memrefs differ, -1 where their sizes do; of floats by more than 1e-6, `f64` 1e-12, of the second one's |
//! | `fillResource1DFloat`, `…2D…`, `…3D…`, `…Int` | sets all elements of a memref of `f32` or `i32` |
//! | `rtclock`, `nanoTime` | the seconds, nanoseconds of the caller's clock |

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
            ("nanoTime", [], []) => {
                let nanoseconds = (self.options.clock)() * 1e9;
                return Ok(Returned::Value(nanoseconds as i64 as u64));
            }
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
            (name, [Slot::Mem(_, kind)], [reg]) => {
                let Some(form) = printed_form(name) else {
                    return Ok(Returned::Unknown);
                };
                let view = caller.mem(reg & !MEM_BIT).clone();
                self.memref_text(&view, *kind, form)?
            }
            (name, [Slot::Mem(_, kind), Slot::Mem(_, other)], [actual, expected])
                if kind == other && verifies_memrefs(name) =>
            {
                let [actual, expected] =
                    [actual, expected].map(|reg| caller.mem(reg & !MEM_BIT).clone());
                let differences = self.count_differences(&actual, &expected, *kind)?;
                return Ok(Returned::Value(differences as u64));
            }
            (name, [Slot::Mem(_, kind), Slot::Scalar(_, of)], [target, value])
                if kind == of && fills_memrefs(name) =>
            {
                let target = caller.mem(target & !MEM_BIT).clone();
                self.fill_memory(caller, &target, *kind, caller.get(*value))?;
                return Ok(Returned::Nothing);
            }
            _ => return Ok(Returned::Unknown),
        };
        self.options.print.print(&text);
        Ok(Returned::Nothing)
    }

    /// Text of a memref, as the runner prints it.
    fn memref_text(
        &mut self,
        view: &MemRef,
        kind: ScalarKind,
        form: PrintedForm,
    ) -> Result<String, FaultKind> {
        self.make_current(view.alloc)?;
        let base = self.memory.get(view.alloc)?.address();
        let base = base.wrapping_add(view.base as u64);
        let list = |numbers: &[i64]| {
            let numbers: Vec<String> = numbers.iter().map(i64::to_string).collect();
            numbers.join(", ")
        };
        let unranked = match form {
            PrintedForm::Ranked => "",
            PrintedForm::Unranked | PrintedForm::Shape => "Unranked ",
        };
        let mut text = format!(
            "{unranked}Memref base@ = {base:#x} rank = {} offset = {} sizes = [{}] strides = [{}]",
            view.sizes.len(),
            view.offset,
            list(&view.sizes),
            list(&view.strides)
        );
        if form == PrintedForm::Shape {
            text.push('\n');
            return Ok(text);
        }
        text.push_str(" data = \n");
        if view.sizes.is_empty() {
            let value = self.memory.read(view, view.offset, kind)?;
            let _ = write!(text, "[{}]", shown(value, kind));
        } else {
            self.write_elements(&mut text, view, (0, view.offset), kind)?;
        }
        text.push('\n');
        Ok(text)
    }

    /// The number of elements in which two memrefs differ; -1 where their sizes do.
    fn count_differences(
        &mut self,
        actual: &MemRef,
        expected: &MemRef,
        kind: ScalarKind,
    ) -> Result<i64, FaultKind> {
        if actual.sizes != expected.sizes {
            return Ok(-1);
        }
        self.make_current(actual.alloc)?;
        self.make_current(expected.alloc)?;
        let memory = &self.memory;
        let mut found = Vec::new();
        actual.for_each_position(|position| {
            found.push(memory.read(actual, position, kind)?);
            Ok(())
        })?;
        let (mut found, mut differences) = (found.into_iter(), 0);
        expected.for_each_position(|position| {
            let wanted = memory.read(expected, position, kind)?;
            let is_equal = found
                .next()
                .is_some_and(|found| is_verified(found, wanted, kind));
            differences += i64::from(!is_equal);
            Ok(())
        })?;
        Ok(differences)
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

/// Form in which a function prints a memref.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PrintedForm {
    /// An unranked memref with its elements.
    Unranked,
    /// A memref of a known rank with its elements.
    Ranked,
    /// An unranked memref without its elements.
    Shape,
}

/// The endings of the names of functions on memrefs, by element type.
const ELEMENTS: [&str; 9] = [
    "F16", "BF16", "F32", "F64", "I8", "I16", "I32", "I64", "Ind",
];

/// The form in which the function of a name prints a memref, if it does.
fn printed_form(name: &str) -> Option<PrintedForm> {
    let Some(rest) = name.strip_prefix("printMemref") else {
        let of_old = [
            "print_memref_f32",
            "print_memref_f64",
            "print_memref_i32",
            "print_memref_i64",
        ];
        return of_old.contains(&name).then_some(PrintedForm::Unranked);
    };
    let ranks = ["0d", "1d", "2d", "3d", "4d"];
    let (form, element) = match rest.strip_prefix("Shape") {
        Some(element) => (PrintedForm::Shape, element),
        None => match ranks.iter().find_map(|rank| rest.strip_prefix(rank)) {
            Some(element) => (PrintedForm::Ranked, element),
            None => (PrintedForm::Unranked, rest),
        },
    };
    ELEMENTS.contains(&element).then_some(form)
}

/// Whether a name is that of a function that compares two memrefs.
fn verifies_memrefs(name: &str) -> bool {
    let element = name.strip_prefix("verifyMemRef");
    element.is_some_and(|element| ELEMENTS.contains(&element))
}

/// Whether a name is that of a function that sets all elements of a memref.
fn fills_memrefs(name: &str) -> bool {
    let kinds = ["1DFloat", "2DFloat", "3DFloat", "1DInt", "2DInt", "3DInt"];
    let kind = name.strip_prefix("fillResource");
    kind.is_some_and(|kind| kinds.contains(&kind))
}

/// Whether the function that verifies memrefs takes two elements for equal.
fn is_verified(actual: u64, expected: u64, kind: ScalarKind) -> bool {
    let epsilon = match kind {
        ScalarKind::Int(_) => return actual == expected,
        ScalarKind::F64 => 1e-12,
        _ => 1e-6,
    };
    let (actual, expected) = (kind.to_f64(actual), kind.to_f64(expected));
    let is_near = (actual - expected).abs() <= epsilon * expected.abs();
    actual.is_finite() && expected.is_finite() && is_near
}

/// Text of a number as C++ streams print it: six digits of a float.
fn shown(bits: u64, kind: ScalarKind) -> String {
    match kind {
        ScalarKind::Int(width) => sext(bits, width).to_string(),
        float => real('g', float.to_f64(bits), 6),
    }
}
