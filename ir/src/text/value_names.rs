//! What values and blocks are called in text, numbered as MLIR numbers them.

use std::collections::hash_map::Entry;
use std::fmt::Write as _;
use std::sync::Arc;

use super::printer::push_number;
use super::result_names::{result_groups, result_name};
use crate::body::{BlockId, Body, OpId, RegionId, Regions, Value, ValueDef};
use crate::context::Context;
use crate::hash::{FxHashMap, FxHashSet};

/// The names of one body.
#[derive(Clone, Default, Debug)]
pub(crate) struct ValueNames {
    names: Vec<Name>,
    /// Ranges of `strings`.
    texts: Vec<(u32, u32)>,
    strings: String,
    blocks: Vec<u32>,
    /// Where names around an isolated operation matter within it: by its body.
    inner: FxHashMap<usize, Around>,
    /// Whether results of some operation have several names.
    grouped: bool,
}

#[derive(Clone, Copy, Debug)]
enum Name {
    /// Not reached by the walk: erased, or in no region.
    Unknown,
    /// `%3`
    Number(u32),
    /// `%arg3`
    Arg(u32),
    /// An entry of `texts`.
    Text(u32),
}

/// Counters and the names in use where a region starts.
#[derive(Clone, Copy, Default)]
struct Scope {
    next_value: u32,
    next_arg: u32,
    next_conflict: u32,
    used: usize,
}

/// The counters and names in use around an isolated operation.
#[derive(Clone, Default, Debug)]
pub(crate) struct Around {
    next_value: u32,
    next_arg: u32,
    next_conflict: u32,
    used: Arc<[String]>,
}

/// What numbers start from in a body.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Start {
    next_value: u32,
    next_arg: u32,
}

/// What numbers start from in bodies, by their addresses.
pub(crate) type Starts = FxHashMap<usize, Start>;

#[derive(Default)]
struct Namer {
    result: ValueNames,
    /// Names in use.
    used: FxHashSet<String>,
    /// The same in order, so that leaving a scope can forget them.
    log: Vec<String>,
    /// The operations with regions in the region named last.
    within: Vec<OpId>,
}

impl ValueNames {
    /// The names in the regions of `body`, whose owner stands in `around`.
    pub(crate) fn of(ctx: &Context, body: &Body, around: &Around) -> ValueNames {
        body.prefetch();
        let mut namer = Namer {
            result: ValueNames::sized(body),
            ..Namer::default()
        };
        for name in around.used.iter() {
            namer.used.insert(name.clone());
            namer.log.push(name.clone());
        }
        let start = Scope {
            next_value: around.next_value,
            next_arg: around.next_arg,
            next_conflict: around.next_conflict,
            used: namer.log.len(),
        };
        let top = body.regions().iter().rev();
        let mut pending: Vec<(RegionId, Scope)> = top.map(|&region| (region, start)).collect();
        // Nested regions start where the region around them has ended.
        while let Some((region, scope)) = pending.pop() {
            namer.forget_to(scope.used);
            namer.within.clear();
            let after = namer.region(Some(ctx), body, region, scope);
            let mut isolated = false;
            for &op in namer.within.iter().rev() {
                let regions = body[op].inline_regions();
                isolated |= regions.is_empty();
                pending.extend(regions.iter().rev().map(|&region| (region, after)));
            }
            // Regions that hold isolated operations are few.
            if isolated && let Some(around) = namer.around(after) {
                let owned = namer.within.iter().filter_map(|&op| body[op].isolated());
                let inner = owned.map(|own| (address_of(own), around.clone()));
                namer.result.inner.extend(inner);
            }
        }
        namer.result
    }

    /// The names of a body as the generic form has them: numbers that are not
    /// used twice in a file, the last regions first. `start` is what the numbers
    /// start from; what they start from in each body within goes to `starts`.
    pub(crate) fn generic(body: &Body, start: Start, starts: &mut Starts) -> ValueNames {
        body.prefetch();
        let mut names = ValueNames::sized(body);
        let mut namer = Namer::default();
        let mut scope = Scope {
            next_value: start.next_value,
            next_arg: start.next_arg,
            ..Scope::default()
        };
        let top = body.regions().iter();
        let mut pending: Vec<(&Body, RegionId)> = top.map(|&region| (body, region)).collect();
        while let Some((at, region)) = pending.pop() {
            let own = std::ptr::eq(at, body);
            if own {
                std::mem::swap(&mut namer.result, &mut names);
            } else {
                let start = Start {
                    next_value: scope.next_value,
                    next_arg: scope.next_arg,
                };
                if let Entry::Vacant(new) = starts.entry(address_of(at)) {
                    new.insert(start);
                    at.prefetch();
                }
            }
            namer.within.clear();
            scope = namer.region(None, at, region, scope);
            if own {
                std::mem::swap(&mut namer.result, &mut names);
            }
            for &op in &namer.within {
                match &at[op].regions {
                    Regions::Inline(regions) => {
                        pending.extend(regions.iter().map(|&region| (at, region)));
                    }
                    Regions::Isolated(own) => {
                        pending.extend(own.regions().iter().map(|&region| (&**own, region)));
                    }
                    Regions::None => {}
                }
            }
        }
        names
    }

    /// No names yet, for this body.
    fn sized(body: &Body) -> ValueNames {
        ValueNames {
            names: vec![Name::Unknown; body.value_capacity()],
            texts: Vec::new(),
            strings: String::new(),
            blocks: vec![u32::MAX; body.block_capacity()],
            inner: FxHashMap::default(),
            grouped: false,
        }
    }

    /// What stands around an isolated operation of this body.
    pub(crate) fn around(&self, own: &Body) -> Around {
        let key = address_of(own);
        self.inner.get(&key).cloned().unwrap_or_default()
    }

    /// Appends the name of a value, `%` and result number included.
    pub(crate) fn write(&self, body: &Body, value: Value, out: &mut String) {
        out.push('%');
        match body[value].def {
            ValueDef::Result(op, number) if body[op].num_results() > 1 => {
                let (first, size) = self.group_of(body, op, number as usize);
                self.write_name(body[op].result(first), out);
                if size > 1 {
                    out.push('#');
                    push_number(out, (u64::from(number)) - first as u64);
                }
            }
            _ => self.write_name(value, out),
        }
    }

    /// Appends what stands before `=` of an operation with results: `%0`,
    /// `%0:3`, `%a, %b:2`.
    pub(crate) fn write_results(&self, body: &Body, op: OpId, out: &mut String) {
        let count = body[op].num_results();
        let mut first = 0;
        while first < count {
            let (_, size) = self.group_of(body, op, first);
            out.push_str(if first == 0 { "%" } else { ", %" });
            self.write_name(body[op].result(first), out);
            if size > 1 {
                out.push(':');
                push_number(out, size as u64);
            }
            first += size;
        }
    }

    /// The results that share a name with result `number`: the first and how
    /// many.
    fn group_of(&self, body: &Body, op: OpId, number: usize) -> (usize, usize) {
        let count = body[op].num_results();
        let def = body[op].name.def();
        if !self.grouped || !def.is_some_and(|def| def.results.len() > 1) {
            return (0, count);
        }
        let starts = |&number: &usize| {
            let name = self.names.get(body[op].result(number).index());
            !matches!(name, Some(Name::Unknown) | None)
        };
        let first = (1..=number).rev().find(starts).unwrap_or(0);
        let end = (number + 1..count).find(starts).unwrap_or(count);
        (first, end - first)
    }

    /// Appends the bare name of a value or of a group of results.
    fn write_name(&self, first: Value, out: &mut String) {
        match self.names.get(first.index()) {
            Some(Name::Number(number)) => push_number(out, (*number).into()),
            Some(Name::Arg(number)) => {
                out.push_str("arg");
                push_number(out, (*number).into());
            }
            Some(&Name::Text(index)) => {
                let (from, to) = self.texts[index as usize];
                out.push_str(self.strings.get(from as usize..to as usize).unwrap_or(""));
            }
            Some(Name::Unknown) | None => {
                let _ = write!(out, "detached{}", first.index());
            }
        }
    }

    /// The number of a block in its region.
    pub(crate) fn block_number(&self, block: BlockId) -> Option<u32> {
        let number = self.blocks.get(block.index()).copied();
        number.filter(|&number| number != u32::MAX)
    }

    /// Appends `^bb3`.
    pub(crate) fn write_block(&self, block: BlockId, out: &mut String) {
        out.push_str("^bb");
        match self.blocks.get(block.index()) {
            Some(&number) if number != u32::MAX => push_number(out, number.into()),
            _ => {
                let _ = write!(out, "_detached{}", block.index());
            }
        }
    }
}

/// What tells a body from the others of its module.
pub(crate) fn address_of(body: &Body) -> usize {
    std::ptr::from_ref(body).addr()
}

impl Namer {
    fn forget_to(&mut self, used: usize) {
        for name in self.log.drain(used..) {
            self.used.remove(&name);
        }
    }

    /// What an isolated operation in a region that ended like this sees;
    /// `None` where that is nothing.
    fn around(&self, after: Scope) -> Option<Around> {
        let nothing = after.next_value == 0 && after.next_arg == 0 && after.used == 0;
        (!nothing).then(|| Around {
            next_value: after.next_value,
            next_arg: after.next_arg,
            next_conflict: after.next_conflict,
            used: self.log[..after.used].into(),
        })
    }

    /// Names what is defined right in a region; with a context also by what
    /// defines it.
    fn region(
        &mut self,
        ctx: Option<&Context>,
        body: &Body,
        region: RegionId,
        start: Scope,
    ) -> Scope {
        let mut scope = start;
        for (number, &block) in (0..).zip(&body[region].blocks) {
            if let Some(slot) = self.result.blocks.get_mut(block.index()) {
                *slot = number;
            }
            for &arg in &body[block].args {
                let name = if number == 0 {
                    scope.next_arg += 1;
                    Name::Arg(scope.next_arg - 1)
                } else {
                    scope.next_value += 1;
                    Name::Number(scope.next_value - 1)
                };
                self.set(arg, name);
            }
            for op in body.ops(block) {
                let data = &body[op];
                if !matches!(data.regions, Regions::None) {
                    self.within.push(op);
                }
                if data.num_results() == 0 {
                    continue;
                }
                if data.num_results() > 1
                    && let Some(ctx) = ctx
                    && self.groups(ctx, body, op, &mut scope)
                {
                    continue;
                }
                let special = ctx.and_then(|ctx| result_name(ctx, body, op));
                let name = match special {
                    Some(text) => self.unique(text.into_owned(), &mut scope),
                    None => {
                        scope.next_value += 1;
                        Name::Number(scope.next_value - 1)
                    }
                };
                self.set(data.result(0), name);
            }
        }
        scope.used = self.log.len();
        scope
    }

    /// Names the groups of an operation's results, if it has several.
    fn groups(&mut self, ctx: &Context, body: &Body, op: OpId, scope: &mut Scope) -> bool {
        let groups = result_groups(ctx, body, op);
        for &(first, name) in &groups {
            let name = self.unique(name.to_owned(), scope);
            self.set(body[op].result(first), name);
            self.result.grouped = true;
        }
        !groups.is_empty()
    }

    /// Names a value, if it is one of the body whose names are kept: others are
    /// only counted.
    fn set(&mut self, value: Value, name: Name) {
        if let Some(slot) = self.result.names.get_mut(value.index()) {
            *slot = name;
        }
    }

    fn unique(&mut self, text: String, scope: &mut Scope) -> Name {
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
        let from = self.result.strings.len() as u32;
        self.result.strings.push_str(&name);
        let to = self.result.strings.len() as u32;
        self.result.texts.push((from, to));
        self.used.insert(name.clone());
        self.log.push(name);
        Name::Text(self.result.texts.len() as u32 - 1)
    }
}
