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
        ("network.architecture=residual", ["`network.accumulator` is", "residual networks do not have it"]),
        #[cfg(not(any(feature = "wgpu", feature = "cuda")))]
        ("training.device=gpu", ["`training.device` is gpu", "the feature wgpu or cuda"]),
        ("training.device=tpu", ["`training.device`", "tpu"]),
        ("network.architecture=dense", ["`network.architecture`", "dense"]),
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
fn each_architecture_has_its_own_keys() {
    let of = |network: &str, game: &str| {
        let start = BUILT_IN.find("[network]").unwrap();
        let end = BUILT_IN.find("[selfplay]").unwrap();
        let text = format!("{}[network]\n{network}\n{}", &BUILT_IN[..start], &BUILT_IN[end..]);
        let raw = read(&text, "test.toml", &[format!("game={game}")]).map_err(message)?;
        Config::try_from(raw).map(|config| config.network.to_string())
    };
    let residual = "architecture = \"residual\"\nblocks = 4\nchannels = 32\nhidden = 64\npolicy = 32";
    assert_eq!(of(residual, "cam").unwrap(), "residual 4 x 32/64/32");
    assert_eq!(of("accumulator = 64\nhidden = 32\npolicy = 32", "patience").unwrap(), "sparse 64/32/32");
    for (network, game, parts) in [
        (residual, "patience", ["`network.architecture` is residual", "needs a board"]),
        (
            &residual.replace("blocks = 4\n", ""),
            "cam",
            ["`network.blocks` is missing", "residual networks need it"],
        ),
        (&residual.replace("blocks = 4", "blocks = 0"), "cam", ["`network.blocks` is 0", "from 1 to"]),
        (
            &residual.replace("channels = 32", "channels = 16"),
            "cam",
            ["`network.channels` is 16", "multiple of 32"],
        ),
        (
            &residual.replace("residual", "sparse"),
            "cam",
            ["`network.blocks` is 4", "sparse networks do not have it"],
        ),
    ] {
        let error = of(network, game).unwrap_err();
        assert!(parts.iter().all(|part| error.contains(part)) && !error.contains('\n'), "{error}");
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
