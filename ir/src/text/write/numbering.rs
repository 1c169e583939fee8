//! Value numbering: names of values and blocks in text, numbered as MLIR numbers them.

use std::collections::hash_map::Entry;
use std::fmt::Write as _;
use std::sync::Arc;

use super::asm_names::{result_groups, result_name};
use super::out::Out;
use super::value_name::{Numbered, ValueName};
use crate::body::{BlockId, Body, OpData, OpId, RegionId, Regions, Value};
use crate::context::Context;
use crate::hash::{FxHashMap, FxHashSet};

/// Name table of one body: the names of its values, and the numbers of its blocks.
#[derive(Clone, Default, Debug)]
pub(crate) struct ValueNames {
    names: Vec<ValueName>,
    /// Names too long for a [`ValueName`].
    long: Vec<String>,
    blocks: Vec<u32>,
    /// Naming state around isolated operations, where it is not the initial one, by address of
    /// their bodies.
    inner: FxHashMap<usize, Around>,
}

/// Naming state at the start of a region: counters, and the number of names in use.
#[derive(Clone, Copy, Default, Debug)]
struct Scope {
    next_value: u32,
    next_arg: u32,
    next_conflict: u32,
    used: usize,
}

/// Naming state around an isolated operation.
#[derive(Clone, Default, Debug)]
pub(crate) struct Around {
    next_value: u32,
    next_arg: u32,
    next_conflict: u32,
    used: Arc<[String]>,
}

/// Number of values defined in a body.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Counts {
    values: u32,
    args: u32,
}

/// Initial counters of a body in the generic form.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Start {
    next_value: u32,
    next_arg: u32,
}

/// Initial counters of bodies, by address.
pub(crate) type Starts = FxHashMap<usize, Start>;

/// Namer: assigns names to the values of a body. Reused from body to body for its memory.
#[derive(Debug)]
pub(crate) struct Namer {
    /// Names in use.
    used: FxHashSet<String>,
    /// Names in use in order of addition, so that leaving a scope can remove them.
    log: Vec<String>,
    /// Operations with regions, in the region named last.
    within: Vec<OpId>,
    pending: Vec<(RegionId, Scope)>,
    values: Numbered,
    args: Numbered,
}

impl Default for Namer {
    fn default() -> Self {
        Namer {
            used: FxHashSet::default(),
            log: Vec::new(),
            within: Vec::new(),
            pending: Vec::new(),
            values: Numbered::new(ValueName::value),
            args: Numbered::new(ValueName::arg),
        }
    }
}

impl Counts {
    /// Counts the arguments of the block of index `number` in its region.
    pub(super) fn add_args(&mut self, number: usize, args: usize) {
        match number {
            0 => self.args += args as u32,
            _ => self.values += args as u32,
        }
    }

    /// Counts the results of an operation, which share a number.
    pub(super) fn add_op(&mut self, data: &OpData) {
        self.values += u32::from(data.num_results() > 0);
    }
}

impl ValueNames {
    /// Resets the table for a body.
    fn reset(&mut self, body: &Body) {
        self.names.clear();
        self.names.resize(body.value_capacity(), ValueName::NONE);
        self.long.clear();
        self.blocks.clear();
        self.blocks.resize(body.block_capacity(), u32::MAX);
        self.inner.clear();
    }

    /// Returns the naming state around an isolated operation of this body.
    pub(crate) fn around(&self, own: &Body) -> Around {
        let key = address_of(own);
        self.inner.get(&key).cloned().unwrap_or_default()
    }

    /// Prints the name of a value, `%` and result number included.
    pub(crate) fn write(&self, value: Value, out: &mut Out) {
        let name = self.names.get(value.index()).unwrap_or(&ValueName::NONE);
        if !name.write(out) {
            self.write_rare(*name, value, out);
        }
    }

    #[cold]
    fn write_rare(&self, name: ValueName, value: Value, out: &mut Out) {
        match name.position().and_then(|at| self.long.get(at)) {
            Some(text) => out.push_str(text),
            // Outside of the walk: erased, or in no region.
            None => {
                let _ = write!(out, "%detached{}", value.index());
            }
        }
    }

    /// Prints the names before `=` of an operation with results: `%0`, `%0:3`, `%a, %b:2`.
    pub(crate) fn write_results(&self, data: &OpData, out: &mut Out) {
        if data.num_results() == 1 {
            self.write(data.result(0), out);
            return;
        }
        let mut groups: Vec<(String, usize)> = Vec::new();
        for result in data.results() {
            let mut name = Out::default();
            self.write(result, &mut name);
            match (name.as_str().split_once('#'), groups.last_mut()) {
                (Some((_, number)), Some((_, size))) if number != "0" => *size += 1,
                (Some((stem, _)), _) => groups.push((stem.to_owned(), 1)),
                (None, _) => groups.push((name.into_string(), 1)),
            }
        }
        for (number, (name, size)) in groups.iter().enumerate() {
            out.push_str(if number == 0 { "" } else { ", " });
            out.push_str(name);
            if *size > 1 {
                out.push(':');
                out.push_number(*size as u64);
            }
        }
    }

    /// Names results that share a name, which is given without its `%`.
    fn set_group(&mut self, results: impl ExactSizeIterator<Item = Value>, name: &str) {
        let alone = results.len() == 1;
        for (number, result) in results.enumerate() {
            let text = match alone {
                true => format!("%{name}"),
                false => format!("%{name}#{number}"),
            };
            let name = ValueName::short(&text).unwrap_or_else(|| {
                self.long.push(text);
                ValueName::elsewhere(self.long.len() as u32 - 1)
            });
            self.set(result, name);
        }
    }

    /// Sets the name of a value.
    fn set(&mut self, value: Value, name: ValueName) {
        if let Some(slot) = self.names.get_mut(value.index()) {
            *slot = name;
        }
    }

    /// Returns the number of a block in its region.
    pub(crate) fn block_number(&self, block: BlockId) -> Option<u32> {
        let number = self.blocks.get(block.index()).copied();
        number.filter(|&number| number != u32::MAX)
    }

    /// Prints `^bb3`.
    pub(crate) fn write_block(&self, block: BlockId, out: &mut Out) {
        out.push_str("^bb");
        match self.block_number(block) {
            Some(number) => out.push_number(number.into()),
            None => {
                let _ = write!(out, "_detached{}", block.index());
            }
        }
    }
}

/// Returns the address of a body, its key within the module.
pub(crate) fn address_of(body: &Body) -> usize {
    std::ptr::from_ref(body).addr()
}

impl Namer {
    /// Names the values of `body` for custom forms; `around` is the naming state at its owner.
    pub(crate) fn custom(
        &mut self,
        names: &mut ValueNames,
        ctx: &Context,
        body: &Body,
        around: &Around,
    ) {
        body.prefetch();
        names.reset(body);
        self.forget_to(0);
        for name in around.used.iter() {
            self.used.insert(name.clone());
            self.log.push(name.clone());
        }
        let start = Scope {
            next_value: around.next_value,
            next_arg: around.next_arg,
            next_conflict: around.next_conflict,
            used: self.log.len(),
        };
        let top = body.regions().iter().rev();
        self.pending.extend(top.map(|&region| (region, start)));
        // Nested regions continue from the state at the end of the region around them.
        while let Some((region, scope)) = self.pending.pop() {
            self.forget_to(scope.used);
            self.within.clear();
            let after = self.region(Some((&mut *names, Some(ctx))), body, region, scope);
            let mut isolated = false;
            for &op in self.within.iter().rev() {
                let regions = body[op].inline_regions();
                isolated |= regions.is_empty();
                let regions = regions.iter().rev().map(|&region| (region, after));
                self.pending.extend(regions);
            }
            // Few regions hold isolated operations.
            if isolated && let Some(around) = self.around(after) {
                let owned = self.within.iter().filter_map(|&op| body[op].isolated());
                let inner = owned.map(|own| (address_of(own), around.clone()));
                names.inner.extend(inner);
            }
        }
    }

    /// Names the values of a body for the generic form: by numbers unique in the file, the last
    /// regions first, from `start`.
    pub(crate) fn generic(&mut self, names: &mut ValueNames, body: &Body, start: Start) {
        self.generic_within(names, body, start, None);
    }

    /// As [`generic`](Self::generic) for the outermost body; returns the initial counters of all
    /// bodies within. Those in `leaves` have none within and need no walk.
    pub(crate) fn all_generic(
        &mut self,
        names: &mut ValueNames,
        body: &Body,
        leaves: &FxHashMap<usize, Counts>,
    ) -> Starts {
        let mut starts = Starts::default();
        self.generic_within(names, body, Start::default(), Some((&mut starts, leaves)));
        starts
    }

    fn generic_within(
        &mut self,
        names: &mut ValueNames,
        body: &Body,
        start: Start,
        mut inner: Option<(&mut Starts, &FxHashMap<usize, Counts>)>,
    ) {
        body.prefetch();
        names.reset(body);
        let mut scope = Scope {
            next_value: start.next_value,
            next_arg: start.next_arg,
            ..Scope::default()
        };
        let top = body.regions().iter();
        let mut pending: Vec<(&Body, RegionId)> = top.map(|&region| (body, region)).collect();
        // Regions of the body itself that are still to be named.
        let mut unnamed = pending.len();
        while let Some((at, region)) = pending.pop() {
            let own = std::ptr::eq(at, body);
            unnamed -= usize::from(own);
            if let Some((starts, leaves)) = &mut inner
                && !own
            {
                let start = Start {
                    next_value: scope.next_value,
                    next_arg: scope.next_arg,
                };
                let address = address_of(at);
                if let Entry::Vacant(new) = starts.entry(address) {
                    new.insert(start);
                    if let Some(counts) = leaves.get(&address) {
                        scope.next_value += counts.values;
                        scope.next_arg += counts.args;
                        continue;
                    }
                    at.prefetch();
                }
            }
            self.within.clear();
            let named = own.then_some((&mut *names, None));
            scope = self.region(named, at, region, scope);
            for &op in &self.within {
                match at[op].regions() {
                    Regions::Inline(regions) => {
                        pending.extend(regions.iter().map(|&region| (at, region)));
                        unnamed += if own { regions.len() } else { 0 };
                    }
                    Regions::Isolated(own) => {
                        pending.extend(own.regions().iter().map(|&region| (own, region)));
                    }
                    Regions::None => {}
                }
            }
            if unnamed == 0 && inner.is_none() {
                break;
            }
        }
    }

    fn forget_to(&mut self, used: usize) {
        for name in self.log.drain(used..) {
            self.used.remove(&name);
        }
    }

    /// Returns the state that isolated operations see in a region that ended in state `after`;
    /// `None` for the initial one.
    fn around(&self, after: Scope) -> Option<Around> {
        let nothing = after.next_value == 0 && after.next_arg == 0 && after.used == 0;
        (!nothing).then(|| Around {
            next_value: after.next_value,
            next_arg: after.next_arg,
            next_conflict: after.next_conflict,
            used: self.log[..after.used].into(),
        })
    }

    /// Names the values defined directly in a region, by their operations too if a context is
    /// given. Without `named`, only counts them.
    fn region(
        &mut self,
        mut named: Option<(&mut ValueNames, Option<&Context>)>,
        body: &Body,
        region: RegionId,
        start: Scope,
    ) -> Scope {
        let mut scope = start;
        for (number, &block) in (0..).zip(&body[region].blocks) {
            let args = &body[block].args;
            if let Some((names, _)) = &mut named {
                if let Some(slot) = names.blocks.get_mut(block.index()) {
                    *slot = number;
                }
                for (index, &arg) in (0..).zip(args) {
                    let name = match number {
                        0 => self.args.get(scope.next_arg + index),
                        _ => self.values.get(scope.next_value + index),
                    };
                    names.set(arg, name);
                }
            }
            match number {
                0 => scope.next_arg += args.len() as u32,
                _ => scope.next_value += args.len() as u32,
            }
            for op in body.ops(block) {
                let data = &body[op];
                if !matches!(data.regions(), Regions::None) {
                    self.within.push(op);
                }
                if data.num_results() == 0 {
                    continue;
                }
                let Some((names, ctx)) = &mut named else {
                    scope.next_value += 1;
                    continue;
                };
                if data.num_results() > 1
                    && let Some(ctx) = ctx
                    && self.groups(names, ctx, body, op, &mut scope)
                {
                    continue;
                }
                if let Some(text) = ctx.and_then(|ctx| result_name(ctx, body, op)) {
                    let name = self.unique(text.into_owned(), &mut scope);
                    names.set_group(data.results(), &name);
                    continue;
                }
                let number = scope.next_value;
                scope.next_value += 1;
                match data.num_results() {
                    1 => names.set(data.result(0), self.values.get(number)),
                    _ => names.set_group(data.results(), &number.to_string()),
                }
            }
        }
        scope.used = self.log.len();
        scope
    }

    /// Names each group of an operation's results; returns false if it has at most one group.
    fn groups(
        &mut self,
        names: &mut ValueNames,
        ctx: &Context,
        body: &Body,
        op: OpId,
        scope: &mut Scope,
    ) -> bool {
        let groups = result_groups(ctx, body, op);
        let count = body[op].num_results();
        for (number, &(first, name)) in groups.iter().enumerate() {
            let end = groups.get(number + 1).map_or(count, |&(next, _)| next);
            let name = self.unique(name.to_owned(), scope);
            let results = body[op].results().take(end).skip(first);
            names.set_group(results, &name);
        }
        !groups.is_empty()
    }

    /// Makes a name unique: the text itself if unused, else with a suffix.
    fn unique(&mut self, text: String, scope: &mut Scope) -> String {
        let mut name = text;
        if self.used.contains(&name) {
            let stem = name.len() + 1;
            name.push('_');
            loop {
                let _ = write!(name, "{}", scope.next_conflict);
                scope.next_conflict += 1;
                if !self.used.contains(&name) {
                    break;
                }
                name.truncate(stem);
            }
        }
        self.used.insert(name.clone());
        self.log.push(name.clone());
        name
    }
}
