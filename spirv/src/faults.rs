//! Faults of a kernel's guarded accesses and assertions, and their report in the fault buffer.
//!
//! ```text
//! access out of range          ⇒  %first = %count == 0 ? SITE : %first;  %count += 1
//! end of the kernel            ⇒  if %count != 0: record_faults(%first, %count)
//! end of a while's iteration   ⇒  if %count != 0: break
//! ```
//!
//! A thread collects its faults in two registers and reports them once, when it ends: a driver that
//! runs threads in lockstep on the CPU executes the atomic operations of a report under a mask, lane
//! by lane, whether any lane has a fault or not, so that a report beside each access would cost more
//! than the access.

use gridloom_ir::OpId;
use rspirv::spirv::{Op, Word};

use crate::abi::FaultSite;
use crate::emit::{Emitter, Interface};
use crate::kernel::Kernel;

/// Tests that are compared with a new one, the last ones first.
const MAX_TESTS: usize = 32;

/// The guarded accesses and assertions of a kernel.
#[derive(Clone, Default, Debug)]
pub(crate) struct Faults {
    reserved: u32,
    registers: Option<Registers>,
    pub(crate) sites: Vec<FaultSite>,
    /// Tests that dominate the place where code is being emitted, and whose failures are recorded.
    tests: Vec<Test>,
}

/// A test of indices against sizes.
#[derive(Clone, Debug)]
pub(crate) struct Test {
    pub(crate) indices: Vec<Word>,
    pub(crate) sizes: Vec<Word>,
    /// The outcome.
    pub(crate) in_range: Word,
}

/// Variables of a thread: the number of its first faulting site, and how many faults there were.
#[derive(Clone, Copy, Debug)]
struct Registers {
    first: Word,
    count: Word,
}

impl Faults {
    /// Reserves the binding of the fault buffer.
    pub(crate) fn reserve(&mut self, binding: u32) {
        self.reserved = binding;
    }

    /// The binding of the fault buffer, if some site records faults.
    pub(crate) fn binding(&self) -> Option<u32> {
        self.registers.map(|_| self.reserved)
    }

    /// The outcome of an equal test that dominates this place.
    pub(crate) fn tested(&self, indices: &[Word], sizes: &[Word]) -> Option<Word> {
        let mut tests = self.tests.iter().rev().take(MAX_TESTS);
        let same = tests.find(|test| test.indices == indices && test.sizes == sizes);
        same.map(|test| test.in_range)
    }

    /// Notes a test whose failure is recorded here.
    pub(crate) fn note(&mut self, test: Test) {
        self.tests.push(test);
    }
}

impl Kernel<'_> {
    /// Emits code that does not always run: the tests made in it and the addresses computed in it dominate nothing behind it,
    /// so they are forgotten.
    pub(crate) fn conditionally<T>(&mut self, emit: impl FnOnce(&mut Self) -> T) -> T {
        let (tests, addresses) = (self.faults.tests.len(), self.shared_addresses.count());
        let emitted = emit(self);
        self.faults.tests.truncate(tests);
        self.shared_addresses.keep_first(addresses);
        emitted
    }

    /// Notes in the thread's registers that the access `op` was out of range.
    pub(crate) fn record_out_of_range(&mut self, op: OpId) {
        self.record_fault(FaultSite {
            loc: self.body[op].loc,
            assertion: None,
        });
    }

    /// Notes a fault of `site` in the thread's registers.
    pub(crate) fn record_fault(&mut self, site: FaultSite) {
        let word = self.e.int_type(32, false);
        let registers = match self.faults.registers {
            Some(registers) => registers,
            None => {
                let zero = self.e.u32_const(0);
                let [first, count] = [(); 2].map(|()| self.e.local_variable_of(word, zero));
                *self.faults.registers.insert(Registers { first, count })
            }
        };
        self.faults.sites.push(site);
        let number = self.e.u32_const(self.faults.sites.len() as u32);
        let [zero, one] = [0, 1].map(|n| self.e.u32_const(n));
        let bool_type = self.e.bool_type();
        let [first, count] = [registers.first, registers.count].map(|v| self.e.load(word, v));
        let is_first = self.e.op(Op::IEqual, bool_type, &[count, zero]);
        let first = self.e.op(Op::Select, word, &[is_first, number, first]);
        self.e.store(registers.first, first);
        let count = self.e.op(Op::IAdd, word, &[count, one]);
        self.e.store(registers.count, count);
    }

    /// Emits whether the thread has faults so far; `None` where no site in front of this place records any.
    pub(crate) fn has_faults(&mut self) -> Option<Word> {
        let registers = self.faults.registers?;
        let word = self.e.int_type(32, false);
        let count = self.e.load(word, registers.count);
        Some(self.is_not_zero(count))
    }

    fn is_not_zero(&mut self, count: Word) -> Word {
        let (bool_type, zero) = (self.e.bool_type(), self.e.u32_const(0));
        self.e.op(Op::INotEqual, bool_type, &[count, zero])
    }

    /// Writes the report of the thread's faults, before it ends.
    pub(crate) fn report_faults(&mut self) {
        let Some(registers) = self.faults.registers else {
            return;
        };
        let word = self.e.int_type(32, false);
        let resource = Interface {
            class: self.e.buffer_class,
            is_buffer: true,
            members: vec![(word, 0), (word, 4)],
            binding: Some(self.faults.reserved),
            read_only: false,
        };
        let buffer = self.e.resource(resource, "faults");
        let recorder = self.e.fault_recorder(buffer);
        let [first, count] = [registers.first, registers.count].map(|v| self.e.load(word, v));
        let has_faults = self.is_not_zero(count);
        let [report, merge] = [(); 2].map(|()| self.e.id());
        self.e.selection_merge(merge);
        self.e.branch_if(has_faults, report, merge);
        self.e.begin_block(report);
        let void = self.e.void_type();
        self.e.op(Op::FunctionCall, void, &[recorder, first, count]);
        self.e.branch(merge);
        self.e.begin_block(merge);
    }
}

impl Emitter {
    /// `fn(first, count)`: sets word 0 to `first` if it is 0, and adds `count` to word 1.
    /// Kernels that share the fault buffer share the function.
    fn fault_recorder(&mut self, variable: Word) -> Word {
        if let Some(&function) = self.fault_recorders.get(&variable) {
            return function;
        }
        let (void, word) = (self.void_type(), self.int_type(32, false));
        let (function, params) = self.begin_function(void, &[word, word]);
        self.name(function, "record_faults");
        let class = self.buffer_class;
        let [zero, one] = [0, 1].map(|n| self.u32_const(n));
        // Semantics 0 is relaxed.
        let (device, relaxed) = (self.device_scope(), zero);
        let first = self.access(class, word, variable, &[zero]);
        let operands = [first, device, relaxed, relaxed, params[0], zero];
        self.op(Op::AtomicCompareExchange, word, &operands);
        let count = self.access(class, word, variable, &[one]);
        self.op(Op::AtomicIAdd, word, &[count, device, relaxed, params[1]]);
        self.ret();
        self.end_function();
        self.fault_recorders.insert(variable, function);
        function
    }
}
