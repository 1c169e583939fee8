//! Locations.

use super::decode::{Cursor, Read, fail};
use super::format::attr_code as code;
use super::tables::Tables;
use crate::location::{Loc, LocKind};
use crate::source::FilePlace;

impl<'a> Tables<'a> {
    /// A line and column of a file, if the part of a section from `start` to
    /// `end` holds that.
    #[inline]
    pub(super) fn file_place(
        &mut self,
        section: Cursor<'a>,
        (start, end): (usize, usize),
    ) -> Read<Option<FilePlace>> {
        // Numbers are read sooner where bytes stand behind them.
        let mut data = section.at(start);
        match self.unbounded_file_place(&mut data) {
            Ok(None) => return Ok(None),
            Ok(place) if data.offset() == end => return Ok(place),
            // It is said what is wrong within bounds.
            _ => {}
        }
        let mut data = section.part(start, end);
        let place = self.unbounded_file_place(&mut data)?;
        if place.is_some() && !data.at_end() {
            return data.error("bytes after the location");
        }
        Ok(place)
    }

    #[inline]
    fn unbounded_file_place(&mut self, data: &mut Cursor<'a>) -> Read<Option<FilePlace>> {
        if data.varint()? != code::FILE_LINE_COL_LOC {
            return Ok(None);
        }
        Ok(Some(FilePlace {
            file: self.name(data)?,
            line: number(data)?,
            col: number(data)?,
        }))
    }

    /// A location of this kind; `None` for kinds that are attributes.
    pub(super) fn builtin_loc(&mut self, kind: u64, data: &mut Cursor<'a>) -> Read<Option<Loc>> {
        let kind = match kind {
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

    /// Up to four numbers: start line and column, end column where it is on
    /// the same line, else end line and column.
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
