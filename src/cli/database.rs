//! Tuning database files: their paths, and reading them.

use std::path::PathBuf;

use gridloom::Session;
use gridloom::codegen::target::tuning::{Database, Tuned};

use super::{Failure, input};

/// Word for no database.
const NONE: &str = "none";

/// Environment variable with the path of the default database.
const VARIABLE: &str = "GRIDLOOM_DATABASE";

/// The path of a command's database: that of `--database`, else that of the variable, else the
/// user's; `None` for no database.
pub fn path(option: Option<&str>) -> Option<PathBuf> {
    let named = match option {
        Some(path) => Some(path.to_owned()),
        None => std::env::var(VARIABLE).ok().filter(|path| !path.is_empty()),
    };
    match named {
        Some(path) if path == NONE => None,
        Some(path) => Some(path.into()),
        None => usual(),
    }
}

/// Path of the user's database, in the system's folder for program data.
fn usual() -> Option<PathBuf> {
    let folder = |name: &str| {
        let path = PathBuf::from(std::env::var_os(name)?);
        path.is_absolute().then_some(path)
    };
    let data = if cfg!(windows) {
        folder("LOCALAPPDATA")?
    } else if cfg!(target_os = "macos") {
        folder("HOME")?.join("Library/Application Support")
    } else {
        folder("XDG_DATA_HOME").or_else(|| Some(folder("HOME")?.join(".local/share")))?
    };
    Some(data.join("gridloom").join("tuning.txt"))
}

/// Reads the database of a command, with its name. An explicitly named database must exist and
/// parse; errors in the user's default one are a warning, and it is ignored.
pub fn read(option: Option<&str>) -> Result<Option<(String, Database)>, Failure> {
    let Some(path) = path(option) else {
        return Ok(None);
    };
    let name = path.display().to_string();
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if option.is_some() => {
            return Err(input::refused(&name, "cannot be read", &error));
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => {
            input::print_error(&format!("warning: '{name}' cannot be read: {error}\n"));
            return Ok(None);
        }
    };
    match Database::parse(&text) {
        Ok(database) => Ok(Some((name, database))),
        Err(error) if option.is_some() => Err(Failure::Refused(format!("{name}:{error}\n"))),
        Err(error) => {
            let (line, column, message) = (error.line, error.column, &error.message);
            input::print_error(&format!(
                "{name}:{line}:{column}: warning: {message}; the tuning database is not used\n"
            ));
            Ok(None)
        }
    }
}

/// The entries for the device of a session.
pub fn of_session(option: Option<&str>, session: &Session) -> Result<Option<Tuned>, Failure> {
    let Some(device) = session.device() else {
        return Ok(None);
    };
    let found = read(option)?;
    Ok(found.and_then(|(name, database)| database.of_device(&device.info().to_string(), &name)))
}

/// The entries for a device whose name contains `device`, for compilation ahead of time; without a
/// name those of the only device.
pub fn of_name(option: Option<&str>, device: Option<&str>) -> Result<Option<Tuned>, Failure> {
    // Compilation for any device must not depend on the user's database.
    if option.is_none() && device.is_none() {
        return Ok(None);
    }
    let Some((name, database)) = read(option)? else {
        return match device {
            None => Ok(None),
            Some(device) => Err(Failure::Usage(format!(
                "--tuned-for={device} needs a tuning database, and there is none: 'gridloom tune' writes one, \
                 --database names one elsewhere"
            ))),
        };
    };
    let wanted = device.unwrap_or_default().to_lowercase();
    let all = database.devices.keys();
    let found: Vec<&String> = all
        .filter(|key| key.to_lowercase().contains(&wanted))
        .collect();
    match found[..] {
        [one] => Ok(database.of_device(one, &name)),
        [] if device.is_none() => Ok(None),
        [] => Err(Failure::Usage(format!(
            "'{name}' has no entries of a device called '{wanted}'"
        ))),
        _ => {
            let names: Vec<&str> = found.iter().map(|name| name.as_str()).collect();
            Err(Failure::Usage(format!(
                "'{name}' has entries of several devices: choose one with --tuned-for ({})",
                names.join("; ")
            )))
        }
    }
}
