//! An operation's attributes, from how they are written to what everything
//! else works with.

use hashbrown::HashTable;
use smallvec::SmallVec;

use super::OpFacts;
use super::facts;
use super::format::canonical;
use crate::attr::{AttrDict, NamedAttr};
use crate::context::{Context, Ident};
use crate::hash::hash_of;
use crate::op::{OpDef, OpName};
use crate::patience::Patience;

/// Attributes that are remembered: a program repeats few of all it has.
const MAX_SETTLED: usize = 1 << 12;

/// The dictionaries of an operation: inherent and discardable attributes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Dicts {
    pub properties: AttrDict,
    pub attributes: AttrDict,
}

/// The attributes of an operation as they are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Written<'a> {
    pub name: OpName,
    pub properties: &'a [NamedAttr],
    pub attributes: &'a [NamedAttr],
}

impl Written<'_> {
    fn hash(self) -> u64 {
        let lists = (u64::from(self.name.0), self.properties.len());
        let entries = self.properties.iter().chain(self.attributes);
        entries.fold(hash_of(&lists), |hash, entry| {
            hash_of(&(hash, entry.0.0, entry.1.0))
        })
    }
}

/// What attributes met before have become.
#[derive(Default, Debug)]
pub(super) struct SettledMemo {
    known: HashTable<Settled>,
    patience: Patience,
}

#[derive(Debug)]
struct Settled {
    name: OpName,
    properties: Box<[NamedAttr]>,
    attributes: Box<[NamedAttr]>,
    dicts: Dicts,
}

impl Settled {
    fn written(&self) -> Written<'_> {
        Written {
            name: self.name,
            properties: &self.properties,
            attributes: &self.attributes,
        }
    }
}

impl SettledMemo {
    pub(super) fn find(&mut self, written: Written<'_>) -> Option<Dicts> {
        if !self.patience.is_left() {
            return None;
        }
        let found = self.known.find(written.hash(), |s| s.written() == written);
        match found {
            Some(_) => self.patience.hit(),
            None => self.patience.miss(),
        }
        found.map(|settled| settled.dicts)
    }

    pub(super) fn add(&mut self, written: Written<'_>, dicts: Dicts) {
        if self.known.len() == MAX_SETTLED {
            return;
        }
        let settled = Settled {
            name: written.name,
            properties: written.properties.into(),
            attributes: written.attributes.into(),
            dicts,
        };
        let hash = |settled: &Settled| settled.written().hash();
        self.known.insert_unique(hash(&settled), settled, hash);
    }
}

/// The dictionaries of attributes as written; `facts` are those of a known
/// operation. Gives back one that stands in both lists.
pub(crate) fn settle(
    ctx: &Context,
    facts: Option<&OpFacts>,
    written: Written<'_>,
) -> Result<Dicts, Ident> {
    let mut properties = SmallVec::from_slice(written.properties);
    let mut attributes = SmallVec::from_slice(written.attributes);
    let clash = facts.and_then(|facts| {
        let (properties, attributes) = (&mut properties, &mut attributes);
        settle_attributes(ctx, facts, properties, attributes)
    });
    match clash {
        Some(name) => Err(name),
        None => Ok(Dicts {
            properties: ctx.attr_dict_of(&mut properties),
            attributes: ctx.attr_dict_of(&mut attributes),
        }),
    }
}

/// The properties of a known operation, of whose attributes only these have been
/// given.
pub(crate) fn settle_properties(
    ctx: &Context,
    name: OpName,
    def: &'static OpDef,
    given: &[NamedAttr],
) -> AttrDict {
    let mut properties = SmallVec::from_slice(given);
    // Nothing stands twice where there is one list.
    settle_attributes(
        ctx,
        facts::of(ctx, name, def),
        &mut properties,
        &mut SmallVec::new(),
    );
    ctx.attr_dict_of(&mut properties)
}

/// Moves inherent attributes that stood in the discardable dictionary to the
/// properties; gives back one that stands in both.
fn split_attributes(
    facts: &OpFacts,
    properties: &mut SmallVec<[NamedAttr; 4]>,
    attributes: &mut SmallVec<[NamedAttr; 4]>,
) -> Option<Ident> {
    let mut clash = None;
    attributes.retain(|&mut (name, value)| {
        if !facts.inherent.contains(&name) {
            return true;
        }
        if properties.iter().any(|p| p.0 == name) {
            clash = Some(name);
        }
        properties.push((name, value));
        false
    });
    clash
}

/// Makes the attributes of a known operation those that everything else works
/// with: inherent ones among the properties, enumerations spelled one way,
/// truth values, defaults filled in. Gives back one that stands in both lists.
fn settle_attributes(
    ctx: &Context,
    facts: &OpFacts,
    properties: &mut SmallVec<[NamedAttr; 4]>,
    attributes: &mut SmallVec<[NamedAttr; 4]>,
) -> Option<Ident> {
    for &(old, name) in &facts.old_segments {
        let Some(at) = attributes.iter().position(|entry| entry.0 == old) else {
            continue;
        };
        let (_, sizes) = attributes.remove(at);
        if !properties.iter().any(|entry| entry.0 == name) {
            properties.push((name, sizes));
        }
    }
    let clash = match attributes.is_empty() {
        true => None,
        false => split_attributes(facts, properties, attributes),
    };
    for (name, def) in &facts.enums {
        if let Some(entry) = properties.iter_mut().find(|p| p.0 == *name) {
            entry.1 = canonical(ctx, def, entry.1);
        }
    }
    for flag in &facts.flags {
        let Some(at) = properties.iter().position(|p| p.0 == *flag) else {
            continue;
        };
        match properties[at].1.as_bool(ctx) {
            Some(true) => properties[at].1 = ctx.unit_attr(),
            Some(false) => drop(properties.remove(at)),
            None => {}
        }
    }
    for &(name, value) in facts.defaults.iter().chain(&facts.segments) {
        if !properties.iter().any(|p| p.0 == name) {
            properties.push((name, value));
        }
    }
    clash
}
