//! An engine as a process: started, written to, read from within time, and always ended.
//!
//! Two threads of its own write to it and read from it, through channels of fixed size, so that an engine that
//! does not read, or that writes without end, holds up nobody and fills no memory.

use std::io::{BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::ugi::{LineError, Lines};

/// An engine that writes a longer line is not listened to any more.
const LINE_LIMIT_BYTES: usize = 1 << 16;

/// Lines that may wait on their way to the engine or from it.
const LINES_WAITING: usize = 64;

/// How long an engine may take to end after it was asked to.
const LAST_MOMENT: Duration = Duration::from_millis(300);

/// An option that an engine offers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Offer {
    pub(super) name: String,
    /// The values to choose from, where they are listed.
    pub(super) values: Vec<String>,
}

/// A running engine.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    input: Option<SyncSender<String>>,
    output: Receiver<Result<String, LineError>>,
    pub(super) timeout: Duration,
    pub(super) offers: Vec<Offer>,
    /// Whether it has answered everything so far; one that has not is killed without another word.
    pub(super) sound: bool,
}

impl Process {
    /// Starts an engine and waits until it has introduced itself.
    pub(super) fn start(words: &[String], timeout: Duration) -> Result<Self, String> {
        let cannot = |error: std::io::Error| format!("cannot be started: {error}");
        let mut child = Command::new(&words[0])
            .args(&words[1..])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(cannot)?;
        let (input, to_write) = sync_channel(LINES_WAITING);
        let (has_read, output) = sync_channel(LINES_WAITING);
        let stdin = child.stdin.take().expect("standard input is a pipe");
        let stdout = child.stdout.take().expect("standard output is a pipe");
        let mut process =
            Self { child, input: Some(input), output, timeout, offers: Vec::new(), sound: false };
        thread::Builder::new().spawn(move || write_lines(stdin, &to_write)).map_err(cannot)?;
        thread::Builder::new().spawn(move || read_lines(stdout, &has_read)).map_err(cannot)?;
        process.tell("ugi")?;
        let mut offers = Vec::new();
        process.wait("ugi", |line| {
            offers.extend(offer(line));
            (line == "ugiok").then_some(Ok(()))
        })?;
        process.offers = offers;
        process.sound = true;
        Ok(process)
    }

    /// Writes a line, which an engine that does not read may never get.
    pub(super) fn tell(&mut self, line: &str) -> Result<(), String> {
        let input = self.input.as_ref().expect("a process that is written to has not been ended");
        match input.try_send(format!("{line}\n")) {
            Ok(()) => Ok(()),
            Err(TrySendError::Full(_)) => Err("does not read what it is told".into()),
            Err(TrySendError::Disconnected(_)) => Err(self.end()),
        }
    }

    /// Reads lines until `wanted` finds an answer in one, for as long as an engine may keep silent.
    pub(super) fn wait<T>(
        &mut self,
        asked: &str,
        wanted: impl FnMut(&str) -> Option<Result<T, String>>,
    ) -> Result<T, String> {
        let found = self.wait_until(Instant::now() + self.timeout, wanted)?;
        found.unwrap_or_else(|| Err(format!("no answer to `{asked}` within {} ms", self.timeout.as_millis())))
    }

    /// Reads lines until `wanted` finds an answer in one, or until it is time. Lines that are no text are
    /// passed over, like those that mean nothing.
    pub(super) fn wait_until<T>(
        &mut self,
        end: Instant,
        mut wanted: impl FnMut(&str) -> Option<T>,
    ) -> Result<Option<T>, String> {
        loop {
            match self.output.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(Ok(line)) => {
                    if let Some(found) = wanted(line.trim()) {
                        return Ok(Some(found));
                    }
                }
                Ok(Err(LineError::NotText)) => {}
                Ok(Err(error @ LineError::TooLong(_))) => return Err(format!("writes {error}")),
                Err(RecvTimeoutError::Timeout) => return Ok(None),
                Err(RecvTimeoutError::Disconnected) => return Err(self.end()),
            }
            // An engine that never stops writing has a last moment, too.
            if Instant::now() >= end {
                return Ok(None);
            }
        }
    }

    /// Waits until everything told has been dealt with.
    pub(super) fn wait_until_ready(&mut self) -> Result<(), String> {
        self.tell("isready")?;
        self.wait("isready", |line| {
            (line == "readyok").then_some(Ok(())).or_else(|| complaint(line).map(Err))
        })
    }

    /// Whether it still runs and has done nothing wrong.
    pub(super) fn is_usable(&mut self) -> bool {
        self.sound && matches!(self.child.try_wait(), Ok(None))
    }

    /// How the engine came to say nothing more.
    fn end(&mut self) -> String {
        match self.status_within(LAST_MOMENT) {
            Some(status) => format!("it ended ({status})"),
            None => "it closed its input or output".into(),
        }
    }

    fn status_within(&mut self, time: Duration) -> Option<std::process::ExitStatus> {
        let until = Instant::now() + time;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if Instant::now() < until => thread::sleep(Duration::from_millis(2)),
                _ => return None,
            }
        }
    }
}

impl Drop for Process {
    /// Asks a sound engine to end, and kills whatever does not.
    fn drop(&mut self) {
        if self.sound && self.tell("quit").is_ok() {
            self.input = None;
            self.status_within(LAST_MOMENT);
        }
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What an engine complains about in a line, fit for a line of our own.
pub(super) fn complaint(line: &str) -> Option<String> {
    let why = line.strip_prefix("info string error:")?.trim();
    let short: String = why.chars().take(200).flat_map(char::escape_debug).collect();
    Some(format!("it says: {short}"))
}

fn write_lines(mut stdin: ChildStdin, lines: &Receiver<String>) {
    for line in lines {
        if stdin.write_all(line.as_bytes()).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

fn read_lines(stdout: ChildStdout, lines: &SyncSender<Result<String, LineError>>) {
    for line in Lines::new(BufReader::new(stdout), LINE_LIMIT_BYTES) {
        if lines.send(line).is_err() {
            return;
        }
    }
}

/// Reads `option name NAME type TYPE … [var VALUE]…`.
fn offer(line: &str) -> Option<Offer> {
    let rest = line.strip_prefix("option name ")?;
    let (name, kind) = rest.split_once(" type ")?;
    let values = kind.split(" var ").skip(1).map(|value| value.trim().into()).collect();
    Some(Offer { name: name.trim().into(), values })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offers_are_read() {
        let combo = offer("option name Game type combo default cam var camelot var cam all").unwrap();
        assert_eq!((combo.name.as_str(), combo.values), ("Game", vec!["camelot".into(), "cam all".into()]));
        assert_eq!(offer("option name Seed type spin default 1 min 0").unwrap().values, [""; 0]);
        assert_eq!(offer("info string option name"), None);
    }

    #[test]
    fn a_program_that_is_not_there_is_named_by_the_system() {
        let error = Process::start(&["no-such-engine".into()], Duration::from_secs(1)).unwrap_err();
        assert!(error.starts_with("cannot be started: "), "{error}");
    }
}
