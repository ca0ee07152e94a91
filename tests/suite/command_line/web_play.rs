//! `camelot play --web`: the server by its socket, the page in a browser.

#[path = "web_play/browser.rs"]
mod browser;
#[path = "web_play/page.rs"]
mod page;
#[path = "web_play/server.rs"]
mod server;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, ChildStdout, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use super::command;

const GAMES: [&str; 5] = ["cam", "cam-all-knights", "camelot", "grand-camelot", "patience"];

/// A server at a free port; ended when dropped.
struct Server {
    child: Child,
    /// Kept open: a server whose lines nobody hears must not be disturbed by that.
    _output: BufReader<ChildStdout>,
    url: String,
}

/// An answer over HTTP.
#[derive(Debug)]
struct Answer {
    status: u16,
    head: String,
    body: String,
}

impl Answer {
    fn json(&self) -> Value {
        assert_eq!(self.status, 200, "{}", self.body);
        serde_json::from_str(&self.body).unwrap()
    }

    /// The line of a refusal with this status.
    fn error(&self, status: u16) -> String {
        assert_eq!(self.status, status, "{}", self.body);
        let answer: Value = serde_json::from_str(&self.body).unwrap();
        let error = answer["error"].as_str().unwrap().to_string();
        assert!(!error.contains('\n'), "{error}");
        error
    }
}

impl Server {
    fn start(arguments: &[&str]) -> Self {
        let arguments = [&["play"], arguments, &["--web", "0"]].concat();
        let mut child = command(&arguments).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let mut url = String::new();
        output.read_line(&mut url).unwrap();
        Self { child, _output: output, url: url.trim().to_string() }
    }

    /// Host and port.
    fn host(&self) -> &str {
        self.url.strip_prefix("http://").unwrap().trim_end_matches('/')
    }

    /// Sends bytes and reads the answer to its end.
    fn send(&self, request: &[u8]) -> Answer {
        let mut stream = TcpStream::connect(self.host()).unwrap();
        stream.set_read_timeout(Some(Duration::from_mins(1))).unwrap();
        // A server that refuses early may close before it has read all.
        let _ = stream.write_all(request);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let text = String::from_utf8(answer).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or_else(|| panic!("no answer: {text}"));
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        Answer { status, head: head.to_lowercase(), body: body.into() }
    }

    fn get(&self, path: &str) -> Answer {
        self.send(
            format!("GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", self.host()).as_bytes(),
        )
    }

    fn post_text(&self, path: &str, body: &str, more: &str) -> Answer {
        let request = format!(
            "POST {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Length: {}\r\n{more}\r\n{body}",
            self.host(),
            body.len()
        );
        self.send(request.as_bytes())
    }

    fn post(&self, path: &str, body: &Value) -> Answer {
        self.post_text(path, &body.to_string(), "")
    }

    /// The position of a game after moves.
    fn state(&self, game: &str, seed: u64, moves: &[String]) -> Value {
        self.post("/api/state", &json!({ "game": game, "seed": seed, "moves": moves })).json()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The moves of a state, chance's included.
fn moves(state: &Value) -> Vec<String> {
    let plies = state["plies"].as_array().unwrap();
    plies.iter().map(|ply| ply["move"].as_str().unwrap().to_string()).collect()
}
