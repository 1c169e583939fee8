//! Tiles of pipelined transfers: where a tile lies in its source and its buffer, and accesses of other tiles than the one at hand.

use crate::affine::Expr;
use crate::generate::{Generator, MemVar};
use crate::program::{At, Bin, Block, Cond, Op, Place, Var};
use crate::types::Type;

/// How the loop starts later tiles.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Form {
    /// Its own tile alone.
    Plain,
    /// Where there are any.
    Guarded,
    /// In each iteration of a shorter loop; the last tiles are waited for behind it.
    Behind,
    /// In each iteration, of tiles beyond the last one too, which are waited for behind the loop.
    Beyond,
}

/// What differs from a pipelined loop.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Twist {
    None,
    /// The first start in front of the loop is of another place.
    OtherFirst,
    /// The last start in the loop is of another array.
    OtherLast,
    /// An iteration reads the tile of the one before as well.
    Before,
    /// Iterations write the source of tiles that are started later.
    Ahead,
    /// The source of a tile is chosen by numbers that the loop carries.
    Carried,
    /// The source of a tile is chosen by numbers that the loop changes.
    Changed,
}

/// What goes through one array of buffers.
#[derive(Clone)]
pub(super) struct Stream {
    pub(super) source: MemVar,
    pub(super) buffer: MemVar,
    pub(super) tag: MemVar,
    /// Row of the tag's elements, if there are rows.
    pub(super) row: Option<i64>,
    pub(super) is_reversed: bool,
}

/// Pipelined loop.
pub(super) struct Pipeline {
    pub(super) form: Form,
    /// Whether an iteration starts them behind what it computes, not in front of its own wait.
    pub(super) is_last: bool,
    pub(super) twist: Twist,
    pub(super) streams: Vec<Stream>,
    pub(super) result: MemVar,
    /// Buffer of results and its tag, if results are sent back.
    pub(super) sent: Option<(MemVar, MemVar)>,
    /// Array of sources besides that of the first stream.
    pub(super) other: MemVar,
    /// Numbers of tiles.
    pub(super) table: MemVar,
    pub(super) is_plain: bool,
    pub(super) ahead: i64,
    pub(super) slots: i64,
    /// Elements of a tile, and the step of the counter from one to the next.
    pub(super) tile: i64,
    pub(super) step: i64,
    /// First counter, and the one behind the last.
    pub(super) first: i64,
    pub(super) last: i64,
    /// The same as a value that is not known, if it is.
    pub(super) open: Option<Var>,
    pub(super) count: Var,
    pub(super) op: Bin,
}

impl Generator {
    /// Emits a combination with the tile before, which is still in its buffer.
    pub(super) fn with_tile_before(
        &mut self,
        pipeline: &Pipeline,
        at: &Expr,
        j: Var,
        value: Var,
    ) -> Var {
        let before = at.clone().plus(-pipeline.step);
        let slot = self.slot(pipeline, &before);
        let element = self.program.scalar(value);
        let (stmts, yields) = self.nested(|this| {
            let old = this.load_at(&pipeline.streams[0].buffer, vec![slot, Expr::Dim(j)]);
            vec![this.bin(Bin::AddI, value, old)]
        });
        let op = Op::If {
            cond: Cond::Set(vec![(before.plus(-pipeline.first), false)]),
            then: Block { stmts, yields },
            otherwise: Some(Block {
                stmts: Vec::new(),
                yields: vec![value],
            }),
        };
        let results = self.emit(op, vec![Type::Scalar(element)]);
        self.add_to_scope(&results);
        results[0]
    }

    /// Emits stores to the source of a tile that the next iteration starts.
    pub(super) fn write_ahead(&mut self, pipeline: &Pipeline, at: &Expr) {
        let later = at.clone().plus((pipeline.ahead + 1) * pipeline.step);
        let stream = &pipeline.streams[0];
        let place = self.tile_at(pipeline, stream, &later);
        let (stmts, ()) = self.nested(|this| {
            this.times(pipeline.tile, &[], |this, j, _| {
                let at = Expr::Add(Box::new(place.clone()), Box::new(Expr::Dim(j)));
                let value = this.load_at(&stream.source, vec![at.clone()]);
                let more = this.converted(j, stream.source.ty.element);
                let value = this.bin(Bin::XorI, value, more);
                this.store_at(value, &stream.source, vec![at]);
                Vec::new()
            });
        });
        let op = Op::If {
            cond: Cond::Set(vec![(later.times(-1).plus(pipeline.last - 1), false)]),
            then: Block {
                stmts,
                yields: Vec::new(),
            },
            otherwise: None,
        };
        self.emit(op, Vec::new());
    }

    /// The first element of a counter's tile in a source.
    pub(super) fn tile_at(&self, pipeline: &Pipeline, stream: &Stream, at: &Expr) -> Expr {
        let place = at_tile(pipeline, at);
        match stream.is_reversed {
            true => place.times(-1).plus(stream.source.sizes[0] - pipeline.tile),
            false => place,
        }
    }

    pub(super) fn slot(&self, pipeline: &Pipeline, at: &Expr) -> Expr {
        if pipeline.slots == 1 {
            return Expr::Const(0);
        }
        let number = match pipeline.step {
            1 => at.clone(),
            step => Expr::FloorDiv(Box::new(at.clone()), Box::new(Expr::Const(step))),
        };
        Expr::Mod(Box::new(number), Box::new(Expr::Const(pipeline.slots)))
    }

    pub(super) fn tag_at(&mut self, pipeline: &Pipeline, stream: &Stream, at: &Expr) -> Place {
        let slot = self.slot(pipeline, at);
        let row = stream.row.map(Expr::Const);
        let at = row.into_iter().chain([slot]).collect();
        self.element_of(pipeline, &stream.tag, at)
    }

    pub(super) fn element_of(&mut self, pipeline: &Pipeline, mem: &MemVar, at: Vec<Expr>) -> Place {
        let at = match pipeline.is_plain {
            true => At::Plain(at.into_iter().map(|expr| self.apply(expr)).collect()),
            false => At::Affine(at),
        };
        Place { mem: mem.var, at }
    }
}

/// The first element of a counter's tile in an array of all tiles.
pub(super) fn at_tile(pipeline: &Pipeline, at: &Expr) -> Expr {
    match pipeline.step {
        1 => at.clone().times(pipeline.tile),
        // The counter is the number of the element.
        _ => at.clone(),
    }
}
