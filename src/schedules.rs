//! Schedules of a program's nests, with their reasons, and their search spaces.

use gridloom_codegen::explain::{NestReport, schedules, spaces};
use gridloom_codegen::offload::space::Space;
use gridloom_codegen::target::OffloadOptions;
use gridloom_ir::{Diagnostics, Module};

use crate::bench::work::{Work, work_of_nest};
use crate::host_value::HostValue;
use crate::program::Program;
use crate::specialization;

impl Program<'_> {
    /// The schedule of each nest that these options map, with the work of all its executions in a
    /// run on `inputs`, where it can be counted.
    ///
    /// # Errors
    /// The compiler's own errors.
    pub fn schedules(
        &self,
        options: &OffloadOptions,
        inputs: &[HostValue],
    ) -> Result<Vec<(NestReport, Option<Work>)>, Diagnostics> {
        let module = self.before_mapping();
        schedules(self.ctx, &module, options, |body, root| {
            work_of_nest(self.ctx, body, root, inputs)
        })
    }

    /// The search space of each nest's schedules.
    ///
    /// # Errors
    /// The compiler's own errors.
    pub fn spaces(&self, options: &OffloadOptions) -> Result<Vec<Space>, Diagnostics> {
        spaces(self.ctx, &self.before_mapping(), options)
    }

    fn before_mapping(&self) -> Module {
        let mut module = self.source.clone();
        specialization::specialize(self.ctx, &mut module, &self.entry, &self.known);
        module
    }
}
