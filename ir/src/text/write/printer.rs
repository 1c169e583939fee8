//! Printer core: output, aliases, names of the current body.

use std::fmt::Write as _;
use std::ops::Range;
use std::sync::Arc;

use super::alias_scan::AliasScan;
use super::aliases::Aliases;
use super::attr::Typed;
use super::form_cache::FormCache;
use super::numbering::{Around, Namer, Starts, ValueNames};
use super::out::Out;
use crate::attr::Attr;
use crate::body::{Body, OpId};
use crate::context::OpName;
use crate::context::{Context, Ident};
use crate::hash::FxHashMap;
use crate::module::Module;
use crate::text::{Forms, PrintOptions, resources};
use crate::types::Type;

/// Printer of operations, on which hand-written forms work.
///
/// First an [alias scan](super::alias_scan) assigns the aliases; then the text is printed, and
/// handed on as it grows.
pub struct OpPrinter<'a> {
    /// The context.
    pub ctx: &'a Context,
    pub(crate) options: &'a PrintOptions,
    pub(crate) out: Out,
    /// Sink that takes the text part by part.
    pub(crate) sink: Option<&'a mut Sink<'a>>,
    pub(crate) indent: usize,
    pub(crate) names: Arc<ValueNames>,
    pub(crate) namer: Namer,
    /// Initial counters of all bodies in the generic form.
    pub(crate) generic_starts: Option<Arc<Starts>>,
    /// Name cache: the table of the isolated body printed last, with its address.
    pub(crate) kept_names: Option<(usize, Arc<ValueNames>)>,
    /// Text cache of types and attributes, as ranges of `memo_text`.
    pub(crate) type_ranges: FxHashMap<Type, Range<usize>>,
    pub(crate) attr_ranges: FxHashMap<(Attr, Typed), Range<usize>>,
    pub(crate) memo_text: String,
    /// The enclosing operation, if names of its dialect have no prefix in it.
    pub(crate) opens_dialect: Option<OpName>,
    /// The forms of operations, types and attributes.
    pub(crate) table: &'a Forms,
    pub(crate) forms: FormCache,
    pub(crate) scan: AliasScan,
    pub(crate) aliases: Aliases,
    /// Keys of the resources that the printed text refers to.
    pub(crate) resources: Vec<Ident>,
    /// Line starts of the sources that locations point into, by first byte.
    pub(crate) lines: FxHashMap<u32, Vec<u32>>,
}

/// Text sink.
pub(crate) type Sink<'a> = dyn FnMut(&str) + 'a;

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
            sink: None,
            indent: 0,
            names: Arc::default(),
            namer: Namer::default(),
            generic_starts: None,
            kept_names: None,
            type_ranges: FxHashMap::default(),
            attr_ranges: FxHashMap::default(),
            memo_text: String::new(),
            opens_dialect: None,
            table: Forms::of(ctx),
            forms: FormCache::default(),
            scan: AliasScan::default(),
            aliases: Aliases::default(),
            resources: Vec::new(),
            lines: FxHashMap::default(),
        }
    }

    /// Prints a module with its aliases and resources, part by part.
    pub(crate) fn module(mut self, module: &Module, sink: &'a mut Sink<'a>) {
        let (root, op) = module.root();
        self.sink = Some(sink);
        self.opens_dialect = Some(OpName::ROOT);
        self.with_definitions(root, op, "\n");
        if !module.metadata.is_empty() {
            let used = std::mem::take(&mut self.resources);
            let section = resources::printed(self.ctx, &module.metadata, &used);
            if !section.is_empty() {
                self.out.push('\n');
                self.out.push_str(&section);
                self.out.push('\n');
            }
        }
        self.hand_on();
    }

    /// Prints one operation and nothing around it.
    pub(crate) fn single(mut self, body: &Body, op: OpId) -> String {
        self.with_definitions(body, op, "");
        self.out.into_string()
    }

    /// Prints an operation and `after` it, with the definitions of its aliases.
    fn with_definitions(&mut self, body: &Body, op: OpId, after: &str) {
        self.scan_module(body, op);
        let late = self.early_definitions();
        self.names = self.first_names(body);
        self.operation(body, op);
        self.out.push_str(after);
        self.definitions(&late);
    }

    /// Names the values of the outermost body.
    fn first_names(&mut self, body: &Body) -> Arc<ValueNames> {
        let mut names = ValueNames::default();
        if self.options.generic {
            let starts = self.namer.all_generic(&mut names, body, self.scan.leaves());
            self.generic_starts = Some(Arc::new(starts));
        } else {
            let around = Around::default();
            self.namer.custom(&mut names, self.ctx, body, &around);
        }
        Arc::new(names)
    }

    /// Hands the printed text on, if there is a sink.
    pub(crate) fn hand_on(&mut self) {
        if let Some(sink) = &mut self.sink {
            self.out.hand_on(sink);
        }
    }

    /// Hands on whole parts of the printed text, if there are any.
    pub(crate) fn hand_on_parts(&mut self) {
        if self.out.is_full()
            && let Some(sink) = &mut self.sink
        {
            self.out.hand_on_parts(sink);
        }
    }

    /// Prints a decimal number without the formatting machinery.
    pub(crate) fn number(&mut self, value: i64) {
        if value < 0 {
            self.out.push('-');
        }
        self.out.push_number(value.unsigned_abs());
    }

    /// Starts a line at the current depth.
    #[inline]
    pub(crate) fn start_line(&mut self) {
        self.out.push_blanks(self.indent);
    }

    /// Prints a string in quotes, with everything but plain ASCII escaped.
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

    /// Prints a name bare where possible, else in quotes.
    pub(crate) fn bare_or_quoted(&mut self, name: &str) {
        if is_bare(name) {
            self.out.push_str(name);
        } else {
            self.quoted(name.as_bytes());
        }
    }
}

/// Whether a name needs no quotes.
pub(crate) fn is_bare(name: &str) -> bool {
    let mut bytes = name.bytes();
    bytes
        .next()
        .is_some_and(|b| b.is_ascii_alphabetic() || b == b'_')
        && bytes.all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$' | b'.'))
}
