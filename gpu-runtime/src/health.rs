//! Health of a device: errors that the driver reports out of band become errors of the next call.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use crate::error::{Error, Result};

/// The state of a device as its callbacks have reported it.
#[derive(Debug)]
pub(crate) struct Health {
    device: String,
    lost: OnceLock<String>,
    stray: Mutex<Option<String>>,
}

impl Health {
    /// Starts to watch `raw`. wgpu's default for an error outside of any scope is to panic; here
    /// it is kept for the next [`Health::check`].
    pub(crate) fn watch(raw: &wgpu::Device, device: String) -> Arc<Self> {
        let health = Arc::new(Self {
            device,
            lost: OnceLock::new(),
            stray: Mutex::new(None),
        });
        let on_lost = Arc::clone(&health);
        raw.set_device_lost_callback(move |reason, message| {
            // Destruction is our own doing, on drop.
            if reason != wgpu::DeviceLostReason::Destroyed {
                on_lost.mark_lost(message);
            }
        });
        let on_stray = Arc::clone(&health);
        raw.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            let mut stray = on_stray
                .stray
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            stray.get_or_insert_with(|| error.to_string());
        }));
        health
    }

    /// Notes that the device is gone; the first reason stays.
    pub(crate) fn mark_lost(&self, reason: String) {
        self.lost.get_or_init(|| reason);
    }

    /// Fails when the device was lost or reported an error that no scope caught.
    pub(crate) fn check(&self) -> Result<()> {
        if let Some(reason) = self.lost.get() {
            return Err(Error::DeviceLost {
                device: self.device.clone(),
                reason: reason.clone(),
            });
        }
        let mut stray = self.stray.lock().unwrap_or_else(PoisonError::into_inner);
        match stray.take() {
            None => Ok(()),
            Some(cause) => Err(self.driver_error("an earlier call", cause)),
        }
    }

    /// Runs `work`, which calls into wgpu, and turns whatever error it raises into ours.
    /// `what` names the work in the message.
    pub(crate) fn scoped<T>(
        &self,
        raw: &wgpu::Device,
        what: &str,
        work: impl FnOnce() -> T,
    ) -> Result<T> {
        self.check()?;
        let scopes = [
            wgpu::ErrorFilter::Validation,
            wgpu::ErrorFilter::Internal,
            wgpu::ErrorFilter::OutOfMemory,
        ]
        .map(|filter| raw.push_error_scope(filter));
        let value = work();
        // Scopes close in the reverse order of their opening.
        let mut error = None;
        for scope in scopes.into_iter().rev() {
            error = pollster::block_on(scope.pop()).or(error);
        }
        if let Some(reason) = self.lost.get() {
            // Later calls know the reason only; this one knows the culprit too.
            return Err(Error::DeviceLost {
                device: self.device.clone(),
                reason: format!("{reason} (while at {what})"),
            });
        }
        match error {
            None => self.check().map(|()| value),
            Some(wgpu::Error::OutOfMemory { .. }) => Err(Error::OutOfMemory {
                what: what.to_owned(),
                device: self.device.clone(),
            }),
            Some(error) => Err(self.driver_error(what, error.to_string())),
        }
    }

    /// Waits until a submission has ended; without one, all submitted work.
    pub(crate) fn wait(
        &self,
        raw: &wgpu::Device,
        submission: Option<wgpu::SubmissionIndex>,
        timeout: Option<Duration>,
    ) -> Result<()> {
        self.check()?;
        let poll = wgpu::PollType::Wait {
            submission_index: submission,
            timeout,
        };
        // wgpu 30 panics when the driver reports a lost device from inside a waiting poll, and has
        // no other blocking wait. Nothing of ours is borrowed across the call.
        let polled = catch_unwind(AssertUnwindSafe(|| raw.poll(poll)));
        match polled {
            Ok(Ok(_)) => self.check(),
            Ok(Err(wgpu::PollError::Timeout)) => Err(Error::TimedOut {
                device: self.device.clone(),
                limit: timeout.unwrap_or_default(),
            }),
            Ok(Err(error)) => Err(self.driver_error("waiting for the device", error.to_string())),
            Err(_) => {
                self.mark_lost("the driver failed while work was running".to_owned());
                self.check()
            }
        }
    }

    pub(crate) fn driver_error(&self, what: &str, cause: String) -> Error {
        Error::Driver {
            what: what.to_owned(),
            device: self.device.clone(),
            cause,
        }
    }
}
