//! Kernels saved as the device gets them, for other SPIR-V tools to look at.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use gridloom::Session;
use gridloom::gpu_runtime::KernelSource;

use super::files::Draft;
use super::{Failure, input};

/// Folder that a session's device saves the SPIR-V module of each kernel to, before its driver compiles it: what a
/// driver crashes on lies there.
pub struct SavedKernels(Arc<Mutex<State>>);

struct State {
    folder: PathBuf,
    /// Number of modules by file name: variants of a kernel share its name.
    taken: HashMap<String, usize>,
    /// The first failure to write one.
    failure: Option<Failure>,
}

impl SavedKernels {
    /// Saves to `folder` from now on, which is made where it does not exist.
    ///
    /// # Errors
    /// The folder cannot be made, or nothing runs on a device.
    pub fn of(session: &Session, folder: &str) -> Result<Self, Failure> {
        let Some(device) = session.device() else {
            let runs = session.describe();
            let message = format!(
                "--save-kernels saves what a device gets, but the program runs on the {runs}"
            );
            return Err(Failure::Usage(message));
        };
        std::fs::create_dir_all(folder)
            .map_err(|error| input::refused(folder, "cannot be made", &error))?;
        let state = Arc::new(Mutex::new(State {
            folder: PathBuf::from(folder),
            taken: HashMap::new(),
            failure: None,
        }));
        let seen = Arc::clone(&state);
        device.observe_kernels(move |kernel| {
            let mut state = seen.lock().unwrap_or_else(PoisonError::into_inner);
            if let Err(failure) = state.save(kernel) {
                state.failure.get_or_insert(failure);
            }
        });
        Ok(SavedKernels(state))
    }

    /// Returns the first failure to write a module, if there was one.
    pub fn finish(self) -> Result<(), Failure> {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.failure.take().map_or(Ok(()), Err)
    }
}

impl State {
    fn save(&mut self, kernel: &KernelSource) -> Result<(), Failure> {
        let stem = file_stem(&kernel.name);
        let count = self.taken.entry(stem.clone()).or_default();
        *count += 1;
        let name = match *count {
            1 => format!("{stem}.spv"),
            more => format!("{stem}.{more}.spv"),
        };
        let path = self.folder.join(name).display().to_string();
        let bytes: Vec<u8> = kernel.spirv.iter().flat_map(|w| w.to_le_bytes()).collect();
        Draft::write(&path, |out| out.write_all(&bytes))
            .and_then(|draft| Draft::keep(vec![draft]))
            .map_err(|error| input::refused(&path, "cannot be written", &error))
    }
}

/// Name of a kernel as the stem of a file: symbols may hold any characters, and be long.
fn file_stem(name: &str) -> String {
    let is_plain = |c: &char| c.is_ascii_alphanumeric() || "_-$".contains(*c);
    let plain = name.chars().map(|c| if is_plain(&c) { c } else { '_' });
    plain.take(200).collect()
}
