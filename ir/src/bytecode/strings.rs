//! The string table.

use std::hash::BuildHasher;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use hashbrown::{DefaultHashBuilder, HashTable};

use super::budget::Budget;
use super::decode::{Cursor, Read, fail};
use super::encode::Encoder;
use crate::context::{Context, Ident};

/// The strings of a file being read.
pub(super) struct Strings<'a> {
    list: Arc<[&'a [u8]]>,
    /// The interned ids plus one; 0 for strings not interned.
    idents: Arc<[AtomicU32]>,
    /// The budget of bytes copied out of the table: a corrupt file could refer
    /// to one long string from everywhere.
    budget: Budget,
}

impl<'a> Strings<'a> {
    /// Reads the section: lengths from last to first, then the null-terminated
    /// strings. `size` is that of the file.
    pub fn read(mut data: Cursor<'a>, size: usize) -> Read<Self> {
        let whole = data;
        let count = data.count("strings")?;
        let mut list: Vec<&[u8]> = vec![b""; count];
        let mut end = whole.offset() + whole.left();
        for string in list.iter_mut().rev() {
            let place = data.offset();
            let length = data.varint()?;
            if length == 0 || length > end.saturating_sub(data.offset()) as u64 {
                return fail(place, format!("a string cannot have {length} byte(s) here"));
            }
            let start = end - length as usize;
            *string = whole.part(start, end - 1).bytes(length - 1)?;
            end = start;
        }
        if data.offset() != end {
            return data.error("bytes between the lengths of the strings and the strings");
        }
        Ok(Strings {
            list: list.into(),
            idents: (0..count).map(|_| AtomicU32::new(0)).collect(),
            budget: Budget::new(size.saturating_mul(8).saturating_add(1 << 20)),
        })
    }

    /// Shares the strings' budget with other readers.
    pub fn share(&mut self) {
        self.budget.share();
    }

    /// The same strings for another reader.
    pub fn fork(&self) -> Self {
        Strings {
            list: self.list.clone(),
            idents: self.idents.clone(),
            budget: self.budget.fork(),
        }
    }

    /// Decodes a reference to a string; the caller copies the bytes.
    pub fn bytes(&mut self, cursor: &mut Cursor<'a>) -> Read<&'a [u8]> {
        let place = cursor.offset();
        let index = cursor.index(self.list.len(), "string")?;
        self.spend(place, self.list[index].len())?;
        Ok(self.list[index])
    }

    /// Spends from the copy budget.
    pub fn spend(&mut self, place: usize, bytes: usize) -> Read<()> {
        if self.budget.take(bytes) {
            return Ok(());
        }
        fail(
            place,
            "the strings referred to add up to far more than the size of the file",
        )
    }

    /// Decodes a reference to a string as an identifier.
    pub fn ident(&self, ctx: &Context, cursor: &mut Cursor<'a>) -> Read<Ident> {
        let place = cursor.offset();
        let index = cursor.index(self.list.len(), "string")?;
        self.ident_at(ctx, place, index)
    }

    /// Decodes a reference to a string with a flag in the lowest bit.
    pub fn flagged(&self, cursor: &mut Cursor<'a>) -> Read<(&'a str, bool)> {
        let place = cursor.offset();
        let (index, flag) = cursor.flagged()?;
        let index = super::decode::check_index(place, index, self.list.len(), "string")?;
        Ok((text(place, self.list[index])?, flag))
    }

    fn ident_at(&self, ctx: &Context, place: usize, index: usize) -> Read<Ident> {
        let slot = &self.idents[index];
        if let Some(id) = slot.load(Ordering::Acquire).checked_sub(1) {
            return Ok(Ident(id));
        }
        let ident = ctx.ident(text(place, self.list[index])?);
        slot.store(ident.0 + 1, Ordering::Release);
        Ok(ident)
    }
}

/// Checks that a string is UTF-8; `place` is where it is used.
pub(super) fn text(place: usize, bytes: &[u8]) -> Read<&str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(text),
        Err(_) => fail(place, "the string must be UTF-8"),
    }
}

/// The strings of a file being written, without duplicates.
#[derive(Default)]
pub(super) struct StringTable {
    bytes: Vec<u8>,
    ends: Vec<u32>,
    index: HashTable<u32>,
    hasher: DefaultHashBuilder,
}

impl StringTable {
    /// The index of a string.
    pub fn number(&mut self, string: &[u8]) -> u32 {
        let (ends, bytes) = (&self.ends, &self.bytes);
        let stored = |number: u32| {
            let end = ends[number as usize] as usize;
            let start = number.checked_sub(1).map_or(0, |n| ends[n as usize] + 1) as usize;
            &bytes[start..end]
        };
        let hash = self.hasher.hash_one(string);
        if let Some(&number) = self.index.find(hash, |&n| stored(n) == string) {
            return number;
        }
        let number = ends.len() as u32;
        let hasher = &self.hasher;
        self.index
            .insert_unique(hash, number, |&n| hasher.hash_one(stored(n)));
        self.bytes.extend_from_slice(string);
        self.ends.push(self.bytes.len() as u32);
        self.bytes.push(0);
        number
    }

    /// Encodes the section.
    pub fn finish(self) -> Vec<u8> {
        let mut out = Encoder::default();
        out.count(self.ends.len());
        for (index, end) in self.ends.iter().enumerate().rev() {
            let start = index.checked_sub(1).map_or(0, |i| self.ends[i] + 1);
            out.index(end + 1 - start);
        }
        out.raw(&self.bytes);
        out.bytes
    }
}
