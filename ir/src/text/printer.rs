//! The printer's core: output, aliases, the names of the body at hand.

use std::fmt::Write as _;
use std::ops::Range;

use super::PrintOptions;
use super::print_parallel::AliasUse;
use super::value_names::ValueNames;
use crate::attr::Attr;
use crate::body::{Body, OpId};
use crate::context::Context;
use crate::hash::FxHashMap;
use crate::location::Loc;
use crate::module::Module;
use crate::types::Type;

/// Prints operations: what a hand-written form works with.
///
/// Aliases are named as they are first used, while the text grows; their
/// definitions are put before it (locations: after it) at the end.
pub struct OpPrinter<'a> {
    pub(crate) ctx: &'a Context,
    pub(crate) options: &'a PrintOptions,
    pub(crate) out: String,
    pub(crate) indent: usize,
    pub(crate) names: ValueNames,
    /// The names of the isolated body printed last, and its address.
    pub(crate) kept_names: Option<(usize, ValueNames)>,
    /// Texts of types printed before, as ranges of `type_text`.
    pub(crate) type_ranges: FxHashMap<Type, Range<usize>>,
    pub(crate) type_text: String,
    /// The dialect whose prefix is left out here.
    pub(crate) default_dialect: &'static str,
    aliases: FxHashMap<Attr, u32>,
    /// Definitions of attribute aliases in order.
    definitions: Vec<String>,
    counts: [u32; 2],
    /// Where aliases belong that are written later, if this printer leaves them
    /// open.
    pub(crate) alias_uses: Option<Vec<AliasUse>>,
    loc_aliases: FxHashMap<Loc, u32>,
    pub(crate) locs: Vec<Loc>,
    /// Line starts of the sources that locations point into, by first byte.
    pub(crate) lines: FxHashMap<u32, Vec<u32>>,
}

impl std::fmt::Debug for OpPrinter<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("OpPrinter")
            .field("printed", &self.out.len())
            .finish_non_exhaustive()
    }
}

impl<'a> OpPrinter<'a> {
    pub(crate) fn new(ctx: &'a Context, options: &'a PrintOptions) -> Self {
        OpPrinter {
            ctx,
            options,
            out: String::new(),
            indent: 0,
            names: ValueNames::default(),
            kept_names: None,
            type_ranges: FxHashMap::default(),
            type_text: String::new(),
            default_dialect: "",
            aliases: FxHashMap::default(),
            definitions: Vec::new(),
            counts: [0; 2],
            alias_uses: None,
            loc_aliases: FxHashMap::default(),
            locs: Vec::new(),
            lines: FxHashMap::default(),
        }
    }

    /// A module with its aliases and resources.
    pub(crate) fn module(mut self, module: &Module) -> String {
        let (root, op) = module.root();
        self.default_dialect = "builtin";
        self.names = ValueNames::of(self.ctx, root);
        self.operation(root, op);
        self.out.push('\n');
        self.loc_definitions();
        if !module.metadata.is_empty() {
            self.out.push('\n');
            self.out.push_str(&module.metadata);
            self.out.push('\n');
        }
        self.with_definitions()
    }

    /// One operation and nothing around it.
    pub(crate) fn single(mut self, body: &Body, op: OpId) -> String {
        self.names = ValueNames::of(self.ctx, body);
        self.operation(body, op);
        self.loc_definitions();
        self.with_definitions()
    }

    fn with_definitions(self) -> String {
        if self.definitions.is_empty() {
            return self.out;
        }
        let mut text = self.definitions.concat();
        text.push_str(&self.out);
        text
    }

    fn loc_definitions(&mut self) {
        let mut next = 0;
        // Printing a location may need further ones.
        while let Some(&loc) = self.locs.get(next) {
            let _ = write!(self.out, "#loc{next} = loc(");
            self.location_body(loc);
            self.out.push_str(")\n");
            next += 1;
        }
    }

    /// Writes the alias of a map or set, defining it if it is new; says
    /// whether it did.
    pub(crate) fn alias(&mut self, attr: Attr, is_set: bool) -> bool {
        if self.options.local_scope {
            return false;
        }
        if self.leave_alias_open(attr, is_set) {
            return true;
        }
        let stem = if is_set { "#set" } else { "#map" };
        let index = match self.aliases.get(&attr) {
            Some(&index) => index,
            None => {
                let count = &mut self.counts[usize::from(is_set)];
                let index = *count;
                *count += 1;
                self.aliases.insert(attr, index);
                let body = std::mem::take(&mut self.out);
                self.out.push_str(stem);
                self.number_unless_zero(index);
                self.out.push_str(" = ");
                self.map_or_set(attr);
                self.out.push('\n');
                let definition = std::mem::replace(&mut self.out, body);
                self.definitions.push(definition);
                index
            }
        };
        self.out.push_str(stem);
        self.number_unless_zero(index);
        true
    }

    fn number_unless_zero(&mut self, index: u32) {
        if index > 0 {
            self.number(index.into());
        }
    }

    /// The number of a location's alias.
    pub(crate) fn loc_alias(&mut self, loc: Loc) -> u32 {
        let next = self.locs.len() as u32;
        let number = *self.loc_aliases.entry(loc).or_insert(next);
        if number == next {
            self.locs.push(loc);
        }
        number
    }

    /// Writes a decimal number without the formatting machinery.
    pub(crate) fn number(&mut self, value: i64) {
        if (0..10).contains(&value) {
            self.out.push((b'0' + value as u8) as char);
            return;
        }
        let mut digits = [0u8; 20];
        let mut at = digits.len();
        let mut rest = value.unsigned_abs();
        while rest > 0 {
            at -= 1;
            digits[at] = b'0' + (rest % 10) as u8;
            rest /= 10;
        }
        if value < 0 {
            self.out.push('-');
        }
        self.out
            .push_str(std::str::from_utf8(&digits[at..]).unwrap_or(""));
    }

    /// Starts a line at the current depth.
    pub(crate) fn start_line(&mut self) {
        const BLANKS: &str = "                                                                ";
        let mut rest = self.indent;
        while rest > 0 {
            let part = rest.min(BLANKS.len());
            self.out.push_str(&BLANKS[..part]);
            rest -= part;
        }
    }

    /// A string in quotes, everything but plain ASCII escaped.
    pub(crate) fn quoted(&mut self, bytes: &[u8]) {
        self.out.push('"');
        for &byte in bytes {
            match byte {
                b'\\' => self.out.push_str("\\\\"),
                b' '..=b'~' if byte != b'"' => self.out.push(byte as char),
                _ => {
                    let _ = write!(self.out, "\\{byte:02X}");
                }
            }
        }
        self.out.push('"');
    }

    /// A name bare where it can be, else in quotes.
    pub(crate) fn bare_or_quoted(&mut self, name: &str) {
        if is_bare(name) {
            self.out.push_str(name);
        } else {
            self.quoted(name.as_bytes());
        }
    }
}

/// Whether a name can stand without quotes.
pub(crate) fn is_bare(name: &str) -> bool {
    let mut bytes = name.bytes();
    bytes
        .next()
        .is_some_and(|b| b.is_ascii_alphabetic() || b == b'_')
        && bytes.all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$' | b'.'))
}
