//! Ctrl-C and termination: the first asks the command to stop in good order, the second ends it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// Signals closer together are one wish: some programs signal a process and then its whole group.
const ONE_WISH: Duration = Duration::from_millis(300);

static STOP: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// Starts listening, once; returns the flag that the first signal sets.
pub(crate) fn listen() -> Arc<AtomicBool> {
    let flag = STOP.get_or_init(|| {
        let flag = Arc::new(AtomicBool::new(false));
        let in_handler = Arc::clone(&flag);
        let mut first: Option<Instant> = None;
        let installed = ctrlc::set_handler(move || {
            in_handler.store(true, Ordering::SeqCst);
            if first.get_or_insert_with(Instant::now).elapsed() > ONE_WISH {
                std::process::exit(130);
            }
        });
        if let Err(error) = installed {
            eprintln!("warning: Ctrl-C will end the program at once: {error}");
        }
        flag
    });
    Arc::clone(flag)
}
