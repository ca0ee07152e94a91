//! A headless Chromium, driven by its `DevTools` protocol over one `WebSocket`.

use std::io::{BufRead, BufReader};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;
use tungstenite::{Message, WebSocket};

/// What the program may be called.
const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// A browser with one page; ended when dropped.
pub(super) struct Browser {
    child: Child,
    socket: WebSocket<TcpStream>,
    session: String,
    asked: u64,
    _profile: TempDir,
}

/// The browser's program, where this machine has one.
fn program() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    NAMES
        .iter()
        .flat_map(|name| folders.iter().map(move |folder| folder.join(name)))
        .find(|file| file.is_file())
}

impl Browser {
    /// A browser, where this machine has one; says so where it has none.
    pub(super) fn start() -> Option<Self> {
        let Some(program) = program() else {
            eprintln!("skipped: no browser in PATH, expected one of {}", NAMES.join(", "));
            return None;
        };
        let profile = tempfile::tempdir().unwrap();
        let mut child = Command::new(&program)
            .args([
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--no-first-run",
                "--disable-dev-shm-usage",
            ])
            .args([
                "--disable-extensions",
                "--disable-background-networking",
                "--remote-debugging-port=0",
                "--window-size=1280,900",
            ])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .arg("about:blank")
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok);
        let address = lines.find_map(|line| line.strip_prefix("DevTools listening on ").map(String::from));
        let Some(address) = address else {
            eprintln!("skipped: {} ends before it says where it listens", program.display());
            let _ = child.wait();
            return None;
        };
        std::thread::spawn(move || lines.for_each(drop));
        let host = address.strip_prefix("ws://").unwrap().split('/').next().unwrap();
        let stream = TcpStream::connect(host).unwrap();
        stream.set_nodelay(true).unwrap();
        stream.set_read_timeout(Some(Duration::from_mins(2))).unwrap();
        let (socket, _) = tungstenite::client(&address, stream).unwrap();
        let mut browser = Self { child, socket, session: String::new(), asked: 0, _profile: profile };
        let target = browser.call("Target.createTarget", json!({ "url": "about:blank" }));
        let attach = json!({ "targetId": target["targetId"], "flatten": true });
        browser.session = browser.call("Target.attachToTarget", attach)["sessionId"].as_str().unwrap().into();
        Some(browser)
    }

    /// Calls a method of the protocol and waits for what it returns.
    pub(super) fn call(&mut self, method: &str, parameters: Value) -> Value {
        self.asked += 1;
        let mut message = json!({ "id": self.asked, "method": method });
        message["params"] = parameters;
        if !self.session.is_empty() {
            message["sessionId"] = json!(self.session);
        }
        self.socket.send(Message::text(message.to_string())).unwrap();
        loop {
            let Message::Text(text) = self.socket.read().unwrap() else { continue };
            let answer: Value = serde_json::from_str(&text).unwrap();
            if answer["id"] == json!(self.asked) {
                assert!(answer.get("error").is_none(), "{method}: {answer}");
                return answer["result"].clone();
            }
        }
    }

    /// Runs JavaScript in the page, waits for its promise, and returns its value.
    pub(super) fn evaluate(&mut self, script: &str) -> Value {
        let asked = json!({ "expression": script, "awaitPromise": true, "returnByValue": true });
        let answer = self.call("Runtime.evaluate", asked);
        assert!(answer.get("exceptionDetails").is_none(), "{answer}");
        answer["result"]["value"].clone()
    }

    /// Opens a page and waits until `ready` holds in it.
    pub(super) fn open(&mut self, url: &str, ready: &str) {
        self.call("Page.navigate", json!({ "url": url }));
        self.wait_for(ready);
    }

    /// Waits until an expression of the page holds.
    pub(super) fn wait_for(&mut self, expression: &str) {
        let script = format!(
            "(async () => {{ for (let i = 0; i < 12000; i++) {{ if ({expression}) return true; \
             await new Promise((next) => setTimeout(next, 5)); }} return false; }})()"
        );
        assert_eq!(self.evaluate(&script), json!(true), "never: {expression}");
    }

    /// Clicks with the mouse in the middle of an element.
    pub(super) fn click(&mut self, selector: &str) {
        let script = format!(
            "(() => {{ const node = document.querySelector({selector:?}); \
             node.scrollIntoView({{ block: 'nearest', behavior: 'instant' }}); const b = node.getBoundingClientRect(); \
             return {{ x: b.x + b.width / 2, y: b.y + b.height / 2 }}; }})()"
        );
        let at = self.evaluate(&script);
        for kind in ["mousePressed", "mouseReleased"] {
            let event =
                json!({ "type": kind, "x": at["x"], "y": at["y"], "button": "left", "clickCount": 1 });
            self.call("Input.dispatchMouseEvent", event);
        }
    }

    /// Presses a key.
    pub(super) fn press(&mut self, key: &str, code: u32) {
        for kind in ["rawKeyDown", "keyUp"] {
            let event = json!({ "type": kind, "key": key, "code": key, "windowsVirtualKeyCode": code });
            self.call("Input.dispatchKeyEvent", event);
        }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let close = json!({ "id": 0, "method": "Browser.close" }).to_string();
        let _ = self.socket.send(Message::text(close));
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
