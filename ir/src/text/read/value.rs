//! SSA values: definitions, uses, and forward references.

use std::collections::HashMap;

use super::op_parser::Operand;
use super::parser::{PResult, Parser};
use super::suggest;
use super::ty::as_utf8;
use crate::body::Value;
use crate::diag::Diagnostic;
use crate::lexer::Tok;
use crate::types::Type;

/// Forward references of one isolated region: uses before their definition.
#[derive(Default, Debug)]
pub(crate) struct Forwards<'s> {
    by_name: HashMap<(&'s [u8], u32), u32>,
    list: Vec<Forward<'s>>,
}

#[derive(Debug)]
struct Forward<'s> {
    name: &'s [u8],
    number: u32,
    pos: u32,
    ty: Type,
    resolved: Option<Value>,
}

impl<'s> Parser<'s> {
    /// Defines `name` as `count` consecutive values, and resolves forward references to it.
    pub(crate) fn define(&mut self, name: &'s [u8], pos: u32, first: Value, count: u32) {
        self.define_or(name, pos, first, count, |shown| {
            let message = format!("redefinition of SSA value '%{shown}'");
            (message, "previously defined here")
        });
    }

    /// Defines an argument that the form of an operation names.
    pub(crate) fn define_argument(&mut self, name: &'s [u8], pos: u32, value: Value) {
        // A forward reference has taken the name already.
        if let Some(&index) = self.forwards.by_name.get(&(name, 0)) {
            let used = self.forwards.list[index as usize].pos;
            let shown = String::from_utf8_lossy(name);
            let message = format!("region entry argument '%{shown}' is already in use");
            let diagnostic = Diagnostic::error(self.loc(pos), message)
                .with_len(name.len() as u32 + 1)
                .with_note(self.loc(used), "previously referenced here");
            self.report(diagnostic);
        }
        self.define_or(name, pos, value, 1, |shown| {
            let message = format!("region entry argument '%{shown}' is already in use");
            (message, "previously referenced here")
        });
    }

    fn define_or(
        &mut self,
        name: &'s [u8],
        pos: u32,
        first: Value,
        count: u32,
        clash: fn(&str) -> (String, &'static str),
    ) {
        if let Err(earlier) = self.names.define(name, Some(first), count, pos, self.level) {
            let (message, note) = clash(&String::from_utf8_lossy(name));
            let diagnostic = Diagnostic::error(self.loc(pos), message)
                .with_len(name.len() as u32 + 1)
                .with_note(self.loc(earlier.pos), note);
            self.report(diagnostic);
            return;
        }
        if !self.forwards.by_name.is_empty() {
            self.resolve_forwards(name, pos, first, count);
        }
    }

    fn resolve_forwards(&mut self, name: &'s [u8], pos: u32, first: Value, count: u32) {
        for number in 0..count {
            let Some(index) = self.forwards.by_name.remove(&(name, number)) else {
                continue;
            };
            let value = first.offset(number);
            let forward = &mut self.forwards.list[index as usize];
            forward.resolved = Some(value);
            let (expected, used_at) = (forward.ty, forward.pos);
            let ty = self.body.ty(value);
            if ty != expected {
                let (shown, ty, used) = (
                    String::from_utf8_lossy(name),
                    crate::text::type_string(self.ctx, ty),
                    crate::text::type_string(self.ctx, expected),
                );
                let message =
                    format!("definition of SSA value '%{shown}#{number}' has type '{ty}'");
                let note = format!("previously used here with type '{used}'");
                let diagnostic = Diagnostic::error(self.loc(pos), message)
                    .with_len(name.len() as u32 + 1)
                    .with_note(self.loc(used_at), note);
                self.report(diagnostic);
            }
        }
    }

    fn type_conflict(&mut self, name: &[u8], ty: Type, expected: Type, used: u32, defined: u32) {
        let shown = String::from_utf8_lossy(name);
        let message = format!(
            "use of value '%{shown}' expects different type than prior uses: '{}' vs '{}'",
            crate::text::type_string(self.ctx, expected),
            crate::text::type_string(self.ctx, ty)
        );
        let diagnostic = Diagnostic::error(self.loc(used), message)
            .with_len(name.len() as u32 + 1)
            .with_note(self.loc(defined), "prior use here");
        self.report(diagnostic);
    }

    /// Resolves a use to its value; an undefined name becomes a forward reference of this type.
    pub fn resolve(&mut self, operand: Operand<'s>, ty: Type) -> PResult<Value> {
        let Operand { name, number, pos } = operand;
        let Some(entry) = self.names.find(name).copied() else {
            return Ok(self.forward(operand, ty));
        };
        let Some(first) = entry.first else {
            return Ok(self.poisoned(operand, ty));
        };
        if entry.level != self.level {
            let shown = String::from_utf8_lossy(name);
            let diagnostic = Diagnostic::error(
                self.loc(pos),
                format!(
                    "using value defined outside the region: use of undeclared SSA value name \
                     '%{shown}' in an isolated region; pass it in as an argument"
                ),
            )
            .with_len(name.len() as u32 + 1)
            .with_hint(self.loc(entry.pos), "it is defined here");
            return Err(self.report(diagnostic));
        }
        if number >= entry.count {
            let shown = String::from_utf8_lossy(name);
            let diagnostic = Diagnostic::error(
                self.loc(pos),
                format!(
                    "reference to invalid result number: '%{shown}' stands for {} value(s)",
                    entry.count
                ),
            )
            .with_len(name.len() as u32 + 1)
            .with_hint(self.loc(entry.pos), "it is defined here");
            return Err(self.report(diagnostic));
        }
        let value = first.offset(number);
        if let Some(actual) = self.forwards.type_or(value, || self.body.ty(value))
            && actual != ty
        {
            self.type_conflict(name, actual, ty, pos, entry.pos);
        }
        Ok(value)
    }

    fn forward(&mut self, operand: Operand<'s>, ty: Type) -> Value {
        let Operand { name, number, pos } = operand;
        if let Some(&index) = self.forwards.by_name.get(&(name, number)) {
            let earlier = &self.forwards.list[index as usize];
            if earlier.ty != ty {
                let (expected, at) = (earlier.ty, earlier.pos);
                self.type_conflict(name, expected, ty, pos, at);
            }
            return Value::placeholder(index);
        }
        let index = self.forwards.list.len() as u32;
        self.forwards.by_name.insert((name, number), index);
        self.forwards.list.push(Forward {
            name,
            number,
            pos,
            ty,
            resolved: None,
        });
        Value::placeholder(index)
    }

    /// Makes a placeholder for a value whose definition was refused. The whole input is refused
    /// then, so that the placeholder never leaves the parser.
    fn poisoned(&mut self, operand: Operand<'s>, ty: Type) -> Value {
        let index = self.forwards.list.len() as u32;
        self.forwards.list.push(Forward {
            name: operand.name,
            number: operand.number,
            pos: operand.pos,
            ty,
            resolved: None,
        });
        Value::placeholder(index)
    }

    /// The type of a value, which may be a forward reference.
    pub fn value_type(&self, value: Value) -> Type {
        match value.placeholder_index() {
            Some(index) => self.forwards.list[index as usize].ty,
            None => self.body.ty(value),
        }
    }

    /// `%name` or `%name#2`
    pub fn operand(&mut self) -> PResult<Operand<'s>> {
        let token = self.expect(Tok::Percent)?;
        let name = self.slice(token.start + 1, token.end);
        let mut number = 0;
        let hash = self.tok;
        if hash.kind == Tok::Hash && (hash.start == token.end || !self.legacy.on) {
            let digits = std::str::from_utf8(self.slice(hash.start + 1, hash.end)).unwrap_or("");
            number = match digits.parse() {
                Ok(number) => number,
                Err(_) => return Err(self.error("invalid SSA value result number")),
            };
            self.advance();
        }
        Ok(Operand {
            name,
            number,
            pos: token.start,
        })
    }

    /// Replaces the placeholders of this isolated region by their values, and reports the names
    /// that were never defined.
    pub(crate) fn replace_placeholders(&mut self) {
        if self.forwards.list.is_empty() {
            return;
        }
        let list = std::mem::take(&mut self.forwards.list);
        let undefined = std::mem::take(&mut self.forwards.by_name);
        let mut positions: Vec<_> = undefined.values().copied().collect();
        positions.sort_unstable();
        for index in positions {
            let forward = &list[index as usize];
            let mut shown = String::from_utf8_lossy(forward.name).into_owned();
            if forward.number > 0 {
                shown.push_str(&format!("#{}", forward.number));
            }
            let diagnostic = Diagnostic::error(
                self.loc(forward.pos),
                format!("use of undeclared SSA value name '%{shown}'"),
            )
            .with_len(shown.len() as u32 + 1);
            let name = as_utf8(forward.name).unwrap_or("");
            let defined = || defined_near(self.bytes(), forward.pos);
            let diagnostic = match name.split_once('-') {
                Some((value, rest)) if defined().any(|other| other == value) => {
                    let apart = format!("`-` is a part of the name: write `%{value} - {rest}`");
                    diagnostic.with_help(apart)
                }
                _ => diagnostic.with_near("%", suggest::nearest(name, defined())),
            };
            self.report(diagnostic);
        }
        if self.has_errors() {
            return;
        }
        self.body.replace_values(|value| {
            let resolved = value
                .placeholder_index()
                .and_then(|index| list[index as usize].resolved);
            resolved.unwrap_or(value)
        });
    }
}

/// Scans for the names defined within some thousand bytes around a position: scopes are gone by the
/// time a name turns out to be undefined.
fn defined_near(bytes: &[u8], pos: u32) -> impl Iterator<Item = &str> {
    const WINDOW: usize = 1 << 14;
    let from = (pos as usize).saturating_sub(WINDOW);
    let to = bytes.len().min(pos as usize + WINDOW);
    let text = &bytes[from..to];
    let starts = (0..text.len()).filter(|&at| text[at] == b'%');
    starts.filter_map(|at| {
        let rest = &text[at + 1..];
        let is_name = |b: &u8| b.is_ascii_alphanumeric() || b"_$.-".contains(b);
        let end = rest.iter().position(|b| !is_name(b))?;
        let after = rest[end..].iter().find(|b| **b != b' ');
        let defines = matches!(after, Some(b'=' | b':'));
        as_utf8(&rest[..end]).filter(|_| defines)
    })
}

impl Forwards<'_> {
    /// Whether no forward reference is open.
    pub(super) fn is_empty(&self) -> bool {
        self.by_name.is_empty()
    }

    /// Returns the type of a placeholder, else that of `defined`; `None` never happens for values
    /// the parser made.
    fn type_or(&self, value: Value, defined: impl FnOnce() -> Type) -> Option<Type> {
        match value.placeholder_index() {
            Some(index) => self.list.get(index as usize).map(|f| f.ty),
            None => Some(defined()),
        }
    }
}
