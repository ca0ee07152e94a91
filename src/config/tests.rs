//! Configurations that are right and wrong.

use super::*;

fn message(failure: Failure) -> String {
    match failure {
        Failure::Usage(why) => why,
        Failure::Error(error) => error.to_string(),
        other => panic!("{other:?}"),
    }
}

fn set(assignments: &[&str]) -> Result<Config, String> {
    let set: Vec<String> = assignments.iter().map(ToString::to_string).collect();
    let raw = read(BUILT_IN, "test.toml", &set).map_err(message)?;
    Config::try_from(raw)
}

#[test]
fn every_configuration_in_the_repository_is_valid() {
    let mut checked = 0;
    for entry in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/configs")).unwrap() {
        let path = entry.unwrap().path();
        let raw = read(&read_file(&path).unwrap(), &path.display().to_string(), &[]).unwrap();
        Config::try_from(raw).unwrap();
        checked += 1;
    }
    assert!(checked >= 2);
}

#[test]
fn keys_can_be_set_from_outside() {
    let config = set(&["selfplay.simulations=64", "training.passes=3", "game=camelot", "seed=9"]).unwrap();
    assert_eq!(config.selfplay.full.simulations, 64);
    assert_eq!((config.passes, config.game, config.seed), (3.0, "camelot", 9));
}

#[test]
fn a_bad_key_is_named_with_its_value_and_range() {
    for (assignment, parts) in [
        ("selfplay.simulations=0", ["`selfplay.simulations` is 0", "from 1 to"]),
        ("network.hidden=33", ["`network.hidden` is 33", "multiple of 32"]),
        ("training.average_decay=1.0", ["`training.average_decay` is 1", "below 1"]),
        ("training.passes=nan", ["`training.passes` is NaN", "above 0"]),
        ("game=chess", ["`game`", "unknown game `chess`"]),
        ("rules=fide", ["`rules`", "fide"]),
        ("evaluation.games=7", ["`evaluation.games` is 7", "even"]),
        ("evaluation.opponents=[\"x\"]", ["`evaluation.opponents`", "bad player `x`"]),
        ("selfplay.bogus=1", ["no configuration key `selfplay.bogus`", "--set"]),
        ("bogus.x=1", ["no configuration section `bogus`", "--set"]),
        ("selfplay.simulations", ["expected KEY=VALUE", "--set"]),
        ("selfplay.simulations=many", ["`selfplay.simulations`", "string"]),
    ] {
        let error = set(&[assignment]).unwrap_err();
        assert!(parts.iter().all(|part| error.contains(part)), "{assignment}: {error}");
        assert!(!error.contains('\n'), "{error}");
    }
}

#[test]
fn unknown_and_missing_keys_in_a_file_are_named() {
    let unknown = BUILT_IN.replace("[checkpoints]", "[checkpoints]\nkepe = 3");
    let error = message(read(&unknown, "x.toml", &[]).unwrap_err());
    assert!(
        error.starts_with("x.toml") && error.contains("checkpoints") && error.contains("kepe"),
        "{error}"
    );
    let missing = BUILT_IN.replace("keep_every = 50", "");
    let error = message(read(&missing, "x.toml", &[]).unwrap_err());
    assert!(error.contains("keep_every"), "{error}");
}

#[test]
fn only_changes_that_a_run_cannot_take_count_as_differences() {
    let base = set(&[]).unwrap().raw;
    let budget = set(&["budget.minutes=99", "evaluation.games=2", "checkpoints.keep=9"]).unwrap().raw;
    assert_eq!(first_difference(&base, &budget), None);
    let other = set(&["training.batch_size=64"]).unwrap().raw;
    let expected = ("training.batch_size".into(), "512".into(), "64".into());
    assert_eq!(first_difference(&base, &other), Some(expected));
}
