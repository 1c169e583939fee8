//! The machine: a program, its memory, and perhaps a device.

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use gridloom_ir::attr::AttrKind;
use gridloom_ir::diag::{Diagnostic, Diagnostics, Severity};

use gridloom_ir::{Attr, Context, Loc, Module, Type};
use smallvec::SmallVec;

use crate::code::{AllocInfo, Extent};
use crate::compile::{self, Code, Compiler};
use crate::device::Device;
use crate::dma::Transfers;
use crate::fault::FaultKind;
use crate::frame::Frame;
use crate::layout::{extent, open_layout, place};
use crate::memory::{AllocId, Memory};
use crate::memref::MemRef;
use crate::options::Options;
use crate::order::Permutation;
use crate::print::Held;
use crate::race::Watch;
use crate::scalar::ScalarKind;
use crate::spaces::SpaceUsage;
use crate::stop::StopFlag;

/// The launches of one kernel in a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LaunchCount {
    /// The symbol `@module::@kernel`.
    pub kernel: Attr,
    /// The first operation that launched it.
    pub loc: Loc,
    /// Workgroups of the first launch.
    pub grid: [i64; 3],
    /// Threads of a workgroup of the first launch.
    pub block: [i64; 3],
    /// Whether a later launch had another grid.
    pub varies: bool,
    /// The number of launches.
    pub count: u64,
    /// The number of launches that the machine ran although there is a device.
    pub here: u64,
}

/// Runs functions of one module.
pub struct Machine<'a> {
    pub(crate) ctx: &'a Context,
    pub(crate) module: &'a Module,
    pub(crate) code: Rc<Code>,
    pub(crate) memory: Memory,
    pub(crate) device: Option<&'a mut dyn Device>,
    pub(crate) options: Options,
    pub(crate) steps: u64,
    /// The part of `steps` that kernels took.
    pub(crate) kernel_steps: u64,
    pub(crate) warnings: Diagnostics,
    /// Held output of the threads of the current launch.
    pub(crate) held: Held,
    remarks: Diagnostics,
    /// Whether the machine is running a launch.
    pub(crate) in_kernel: bool,
    /// The race detector, where one is asked for.
    pub(crate) watch: Option<Box<Watch>>,
    /// The transfers in flight.
    pub(crate) transfers: Transfers,
    /// Bytes allocated in the memory spaces of declared size.
    pub(crate) space_usage: SpaceUsage,
    stop: StopFlag,
    /// Permutations made so far.
    permutations: u64,
    globals: HashMap<u32, MemRef>,
    launches: Vec<LaunchCount>,
    /// Module whose kernels the device launches, where it is not the machine's own.
    pub(crate) for_device: Option<&'a Module>,
}

impl<'a> Machine<'a> {
    /// A machine for the function `entry` and all it reaches. `device` runs
    /// the kernels; without one the machine does.
    ///
    /// Errors name each operation and type the machine cannot run.
    pub fn new(
        ctx: &'a Context,
        module: &'a Module,
        entry: &str,
        device: Option<&'a mut dyn Device>,
        options: Options,
    ) -> Result<Self, Diagnostics> {
        let compiler = Compiler::new(ctx, module, &options, device.is_some());
        let code = compiler.compile(ctx.ident(entry))?;
        let watch = options.races.then(Box::default);
        Ok(Machine {
            ctx,
            module,
            code: Rc::new(code),
            memory: Memory::new(options.memory_limit, options.checked),
            device,
            options,
            steps: 0,
            kernel_steps: 0,
            warnings: Diagnostics::new(),
            held: Held::default(),
            remarks: Diagnostics::new(),
            in_kernel: false,
            watch,
            transfers: Transfers::default(),
            space_usage: SpaceUsage::default(),
            stop: StopFlag::default(),
            permutations: 0,
            globals: HashMap::new(),
            launches: Vec::new(),
            for_device: None,
        })
    }

    /// Sets the module whose kernels the device launches in place of the machine's, under the same
    /// names and parameters. Its kernels may hold operations that the machine has no instructions
    /// for.
    pub fn set_device_module(&mut self, module: &'a Module) {
        self.for_device = Some(module);
    }

    /// Sets the stop flag: runs end at the next poll of it after a request.
    pub fn set_stop(&mut self, stop: StopFlag) {
        self.stop = stop;
    }

    /// Polls the stop flag: a fault where a stop is requested.
    pub(crate) fn check_stop(&self) -> Result<(), FaultKind> {
        match self.stop.requested() {
            Some(reason) => Err(FaultKind::Stopped(reason)),
            None => Ok(()),
        }
    }

    /// The buffers, for filling arguments and reading results.
    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    /// The buffers, for filling arguments and reading results.
    pub fn memory_mut(&mut self) -> &mut Memory {
        &mut self.memory
    }

    /// Warnings of the runs so far.
    pub fn warnings(&self) -> &Diagnostics {
        &self.warnings
    }

    /// Remarks on launches that ran on the host since the device lacks a feature, one for each
    /// location.
    pub fn remarks(&self) -> &Diagnostics {
        &self.remarks
    }

    /// Launches so far, by kernel, in the order of the first launch.
    pub fn launches(&self) -> &[LaunchCount] {
        &self.launches
    }

    /// Host work so far: iterations of loops and calls of functions outside of kernels.
    pub fn host_steps(&self) -> u64 {
        self.steps - self.kernel_steps
    }

    /// Counts a launch; returns the place of its kernel in the list.
    pub(crate) fn count_launch(
        &mut self,
        kernel: Attr,
        loc: Loc,
        grid: [i64; 3],
        block: [i64; 3],
    ) -> usize {
        let known = |launch: &LaunchCount| launch.kernel == kernel;
        if let Some(place) = self.launches.iter().position(known) {
            let launch = &mut self.launches[place];
            launch.count += 1;
            launch.varies |= (launch.grid, launch.block) != (grid, block);
            return place;
        }
        self.launches.push(LaunchCount {
            kernel,
            loc,
            grid,
            block,
            varies: false,
            count: 1,
            here: 0,
        });
        self.launches.len() - 1
    }

    /// Counts the last launch of the kernel at this place as run by the machine.
    pub(crate) fn count_host_launch(&mut self, place: usize) {
        self.launches[place].here += 1;
    }

    /// Reports a launch that the device refuses for lack of a feature: a remark once for each
    /// location, or a fault where the options require the device.
    pub(crate) fn report_refusal(
        &mut self,
        kernel: Attr,
        loc: Loc,
        why: Diagnostic,
    ) -> Result<(), FaultKind> {
        self.report_host_launch(kernel, loc, why, self.options.require_device)
    }

    /// Reports the reason why the machine runs a launch: a remark once for each location, or an
    /// error where the launch `must` run on the device.
    pub(crate) fn report_host_launch(
        &mut self,
        kernel: Attr,
        loc: Loc,
        mut why: Diagnostic,
        must: bool,
    ) -> Result<(), FaultKind> {
        let name = match kernel.kind(self.ctx) {
            AttrKind::Symbol { root, nested } => self.ctx.str(*nested.last().unwrap_or(root)),
            _ => "?",
        };
        let at = std::mem::replace(&mut why.loc, loc);
        if at != Loc::UNKNOWN && at != loc {
            why = why.with_note(at, "this is the operation that the device does not support");
        }
        if must {
            why.severity = Severity::Error;
            why.message = format!("kernel '{name}' cannot run on the device: {}", why.message);
            let mut errors = Diagnostics::new();
            errors.push(why);
            return Err(FaultKind::Unsupported(errors));
        }
        if !self.remarks.iter().any(|remark| remark.loc == loc) {
            why.severity = Severity::Remark;
            why.message = format!("kernel '{name}' runs on the host: {}", why.message);
            self.remarks.push(why);
        }
        Ok(())
    }

    /// A buffer for a memref of type `ty` with these extents, laid out as the
    /// type says; row-major where it leaves that open. The extents agree with
    /// the type's known ones.
    pub fn allocate(&mut self, ty: Type, sizes: &[i64]) -> Result<MemRef, FaultKind> {
        let unsupported = |what: &str| FaultKind::ShapeMismatch(what.to_owned());
        let memref = ty
            .memref(self.ctx)
            .ok_or_else(|| unsupported("the type is no memref"))?;
        let kind = crate::scalar::scalar_kind(self.ctx, memref.element)
            .ok_or_else(|| unsupported("the interpreter has no memory for this element type"))?;
        let layout = match open_layout(self.ctx, memref, sizes) {
            Some(layout) => layout,
            None => compile::layout_of(self.ctx, memref).map_err(unsupported)?,
        };
        let sizes = sizes.iter().map(|&size| Extent::Known(size)).collect();
        self.allocate_info(
            &AllocInfo {
                kind,
                sizes,
                layout,
                stack: false,
                space: self.options.spaces.number_of(self.ctx, ty),
            },
            &[],
        )
    }

    /// Writes the elements of a view, of which `contents` has the bytes, as
    /// [`Memory::write_contents`] does. Where there is a device they are not copied before the host
    /// accesses them.
    ///
    /// # Errors
    /// The view leaves its buffer, or the buffer is gone.
    pub fn fill(
        &mut self,
        view: &MemRef,
        kind: ScalarKind,
        contents: &Arc<Vec<u8>>,
    ) -> Result<(), FaultKind> {
        if self.device.is_some() && self.memory.lend_contents(view, kind, contents)? {
            return Ok(());
        }
        self.memory.write_contents(view, kind, contents)
    }

    /// The bytes of a view's elements. Where there is a device they are not copied before the host
    /// accesses them again.
    ///
    /// # Errors
    /// The view leaves its buffer, the buffer is gone, or the device failed.
    pub fn contents(&mut self, view: &MemRef, kind: ScalarKind) -> Result<Arc<Vec<u8>>, FaultKind> {
        if let Some(lent) = self.memory.lent_contents(view, kind) {
            return Ok(lent);
        }
        self.fetch(view.alloc)?;
        if self.device.is_some()
            && let Some(shared) = self.memory.share_contents(view, kind)?
        {
            return Ok(shared);
        }
        Ok(Arc::new(self.memory.contents(view, kind)?))
    }

    /// Makes the host copy of a buffer current: copies contents lent to it, or downloads it where the
    /// device copy is newer.
    pub fn fetch(&mut self, id: AllocId) -> Result<(), FaultKind> {
        if !self.memory.get(id)?.host_current()
            && !self.memory.get_mut(id)?.copy_lent()
            && let Some(device) = &mut self.device
        {
            device.fetch(&mut self.memory, id)?;
        }
        Ok(())
    }

    /// Creates a permutation of `count` threads or iterations, in the order of the options.
    pub(crate) fn permutation(&mut self, count: u64) -> Permutation {
        self.permutations += 1;
        self.options
            .thread_order
            .permutation(count, self.permutations)
    }

    /// A fresh frame for a function.
    pub(crate) fn frame(&self, number: u32) -> Frame {
        Frame::new(number, &self.code.functions[number as usize])
    }

    /// Warns, once for each location, that the arguments of the function on top of `frames`
    /// overlap.
    pub(crate) fn warn_overlap(&mut self, frames: &[Frame]) {
        // The caller's `pc` is at its call; an entry function has no caller.
        let loc = match frames {
            [.., caller, _] => self.loc(caller),
            [entry] => self.loc(entry),
            [] => Loc::UNKNOWN,
        };
        let message = "memref arguments of this call overlap, so the version of the function \
             whose loops stay in order runs instead of the parallel one";
        self.warn_once(loc, message);
    }

    /// Warns, unless the location has a warning.
    pub(crate) fn warn_once(&mut self, loc: Loc, message: &str) {
        if !self.warnings.iter().any(|warning| warning.loc == loc) {
            self.warnings
                .push(Diagnostic::new(Severity::Warning, loc, message));
        }
    }

    /// Allocates the buffer of an [`AllocInfo`]; its sizes come from the registers `scalars`.
    pub(crate) fn allocate_info(
        &mut self,
        info: &AllocInfo,
        scalars: &[u64],
    ) -> Result<MemRef, FaultKind> {
        let mut sizes: SmallVec<[i64; 4]> = SmallVec::new();
        for size in &info.sizes {
            let size = extent(*size, scalars);
            if size < 0 {
                return Err(FaultKind::NegativeSize(size));
            }
            sizes.push(size);
        }
        let (offset, strides) = place(&info.layout, &sizes);
        // The buffer reaches to the greatest position the layout gives.
        let mut view = MemRef {
            alloc: AllocId::NONE,
            base: 0,
            offset,
            sizes,
            strides,
        };
        let count = match view.extent() {
            None => 0,
            Some((low, _)) if low < 0 => return Err(FaultKind::ViewOutOfBounds),
            Some((_, high)) => u64::try_from(high).unwrap_or(u64::MAX).saturating_add(1),
        };
        let bytes = count.saturating_mul(info.kind.size() as u64);
        if let Some(space) = info.space {
            let room = self.space_usage.check(&self.options.spaces, space, bytes);
            room.map_err(|full| FaultKind::SpaceFull(Box::new(full)))?;
        }
        view.alloc = self.memory.allocate(count, info.kind)?;
        if let Some(space) = info.space {
            self.space_usage.charge(space, view.alloc, bytes);
        }
        Ok(view)
    }

    /// The buffer of a global, allocated at the first use.
    pub(crate) fn global(&mut self, number: u32) -> Result<MemRef, FaultKind> {
        if let Some(memref) = self.globals.get(&number) {
            return Ok(memref.clone());
        }
        let info = self.code.globals[number as usize].clone();
        let sizes = info.sizes.iter().map(|&size| Extent::Known(size)).collect();
        let memref = self.allocate_info(
            &AllocInfo {
                kind: info.kind,
                sizes,
                layout: info.layout,
                stack: false,
                space: None,
            },
            &[],
        )?;
        if let Some(values) = &info.values {
            let first = values.first().copied().unwrap_or(0);
            let mut values = values.iter().copied();
            memref.for_each_position(|position| {
                let value = values.next().unwrap_or(first);
                Ok(self.memory.write(&memref, position, info.kind, value)?)
            })?;
        }
        self.globals.insert(number, memref.clone());
        Ok(memref)
    }
}

impl std::fmt::Debug for Machine<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Machine")
            .field("steps", &self.steps)
            .finish_non_exhaustive()
    }
}
