//! Decodes locations.

use super::decode::{Cursor, Read, fail};
use super::format::attr_code as code;
use super::tables::Tables;
use crate::context::Ident;
use crate::location::{Loc, LocKind};
use crate::source::{FilePlace, PlaceList};

impl<'a> Tables<'a> {
    /// Decodes all file, line and column locations at once, since nearly every
    /// operation has its own. Malformed ones are left out; decoding them on
    /// demand reports the error.
    pub(super) fn read_places(&self) -> PlaceList {
        let mut last_file = None;
        let places = self.builtin_attrs();
        let places = places.map(|range| self.place(range?, &mut last_file));
        places.collect()
    }

    #[inline]
    fn place(
        &self,
        (start, end): (usize, usize),
        last_file: &mut Option<(u64, Ident)>,
    ) -> Option<FilePlace> {
        // Varints decode faster with bytes behind them.
        let mut data = self.section().at(start);
        if data.varint().ok()? != code::FILE_LINE_COL_LOC {
            return None;
        }
        let file = data.varint().ok()?;
        let (line, col) = (number(&mut data).ok()?, number(&mut data).ok()?);
        if data.offset() != end {
            return None;
        }
        let file = match *last_file {
            Some((last, name)) if last == file => name,
            _ => {
                let name = self.name_at(start, file).ok()?;
                *last_file = Some((file, name));
                name
            }
        };
        Some(FilePlace { file, line, col })
    }

    /// Decodes a location of this kind; `None` if the kind is an attribute.
    pub(super) fn builtin_loc(&mut self, kind: u64, data: &mut Cursor<'a>) -> Read<Option<Loc>> {
        let kind = match kind {
            // Locations that `read_places` left out.
            code::FILE_LINE_COL_LOC => {
                let file = self.name(data)?;
                let start = (number(data)?, number(data)?);
                let end = start;
                LocKind::FileRange { file, start, end }
            }
            code::CALL_SITE_LOC => LocKind::CallSite {
                callee: self.loc(data)?,
                caller: self.loc(data)?,
            },
            code::FUSED_LOC | code::FUSED_LOC_WITH_METADATA => {
                let count = data.count("locations")?;
                let locs: Vec<Loc> = (0..count).map(|_| self.loc(data)).collect::<Read<_>>()?;
                let metadata = match kind {
                    code::FUSED_LOC => None,
                    _ => Some(self.attr(data)?),
                };
                let locs = locs.into();
                LocKind::Fused { locs, metadata }
            }
            code::NAME_LOC => LocKind::Name {
                name: self.name(data)?,
                child: self.loc(data)?,
            },
            code::UNKNOWN_LOC => return Ok(Some(Loc::UNKNOWN)),
            code::FILE_RANGE_LOC => self.file_range(data)?,
            _ => return Ok(None),
        };
        Ok(Some(self.ctx.intern_loc(kind)))
    }

    /// Decodes a file range of up to four numbers: start line and column, then
    /// the end column if it is on the same line, else end line and column.
    fn file_range(&mut self, data: &mut Cursor<'a>) -> Read<LocKind> {
        let file = self.name(data)?;
        let place = data.offset();
        let mut numbers = [0; 4];
        let count = data.count("numbers")?;
        let Some(given) = numbers.get_mut(..count) else {
            return fail(place, "a range in a file is at most four numbers");
        };
        for given in given {
            *given = number(data)?;
        }
        let [line, col, third, fourth] = numbers;
        let end = match count {
            0..=2 => (line, col),
            3 => (line, third),
            _ => (third, fourth),
        };
        let start = (line, col);
        Ok(LocKind::FileRange { file, start, end })
    }
}

#[inline]
fn number(data: &mut Cursor<'_>) -> Read<u32> {
    let place = data.offset();
    let value = data.varint()?;
    match u32::try_from(value) {
        Ok(value) => Ok(value),
        Err(_) => fail(place, format!("line or column {value} is too large")),
    }
}
