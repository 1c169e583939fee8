//! Spaces: the assignment of variables to the columns of a constraint row.

use std::ops::Range;

/// The three kinds of variables, in column order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum VarKind {
    /// A coordinate of the points in the set: a loop variable, an array index.
    Dim,
    /// A value that is fixed but not known: a size, an outer loop variable.
    Symbol,
    /// An existentially quantified variable: a quotient, a projected coordinate.
    Local,
}

/// Column layout of a constraint row:
///
/// ```text
///   0 .. dims | .. symbols | .. locals | last
///   d0 d1 ..  |  s0 s1 ..  | e0 e1 ..  | constant
/// ```
///
/// A space without locals names the points of a set; a polyhedron may add locals
/// of its own to it. Locals come last so that adding one renumbers no other variable.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Space {
    dims: usize,
    symbols: usize,
    locals: usize,
}

impl Space {
    /// A space of so many dims and symbols, without locals.
    pub const fn new(dims: usize, symbols: usize) -> Self {
        Self {
            dims,
            symbols,
            locals: 0,
        }
    }

    /// The same dims and symbols with so many locals.
    pub const fn with_locals(self, locals: usize) -> Self {
        Self { locals, ..self }
    }

    /// The same dims and symbols, no locals.
    pub const fn without_locals(self) -> Self {
        self.with_locals(0)
    }

    /// The number of dims.
    pub const fn dims(&self) -> usize {
        self.dims
    }

    /// The number of symbols.
    pub const fn symbols(&self) -> usize {
        self.symbols
    }

    /// The number of locals.
    pub const fn locals(&self) -> usize {
        self.locals
    }

    /// The number of variables of all kinds; also the column of the constant.
    pub const fn vars(&self) -> usize {
        self.dims + self.symbols + self.locals
    }

    /// The number of columns: one a variable and one for the constant.
    pub const fn columns(&self) -> usize {
        self.vars() + 1
    }

    /// The number of variables of one kind.
    pub const fn count(&self, kind: VarKind) -> usize {
        match kind {
            VarKind::Dim => self.dims,
            VarKind::Symbol => self.symbols,
            VarKind::Local => self.locals,
        }
    }

    /// The columns of one kind.
    pub const fn range(&self, kind: VarKind) -> Range<usize> {
        let start = match kind {
            VarKind::Dim => 0,
            VarKind::Symbol => self.dims,
            VarKind::Local => self.dims + self.symbols,
        };
        start..start + self.count(kind)
    }

    /// The column of dim `index`.
    ///
    /// # Panics
    /// If there is no such dim: the caller mixed up its spaces.
    pub fn dim(&self, index: usize) -> usize {
        self.column(VarKind::Dim, index)
    }

    /// The column of symbol `index`.
    ///
    /// # Panics
    /// If there is no such symbol.
    pub fn symbol(&self, index: usize) -> usize {
        self.column(VarKind::Symbol, index)
    }

    /// The column of local `index`.
    ///
    /// # Panics
    /// If there is no such local.
    pub fn local(&self, index: usize) -> usize {
        self.column(VarKind::Local, index)
    }

    /// The column of variable `index` of a kind.
    ///
    /// # Panics
    /// If there is no such variable.
    pub fn column(&self, kind: VarKind, index: usize) -> usize {
        let range = self.range(kind);
        assert!(
            index < range.len(),
            "the space has {} variables of kind {kind:?}, asked for number {index}",
            range.len()
        );
        range.start + index
    }

    /// The kind of the variable in a column, and its number among its kind;
    /// `None` for the constant and beyond.
    pub fn variable(&self, column: usize) -> Option<(VarKind, usize)> {
        [VarKind::Dim, VarKind::Symbol, VarKind::Local]
            .into_iter()
            .find(|&kind| self.range(kind).contains(&column))
            .map(|kind| (kind, column - self.range(kind).start))
    }

    /// The space with `count` more variables of a kind.
    pub const fn grown(self, kind: VarKind, count: usize) -> Self {
        match kind {
            VarKind::Dim => Self {
                dims: self.dims + count,
                ..self
            },
            VarKind::Symbol => Self {
                symbols: self.symbols + count,
                ..self
            },
            VarKind::Local => Self {
                locals: self.locals + count,
                ..self
            },
        }
    }

    /// Whether two spaces name the same points, whatever their locals.
    pub fn matches(&self, other: &Space) -> bool {
        self.dims == other.dims && self.symbols == other.symbols
    }
}
