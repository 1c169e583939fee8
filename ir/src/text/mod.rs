//! Text form: the reader and the printer of MLIR text.
//!
//! [`parse_module`] reads MLIR text in one pass over the bytes, [`print_module`]
//! writes it. Custom forms are declared in the language of [`mod@format`], or
//! written by hand with [`OpParser`] and [`OpPrinter`].

use crate::body::{Body, OpId};
use crate::context::Context;
use crate::diag::Diagnostics;
use crate::location::Loc;
use crate::module::Module;
use crate::types::Type;

mod attributes;
mod decimal;
mod float;
pub mod format;
mod forms;
mod integer;
mod legacy;
pub mod op_form;
pub(crate) mod op_syntax;
mod read;
pub mod resources;
pub mod symbols;
mod write;

pub use crate::lexer::{Lexer, Tok, Token, unescape};
pub use attributes::canonical_properties;
pub(crate) use attributes::{Dicts, WrittenAttrs, canonical_dicts};
pub use format::store_case;
pub use format::{case_name, case_value, load_case};
pub(crate) use forms::Forms;
pub use legacy::{OldOperations, QuotedType, Relation};
pub use op_form::OpForm;
pub use op_syntax::check_row;
pub(crate) use op_syntax::{OpSyntax, of as op_syntax};
pub use read::affine::ExprOperands;
pub use read::body_parser::BodyParser;
pub(crate) use read::file::{into_module, outermost};
pub use read::fragment::{parse_attr_fragment, parse_type_fragment};
pub use read::lists::Lists;
pub use read::op::ResultName;
pub(crate) use read::op::{refused_by_dialect, takes_unregistered};
pub use read::op_parser::{Argument, Delimiter, OpParser, Operand, Operands, Place};
pub use read::parser::{PResult, Parser};
pub use read::suggest::nearest;
pub use write::attr::attr_string;
pub use write::printer::OpPrinter;
pub use write::ty::type_string;

/// Parser of a hand-written form; starts after the name of a known operation.
pub type ParseFn = fn(&mut OpParser<'_, '_>) -> Result<(), ParseFailed>;

/// Printer of a hand-written form; starts after the name of a known operation. For an operation
/// without successors, the text must depend only on its attributes, its types, the names of its
/// operands and of the arguments of its regions, and on which regions have blocks, unless its row
/// says that the form [looks inside](OpForm::looks_inside): the printer copies it to
/// operations equal in these.
pub type PrintFn = fn(&mut OpPrinter<'_>, &Context, &Body, OpId);

/// Parse failure: the parser has reported an error and gives up on this operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParseFailed;

/// Options of reading text.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct ParseOptions {
    /// Accept unknown operations, in generic form.
    pub allow_unregistered: bool,
}

/// Options of printing text.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct PrintOptions {
    /// Print every operation in generic form.
    pub generic: bool,
    /// Print locations too.
    pub debuginfo: bool,
    /// Print everything in place, without aliases.
    pub local_scope: bool,
}

/// Reads a module. A text whose only top-level operation is a `module` is that module; any other is
/// wrapped in one. The source stays in the context under `name`, for diagnostics.
pub fn parse_module(
    ctx: &Context,
    name: &str,
    bytes: impl Into<Box<[u8]>>,
    options: &ParseOptions,
) -> Result<Module, Diagnostics> {
    parse_part(ctx, name, bytes, 0, options)
}

/// Reads a part of a file as a module of its own. Positions are those of the file, in which
/// `lines_before` lines come first.
///
/// # Errors
/// As [`parse_module`].
pub fn parse_part(
    ctx: &Context,
    name: &str,
    bytes: impl Into<Box<[u8]>>,
    lines_before: u32,
    options: &ParseOptions,
) -> Result<Module, Diagnostics> {
    let source = match ctx.sources().add_part(name, bytes.into(), lines_before) {
        Ok(source) => source,
        Err(too_large) => {
            let mut diagnostics = Diagnostics::new();
            diagnostics.error(Loc::UNKNOWN, format!("{name}: {too_large}"));
            return Err(diagnostics);
        }
    };
    let parser = || read::parser::Parser::new(ctx, &source.bytes, source.start.0, options);
    if ctx.threads() > 1
        && source.bytes.len() >= read::parallel::MIN_SOURCE
        && let Ok(module) = parser().with_threads().file(name)
    {
        return Ok(module);
    }
    parser().file(name)
}

/// Prints a module; the text ends with a line end.
pub fn print_module(ctx: &Context, module: &Module, options: &PrintOptions) -> String {
    let mut text = String::new();
    print_module_to(ctx, module, options, &mut |part| text.push_str(part));
    text
}

/// Prints a module part by part to `sink`, which needs less memory than [`print_module`].
pub fn print_module_to(
    ctx: &Context,
    module: &Module,
    options: &PrintOptions,
    sink: &mut dyn FnMut(&str),
) {
    let mut sink = |part: &str| sink(part);
    OpPrinter::new(ctx, options).module(module, &mut sink);
}

/// Prints one operation of a body, for messages and debugging. Values from outside are numbered as
/// in their own body.
pub fn print_op(ctx: &Context, body: &Body, op: OpId, options: &PrintOptions) -> String {
    OpPrinter::new(ctx, options).single(body, op)
}

/// Parses a type that makes up a whole text.
pub fn parse_type(ctx: &Context, text: &str) -> Result<Type, Diagnostics> {
    let options = ParseOptions::default();
    let source = match ctx.sources().add("<type>", text.as_bytes().into()) {
        Ok(source) => source,
        Err(too_large) => {
            let mut diagnostics = Diagnostics::new();
            diagnostics.error(Loc::UNKNOWN, too_large.to_string());
            return Err(diagnostics);
        }
    };
    let mut parser = read::parser::Parser::new(ctx, &source.bytes, source.start.0, &options);
    match parser
        .ty()
        .and_then(|ty| parser.expect(Tok::Eof).map(|_| ty))
    {
        Ok(ty) => Ok(ty),
        Err(ParseFailed) => Err(parser.into_diagnostics()),
    }
}
