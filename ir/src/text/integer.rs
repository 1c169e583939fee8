//! Integers of any width: conversion to and from text, words and bytes.

use crate::attr::Int;

/// Length limit of a literal: conversion takes time quadratic in the digits.
const MAX_DIGITS: usize = 65_536;

impl Int {
    /// Normalises little-endian words in two's complement to the shortest form.
    fn from_words(mut words: Vec<u64>) -> Int {
        let fill = |words: &[u64]| match words.last() {
            Some(top) if top >> 63 == 1 => u64::MAX,
            _ => 0,
        };
        while words.len() >= 2 && words[words.len() - 1] == fill(&words[..words.len() - 1]) {
            words.pop();
        }
        match words[..] {
            [] => Int::Small(0),
            [low] => Int::Small(i128::from(low as i64)),
            [low, high] => Int::Small((i128::from(high as i64) << 64) | i128::from(low)),
            _ => Int::Big(words.into()),
        }
    }

    /// Returns little-endian words in two's complement, sign-extended to `count`.
    pub fn words(&self, count: usize) -> Vec<u64> {
        let mut words = match self {
            Int::Small(v) => vec![*v as u64, (*v >> 64) as u64],
            Int::Big(words) => words.to_vec(),
        };
        let fill = if words.last().is_some_and(|top| top >> 63 == 1) {
            u64::MAX
        } else {
            0
        };
        words.resize(count.max(words.len()), fill);
        words
    }

    /// Reads little-endian bytes of an integer `width` bits wide.
    pub fn from_le_bytes(bytes: &[u8], width: u32, signed: bool) -> Int {
        let mut words: Vec<u64> = bytes
            .chunks(8)
            .map(|chunk| {
                let mut word = [0; 8];
                word[..chunk.len()].copy_from_slice(chunk);
                u64::from_le_bytes(word)
            })
            .collect();
        words.push(0);
        extend(&mut words, width, signed);
        Int::from_words(words)
    }

    /// Returns the low `count` bytes in little-endian order.
    pub fn to_le_bytes(&self, count: usize) -> Vec<u8> {
        let words = self.words(count.div_ceil(8));
        words
            .iter()
            .flat_map(|w| w.to_le_bytes())
            .take(count)
            .collect()
    }

    /// Prints decimal digits with the sign.
    pub fn to_decimal(&self) -> String {
        let words = match self {
            Int::Small(v) => return v.to_string(),
            Int::Big(words) => words,
        };
        let negative = words.last().is_some_and(|top| top >> 63 == 1);
        let mut magnitude = words.to_vec();
        if negative {
            negate(&mut magnitude);
        }
        // Nineteen digits at a time, lowest first.
        let mut groups = Vec::new();
        while magnitude.iter().any(|&w| w != 0) {
            groups.push(divide(&mut magnitude, 10_000_000_000_000_000_000));
        }
        let mut text = if negative { "-" } else { "" }.to_owned();
        let mut groups = groups.iter().rev();
        if let Some(first) = groups.next() {
            text.push_str(&first.to_string());
        }
        for group in groups {
            text.push_str(&format!("{group:019}"));
        }
        text
    }
}

/// Sign- or zero-extends the value in the low `width` bits.
fn extend(words: &mut [u64], width: u32, signed: bool) {
    let bit = |words: &[u64], i: u32| {
        words
            .get(i as usize / 64)
            .is_some_and(|w| w >> (i % 64) & 1 == 1)
    };
    let ones = signed && width > 0 && bit(words, width - 1);
    for (index, word) in words.iter_mut().enumerate() {
        let start = index as u64 * 64;
        let kept = u64::from(width).saturating_sub(start).min(64);
        let mask = if kept == 64 {
            u64::MAX
        } else {
            (1 << kept) - 1
        };
        *word = (*word & mask) | if ones { !mask } else { 0 };
    }
}

fn negate(words: &mut [u64]) {
    let mut carry = true;
    for word in words {
        let (sum, overflow) = (!*word).overflowing_add(u64::from(carry));
        (*word, carry) = (sum, overflow);
    }
}

/// Divides in place and returns the remainder.
fn divide(words: &mut [u64], divisor: u64) -> u64 {
    let mut rest = 0u128;
    for word in words.iter_mut().rev() {
        let value = rest << 64 | u128::from(*word);
        *word = (value / u128::from(divisor)) as u64;
        rest = value % u128::from(divisor);
    }
    rest as u64
}

/// Multiplies in place and adds.
fn multiply_add(words: &mut Vec<u64>, factor: u64, addend: u64) {
    let mut carry = u128::from(addend);
    for word in words.iter_mut() {
        let value = u128::from(*word) * u128::from(factor) + carry;
        *word = value as u64;
        carry = value >> 64;
    }
    if carry != 0 {
        words.push(carry as u64);
    }
}

/// Reads the magnitude of a literal to little-endian words without leading zeros; `None` past
/// [`MAX_DIGITS`].
fn magnitude(text: &[u8]) -> Option<Vec<u64>> {
    let mut words = Vec::new();
    if let Some(digits) = text.strip_prefix(b"0x") {
        for chunk in digits.rchunks(16) {
            let word = chunk
                .iter()
                .fold(0, |w, &d| w << 4 | u64::from(crate::lexer::hex_value(d)));
            words.push(word);
        }
    } else {
        if text.len() > MAX_DIGITS {
            return None;
        }
        for chunk in text.chunks(19) {
            let value = chunk.iter().fold(0, |v, d| v * 10 + u64::from(d - b'0'));
            multiply_add(&mut words, 10u64.pow(chunk.len() as u32), value);
        }
    }
    while words.last() == Some(&0) {
        words.pop();
    }
    Some(words)
}

fn bit_length(words: &[u64]) -> u64 {
    match words.last() {
        Some(top) => words.len() as u64 * 64 - u64::from(top.leading_zeros()),
        None => 0,
    }
}

/// Reads a literal as an integer `width` bits wide; `None` if it does not fit. Signless integers
/// take literals that fit them signed or unsigned.
pub(crate) fn literal(text: &[u8], negative: bool, width: u32, range: Range) -> Option<Int> {
    // Fast path without a vector.
    if text.len() <= 18 && !text.starts_with(b"0x") && width >= 64 {
        let value = text.iter().fold(0, |v, d| v * 10 + i128::from(d - b'0'));
        if negative && value != 0 && range == Range::Unsigned {
            return None;
        }
        return Some(Int::Small(if negative { -value } else { value }));
    }
    let mut words = magnitude(text)?;
    let bits = bit_length(&words);
    let width64 = u64::from(width);
    let power_of_two = words.iter().map(|w| w.count_ones()).sum::<u32>() == 1;
    let fits_signed = bits < width64 || negative && bits == width64 && power_of_two;
    let fits = match range {
        // An integer of no width has no sign bit either.
        _ if bits == 0 => !negative || width > 0,
        Range::Signed => fits_signed,
        Range::Unsigned => !negative && bits <= width64,
        Range::Either if negative => fits_signed,
        Range::Either => bits <= width64,
    };
    if !fits {
        return None;
    }
    words.push(0);
    if negative {
        negate(&mut words);
    }
    words.resize(
        words.len().max(width.div_ceil(64) as usize + 1),
        if negative && bits != 0 { u64::MAX } else { 0 },
    );
    extend(&mut words, width, range != Range::Unsigned);
    Some(Int::from_words(words))
}

/// Reads an integer literal without sign, decimal or hexadecimal, within `u64`.
pub(crate) fn unsigned(text: &[u8]) -> Option<u64> {
    match magnitude(text)?[..] {
        [] => Some(0),
        [value] => Some(value),
        _ => None,
    }
}

/// Literal range of an integer type, and how its values are kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Range {
    /// Signed literals, kept sign-extended.
    Signed,
    /// Literals that are not negative, kept zero-extended.
    Unsigned,
    /// Either, kept sign-extended.
    Either,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, width: u32, range: Range) -> Option<String> {
        let (negative, digits) = match text.strip_prefix('-') {
            Some(digits) => (true, digits),
            None => (false, text),
        };
        literal(digits.as_bytes(), negative, width, range).map(|v| v.to_decimal())
    }

    #[test]
    fn ranges_of_small_widths() {
        assert_eq!(read("255", 8, Range::Either).as_deref(), Some("-1"));
        assert_eq!(read("255", 8, Range::Unsigned).as_deref(), Some("255"));
        assert_eq!(read("-128", 8, Range::Either).as_deref(), Some("-128"));
        assert_eq!(read("0xFF", 8, Range::Signed), None);
        for (text, range) in [
            ("256", Range::Either),
            ("-129", Range::Either),
            ("128", Range::Signed),
            ("-1", Range::Unsigned),
        ] {
            assert_eq!(read(text, 8, range), None, "{text}");
        }
        assert_eq!(read("0", 0, Range::Either).as_deref(), Some("0"));
        assert_eq!(read("1", 0, Range::Either), None);
    }

    #[test]
    fn wide_integers_come_back_as_they_were() {
        let digits = "123456789012345678901234567890123456789012345678901234567890";
        for text in [
            digits.to_owned(),
            format!("-{digits}"),
            "-1".into(),
            format!("1{}", "0".repeat(90)),
        ] {
            assert_eq!(read(&text, 1000, Range::Either).as_deref(), Some(&*text));
        }
        // 2^200, from its hexadecimal form; the decimal digits are Python's.
        let hex = format!("0x1{}", "0".repeat(50));
        assert_eq!(
            read(&hex, 300, Range::Either).as_deref(),
            Some("1606938044258990275541962092341162602522202993782792835301376")
        );
        assert_eq!(read(&hex, 200, Range::Either), None);
    }

    #[test]
    fn bytes_come_back() {
        for text in ["-5", "77", "-123456789012345678901234567890"] {
            let value = literal(
                text.trim_start_matches('-').as_bytes(),
                text.starts_with('-'),
                100,
                Range::Either,
            )
            .unwrap();
            let bytes = value.to_le_bytes(13);
            assert_eq!(Int::from_le_bytes(&bytes, 100, true), value);
        }
    }
}
