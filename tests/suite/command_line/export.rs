//! Networks in other files.

use std::fs;

use super::{SmallRun, assert_one_line_error, camelot, json_lines};

#[test]
fn a_bundle_plays_the_moves_of_its_checkpoint() {
    let small = SmallRun::new();
    assert!(small.train("run", 2, &[]).status().unwrap().success());
    let (run, bundle) =
        (small.run("run").display().to_string(), small.run("cam.bundle").display().to_string());
    let export = ["export", &run, "--format", "bundle", "-o", &bundle, "--licence", "CC0-1.0", "--json"];
    let written = json_lines(&camelot(&export)).remove(0);
    assert_eq!((written["game"].as_str(), written["format"].as_str()), (Some("cam"), Some("bundle")));
    assert_eq!(written["bytes"].as_u64(), Some(fs::metadata(&bundle).unwrap().len()));
    let games = |network: &str| {
        let pgn = small.run("games.pgn");
        let _ = fs::remove_file(&pgn);
        let net = format!("net:{network},sims=20");
        let arguments =
            ["match", &net, "greedy", "--games", "6", "--seed", "3", "--pgn", pgn.to_str().unwrap()];
        assert!(camelot(&arguments).status.success());
        fs::read_to_string(pgn).unwrap().replace(network, "NET")
    };
    let played = games(&run);
    assert!(played.contains("NET") && played == games(&bundle));
    // It is known by its contents, and nothing in it can be altered.
    let mut bytes = fs::read(&bundle).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&bundle, bytes).unwrap();
    let net = format!("net:{bundle}");
    assert_one_line_error(
        &camelot(&["match", &net, "greedy", "--games", "2"]),
        1,
        &["cam.bundle", "checksum"],
    );
}

#[test]
fn plain_tensors_say_what_they_are_of() {
    let small = SmallRun::new();
    assert!(small.train("run", 1, &[]).status().unwrap().success());
    let (run, file) = (small.run("run").display().to_string(), small.run("cam.safetensors"));
    let export = ["export", &run, "--format", "safetensors", "-o", file.to_str().unwrap(), "--json"];
    let written = json_lines(&camelot(&export)).remove(0);
    let bytes = fs::read(&file).unwrap();
    let header = usize::try_from(u64::from_le_bytes(bytes[..8].try_into().unwrap())).unwrap();
    let header: serde_json::Value = serde_json::from_slice(&bytes[8..8 + header]).unwrap();
    assert_eq!(header["__metadata__"]["game"], "cam");
    assert_eq!(header["__metadata__"]["hash"], written["hash"]);
    let numbers: u64 = header
        .as_object()
        .unwrap()
        .values()
        .filter_map(|tensor| tensor.get("shape"))
        .map(|shape| shape.as_array().unwrap().iter().map(|side| side.as_u64().unwrap()).product::<u64>())
        .sum();
    assert_eq!(Some(numbers), written["parameters"].as_u64());
    let two_lines = ["export", &run, "--format", "bundle", "-o", "x", "--licence", "one\ntwo"];
    assert_one_line_error(&camelot(&two_lines), 2, &["--licence"]);
}
