//! `camelot play --web`: a page to play on, served by this program alone.
//!
//! The page is embedded, loads nothing from elsewhere, and holds its game itself; the server answers what it posts
//! (`game`, `files`) and lets players think (`thinking`). One thread talks to browsers, others work.

mod files;
mod game;
mod http;
mod playable;
mod thinking;

use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::middleware::from_fn_with_state;
use axum::response::Response;
use axum::routing::{get, post};
use camelot_core::Game;
use serde::Serialize;
use tokio::net::TcpListener;

use super::print_line;
use crate::arguments::{PlayArguments, Side, WebAddress};
use crate::commands::picture::Field;
use crate::failure::Failure;
use crate::games::{NAMES, parse_name, with_game};
use crate::interrupt;
use files::{ToRead, ToWrite};
use game::Posted;
use http::{Refused, Workers};
use playable::{Playable, seats_and_teams};
use thinking::{Choice, OwnPlayer, Question};

/// Where the page is served if nobody says otherwise.
const USUAL_PORT: u16 = 8080;
/// Ports that are tried from there on.
const PORTS_TRIED: u16 = 20;
/// How often the server looks whether it was interrupted.
const LOOK: Duration = Duration::from_millis(50);
/// How long it waits for what is under way when it ends.
const FAREWELL: Duration = Duration::from_secs(2);

/// The parts of the page: path, type and text.
const PARTS: [(&str, &str, &str); 8] = [
    ("/", "text/html; charset=utf-8", include_str!("web/index.html")),
    ("/page.css", "text/css; charset=utf-8", include_str!("web/page.css")),
    ("/main.js", JAVASCRIPT, include_str!("web/main.js")),
    ("/board.js", JAVASCRIPT, include_str!("web/board.js")),
    ("/pointing.js", JAVASCRIPT, include_str!("web/pointing.js")),
    ("/panel.js", JAVASCRIPT, include_str!("web/panel.js")),
    ("/dialogs.js", JAVASCRIPT, include_str!("web/dialogs.js")),
    ("/server.js", JAVASCRIPT, include_str!("web/server.js")),
];

const JAVASCRIPT: &str = "text/javascript; charset=utf-8";

/// What all requests share.
#[derive(Debug)]
struct Server {
    address: SocketAddr,
    own: Arc<OwnPlayer>,
    /// The page's first game, as JSON.
    options: String,
    /// For searches.
    thinkers: Workers,
    /// For everything that takes a moment.
    clerks: Workers,
}

/// What the page learns first.
#[derive(Debug, Serialize)]
struct Options {
    version: &'static str,
    /// The game to begin with, and how.
    game: &'static str,
    rules: &'static str,
    start: Option<String>,
    seed: u64,
    /// Which team the user plays; none to watch.
    team: Option<u8>,
    games: Vec<GameOptions>,
}

/// A game to choose on the page.
#[derive(Debug, Serialize)]
struct GameOptions {
    name: &'static str,
    title: &'static str,
    seats: Vec<&'static str>,
    /// The seats of each team.
    teams: Vec<Vec<u8>>,
    fields: Vec<Field>,
    places: Vec<String>,
    players: Vec<Choice>,
}

pub(super) fn run(arguments: &PlayArguments, address: WebAddress) -> Result<(), Failure> {
    let own = OwnPlayer::load(&arguments.player, arguments.game)?;
    let options = serde_json::to_string(&options(arguments, &own)?)?;
    let interrupted = interrupt::listen();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let served = runtime.block_on(async {
        let listener = listen(address).await?;
        let address = listener.local_addr()?;
        let threads = crate::commands::thread_count(None);
        let (thinkers, clerks) = (Workers::new(threads), Workers::new(threads));
        let server = Server { address, own: Arc::new(own), options, thinkers, clerks };
        print_line(&format!("http://{address}/"))?;
        eprintln!("Ctrl-C ends the server.");
        serve(listener, Arc::new(server), interrupted).await
    });
    runtime.shutdown_timeout(FAREWELL);
    served?;
    Err(Failure::Interrupted)
}

/// Serves until it is interrupted; connections that do not end by themselves are cut.
async fn serve(
    listener: TcpListener,
    server: Arc<Server>,
    interrupted: Arc<AtomicBool>,
) -> Result<(), Failure> {
    let wait = |interrupted: Arc<AtomicBool>| async move {
        while !interrupted.load(Ordering::SeqCst) {
            tokio::time::sleep(LOOK).await;
        }
    };
    let served = axum::serve(listener, router(server)).with_graceful_shutdown(wait(Arc::clone(&interrupted)));
    tokio::select! {
        served = served.into_future() => Ok(served?),
        () = async { wait(interrupted).await; tokio::time::sleep(FAREWELL).await } => Ok(()),
    }
}

/// A socket at the address; at the next free port where no address was asked for.
async fn listen(address: WebAddress) -> Result<TcpListener, Failure> {
    let (wanted, tried) = match address {
        WebAddress::At(wanted) => (wanted, 1),
        WebAddress::Usual => (SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), USUAL_PORT), PORTS_TRIED),
    };
    let mut failed = None;
    for offset in 0..tried {
        let next = SocketAddr::new(wanted.ip(), wanted.port() + offset);
        match TcpListener::bind(next).await {
            Ok(listener) => return Ok(listener),
            Err(error) => failed = Some(error),
        }
    }
    let error = failed.unwrap_or_else(|| io::ErrorKind::AddrInUse.into());
    Err(Failure::error(format!("cannot listen at {wanted}: {error}")))
}

fn router(server: Arc<Server>) -> Router {
    let part = |kind: &'static str, text: &'static str| {
        get(move || async move { ([(header::CONTENT_TYPE, kind)], text) })
    };
    let parts =
        PARTS.iter().fold(Router::new(), |router, &(path, kind, text)| router.route(path, part(kind, text)));
    parts
        .route(
            "/api/options",
            get(|State(server): State<Arc<Server>>| async move {
                ([(header::CONTENT_TYPE, "application/json")], server.options.clone())
            }),
        )
        .route("/api/state", post(state))
        .route("/api/think", post(think))
        .route("/api/pgn/write", post(write_pgn))
        .route("/api/pgn/read", post(read_pgn))
        .fallback(|| async { Refused::new(StatusCode::NOT_FOUND, "nothing there") })
        .method_not_allowed_fallback(|| async {
            Refused::new(StatusCode::METHOD_NOT_ALLOWED, "not with this method")
        })
        .layer(from_fn_with_state(Arc::clone(&server), http::guard))
        .with_state(server)
}

type Answer = Result<Response, Refused>;

/// Runs `$body` with `$game` standing for the type of the game that a request names.
macro_rules! with_posted_game {
    ($name:expr, $game:ident => $body:expr) => {{
        let unknown = |why: String| Refused::new(StatusCode::NOT_FOUND, why);
        let name = parse_name($name).map_err(unknown)?;
        let answer: Result<_, Failure> = with_game!(name, $game => Ok($body));
        answer.map_err(|_| unknown(format!("unknown game `{name}`")))?
    }};
}

async fn state(State(server): State<Arc<Server>>, body: Bytes) -> Answer {
    let posted: Posted = http::read(&body)?;
    server.clerks.run(move |_| with_posted_game!(&posted.game, G => posted.state::<G>())).await
}

async fn think(State(server): State<Arc<Server>>, body: Bytes) -> Answer {
    let question: Question = http::read(&body)?;
    let own = Arc::clone(&server.own);
    let answer = move |stop: &Arc<AtomicBool>| with_posted_game!(&question.play.game, G => question.answer::<G>(&own, stop));
    server.thinkers.run(answer).await
}

async fn write_pgn(State(server): State<Arc<Server>>, body: Bytes) -> Answer {
    let asked: ToWrite = http::read(&body)?;
    server.clerks.run(move |_| with_posted_game!(&asked.play.game, G => asked.write::<G>())).await
}

async fn read_pgn(State(server): State<Arc<Server>>, body: Bytes) -> Answer {
    let asked: ToRead = http::read(&body)?;
    let read = move |_: &Arc<AtomicBool>| {
        let game = asked.first()?.variant().unwrap_or_else(|| asked.game.clone());
        with_posted_game!(&game, G => asked.read::<G>())
    };
    server.clerks.run(read).await
}

fn options(arguments: &PlayArguments, own: &OwnPlayer) -> Result<Options, Failure> {
    let game = own.game(arguments.game);
    if let Some(text) = &arguments.position {
        with_game!(game, G => { G::parse(text, arguments.rules)?; Ok(()) })?;
    }
    let games = NAMES.into_iter().map(|name| with_game!(name, G => Ok(game_options::<G>(own))));
    let games = games.collect::<Result<Vec<_>, Failure>>()?;
    let alone = games.iter().any(|options| options.name == game && options.teams.len() == 1);
    if alone && arguments.side == Side::Black {
        return Err(Failure::usage(format!(
            "--side black: {game} has one seat: expected `white` or `watch`"
        )));
    }
    Ok(Options {
        version: env!("CARGO_PKG_VERSION"),
        game,
        rules: arguments.rules.name(),
        start: arguments.position.clone(),
        seed: arguments.seed,
        team: match arguments.side {
            Side::White => Some(0),
            Side::Black => Some(1),
            Side::Watch => None,
        },
        games,
    })
}

fn game_options<G: Playable>(own: &OwnPlayer) -> GameOptions {
    let (seats, teams) = seats_and_teams::<G>();
    GameOptions {
        name: G::NAME,
        title: G::TITLE,
        seats,
        teams,
        fields: G::fields(),
        places: G::places(),
        players: own.choices::<G>(),
    }
}
