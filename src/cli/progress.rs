//! Progress display: one terminal line, which is overwritten.

use std::io::{IsTerminal, Write};

/// Width of a bar, in characters.
const WIDTH: usize = 24;

/// Replaces the last line on the terminal.
pub fn line(text: &str) {
    let mut out = std::io::stderr();
    if out.is_terminal() {
        // A closed terminal cannot be reported anywhere.
        drop(write!(out, "\r\x1b[K{text}"));
        drop(out.flush());
    }
}

/// Shows a progress bar for a share, followed by a text.
pub fn bar(share: f64, text: &str) {
    line(&format!("{} {text}", drawn(share)));
}

fn drawn(share: f64) -> String {
    let done = (share.clamp(0.0, 1.0) * WIDTH as f64).round() as usize;
    let (done, left) = ("=".repeat(done), " ".repeat(WIDTH - done));
    format!("[{done}{left}]")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_stay_within_their_ends() {
        assert_eq!(
            drawn(0.5),
            format!("[{}{}]", "=".repeat(12), " ".repeat(12))
        );
        for share in [-1.0, 0.0, 7.0, f64::NAN] {
            assert_eq!(drawn(share).len(), WIDTH + 2);
        }
    }
}
