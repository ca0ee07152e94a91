//! Networks in other files.

use std::fs;

use serde_json::json;

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

#[test]
fn a_bundle_is_exported_as_anything_that_a_checkpoint_is() {
    let small = SmallRun::new();
    assert!(small.train("run", 1, &[]).status().unwrap().success());
    let run = small.run("run").display().to_string();
    let bundle = small.run("cam.bundle").display().to_string();
    let export = |from: &str, to: &str, format: &str, more: &[&str]| {
        let mut arguments = vec!["export", from, "--format", format, "-o", to, "--json"];
        arguments.extend(more);
        (json_lines(&camelot(&arguments)).remove(0), fs::read(to).unwrap())
    };
    let (first, packed) = export(&run, &bundle, "bundle", &["--licence", "CC0-1.0"]);
    for format in ["onnx", "safetensors", "bundle"] {
        let to = small.run(format).display().to_string();
        let (written, bytes) = export(&bundle, &to, format, &[]);
        assert_eq!(written["hash"], first["hash"], "{format}");
        assert_eq!(written["encoding"], 2);
        match format {
            // The terms that were stated go on with it.
            "bundle" => assert!(bytes == packed && written["shapes"] == first["shapes"]),
            "safetensors" => assert_eq!(written["shapes"]["input.weight"], json!([596, 32])),
            _ => {
                let shapes = &written["shapes"];
                assert_eq!(shapes["features"], json!(["positions", 596]));
                assert_eq!(shapes["logits"], json!(["actions"]));
                assert!(bytes == export(&run, &to, format, &[]).1, "the same model from either file");
            }
        }
    }
    let other = small.run("other").display().to_string();
    assert!(export(&bundle, &other, "bundle", &["--licence", "MIT"]).1 != packed);
    // Nothing is left where nothing can be written.
    let nowhere = small.run("nowhere").join("cam.onnx").display().to_string();
    let refused = camelot(&["export", &bundle, "--format", "onnx", "-o", &nowhere]);
    assert_one_line_error(&refused, 1, &["cam.onnx"]);
}
