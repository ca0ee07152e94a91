use super::*;
use crate::fixtures::{Cam, Camelot, random_records, rng};

fn games(iteration: u64) -> Vec<GameRecord> {
    random_records::<Cam>(4, iteration)
}

fn count(iteration: u64) -> usize {
    games(iteration).iter().map(|record| samples_of::<Cam>(record).unwrap().len()).sum()
}

fn open(folder: &Path, capacity: usize, last_iteration: u64) -> ReplayWindow<Cam> {
    let (window, problems) = ReplayWindow::open(folder, capacity, last_iteration).unwrap();
    assert!(problems.is_empty(), "{problems:?}");
    window
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn assert_same(a: &ReplayWindow<Cam>, b: &ReplayWindow<Cam>) {
    assert_eq!(a.samples, b.samples);
    assert_eq!((a.oldest_iteration(), a.newest_iteration()), (b.oldest_iteration(), b.newest_iteration()));
    assert_eq!(a.sample(&mut rng(1), 100), b.sample(&mut rng(1), 100));
}

#[test]
fn a_resumed_window_is_as_an_uninterrupted_one() {
    let folders = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let size = WindowSize { first: 300, most: 500 };
    let mut steady = open(folders[0].path(), size.at(0), 0);
    let mut positions = 0;
    for iteration in 1..=8 {
        let before_capacity = size.at(positions);
        let before = open(folders[0].path(), before_capacity, iteration - 1);
        positions += count(iteration) as u64;
        let capacity = size.at(positions);
        steady.append(iteration, games(iteration), capacity).unwrap();
        steady.commit().unwrap();
        // The first attempt is killed before its checkpoint is written, the second one is not.
        for _ in 0..2 {
            let mut resumed = open(folders[1].path(), before_capacity, iteration - 1);
            assert_same(&before, &resumed);
            resumed.append(iteration, games(iteration), capacity).unwrap();
            assert_same(&steady, &resumed);
        }
        assert_same(&steady, &open(folders[1].path(), capacity, iteration));
        assert_eq!(names(folders[0].path()), names(folders[1].path()));
    }
    assert!(steady.oldest_iteration() > Some(1), "nothing was evicted");
}

#[test]
fn the_newest_samples_are_those_of_the_newest_iteration() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = open(folder.path(), 10_000, 0);
    assert!(window.newest(5).is_empty());
    for iteration in 1..=2 {
        window.append(iteration, games(iteration), 10_000).unwrap();
    }
    let newest: Vec<_> = games(2).iter().flat_map(|record| samples_of::<Cam>(record).unwrap()).collect();
    let all: Vec<_> = newest.iter().collect();
    assert_eq!(window.newest(usize::MAX), all);
    assert_eq!(window.newest(2), [all[0], all[all.len() / 2]]);
}

#[test]
fn the_oldest_iterations_go_when_the_others_fill_the_capacity() {
    let folder = tempfile::tempdir().unwrap();
    let capacity = count(2) + count(3);
    let mut window = open(folder.path(), capacity, 0);
    assert!(window.is_empty());
    assert!(window.sample(&mut rng(0), 3).is_empty());
    for iteration in 1..=3 {
        window.append(iteration, games(iteration), capacity).unwrap();
    }
    assert_eq!(window.len(), capacity);
    assert_eq!(names(folder.path()).len(), 3, "a shard was deleted before its time");
    window.commit().unwrap();
    assert_eq!(names(folder.path()), ["000002.shard", "000003.shard"]);
    let mut window = open(folder.path(), 1, 3);
    assert_eq!((window.oldest_iteration(), window.len()), (Some(3), count(3)));
    window.append(9, Vec::new(), 1).unwrap();
    assert_eq!(window.len(), count(3), "an iteration without samples fills nothing");
}

#[test]
fn iterations_without_a_checkpoint_and_partial_files_are_deleted() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = open(folder.path(), 10_000, 0);
    for iteration in 1..=3 {
        window.append(iteration, games(iteration), 10_000).unwrap();
    }
    fs::write(folder.path().join(".partial-abc"), "half a shard").unwrap();
    fs::write(folder.path().join("notes.txt"), "mine").unwrap();
    let window = open(folder.path(), 10_000, 2);
    assert_eq!(window.newest_iteration(), Some(2));
    assert_eq!(names(folder.path()), ["000001.shard", "000002.shard", "notes.txt"]);
}

#[test]
fn bad_shards_are_put_aside_and_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = |iteration| shard::file_in(folder.path(), iteration);
    let mut window = open(folder.path(), 10_000, 0);
    for iteration in 1..=4 {
        window.append(iteration, games(iteration), 10_000).unwrap();
    }
    let cut = fs::read(file(1)).unwrap();
    fs::write(file(1), &cut[..cut.len() - 1]).unwrap();
    let mut altered = fs::read(file(2)).unwrap();
    altered[200] ^= 1;
    fs::write(file(2), altered).unwrap();
    let mut false_game = Shard { game: "cam".into(), iteration: 3, records: games(3) };
    false_game.records[2].plies[5].action = 1000;
    shard::save(&false_game, folder.path()).unwrap();
    let other = Shard { game: "camelot".into(), iteration: 5, records: random_records::<Camelot>(1, 0) };
    shard::save(&other, folder.path()).unwrap();

    let (window, problems) = ReplayWindow::<Cam>::open(folder.path(), 10_000, 5).unwrap();
    assert_eq!((window.oldest_iteration(), window.newest_iteration()), (Some(4), Some(4)));
    assert_eq!(window.len(), count(4));
    let whys: Vec<_> = problems.iter().map(|problem| problem.why.to_string()).collect();
    for (why, part) in whys.iter().zip(["the game is camelot", "record 2: ply 5", "checksum", "truncated"]) {
        assert!(why.contains(part), "{why}");
    }
    assert_eq!(whys.len(), 4);
    let all =
        ["000001.shard.bad", "000002.shard.bad", "000003.shard.bad", "000004.shard", "000005.shard.bad"];
    assert_eq!(names(folder.path()), all);
    assert!(problems.iter().all(|problem| problem.path.exists()));
}

#[test]
fn an_iteration_is_appended_once_and_whole() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = open(folder.path(), 10_000, 0);
    window.append(2, games(2), 10_000).unwrap();
    assert!(matches!(
        window.append(2, games(2), 10_000),
        Err(WindowError::Order { found: 2, newest: 2, .. })
    ));
    let mut records = games(3);
    records[1].game = "chess".into();
    let error = window.append(3, records, 10_000).unwrap_err().to_string();
    assert!(error.contains("record 1: a record of `chess`"), "{error}");
    assert_eq!(names(folder.path()), ["000002.shard"]);
    assert_eq!(window.len(), count(2));
}

#[test]
fn a_window_takes_hardly_more_memory_than_its_samples() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = open(folder.path(), 10_000, 0);
    let mut most = 0;
    for iteration in 1..=30 {
        window.append(iteration, games(iteration), 10_000).unwrap();
        most = most.max(count(iteration));
        let (len, capacity) = (window.len(), window.samples.capacity());
        assert!(capacity <= len + len / SPARE + most, "{capacity} for {len}");
    }
    let resumed = open(folder.path(), 10_000, 30);
    assert!(resumed.samples.capacity() <= window.len() + window.len() / SPARE + most);
}
