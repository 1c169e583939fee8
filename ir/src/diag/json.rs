//! Diagnostics as JSON for programs.

use std::fmt::Write as _;

use super::{Diagnostic, place};
use crate::context::Context;
use crate::location::Loc;

impl Diagnostic {
    /// Renders one JSON object without line ends:
    ///
    /// ```json
    /// {"severity":"error","file":"a.mlir","line":2,"column":7,"end_line":2,
    ///  "end_column":9,"message":"…","notes":[{"file":…,"message":…}],"help":"…"}
    /// ```
    ///
    /// Lines and columns count from 1, columns in bytes; the end is the place
    /// after the last byte. A diagnostic without a place has no `file` and no
    /// numbers. `notes` is always there; `help` only where there is one.
    pub fn to_json(&self, ctx: &Context) -> String {
        let mut out = format!("{{\"severity\":\"{}\"", self.severity.label());
        place_fields(ctx, &mut out, self.loc, self.len);
        out.push_str(",\"message\":");
        string(&mut out, &self.message);
        out.push_str(",\"notes\":[");
        for (index, note) in self.notes.iter().enumerate() {
            if index > 0 {
                out.push(',');
            }
            out.push_str("{\"severity\":\"note\"");
            place_fields(ctx, &mut out, note.loc, note.len);
            out.push_str(",\"message\":");
            string(&mut out, &note.message);
            out.push('}');
        }
        out.push(']');
        if let Some(help) = &self.help {
            out.push_str(",\"help\":");
            string(&mut out, help);
        }
        out.push('}');
        out
    }
}

fn place_fields(ctx: &Context, out: &mut String, loc: Loc, len: u32) {
    let Some(at) = place(ctx, loc, len) else {
        return;
    };
    out.push_str(",\"file\":");
    string(out, &at.file);
    // Writing to a String cannot fail.
    let _ = write!(
        out,
        ",\"line\":{},\"column\":{},\"end_line\":{},\"end_column\":{}",
        at.start.0, at.start.1, at.end.0, at.end.1
    );
}

fn string(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
}
