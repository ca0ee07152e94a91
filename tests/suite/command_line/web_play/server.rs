//! The server by its socket.

use std::process::Command;

use serde_json::{Value, json};

use super::super::{SmallRun, assert_one_line_error, camelot};
use super::{GAMES, Server, moves};

#[test]
fn a_game_of_each_kind_is_played_to_its_end_over_the_socket() {
    let server = Server::start(&["greedy"]);
    for game in GAMES {
        let mut played = Vec::new();
        for ply in 0.. {
            let state = server.state(game, 3, &played);
            played = moves(&state);
            if let Some(result) = state["result"].as_object() {
                assert!(state["actions"].as_array().unwrap().is_empty(), "{game}: {result:?}");
                break;
            }
            assert!(ply < 1000, "{game}: no end");
            let legal = state["actions"].as_array().unwrap();
            // Captures, or whatever comes last in the list, bring a game to an end; the greedy player now and then too.
            let captures = |action: &&Value| !action["captures"].as_array().unwrap().is_empty();
            let action = if let Some(capture) = legal.iter().find(captures) {
                capture["move"].clone()
            } else {
                let play = json!({ "game": game, "seed": 3, "moves": played });
                server.post("/api/think", &json!({ "play": play, "player": "own" })).json()["move"].clone()
            };
            played.push(action.as_str().unwrap().to_string());
        }
    }
}

#[test]
fn the_page_holds_together_and_forbids_what_is_foreign() {
    let server = Server::start(&["mcts:sims=20", "--game", "patience", "--seed", "9"]);
    assert!(server.url.starts_with("http://127.0.0.1:"), "{}", server.url);
    let page = server.get("/");
    assert!(page.status == 200 && page.body.contains("<title>Camelot Zero</title>"));
    assert!(page.head.contains("default-src 'none'") && page.head.contains("nosniff"), "{}", page.head);
    let mut parts = vec!["/main.js".to_string(), "/page.css".into()];
    let mut seen = 0;
    while let Some(part) = parts.pop() {
        let answer = server.get(&part);
        assert_eq!(answer.status, 200, "{part}");
        assert!(!answer.body.contains("http://") || answer.body.contains("www.w3.org/2000/svg"), "{part}");
        seen += 1;
        assert!(seen < 100, "modules in a circle");
        let imports = answer.body.split("from \".").skip(1);
        parts.extend(imports.map(|import| import.split('"').next().unwrap().to_string()));
    }
    let options = server.get("/api/options").json();
    assert_eq!(
        [&options["game"], &options["seed"], &options["team"]],
        [&json!("patience"), &json!(9), &json!(0)]
    );
    assert_eq!(options["games"].as_array().unwrap().len(), 5);
}

#[test]
fn a_network_plays_its_own_game_and_others_play_the_rest() {
    let small = SmallRun::new();
    assert!(small.train("run", 1, &[]).output().unwrap().status.success());
    let player = format!("net:{},sims=30", small.run("run").display());
    let server = Server::start(&[&player]);
    let options = server.get("/api/options").json();
    assert_eq!(options["game"], "cam");
    for game in options["games"].as_array().unwrap() {
        let name = game["name"].as_str().unwrap();
        let ids: Vec<&str> =
            game["players"].as_array().unwrap().iter().map(|player| player["id"].as_str().unwrap()).collect();
        assert_eq!(ids.contains(&"own"), name == "cam", "{name}");
        assert_eq!(ids.contains(&"alphabeta"), name != "patience", "{name}");
        for id in ids {
            let effort = if id == "mcts" { 20 } else { 0 };
            let asked = json!({ "play": { "game": name, "seed": 1 }, "player": id, "effort": effort });
            let said = server.post("/api/think", &asked).json();
            let legal = server.state(name, 1, &moves(&server.state(name, 1, &[])));
            let legal = legal["actions"].as_array().unwrap();
            assert!(legal.iter().any(|action| action["move"] == said["move"]), "{name}, {id}: {said}");
        }
    }
    let said = server.post("/api/think", &json!({ "play": { "game": "cam" }, "player": "own" })).json();
    assert_eq!(said["simulations"], 30);
    assert_eq!(said["line"][0], said["move"]);
    assert_eq!(said["candidates"][0]["move"], said["move"]);
    let shares = ["first", "draw", "second"].map(|share| said["shares"][share].as_f64().unwrap());
    assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-3, "{shares:?}");
    let refused = server.post("/api/think", &json!({ "play": { "game": "camelot" }, "player": "own" }));
    assert!(refused.error(400).contains("camelot has none"), "{refused:?}");
}

#[test]
fn what_makes_no_sense_is_refused_in_one_line() {
    let server = Server::start(&["random", "--game", "cam"]);
    let state = |body: Value| server.post("/api/state", &body);
    let error = state(json!({ "game": "cam", "moves": ["C4-C6", "C9-C7"] })).error(400);
    assert!(error.starts_with("move 2: bad move `C9-C7`"), "{error}");
    assert!(
        state(json!({ "game": "chess" })).error(404).contains("unknown game `chess`: expected one of cam")
    );
    assert!(state(json!({ "game": "cam", "start": "7/7" })).error(400).contains("bad position"));
    assert!(state(json!({ "game": "cam", "more": 1 })).error(400).contains("unknown field `more`"));
    assert!(state(json!({ "game": "cam", "rules": "own" })).error(400).contains("unknown variant"));
    assert!(state(json!({ "moves": [] })).error(400).contains("missing field `game`"));
    let long = vec!["A"; 10_001];
    assert!(state(json!({ "game": "cam", "moves": long })).error(400).contains("more than 10000"));
    assert!(server.post_text("/api/state", "{", "").error(400).starts_with("the body: "));
    let over = json!({ "game": "cam", "start": "1/1W1/5/7/7/7/b6/6b/7/w6/5/3/1 W - 0", "moves": ["D12-D13", "A7-A6"] });
    assert!(state(over).error(400).contains("move 2: `A7-A6` after the end of the game"));
    let think = |more: Value| {
        let mut asked = json!({ "play": { "game": "cam" } });
        asked.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        server.post("/api/think", &asked)
    };
    assert!(think(json!({ "player": "net:runs/x" })).error(400).contains("player `net:runs/x`"));
    assert!(
        think(json!({ "player": "mcts", "effort": 1_000_000 }))
            .error(400)
            .contains("at most 20000 simulations")
    );
    assert!(think(json!({ "player": "alphabeta", "effort": 9 })).error(400).contains("at most 5 plies"));
    assert_eq!(server.get("/nothing").error(404), "nothing there");
    assert_eq!(server.get("/api/state").error(405), "not with this method");
    let large = format!("{{\"game\": \"cam\", \"start\": \"{}\"}}", "x".repeat(256 << 10));
    assert!(server.post_text("/api/state", &large, "").error(413).contains("more than 262144 bytes"));
    let chunked = format!(
        "POST /api/state HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n{:x}\r\n{large}\r\n0\r\n\r\n",
        server.host(),
        large.len()
    );
    assert!(server.send(chunked.as_bytes()).error(413).contains("more than 262144 bytes"));
    // After all that it still serves.
    assert_eq!(state(json!({ "game": "cam" })).json()["actions"].as_array().unwrap().len(), 54);
}

#[test]
fn pages_of_other_origins_get_nothing() {
    let server = Server::start(&["random", "--game", "cam"]);
    let with_host = |host: &str| {
        server.send(
            format!("GET /api/options HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").as_bytes(),
        )
    };
    assert!(with_host("example.org").error(403).contains("`example.org`"));
    assert!(with_host("127.0.0.1.example.org:80").error(403).contains("expected a name of this machine"));
    assert_eq!(with_host("localhost:1234").status, 200);
    let body = json!({ "game": "cam" }).to_string();
    assert!(
        server
            .post_text("/api/state", &body, "Origin: http://example.org\r\n")
            .error(403)
            .contains("`Origin`")
    );
    let own = format!("Origin: http://{}\r\n", server.host());
    assert_eq!(server.post_text("/api/state", &body, &own).status, 200);
}

#[test]
fn two_pages_do_not_disturb_each_other() {
    let server = Server::start(&["greedy", "--game", "cam"]);
    let mut alone = Vec::new();
    for round in 0..2 {
        let mut games = [("cam", 1, Vec::new()), ("patience", 1, Vec::new()), ("patience", 2, Vec::new())];
        for _ in 0..8 {
            // One after the other in the first round, all at once in the second.
            let next = |(game, seed, played): &(&str, u64, Vec<String>)| {
                let play = json!({ "game": game, "seed": seed, "moves": played });
                let said = server.post("/api/think", &json!({ "play": play, "player": "own" })).json();
                let settled = moves(&server.state(game, *seed, played));
                [settled, vec![said["move"].as_str().unwrap().to_string()]].concat()
            };
            if round == 0 {
                for game in &mut games {
                    game.2 = next(game);
                }
            } else {
                std::thread::scope(|scope| {
                    for game in &mut games {
                        scope.spawn(|| game.2 = next(game));
                    }
                });
            }
        }
        assert_ne!(games[1].2, games[2].2, "two seeds, one deal");
        alone.push(games.map(|game| game.2));
    }
    assert_eq!(alone[0], alone[1]);
}

#[test]
fn a_game_goes_out_as_pgn_and_comes_back() {
    let server = Server::start(&["greedy", "--game", "cam"]);
    for (game, first) in [("grand-camelot", "E4-E5"), ("patience", "deal")] {
        let state = server.state(game, 5, &[]);
        let legal = state["actions"].as_array().unwrap();
        let first = legal.iter().find(|action| action["move"] == first).unwrap_or(&legal[0]);
        let first = first["move"].as_str().unwrap().to_string();
        let state = server.state(game, 5, &[moves(&state), vec![first]].concat());
        let play = json!({ "game": game, "seed": 5, "moves": moves(&state) });
        let pgn =
            server.post("/api/pgn/write", &json!({ "play": play, "names": ["human", "greedy"] })).json();
        let pgn = pgn["pgn"].as_str().unwrap();
        assert!(pgn.contains(&format!("[Variant \"{game}\"]")) && pgn.contains("[White \"human\"]"), "{pgn}");
        let read = server.post("/api/pgn/read", &json!({ "text": pgn, "game": "cam" })).json();
        assert_eq!([&read["game"], &read["start"]], [&json!(game), &state["start"]]);
        assert_eq!(read["moves"], json!(moves(&state)));
    }
    let broken = json!({ "text": "[Variant \"cam\"]\n\n1. C4-C9 *", "game": "camelot" });
    let error = server.post("/api/pgn/read", &broken).error(400);
    assert!(error.starts_with("line 3, column 4: bad move"), "{error}");
    assert!(
        server
            .post("/api/pgn/read", &json!({ "text": " ", "game": "cam" }))
            .error(400)
            .contains("expected PGN")
    );
}

#[test]
fn addresses_that_cannot_be_had_are_named() {
    let bad = camelot(&["play", "random", "--web", "nowhere at all"]);
    assert_one_line_error(&bad, 2, &["nowhere at all", "127.0.0.1:8080"]);
    let side = camelot(&["play", "random", "--game", "patience", "--side", "black", "--web", "0"]);
    assert_one_line_error(&side, 2, &["--side black", "one seat"]);
    let server = Server::start(&["random"]);
    let taken = camelot(&["play", "random", "--web", server.host()]);
    assert_one_line_error(&taken, 1, &["cannot listen at", server.host()]);
}

#[test]
#[cfg(unix)]
fn ctrl_c_ends_the_server_in_good_order() {
    let mut server = Server::start(&["mcts:sims=100000000", "--game", "camelot"]);
    // Somebody thinks, and somebody holds a connection open without asking.
    let _idle = std::net::TcpStream::connect(server.host()).unwrap();
    let asked = json!({ "play": { "game": "camelot" }, "player": "own" }).to_string();
    let request = format!(
        "POST /api/think HTTP/1.1\r\nHost: {}\r\nContent-Length: {}\r\n\r\n{asked}",
        server.host(),
        asked.len()
    );
    let mut thinking = std::net::TcpStream::connect(server.host()).unwrap();
    std::io::Write::write_all(&mut thinking, request.as_bytes()).unwrap();
    assert_eq!(server.get("/").status, 200);
    let id = server.child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    assert_eq!(server.child.wait().unwrap().code(), Some(130));
}
