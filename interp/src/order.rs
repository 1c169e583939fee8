//! Thread order: the order in which the machine, a single thread, runs iterations and threads that
//! are concurrent in the program.
//!
//! Whatever claims to be parallel must give the same result in every order; the
//! ascending one is that of the loop a kernel was made from, and hides a wrong
//! claim.

/// The order of the workgroups of a launch, of the threads of a workgroup and
/// of the iterations of `affine.parallel`, `scf.parallel` and `scf.forall`.
///
/// Every phase between two barriers has an order of its own. A loop that
/// reduces runs in ascending order unless all it reduces are integers, by an
/// operation of which any order gives the same bits: what floats add up to
/// depends on the order, and a strict run promises that of the source.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum ThreadOrder {
    /// Order of sequential loops: the last dimension of a loop, and x of a grid, varies fastest.
    #[default]
    Ascending,
    /// The reverse.
    Descending,
    /// A pseudo-random permutation that depends on this seed; the next launch
    /// or loop gets another.
    Random(u64),
}

impl std::str::FromStr for ThreadOrder {
    type Err = String;

    /// Parses `ascending`, `reverse` or `random:SEED`.
    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "ascending" => Ok(ThreadOrder::Ascending),
            "reverse" => Ok(ThreadOrder::Descending),
            _ => {
                let seed = text.strip_prefix("random:").and_then(|s| s.parse().ok());
                seed.map(ThreadOrder::Random).ok_or_else(|| {
                    format!(
                        "'{text}' is not a thread order; it is ascending, reverse or \
                             random:SEED"
                    )
                })
            }
        }
    }
}

impl ThreadOrder {
    /// The permutation of `count` things; `salt` is another number for each launch, loop or phase.
    pub(crate) fn permutation(self, count: u64, salt: u64) -> Permutation {
        match self {
            ThreadOrder::Ascending => Permutation::Ascending,
            ThreadOrder::Descending => Permutation::Descending { count },
            ThreadOrder::Random(seed) => Permutation::Shuffled {
                count,
                key: splitmix64(seed ^ splitmix64(salt)),
            },
        }
    }
}

/// A bijection of `0..count` that takes no memory, so that a grid may have any
/// size.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Permutation {
    Ascending,
    Descending { count: u64 },
    Shuffled { count: u64, key: u64 },
}

impl Permutation {
    /// The number at turn `turn`, which is less than `count`.
    #[inline]
    pub fn at(self, turn: u64) -> u64 {
        match self {
            Permutation::Ascending => turn,
            Permutation::Descending { count } => count - 1 - turn,
            Permutation::Shuffled { count, key } => shuffled(turn, count, key),
        }
    }
}

/// Cycle walking (Black and Rogaway, "Ciphers with Arbitrary Finite Domains",
/// CT-RSA 2002): a bijection of the next power of two is applied until the
/// value is below `count`, less than twice on average.
fn shuffled(turn: u64, count: u64, key: u64) -> u64 {
    let bits = 64 - (count - 1).leading_zeros();
    let mask = (1u128 << bits) as u64;
    let mask = mask.wrapping_sub(1);
    let shift = (bits / 2).max(1);
    let mut value = turn;
    loop {
        // Each step can be undone modulo a power of two: the factor is odd,
        // and a shifted exclusive or leaves the upper bits as they were.
        let mut round = key;
        for _ in 0..3 {
            value = value.wrapping_mul(round | 1).wrapping_add(round >> 32) & mask;
            value ^= value >> shift;
            round = splitmix64(round);
        }
        if value < count {
            return value;
        }
    }
}

/// The finalizer of Steele, Lea and Flood's SplitMix64.
fn splitmix64(value: u64) -> u64 {
    let mut z = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Coordinates of a number in row-major order: the last dimension varies
/// fastest.
#[inline]
pub(crate) fn coordinates(mut number: u64, sizes: &[u64], mut put: impl FnMut(usize, u64)) {
    for (dim, &size) in sizes.iter().enumerate().rev() {
        // The outermost coordinate is the remaining quotient, without a division.
        if dim == 0 {
            put(dim, number);
        } else {
            put(dim, number % size);
            number /= size;
        }
    }
}

/// Delinearizes a number in a grid: x varies fastest.
pub(crate) fn place_of(number: u64, sizes: [i64; 3]) -> [i64; 3] {
    let mut place = [0; 3];
    let [x, y, z] = sizes.map(|size| size as u64);
    coordinates(number, &[z, y, x], |dim, at| place[2 - dim] = at as i64);
    place
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_order_is_a_permutation() {
        for order in [
            ThreadOrder::Ascending,
            ThreadOrder::Descending,
            ThreadOrder::Random(0),
            ThreadOrder::Random(7),
        ] {
            for count in [1, 2, 3, 4, 5, 63, 64, 65, 1000] {
                let permutation = order.permutation(count, 3);
                let mut seen = vec![false; count as usize];
                for turn in 0..count {
                    let at = permutation.at(turn) as usize;
                    assert!(!std::mem::replace(&mut seen[at], true), "{order:?} {count}");
                }
            }
        }
    }

    #[test]
    fn random_orders_differ_by_seed_and_salt() {
        let first = |seed, salt| {
            let permutation = ThreadOrder::Random(seed).permutation(100, salt);
            Vec::from_iter((0..100).map(|turn| permutation.at(turn)))
        };
        assert_ne!(first(0, 0), Vec::from_iter(0..100));
        assert_ne!(first(0, 0), first(0, 1));
        assert_ne!(first(0, 0), first(1, 0));
    }

    #[test]
    fn the_largest_count_is_shuffled_too() {
        let permutation = ThreadOrder::Random(1).permutation(u64::MAX, 0);
        assert_ne!(permutation.at(0), permutation.at(1));
    }

    #[test]
    fn orders_are_read() {
        assert_eq!("reverse".parse(), Ok(ThreadOrder::Descending));
        assert_eq!("random:7".parse(), Ok(ThreadOrder::Random(7)));
        assert!("random".parse::<ThreadOrder>().is_err());
    }
}
