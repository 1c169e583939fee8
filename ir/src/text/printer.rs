//! The printer's core: output, aliases, the names of the body at hand.

use std::fmt::Write as _;
use std::ops::Range;
use std::sync::Arc;

use super::aliases::Aliases;
use super::out::Out;
use super::pattern::Patterns;
use super::print_attr::Typed;
use super::value_names::{Around, Namer, Start, Starts, ValueNames};
use super::{PrintOptions, resources};
use crate::attr::Attr;
use crate::body::{Body, OpId};
use crate::context::{Context, Ident};
use crate::dialect::builtin;
use crate::hash::FxHashMap;
use crate::module::Module;
use crate::op::OpName;
use crate::types::Type;

/// Prints operations: what a hand-written form works with.
///
/// Aliases leave gaps while the text grows; `aliases` fills them at the end.
pub struct OpPrinter<'a> {
    pub(crate) ctx: &'a Context,
    pub(crate) options: &'a PrintOptions,
    pub(crate) out: Out,
    pub(crate) indent: usize,
    pub(crate) names: Arc<ValueNames>,
    pub(crate) namer: Namer,
    /// In the generic form, what the names in all bodies start from.
    pub(crate) generic_starts: Option<Arc<Starts>>,
    /// The names of the isolated body printed last, and its address.
    pub(crate) kept_names: Option<(usize, Arc<ValueNames>)>,
    /// Texts of types and attributes printed before, as ranges of `memo_text`.
    pub(crate) type_ranges: FxHashMap<Type, Range<usize>>,
    pub(crate) attr_ranges: FxHashMap<(Attr, Typed), Range<usize>>,
    pub(crate) memo_text: String,
    /// The operation around, if names of its dialect have no prefix in it.
    pub(crate) opens_dialect: Option<OpName>,
    pub(crate) patterns: Patterns,
    pub(crate) aliases: Aliases,
    /// Keys of the resources that what has been printed refers to.
    pub(crate) resources: Vec<Ident>,
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
            out: Out::default(),
            indent: 0,
            names: Arc::default(),
            namer: Namer::default(),
            generic_starts: None,
            kept_names: None,
            type_ranges: FxHashMap::default(),
            attr_ranges: FxHashMap::default(),
            memo_text: String::new(),
            opens_dialect: None,
            patterns: Patterns::default(),
            aliases: Aliases::default(),
            resources: Vec::new(),
            lines: FxHashMap::default(),
        }
    }

    /// A module with its aliases and resources, part by part.
    pub(crate) fn module(mut self, module: &Module, sink: &mut dyn FnMut(&str)) {
        let (root, op) = module.root();
        self.opens_dialect = Some(builtin::MODULE);
        self.names = self.first_names(root);
        self.operation(root, op);
        self.out.push('\n');
        self.with_definitions(sink);
        if !module.metadata.is_empty() {
            let used = std::mem::take(&mut self.resources);
            let section = resources::printed(self.ctx, &module.metadata, &used);
            if !section.is_empty() {
                sink("\n");
                sink(&section);
                sink("\n");
            }
        }
    }

    /// The names of the outermost body.
    fn first_names(&mut self, body: &Body) -> Arc<ValueNames> {
        let mut names = ValueNames::default();
        if self.options.generic {
            let mut starts = Starts::default();
            let start = Start::default();
            self.namer
                .generic(&mut names, body, start, Some(&mut starts));
            self.generic_starts = Some(Arc::new(starts));
        } else {
            let around = Around::default();
            self.namer.custom(&mut names, self.ctx, body, &around);
        }
        Arc::new(names)
    }

    /// One operation and nothing around it.
    pub(crate) fn single(mut self, body: &Body, op: OpId) -> String {
        self.names = self.first_names(body);
        self.operation(body, op);
        let mut text = String::new();
        self.with_definitions(&mut |part| text.push_str(part));
        text
    }

    /// Writes a decimal number without the formatting machinery.
    pub(crate) fn number(&mut self, value: i64) {
        if value < 0 {
            self.out.push('-');
        }
        self.out.push_number(value.unsigned_abs());
    }

    /// Starts a line at the current depth.
    pub(crate) fn start_line(&mut self) {
        self.out.push_blanks(self.indent);
    }

    /// A string in quotes, everything but plain ASCII escaped.
    pub(crate) fn quoted(&mut self, bytes: &[u8]) {
        self.out.push('"');
        let plain = |b: &u8| matches!(b, b' '..=b'~') && !matches!(b, b'"' | b'\\');
        let special = bytes.iter().position(|b| !plain(b));
        let (start, rest) = bytes.split_at(special.unwrap_or(bytes.len()));
        self.out.push_str(std::str::from_utf8(start).unwrap_or(""));
        for &byte in rest {
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
