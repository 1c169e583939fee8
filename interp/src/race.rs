//! Race detector: accesses of one element that nothing orders.
//!
//! The machine runs one thing at a time, so a clock that moves whenever a
//! region, workgroup, phase, thread or iteration begins orders all accesses.
//! The running iterations are a stack of levels: a parallel loop is one, a launch is two
//! (its workgroups, and the threads of one workgroup between two barriers). A
//! level knows when it began and when its present iteration began:
//!
//! ```text
//! time ──▶        began            turn         now
//!      earlier      │   other       │   this     │
//!      ─────────────┼───────────────┼────────────┤
//!      ordered      │ unordered     │ look at the level inside
//! ```
//!
//! Iterations run one after the other, so an earlier access that lies between
//! `began` and `turn` was made by another iteration of the same loop, and
//! nothing but atomicity orders it with an access made now. One that is older
//! than `began` comes before the loop; after a barrier the level of the threads
//! begins anew. Of each kind of access the oldest since `began` therefore
//! decides: if it was not made by another iteration, no later one was. The
//! answer is exact for the iterations that ran, in whatever order they did.
//!
//! A thread that has waited for its subgroup, as a shuffle does, begins its turn
//! again, so that its own accesses may lie before it; then the oldest access of
//! another thread decides, which is kept beside the oldest.
//!
//! Atomics order nothing but themselves: a thread that sees what another has
//! counted does not thereby come after what that one wrote before.

use gridloom_ir::Loc;
use smallvec::SmallVec;

use crate::order::{coordinates, place_of};

/// Kind of an access to an element.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AccessKind {
    /// A plain read.
    Read,
    /// A plain write.
    Write,
    /// A read and write that nothing can come between.
    Atomic,
}

impl AccessKind {
    pub(crate) const ALL: [AccessKind; 3] =
        [AccessKind::Read, AccessKind::Write, AccessKind::Atomic];

    /// Whether two accesses of one element need an order between them.
    fn conflicts(self, other: AccessKind) -> bool {
        use AccessKind::{Atomic, Read};
        !matches!((self, other), (Read, Read) | (Atomic, Atomic))
    }

    fn verb(self) -> &'static str {
        match self {
            AccessKind::Read => "reads",
            AccessKind::Write => "writes",
            AccessKind::Atomic => "atomically updates",
        }
    }
}

/// Two accesses of one element, at least one a write and not both atomic, that
/// nothing orders.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Race {
    /// The later access.
    pub access: AccessKind,
    /// The later member in words: `iteration (3)`.
    pub who: String,
    /// The index of the element in the view it was touched through; `None`
    /// where the whole buffer is freed.
    pub index: Option<Vec<i64>>,
    /// The earlier access.
    pub earlier: AccessKind,
    /// The earlier member in words.
    pub earlier_who: String,
    /// Location of the earlier access.
    pub earlier_loc: Loc,
    /// Whether both are threads of one workgroup, which a barrier could order.
    pub barrier_would_help: bool,
}

impl std::fmt::Display for Race {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let missing = match self.barrier_would_help {
            true => "no barrier stands between the two",
            false => "nothing orders the two",
        };
        let what = match &self.index {
            Some(index) => format!("{} element {index:?}", self.access.verb()),
            None => "frees a buffer".to_owned(),
        };
        let (who, earlier) = (&self.who, self.earlier.verb());
        let earlier_who = &self.earlier_who;
        write!(
            f,
            "data race: {who} {what} that {earlier_who} {earlier}, and {missing}"
        )
    }
}

impl Race {
    /// The note at the earlier access.
    pub(crate) fn note(&self) -> String {
        format!("{} {} it here", self.earlier_who, self.earlier.verb())
    }
}

/// The members of a level, which run side by side.
#[derive(Clone, Debug)]
pub(crate) enum Members {
    /// The workgroups of a grid; the level inside are threads.
    Workgroups { grid: [i64; 3] },
    /// The threads of a workgroup, from one barrier to the next.
    Threads { block: [i64; 3] },
    /// The iterations of a parallel loop.
    Iterations {
        trips: SmallVec<[u64; 3]>,
        lbs: SmallVec<[i64; 3]>,
        steps: SmallVec<[i64; 3]>,
    },
}

impl Members {
    fn name(&self, number: u64) -> String {
        match self {
            Members::Workgroups { grid } => format!("workgroup {}", tuple(place_of(number, *grid))),
            Members::Threads { block } => format!("thread {}", tuple(place_of(number, *block))),
            Members::Iterations { trips, lbs, steps } => {
                let mut values = lbs.clone();
                coordinates(number, trips, |dim, at| {
                    let moved = (at as i64).wrapping_mul(steps[dim]);
                    values[dim] = values[dim].wrapping_add(moved);
                });
                format!("iteration {}", tuple(values))
            }
        }
    }
}

fn tuple(values: impl IntoIterator<Item = i64>) -> String {
    let values: Vec<String> = values.into_iter().map(|value| value.to_string()).collect();
    format!("({})", values.join(", "))
}

/// Active level of concurrency.
#[derive(Clone, Debug)]
pub(crate) struct Level {
    members: Members,
    /// Timestamp of the level's entry.
    began: u64,
    /// Timestamp at which its current member began.
    turn: u64,
    /// The present member.
    number: u64,
}

/// Race clock: the time, and the active levels, outermost first.
#[derive(Clone, Default, Debug)]
pub(crate) struct Watch {
    clock: u64,
    levels: Vec<Level>,
}

impl Watch {
    /// Begins a level inside the others.
    pub fn enter(&mut self, members: Members) {
        self.clock += 1;
        self.levels.push(Level {
            members,
            began: self.clock,
            turn: self.clock,
            number: 0,
        });
    }

    /// Ends the innermost level.
    pub fn exit(&mut self) {
        self.levels.pop();
    }

    /// Ends all levels, after a fault.
    pub fn reset(&mut self) {
        self.levels.clear();
    }

    /// Begins the next member of the innermost level.
    pub fn begin(&mut self, number: u64) {
        self.clock += 1;
        if let Some(level) = self.levels.last_mut() {
            (level.turn, level.number) = (self.clock, number);
        }
    }

    /// Orders the threads of the innermost level at a barrier: accesses before it come before those
    /// after it.
    pub fn barrier(&mut self) {
        self.clock += 1;
        if let Some(level) = self.levels.last_mut() {
            level.began = self.clock;
        }
    }

    /// Suspends a waiting thread: pops its levels, those inside `depth`.
    pub fn suspend(&mut self, depth: usize) -> Vec<Level> {
        self.levels.split_off(depth.min(self.levels.len()))
    }

    /// Resumes a thread: pushes its levels again. They begin anew, since others ran in between.
    pub fn resume(&mut self, levels: Vec<Level>) {
        for mut level in levels {
            (level.began, level.turn) = (self.clock, self.clock);
            self.levels.push(level);
        }
    }

    pub fn depth(&self) -> usize {
        self.levels.len()
    }

    /// Names the member that runs on level `depth`; `inner` is the member of the level inside.
    fn name(&self, depth: usize, number: u64, inner: u64) -> String {
        let level = &self.levels[depth];
        let name = level.members.name(number);
        match (&level.members, depth.checked_sub(1)) {
            (Members::Workgroups { .. }, _) => match self.levels.get(depth + 1) {
                Some(threads) => format!("{} of {name}", threads.members.name(inner)),
                None => name,
            },
            (Members::Threads { .. }, Some(outer)) => {
                let outer = &self.levels[outer];
                format!("{name} of {}", outer.members.name(outer.number))
            }
            _ => name,
        }
    }

    /// Number of the current member of the level inside `depth`; 0 without one.
    fn inner(&self, depth: usize) -> u64 {
        self.levels.get(depth + 1).map_or(0, |level| level.number)
    }
}

/// Oldest access of its kind since its level began; stale if it is older than the level.
#[derive(Clone, Copy, Debug)]
struct Entry {
    /// Timestamp of the access; 0 for never.
    at: u64,
    number: u64,
    inner: u64,
    loc: Loc,
}

const NEVER: Entry = Entry {
    at: 0,
    number: 0,
    inner: 0,
    loc: Loc::UNKNOWN,
};

/// Elements whose entries lie together.
const PAGE: usize = 256;

/// Accesses of one kind on one level: the oldest of each element, and the oldest by another member
/// than that one's.
#[derive(Clone, Default, Debug)]
struct Accesses {
    first: Track,
    other: Track,
}

impl Accesses {
    /// The oldest access that another member than the present one has made since the level began.
    fn by_another(&self, level: &Level, cell: usize) -> Option<Entry> {
        let first = self.first.get(cell);
        let entry = match first.number == level.number && first.at < level.turn {
            true => self.other.get(cell),
            false => first,
        };
        (level.began <= entry.at && entry.at < level.turn).then_some(entry)
    }

    fn record(&mut self, level: &Level, cell: usize, entry: Entry) {
        let first = self.first.get(cell);
        if first.at < level.began {
            self.first.set(cell, entry);
        } else if first.number != entry.number && self.other.get(cell).at < level.began {
            self.other.set(cell, entry);
        }
    }

    /// Returns the accesses with each cell cut into `pieces`.
    fn split(&self, pieces: usize) -> Accesses {
        Accesses {
            first: self.first.split(pieces),
            other: self.other.split(pieces),
        }
    }
}

/// Track: entries of elements, in pages allocated when touched.
#[derive(Clone, Default, Debug)]
struct Track {
    pages: Vec<Option<Box<[Entry; PAGE]>>>,
}

impl Track {
    fn get(&self, cell: usize) -> Entry {
        let page = self.pages.get(cell / PAGE).and_then(Option::as_ref);
        page.map_or(NEVER, |page| page[cell % PAGE])
    }

    fn set(&mut self, cell: usize, entry: Entry) {
        let page = cell / PAGE;
        if self.pages.len() <= page {
            self.pages.resize_with(page + 1, || None);
        }
        self.pages[page].get_or_insert_with(|| Box::new([NEVER; PAGE]))[cell % PAGE] = entry;
    }

    /// The cells of all allocated pages.
    fn cells(&self) -> impl Iterator<Item = usize> {
        let present = self.pages.iter().enumerate();
        let present = present.filter_map(|(number, page)| page.is_some().then_some(number));
        present.flat_map(|page| page * PAGE..(page + 1) * PAGE)
    }

    /// Returns the track with each cell cut into `pieces`.
    fn split(&self, pieces: usize) -> Track {
        let mut track = Track::default();
        for cell in self.cells() {
            let entry = self.get(cell);
            if entry.at != 0 {
                (0..pieces).for_each(|piece| track.set(cell * pieces + piece, entry));
            }
        }
        track
    }
}

/// Shadow memory of one buffer: tracks of its accesses, for each kind and level.
#[derive(Clone, Debug)]
pub(crate) struct Shadow {
    /// Bytes a cell stands for: an element of the buffer, or one byte once a
    /// view of another element size has been used.
    granule: usize,
    levels: Vec<[Accesses; 3]>,
}

/// Access being made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Access {
    /// The first byte in the buffer.
    pub at: usize,
    pub size: usize,
    pub kind: AccessKind,
    pub loc: Loc,
}

impl Shadow {
    pub fn new(element_size: usize) -> Self {
        Shadow {
            granule: element_size.max(1),
            levels: Vec::new(),
        }
    }

    /// Records an access, or returns the race that it is part of, without the element's index.
    pub fn touch(&mut self, watch: &Watch, access: Access) -> Result<(), Box<Race>> {
        if watch.levels.is_empty() {
            return Ok(());
        }
        let is_whole = |bytes: usize| bytes.is_multiple_of(self.granule);
        if !is_whole(access.at) || !is_whole(access.size) {
            self.refine();
        }
        let first = access.at / self.granule;
        for cell in first..first + access.size / self.granule {
            self.check(watch, access, cell)?;
            self.record(watch, access, cell);
        }
        Ok(())
    }

    /// Checks the freeing of the buffer: it races with every access of another member.
    pub fn free(&self, watch: &Watch, loc: Loc) -> Result<(), Box<Race>> {
        let access = Access {
            at: 0,
            size: 0,
            kind: AccessKind::Write,
            loc,
        };
        for tracks in &self.levels {
            for cell in tracks.iter().flat_map(|track| track.first.cells()) {
                self.check(watch, access, cell)?;
            }
        }
        Ok(())
    }

    fn check(&self, watch: &Watch, access: Access, cell: usize) -> Result<(), Box<Race>> {
        for (depth, (level, tracks)) in watch.levels.iter().zip(&self.levels).enumerate() {
            for (earlier, track) in AccessKind::ALL.into_iter().zip(tracks) {
                let entry = track.by_another(level, cell);
                if let Some(entry) = entry.filter(|_| access.kind.conflicts(earlier)) {
                    return Err(Box::new(Race {
                        access: access.kind,
                        who: watch.name(depth, level.number, watch.inner(depth)),
                        index: None,
                        earlier,
                        earlier_who: watch.name(depth, entry.number, entry.inner),
                        earlier_loc: entry.loc,
                        barrier_would_help: matches!(level.members, Members::Threads { .. }),
                    }));
                }
            }
        }
        Ok(())
    }

    fn record(&mut self, watch: &Watch, access: Access, cell: usize) {
        let depth = watch.levels.len();
        if self.levels.len() < depth {
            self.levels.resize_with(depth, Default::default);
        }
        let tracks = self.levels.iter_mut().enumerate();
        for (level, (depth, tracks)) in watch.levels.iter().zip(tracks) {
            let entry = Entry {
                at: watch.clock,
                number: level.number,
                inner: watch.inner(depth),
                loc: access.loc,
            };
            tracks[access.kind as usize].record(level, cell, entry);
        }
    }

    /// Refines cells of an element to cells of a byte.
    fn refine(&mut self) {
        for track in self.levels.iter_mut().flatten() {
            *track = track.split(self.granule);
        }
        self.granule = 1;
    }
}
