//! Operation storage: the fields of an operation in its arena.

use std::sync::Arc;

use smallvec::SmallVec;

use super::{BlockId, Body, NewOp, OpId, RegionId, Value};
use crate::attr::{Attr, AttrDict};
use crate::attr_names::{self, AttrName};
use crate::context::OpName;
use crate::context::{Context, Ident};
use crate::location::Loc;

/// An operation's fields. Operations are very numerous, so fields that few of them
/// use lie out of line.
#[derive(Clone, Debug)]
pub struct OpData {
    /// Name.
    pub name: OpName,
    /// Source location.
    pub loc: Loc,
    /// Inherent attributes.
    pub properties: AttrDict,
    /// Discardable attributes.
    pub attributes: AttrDict,
    /// Operands, those passed to successors included (at the end).
    pub operands: SmallVec<[Value; 4]>,
    first_result: u32,
    num_results: u32,
    pub(super) parent: Option<BlockId>,
    pub(super) prev: Option<OpId>,
    pub(super) next: Option<OpId>,
    /// The only region, if there is exactly one and it lies in the enclosing body.
    region: Option<RegionId>,
    more: Option<Box<More>>,
}

/// Rarely used fields, out of line.
#[derive(Clone, Default, Debug)]
struct More {
    successors: SmallVec<[BlockId; 4]>,
    /// All regions, if there are several and they lie in the enclosing body.
    regions: SmallVec<[RegionId; 4]>,
    /// The body that an operation isolated from above owns; copies of the operation share it until
    /// one of them changes it.
    own: Option<Arc<Body>>,
}

/// The regions of an operation.
#[derive(Clone, Copy, Debug)]
pub enum Regions<'b> {
    /// No regions.
    None,
    /// Regions in the enclosing body.
    Inline(&'b [RegionId]),
    /// Regions of a body of its own: its [`Body::regions`].
    Isolated(&'b Body),
}

impl OpData {
    /// The fields of a detached operation; `first_result` is the index of its first
    /// result among the values.
    pub(super) fn new(new: NewOp, first_result: u32) -> Self {
        let (region, several) = match new.regions {
            &[region] => (Some(region), &[][..]),
            regions => (None, regions),
        };
        let has_more = !new.successors.is_empty() || !several.is_empty() || new.own.is_some();
        let more = has_more.then(|| {
            Box::new(More {
                successors: new.successors.into(),
                regions: several.into(),
                own: new.own,
            })
        });
        OpData {
            name: new.name,
            loc: new.loc,
            properties: new.properties,
            attributes: new.attributes,
            operands: new.operands,
            first_result,
            num_results: new.results.len() as u32,
            parent: None,
            prev: None,
            next: None,
            region,
            more,
        }
    }

    /// The block the operation is in; `None` while detached or erased.
    pub fn parent(&self) -> Option<BlockId> {
        self.parent
    }

    /// The next operation of the block.
    pub fn next(&self) -> Option<OpId> {
        self.next
    }

    /// The previous operation of the block.
    pub fn prev(&self) -> Option<OpId> {
        self.prev
    }

    /// Number of results.
    pub fn num_results(&self) -> usize {
        self.num_results as usize
    }

    /// The results.
    pub fn results(
        &self,
    ) -> impl ExactSizeIterator<Item = Value> + DoubleEndedIterator + Clone + use<> {
        let end = self.first_result + self.num_results;
        (self.first_result..end).map(|index| Value::from_len(index as usize))
    }

    /// Arena indices of the results among the values of the body.
    pub(crate) fn result_positions(&self) -> std::ops::Range<usize> {
        let first = self.first_result as usize;
        first..first + self.num_results as usize
    }

    /// Returns result number `index`. Panics past the end: arity is the caller's knowledge.
    pub fn result(&self, index: usize) -> Value {
        assert!(
            index < self.num_results as usize,
            "result index within the arity"
        );
        Value::from_len(self.first_result as usize + index)
    }

    /// Looks an attribute up by name, inherent ones first.
    pub fn attr(&self, ctx: &Context, name: impl AttrName) -> Option<Attr> {
        // Comparing with a few entries is faster than interning the name.
        let find = |dict: AttrDict| {
            if dict.is_empty() {
                return None;
            }
            let mut entries = dict.entries(ctx).iter();
            entries.find(|e| name.is(ctx, e.0)).map(|e| e.1)
        };
        find(self.properties).or_else(|| find(self.attributes))
    }

    /// Looks several attributes up by name, inherent ones first. `names` must be sorted: one pass
    /// over the dictionary finds all.
    pub fn attrs<const N: usize>(&self, ctx: &Context, names: [Ident; N]) -> [Option<Attr>; N] {
        let mut rest = self.properties.entries(ctx);
        names.map(|name| match rest.iter().position(|entry| entry.0 == name) {
            Some(at) => {
                let value = rest[at].1;
                rest = &rest[at + 1..];
                Some(value)
            }
            None => self.attributes.get(ctx, name),
        })
    }

    /// Looks an attribute up by interned name, inherent ones first.
    pub(crate) fn attr_named(&self, ctx: &Context, name: Ident) -> Option<Attr> {
        let inherent = self.properties.get(ctx, name);
        inherent.or_else(|| self.attributes.get(ctx, name))
    }

    /// Sets an inherent attribute.
    pub fn set_property(&mut self, ctx: &Context, name: impl AttrName, value: Attr) {
        self.properties = self.properties.with(ctx, name.ident(ctx), value);
    }

    /// Sets a discardable attribute.
    pub fn set_attribute(&mut self, ctx: &Context, name: impl AttrName, value: Attr) {
        self.attributes = self.attributes.with(ctx, name.ident(ctx), value);
    }

    /// Returns the symbol that the operation defines, if it is a symbol.
    pub fn symbol_name(&self, ctx: &Context) -> Option<Ident> {
        self.attr(ctx, attr_names::SYM_NAME)?
            .as_str(ctx)
            .map(|name| ctx.ident(name))
    }

    /// Successor blocks.
    pub fn successors(&self) -> &[BlockId] {
        self.more.as_ref().map_or(&[], |more| &more.successors)
    }

    /// Successor blocks, mutably.
    pub fn successors_mut(&mut self) -> &mut [BlockId] {
        let more = self.more.as_mut();
        more.map_or(&mut [], |more| &mut more.successors)
    }

    /// Replaces the successors.
    pub fn set_successors(&mut self, successors: &[BlockId]) {
        if self.more.is_some() || !successors.is_empty() {
            self.more_mut().successors = successors.into();
        }
    }

    /// The regions.
    #[inline]
    pub fn regions(&self) -> Regions<'_> {
        match self.isolated() {
            Some(own) => Regions::Isolated(own),
            None => match self.inline_regions() {
                [] => Regions::None,
                regions => Regions::Inline(regions),
            },
        }
    }

    /// The number of regions, in whichever body they lie.
    pub fn num_regions(&self) -> usize {
        match self.isolated() {
            Some(own) => own.regions().len(),
            None => self.inline_regions().len(),
        }
    }

    /// Returns the regions and the body they lie in: the operation's own, or `around`, the
    /// enclosing one.
    pub(crate) fn regions_in<'b>(&'b self, around: &'b Body) -> (&'b Body, &'b [RegionId]) {
        match self.isolated() {
            Some(own) => (own, own.regions()),
            None => (around, self.inline_regions()),
        }
    }

    /// The regions that lie in the enclosing body.
    #[inline]
    pub fn inline_regions(&self) -> &[RegionId] {
        match &self.more {
            Some(more) if !more.regions.is_empty() => &more.regions,
            _ => self.region.as_slice(),
        }
    }

    /// The regions that lie in the enclosing body, mutably.
    pub fn inline_regions_mut(&mut self) -> &mut [RegionId] {
        match &mut self.more {
            Some(more) if !more.regions.is_empty() => &mut more.regions,
            _ => self.region.as_mut_slice(),
        }
    }

    /// Appends a region of the enclosing body. Panics if the operation owns a body:
    /// its regions belong there.
    pub(super) fn push_region(&mut self, region: RegionId) {
        assert!(
            self.isolated().is_none(),
            "regions of an isolated operation lie in its own body"
        );
        if self.inline_regions().is_empty() {
            self.region = Some(region);
            return;
        }
        let first = self.region.take();
        let regions = &mut self.more_mut().regions;
        regions.extend(first);
        regions.push(region);
    }

    /// The body that an isolated operation owns.
    #[inline]
    pub fn isolated(&self) -> Option<&Body> {
        self.more.as_ref()?.own.as_deref()
    }

    /// The body that an isolated operation owns, for a copy to share.
    pub(crate) fn share_isolated(&self) -> Option<Arc<Body>> {
        self.more.as_ref()?.own.clone()
    }

    /// The body that an isolated operation owns, mutably.
    pub fn isolated_mut(&mut self) -> Option<&mut Body> {
        self.more.as_mut()?.own.as_mut().map(Arc::make_mut)
    }

    /// Sets the body that an isolated operation owns.
    pub fn set_isolated(&mut self, own: Body) {
        self.more_mut().own = Some(Arc::new(own));
    }

    /// Drops the regions, and the body if the operation owns one.
    pub(super) fn clear_regions(&mut self) {
        self.region = None;
        if let Some(more) = &mut self.more {
            more.regions.clear();
            more.own = None;
        }
    }

    fn more_mut(&mut self) -> &mut More {
        self.more.get_or_insert_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_are_small() {
        assert_eq!(size_of::<Option<OpId>>(), 4);
        assert_eq!(size_of::<OpData>(), 72);
    }
}
