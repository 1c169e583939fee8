//! `gpu.printf`: the format of C's `printf`, on registers.

use gridloom_ir::OpId;

use crate::code::Reg;
use crate::device::Printed;
use crate::frame::Ids;
use crate::machine::Machine;
use crate::scalar::{ScalarKind, sext};

/// Piece of a format: literal text or a conversion.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Piece {
    /// Literal text.
    Text(String),
    /// A conversion of a register's value.
    Value(Conversion, Reg, ScalarKind),
}

/// A conversion such as `%-8.3f`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Conversion {
    letter: char,
    width: usize,
    precision: Option<usize>,
    left: bool,
    zeros: bool,
    plus: bool,
}

/// Bound on widths and precisions: greater ones would only fill memory.
const MAX_WIDTH: usize = 256;

/// Parses a format string whose values are in these registers; the error says what is
/// wrong with it.
pub(crate) fn parse_format(
    format: &str,
    values: &[(Reg, ScalarKind)],
) -> Result<Vec<Piece>, String> {
    let mut pieces = Vec::new();
    let mut values = values.iter();
    let mut text = String::new();
    let mut rest = format.chars().peekable();
    while let Some(letter) = rest.next() {
        if letter != '%' {
            text.push(letter);
            continue;
        }
        if rest.next_if_eq(&'%').is_some() {
            text.push('%');
            continue;
        }
        let conversion = conversion(&mut rest)?;
        let Some(&(reg, kind)) = values.next() else {
            return Err("the format has more conversions than there are values".to_owned());
        };
        pieces.push(Piece::Text(std::mem::take(&mut text)));
        pieces.push(Piece::Value(conversion, reg, kind));
    }
    pieces.push(Piece::Text(text));
    match values.next() {
        None => Ok(pieces),
        Some(_) => Err("the format has fewer conversions than there are values".to_owned()),
    }
}

fn conversion(rest: &mut std::iter::Peekable<std::str::Chars>) -> Result<Conversion, String> {
    let mut found = Conversion {
        letter: ' ',
        width: 0,
        precision: None,
        left: false,
        zeros: false,
        plus: false,
    };
    while let Some(flag) = rest.next_if(|&c| "-+ 0#".contains(c)) {
        match flag {
            '-' => found.left = true,
            '0' => found.zeros = true,
            '+' => found.plus = true,
            _ => {}
        }
    }
    found.width = number(rest).unwrap_or(0);
    if rest.next_if_eq(&'.').is_some() {
        found.precision = Some(number(rest).unwrap_or(0));
    }
    while rest.next_if(|&c| "hlLqjzt".contains(c)).is_some() {}
    match rest.next() {
        Some(letter) if "diuxXoceEfFgGp".contains(letter) => {
            found.letter = letter;
            Ok(found)
        }
        Some(letter) => Err(format!(
            "the format has a conversion '%{letter}', which prints no number"
        )),
        None => Err("the format ends within a conversion".to_owned()),
    }
}

fn number(rest: &mut std::iter::Peekable<std::str::Chars>) -> Option<usize> {
    let mut value = None;
    while let Some(digit) = rest.peek().and_then(|c| c.to_digit(10)) {
        rest.next();
        value = Some((value.unwrap_or(0) * 10 + digit as usize).min(MAX_WIDTH));
    }
    value
}

/// A format, and the operation that prints it.
#[derive(Clone, Debug)]
pub(crate) struct Format {
    pub op: OpId,
    pub pieces: Vec<Piece>,
}

/// Formats pieces of text; `get` gives the bits of a value by its place among the values and its register.
pub(crate) fn formatted(pieces: &[Piece], get: impl Fn(usize, Reg) -> u64) -> String {
    let mut out = String::new();
    let mut place = 0;
    for piece in pieces {
        match piece {
            Piece::Text(text) => out += text,
            Piece::Value(conversion, reg, kind) => {
                out += &value(*conversion, get(place, *reg), *kind);
                place += 1;
            }
        }
    }
    out
}

/// Bound on the held texts of a launch: those beyond it are printed last, out of order.
const MAX_HELD: usize = 1 << 20;

/// Texts that the threads of a launch have printed: the end of the launch prints them in the order
/// of the threads, whatever order these ran in.
#[derive(Debug, Default)]
pub(crate) struct Held(Vec<([u64; 2], String)>);

impl Machine<'_> {
    /// Prints a text: at once on the host, and at the end of the launch in a kernel.
    pub(crate) fn print(&mut self, ids: &Ids, text: String) {
        if !self.in_kernel {
            self.options.print.print(&text);
            return;
        }
        let linear = |place: [i64; 3], sizes: [i64; 3]| {
            let rows = (place[2] as u64).wrapping_mul(sizes[1] as u64);
            let row = rows.wrapping_add(place[1] as u64);
            row.wrapping_mul(sizes[0] as u64)
                .wrapping_add(place[0] as u64)
        };
        let thread = [linear(ids.block, ids.grid), linear(ids.thread, ids.size)];
        self.held.0.push((thread, text));
        if self.held.0.len() >= MAX_HELD {
            self.print_held();
        }
    }

    /// Prints the held texts of a launch: by workgroup, thread, and order in the thread.
    pub(crate) fn print_held(&mut self) {
        let mut held = std::mem::take(&mut self.held.0);
        held.sort_by_key(|(thread, _)| *thread);
        for (_, text) in held {
            self.options.print.print(&text);
        }
    }

    /// Prints the records of a launch on the device, in the order of the threads.
    pub(crate) fn print_records(&mut self, function: Option<u32>, mut records: Vec<Printed>) {
        records.sort_by_key(|record| record.thread);
        let code = function.map(|number| &self.code.functions[number as usize]);
        for record in records {
            let formats = code.into_iter().flat_map(|code| &code.formats);
            let mut formats = formats.filter(|format| format.op == record.op);
            if let Some(format) = formats.next() {
                let get = |place: usize, _| record.values.get(place).copied().unwrap_or(0);
                self.options.print.print(&formatted(&format.pieces, get));
            }
        }
    }
}

fn value(conversion: Conversion, bits: u64, kind: ScalarKind) -> String {
    let signed = match kind {
        // A truth value is 0 or 1.
        ScalarKind::Int(1) => bits as i64,
        ScalarKind::Int(width) => sext(bits, width),
        float => float.to_f64(bits) as i64,
    };
    let float = match kind {
        ScalarKind::Int(_) => signed as f64,
        float => float.to_f64(bits),
    };
    let body = match conversion.letter {
        'd' | 'i' => signed.to_string(),
        'u' => bits.to_string(),
        'x' | 'p' => format!("{bits:x}"),
        'X' => format!("{bits:X}"),
        'o' => format!("{bits:o}"),
        'c' => char::from(bits as u8).to_string(),
        letter => real(letter, float, conversion.precision.unwrap_or(6)),
    };
    let body = match conversion.plus && !body.starts_with('-') {
        true => format!("+{body}"),
        false => body,
    };
    let missing = conversion.width.saturating_sub(body.len());
    if conversion.left {
        return body + &" ".repeat(missing);
    }
    if conversion.zeros && float.is_finite() {
        let sign = usize::from(body.starts_with(['-', '+']));
        return format!("{}{}{}", &body[..sign], "0".repeat(missing), &body[sign..]);
    }
    " ".repeat(missing) + &body
}

/// A float as C prints it under `%f`, `%e` or `%g`.
pub(crate) fn real(letter: char, value: f64, precision: usize) -> String {
    if value.is_nan() {
        return "nan".to_owned();
    }
    if value.is_infinite() {
        return if value < 0.0 { "-inf" } else { "inf" }.to_owned();
    }
    match letter {
        'f' | 'F' => format!("{value:.precision$}"),
        'e' | 'E' => scientific(value, precision),
        _ => {
            let digits = precision.max(1);
            let shown = format!("{value:.*e}", digits - 1);
            let exponent = shown
                .split_once('e')
                .and_then(|(_, e)| e.parse::<i64>().ok());
            let exponent = exponent.unwrap_or(0);
            if exponent < -4 || exponent >= digits as i64 {
                let shown = scientific(value, digits - 1);
                let (mantissa, rest) = shown.split_once('e').unwrap_or((&shown, ""));
                return format!("{}e{rest}", without_zeros(mantissa));
            }
            let decimals = (digits as i64 - 1 - exponent).max(0) as usize;
            without_zeros(&format!("{value:.decimals$}")).to_owned()
        }
    }
}

/// `1.5e+02`: the exponent has a sign and two digits at least.
fn scientific(value: f64, precision: usize) -> String {
    let shown = format!("{value:.precision$e}");
    let Some((mantissa, exponent)) = shown.split_once('e') else {
        return shown;
    };
    let (sign, digits) = match exponent.strip_prefix('-') {
        Some(digits) => ('-', digits),
        None => ('+', exponent),
    };
    format!("{mantissa}e{sign}{digits:0>2}")
}

fn without_zeros(digits: &str) -> &str {
    match digits.contains('.') {
        true => digits.trim_end_matches('0').trim_end_matches('.'),
        false => digits,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As `printf` of the GNU C library prints them.
    #[test]
    fn values_are_printed_as_c_prints_them() {
        let print = |format: &str, bits: u64, kind: ScalarKind| {
            let pieces = parse_format(format, &[(0, kind)]).unwrap();
            let Piece::Value(conversion, ..) = pieces[1] else {
                panic!("{format} begins with a value");
            };
            value(conversion, bits, kind)
        };
        let float = |value: f64| (value.to_bits(), ScalarKind::F64);
        for (format, (bits, kind), expected) in [
            ("%d", (0xffff_ffff, ScalarKind::Int(32)), "-1"),
            ("%5u", (7, ScalarKind::Int(32)), "    7"),
            ("%-5d", (7, ScalarKind::Int(32)), "7    "),
            ("%05lld", (0xffff_fff9, ScalarKind::Int(32)), "-0007"),
            ("%x", (255, ScalarKind::Int(32)), "ff"),
            ("%f", float(1.5), "1.500000"),
            ("%8.2f", float(-1.25), "   -1.25"),
            ("%e", float(150.0), "1.500000e+02"),
            ("%g", float(0.0001), "0.0001"),
            ("%g", float(1e10), "1e+10"),
            ("%g", float(100000.0), "100000"),
        ] {
            assert_eq!(print(format, bits, kind), expected, "{format}");
        }
    }

    #[test]
    fn a_format_has_as_many_values_as_conversions() {
        assert!(parse_format("%d %d", &[(0, ScalarKind::Int(32))]).is_err());
        assert!(parse_format("100%%", &[(0, ScalarKind::Int(32))]).is_err());
        assert!(parse_format("%s", &[(0, ScalarKind::Int(32))]).is_err());
        assert!(parse_format("%", &[]).is_err());
    }
}
