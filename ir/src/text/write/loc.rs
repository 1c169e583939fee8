//! Printer of locations.

use super::aliases::{AliasName, Symbol};
use super::printer::OpPrinter;
use crate::location::{Loc, LocKind};
use crate::source::{BytePos, FilePlace};

impl OpPrinter<'_> {
    /// Prints `loc(…)`.
    pub(crate) fn location(&mut self, loc: Loc) {
        self.out.push_str("loc(");
        self.location_body(loc);
        self.out.push(')');
    }

    /// Prints ` loc(…)` if locations are printed; `name` is the alias of the location, if aliases
    /// are on.
    pub(crate) fn trailing_location(&mut self, loc: Loc, name: Option<AliasName>) {
        if self.options.debuginfo {
            self.out.push_str(" loc(");
            match name {
                Some(name) => self.put_name(name, Symbol::Loc(loc), true),
                None => self.location_body(loc),
            }
            self.out.push(')');
        }
    }

    /// Prints ` loc(…)` of a block argument if locations are printed: upstream spells it in full.
    pub(crate) fn block_argument_location(&mut self, loc: Loc) {
        if self.options.debuginfo {
            self.forms.give_up();
            self.visit_loc(loc, false);
            self.out.push(' ');
            self.location(loc);
        }
    }

    /// Prints a location by its alias, if aliases are on.
    fn location_part(&mut self, loc: Loc) {
        if !self.loc_alias(loc) {
            self.location_body(loc);
        }
    }

    /// Prints the text between the parentheses. Recurses as deep as the location is nested, which
    /// the parser bounds.
    pub(crate) fn location_body(&mut self, loc: Loc) {
        let Some(kind) = loc.kind(self.ctx) else {
            if let Some(pos) = loc.source_pos() {
                self.source_position(pos);
            }
            return;
        };
        match kind {
            LocKind::Unknown => self.out.push_str("unknown"),
            LocKind::FileRange { file, start, end } => {
                self.quoted(self.ctx.str(*file).as_bytes());
                self.line_col(*start);
                if end != start {
                    self.out.push_str(" to ");
                    if end.0 != start.0 {
                        self.number(end.0.into());
                    }
                    self.out.push(':');
                    self.number(end.1.into());
                }
            }
            LocKind::Name { name, child } => {
                self.quoted(self.ctx.str(*name).as_bytes());
                if *child != Loc::UNKNOWN {
                    self.out.push('(');
                    self.location_part(*child);
                    self.out.push(')');
                }
            }
            LocKind::CallSite { callee, caller } => {
                self.out.push_str("callsite(");
                self.location_part(*callee);
                self.out.push_str(" at ");
                self.location_part(*caller);
                self.out.push(')');
            }
            LocKind::Fused { locs, metadata } => {
                self.out.push_str("fused");
                if let Some(metadata) = metadata {
                    self.out.push('<');
                    self.attr(*metadata);
                    self.out.push('>');
                }
                self.out.push('[');
                self.separated(locs, |p, &loc| p.location_part(loc));
                self.out.push(']');
            }
        }
    }

    fn line_col(&mut self, (line, col): (u32, u32)) {
        self.out.push(':');
        self.number(line.into());
        self.out.push(':');
        self.number(col.into());
    }

    fn source_position(&mut self, pos: BytePos) {
        let Some(source) = self.ctx.sources().find(pos) else {
            let places = self.ctx.sources().find_places(pos);
            return match places.and_then(|places| places.get(pos)) {
                Some(FilePlace { file, line, col }) => {
                    self.quoted(self.ctx.str(file).as_bytes());
                    self.line_col((line, col));
                }
                None => self.out.push_str("unknown"),
            };
        };
        let lines = self.lines.entry(source.start.0).or_insert_with(|| {
            let ends = source
                .bytes
                .iter()
                .enumerate()
                .filter(|(_, b)| **b == b'\n');
            std::iter::once(0)
                .chain(ends.map(|(at, _)| at as u32 + 1))
                .collect()
        });
        let offset = pos.0 - source.start.0;
        let line = lines.partition_point(|&start| start <= offset);
        let start = lines[..line].last().copied().unwrap_or(0);
        let place = (source.lines_before + line as u32, offset - start + 1);
        self.quoted(source.name.as_bytes());
        self.line_col(place);
    }
}
