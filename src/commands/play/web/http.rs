//! What comes and goes over the socket: who may ask, how much, and how answers and refusals look.
//!
//! Whatever comes from a socket is untrusted. A page of another origin must not reach the games of this machine:
//! a server on the loopback interface answers only to its names (a foreign name that was bound to 127.0.0.1 says so
//! in `Host`), and no request may come from another origin.

use std::future::poll_fn;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::json;
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

use super::Server;

/// The longest body of a request.
const BODY_LIMIT_BYTES: usize = 256 << 10;
/// Of a longer one so much is read to the end.
const DROPPED_LIMIT_BYTES: usize = 16 * BODY_LIMIT_BYTES;
/// How long a request may take to arrive.
const ARRIVAL: Duration = Duration::from_secs(30);
/// Requests that wait for their turn; more are sent away.
const WAITING_LIMIT: usize = 64;

/// A request that is not granted: a status, and one line for people.
#[derive(Debug)]
pub(super) struct Refused {
    status: StatusCode,
    why: String,
}

impl Refused {
    pub(super) fn new(status: StatusCode, why: impl Into<String>) -> Self {
        Self { status, why: why.into() }
    }

    /// What was asked makes no sense.
    pub(super) fn bad(why: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, why)
    }

    /// What was asked makes sense and did not work.
    pub(super) fn failed(why: impl Into<String>) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, why)
    }
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        let body = json!({ "error": self.why }).to_string();
        (self.status, [(header::CONTENT_TYPE, JSON)], body).into_response()
    }
}

const JSON: &str = "application/json";

/// The places at the table for work of one kind.
#[derive(Debug)]
pub(super) struct Workers {
    /// One a job under way.
    running: Arc<Semaphore>,
    /// One a job under way or waiting.
    admitted: Arc<Semaphore>,
}

impl Workers {
    pub(super) fn new(count: usize) -> Self {
        let admitted = Arc::new(Semaphore::new(count + WAITING_LIMIT));
        Self { running: Arc::new(Semaphore::new(count)), admitted }
    }

    /// Works on a thread of its own once there is a place. If nobody waits for the answer any more, `job` is told
    /// to stop; if it panics, that is an answer like another.
    pub(super) async fn run<T, J>(&self, job: J) -> Result<Response, Refused>
    where
        T: Serialize,
        J: FnOnce(&Arc<AtomicBool>) -> Result<T, Refused> + Send + 'static,
    {
        let busy = |_| Refused::new(StatusCode::SERVICE_UNAVAILABLE, "too many requests at once");
        let ended = |_| Refused::failed("the server ends");
        let admitted = Arc::clone(&self.admitted).try_acquire_owned().map_err(busy)?;
        let place = Arc::clone(&self.running).acquire_owned().await.map_err(ended)?;
        let asking = Asking(Arc::new(AtomicBool::new(false)));
        let stop = Arc::clone(&asking.0);
        let work = move || {
            let _places = (admitted, place);
            let answer = job(&stop)?;
            serde_json::to_vec(&answer).map_err(|error| Refused::failed(error.to_string()))
        };
        let panicked = |_| Refused::failed("an error inside the program; its terminal says more");
        let body = spawn_blocking(work).await.map_err(panicked)??;
        Ok(([(header::CONTENT_TYPE, JSON)], body).into_response())
    }
}

/// Somebody waits for an answer; when dropped, nobody does.
struct Asking(Arc<AtomicBool>);

impl Drop for Asking {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Reads the body of a request.
pub(super) fn read<T: DeserializeOwned>(body: &Bytes) -> Result<T, Refused> {
    serde_json::from_slice(body).map_err(|error| Refused::bad(format!("the body: {error}")))
}

/// Lets a request pass that may be answered, whole and in time, and forbids its answer to load or run anything
/// foreign.
pub(super) async fn guard(State(server): State<Arc<Server>>, request: Request, next: Next) -> Response {
    let mut response = match check(server.address.ip(), request.headers()) {
        Ok(()) => arrive(request, next).await,
        Err(refused) => refused.into_response(),
    };
    let headers = response.headers_mut();
    for (name, value) in [
        (
            header::CONTENT_SECURITY_POLICY,
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; \
             base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        ),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-store"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

/// Waits for the body, so that only who sends it can be kept waiting by a slow one.
async fn arrive(request: Request, next: Next) -> Response {
    let (parts, body) = request.into_parts();
    let late = |_| Refused::new(StatusCode::REQUEST_TIMEOUT, "the body did not arrive in time");
    match tokio::time::timeout(ARRIVAL, collect(body)).await.map_err(late) {
        Ok(Ok(bytes)) => next.run(Request::from_parts(parts, Body::from(bytes))).await,
        Ok(Err(refused)) | Err(refused) => refused.into_response(),
    }
}

/// Reads a body. Of one that is too long some more is read and dropped: who is still sending would not hear that
/// it was refused.
async fn collect(mut body: Body) -> Result<Vec<u8>, Refused> {
    let mut bytes = Vec::new();
    let mut length = 0;
    while length <= DROPPED_LIMIT_BYTES
        && let Some(frame) = poll_fn(|context| Pin::new(&mut body).poll_frame(context)).await
    {
        let frame = frame.map_err(|_| Refused::bad("the body cannot be read"))?;
        let Ok(data) = frame.into_data() else { continue };
        length += data.len();
        if length <= BODY_LIMIT_BYTES {
            bytes.extend_from_slice(&data);
        }
    }
    if length <= BODY_LIMIT_BYTES {
        return Ok(bytes);
    }
    let why = format!("the body has more than {BODY_LIMIT_BYTES} bytes");
    Err(Refused::new(StatusCode::PAYLOAD_TOO_LARGE, why))
}

fn check(bound: IpAddr, headers: &HeaderMap) -> Result<(), Refused> {
    let text = |name| headers.get(name).map(|value: &HeaderValue| value.to_str().unwrap_or_default());
    let host = text(header::HOST).ok_or_else(|| Refused::bad("no `Host` header"))?;
    if bound.is_loopback() && !is_loopback_name(host) {
        let why = format!("`Host` is `{}`: expected a name of this machine", host.escape_debug());
        return Err(Refused::new(StatusCode::FORBIDDEN, why));
    }
    let own = format!("http://{host}");
    match text(header::ORIGIN) {
        Some(origin) if origin != own => {
            let why = format!("`Origin` is `{}`: expected `{own}`", origin.escape_debug());
            Err(Refused::new(StatusCode::FORBIDDEN, why))
        }
        _ => Ok(()),
    }
}

/// Whether a `Host`, with or without a port, names the loopback interface.
fn is_loopback_name(host: &str) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    };
    let bare = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
    name.eq_ignore_ascii_case("localhost") || bare.parse().is_ok_and(|address: IpAddr| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::is_loopback_name;

    #[test]
    fn names_of_the_loopback_interface_are_known() {
        for name in
            ["localhost", "LOCALHOST:8080", "127.0.0.1", "127.0.0.1:1", "127.1.2.3:80", "[::1]:8080", "[::1]"]
        {
            assert!(is_loopback_name(name), "{name}");
        }
        for name in
            ["example.org", "localhost.example.org:80", "127.0.0.1.example.org", "10.0.0.1:8080", "", ":80"]
        {
            assert!(!is_loopback_name(name), "{name}");
        }
    }
}
