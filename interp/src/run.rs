//! Runs of a machine's entry function.

use crate::code::Slot;
use crate::device::Argument;
use crate::dma::Transfers;
use crate::fault::{Fault, FaultKind};
use crate::frame::Thread;
use crate::machine::Machine;
use crate::memory::AllocId;

impl Machine<'_> {
    /// Calls the entry function. Memref arguments are buffers of this
    /// machine's memory. When it returns, every buffer's host copy can be
    /// made current with [`Machine::fetch`].
    ///
    /// # Errors
    /// What went wrong at which operation.
    pub fn run(&mut self, arguments: &[Argument]) -> Result<Vec<Argument>, Fault> {
        self.run_in_a_row(arguments, 1)
    }

    /// Calls the entry function `times` times with the same arguments, and waits for the device
    /// once. Returns the last results.
    ///
    /// # Errors
    /// As [`Machine::run`].
    pub fn run_in_a_row(
        &mut self,
        arguments: &[Argument],
        times: usize,
    ) -> Result<Vec<Argument>, Fault> {
        let mut results = Vec::new();
        for _ in 0..times {
            results = self.call_entry(arguments)?;
        }
        if let Some(device) = &mut self.device {
            let finished = device.finish().and_then(|()| self.check_stop());
            finished.map_err(|kind| self.fault_of_run(kind))?;
        }
        if self.options.leaks {
            self.check_leaks(arguments, &results)?;
        }
        Ok(results)
    }

    /// Fault of the run itself, at no operation.
    fn fault_of_run(&self, kind: FaultKind) -> Fault {
        Fault {
            kind,
            loc: self.module.op().loc,
            calls: Vec::new(),
        }
    }

    /// Calls the entry function; the device may still be at work when it has returned.
    fn call_entry(&mut self, arguments: &[Argument]) -> Result<Vec<Argument>, Fault> {
        if let Some(watch) = &mut self.watch {
            watch.reset();
        }
        let function = &self.code.functions[0];
        let given: Vec<Slot> = function.params.clone();
        if given.len() != arguments.len() {
            let what = format!(
                "the function takes {} arguments, not {}",
                given.len(),
                arguments.len()
            );
            return Err(self.fault_of_run(FaultKind::ShapeMismatch(what)));
        }
        let mut frame = self.frame(0);
        for (number, (slot, argument)) in given.iter().zip(arguments).enumerate() {
            if !frame.set(*slot, argument) {
                let what = format!("argument {number} has the wrong type");
                return Err(self.fault_of_run(FaultKind::ShapeMismatch(what)));
            }
        }
        let mut thread = Thread::new(frame);
        self.transfers = Transfers::default();
        self.run_thread(&mut thread)?;
        self.end_transfers()
            .map_err(|kind| self.fault_of_run(kind))?;
        Ok(thread.results)
    }

    /// Checks for leaks: every buffer that the program allocated is freed or returned.
    fn check_leaks(&self, arguments: &[Argument], results: &[Argument]) -> Result<(), Fault> {
        let given = arguments.iter().chain(results);
        let kept = given.filter_map(|value| match value {
            Argument::MemRef(_, view) => Some(view.alloc),
            Argument::Scalar(..) => None,
        });
        let kept: Vec<AllocId> = kept.collect();
        match self.memory.leaks(&kept)[..] {
            [] => Ok(()),
            [(loc, bytes), ref rest @ ..] => Err(Fault {
                kind: FaultKind::Leak {
                    bytes,
                    others: rest.len(),
                },
                loc,
                calls: Vec::new(),
            }),
        }
    }
}
