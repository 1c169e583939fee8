//! Limits of a run: parses sizes and times, and finds the machine's memory.

use std::time::Duration;

use super::Failure;

/// Assumed bytes of memory where the machine's memory is unknown.
const USUAL_MEMORY: u64 = 8 << 30;

/// All memory of this machine, in bytes.
pub fn machine_memory() -> u64 {
    // Linux says it in a line such as `MemTotal:       32698276 kB`.
    let meminfo = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let line = meminfo
        .lines()
        .find_map(|line| line.strip_prefix("MemTotal:"));
    let kibibytes = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    kibibytes.map_or(USUAL_MEMORY, |count| count.saturating_mul(1 << 10))
}

/// Parses a size: `500`, `64KiB`, `500MiB`, `8GiB` or `1TiB`, or decimal units.
pub fn bytes(text: &str) -> Result<u64, Failure> {
    const UNITS: [(&str, u64); 9] = [
        ("KiB", 1 << 10),
        ("MiB", 1 << 20),
        ("GiB", 1 << 30),
        ("TiB", 1 << 40),
        ("kB", 1_000),
        ("MB", 1_000_000),
        ("GB", 1_000_000_000),
        ("TB", 1_000_000_000_000),
        ("B", 1),
    ];
    let unit = UNITS
        .iter()
        .find_map(|&(unit, scale)| Some((text.strip_suffix(unit)?, scale)));
    let (number, scale) = unit.unwrap_or((text, 1));
    let count = number.trim().parse::<u64>().ok();
    count
        .and_then(|count| count.checked_mul(scale))
        .ok_or_else(|| {
            Failure::Usage(format!(
                "'{text}' is not a size; write bytes or a whole number of KiB, MiB, GiB or TiB"
            ))
        })
}

/// Parses a time in seconds, with or without a fraction.
pub fn seconds(text: &str) -> Result<Duration, Failure> {
    let seconds = text.parse::<f64>().ok();
    let time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    time.ok_or_else(|| Failure::Usage(format!("'{text}' is not a number of seconds")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_units() {
        assert_eq!(bytes("500").ok(), Some(500));
        assert_eq!(bytes("8GiB").ok(), Some(8 << 30));
        assert_eq!(bytes("2 MB").ok(), Some(2_000_000));
        for wrong in ["", "GiB", "-1", "1.5GiB", "1 XiB", "99999999999TiB"] {
            assert!(bytes(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn times_are_not_negative() {
        assert_eq!(seconds("0.5").ok(), Some(Duration::from_millis(500)));
        for wrong in ["", "-1", "inf", "1s", "1e300"] {
            assert!(seconds(wrong).is_err(), "{wrong}");
        }
    }
}
