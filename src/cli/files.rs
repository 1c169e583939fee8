//! Atomic output files: each is written completely or not at all.
//!
//! An output file is first written as a draft in the same folder, which then replaces it in one
//! step. Drafts are listed, so that Ctrl-C leaves none behind.

use std::io::{Error, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The existing drafts. Holding the lock delays an interrupt.
static DRAFTS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn drafts() -> MutexGuard<'static, Vec<PathBuf>> {
    // A list of paths has no invalid intermediate state.
    DRAFTS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Installs a handler so that Ctrl-C and a request to terminate remove all drafts and end the
/// process with the exit status of an interrupted one.
pub fn remove_drafts_on_interrupt() {
    let handled = ctrlc::set_handler(|| {
        // The lock is held to the end, so that no draft replaces its file meanwhile.
        let drafts = drafts();
        for draft in drafts.iter() {
            let _ = std::fs::remove_file(draft);
        }
        std::process::exit(130);
    });
    // Without a handler an interrupt ends the process all the same, and may
    // leave a draft.
    let _ = handled;
}

/// Draft of a file: its future content, beside its place or already in it.
#[derive(Debug)]
pub struct Draft {
    path: PathBuf,
    /// Path of the draft; `None` for a device or a pipe, which are written directly.
    beside: Option<PathBuf>,
}

impl Draft {
    /// Writes a draft of `path` by calling `fill`.
    pub fn write(
        path: &str,
        fill: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
    ) -> std::io::Result<Draft> {
        let path = PathBuf::from(path);
        check(&path)?;
        let create = |path: &Path| {
            let mut out = Blocks::new(std::fs::File::create(path)?);
            fill(&mut out)?;
            out.flush()
        };
        if is_written_directly(&path) {
            create(&path)?;
            return Ok(Draft { path, beside: None });
        }
        let beside = beside(&path);
        drafts().push(beside.clone());
        // On failure its drop removes the partial draft.
        let draft = Draft {
            path,
            beside: Some(beside.clone()),
        };
        create(&beside)?;
        Ok(draft)
    }

    /// Moves the drafts to their places: all of them, unless the system refuses one.
    pub fn keep(mut all: Vec<Draft>) -> std::io::Result<()> {
        // Released before the remaining drafts are dropped, since drop locks the list.
        let mut drafts = drafts();
        for draft in &mut all {
            if let Some(beside) = draft.beside.take() {
                drafts.retain(|listed| *listed != beside);
                std::fs::rename(&beside, &draft.path).inspect_err(|_| {
                    let _ = std::fs::remove_file(&beside);
                })?;
            }
        }
        Ok(())
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if let Some(beside) = self.beside.take() {
            // The draft may not exist.
            let _ = std::fs::remove_file(&beside);
            drafts().retain(|listed| *listed != beside);
        }
    }
}

fn beside(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".{}.tmp", std::process::id()));
    PathBuf::from(name)
}

/// Whether a path is a device or a pipe, which are written directly: what is written there replaces
/// nothing.
pub fn is_written_directly(path: &Path) -> bool {
    path.exists() && !path.is_file()
}

/// Checks that a file can be written, before its contents are computed.
pub fn check_writable(path: &str) -> std::io::Result<()> {
    let path = Path::new(path);
    check(path)?;
    if is_written_directly(path) {
        return Ok(());
    }
    let beside = beside(path);
    let mut drafts = drafts();
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    options.open(&beside)?;
    let removed = std::fs::remove_file(&beside);
    if removed.is_err() {
        drafts.push(beside);
    }
    removed
}

/// Checks that a draft can replace a path.
fn check(path: &Path) -> std::io::Result<()> {
    if path.is_dir() {
        return Err(Error::new(ErrorKind::IsADirectory, "it is a folder"));
    }
    if path.is_file() && path.metadata()?.permissions().readonly() {
        return Err(Error::new(ErrorKind::PermissionDenied, "it is read-only"));
    }
    Ok(())
}

/// Canonical form of a path; of a file that does not exist, by its folder.
pub fn place(path: &str) -> PathBuf {
    let path = Path::new(path);
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let by_folder = || Some(folder.canonicalize().ok()?.join(path.file_name()?));
    let found = path.canonicalize().ok().or_else(by_folder);
    found.unwrap_or_else(|| path.to_owned())
}

/// Size of a write to a file, in bytes. Systems keep written files in blocks of a power of two,
/// which are made soonest when one comes whole: 50 MB in blocks of 64 KiB took two thirds of the
/// time that others took, and blocks of 1 MiB twice as long (ext4, Linux 6.18).
const BLOCK: usize = 1 << 16;

/// Buffered file writer that writes whole blocks.
struct Blocks<W> {
    file: W,
    /// Start of the block that is incomplete.
    block: Vec<u8>,
}

impl<W> Blocks<W> {
    fn new(file: W) -> Self {
        let block = Vec::new();
        Blocks { file, block }
    }
}

impl<W: Write> Write for Blocks<W> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        if self.block.is_empty() && bytes.len() >= BLOCK {
            self.file.write_all(&bytes[..BLOCK])?;
            return Ok(BLOCK);
        }
        let taken = bytes.len().min(BLOCK - self.block.len());
        self.block.extend_from_slice(&bytes[..taken]);
        if self.block.len() == BLOCK {
            self.flush()?;
        }
        Ok(taken)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.file.write_all(&self.block)?;
        self.block.clear();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Test writer that stores all bytes and the length of each write.
    #[derive(Default)]
    struct Kept {
        bytes: Vec<u8>,
        lengths: Vec<usize>,
    }

    impl Write for Kept {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.bytes.extend_from_slice(bytes);
            self.lengths.push(bytes.len());
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    fn scratch(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("gridloom-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        folder
    }

    #[test]
    fn a_draft_that_is_not_kept_is_gone() {
        let folder = scratch("draft");
        let path = folder.join("out").display().to_string();
        let count = || std::fs::read_dir(&folder).unwrap().count();
        let failed = Draft::write(&path, |out| {
            out.write_all(&[0; 2 * BLOCK])?;
            assert_eq!(count(), 1);
            Err(Error::other("no more"))
        });
        assert!(failed.is_err());
        assert_eq!(count(), 0);
        let draft = Draft::write(&path, |out| out.write_all(b"whole")).unwrap();
        assert!(drafts().contains(&beside(Path::new(&path))));
        assert!(!Path::new(&path).exists());
        Draft::keep(vec![draft]).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"whole");
        assert_eq!(count(), 1);
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_place_that_is_taken_away_is_an_error() {
        let folder = scratch("taken");
        let path = |name: &str| folder.join(name).display().to_string();
        check_writable(&path("a")).unwrap();
        let names = ["a", "b", "c"].map(|name| {
            let written = Draft::write(&path(name), |out| out.write_all(b"x"));
            written.unwrap()
        });
        // A folder stands in place of the second file.
        std::fs::create_dir(path("b")).unwrap();
        std::fs::write(folder.join("b/full"), b"").unwrap();
        assert!(Draft::keep(Vec::from(names)).is_err());
        let mut left: Vec<_> = std::fs::read_dir(&folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name())
            .collect();
        left.sort();
        assert_eq!(left, ["a", "b"]);
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn places_are_compared_however_they_are_spelled() {
        assert_eq!(place("src/new.npy"), place("./src/../src/new.npy"));
        assert_ne!(place("src/new.npy"), place("new.npy"));
    }

    #[test]
    fn blocks_hold_what_was_written() {
        let bytes: Vec<u8> = (0..5 * BLOCK).map(|at| (at % 251) as u8).collect();
        let mut out = Blocks::new(Kept::default());
        let mut rest = &bytes[..];
        for length in [0, 3, BLOCK, 2 * BLOCK + 1, 70, BLOCK - 74, BLOCK - 1] {
            let (part, behind) = rest.split_at(length);
            out.write_all(part).unwrap();
            rest = behind;
        }
        out.flush().unwrap();
        assert_eq!(out.file.bytes, bytes[..bytes.len() - rest.len()]);
        let (last, whole) = out.file.lengths.split_last().unwrap();
        assert_eq!(whole, [BLOCK; 4]);
        assert_eq!(*last, BLOCK - 1);
    }
}
