//! Trace of a run's profile, in the format of Perfetto and `chrome://tracing`.

use gridloom::gpu_runtime::{HostWork, Span, Timed, Timeline};
use serde::Serialize;
use serde_json::{Value, json};

/// Row numbers of the trace.
const HOST: u32 = 1;
const DEVICE: u32 = 2;

/// Event of the trace event format; times are in microseconds.
#[derive(Serialize)]
struct Event {
    name: String,
    /// The kind: `X` draws a bar, `M` names a row.
    ph: &'static str,
    pid: u32,
    tid: u32,
    ts: f64,
    dur: f64,
    args: Value,
}

impl Event {
    fn bar(row: u32, name: String, span: Span, args: Value) -> Event {
        Event {
            name,
            ph: "X",
            pid: 1,
            tid: row,
            ts: span.start.as_secs_f64() * 1e6,
            dur: span.time.as_secs_f64() * 1e6,
            args,
        }
    }

    fn row(row: u32, name: &str) -> Event {
        Event {
            name: "thread_name".to_owned(),
            ph: "M",
            pid: 1,
            tid: row,
            ts: 0.0,
            dur: 0.0,
            args: json!({ "name": name }),
        }
    }
}

/// Formats a profile as one JSON object and a line end. Commands without a time, of a device whose
/// clock cannot be read, are left out.
pub fn of(profile: &Timeline, device: &str) -> String {
    let mut events = vec![Event::row(HOST, "host"), Event::row(DEVICE, device)];
    for done in &profile.host {
        let (name, args) = match &done.work {
            HostWork::Compile(kernel) => (format!("compile {kernel}"), json!({})),
            HostWork::Copy(bytes) => ("copy".to_owned(), moved(*bytes, done.span)),
            HostWork::Upload(bytes) => ("upload".to_owned(), moved(*bytes, done.span)),
            HostWork::Download(bytes) => ("download".to_owned(), moved(*bytes, done.span)),
            HostWork::Wait => ("wait".to_owned(), json!({})),
        };
        events.push(Event::bar(HOST, name, done.span, args));
    }
    for command in &profile.commands {
        let Some(span) = command.span else { continue };
        let (name, args) = match &command.command {
            Timed::Launch { kernel, grid } => (kernel.clone(), json!({ "workgroups": grid })),
            Timed::Copy(bytes) => ("copy".to_owned(), moved(*bytes, span)),
            Timed::Fill(bytes) => ("fill".to_owned(), moved(*bytes, span)),
        };
        events.push(Event::bar(DEVICE, name, span, args));
    }
    let trace = json!({ "displayTimeUnit": "ms", "traceEvents": events });
    format!("{trace}\n")
}

/// Event arguments of a transfer: bytes, and bytes a second.
fn moved(bytes: u64, span: Span) -> Value {
    let seconds = span.time.as_secs_f64();
    match seconds > 0.0 {
        true => json!({ "bytes": bytes, "GB/s": bytes as f64 / seconds / 1e9 }),
        false => json!({ "bytes": bytes }),
    }
}
