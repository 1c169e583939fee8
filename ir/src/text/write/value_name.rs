//! The name of one value.

use super::out::{Out, digit};

/// Bytes of a name.
const SIZE: usize = 16;

/// The most bytes of text in one: the last byte is the length.
const TEXT: usize = SIZE - 1;

/// The length of those that are kept elsewhere.
const ELSEWHERE: u8 = u8::MAX;

/// `%3`, `%arg3`, `%c5`, `%0#1`: the name of a value, `%` included, in a field
/// of fixed length, since names are written far more often than they are made.
/// Longer ones lie in a list and are known by their position there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Name([u8; SIZE]);

impl Name {
    /// No name.
    pub(super) const NONE: Name = Name([0; SIZE]);

    /// `%3`
    pub(super) fn value(number: u32) -> Name {
        Name::numbered(u128::from(b'%'), 1, number)
    }

    /// `%arg3`
    pub(super) fn arg(number: u32) -> Name {
        Name::numbered(u128::from(u32::from_le_bytes(*b"%arg")), 4, number)
    }

    /// A stem of `length` bytes, then a number, which has ten digits at most.
    /// The first byte is the lowest: no byte is put into memory alone.
    fn numbered(stem: u128, length: u32, number: u32) -> Name {
        let (mut digits, mut count, mut rest) = (0u128, 0, number);
        loop {
            digits = digits << 8 | u128::from(digit(rest.into()));
            count += 1;
            rest /= 10;
            if rest == 0 {
                break;
            }
        }
        Name::of_length(stem | digits << (8 * length), length + count)
    }

    fn of_length(text: u128, length: u32) -> Name {
        Name((text | u128::from(length) << (8 * TEXT)).to_le_bytes())
    }

    fn length(&self) -> u8 {
        self.0[TEXT]
    }

    /// A text, if it is short and ASCII.
    pub(super) fn short(text: &str) -> Option<Name> {
        let fits = text.len() <= TEXT && text.is_ascii();
        fits.then(|| {
            let mut field = [0; SIZE];
            field[..text.len()].copy_from_slice(text.as_bytes());
            Name::of_length(u128::from_le_bytes(field), text.len() as u32)
        })
    }

    /// The text at this position of the list.
    pub(super) fn elsewhere(position: u32) -> Name {
        Name::of_length(position.into(), ELSEWHERE.into())
    }

    /// The position in the list of one that is kept there.
    pub(super) fn position(&self) -> Option<usize> {
        let position = u32::from_le_bytes([self.0[0], self.0[1], self.0[2], self.0[3]]);
        (self.length() == ELSEWHERE).then_some(position as usize)
    }

    /// Appends a short text; says whether this is one.
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

/// Names with numbers, which are mostly asked for one after the other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Numbered {
    make: fn(u32) -> Name,
    /// The number of the name given last, and its text.
    number: u32,
    text: u128,
    /// What makes the last digit of it the next one, and how often it can.
    one: u128,
    left: u32,
}

impl Numbered {
    /// Names as made from a number.
    pub(super) fn new(make: fn(u32) -> Name) -> Self {
        Numbered {
            make,
            number: 0,
            text: 0,
            one: 0,
            left: 0,
        }
    }

    /// The name with this number.
    #[inline]
    pub(super) fn get(&mut self, number: u32) -> Name {
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
        Name(self.text.to_le_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(name: Name) -> String {
        let mut out = Out::default();
        name.write(&mut out);
        out.into_string()
    }

    #[test]
    fn short_texts_are_kept_in_place() {
        for (name, text) in [
            (Name::value(0), "%0"),
            (Name::value(10), "%10"),
            (Name::arg(7), "%arg7"),
            (Name::arg(u32::MAX), "%arg4294967295"),
        ] {
            assert_eq!(written(name), text);
        }
        let mut names = Numbered::new(Name::value);
        for number in [0, 1, 2, 8, 9, 10, 11, 99, 100, 101, 7] {
            assert_eq!(written(names.get(number)), format!("%{number}"));
        }
        let longest = "%expand_shape_1";
        assert_eq!(Name::short(longest).map(written).as_deref(), Some(longest));
        assert_eq!(Name::short("%reinterpret_cast"), None);
        assert_eq!(written(Name::NONE), "");
        assert_eq!(written(Name::elsewhere(7)), "");
        assert_eq!(Name::elsewhere(7).position(), Some(7));
        assert_eq!(Name::value(7).position(), None);
    }
}
