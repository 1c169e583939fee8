//! Progress on a terminal: one line, written over and over.

use std::io::{IsTerminal, Write};

/// Characters of a bar.
const WIDTH: usize = 24;

/// Shows a line on the terminal in place of the last one.
pub fn line(text: &str) {
    let mut out = std::io::stderr();
    if out.is_terminal() {
        // There is nowhere to say that the terminal is gone.
        drop(write!(out, "\r\x1b[K{text}"));
        drop(out.flush());
    }
}

/// Shows a bar of a share that is done, and a text behind it.
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
