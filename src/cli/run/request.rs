//! Command line of `gridloom run`.

use std::time::Duration;

use gridloom::codegen::target::OptLevel;
use gridloom::values::ArgSpec;
use gridloom::{DeviceWish, RunOptions, SessionOptions};

use crate::cli::{Failure, args, files, help, input, limits};

/// Parsed command line.
#[derive(Default)]
pub(super) struct Request {
    pub(super) file: Option<String>,
    pub(super) entry: Option<String>,
    pub(super) specs: Vec<ArgSpec>,
    pub(super) save_args: Vec<(usize, String)>,
    pub(super) save_results: Vec<(usize, String)>,
    pub(super) wish: DeviceWish,
    pub(super) session: SessionOptions,
    pub(super) run: RunOptions,
    pub(super) time_limit: Option<Duration>,
    pub(super) check: bool,
    pub(super) time: bool,
    /// Path of the trace file.
    pub(super) profile: Option<String>,
    /// Whether to map loops to kernels; `None` for the default.
    pub(super) offload: Option<bool>,
    /// Whether to compile kernels for any sizes instead of those of the arguments.
    pub(super) is_general: bool,
    pub(super) level: OptLevel,
    pub(super) remarks: bool,
    /// Whether to print schedules.
    pub(super) explain: bool,
    /// Whether to print schedules as JSON, in place of the summary.
    pub(super) json: bool,
    /// Path of the tuning database, if the command line names one.
    pub(super) database: Option<String>,
    /// Path of the folder for the kernels' SPIR-V modules.
    pub(super) save_kernels: Option<String>,
}

impl Request {
    /// Parses the command line; `None` where it asks for help.
    pub(super) fn parse(parser: &mut lexopt::Parser) -> Result<Option<Request>, Failure> {
        let mut request = Request::default();
        let mut ordered = false;
        request.run.memory_limit = limits::machine_memory();
        while let Some(name) = args::next_option(parser, &mut request.file, &['O'])? {
            let mut value = || args::text(parser.value()?);
            match &name[..] {
                "help" => return Ok(None),
                "entry" => {
                    let entry = value()?;
                    request.entry = Some(entry.strip_prefix('@').unwrap_or(&entry).to_owned());
                }
                "arg" => request
                    .specs
                    .push(value()?.parse().map_err(Failure::Usage)?),
                "save-arg" => request.save_args.push(save_target(&value()?)?),
                "save-result" => request.save_results.push(save_target(&value()?)?),
                "O" => request.level = args::level(&value()?)?,
                "device" => request.wish = value()?.as_str().into(),
                "fp" => request.session.fp = args::fp(&value()?)?,
                "map-for" => request.session.map_for = args::map_for(&value()?)?,
                "bounds" => request.session.bounds = args::bounds(&value()?)?,
                "thread-order" => {
                    ordered = true;
                    request.run.thread_order = value()?.parse().map_err(Failure::Usage)?;
                }
                "sanitize" => request.run.sanitize = value()?.parse().map_err(Failure::Usage)?,
                "memory-spaces" => {
                    request.run.spaces = value()?.parse().map_err(Failure::Usage)?;
                }
                "memory-limit" => request.run.memory_limit = limits::bytes(&value()?)?,
                "time-limit" => request.time_limit = Some(limits::seconds(&value()?)?),
                "check" => request.check = true,
                "time" => request.time = true,
                "portable" => request.session.portable = true,
                "spirv-dialect" => request.session.spirv_dialect = true,
                "binding-limit" => request.session.binding_limit = Some(limits::bytes(&value()?)?),
                "allow-known-faults" => request.session.allow_known_faults = true,
                "offload" | "no-offload" => {
                    let offload = name == "offload";
                    if request.offload == Some(!offload) {
                        let message =
                            "--offload and --no-offload contradict each other; leave one out";
                        return Err(Failure::Usage(message.to_owned()));
                    }
                    request.offload = Some(offload);
                }
                "no-specialize" => request.is_general = true,
                "require-device" => request.run.require_device = true,
                "remarks" => request.remarks = true,
                "explain" => request.explain = true,
                "json" => request.json = true,
                "database" => request.database = Some(value()?),
                "profile" => request.profile = Some(value()?),
                "save-kernels" => request.save_kernels = Some(value()?),
                _ => return Err(args::unknown_option("run", &name, help::RUN)),
            }
        }
        if request.json && !request.explain {
            return Err(Failure::Usage("--json goes with --explain".to_owned()));
        }
        if request.explain && request.offload == Some(false) {
            let message = "--explain reports on kernels, but --no-offload makes none";
            return Err(Failure::Usage(message.to_owned()));
        }
        args::check_level(request.level, request.database.is_some())?;
        let interpreted = match request.run.sanitize.any() {
            true => Some("--sanitize"),
            false => ordered.then_some("--thread-order"),
        };
        if let Some(option) = interpreted {
            if let DeviceWish::Named(_) = request.wish {
                let message =
                    format!("{option} runs the program on the interpreter; leave --device out");
                return Err(Failure::Usage(message));
            }
            request.wish = DeviceWish::Cpu;
        }
        Ok(Some(request))
    }

    /// Checks, before a long run, that output files can be written.
    pub(super) fn check_targets(&self) -> Result<(), Failure> {
        let mut places = Vec::new();
        let values = self.save_args.iter().chain(&self.save_results);
        for path in values.map(|(_, path)| path).chain(&self.profile) {
            let place = files::place(path);
            if places.contains(&place) {
                return Err(Failure::Usage(format!(
                    "several arguments or results are saved to '{path}'"
                )));
            }
            places.push(place);
            files::check_writable(path)
                .map_err(|error| input::refused(path, "cannot be written", &error))?;
        }
        Ok(())
    }
}

/// Parses `2=@out.npy`.
fn save_target(text: &str) -> Result<(usize, String), Failure> {
    let parts = text
        .split_once("=@")
        .and_then(|(number, path)| Some((number.parse().ok()?, path)));
    match parts {
        Some((number, path)) if !path.is_empty() => Ok((number, path.to_owned())),
        _ => Err(Failure::Usage(format!(
            "'{text}' should be N=@file.npy, N counting from 0"
        ))),
    }
}
