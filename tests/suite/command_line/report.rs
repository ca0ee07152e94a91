//! `report`: a page about a run.

use std::fs;

use super::{SmallRun, assert_one_line_error, camelot, fields, json_lines, text};

#[test]
fn a_page_shows_the_run_and_needs_nothing_else() {
    let small = SmallRun::new();
    assert!(small.train("run", 4, &[]).status().unwrap().success());
    let run = small.run("run");
    let printed = text(&camelot(&["report", run.to_str().unwrap()]).stdout);
    let page = fs::read_to_string(printed.trim()).unwrap();
    assert_eq!(run.join("report.html").to_str(), Some(printed.trim()));
    for part in [
        "<title>cam: ",
        "Strength in Elo",
        "Loss of the value",
        "Matches at the end",
        "mcts:sims=8",
        "Do values come true",
    ] {
        assert!(page.contains(part), "no `{part}`");
    }
    // Nothing is fetched from anywhere.
    for outside in ["http:", "https:", "src=", "@import", "url("] {
        assert!(!page.contains(outside), "`{outside}`");
    }
    let start = "<script type='application/json' id='games'>";
    let json = page.split_once(start).unwrap().1.split_once("</script>").unwrap().0;
    let shown: serde_json::Value = serde_json::from_str(json).unwrap();
    let (squares, games) = (shown["fields"].as_array().unwrap().len(), shown["games"].as_array().unwrap());
    assert!(!games.is_empty());
    for frame in games.iter().flat_map(|game| game["frames"].as_array().unwrap()) {
        assert_eq!(frame["contents"].as_str().unwrap().len(), squares);
    }
}

#[test]
fn where_there_is_nothing_to_report_it_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    assert_one_line_error(&camelot(&["report", path]), 1, &[path, "run folder"]);
    let small = SmallRun::new();
    assert!(small.train("run", 1, &[]).status().unwrap().success());
    let run = small.run("run");
    let arguments = ["report", run.to_str().unwrap(), "-o", "/nowhere/at/all.html"];
    assert_one_line_error(&camelot(&arguments), 1, &["/nowhere/at/all.html"]);
    let elsewhere = folder.path().join("page.html");
    let arguments = ["report", run.to_str().unwrap(), "--json", "-o", elsewhere.to_str().unwrap()];
    let answer = json_lines(&camelot(&arguments)).remove(0);
    assert_eq!(fields(&answer), ["bytes", "iterations", "path"]);
    assert_eq!(answer["bytes"].as_u64(), Some(fs::metadata(&elsewhere).unwrap().len()));
    fs::write(run.join("metrics.jsonl"), "").unwrap();
    assert_one_line_error(&camelot(&["report", run.to_str().unwrap()]), 1, &["no finished iteration"]);
}
