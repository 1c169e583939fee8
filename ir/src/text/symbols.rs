//! Types and attributes that dialects define: `!gpu.mma_matrix<…>`,
//! `#arith.fastmath<…>`.
//!
//! A dialect lists them in a table of [`Symbols`]. The definition parses what
//! follows the name in place, so nested aliases and types work and errors have
//! their position. A dialect without a table is foreign: its types and
//! attributes are stored as text.

use super::{BodyParser, OpPrinter, ParseFailed};
use crate::attr::Attr;
use crate::context::Context;
use crate::context::dialect_registry::{ElementOf, ShapeOf};
use crate::context::signature::EnumDef;
use crate::types::Type;

/// Parses what follows the name of a type or attribute.
pub type ParseBody<T> = fn(&mut BodyParser<'_, '_>) -> Result<T, ParseFailed>;

/// Prints what follows the name, given the parameters.
pub type PrintBody = fn(&mut OpPrinter<'_>, &Context, &[Attr]);

/// The syntax of a type or attribute after its name.
#[derive(Clone, Copy, Debug)]
pub enum Form<T> {
    /// Without a body: `!gpu.async.token`. Stored as text.
    Plain,
    /// The keyword of an enumeration, in brackets if its storage has them.
    /// Stored as the enumeration defines; attributes only.
    Enum(&'static EnumDef),
    /// Parameters with a parser and a printer. The parser usually makes a
    /// [`Parametric`](crate::context::Parametric), which `print` prints; other results print by themselves.
    Parameters {
        /// Parses what follows the name.
        parse: ParseBody<T>,
        /// Prints it.
        print: PrintBody,
    },
    /// Parameters as a list in angle brackets, `<a, b>`, stored as a [`Parametric`](crate::context::Parametric).
    List(&'static [Parameter]),
}

/// A parameter in a declared list.
#[derive(Clone, Copy, Debug)]
pub enum Parameter {
    /// A type, stored as a type attribute.
    Type,
    /// A 64-bit integer; the text names what it is, for messages.
    Integer(&'static str),
    /// Any attribute.
    Attribute,
}

/// A type or attribute that a dialect defines.
#[derive(Clone, Copy, Debug)]
pub struct SymbolDef<T> {
    /// The name in the dialect.
    pub name: &'static str,
    /// The syntax after the name.
    pub form: Form<T>,
    /// The shape of a type of elements.
    pub shape: Option<ShapeOf>,
    /// The containers that take a type for their elements.
    pub element_of: ElementOf,
}

impl<T> SymbolDef<T> {
    /// A definition without parameters.
    pub const fn plain(name: &'static str) -> Self {
        let form = Form::Plain;
        SymbolDef {
            name,
            form,
            shape: None,
            element_of: ElementOf::NONE,
        }
    }

    /// A definition with parameters.
    pub const fn new(name: &'static str, parse: ParseBody<T>, print: PrintBody) -> Self {
        let form = Form::Parameters { parse, print };
        SymbolDef {
            name,
            form,
            shape: None,
            element_of: ElementOf::NONE,
        }
    }

    /// A definition with a list of parameters in angle brackets.
    pub const fn list(name: &'static str, parameters: &'static [Parameter]) -> Self {
        let form = Form::List(parameters);
        SymbolDef {
            name,
            form,
            shape: None,
            element_of: ElementOf::NONE,
        }
    }
}

impl SymbolDef<Type> {
    /// Says that values of the type have elements.
    pub const fn shaped(mut self, shape: ShapeOf) -> Self {
        self.shape = Some(shape);
        self
    }

    /// Says that vectors or memrefs may have elements of the type. Tensors may have any.
    pub const fn element_of(mut self, containers: ElementOf) -> Self {
        self.element_of = containers;
        self
    }
}

impl SymbolDef<Attr> {
    /// A definition as an enumeration.
    pub const fn cases(name: &'static str, def: &'static EnumDef) -> Self {
        let form = Form::Enum(def);
        SymbolDef {
            name,
            form,
            shape: None,
            element_of: ElementOf::NONE,
        }
    }
}

/// The types and attributes of a dialect.
#[derive(Clone, Copy, Debug)]
pub struct Symbols {
    /// The dialect's name.
    pub dialect: &'static str,
    /// Its types.
    pub types: &'static [SymbolDef<Type>],
    /// Its attributes.
    pub attrs: &'static [SymbolDef<Attr>],
}

impl Symbols {
    /// A dialect that defines neither types nor attributes.
    pub const fn none(dialect: &'static str) -> Symbols {
        Symbols {
            dialect,
            types: &[],
            attrs: &[],
        }
    }

    /// The definition of a type.
    pub(crate) fn ty(&self, name: &str) -> Option<&'static SymbolDef<Type>> {
        self.types.iter().find(|def| def.name == name)
    }

    /// The definition of an attribute.
    pub(crate) fn attr(&self, name: &str) -> Option<&'static SymbolDef<Attr>> {
        self.attrs.iter().find(|def| def.name == name)
    }
}
