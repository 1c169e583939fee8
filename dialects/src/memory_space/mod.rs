//! Memory spaces: the kind of memory that the attribute of a memref type names.
//!
//! | written | means |
//! |---|---|
//! | nothing, `0`, `#gpu.address_space<global>` | memory of the device |
//! | `3`, `#gpu.address_space<workgroup>` | memory that the threads of one workgroup share |
//! | `5`, `#gpu.address_space<private>` | memory of one thread |
//! | another integer, such as the `1` and `2` of the older documents | a memory of its own, faster the higher the number; ordinary memory on the host |
//! | a string, such as `"vmem"` | what a [`MemorySpaces`] table says; else ordinary memory on the host |

mod private;

use std::str::FromStr;

use gridloom_ir::attr::{Attr, AttrKind};
use gridloom_ir::context::Context;
use gridloom_ir::types::Type;

pub use private::{is_thread_private, launch_around};

/// The kinds of memory, from the slowest on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SpaceKind {
    /// Memory of the host.
    Host,
    /// Memory of the host that the device reaches.
    Staging,
    /// Memory of the device.
    Global,
    /// Memory that the threads of one workgroup share.
    Workgroup,
    /// Memory of one thread.
    Private,
}

impl SpaceKind {
    const NAMES: [(&'static str, SpaceKind); 5] = [
        ("host", SpaceKind::Host),
        ("staging", SpaceKind::Staging),
        ("global", SpaceKind::Global),
        ("workgroup", SpaceKind::Workgroup),
        ("private", SpaceKind::Private),
    ];

    /// Rank by speed, on the scale of integer memory spaces.
    fn speed(self) -> i64 {
        match self {
            SpaceKind::Host => -2,
            SpaceKind::Staging => -1,
            SpaceKind::Global => 0,
            SpaceKind::Workgroup => 3,
            SpaceKind::Private => 5,
        }
    }
}

/// Memory space: kind and size of the memory that a memref type names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Space<'t> {
    /// The kind; `None` for a space of unknown kind.
    pub kind: Option<SpaceKind>,
    /// Rank by speed: of two spaces, the one of the lower number is the slower.
    /// `None` for a string that no table has.
    pub speed: Option<i64>,
    /// The entry of the table, if it has one.
    pub entry: Option<&'t NamedSpace>,
}

/// A space that a target declares.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamedSpace {
    /// The string, or the digits of the integer, that names it.
    pub name: String,
    /// Kind of the space.
    pub kind: SpaceKind,
    /// Size of the space in bytes; `None` where it is not declared.
    pub bytes: Option<u64>,
}

/// A table of memory spaces: `hbm=global:16GiB,vmem=workgroup:32KiB,2=private`.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct MemorySpaces {
    entries: Vec<NamedSpace>,
}

impl MemorySpaces {
    /// The entries in the order in which they were declared.
    pub fn entries(&self) -> &[NamedSpace] {
        &self.entries
    }

    /// Resolves a memory space attribute; `None` is the default space.
    pub fn space(&self, ctx: &Context, attr: Option<Attr>) -> Space<'_> {
        let Some(attr) = attr else {
            return known(SpaceKind::Global);
        };
        if let Some(number) = attr.as_i64(ctx) {
            if let Some(entry) = self.entry(&number.to_string()) {
                return entry;
            }
            let kind = match number {
                0 => Some(SpaceKind::Global),
                3 => Some(SpaceKind::Workgroup),
                5 => Some(SpaceKind::Private),
                _ => None,
            };
            return Space {
                kind,
                speed: Some(number),
                entry: None,
            };
        }
        if let Some(name) = attr.as_str(ctx) {
            return self.entry(name).unwrap_or(Space {
                kind: None,
                speed: None,
                entry: None,
            });
        }
        match address_space(ctx, attr) {
            Some(kind) => known(kind),
            None => Space {
                kind: None,
                speed: None,
                entry: None,
            },
        }
    }

    /// The space of a memref type, the default one for other types.
    pub fn of_type(&self, ctx: &Context, ty: Type) -> Space<'_> {
        self.space(ctx, ty.memref(ctx).and_then(|memref| memref.space))
    }

    /// The number in the table of a memref type's space, if the table has it.
    pub fn number_of(&self, ctx: &Context, ty: Type) -> Option<usize> {
        let entry = self.of_type(ctx, ty).entry?;
        self.entries.iter().position(|other| other == entry)
    }

    fn entry(&self, name: &str) -> Option<Space<'_>> {
        let entry = self.entries.iter().find(|entry| entry.name == name)?;
        Some(Space {
            entry: Some(entry),
            ..known(entry.kind)
        })
    }
}

fn known(kind: SpaceKind) -> Space<'static> {
    Space {
        kind: Some(kind),
        speed: Some(kind.speed()),
        entry: None,
    }
}

/// `#gpu.address_space<…>`
fn address_space(ctx: &Context, attr: Attr) -> Option<SpaceKind> {
    let AttrKind::Dialect { dialect, body, .. } = attr.kind(ctx) else {
        return None;
    };
    if ctx.str(*dialect) != "gpu" {
        return None;
    }
    let name = ctx.str(*body).trim_start_matches('.');
    let name = name.strip_prefix("address_space")?.trim();
    let name = name.strip_prefix('<')?.strip_suffix('>')?.trim();
    let kinds = SpaceKind::NAMES.iter().skip(2);
    kinds
        .copied()
        .find(|(word, _)| *word == name)
        .map(|(_, kind)| kind)
}

impl FromStr for MemorySpaces {
    type Err = String;

    /// `NAME=KIND[:SIZE]`, several separated by commas. SIZE is in bytes, or has
    /// one of the units KiB, MiB, GiB.
    fn from_str(text: &str) -> Result<Self, String> {
        let mut entries: Vec<NamedSpace> = Vec::new();
        for word in text.split(',').map(str::trim) {
            let (name, rest) = word.split_once('=').ok_or_else(|| {
                format!("'{word}' is not a memory space; write NAME=KIND or NAME=KIND:SIZE")
            })?;
            let (kind, size) = match rest.split_once(':') {
                Some((kind, size)) => (kind, Some(size)),
                None => (rest, None),
            };
            let found = SpaceKind::NAMES
                .iter()
                .find(|(name, _)| *name == kind.trim());
            let Some(&(_, kind)) = found else {
                return Err(format!(
                    "'{kind}' is not a kind of memory; there are host, staging, global, workgroup \
                     and private"
                ));
            };
            let bytes = match size {
                Some(size) => Some(
                    bytes(size.trim())
                        .ok_or_else(|| format!("'{size}' is not a size of a memory"))?,
                ),
                None => None,
            };
            let name = name.trim().trim_matches('"').to_owned();
            if name.is_empty() {
                return Err(format!("'{word}' names no memory space"));
            }
            if entries.iter().any(|entry| entry.name == name) {
                return Err(format!("memory space '{name}' is declared twice"));
            }
            entries.push(NamedSpace { name, kind, bytes });
        }
        Ok(MemorySpaces { entries })
    }
}

fn bytes(text: &str) -> Option<u64> {
    const UNITS: [(&str, u64); 4] = [
        ("KiB", 1 << 10),
        ("MiB", 1 << 20),
        ("GiB", 1 << 30),
        ("B", 1),
    ];
    let unit = UNITS
        .iter()
        .find_map(|&(unit, scale)| Some((text.strip_suffix(unit)?, scale)));
    let (number, scale) = unit.unwrap_or((text, 1));
    number.trim().parse::<u64>().ok()?.checked_mul(scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_read() {
        let table: MemorySpaces = "hbm=global:2GiB, vmem=workgroup:48KiB,2=private"
            .parse()
            .unwrap();
        let ctx = crate::context();
        let vmem = table.space(&ctx, Some(ctx.string_attr("vmem")));
        assert_eq!(vmem.kind, Some(SpaceKind::Workgroup));
        assert_eq!(vmem.entry.and_then(|entry| entry.bytes), Some(48 << 10));
        let two = table.space(&ctx, Some(ctx.i64_attr(2)));
        assert_eq!(two.kind, Some(SpaceKind::Private));
        for wrong in ["", "hbm", "hbm=ram", "a=host,a=host", "a=host:1XB", "=host"] {
            assert!(wrong.parse::<MemorySpaces>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn spaces_without_a_table() {
        let (ctx, table) = (crate::context(), MemorySpaces::default());
        let of = |attr| table.space(&ctx, attr);
        assert_eq!(of(None).kind, Some(SpaceKind::Global));
        let number = |n| of(Some(ctx.i64_attr(n)));
        assert_eq!(number(3).kind, Some(SpaceKind::Workgroup));
        assert_eq!((number(2).kind, number(2).speed), (None, Some(2)));
        assert_eq!(of(Some(ctx.string_attr("vmem"))).speed, None);
        let shared = ctx.dialect_attr("gpu", ".address_space<workgroup>");
        assert_eq!(of(Some(shared)).kind, Some(SpaceKind::Workgroup));
    }
}
