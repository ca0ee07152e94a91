//! The page in a browser, played by clicks and keys.

use serde_json::{Value, json};

use super::browser::Browser;
use super::{GAMES, Server};

/// What the tests do in the page: begin a game by the dialog, and play it to its end by clicks on the squares of
/// the moves that the greedy player would choose.
const DRIVER: &str = r##"
window.until = async (holds) => {
  for (let i = 0; i < 4000; i++) {
    const value = holds();
    if (value) return value;
    await new Promise((next) => setTimeout(next, 2));
  }
  throw new Error(`never: ${holds}; ${document.getElementById("status").textContent} ${document.getElementById("error").textContent}`);
};
window.moves = () => [...document.querySelectorAll("#moves button")].map((button) => button.textContent);
window.point = (place) => document.querySelector(`[data-place="${place}"]`).dispatchEvent(new MouseEvent("click", { bubbles: true }));
window.begin = async (game, players) => {
  document.getElementById("new-game").click();
  const form = document.querySelector("#new-game-dialog form");
  const choose = (select, value) => { select.value = value; select.dispatchEvent(new Event("change")); };
  choose(form.game, game);
  form.querySelectorAll(".sides label > select:first-of-type").forEach((select, i) => choose(select, players[i]));
  form.seed.value = 3;
  form.querySelector(".main").click();
  await until(() => !document.querySelector("dialog[open]") && moves().every((move) => move.startsWith("deal") || move.startsWith("draw")));
};
window.ask = async (path, body) => (await fetch(path, { method: "POST", body: JSON.stringify(body) })).json();
window.playOn = async (game) => {
  for (let ply = 0; ply < 2000; ply++) {
    if (document.querySelector("#status.over")) return document.getElementById("status").textContent;
    const play = { game, seed: 3, moves: moves() };
    const [{ move }, { actions }] = await Promise.all([ask("/api/think", { play, player: "greedy" }), ask("/api/state", play)]);
    const { routes, captures } = actions.find((action) => action.move === move);
    const route = routes[0][0] === "hand" ? routes[0].slice(1) : routes[0];
    // A canter is meant by its end, a chain of jumps is walked.
    for (const place of captures.length > 0 ? route : [...new Set([route[0], route.at(-1)])]) {
      point(place);
      const question = [...document.querySelectorAll("#choose button")].find((button) => button.textContent === move);
      if (question) { question.click(); break; }
    }
    await until(() => moves().length > play.moves.length && moves()[play.moves.length] === move
      && (document.querySelector("#status.over") || document.querySelector(".target.open")));
  }
  throw new Error("no end");
};
true
"##;

/// The page of a server in a browser with the driver; none where this machine has no browser.
fn page(server: &Server) -> Option<Browser> {
    let mut browser = Browser::start()?;
    browser.open(&server.url, "document.querySelector('.target')");
    assert_eq!(browser.evaluate(DRIVER), json!(true));
    Some(browser)
}

#[test]
fn a_game_of_each_kind_is_played_by_clicks() {
    let server = Server::start(&["greedy", "--game", "cam"]);
    let Some(mut browser) = page(&server) else { return };
    browser.click("#evaluates");
    for game in GAMES {
        browser.evaluate(&format!("begin({game:?}, ['human', 'human'])"));
        let over = browser.evaluate(&format!("playOn({game:?})"));
        let over = over.as_str().unwrap();
        let ends = [" wins by ", " win by ", "Drawn by ", "Won: ", "Lost: "];
        assert!(ends.iter().any(|end| over.contains(end)), "{game}: {over}");
        assert_eq!(browser.evaluate("document.getElementById('error').textContent"), json!(""));
    }
}

#[test]
fn mouse_and_keys_move_and_undo_takes_back() {
    let server = Server::start(&["greedy", "--game", "cam"]);
    let Some(mut browser) = page(&server) else { return };
    browser.click("[data-place=C4]");
    assert_eq!(browser.evaluate("document.querySelectorAll('.marks .end').length > 2"), json!(true));
    browser.click("[data-place=C6]");
    // The opponent answers, with the evaluation of the user's next turn.
    browser.wait_for("moves().length === 2 && document.querySelector('.target.open') && document.getElementById('shares').textContent.includes('%')");
    assert_eq!(browser.evaluate("moves()[0]"), json!("C4-C6"));
    browser.click("#undo");
    browser.wait_for("moves().length === 0 && document.querySelector('.target.open')");
    // By keys: Tab order is left to the browser, the square is focused as Tab would.
    browser.evaluate("document.querySelector('[data-place=D5]').focus()");
    browser.press("Enter", 13);
    browser.press("Escape", 27);
    assert_eq!(browser.evaluate("document.querySelectorAll('.marks .end').length"), json!(0));
    browser.press("Enter", 13);
    browser.press("ArrowUp", 38);
    browser.press("Enter", 13);
    browser
        .wait_for("moves()[0] === 'D5-D6' && moves().length === 2 && document.querySelector('.target.open')");
    browser.click("#hint");
    browser.wait_for("document.querySelector('.arrows polyline')");
    // Back in the game: a move from there replaces what followed.
    browser.click("#to-start");
    browser.wait_for("document.getElementById('status').textContent.startsWith('Move 0 of 2')");
    browser.click("[data-place=C4]");
    browser.click("[data-place=B4]");
    browser.wait_for("moves()[0] === 'C4-B4' && moves().length === 2");
}

#[test]
fn engines_play_each_other_and_pause() {
    let server = Server::start(&["greedy", "--game", "cam", "--side", "watch"]);
    let Some(mut browser) = page(&server) else { return };
    browser.wait_for("moves().length >= 2");
    browser.click("#pause");
    browser.wait_for("document.getElementById('status').textContent.startsWith('Paused.')");
    let paused = browser.evaluate("moves()");
    browser.click("#pause");
    browser.wait_for(&format!("moves().length > {}", paused.as_array().map_or(0, Vec::len)));
    browser.click("#pause");
    // What was played goes out as text and comes back.
    browser.wait_for("document.getElementById('status').textContent.startsWith('Paused.')");
    let played = browser.evaluate("moves()");
    browser.click("#game-text");
    browser.wait_for("document.querySelector('[name=pgn]').value.includes('[Variant \"cam\"]')");
    let text = browser.evaluate("document.querySelector('[name=pgn]').value");
    browser.click("#text-dialog .cancel");
    browser.evaluate("begin('camelot', ['human', 'human'])");
    browser.click("#game-text");
    browser.wait_for("document.querySelector('[name=pgn]').value.includes('[Variant \"camelot\"]')");
    browser.evaluate(&format!("document.querySelector('[name=pgn]').value = {text}"));
    browser.click("#text-dialog .load-pgn");
    browser.wait_for(
        "!document.querySelector('dialog[open]') && document.getElementById('title').textContent === 'Cam'",
    );
    browser.wait_for(&format!("moves().length === {}", played.as_array().map_or(0, Vec::len)));
    assert_eq!(browser.evaluate("moves()"), played);
    // What cannot be read is said in the dialog.
    browser.click("#game-text");
    browser.evaluate("document.querySelector('[name=position]').value = '7/7'");
    browser.click("#text-dialog .set-position");
    browser.wait_for("document.querySelector('#text-dialog .fault').textContent.includes('bad position')");
    let _: Value = browser.evaluate("document.querySelector('#text-dialog').close()");
}
