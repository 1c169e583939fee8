//! Reports of the benchmark: what was measured, as numbers and as JSON.

use serde::{Deserialize, Serialize};

use super::sample::Times;
use super::work::Work;

/// Version of the JSON form: it changes where a field changes its meaning or goes.
pub const SCHEMA: u32 = 1;

/// A run of the benchmark.
#[derive(Clone, PartialEq, Default, Serialize, Deserialize, Debug)]
pub struct Report {
    /// [`SCHEMA`].
    pub schema: u32,
    /// The device and its driver.
    pub device: String,
    /// When it ran, in UTC.
    pub date: String,
    /// The commit of gridloom, where it is known.
    pub commit: Option<String>,
    /// The version of gridloom.
    pub version: String,
    /// The name of the sizes; empty in reports from before there were several.
    #[serde(default)]
    pub size: String,
    /// The measured roofline of the device.
    pub roofline: Option<Roofline>,
    /// The kernels.
    pub rows: Vec<Row>,
    /// Errors of the roofline's kernels.
    pub errors: Vec<String>,
}

/// Measured roofline of a device.
#[derive(Clone, Copy, PartialEq, Default, Serialize, Deserialize, Debug)]
pub struct Roofline {
    /// Floating-point operations a second, of multiply-adds in registers.
    pub flops: f64,
    /// Bytes a second, read and written by a copy.
    pub bytes: f64,
    /// Costs of moving data and of launches, where they were measured.
    #[serde(default)]
    pub costs: Option<Costs>,
}

/// Measured costs of a device beside those of kernels.
#[derive(Clone, Copy, PartialEq, Default, Serialize, Deserialize, Debug)]
pub struct Costs {
    /// Seconds from the launch of a kernel with next to no work until it is done and waited for.
    pub launch: f64,
    /// Seconds of each of many such launches in a row, waited for once.
    pub launch_in_a_row: f64,
    /// Bytes a second from the host to the device.
    pub upload: f64,
    /// Bytes a second from the device to the host.
    pub download: f64,
}

/// A kernel of a run. Times are in seconds.
#[derive(Clone, PartialEq, Default, Serialize, Deserialize, Debug)]
pub struct Row {
    /// Its name.
    pub name: String,
    /// Its work, counted from its loops.
    pub work: Option<Work>,
    /// Steady state of the program as gridloom maps it.
    pub gridloom: Option<Times>,
    /// Steady state of the hand-written kernel.
    pub by_hand: Option<Times>,
    /// Steady state of the program at one iteration a thread, where that is not too slow.
    pub naive: Option<Times>,
    /// The reference in Rust on one core.
    pub rust: Option<Times>,
    /// Seconds that mapping the loops to kernels took.
    pub offload: f64,
    /// The first run: with the driver's compilation and the transfer of the arguments.
    pub first: f64,
    /// Errors: results that differ from the reference's, or what could not run.
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

    /// Speed of gridloom relative to the hand-written kernel's, by the best of runs in turns.
    pub fn ratio(&self) -> Option<f64> {
        Some(self.by_hand?.best / self.gridloom?.best)
    }

    /// Bytes a second, by the best run; `None` where nothing is read or written.
    pub fn bandwidth(&self) -> Option<f64> {
        let bytes = self.work?.bytes;
        (bytes > 0).then_some(bytes as f64 / self.gridloom?.best)
    }

    /// Floating-point operations a second, by the best run; `None` where there are none.
    pub fn flop_rate(&self) -> Option<f64> {
        let flops = self.work?.flops;
        (flops > 0).then_some(flops as f64 / self.gridloom?.best)
    }

    /// Share of the best possible time that the roofline leaves: the longer of what the bytes and
    /// what the operations take at the measured peaks.
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

    /// A report from JSON.
    ///
    /// # Errors
    /// It is no report, or of another version of the form.
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
