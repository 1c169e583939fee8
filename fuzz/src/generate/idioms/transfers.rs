//! Idiom of pipelined transfers: a loop over tiles that starts the transfer of a later tile, waits for its own and computes,
//! with starts in front of it and waits behind it, one or more buffers in turn and results that are sent back; and
//! programs that are nearly such: other tiles in front of the loop or behind a condition, and tiles that the loop chooses.

use super::tiles::{Form, Pipeline, Stream, Twist, at_tile};
use super::{Counter, FOLDS};
use crate::affine::Expr;
use crate::generate::{Generator, MemVar};
use crate::program::{At, Bin, Block, Bound, Cond, Op, Place, Step, Transfer, Var};
use crate::types::Scalar;

impl Generator {
    /// Emits a pipelined loop, sometimes in another loop.
    pub(super) fn transfers(&mut self, sink: &MemVar) {
        let pipeline = self.pipeline(sink);
        let rounds = *self.random.pick(&[1, 1, 1, 2]);
        match rounds {
            1 => self.pipelined(&pipeline),
            _ => {
                self.times(rounds, &[], |this, _, _| {
                    this.pipelined(&pipeline);
                    Vec::new()
                });
            }
        }
        self.checksum(&pipeline.result, sink);
        if self.random.chance(50) {
            for stream in &pipeline.streams {
                for mem in [&stream.tag, &stream.buffer] {
                    self.emit(Op::Dealloc(mem.var), Vec::new());
                }
                if stream.row.is_some() {
                    break;
                }
            }
        }
    }

    fn pipeline(&mut self, sink: &MemVar) -> Pipeline {
        let element = match sink.ty.element.is_float() {
            true => Scalar::I32,
            false => sink.ty.element,
        };
        let form = *self.random.pick(&[
            Form::Plain,
            Form::Guarded,
            Form::Guarded,
            Form::Behind,
            Form::Behind,
            Form::Beyond,
        ]);
        let twist = match form {
            Form::Plain => *self
                .random
                .pick(&[Twist::None, Twist::Before, Twist::Ahead]),
            _ => *self.random.pick(&[
                Twist::None,
                Twist::None,
                Twist::None,
                Twist::OtherFirst,
                Twist::OtherFirst,
                Twist::OtherLast,
                Twist::Before,
                Twist::Ahead,
                Twist::Carried,
                Twist::Changed,
            ]),
        };
        let is_chosen = matches!(twist, Twist::Carried | Twist::Changed);
        let ahead = match form {
            Form::Plain => 0,
            _ => *self.random.pick(&[1, 1, 1, 2]),
        };
        let is_last = form != Form::Plain && self.random.chance(35);
        let tiles = self.random.between(ahead.max(1), 6);
        let tile = self.random.between(3, 8);
        let step = *self.random.pick(&[1, tile]);
        let first = step * *self.random.pick(&[0, 0, 0, 1]);
        let last = first + tiles * step;
        let least = ahead + i64::from(!is_last);
        let slots = least + i64::from(twist == Twist::Before) + *self.random.pick(&[0, 0, 0, 1]);
        // Beyond the last tile there are some that are started and not used.
        let all = first / step + tiles + 2;
        let has_rows = self.random.chance(30);
        let count = *self.random.pick(&[1, 1, 2]);
        let space = *self.random.pick(&[0, 3, 3]);
        let tag = has_rows.then(|| self.fresh(Scalar::I32, &[count, slots]));
        let streams = (0..count).map(|row| Stream {
            source: self.long(element, &[all * tile]),
            buffer: self.buffer(element, &[slots, tile], space),
            tag: match &tag {
                Some(tag) => tag.clone(),
                None => self.fresh(Scalar::I32, &[slots]),
            },
            row: tag.is_some().then_some(row),
            is_reversed: self.random.chance(25),
        });
        let streams: Vec<Stream> = streams.collect();
        let sent = self.random.chance(30).then(|| {
            let buffer = self.buffer(element, &[1, tile], space);
            (buffer, self.fresh(Scalar::I32, &[1]))
        });
        let is_in_place = sent.is_none() && !is_chosen && self.random.chance(20);
        let result = match is_in_place {
            true => streams[0].source.clone(),
            false => self.long(element, &[all * tile]),
        };
        let numbers = (0..all).map(|_| self.random.between(0, all - 1) as u64);
        let numbers = numbers.collect();
        Pipeline {
            form,
            is_last,
            twist,
            other: self.long(element, &[all * tile]),
            table: self.row_of_numbers(Scalar::Index, numbers, false),
            is_plain: is_chosen || self.random.chance(25),
            ahead,
            slots,
            tile,
            step,
            first,
            last,
            open: self.random.chance(40).then(|| self.hidden(last, last)),
            count: self.index(tile),
            op: *self.random.pick(&FOLDS),
            streams,
            sent,
            result,
        }
    }

    /// Emits the starts in front of the loop, the loop, and what is behind it.
    fn pipelined(&mut self, pipeline: &Pipeline) {
        let Pipeline {
            ahead, step, first, ..
        } = *pipeline;
        let chosen =
            matches!(pipeline.twist, Twist::Carried | Twist::Changed).then(|| self.index(0));
        for iteration in 0..ahead {
            for number in 0..pipeline.streams.len() {
                let at = Expr::Const(first + iteration * step);
                let is_other = pipeline.twist == Twist::OtherFirst && iteration == 0;
                self.start_tile(pipeline, number, &at, is_other, chosen);
            }
        }
        let end = match pipeline.open {
            Some(open) => Expr::Sym(open),
            None => Expr::Const(pipeline.last),
        };
        // Where the start is of the counter's tile, the wait is of an earlier one.
        let is_late = pipeline.form == Form::Behind && !pipeline.is_last && self.random.chance(50);
        let shift = if is_late { ahead * step } else { 0 };
        let shorter = match pipeline.form {
            Form::Behind => ahead * step - shift,
            _ => 0,
        };
        let unused = match self.random.chance(40) {
            true => self.random.between(0, step - 1),
            false => 0,
        };
        let counter = Counter {
            affine: true,
            lower: Bound::Affine(vec![Expr::Const(first + shift)]),
            // The last step need not end at the bound.
            upper: Bound::Affine(vec![end.clone().plus(-shorter - unused)]),
            step: Step::Known(step),
            range: (first + shift, pipeline.last - shorter - 1),
        };
        let inits: Vec<Var> = chosen.into_iter().collect();
        let carried = self.looped(counter, &inits, |this, iv, args| {
            let own = Expr::Dim(iv).plus(-shift);
            let chosen = args.first().copied();
            if !pipeline.is_last {
                this.start_later(pipeline, &own, &end, chosen);
            }
            this.wait_and_compute(pipeline, &own, true);
            if pipeline.is_last {
                this.start_later(pipeline, &own, &end, chosen);
            }
            let Some(chosen) = chosen else {
                return Vec::new();
            };
            // The next choice.
            let more = this.index(1);
            let next = this.bin(Bin::AddI, chosen, more);
            let most = this.index(pipeline.table.sizes[0]);
            vec![this.bin(Bin::RemSI, next, most)]
        });
        let carried = carried.first().copied().filter(|_| self.random.chance(50));
        if let Some(carried) = carried {
            let value = self.converted(carried, pipeline.result.ty.element);
            self.store_at(value, &pipeline.result, vec![Expr::Const(0)]);
        }
        let behind = match pipeline.form {
            Form::Behind => -ahead,
            Form::Beyond => 0,
            _ => return,
        };
        for iteration in 0..ahead {
            let at = end.clone().plus((behind + iteration) * step);
            let computes = pipeline.form == Form::Behind || self.random.chance(50);
            self.wait_and_compute(pipeline, &at, computes);
        }
    }

    /// Emits the starts of later tiles in an iteration.
    fn start_later(&mut self, pipeline: &Pipeline, own: &Expr, end: &Expr, chosen: Option<Var>) {
        let reach = pipeline.ahead * pipeline.step;
        let later = own.clone().plus(reach);
        let is_guarded = pipeline.form == Form::Guarded;
        let has_other = pipeline.twist == Twist::OtherLast;
        let starts = |this: &mut Self, is_other: bool| {
            for number in 0..pipeline.streams.len() {
                this.start_tile(pipeline, number, &later, is_other, chosen);
            }
        };
        if !is_guarded && !has_other {
            return starts(self, false);
        }
        // Tiles are a step apart, so that what decides may be any number within it.
        let within = self.random.between(1, pipeline.step);
        let left = |least: i64| {
            let distance = Expr::Add(Box::new(end.clone()), Box::new(own.clone().times(-1)));
            (distance.plus(-least), false)
        };
        let is_there = left(reach + within);
        let is_not_last = left(reach + pipeline.step + within);
        let block = |stmts| Block {
            stmts,
            yields: Vec::new(),
        };
        let inner = |this: &mut Self| {
            if !has_other {
                return starts(this, false);
            }
            let (then, ()) = this.nested(|this| starts(this, false));
            let (otherwise, ()) = this.nested(|this| starts(this, true));
            let op = Op::If {
                cond: Cond::Set(vec![is_not_last.clone()]),
                then: block(then),
                otherwise: Some(block(otherwise)),
            };
            this.emit(op, Vec::new());
        };
        if !is_guarded {
            return inner(self);
        }
        if has_other && self.random.chance(50) {
            // Two conditions beside each other.
            for (set, is_other) in [
                (vec![is_not_last.clone()], false),
                (
                    vec![
                        is_there.clone(),
                        (is_not_last.0.clone().times(-1).plus(-1), false),
                    ],
                    true,
                ),
            ] {
                let (then, ()) = self.nested(|this| starts(this, is_other));
                let op = Op::If {
                    cond: Cond::Set(set),
                    then: block(then),
                    otherwise: None,
                };
                self.emit(op, Vec::new());
            }
            return;
        }
        let (then, ()) = self.nested(inner);
        let op = Op::If {
            cond: Cond::Set(vec![is_there]),
            then: block(then),
            otherwise: None,
        };
        self.emit(op, Vec::new());
    }

    /// Emits the start of the tile of a counter.
    fn start_tile(
        &mut self,
        pipeline: &Pipeline,
        number: usize,
        at: &Expr,
        is_other: bool,
        chosen: Option<Var>,
    ) {
        let stream = &pipeline.streams[number];
        let mut source = stream.source.clone();
        let mut place = self.tile_at(pipeline, stream, at);
        if is_other && number == 0 {
            match self.random.below(3) {
                0 => place = Expr::Const(1),
                _ => source = pipeline.other.clone(),
            }
        }
        let slot = self.slot(pipeline, at);
        let tag = self.tag_at(pipeline, stream, at);
        let to = vec![slot, Expr::Const(0)];
        let from = match chosen.filter(|_| number == 0) {
            None => self.element_of(pipeline, &source, vec![place]),
            Some(chosen) => {
                let row = match pipeline.twist {
                    Twist::Changed => self.load_plain(&pipeline.table, &[chosen]),
                    _ => chosen,
                };
                let by = self.index(pipeline.tile);
                let at = self.bin(Bin::MulI, row, by);
                Place {
                    mem: source.var,
                    at: At::Plain(vec![at]),
                }
            }
        };
        let to = self.element_of(pipeline, &stream.buffer, to);
        self.emit(
            Op::DmaStart(Transfer {
                from,
                to,
                tag,
                count: pipeline.count,
                rows: None,
            }),
            Vec::new(),
        );
    }

    /// Emits the wait for the tile of a counter, and what is done with it.
    fn wait_and_compute(&mut self, pipeline: &Pipeline, at: &Expr, computes: bool) {
        for stream in &pipeline.streams {
            let tag = self.tag_at(pipeline, stream, at);
            let count = pipeline.count;
            self.emit(Op::DmaWait { tag, count }, Vec::new());
        }
        if !computes {
            return;
        }
        let slot = self.slot(pipeline, at);
        let reads_before = pipeline.twist == Twist::Before;
        let place = at_tile(pipeline, at);
        let folds = self.random.chance(40);
        self.times(pipeline.tile, &[], |this, j, _| {
            let mut value = this.load_at(
                &pipeline.streams[0].buffer,
                vec![slot.clone(), Expr::Dim(j)],
            );
            for stream in &pipeline.streams[1..] {
                let mirrored = Expr::Dim(j).times(-1).plus(pipeline.tile - 1);
                let other = this.load_at(&stream.buffer, vec![slot.clone(), mirrored]);
                value = this.bin(pipeline.op, value, other);
            }
            if reads_before {
                value = this.with_tile_before(pipeline, at, j, value);
            }
            let to = Expr::Add(Box::new(place.clone()), Box::new(Expr::Dim(j)));
            if folds {
                let old = this.load_at(&pipeline.result, vec![to.clone()]);
                value = this.bin(Bin::SubI, value, old);
            }
            match &pipeline.sent {
                Some((buffer, _)) => {
                    this.store_at(value, buffer, vec![Expr::Const(0), Expr::Dim(j)])
                }
                None => this.store_at(value, &pipeline.result, vec![to]),
            }
            Vec::new()
        });
        if let Some((buffer, tag)) = &pipeline.sent {
            let tag = self.element_of(pipeline, tag, vec![Expr::Const(0)]);
            let from = self.element_of(pipeline, buffer, vec![Expr::Const(0), Expr::Const(0)]);
            let to = self.element_of(pipeline, &pipeline.result, vec![place]);
            let count = pipeline.count;
            let sent = Transfer {
                from,
                to,
                tag: tag.clone(),
                count,
                rows: None,
            };
            self.emit(Op::DmaStart(sent), Vec::new());
            self.emit(Op::DmaWait { tag, count }, Vec::new());
        }
        match pipeline.twist {
            Twist::Ahead => self.write_ahead(pipeline, at),
            Twist::Changed => {
                // The choice of some later tile is another one then.
                let length = pipeline.table.sizes[0];
                let number = self.apply(Expr::Mod(
                    Box::new(at.clone().times(3).plus(1)),
                    Box::new(Expr::Const(length)),
                ));
                let place = at.clone().plus(self.random.between(0, 3));
                let place = self.apply(Expr::Mod(Box::new(place), Box::new(Expr::Const(length))));
                self.store_plain(number, &pipeline.table, &[place]);
            }
            _ => {}
        }
    }
}
