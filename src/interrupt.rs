//! Ctrl-C and termination: the first asks the command to stop in good order, the second ends it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

static STOP: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// Starts listening, once; returns the flag that the first signal sets.
pub(crate) fn listen() -> Arc<AtomicBool> {
    let flag = STOP.get_or_init(|| {
        let flag = Arc::new(AtomicBool::new(false));
        let in_handler = Arc::clone(&flag);
        let installed = ctrlc::set_handler(move || {
            if in_handler.swap(true, Ordering::SeqCst) {
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
