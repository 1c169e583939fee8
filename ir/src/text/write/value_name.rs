//! Value name: the printed name of one value in a field of fixed size.

use super::out::{Out, digit};

/// Field size in bytes.
const SIZE: usize = 16;

/// Capacity for text: the last byte is the length.
const TEXT: usize = SIZE - 1;

/// Length byte of a name stored in the list of long names.
const ELSEWHERE: u8 = u8::MAX;

/// `%3`, `%arg3`, `%c5`, `%0#1`: the name of a value, `%` included. The field has a fixed length
/// because names are written far more often than they are made; longer names lie in a list, and the
/// field holds their index.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ValueName([u8; SIZE]);

impl ValueName {
    /// The absence of a name.
    pub(super) const NONE: ValueName = ValueName([0; SIZE]);

    /// `%3`
    pub(super) fn value(number: u32) -> ValueName {
        ValueName::numbered(u128::from(b'%'), 1, number)
    }

    /// `%arg3`
    pub(super) fn arg(number: u32) -> ValueName {
        ValueName::numbered(u128::from(u32::from_le_bytes(*b"%arg")), 4, number)
    }

    /// Makes a name of a stem of `length` bytes and a number, which has ten digits at most. The
    /// first byte is the lowest: the field is assembled in a register.
    fn numbered(stem: u128, length: u32, number: u32) -> ValueName {
        let (mut digits, mut count, mut rest) = (0u128, 0, number);
        loop {
            digits = digits << 8 | u128::from(digit(rest.into()));
            count += 1;
            rest /= 10;
            if rest == 0 {
                break;
            }
        }
        ValueName::of_length(stem | digits << (8 * length), length + count)
    }

    fn of_length(text: u128, length: u32) -> ValueName {
        ValueName((text | u128::from(length) << (8 * TEXT)).to_le_bytes())
    }

    fn length(&self) -> u8 {
        self.0[TEXT]
    }

    /// Makes a name of a text that is short and ASCII.
    pub(super) fn short(text: &str) -> Option<ValueName> {
        let fits = text.len() <= TEXT && text.is_ascii();
        fits.then(|| {
            let mut field = [0; SIZE];
            field[..text.len()].copy_from_slice(text.as_bytes());
            ValueName::of_length(u128::from_le_bytes(field), text.len() as u32)
        })
    }

    /// Makes a name of the text at this index of the list.
    pub(super) fn elsewhere(position: u32) -> ValueName {
        ValueName::of_length(position.into(), ELSEWHERE.into())
    }

    /// Returns the index in the list of a long name.
    pub(super) fn position(&self) -> Option<usize> {
        let position = u32::from_le_bytes([self.0[0], self.0[1], self.0[2], self.0[3]]);
        (self.length() == ELSEWHERE).then_some(position as usize)
    }

    /// Prints a short name; returns false for any other.
    #[inline]
    pub(super) fn write(&self, out: &mut Out) -> bool {
        let length = self.length();
        let short = (1..=TEXT as u8).contains(&length);
        if short {
            out.push_field(&self.0, length.into());
        }
        short
    }
}

/// Number generator: names with numbers, mostly consecutive ones.
#[derive(Clone, Copy, Debug)]
pub(super) struct Numbered {
    make: fn(u32) -> ValueName,
    /// The number of the last name, and its text.
    number: u32,
    text: u128,
    /// The increment that turns the last digit into the next one, and how often it can.
    one: u128,
    left: u32,
}

impl Numbered {
    /// Starts a generator with the maker of its names.
    pub(super) fn new(make: fn(u32) -> ValueName) -> Self {
        Numbered {
            make,
            number: 0,
            text: 0,
            one: 0,
            left: 0,
        }
    }

    /// Returns the name with this number.
    #[inline]
    pub(super) fn get(&mut self, number: u32) -> ValueName {
        if self.left > 0 && number == self.number + 1 {
            self.text += self.one;
            self.left -= 1;
        } else {
            let name = (self.make)(number);
            self.text = u128::from_le_bytes(name.0);
            self.one = 1 << (8 * (name.length() - 1));
            self.left = 9 - number % 10;
        }
        self.number = number;
        ValueName(self.text.to_le_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(name: ValueName) -> String {
        let mut out = Out::default();
        name.write(&mut out);
        out.into_string()
    }

    #[test]
    fn short_texts_are_kept_in_place() {
        for (name, text) in [
            (ValueName::value(0), "%0"),
            (ValueName::value(10), "%10"),
            (ValueName::arg(7), "%arg7"),
            (ValueName::arg(u32::MAX), "%arg4294967295"),
        ] {
            assert_eq!(written(name), text);
        }
        let mut names = Numbered::new(ValueName::value);
        for number in [0, 1, 2, 8, 9, 10, 11, 99, 100, 101, 7] {
            assert_eq!(written(names.get(number)), format!("%{number}"));
        }
        let longest = "%expand_shape_1";
        assert_eq!(
            ValueName::short(longest).map(written).as_deref(),
            Some(longest)
        );
        assert_eq!(ValueName::short("%reinterpret_cast"), None);
        assert_eq!(written(ValueName::NONE), "");
        assert_eq!(written(ValueName::elsewhere(7)), "");
        assert_eq!(ValueName::elsewhere(7).position(), Some(7));
        assert_eq!(ValueName::value(7).position(), None);
    }
}
