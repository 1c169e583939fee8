//! The text form: reading and printing.

use crate::body::{Body, OpId};
use crate::context::Context;

pub mod format;

/// Parses what follows the name of a known operation with a hand-written form.
pub type ParseFn = fn(&mut OpParser) -> Result<(), ParseFailed>;

/// Prints what follows the name of a known operation with a hand-written form.
pub type PrintFn = fn(&mut OpPrinter, &Context, &Body, OpId);

/// What a hand-written parser works with.
#[derive(Debug)]
pub struct OpParser {}

/// What a hand-written printer works with.
#[derive(Debug)]
pub struct OpPrinter {}

/// The parser has reported an error and gives up on this operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParseFailed;
