//! Tracing of launches, whose threads are unordered.

use gridloom::dialects::gpu;
use gridloom::ir::attr::AttrKind;
use gridloom::ir::body::OpData;
use gridloom::ir::{RegionId, Type, Value};

use super::Untraced;
use super::machine::{Frame, Held, Machine, Place};
use super::term::Datum;
use crate::eval::{Watch, subscripts};

/// Kernel: its body, and the values that its threads get.
struct Kernel {
    region: RegionId,
    /// Workgroup and private memory attributions: arguments and their types.
    shared: Vec<(Value, Type)>,
    private: Vec<(Value, Type)>,
}

impl<'m> Machine<'m> {
    /// Traces `gpu` launches without barriers, whose threads are unordered.
    pub fn gpu(&mut self, frame: &mut Frame<'m>, data: &'m OpData) -> Result<(), Untraced> {
        let id = |place: [i64; 3]| -> Result<Datum, Untraced> {
            let dim = self.dimension(data).ok_or("a dimension was expected")?;
            Ok(Datum::known(place[dim] as u64))
        };
        let place = frame.place;
        let datum = match data.name {
            gpu::THREAD_ID => id(place.thread)?,
            gpu::BLOCK_ID => id(place.block)?,
            gpu::BLOCK_DIM => id(place.size)?,
            gpu::GRID_DIM => id(place.grid)?,
            gpu::GLOBAL_ID => {
                id([0, 1, 2].map(|k| place.block[k] * place.size[k] + place.thread[k]))?
            }
            gpu::LAUNCH => return self.launch(frame, data),
            gpu::LAUNCH_FUNC => return self.launch_func(frame, data),
            _ => return Err(self.unknown(data)),
        };
        frame.set(data.result(0), Held::scalar(datum));
        Ok(())
    }

    fn dimension(&self, data: &OpData) -> Option<usize> {
        let attr = data.attr(self.ctx, "dimension")?;
        let AttrKind::Dialect { body, .. } = attr.kind(self.ctx) else {
            return None;
        };
        let letters = self.ctx.str(*body).trim_end_matches(['>', ' ']);
        ["x", "y", "z"]
            .iter()
            .position(|name| letters.ends_with(name))
    }

    /// Grid and block sizes.
    fn sizes(&self, frame: &Frame<'m>, data: &'m OpData) -> Result<([i64; 3], [i64; 3]), Untraced> {
        let groups = self.groups(data)?;
        if groups[7..10].iter().any(|group| !group.is_empty()) {
            return Err(self.unknown(data));
        }
        let size = |number: usize| frame.int(groups[number][0]);
        Ok((
            [size(1)?, size(2)?, size(3)?],
            [size(4)?, size(5)?, size(6)?],
        ))
    }

    fn launch(&mut self, frame: &mut Frame<'m>, data: &'m OpData) -> Result<(), Untraced> {
        let (grid, size) = self.sizes(frame, data)?;
        let region = data
            .inline_regions()
            .first()
            .copied()
            .ok_or("a launch without a body")?;
        let entry = frame.body[region]
            .entry()
            .ok_or("a launch without a body")?;
        let args = frame.body[entry].args.to_vec();
        let kernel = self.kernel(frame, data, region, &args[12..]);
        self.threads(frame, &kernel, (grid, size), &mut |frame, place| {
            let ids = [place.block, place.thread, place.grid, place.size].concat();
            for (&arg, id) in args.iter().zip(ids) {
                frame.set(arg, Held::scalar(Datum::known(id as u64)));
            }
        })
    }

    fn launch_func(&mut self, frame: &mut Frame<'m>, data: &'m OpData) -> Result<(), Untraced> {
        let (grid, size) = self.sizes(frame, data)?;
        let operands = self.groups(data)?.get(11).copied().unwrap_or(&[]);
        let values = frame.all(operands)?;
        let symbol = self.attr(data, "kernel")?;
        let AttrKind::Symbol { root, nested } = symbol.kind(self.ctx) else {
            return Err(self.unknown(data));
        };
        let module = self
            .function(self.ctx.str(*root))
            .and_then(OpData::isolated);
        let module = module.ok_or("the kernel's module is missing")?;
        let block = module.entry().ok_or("the kernel's module is empty")?;
        let named = |data: &&OpData| data.symbol_name(self.ctx).as_ref() == nested.first();
        let callee = module.ops(block).map(|op| &module[op]).find(named);
        let callee = callee.ok_or("the kernel is missing")?;
        let body = callee.isolated().ok_or("the kernel has no body")?;
        let region = body
            .regions()
            .first()
            .copied()
            .ok_or("the kernel has no body")?;
        let entry = body.entry().ok_or("the kernel has no body")?;
        let args = body[entry].args.to_vec();
        let mut inner = Frame {
            body,
            values: vec![None; body.value_capacity()],
            place: Place::default(),
        };
        for (&arg, value) in args.iter().zip(&values) {
            inner.set(arg, value.clone());
        }
        let kernel = self.kernel(&inner, callee, region, &args[values.len()..]);
        self.threads(&mut inner, &kernel, (grid, size), &mut |_, _| {})
    }

    fn kernel(
        &self,
        frame: &Frame<'m>,
        data: &OpData,
        region: RegionId,
        attributed: &[Value],
    ) -> Kernel {
        let count = data.attr(self.ctx, "workgroup_attributions");
        let count = count.and_then(|count| count.as_i64(self.ctx)).unwrap_or(0);
        let typed: Vec<(Value, Type)> = attributed
            .iter()
            .map(|&arg| (arg, frame.body.ty(arg)))
            .collect();
        let (shared, private) = typed.split_at((count.max(0) as usize).min(typed.len()));
        Kernel {
            region,
            shared: shared.to_vec(),
            private: private.to_vec(),
        }
    }

    /// Runs each thread of each block.
    fn threads(
        &mut self,
        frame: &mut Frame<'m>,
        kernel: &Kernel,
        (grid, size): ([i64; 3], [i64; 3]),
        enter: &mut dyn FnMut(&mut Frame<'m>, Place),
    ) -> Result<(), Untraced> {
        let outer = frame.place;
        self.watches.push(Watch::new(0));
        for block in subscripts(&grid) {
            for &(arg, ty) in &kernel.shared {
                let view = self.fresh(ty, &[])?;
                frame.set(arg, Held::View(view));
            }
            for thread in subscripts(&size) {
                frame.place = Place {
                    block: [block[0], block[1], block[2]],
                    thread: [thread[0], thread[1], thread[2]],
                    grid,
                    size,
                };
                for &(arg, ty) in &kernel.private {
                    let view = self.fresh(ty, &[])?;
                    frame.set(arg, Held::View(view));
                }
                enter(frame, frame.place);
                self.region(frame, kernel.region)?;
                if let Some(watch) = self.watches.last_mut() {
                    watch.advance();
                }
            }
        }
        self.watches.pop();
        frame.place = outer;
        Ok(())
    }
}
