//! The name of one value.

use super::out::{Out, digit};

/// Bytes of a name.
const SIZE: usize = 16;

/// Where the length of a name stands.
const LENGTH: usize = SIZE - 1;

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

    /// A short ASCII text, then a number.
    pub(super) fn numbered(stem: &str, number: u32) -> Name {
        let mut name = Name([0; SIZE]);
        name.0[..stem.len()].copy_from_slice(stem.as_bytes());
        let digits = number.checked_ilog10().unwrap_or(0) as usize + 1;
        let (mut at, mut rest) = (stem.len() + digits, u64::from(number));
        name.0[LENGTH] = at as u8;
        while at > stem.len() {
            at -= 1;
            name.0[at] = digit(rest);
            rest /= 10;
        }
        name
    }

    /// A text, if it is short and ASCII.
    pub(super) fn short(text: &str) -> Option<Name> {
        let fits = text.len() <= LENGTH && text.is_ascii();
        fits.then(|| {
            let mut name = Name::NONE;
            name.0[..text.len()].copy_from_slice(text.as_bytes());
            name.0[LENGTH] = text.len() as u8;
            name
        })
    }

    /// The text at this position of the list.
    pub(super) fn elsewhere(position: u32) -> Name {
        let mut name = Name::NONE;
        name.0[..4].copy_from_slice(&position.to_le_bytes());
        name.0[LENGTH] = ELSEWHERE;
        name
    }

    /// The position in the list of one that is kept there.
    pub(super) fn position(&self) -> Option<usize> {
        let position = u32::from_le_bytes([self.0[0], self.0[1], self.0[2], self.0[3]]);
        (self.0[LENGTH] == ELSEWHERE).then_some(position as usize)
    }

    /// Appends a short text; says whether this is one.
    #[inline]
    pub(super) fn write(&self, out: &mut Out) -> bool {
        let length = self.0[LENGTH];
        let short = (1..=LENGTH as u8).contains(&length);
        if short {
            out.push_field(&self.0, length.into());
        }
        short
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
        for (stem, number, text) in [
            ("%", 0, "%0"),
            ("%", 10, "%10"),
            ("%arg", u32::MAX, "%arg4294967295"),
        ] {
            assert_eq!(written(Name::numbered(stem, number)), text);
        }
        let longest = "%expand_shape_1";
        assert_eq!(Name::short(longest).map(written).as_deref(), Some(longest));
        assert_eq!(Name::short("%reinterpret_cast"), None);
        assert_eq!(written(Name::NONE), "");
        assert_eq!(written(Name::elsewhere(7)), "");
        assert_eq!(Name::elsewhere(7).position(), Some(7));
        assert_eq!(Name::numbered("%", 7).position(), None);
    }
}
