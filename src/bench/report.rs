//! Benchmark report: measurements as numbers and as JSON.

use serde::{Deserialize, Serialize};

use super::sample::Times;
use super::work::Work;

/// Version of the JSON format: it changes where a field changes its meaning or is removed.
pub const SCHEMA: u32 = 1;

/// Report of one benchmark run.
#[derive(Clone, PartialEq, Default, Serialize, Deserialize, Debug)]
pub struct Report {
    /// Format version, [`SCHEMA`].
    pub schema: u32,
    /// Name of the device and its driver.
    pub device: String,
    /// Time of the run, in UTC.
    pub date: String,
    /// Commit of gridloom, where known.
    pub commit: Option<String>,
    /// The version of gridloom.
    pub version: String,
    /// Name of the sizes; empty in reports from versions with one size.
    #[serde(default)]
    pub size: String,
    /// The measured roofline of the device.
    pub roofline: Option<Roofline>,
    /// Results, one for each kernel.
    pub rows: Vec<Row>,
    /// Errors of the roofline's kernels.
    pub errors: Vec<String>,
}

/// Measured roofline of a device.
#[derive(Clone, Copy, PartialEq, Default, Serialize, Deserialize, Debug)]
pub struct Roofline {
    /// Floating-point operations a second, of multiply-adds in registers.
    pub flops: f64,
    /// Memory bandwidth in bytes a second, read and written by a copy.
    pub bytes: f64,
    /// Costs of transfers and launches, where measured.
    #[serde(default)]
    pub costs: Option<Costs>,
}

/// Measured costs of a device apart from kernels.
#[derive(Clone, Copy, PartialEq, Default, Serialize, Deserialize, Debug)]
pub struct Costs {
    /// Seconds from the launch of a trivial kernel until its end is observed.
    pub launch: f64,
    /// Seconds for each of many such launches in a row, with one wait.
    pub launch_in_a_row: f64,
    /// Bytes a second from the host to the device.
    pub upload: f64,
    /// Bytes a second from the device to the host.
    pub download: f64,
}

/// Result of one kernel. Times are in seconds.
#[derive(Clone, PartialEq, Default, Serialize, Deserialize, Debug)]
pub struct Row {
    /// Name of the kernel.
    pub name: String,
    /// Its work, counted from its loops.
    pub work: Option<Work>,
    /// Steady state of the program as gridloom maps it.
    pub gridloom: Option<Times>,
    /// Steady state of the hand-written kernel.
    pub by_hand: Option<Times>,
    /// Steady state of the program with one iteration for each thread, where that is not too slow.
    pub naive: Option<Times>,
    /// The reference in Rust on one core.
    pub rust: Option<Times>,
    /// Seconds for mapping the loops to kernels.
    pub offload: f64,
    /// Seconds of the first run, with the driver's compilation and the transfer of the arguments.
    pub first: f64,
    /// Errors: wrong results, or failures to run.
    pub errors: Vec<String>,
}

impl Row {
    /// A row without any times.
    pub fn new(name: &str) -> Self {
        Row {
            name: name.to_owned(),
            ..Row::default()
        }
    }

    /// Speed of gridloom relative to the hand-written kernel, by the best of interleaved runs.
    pub fn ratio(&self) -> Option<f64> {
        Some(self.by_hand?.best / self.gridloom?.best)
    }

    /// Bandwidth in bytes a second, by the best run; `None` for a kernel without memory traffic.
    pub fn bandwidth(&self) -> Option<f64> {
        let bytes = self.work?.bytes;
        (bytes > 0).then_some(bytes as f64 / self.gridloom?.best)
    }

    /// Floating-point operations a second, by the best run; `None` for a kernel without any.
    pub fn flop_rate(&self) -> Option<f64> {
        let flops = self.work?.flops;
        (flops > 0).then_some(flops as f64 / self.gridloom?.best)
    }

    /// Roofline share: the best possible time, which is the longer of bytes and operations at the
    /// measured peaks, as a share of the best run.
    pub fn roofline_share(&self, roofline: Roofline) -> Option<f64> {
        let work = self.work?;
        let bytes = work.bytes as f64 / roofline.bytes;
        let flops = work.flops as f64 / roofline.flops;
        let least = bytes.max(flops);
        (least > 0.0).then_some(least / self.gridloom?.best)
    }
}

impl Report {
    /// The report as JSON.
    pub fn to_json(&self) -> String {
        // Numbers, strings and lists have a JSON form; nothing here can fail.
        let text = serde_json::to_string_pretty(self).unwrap_or_default();
        text + "\n"
    }

    /// Parses a report from JSON.
    ///
    /// # Errors
    /// The text is no report, or has another format version.
    pub fn from_json(text: &str) -> Result<Self, String> {
        let report: Report = serde_json::from_str(text).map_err(|error| error.to_string())?;
        match report.schema {
            SCHEMA => Ok(report),
            other => Err(format!(
                "it has format version {other}, and this gridloom reads version {SCHEMA}; measure \
                 again"
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(best: f64) -> Option<Times> {
        Some(Times {
            median: best,
            best,
            spread: 0.0,
            runs: 3,
        })
    }

    fn report() -> Report {
        let row = Row {
            work: Some(Work {
                flops: 8_000,
                bytes: 1_000,
            }),
            gridloom: times(2e-6),
            by_hand: times(1e-6),
            errors: vec!["\"no\"\n".to_owned()],
            ..Row::new("gemm")
        };
        Report {
            schema: SCHEMA,
            device: "device".to_owned(),
            rows: vec![row],
            ..Report::default()
        }
    }

    #[test]
    fn json_reads_back() {
        assert_eq!(Report::from_json(&report().to_json()), Ok(report()));
        let other = report()
            .to_json()
            .replace("\"schema\": 1", "\"schema\": 99");
        assert!(
            Report::from_json(&other)
                .unwrap_err()
                .contains("version 99")
        );
        assert!(Report::from_json("[]").is_err());
    }

    #[test]
    fn rates_of_known_times() {
        let row = &report().rows[0];
        assert_eq!(row.ratio(), Some(0.5));
        assert_eq!(row.bandwidth(), Some(0.5e9));
        assert_eq!(row.flop_rate(), Some(4e9));
        // 1 µs of bytes, 0.8 µs of operations, and 2 µs were taken.
        let roofline = Roofline {
            flops: 1e10,
            bytes: 1e9,
            costs: None,
        };
        assert_eq!(row.roofline_share(roofline), Some(0.5));
    }
}
