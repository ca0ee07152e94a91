use super::*;

#[derive(Serialize)]
struct Entry {
    iteration: u64,
    loss: f64,
}

fn entry(iteration: u64) -> Entry {
    Entry { iteration, loss: 0.5 }
}

fn iterations(folder: &Path) -> Vec<u64> {
    let text = fs::read_to_string(folder.join(FILE)).unwrap();
    text.lines().map(|line| iteration_of(&serde_json::from_str(line).unwrap()).unwrap()).collect()
}

#[test]
fn a_redone_iteration_is_not_there_twice() {
    let folder = tempfile::tempdir().unwrap();
    let mut metrics = Metrics::open(folder.path(), 0).unwrap();
    for iteration in 1..=4 {
        metrics.record(iteration, &entry(iteration)).unwrap();
    }
    let mut metrics = Metrics::open(folder.path(), 2).unwrap();
    assert_eq!(iterations(folder.path()), [1, 2]);
    metrics.record(3, &entry(3)).unwrap();
    assert_eq!(iterations(folder.path()), [1, 2, 3]);
}

#[test]
fn a_half_written_line_is_cut_off_and_a_strange_one_stays() {
    let keep = |text: &str| String::from_utf8(kept_lines(text.as_bytes(), 2)).unwrap();
    assert_eq!(keep("{\"iteration\":1}\n{\"iterat"), "{\"iteration\":1}\n");
    assert_eq!(keep("{\"iteration\":1}\n{\"iteration\":2}"), "{\"iteration\":1}\n{\"iteration\":2}\n");
    assert_eq!(keep("a note\n{\"iteration\":3}\n"), "a note\n");
    assert_eq!(keep(""), "");
}

#[test]
fn an_entry_without_its_iteration_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let mut metrics = Metrics::open(folder.path(), 0).unwrap();
    assert!(metrics.record(2, &entry(3)).is_err());
    assert!(metrics.record(2, &[1, 2]).is_err());
    assert_eq!(fs::read(folder.path().join(FILE)).unwrap(), b"");
}

#[test]
fn tensorboard_gets_its_own_folder() {
    let folder = tempfile::tempdir().unwrap();
    let mut metrics = Metrics::open(folder.path(), 6).unwrap();
    assert_eq!(metrics.show(7, &[("loss/policy", 0.25), ("loss/value", 1.0)]), None);
    drop(metrics);
    let runs: Vec<_> = fs::read_dir(folder.path().join("tensorboard")).unwrap().map(Result::unwrap).collect();
    assert_eq!(runs.len(), 1);
    assert!(runs[0].file_name().to_str().unwrap().starts_with("000007-"));
    let file = fs::read_dir(runs[0].path()).unwrap().next().unwrap().unwrap();
    let bytes = fs::read(file.path()).unwrap();
    assert!(bytes.windows(11).any(|part| part == b"loss/policy"));
}

#[test]
fn tensorboard_fails_with_one_warning() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("tensorboard"), "a file where a folder should be").unwrap();
    let mut metrics = Metrics::open(folder.path(), 0).unwrap();
    let warning = metrics.show(1, &[("loss", 1.0)]).unwrap();
    assert!(warning.contains("tensorboard"), "{warning}");
    assert_eq!(metrics.show(2, &[("loss", 1.0)]), None);
    metrics.record(1, &entry(1)).unwrap();
}
